// A shared object as there are thousands: no plugin.
extern "C" __attribute__((visibility("default"))) int add(int a, int b) { return a + b; }

# The rules of scripts/check-layers. Input: lines of `grep -Hn`: file:line:#include ….
#
# To use a new library: say so in docs/dependencies.md, then name its headers and the one place
# that may include them in BEGIN.

# Only files matching `where` may include headers matching `what`.
function only(what, where, words) {
  vendor_what[++vendors] = what
  vendor_where[vendors] = where
  vendor_words[vendors] = words
}

function set_of(set, text,    list, n, i) {
  n = split(text, list, /[ \n]+/)
  for (i = 1; i <= n; ++i) if (list[i] != "") set[list[i]] = 1
}

function refuse(rule) {
  printf "%s:%s: %s: %s\n", file, line, shown, rule
  ++refused
}

BEGIN {
  set_of(std, "algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat " \
    "charconv chrono cinttypes climits clocale cmath compare complex concepts condition_variable " \
    "coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar " \
    "cwctype deque exception execution filesystem forward_list fstream functional future " \
    "initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map " \
    "memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio " \
    "regex scoped_allocator semaphore set shared_mutex span sstream stack stdexcept stop_token " \
    "streambuf string string_view syncstream system_error thread tuple type_traits typeindex " \
    "typeinfo unordered_map unordered_set utility valarray variant vector version cxxabi.h")

  set_of(posix, "arpa/inet.h dirent.h errno.h fcntl.h fnmatch.h glob.h grp.h limits.h netdb.h " \
    "netinet/in.h netinet/tcp.h poll.h pthread.h pwd.h sched.h signal.h spawn.h stdlib.h string.h " \
    "sys/epoll.h sys/eventfd.h sys/file.h sys/inotify.h sys/ioctl.h sys/mman.h sys/prctl.h " \
    "sys/resource.h sys/signalfd.h sys/socket.h sys/stat.h sys/statvfs.h sys/syscall.h sys/time.h " \
    "sys/timerfd.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/vfs.h sys/wait.h syslog.h " \
    "sysexits.h termios.h time.h unistd.h linux/falloc.h linux/fs.h linux/loop.h linux/magic.h malloc.h " \
    "sys/mount.h")

  only("^sqlite3(ext)?[.]h$", "^(storage/sqlite|tests)/", "storage/sqlite/ and tests/")
  only("^openssl/", "^plugins/mqtt/tls_fault[.]cpp$", "plugins/mqtt/tls_fault.cpp")
  only("^(mqtt/|MQTT)", "^(plugins/mqtt|tests/(support|bench))/",
       "plugins/mqtt/, tests/support/ and tests/bench/")
  only("^toml([.]hpp$|/|11/)", "^daemon/config/toml_reader[.]cpp$", "daemon/config/toml_reader.cpp")
  only("^(spdlog|fmt)/", "^daemon/logging[.]cpp$", "daemon/logging.cpp")
  only("^CLI/", "^(daemon/cli|tests/support/command_line)[.]cpp$",
       "daemon/cli.cpp and tests/support/command_line.cpp")
  only("^link[.]h$", "^daemon/plugin_file[.]cpp$", "daemon/plugin_file.cpp")
  only("^dlfcn[.]h$",
       "^daemon/(plugin_loader|metrics/exporter_loader)[.]cpp$|^tests/(crash/faulty_system/|unit/mqtt/look_up_test[.]cpp$)",
       "daemon/plugin_loader.cpp, daemon/metrics/exporter_loader.cpp, tests/crash/faulty_system/ and tests/unit/mqtt/look_up_test.cpp")
  only("^microhttpd[.]h$", "^daemon/metrics/module/document_server[.]cpp$",
       "daemon/metrics/module/document_server.cpp")
  only("^prometheus/", "^daemon/metrics/module/", "daemon/metrics/module/")
  only("^nlohmann/json_fwd[.]hpp$", "^(plugins/formats|storage|daemon|tests)/",
       "plugins/formats/, storage/, daemon/ and tests/")
  only("^nlohmann/", "^(plugins/formats/.*|tests/.*|(storage|daemon)/.*[.]cpp$)",
       "plugins/formats/, tests/ and the sources (not headers) of storage/ and daemon/")
  only("^(gtest|gmock|benchmark)/", "^tests/", "tests/")
}

{
  file = $0; sub(/:.*/, "", file)
  rest = substr($0, length(file) + 2)
  line = rest; sub(/:.*/, "", line)
  rest = substr(rest, length(line) + 2)
  sub(/^[ \t]*#[ \t]*include(_next)?[ \t]*/, "", rest)

  if (match(rest, /^"[^"]+"/)) { quoted = 1 }
  else if (match(rest, /^<[^>]+>/)) { quoted = 0 }
  else {
    shown = rest; sub(/[ \t]*(\/\/.*)?$/, "", shown)
    refuse("not an include that can be checked: name the file itself")
    next
  }
  shown = substr(rest, 1, RLENGTH)
  header = substr(rest, 2, RLENGTH - 2)

  layer = file; sub(/\/.*/, "", layer)
  if (quoted) check_ours(); else check_theirs()
}

function check_ours(    plugin, parts) {
  if (header !~ /^(pipeline|storage|plugins|daemon|tests)\// || header ~ /(^|\/)[.][.]?\//) {
    refuse("include from the root of the tree, as \"folder/file.hpp\"")
  } else if (layer == "pipeline") {
    if (header !~ /^pipeline\//) refuse("pipeline/ may include \"pipeline/…\" only")
  } else if (layer == "storage") {
    if (header !~ /^(storage|pipeline)\//) {
      refuse("storage/ may include \"storage/…\", \"pipeline/…\" only")
    }
  } else if (layer == "plugins") {
    split(file, parts, "/")
    plugin = "plugins/" parts[2] "/"
    if (header !~ /^pipeline\// && index(header, plugin) != 1) {
      refuse(plugin " may include \"pipeline/…\", \"" plugin "…\" only")
    }
  } else if (layer == "daemon") {
    if (header ~ /^tests\//) refuse("daemon/ may include everything but \"tests/…\"")
  }
}

function check_theirs(    i) {
  if (header in std) return
  for (i = 1; i <= vendors; ++i) {
    if (header ~ vendor_what[i]) {
      if (file !~ vendor_where[i]) refuse("allowed only in " vendor_words[i])
      return
    }
  }
  if (header in posix) {
    if (layer == "pipeline") refuse("pipeline/ uses the standard library only")
    return
  }
  refuse("not a header that Sluice uses: see scripts/check-layers.awk")
}

END { exit refused > 0 }

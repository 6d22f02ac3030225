# sluice_add_plugin(NAME SOURCE…): a shared object that Sluice loads, NAME.so.
#
# A plugin compiles the templates it uses and finds the rest of the runtime in the program that
# loads it: there is one runtime, and a fix in it reaches every plugin. So the symbols of
# sluice_pipeline are undefined here on purpose. What is hidden cannot get into the way of another
# plugin; SLUICE_PLUGIN makes the one entry visible.
function(sluice_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE sluice::plugin_api)
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endfunction()

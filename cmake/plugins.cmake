# Plugins, and the programs that load them.
include(sluice-plugin)

# What sluice_add_plugin needs; an installed Sluice has a target of the same name.
add_library(sluice_plugin_api INTERFACE)
target_link_libraries(sluice_plugin_api INTERFACE sluice_compiler)
add_library(sluice::plugin_api ALIAS sluice_plugin_api)

# A program that loads plugins has the whole runtime in it, also what it does not use itself, and
# shows its symbols. As an option rather than a library, because the libraries of the program bring
# sluice_pipeline as well, and taken whole it may come once only.
function(sluice_plugin_host program)
  target_link_options(${program} PRIVATE
    "SHELL:-Wl,--whole-archive $<TARGET_FILE:sluice_pipeline> -Wl,--no-whole-archive")
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON)
endfunction()

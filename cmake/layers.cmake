# The layer check runs with every build, before anything is compiled.
add_custom_target(check_layers ALL
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/check-layers
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Checking the include rules between folders")

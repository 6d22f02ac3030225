# check_headers: every header compiles on its own. A foo.cpp includes its foo.hpp first
# (scripts/check-files sees to that), which proves most of them; the rest are compiled here.
function(sluice_check_headers)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/pipeline/*.hpp ${PROJECT_SOURCE_DIR}/storage/*.hpp
    ${PROJECT_SOURCE_DIR}/plugins/*.hpp ${PROJECT_SOURCE_DIR}/daemon/*.hpp)
  set(sources)
  foreach(header ${headers})
    string(REGEX REPLACE "[.]hpp$" ".cpp" twin ${header})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${twin})
      set(source ${PROJECT_BINARY_DIR}/check_headers/${twin})
      file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
      list(APPEND sources ${source})
    endif()
  endforeach()
  add_library(check_headers OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(check_headers PRIVATE sluice_daemon)
endfunction()
sluice_check_headers()

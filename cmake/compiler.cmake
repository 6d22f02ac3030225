# One compiler setting for all of Sluice's own code: target sluice_compiler, linked by everything.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(SLUICE_WERROR "Warnings are errors" ON)
set(SLUICE_SANITIZE "" CACHE STRING "Value for -fsanitize, e.g. address,undefined")
option(SLUICE_FUZZ "Build the libFuzzer targets (clang only)" OFF)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(sluice_compiler INTERFACE)
target_include_directories(sluice_compiler INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(sluice_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wformat=2 -Wimplicit-fallthrough)
if(SLUICE_WERROR)
  target_compile_options(sluice_compiler INTERFACE -Werror)
endif()
if(SLUICE_SANITIZE)
  target_compile_options(sluice_compiler INTERFACE
    -fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sluice_compiler INTERFACE -fsanitize=${SLUICE_SANITIZE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 loses track of std::variant where it inlines or instruments, and sees uninitialised
  # members that are none. clang's own check stays, and so do the sanitizers.
  target_compile_options(sluice_compiler INTERFACE -Wno-maybe-uninitialized)
endif()
if(SLUICE_FUZZ)
  # Fuzzers need coverage of our libraries, and sanitizers to see what they cause.
  target_compile_options(sluice_compiler INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sluice_compiler INTERFACE -fsanitize=address,undefined)
endif()
if(SLUICE_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ warns that TSan does not model fences; we use none, a standard header does.
  target_compile_options(sluice_compiler INTERFACE -Wno-tsan)
endif()

# A library of ours: every .cpp below its folder. `ls` is the list of its parts.
function(sluice_library name)
  cmake_parse_arguments(ARG "" "FOLDER" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARG_FOLDER}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC sluice_compiler ${ARG_LINK})
endfunction()

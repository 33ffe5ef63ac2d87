# SPDX-License-Identifier: Apache-2.0
# One interface target, wirelaw_options, carries the compile options of every part.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these, ccache does not keep units with precompiled headers, and preprocesses those that it lacks.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(wirelaw_options INTERFACE)
target_compile_options(wirelaw_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow -Wpedantic
    # Designated initialisers leave members to their defaults on purpose.
    -Wno-missing-field-initializers>
  # g++ 12 warns about overlaps in std::string's operator+ that do not exist (GCC bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  # A precompiled header that is rebuilt from the same sources is identical: ccache recognises its users.
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
# Same definition as in fmt::fmt, so that sources that do not link fmt share the precompiled header with those that do.
target_compile_definitions(wirelaw_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:FMT_SHARED>)
if(WIRELAW_WERROR)
  target_compile_options(wirelaw_options INTERFACE -Werror)
endif()
if(WIRELAW_SANITIZERS)
  # The check vptr reads memory through a pipe that it opens. If a program may open no more files, it reports false
  # errors. Programs at a fixed address start in half the time, because sanitizer data has millions of addresses to
  # relocate.
  target_compile_options(wirelaw_options INTERFACE
    -fsanitize=${WIRELAW_SANITIZERS} -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer -fno-pie)
  target_link_options(wirelaw_options INTERFACE -fsanitize=${WIRELAW_SANITIZERS} -fno-sanitize=vptr -no-pie)
endif()
if(WIRELAW_FUZZ_ENGINE STREQUAL "libfuzzer")
  # The libraries report their coverage too; only a fuzz target gets libFuzzer's main. Code that no target reaches
  # reports none. Compares are reported only if a target has nothing but the engine's own mutations (property
  # WIRELAW_COMPARES). Mutators that know the format find the same without them, and sooner.
  target_compile_options(wirelaw_options INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:WIRELAW_NOT_FUZZED>>>:-fsanitize=fuzzer-no-link
      $<$<NOT:$<BOOL:$<TARGET_PROPERTY:WIRELAW_COMPARES>>>:-fno-sanitize-coverage=trace-cmp>>)
  target_link_options(wirelaw_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(WIRELAW_COVERAGE)
  target_compile_options(wirelaw_options INTERFACE --coverage -O0 -fprofile-abs-path)
  target_link_options(wirelaw_options INTERFACE --coverage)
endif()

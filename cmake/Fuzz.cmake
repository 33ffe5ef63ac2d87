# SPDX-License-Identifier: Apache-2.0
# How a fuzz target is made. Its source has LLVMFuzzerTestOneInput; WIRELAW_FUZZ_ENGINE is what calls it:
#   replay     a main that replays the files it is given: in every ordinary build, and a CTest test replays the seeds
#   libfuzzer  libFuzzer; the libraries are instrumented as well (wirelaw_options)
#   afl        AFL++'s driver: persistent mode, test cases in shared memory; the compiler is afl-clang-fast++
#   external   whatever LIB_FUZZING_ENGINE names, with the flags of CFLAGS and CXXFLAGS, as OSS-Fuzz sets them

# wirelaw_fuzz_target(NAME SOURCES … LINK targets… [DICTIONARY FILE] [SEEDS DIRECTORY])
#   One target. SEEDS is a directory with its seed corpus; regressions/NAME holds the inputs that once broke it.
function(wirelaw_fuzz_target name)
  cmake_parse_arguments(TARGET "" "DICTIONARY;SEEDS" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${TARGET_SOURCES})
  target_link_libraries(${name} PRIVATE wirelaw_options ${TARGET_LINK})
  wirelaw_use_precompiled(${name} wirelaw_precompiled)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  set_property(GLOBAL APPEND PROPERTY WIRELAW_FUZZ_PROGRAMS ${name})
  # What the smoke run and OSS-Fuzz need to know of the target, one line each.
  set_property(GLOBAL APPEND PROPERTY WIRELAW_FUZZ_TARGETS
    "${name}|${TARGET_SEEDS}|${CMAKE_CURRENT_SOURCE_DIR}/regressions/${name}|${TARGET_DICTIONARY}")

  set(only_replay)
  if(WIRELAW_FUZZ_ENGINE STREQUAL "libfuzzer")
    set(only_replay -runs=0)
  endif()
  if(WIRELAW_TESTS AND WIRELAW_FUZZ_ENGINE MATCHES "^(replay|libfuzzer)$")
    set(inputs ${TARGET_SEEDS})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/regressions/${name})
      list(APPEND inputs ${CMAKE_CURRENT_SOURCE_DIR}/regressions/${name})
    endif()
    add_test(NAME fuzz.${name} COMMAND ${name} ${only_replay} ${inputs})
    set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT 300 LABELS fuzz)
  endif()

  if(WIRELAW_FUZZ_ENGINE STREQUAL "replay")
    if(NOT TARGET wirelaw_replay_main)
      add_library(wirelaw_replay_main OBJECT ${PROJECT_SOURCE_DIR}/fuzz/replay_main.cc)
      target_include_directories(wirelaw_replay_main PRIVATE ${PROJECT_SOURCE_DIR})
      target_link_libraries(wirelaw_replay_main PRIVATE wirelaw_options)
    endif()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:wirelaw_replay_main>)
  elseif(WIRELAW_FUZZ_ENGINE STREQUAL "libfuzzer" OR WIRELAW_FUZZ_ENGINE STREQUAL "afl")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  elseif(WIRELAW_FUZZ_ENGINE STREQUAL "external")
    if(NOT DEFINED ENV{LIB_FUZZING_ENGINE})
      message(FATAL_ERROR "WIRELAW_FUZZ_ENGINE=external needs LIB_FUZZING_ENGINE in the environment")
    endif()
    target_link_libraries(${name} PRIVATE $ENV{LIB_FUZZING_ENGINE})
  else()
    message(FATAL_ERROR "WIRELAW_FUZZ_ENGINE is ${WIRELAW_FUZZ_ENGINE}; use replay, libfuzzer, afl or external")
  endif()
endfunction()

# wirelaw_trace_target(PROTOCOL SEEDS DIRECTORY [LINK targets…])
#   The target fuzz_PROTOCOL_trace: any conversation before the protocol's observer (fuzz/trace_target.h), by
#   fuzz/fuzz_PROTOCOL_trace.cc where there is one. LINK: where the protocol is, if not in wirelaw::conformance.
function(wirelaw_trace_target protocol)
  cmake_parse_arguments(TRACE "" "SEEDS" "LINK" ${ARGN})
  set(fuzz ${PROJECT_SOURCE_DIR}/fuzz)
  set(name fuzz_${protocol}_trace)
  set(source ${fuzz}/${name}.cc)
  if(NOT EXISTS ${source})
    set(source ${fuzz}/fuzz_trace.cc)
  endif()
  set(dictionary)
  foreach(folder IN ITEMS ${fuzz}/dictionaries ${PROJECT_SOURCE_DIR}/corpora/dictionaries)
    if(EXISTS ${folder}/${protocol}.dict)
      set(dictionary ${folder}/${protocol}.dict)
    endif()
  endforeach()
  wirelaw_fuzz_target(${name} SOURCES ${source} DICTIONARY ${dictionary} SEEDS ${TRACE_SEEDS}
    LINK ${TRACE_LINK} wirelaw::conformance wirelaw::fuzz_mutator)
  target_compile_definitions(${name} PRIVATE WIRELAW_TRACE_PROTOCOL=${protocol})
endfunction()

# wirelaw_fuzz_list()
#   Writes BUILD/fuzz/targets: NAME|SEEDS|REGRESSIONS|DICTIONARY, one target a line; and makes the build target
#   fuzz_targets, which is all of them.
function(wirelaw_fuzz_list)
  get_property(targets GLOBAL PROPERTY WIRELAW_FUZZ_TARGETS)
  get_property(programs GLOBAL PROPERTY WIRELAW_FUZZ_PROGRAMS)
  add_custom_target(fuzz_targets DEPENDS ${programs})
  list(JOIN targets "\n" lines)
  file(WRITE ${PROJECT_BINARY_DIR}/fuzz/targets "${lines}\n")
endfunction()

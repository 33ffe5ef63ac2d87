# SPDX-License-Identifier: Apache-2.0
# Functions that make a folder a part of the project.

# Parsing the standard library and fmt takes most of the time of most units: they are precompiled, once for the
# libraries and programs and once, with GoogleTest, for the tests, which have their own flags.
function(wirelaw_precompile name header)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cc)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE wirelaw_options fmt::fmt tl::expected ${ARGN})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/${header})
endfunction()
function(wirelaw_use_precompiled target name)
  if(WIRELAW_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
# Tests are not optimised, because compiling takes most of their time. The code that they test is optimised.
function(wirelaw_test_options target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  set_target_properties(${target} PROPERTIES WIRELAW_NOT_FUZZED ON)
endfunction()
if(WIRELAW_PCH)
  wirelaw_precompile(wirelaw_precompiled cmake/precompiled.h)
  if(WIRELAW_TESTS)
    wirelaw_precompile(wirelaw_precompiled_test cmake/precompiled_test.h GTest::gmock)
    wirelaw_test_options(wirelaw_precompiled_test)
  endif()
endif()

# Code that waits more than it computes: its compile time matters more than its speed. HEADER is the header that all of
# it includes first, precompiled only for it. (With the compilers of Debian 12, the precompiled header for -O2 serves
# -O1 too, but not -O0.)
function(wirelaw_light target)
  cmake_parse_arguments(PART "" "HEADER" "" ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:${WIRELAW_LIGHT}>)
  if(WIRELAW_PCH AND WIRELAW_LIGHT STREQUAL "-O0")
    set_target_properties(${target} PROPERTIES WIRELAW_NOT_FUZZED ON)
  endif()
  if(WIRELAW_PCH AND PART_HEADER)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h ${PART_HEADER})
  elseif(WIRELAW_PCH AND WIRELAW_LIGHT STREQUAL "-O0")
    if(NOT TARGET wirelaw_precompiled_light)
      wirelaw_precompile(wirelaw_precompiled_light cmake/precompiled.h)
      target_compile_options(wirelaw_precompiled_light PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
      set_target_properties(wirelaw_precompiled_light PROPERTIES WIRELAW_NOT_FUZZED ON)
    endif()
    wirelaw_use_precompiled(${target} wirelaw_precompiled_light)
  else()
    wirelaw_use_precompiled(${target} wirelaw_precompiled)
  endif()
endfunction()

# The code that writes results, and the command: even slight optimisation of the templates for JSON and command lines
# takes two to four times as long as everything else. Their headers are precompiled once for all of it, or with the
# HEADER of a target.
function(wirelaw_unoptimised target)
  cmake_parse_arguments(PART "" "HEADER" "" ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  set_target_properties(${target} PROPERTIES WIRELAW_NOT_FUZZED ON)
  if(NOT WIRELAW_PCH)
    return()
  endif()
  if(PART_HEADER)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled_results.h ${PART_HEADER})
    return()
  endif()
  if(NOT TARGET wirelaw_precompiled_results)
    find_package(CLI11 2.1 REQUIRED)
    find_package(nlohmann_json 3.11 REQUIRED)
    wirelaw_precompile(wirelaw_precompiled_results cmake/precompiled_results.h CLI11::CLI11 nlohmann_json::nlohmann_json)
    target_compile_options(wirelaw_precompiled_results PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
    set_target_properties(wirelaw_precompiled_results PROPERTIES WIRELAW_NOT_FUZZED ON)
  endif()
  wirelaw_use_precompiled(${target} wirelaw_precompiled_results)
endfunction()

# wirelaw_join(TARGET [BATCH number] [APART sources…])
#   Units are compiled several at once (WIRELAW_JOIN): compiling each by itself, most of the time goes into what the
#   headers that they share instantiate. APART: units with local names that another unit uses for something else. Each
#   unit is still complete by itself, as the presets dev and asan show.
function(wirelaw_join target)
  cmake_parse_arguments(PART "" "BATCH" "APART" ${ARGN})
  if(NOT WIRELAW_JOIN OR NOT TARGET ${target})
    return()
  endif()
  if(NOT PART_BATCH)
    set(PART_BATCH 8)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${PART_BATCH})
  if(PART_APART)
    set_source_files_properties(${PART_APART} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# wirelaw_sources(OUT [FOLDERS …])
#   The units of this folder and those below it, or of the folders named, without tests and benchmarks.
function(wirelaw_sources out)
  set(patterns *.cc)
  if(ARGN)
    list(TRANSFORM ARGN APPEND /*.cc OUTPUT_VARIABLE patterns)
  endif()
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${patterns})
  list(FILTER found EXCLUDE REGEX "_(test|bench)\\.cc$")
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# wirelaw_library(NAME SOURCES … [PUBLIC targets…] [PRIVATE targets…] [INSTALL] [LIGHT | UNOPTIMISED] [HEADER header])
#   A static library wirelaw_NAME with the alias wirelaw::NAME. INSTALL puts it into the exported package. LIGHT: it waits
#   more than it computes (wirelaw_light). UNOPTIMISED: it writes results (wirelaw_unoptimised). HEADER: what most of it
#   begins with, precompiled for it alone.
function(wirelaw_library name)
  cmake_parse_arguments(PART "INSTALL;LIGHT;UNOPTIMISED" "HEADER" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(wirelaw_${name} STATIC ${PART_SOURCES})
  add_library(wirelaw::${name} ALIAS wirelaw_${name})
  set_target_properties(wirelaw_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(wirelaw_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(wirelaw_${name} PUBLIC cxx_std_20)
  target_link_libraries(wirelaw_${name}
    PUBLIC ${PART_PUBLIC} PRIVATE $<BUILD_INTERFACE:wirelaw_options> ${PART_PRIVATE})
  if(PART_HEADER)
    cmake_path(ABSOLUTE_PATH PART_HEADER)
    set(header HEADER ${PART_HEADER})
  endif()
  if(PART_LIGHT)
    wirelaw_light(wirelaw_${name} ${header})
  elseif(PART_UNOPTIMISED)
    wirelaw_unoptimised(wirelaw_${name} ${header})
  else()
    wirelaw_use_precompiled(wirelaw_${name} wirelaw_precompiled)
    wirelaw_optimise(wirelaw_${name})
  endif()
  if(PART_INSTALL)
    set_property(GLOBAL APPEND PROPERTY WIRELAW_INSTALLED wirelaw_${name})
  endif()
endfunction()

# wirelaw_part(NAME PART SOURCES … [HEADER header] [LIGHT])
#   More units of the library wirelaw_NAME, which may have a precompiled header of what they begin with. LIGHT: they wait
#   more than they compute.
function(wirelaw_part name part)
  cmake_parse_arguments(PART "LIGHT" "HEADER" "SOURCES" ${ARGN})
  set(target wirelaw_${name}_${part})
  add_library(${target} OBJECT ${PART_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  get_target_property(links wirelaw_${name} LINK_LIBRARIES)
  target_link_libraries(${target} PRIVATE wirelaw_options ${links})
  target_sources(wirelaw_${name} PRIVATE $<TARGET_OBJECTS:${target}>)
  if(PART_LIGHT)
    wirelaw_light(${target} HEADER ${PART_HEADER})
    return()
  endif()
  if(WIRELAW_PCH)
    target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h ${PART_HEADER})
  endif()
  wirelaw_optimise(${target})
endfunction()

# The paths at which tests find files, in a separate header, so that objects that need no path are the same in every
# folder.
file(CONFIGURE OUTPUT generated/test_paths.h CONTENT [[
#pragma once
#define WIRELAW_SOURCE_DIR "@PROJECT_SOURCE_DIR@"
#define WIRELAW_BINARY_DIR "@PROJECT_BINARY_DIR@"
]] @ONLY)
# Sanitizers check behaviour, not results, so tests that try all values try only some of them there.
set(WIRELAW_WALKED_PART 1)
if(WIRELAW_SANITIZERS)
  set(WIRELAW_WALKED_PART 16)
endif()
file(CONFIGURE OUTPUT generated/walked_part.h CONTENT [[
#pragma once
namespace wirelaw {
inline constexpr unsigned kWalkedPart = @WIRELAW_WALKED_PART@;  // one in so many
inline constexpr unsigned kWalkedStep = kWalkedPart | 1;  // of octets: odd, so that each of a word is met
}
]] @ONLY)

# wirelaw_tests(NAME SOURCES … LINK targets… [DEFINITIONS …] [LABELS …] [PROCESSES N])
#   One GoogleTest program NAME_test for a folder's *_test.cc files; each test is a CTest test, or with
#   WIRELAW_TEST_PROGRAMS the whole program is one, or N that share its tests: under sanitizers most of the time would go
#   into starting it.
function(wirelaw_tests name)
  if(NOT WIRELAW_TESTS)
    return()
  endif()
  cmake_parse_arguments(PART "" "PROCESSES" "SOURCES;LINK;DEFINITIONS;LABELS" ${ARGN})
  add_executable(${name}_test ${PART_SOURCES})
  target_link_libraries(${name}_test PRIVATE wirelaw_options ${PART_LINK} GTest::gmock GTest::gtest_main)
  wirelaw_test_options(${name}_test)
  wirelaw_use_precompiled(${name}_test wirelaw_precompiled_test)
  target_include_directories(${name}_test PRIVATE ${PROJECT_BINARY_DIR}/generated)  # <test_paths.h>
  target_compile_definitions(${name}_test PRIVATE ${PART_DEFINITIONS})
  if(WIRELAW_TEST_PROGRAMS)
    set(processes 1)
    if(PART_PROCESSES)
      set(processes ${PART_PROCESSES})
    endif()
    foreach(process RANGE 1 ${processes})
      set(test ${name})
      if(processes GREATER 1)
        set(test ${name}.${process}of${processes})
      endif()
      math(EXPR index "${process} - 1")
      add_test(NAME ${test} COMMAND ${name}_test --gtest_brief=1)
      set_tests_properties(${test} PROPERTIES TIMEOUT 1800 LABELS "${name};${PART_LABELS}")
      if(processes GREATER 1)
        set_tests_properties(${test} PROPERTIES ENVIRONMENT "GTEST_TOTAL_SHARDS=${processes};GTEST_SHARD_INDEX=${index}")
      endif()
      if(name MATCHES "^(.*_cases|campaign|check|jobs|pcap)$" OR processes GREATER 1)  # these take longest, so they start first
        set_tests_properties(${test} PROPERTIES COST 1000)
      endif()
    endforeach()
  else()
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 300 LABELS "${name};${PART_LABELS}")
  endif()
endfunction()

# wirelaw_bench(NAME SOURCES … LINK targets…)
#   One Google Benchmark program NAME_bench. Its units are compiled with everything else; it is linked, and optimised as a
#   whole, if the target benchmarks asks for it.
function(wirelaw_bench name)
  if(NOT WIRELAW_BENCHMARKS)
    return()
  endif()
  cmake_parse_arguments(PART "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name}_bench_units OBJECT ${PART_SOURCES})
  target_link_libraries(${name}_bench_units PRIVATE wirelaw_options ${PART_LINK} benchmark::benchmark)
  wirelaw_use_precompiled(${name}_bench_units wirelaw_precompiled)
  add_executable(${name}_bench EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}_bench_units>)
  target_link_libraries(${name}_bench PRIVATE wirelaw_options ${PART_LINK} benchmark::benchmark)
  wirelaw_optimise_whole(${name}_bench)
  if(NOT TARGET benchmarks)
    add_custom_target(benchmarks)
  endif()
  add_dependencies(benchmarks ${name}_bench)
endfunction()

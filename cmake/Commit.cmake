# SPDX-License-Identifier: Apache-2.0
# Writes the commit that is built, for `wirelaw --version`.
#   cmake -DSOURCE=… -DOUT=FILE.cc -P Commit.cmake   writes it; FILE.cc is touched only if it differs, so that an
#                                                    unchanged commit compiles and links nothing anew
# In an archive made by `git archive`, cmake/commit.txt contains it; in a checkout, git reports it; otherwise it is
# "unknown".
function(wirelaw_commit_of source out)
  file(STRINGS ${source}/cmake/commit.txt commit LIMIT_COUNT 1)
  if(commit MATCHES "^[0-9a-f]+$")
    string(SUBSTRING ${commit} 0 12 commit)
    set(${out} ${commit} PARENT_SCOPE)
    return()
  endif()
  set(${out} unknown PARENT_SCOPE)
  # A copy of the sources may be inside the repository of another project.
  execute_process(COMMAND git -C ${source} rev-parse --show-prefix --short=12 HEAD
    OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE failed)
  if(failed OR NOT answer MATCHES "^\n([0-9a-f]+)\n$")
    return()
  endif()
  set(commit ${CMAKE_MATCH_1})
  execute_process(COMMAND git --no-optional-locks -C ${source} status --porcelain --untracked-files=no
    OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit ", modified")
  endif()
  set(${out} ${commit} PARENT_SCOPE)
endfunction()

# The time of the commit, in seconds since 1970; 0 if it is unknown.
function(wirelaw_time_of_commit source out)
  file(STRINGS ${source}/cmake/commit.txt lines LIMIT_COUNT 2)
  list(GET lines 1 time)
  if(NOT time MATCHES "^[0-9]+$")
    execute_process(COMMAND git -C ${source} log -1 --format=%ct OUTPUT_VARIABLE time ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT time MATCHES "^[0-9]+$")
    set(time 0)
  endif()
  set(${out} ${time} PARENT_SCOPE)
endfunction()

# wirelaw_commit(PROGRAM)   Gives the program `std::string_view wirelaw::commit()`.
function(wirelaw_commit program)
  set(unit ${CMAKE_CURRENT_BINARY_DIR}/${program}_commit.cc)
  add_custom_target(${program}_commit BYPRODUCTS ${unit} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${unit} -P ${PROJECT_SOURCE_DIR}/cmake/Commit.cmake)
  target_sources(${program} PRIVATE ${unit})
  set_source_files_properties(${unit} PROPERTIES GENERATED ON SKIP_PRECOMPILE_HEADERS ON)
  add_dependencies(${program} ${program}_commit)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE AND DEFINED OUT)
  wirelaw_commit_of(${SOURCE} COMMIT)
  file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#include <string_view>
namespace wirelaw {
std::string_view commit();
std::string_view commit() {
  return "@COMMIT@";
}
}  // namespace wirelaw
]])
endif()

# SPDX-License-Identifier: Apache-2.0
# CPack runs this before it makes the packages: it gives the files the places and forms that Debian wants;
# `cmake --install` leaves them as they are.
include(${CMAKE_CURRENT_LIST_DIR}/Commit.cmake)
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})  # the time of all files in the packages, so that they are reproducible
  wirelaw_time_of_commit(${CPACK_WIRELAW_SOURCE} time)
  set(ENV{SOURCE_DATE_EPOCH} ${time})
endif()
set(program ${CPACK_TEMPORARY_DIRECTORY}/program/usr)
set(dev ${CPACK_TEMPORARY_DIRECTORY}/dev/usr)
if(EXISTS ${program}/share/zsh/site-functions)
  file(RENAME ${program}/share/zsh/site-functions ${program}/share/zsh/vendor-completions)
endif()
execute_process(COMMAND gzip -9n ${program}/share/man/man1/wirelaw.1 COMMAND_ERROR_IS_FATAL ANY)
# Other compilers cannot read the intermediate code that GCC put beside the ordinary one.
file(GLOB libraries ${dev}/lib/*.a)
foreach(library IN LISTS libraries)
  execute_process(COMMAND strip --strip-debug --enable-deterministic-archives --remove-section=.gnu.lto_*
    --remove-section=.gnu.debuglto_* -N __gnu_lto_slim -N __gnu_lto_v1 ${library} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

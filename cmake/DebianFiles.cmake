# SPDX-License-Identifier: Apache-2.0
# CPack runs this before it makes the packages. It gives the files the places and forms that Debian requires;
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
if(EXISTS ${program}/share/doc/wirelaw/NEWS)
  execute_process(COMMAND gzip -9n ${program}/share/doc/wirelaw/NEWS COMMAND_ERROR_IS_FATAL ANY)
endif()

# Each package has a changelog in Debian's form, and a file that names Debian's copy of the licence. The date is
# SOURCE_DATE_EPOCH, if that is set.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
string(TIMESTAMP year "%Y" UTC)
string(REGEX REPLACE " <.*" "" holder "${CPACK_PACKAGE_CONTACT}")
foreach(package IN ITEMS wirelaw wirelaw-dev)
  set(doc ${program}/share/doc/${package})
  if(package STREQUAL wirelaw-dev)
    set(doc ${dev}/share/doc/${package})
  endif()
  if(NOT EXISTS ${doc})
    continue()
  endif()
  file(WRITE ${doc}/changelog "${package} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}. /usr/share/doc/wirelaw/NEWS.gz lists its changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  execute_process(COMMAND gzip -9n ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: wirelaw

Files: *
Copyright: ${year} ${holder}
License: Apache-2.0
 Licensed under the Apache License, Version 2.0. On Debian systems, its text is
 in /usr/share/common-licenses/Apache-2.0.
")
endforeach()
# Other compilers cannot read the intermediate code that GCC put beside the ordinary one.
file(GLOB libraries ${dev}/lib/*.a)
foreach(library IN LISTS libraries)
  execute_process(COMMAND strip --strip-debug --enable-deterministic-archives --remove-section=.gnu.lto_*
    --remove-section=.gnu.debuglto_* -N __gnu_lto_slim -N __gnu_lto_v1 ${library} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

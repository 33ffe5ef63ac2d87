# SPDX-License-Identifier: Apache-2.0
# Reads the rows of conformance/protocols.inc: WIRELAW_PROTOCOLS has their names, and WIRELAW_CODECS the libraries of
# their codecs and endpoints.
set(rows ${PROJECT_SOURCE_DIR}/conformance/protocols.inc)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${rows})
file(STRINGS ${rows} WIRELAW_PROTOCOLS REGEX "^WIRELAW_PROTOCOL")
list(TRANSFORM WIRELAW_PROTOCOLS REPLACE "^WIRELAW_[A-Z]+\\((.*)\\)$" "\\1")
list(TRANSFORM WIRELAW_PROTOCOLS PREPEND wirelaw:: OUTPUT_VARIABLE WIRELAW_CODECS)

# wirelaw_list_protocols(TARGET ROWS [FOLDERS…])
#   The program knows the protocols of the file ROWS instead. FOLDERS are those whose lists it links: conformance,
#   harness/peers, corpora/traces. A linker takes a unit of a library only for what is still missing, so that the
#   library's own lists, and what only they need, are left out.
function(wirelaw_list_protocols target rows)
  foreach(folder IN LISTS ARGN)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${folder}/protocols.cc)
  endforeach()
  target_compile_definitions(${target} PRIVATE WIRELAW_PROTOCOLS="${rows}")
endfunction()

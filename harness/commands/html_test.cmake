# SPDX-License-Identifier: Apache-2.0
# The pages in a browser: their script runs under their own policy, and filters. Run as
#   cmake -D WIRELAW=… -D BROWSER=… -D WORK=… -P html_test.cmake
if(NOT BROWSER)
  message("SKIPPED: there is no chromium here (Debian: chromium)")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${WIRELAW} test ramcloud memory: --seed 1 --deviate no-ack --html ${WORK}/report.html
                        --format json -o ${WORK}/after.json -q RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 1 OR NOT EXISTS ${WORK}/report.html)
  message(FATAL_ERROR "no report of a run that fails: ${status} ${said}")
endif()
execute_process(COMMAND ${WIRELAW} test ramcloud memory: --seed 1 --format json -o ${WORK}/before.json -q)
execute_process(COMMAND ${WIRELAW} diff ${WORK}/before.json ${WORK}/after.json --format html -o ${WORK}/diff.html)

# The content of the page after its script has run.
function(dom_of url out)
  execute_process(COMMAND ${BROWSER} --headless --no-sandbox --disable-gpu --user-data-dir=${WORK}/profile --dump-dom
                          file://${WORK}/${url}
                  OUTPUT_VARIABLE dom ERROR_QUIET TIMEOUT 120 RESULT_VARIABLE failed)
  if(failed OR NOT dom MATCHES "</html>")
    message("SKIPPED: the browser does not run here")
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  set(${out} "${dom}" PARENT_SCOPE)
endfunction()

foreach(page IN ITEMS report diff)
  dom_of(${page}.html dom)
  if(dom STREQUAL "")
    return()
  endif()
  if(NOT dom MATCHES ">([0-9]+) of ([0-9]+) shown<")
    message(SEND_ERROR "${page}: its script does not run")
  endif()
  if(NOT CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
    message(SEND_ERROR "${page}: without a filter ${CMAKE_MATCH_1} of ${CMAKE_MATCH_2} are shown")
  endif()
  set(all ${CMAKE_MATCH_2})
endforeach()

dom_of("report.html#?v=fail&q=ack" dom)
string(REGEX MATCH ">([0-9]+) of ([0-9]+) shown<" shown "${dom}")
if(NOT CMAKE_MATCH_1 GREATER 0 OR NOT CMAKE_MATCH_1 LESS CMAKE_MATCH_2)
  message(SEND_ERROR "the filter shows ${CMAKE_MATCH_1} of ${CMAKE_MATCH_2}")
endif()

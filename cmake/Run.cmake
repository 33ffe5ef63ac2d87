# SPDX-License-Identifier: Apache-2.0
# run(COMMAND…): for test scripts. Ends the script if the command fails. Its output is in ${printed}.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(status)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${out}")
  endif()
  set(printed "${out}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# What the program writes as JSON is what the schema says. Run as
#   cmake -D WIRELAW=… -D SCHEMA=… -D GOLDEN=… -D CAPTURES=… -D WORK=… -P schema_test.cmake
set(python /usr/bin/python3)
execute_process(COMMAND ${python} -c "import jsonschema" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
if(missing)
  message("SKIPPED: ${python} has no module jsonschema (Debian: python3-jsonschema)")
  return()
endif()

file(GLOB captures ${CAPTURES}/*.pcap)

function(expect_valid name)
  execute_process(COMMAND ${WIRELAW} ${ARGN} --format json -o ${WORK}/${name}.json
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  if(NOT EXISTS ${WORK}/${name}.json)
    message(SEND_ERROR "${name}: nothing was written: ${said}")
    return()
  endif()
  execute_process(COMMAND ${python} -W ignore -m jsonschema -i ${WORK}/${name}.json ${SCHEMA}
                  RESULT_VARIABLE invalid ERROR_VARIABLE complaint)
  if(invalid)
    message(SEND_ERROR "${name}: ${complaint}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/notes.txt "no capture")
expect_valid(check check ${captures})
expect_valid(check-problem check ${WORK}/notes.txt)
expect_valid(check-baseline check ${captures} --baseline ${WORK}/check.json)
expect_valid(check-provenance check ${captures} --provenance)
expect_valid(check-shard check ${captures} --shard 2/3)
expect_valid(test-shard test ramcloud memory: --deviate reserved1-sent --shard 2/3)
expect_valid(rules rules)
expect_valid(list test smbd --list)
expect_valid(explain explain RAMCLOUD-ack-5 EFA/A-10 ack/server-names-the-first-missing-fragment MPA-4.3-1)
expect_valid(test test ramcloud memory: --seed 1)
expect_valid(test-faulty test ramcloud memory: --deviate reserved1-sent)
expect_valid(diff diff ${WORK}/test.json ${WORK}/test-faulty.json)
expect_valid(diff-of-others diff ${WORK}/check.json ${WORK}/test.json --strict)
expect_valid(test-lost test ramcloud udp://127.0.0.1:9 --case "session/open*" --answer-time 0.05 --deadline 1)
# A recording, and what it holds of its run.
execute_process(COMMAND ${WIRELAW} test ramcloud memory: --deviate no-ack --record ${WORK}/run.pcapng -q OUTPUT_QUIET ERROR_QUIET)
expect_valid(check-recording check ${WORK}/run.pcapng)
file(READ ${WORK}/check-recording.json text)
if(NOT text MATCHES "\"schema\":\"wirelaw-run/1\"")
  message(SEND_ERROR "the recording does not carry its run")
endif()

# With waivers: one in force, one not needed, one expired.
function(waiver rule until)
  file(APPEND ${WORK}/waivers.toml "[[waiver]]\nrule = \"${rule}\"\nreason = \"old\"
owner = \"lab\"\nuntil = ${until}\n")
endfunction()
file(WRITE ${WORK}/waivers.toml "schema = \"wirelaw-waivers/2\"\n")
waiver(RAMCLOUD-reserved1-1 2999-12-31)
waiver(RAMCLOUD-ack-1 2999-12-31)
waiver(RAMCLOUD-ack-2 2001-12-31)
expect_valid(test-waived test ramcloud memory: --deviate reserved1-sent --waivers ${WORK}/waivers.toml)

# Declarations and waivers, which are TOML, and statements.
function(expect_valid_file file schema)
  set(json ${file})
  if(file MATCHES "\\.toml$")
    set(json ${file}.json)
    execute_process(COMMAND ${python} -c "import json, sys, tomllib; json.dump(tomllib.load(open(sys.argv[1], 'rb')), open(sys.argv[2], 'w'), default=str)"
                            ${file} ${json} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  get_filename_component(folder ${SCHEMA} DIRECTORY)
  execute_process(COMMAND ${python} -W ignore -m jsonschema -i ${json} ${folder}/${schema} RESULT_VARIABLE invalid
                  ERROR_VARIABLE complaint)
  if(invalid)
    message(SEND_ERROR "${file}: ${complaint}")
  endif()
endfunction()
expect_valid_file(${WORK}/waivers.toml wirelaw-waivers-2.schema.json)
foreach(protocol IN ITEMS ramcloud rdmap efa smbd umsp)
  execute_process(COMMAND ${WIRELAW} ics probe ${protocol} memory: -o ${WORK}/${protocol}.toml COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${WORK}/${protocol}.toml text)
  string(REPLACE "\nproduct = \"\"\nversion = \"\"" "\nproduct = \"P\"\nversion = \"1\"" text "${text}")
  file(WRITE ${WORK}/${protocol}.toml "${text}")
  expect_valid_file(${WORK}/${protocol}.toml wirelaw-ics-1.schema.json)
endforeach()
execute_process(COMMAND ${WIRELAW} certify ${WORK}/ramcloud.toml memory: --deviate reserved1-sent
                        --waivers ${WORK}/waivers.toml --evidence ${WORK}/evidence OUTPUT_QUIET ERROR_QUIET)
expect_valid_file(${WORK}/evidence/statement.json wirelaw-statement-2.schema.json)
file(READ ${WORK}/evidence/statement.json text)
string(REPLACE "\"demand\"" "\"demnd\"" text "${text}")
file(WRITE ${WORK}/wrong-statement.json "${text}")
execute_process(COMMAND ${python} -W ignore -m jsonschema -i ${WORK}/wrong-statement.json
                        ${CMAKE_CURRENT_LIST_DIR}/../../reports/wirelaw-statement-2.schema.json
                RESULT_VARIABLE invalid OUTPUT_QUIET ERROR_QUIET)
if(NOT invalid)
  message(SEND_ERROR "the schema of statements takes one with a wrong key")
endif()

# A sample of everything, and the proof that the schema can refuse.
execute_process(COMMAND ${python} -W ignore -m jsonschema -i ${GOLDEN} ${SCHEMA} RESULT_VARIABLE invalid
                ERROR_VARIABLE complaint)
if(invalid)
  message(SEND_ERROR "golden sample: ${complaint}")
endif()
file(READ ${WORK}/check.json text)
string(REPLACE "\"flows_dropped\"" "\"flows_droppd\"" text "${text}")
file(WRITE ${WORK}/wrong.json "${text}")
execute_process(COMMAND ${python} -W ignore -m jsonschema -i ${WORK}/wrong.json ${SCHEMA} RESULT_VARIABLE invalid
                OUTPUT_QUIET ERROR_QUIET)
if(NOT invalid)
  message(SEND_ERROR "the schema takes a document with a wrong key")
endif()

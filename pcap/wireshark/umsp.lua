-- SPDX-License-Identifier: Apache-2.0
-- Wireshark dissector of UMSP, the Unified Memory Space Protocol (RFC 3018), on TCP and UDP port 2110.
--
--   tshark -X lua_script:umsp.lua -r trace.pcap             or: copy it into the personal Lua plugins folder
--                                                           (Help > About Wireshark > Folders)
--
-- In TCP each instruction is one item, put together from as many segments as it takes; in UDP a datagram is one item with
-- all of its instructions. What PCK inherits is shown where the instruction it refers to is in the same datagram.
-- Integers are big-endian. Wireshark 3.6 and later; Lua 5.2 to 5.4.

-- Tables: written by write_dissector, not to be edited.
local NAME = "umsp"
local PORT = 2110
local MEMORY_OCTETS = {[0] = 2, 3, 4, 8}
local HEADER = {  -- name, bits, what it is
  {"opcode", 8, "operation code"},
  {"ask", 1, "a response is needed; REQ_ID is there"},
  {"pck", 2, "what the header inherits from the instruction before"},
  {"chn", 1, "of a chain"},
  {"ext", 1, "extension headers follow"},
  {"opr_length", 3, "words of operands; 7: in opr_length_ext"},
  {"opr_length_ext", 16, "words of operands"},
  {"chain_number", 16, "of the chain"},
  {"instr_number", 16, "in the chain"},
  {"session_id", 32, "given by the receiver"},
  {"req_id", 32, "of the request"},
}
local EXTENSION_HEADER = {  -- name, bits, what it is
  {"hxt", 1, "the extended form"},
  {"head_length", 31, "words of two octets of data"},
  {"hsl", 1, "the last extension header"},
  {"hob", 1, "obligatory"},
  {"hrz", 1, "reserved"},
  {"head_code", 13, "what it is"},
  {"reserved", 16, "of the extended form"},
  {"data", 0, "what no row of the table describes"},
}
local OPERANDS = {  -- name, kind, what it is, bits: first, width, name, what it means
  {"basic_return_code", "code", "0 of a positive response", {}},
  {"additional_return_code", "code", "which error it is", {}},
  {"basic_error_code", "code", "never 0", {}},
  {"additional_error_code", "code", "which error it is", {}},
  {"basic_termination_code", "code", "0 of a normal end", {}},
  {"additional_termination_code", "code", "details of the end", {}},
  {"basic_completion_code", "code", "0 of a normal end", {}},
  {"additional_completion_code", "code", "details of the end", {}},
  {"control_profile", "flags", "what the job asks of the JCP", {
    {0, 16, "job_life_time", "lifetime of the job in seconds, 0 without an end"},
    {16, 1, "cmt", "several JCP: reserved"},
    {17, 3, "reserved_3", "zero when sent"},
    {20, 4, "version", "of UMSP: 1"},
    {24, 8, "reserved_8", "zero when sent"}}},
  {"ltid", "address", "locally task identifier", {}},
  {"ctid", "address", "control task identifier", {}},
  {"gjid", "identifier", "globally job identifier", {}},
  {"gtid", "identifier", "globally task identifier", {}},
  {"required_vm_type", "number", "type of the addressee's VM; 0 of a group", {}},
  {"required_vm_version", "number", "version of the addressee's VM", {}},
  {"required_profile", "flags", "connection profile asked of the addressee", {
    {0, 1, "s0", "fragmented instructions"},
    {1, 1, "s1", "sequences"},
    {2, 1, "s2", "transactions"},
    {3, 1, "s3", "exchange without a session"},
    {4, 1, "s4", "exchange in a session"},
    {5, 1, "s5", "reserved"},
    {6, 1, "s6", "addresses of 16 octets in exchange instructions"},
    {7, 1, "s7", "short headers of instructions"},
    {8, 1, "s8", "extended headers of instructions"},
    {9, 1, "s9", "extension headers of up to 254 octets of data"},
    {10, 1, "s10", "extension headers of more data"},
    {11, 5, "s11_s15", "most words of data in operands, less one; all ones without a limit"},
    {16, 4, "s16_s19", "version of UMSP, or priority of the job"},
    {20, 1, "s20", "parts begin at multiples of four octets"},
    {21, 1, "s21", "procedures have names"},
    {22, 1, "s22", "objects have names"},
    {23, 1, "s23", "RSP is sent"},
    {24, 1, "s24", "reading and comparing"},
    {25, 1, "s25", "writing"},
    {26, 1, "s26", "transfer of control"},
    {27, 1, "s27", "synchronizing"},
    {28, 1, "s28", "objects"},
    {29, 1, "s29", "memory of objects"},
    {30, 1, "s30", "MVRUN without a session"},
    {31, 1, "s31", "reserved"}}},
  {"sender_vm_type", "number", "type of the sender's VM; 0 of a group", {}},
  {"sender_vm_version", "number", "version of the sender's VM", {}},
  {"sender_profile", "flags", "connection profile that the sender offers", {
    {0, 1, "s0", "fragmented instructions"},
    {1, 1, "s1", "sequences"},
    {2, 1, "s2", "transactions"},
    {3, 1, "s3", "exchange without a session"},
    {4, 1, "s4", "exchange in a session"},
    {5, 1, "s5", "reserved"},
    {6, 1, "s6", "addresses of 16 octets in exchange instructions"},
    {7, 1, "s7", "short headers of instructions"},
    {8, 1, "s8", "extended headers of instructions"},
    {9, 1, "s9", "extension headers of up to 254 octets of data"},
    {10, 1, "s10", "extension headers of more data"},
    {11, 5, "s11_s15", "most words of data in operands, less one; all ones without a limit"},
    {16, 4, "s16_s19", "version of UMSP, or priority of the job"},
    {20, 1, "s20", "parts begin at multiples of four octets"},
    {21, 1, "s21", "procedures have names"},
    {22, 1, "s22", "objects have names"},
    {23, 1, "s23", "RSP is sent"},
    {24, 1, "s24", "reading and comparing"},
    {25, 1, "s25", "writing"},
    {26, 1, "s26", "transfer of control"},
    {27, 1, "s27", "synchronizing"},
    {28, 1, "s28", "objects"},
    {29, 1, "s29", "memory of objects"},
    {30, 1, "s30", "MVRUN without a session"},
    {31, 1, "s31", "reserved"}}},
  {"window", "number", "blocks of 256 octets in the sender's buffer for the session", {}},
  {"state", "code", "of the task", {}},
  {"reserved", "reserved", "zero when sent", {}},
  {"buffer_size", "number", "octets of all instructions of the chain", {}},
  {"transport", "code", "how the VM can be reached", {}},
  {"vm_type", "number", "type of a VM; 0 of a group", {}},
  {"vm_version", "number", "version of a VM", {}},
  {"length", "number", "octets asked for", {}},
  {"memory_address", "address", "in the addressee's memory", {}},
  {"data", "octets", "immediate data", {}},
  {"zero", "reserved", "always 0", {}},
  {"data_length", "number", "octets of data without their padding", {}},
  {"parameters_length", "number", "words of parameters", {}},
  {"parameters", "octets", "of a call", {}},
  {"memory_size", "number", "octets to allocate", {}},
  {"code", "octets", "executable code", {}},
  {"initial_data", "octets", "what the memory is compared with", {}},
  {"mask", "octets", "ones where a change matters", {}},
  {"object_number", "code", "of the object", {}},
  {"object_version", "number", "0 where it does not matter", {}},
  {"object_realization", "number", "0 where it does not matter", {}},
  {"offset", "address", "in the object's data", {}},
  {"procedure_number", "number", "of the object's procedure", {}},
  {"inaction_period", "number", "in half seconds", {}},
  {"transaction_flags", "flags", "how the transaction is executed", {
    {0, 1, "tre", "executed also when time or session end"},
    {1, 1, "trr", "executed without EXEC_TR"},
    {2, 1, "trt", "special processing: 0"},
    {3, 5, "reserve", "zero when sent"}}},
  {"time_tr", "number", "life of the transaction in units of two seconds, 0 without an end", {}},
  {"parent_chain_number", "number", "chain that the fragmented instruction belongs to", {}},
  {"parent_instr_number", "number", "its number in that chain", {}},
  {"memory_base", "address", "base of the chain's short addresses", {}},
  {"alignment", "reserved", "zeros", {}},
  {"text", "text", "of a message", {}},
  {"name", "text", "of a job, an object, a procedure or a VM", {}},
  {"life_time", "number", "in units of 1.024 milliseconds", {}},
}
local LAYOUTS = {  -- by code
  [1] = {name = "RSP_P", section = "4.1", forms = {{}, {{"basic_return_code", "fixed", 2}, {"additional_return_code", "fixed", 2}}}},
  [2] = {name = "SND_CANCEL", section = "4.2", forms = {{{"basic_return_code", "fixed", 2}, {"additional_return_code", "fixed", 2}}}},
  [3] = {name = "CONTROL_REQ", section = "5.1.1", forms = {{{"control_profile", "fixed", 4}, {"ltid", "local", {4, 8}}}}},
  [4] = {name = "CONTROL_CONFIRM", section = "5.1.2", forms = {{{"gjid", "identifier"}}}},
  [5] = {name = "CONTROL_REJECT", section = "5.1.3", forms = {{{"basic_error_code", "fixed", 2}, {"additional_error_code", "fixed", 2}}, {{"basic_error_code", "fixed", 2}, {"additional_error_code", "fixed", 2}, {"control_profile", "fixed", 4}}}},
  [6] = {name = "TASK_REG", section = "5.2.1", forms = {{{"ctid", "fixed", 2}, {"gtid", "identifier"}, {"ltid", "local", {8, 4, 2}}}}},
  [7] = {name = "TASK_REG", section = "5.2.1", forms = {{{"ctid", "fixed", 4}, {"gtid", "identifier"}, {"ltid", "local", {8, 4, 2}}}}},
  [8] = {name = "TASK_REG", section = "5.2.1", forms = {{{"ctid", "fixed", 8}, {"gtid", "identifier"}, {"ltid", "local", {8, 4, 2}}}}},
  [9] = {name = "TASK_CONFIRM", section = "5.2.2", forms = {{{"ctid", "local", {4, 8}}}}},
  [10] = {name = "TASK_REJECT", section = "5.2.3", forms = {{{"basic_error_code", "fixed", 2}, {"additional_error_code", "fixed", 2}}}},
  [11] = {name = "TASK_CHK", section = "5.2.4", forms = {{{"ctid", "local", {4, 8, 2}}, {"gtid", "identifier"}, {"ltid", "local", {8, 4, 2}}}}},
  [12] = {name = "SESSION_OPEN", section = "5.3.1", forms = {{{"required_vm_type", "fixed", 2}, {"required_vm_version", "fixed", 2}, {"required_profile", "fixed", 4}, {"sender_vm_type", "fixed", 2}, {"sender_vm_version", "fixed", 2}, {"sender_profile", "fixed", 4}, {"window", "fixed", 2}, {"gjid", "identifier"}, {"ltid", "local", {4, 8}}}}},
  [13] = {name = "SESSION_ACCEPT", section = "5.3.2", forms = {{}}},
  [14] = {name = "SESSION_REJECT", section = "5.3.3", forms = {{{"basic_error_code", "fixed", 2}, {"additional_error_code", "fixed", 2}}}},
  [15] = {name = "SESSION_CLOSE", section = "5.4.1", forms = {{}, {{"basic_termination_code", "fixed", 2}, {"additional_termination_code", "fixed", 2}}}},
  [16] = {name = "SESSION_ABEND", section = "5.4.2", forms = {{}, {{"basic_termination_code", "fixed", 2}, {"additional_termination_code", "fixed", 2}}}},
  [17] = {name = "TASK_TERMINATE", section = "5.5.1", forms = {{{"basic_termination_code", "fixed", 2}, {"additional_termination_code", "fixed", 2}, {"ctid", "local", {4, 8}}}}},
  [18] = {name = "TASK_TERMINATE_INFO", section = "5.5.2", forms = {{{"basic_termination_code", "fixed", 2}, {"additional_termination_code", "fixed", 2}, {"gtid", "identifier"}}}},
  [19] = {name = "JOB_COMPLETED", section = "5.6.1", forms = {{{"basic_completion_code", "fixed", 2}, {"additional_completion_code", "fixed", 2}, {"ctid", "local", {4, 8}}}}},
  [20] = {name = "JOB_COMPLETED_INFO", section = "5.6.2", forms = {{{"gjid", "identifier"}}, {{"basic_completion_code", "fixed", 2}, {"additional_completion_code", "fixed", 2}, {"gjid", "identifier"}}}},
  [21] = {name = "STATE_REQ", section = "5.7.2", forms = {{{"ltid", "local", {4, 8}}}}},
  [22] = {name = "TASK_STATE", section = "5.7.3", forms = {{{"state", "fixed", 1}, {"reserved", "fixed", 1}, {"ctid", "fixed", 2}}, {{"state", "fixed", 1}, {"reserved", "fixed", 3}, {"ctid", "local", {4, 8}}}}},
  [23] = {name = "NODE_RELOAD", section = "5.7.4", forms = {{{"ltid", "local", {4, 8}}}}},
  [24] = {name = "REQ_BUF", section = "7.4", forms = {{{"buffer_size", "fixed", 4}}}},
  [25] = {name = "VM_REQ", section = "9.1", forms = {{{"vm_type", "rest", {{"vm_type", "fixed", 2}, {"vm_version", "fixed", 2}}}}}},
  [26] = {name = "VM_NOTIF", section = "9.2", forms = {{{"transport", "fixed", 2}, {"reserved", "fixed", 2}, {"vm_type", "rest", {{"vm_type", "fixed", 2}, {"vm_version", "fixed", 2}}}}}},
  [129] = {name = "RSP", section = "4.1", forms = {{}, {{"basic_return_code", "fixed", 2}, {"additional_return_code", "fixed", 2}}}},
  [130] = {name = "REQ_DATA", section = "6.1.1", forms = {{{"length", "fixed", 2}, {"memory_address", "local", {2, 4, 8, 16}}}}},
  [131] = {name = "REQ_DATA", section = "6.1.1", forms = {{{"length", "fixed", 4}, {"memory_address", "local", {4, 8, 16}}}}},
  [132] = {name = "DATA", section = "6.1.2", forms = {{{"data", "rest"}}}},
  [133] = {name = "WRITE", section = "6.1.3", forms = {{{"memory_address", "fixed", 2}, {"data", "fixed", 2}}}},
  [134] = {name = "WRITE", section = "6.1.3", forms = {{{"memory_address", "fixed", 4}, {"data", "rest"}}}},
  [135] = {name = "WRITE", section = "6.1.3", forms = {{{"memory_address", "fixed", 8}, {"data", "rest"}}}},
  [136] = {name = "WRITE", section = "6.1.3", forms = {{{"memory_address", "fixed", 16}, {"data", "rest"}}}},
  [137] = {name = "WRITE_EXT", section = "6.1.4", forms = {{{"zero", "fixed", 1}, {"data_length", "fixed", 3}, {"data", "counted"}, {"memory_address", "local", {4, 8, 16}}}}},
  [138] = {name = "CMP", section = "6.2.1", forms = {{{"memory_address", "fixed", 2}, {"data", "fixed", 2}}}},
  [139] = {name = "CMP", section = "6.2.1", forms = {{{"memory_address", "fixed", 4}, {"data", "rest"}}}},
  [140] = {name = "CMP", section = "6.2.1", forms = {{{"memory_address", "fixed", 8}, {"data", "rest"}}}},
  [141] = {name = "CMP", section = "6.2.1", forms = {{{"memory_address", "fixed", 16}, {"data", "rest"}}}},
  [142] = {name = "CMP_EXT", section = "6.2.2", forms = {{{"zero", "fixed", 1}, {"data_length", "fixed", 3}, {"data", "counted"}, {"memory_address", "local", {4, 8, 16}}}}},
  [143] = {name = "JUMP", section = "6.3.1", forms = {{{"memory_address", "local", {4, 8, 16}}, {"parameters_length", "fixed", 2}, {"parameters", "words"}}}},
  [144] = {name = "JUMP", section = "6.3.1", forms = {{{"sender_vm_type", "fixed", 2}, {"sender_vm_version", "fixed", 2}, {"memory_address", "local", {4, 8, 16}}, {"parameters_length", "fixed", 2}, {"parameters", "words"}}}},
  [145] = {name = "CALL", section = "6.3.1", forms = {{{"memory_address", "local", {4, 8, 16}}, {"parameters_length", "fixed", 2}, {"parameters", "words"}}}},
  [146] = {name = "CALL", section = "6.3.1", forms = {{{"sender_vm_type", "fixed", 2}, {"sender_vm_version", "fixed", 2}, {"memory_address", "local", {4, 8, 16}}, {"parameters_length", "fixed", 2}, {"parameters", "words"}}}},
  [147] = {name = "RETURN", section = "6.3.2", forms = {{{"data", "rest"}}}},
  [148] = {name = "MEM_ALLOC", section = "6.4.1", forms = {{{"memory_size", "fixed", 4}}}},
  [149] = {name = "MVCODE", section = "6.4.2", forms = {{{"vm_type", "fixed", 2}, {"vm_version", "fixed", 2}, {"code", "rest"}}}},
  [150] = {name = "ADDRESS", section = "6.4.3", forms = {{{"memory_address", "local", {4, 8, 16}}}}},
  [151] = {name = "FREE", section = "6.4.4", forms = {{{"memory_address", "local", {4, 8, 16}}}}},
  [152] = {name = "MVRUN", section = "6.4.5", forms = {{{"vm_type", "fixed", 2}, {"vm_version", "fixed", 2}, {"code", "rest"}}}},
  [153] = {name = "SYN", section = "6.5.1", forms = {{{"memory_address", "fixed", 4}, {"initial_data", "half"}, {"mask", "rest"}}}},
  [154] = {name = "SYN", section = "6.5.1", forms = {{{"memory_address", "fixed", 8}, {"initial_data", "half"}, {"mask", "rest"}}}},
  [155] = {name = "SYN", section = "6.5.1", forms = {{{"memory_address", "fixed", 16}, {"initial_data", "half"}, {"mask", "rest"}}}},
  [156] = {name = "NOP", section = "6.5.2", forms = {{{"data", "rest"}}}},
  [158] = {name = "EXEC_TR", section = "7.2.2", forms = {{}}},
  [159] = {name = "CANCEL_TR", section = "7.2.3", forms = {{}}},
  [192] = {name = "OBJ_REQ_DATA", section = "6.6.1.1", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"length", "fixed", 2}, {"offset", "fixed", 2}}}},
  [193] = {name = "OBJ_REQ_DATA", section = "6.6.1.1", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"length", "fixed", 4}, {"offset", "local", {4, 8}}}}},
  [194] = {name = "OBJ_WRITE", section = "6.6.1.2", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"offset", "fixed", 2}, {"data", "fixed", 2}}}},
  [195] = {name = "OBJ_WRITE", section = "6.6.1.2", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"offset", "fixed", 4}, {"data", "rest"}}}},
  [196] = {name = "OBJ_WRITE", section = "6.6.1.2", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"offset", "fixed", 8}, {"data", "rest"}}}},
  [197] = {name = "OBJ_WRITE_EXT", section = "6.6.1.3", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"zero", "fixed", 1}, {"data_length", "fixed", 3}, {"data", "counted"}, {"offset", "local", {4, 8}}}}},
  [198] = {name = "OBJ_DATA_CMP", section = "6.6.2.1", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"offset", "fixed", 2}, {"data", "fixed", 2}}}},
  [199] = {name = "OBJ_DATA_CMP", section = "6.6.2.1", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"offset", "fixed", 4}, {"data", "rest"}}}},
  [200] = {name = "OBJ_DATA_CMP", section = "6.6.2.1", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"offset", "fixed", 8}, {"data", "rest"}}}},
  [201] = {name = "OBJ_DATA_CMP_EXT", section = "6.6.2.2", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"zero", "fixed", 1}, {"data_length", "fixed", 3}, {"data", "counted"}, {"offset", "local", {4, 8}}}}},
  [202] = {name = "CALL_BNUM", section = "6.6.3.1", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"procedure_number", "fixed", 4}, {"parameters", "rest"}}}},
  [203] = {name = "CALL_BNUM", section = "6.6.3.1", forms = {{{"sender_vm_type", "fixed", 2}, {"sender_vm_version", "fixed", 2}, {"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"procedure_number", "fixed", 4}, {"parameters", "rest"}}}},
  [204] = {name = "CALL_BNAME", section = "6.6.3.2", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"parameters", "rest"}}}},
  [205] = {name = "CALL_BNAME", section = "6.6.3.2", forms = {{{"sender_vm_type", "fixed", 2}, {"sender_vm_version", "fixed", 2}, {"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"parameters", "rest"}}}},
  [206] = {name = "GET_NUM_PROC", section = "6.6.3.3", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}}}},
  [207] = {name = "PROC_NUM", section = "6.6.3.4", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"procedure_number", "fixed", 4}}}},
  [208] = {name = "NEW", section = "6.6.4.1", forms = {{{"vm_type", "fixed", 2}, {"vm_version", "fixed", 2}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"data", "rest"}}}},
  [209] = {name = "SYS_NEW", section = "6.6.4.1", forms = {{{"vm_type", "fixed", 2}, {"vm_version", "fixed", 2}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}, {"data", "rest"}}}},
  [210] = {name = "OBJECT", section = "6.6.4.2", forms = {{{"object_number", "fixed", 4}, {"object_version", "fixed", 2}, {"object_realization", "fixed", 2}}}},
  [211] = {name = "DELETE", section = "6.6.4.3", forms = {{{"object_number", "fixed", 4}}}},
  [212] = {name = "OBJ_SEEK", section = "6.6.5.1", forms = {{}}},
  [213] = {name = "OBJ_GET_NAME", section = "6.6.5.2", forms = {{{"object_number", "fixed", 4}}}},
}
local EXTENSIONS = {  -- by code
  [2] = {name = "_INACTION_TIME", section = "5.7.1", forms = {{{"inaction_period", "fixed", 2}}}},
  [3] = {name = "_BEGIN_SQ", section = "7.1", forms = {{}}},
  [4] = {name = "_BEGIN_TR", section = "7.2.1", forms = {{{"transaction_flags", "fixed", 1}, {"time_tr", "fixed", 1}}}},
  [5] = {name = "_BEGIN_FRG", section = "7.3", forms = {{}, {{"parent_chain_number", "fixed", 2}, {"parent_instr_number", "fixed", 2}}}},
  [6] = {name = "_END_CHAIN", section = "7", forms = {{}}},
  [7] = {name = "_SET_MBASE", section = "7.6", forms = {{{"memory_base", "local", {4, 8, 16}}}}},
  [8] = {name = "_ALIGNMENT", section = "8.1", forms = {{{"alignment", "rest"}}}},
  [9] = {name = "_MSG", section = "8.2", forms = {{{"text", "rest"}}}},
  [10] = {name = "_NAME", section = "8.3", forms = {{{"name", "rest"}}}},
  [11] = {name = "_DATA", section = "8.4", forms = {{{"data", "rest"}}}},
  [12] = {name = "_LIFE_TIME", section = "8.5", forms = {{{"life_time", "fixed", 2}}, {{"life_time", "fixed", 4}}}},
}
local FLAWS = {
  too_short = "the operands end too early",
  too_long = "octets that are not padding follow the last operand",
  identifier = "ADDR_LENGTH and ADDR_CODE of the identifier cannot be",
  address = "ADDR_LENGTH and ADDR_CODE of the address cannot be",
  count = "the count does not agree with the octets that are there",
  padding = "the padding is not zero",
}
-- End of the tables.

-- An instruction that is longer is taken for something else than UMSP in a TCP stream.
local MOST_OCTETS = 16 * 1024 * 1024
local SUMMARISED = 8  -- instructions of a datagram, and extension headers, that the Info column names

local proto = Proto(NAME, "Unified Memory Space Protocol")

-- --------------------------------------------------------------------------------------------------------- the fields

local fields, registered = {}, {}
local function register(name, field)
  fields[name] = field
  registered[#registered + 1] = field
end
local function name_of(field) return NAME .. "." .. field end
local function extension_name(field) return NAME .. ".ext_header." .. field end

local function names_in(layouts)
  local names = {}
  for code, layout in pairs(layouts) do names[code] = layout.name end
  return names
end
local PCK_WORDS = {[0] = "no session", "same session", "same chain", "session given"}
local words = {opcode = names_in(LAYOUTS), head_code = names_in(EXTENSIONS), pck = PCK_WORDS}
local in_hex = {session_id = true, req_id = true}

-- Bits are shown by value: the octet that they are in is the field's place.
local function register_fields(rows, full_name)
  for _, row in ipairs(rows) do
    local name = full_name(row[1])
    if row[2] == 0 then
      register(name, ProtoField.bytes(name, row[1], base.NONE, row[3]))
    else
      register(name, ProtoField.uint32(name, row[1], in_hex[row[1]] and base.HEX or base.DEC, words[row[1]], nil, row[3]))
    end
  end
end
register_fields(HEADER, name_of)
register_fields(EXTENSION_HEADER, extension_name)

local operands = {}  -- rows of OPERANDS by name
-- What may be a complete address of sixteen octets, or a number.
local has_complete = {memory_address = true, memory_base = true}

local function make_operand(name, row)
  local kind = row[2]
  if kind == "number" then return ProtoField.uint32(name, row[1], base.DEC, nil, nil, row[3]) end
  if kind == "code" or kind == "flags" then return ProtoField.uint32(name, row[1], base.HEX, nil, nil, row[3]) end
  if kind == "text" then return ProtoField.string(name, row[1], base.ASCII, row[3]) end
  if kind == "address" and not has_complete[row[1]] then
    return ProtoField.uint64(name, row[1], base.HEX, nil, nil, row[3])
  end
  return ProtoField.bytes(name, row[1], base.NONE, row[3])
end

for _, row in ipairs(OPERANDS) do
  operands[row[1]] = {name = name_of(row[1]), kind = row[2], bits = row[4]}
  register(name_of(row[1]), make_operand(name_of(row[1]), row))
  for _, bit in ipairs(row[4]) do
    local name = name_of(row[1]) .. "." .. bit[3]
    register(name, ProtoField.uint32(name, bit[3], base.DEC, nil, nil, bit[4]))
  end
end
for _, row in ipairs({{"padding", "zeros to a multiple of four octets"}, {"operands", "operands that do not fit"}}) do
  register(name_of(row[1]), ProtoField.bytes(name_of(row[1]), row[1], base.NONE, row[2]))
end
proto.fields = registered

local experts = {
  malformed = ProtoExpert.new(NAME .. ".malformed", "Malformed instruction", expert.group.MALFORMED,
                              expert.severity.ERROR),
  unassigned = ProtoExpert.new(NAME .. ".unassigned", "Operation code that is not assigned", expert.group.UNDECODED,
                               expert.severity.WARN),
  misfit = ProtoExpert.new(NAME .. ".misfit", "Operands that do not fit", expert.group.PROTOCOL, expert.severity.WARN),
}
proto.experts = {experts.malformed, experts.unassigned, experts.misfit}

-- ------------------------------------------------------------------------------------------------------------- reading

local function bits_of(value, first, width)  -- `first` counts from the least significant bit
  return math.floor(math.floor(value / 2 ^ first) % 2 ^ width)
end

-- The instruction that begins at `begin`: its header's fields, its extension headers, and the place of its operands.
-- `error` says what is missing; no more than is there is read.
local function read_instruction(tvb, begin)
  local size = tvb:len() - begin
  local at = 0
  local one = {begin = begin, fields = {}, extensions = {}}
  local function reach(part, more)
    if at + more <= size then return true end
    one.error = {part = part, needed = at + more, there = size}
    return false
  end
  local function add(list, name, value, offset, length)
    list[#list + 1] = {name = name, value = value, offset = begin + offset, length = length}
  end
  local function take(name, length)
    one[name] = tvb(begin + at, length):uint()
    add(one.fields, name_of(name), one[name], at, length)
    at = at + length
  end

  local function read_header()
    if not reach("header", 2) then return false end
    local flags = tvb(begin + 1, 1):uint()
    one.opcode = tvb(begin, 1):uint()
    one.ask, one.pck, one.chn = bits_of(flags, 7, 1), bits_of(flags, 5, 2), bits_of(flags, 4, 1)
    one.ext, one.opr_length = bits_of(flags, 3, 1), bits_of(flags, 0, 3)
    local extended, chain = one.opr_length == 7, one.chn == 1 and one.pck % 2 == 1
    if not reach("header", 2 + (extended and 2 or 0) + (chain and 4 or 0) + (one.pck == 3 and 4 or 0) + one.ask * 4) then
      return false
    end
    add(one.fields, name_of("opcode"), one.opcode, 0, 1)
    for _, bit in ipairs({"ask", "pck", "chn", "ext", "opr_length"}) do
      add(one.fields, name_of(bit), one[bit], 1, 1)
    end
    at = 2
    if extended then take("opr_length_ext", 2) end
    if chain then take("chain_number", 2) take("instr_number", 2) end
    if one.pck == 3 then take("session_id", 4) end
    if one.ask == 1 then take("req_id", 4) end
    return true
  end

  local function read_extension()
    if not reach("extension header", 2) then return false end
    local hxt = bits_of(tvb(begin + at, 1):uint(), 7, 1)
    if not reach("extension header", hxt == 1 and 8 or 2) then return false end
    local length_octets, code_octets = hxt == 1 and 4 or 1, hxt == 1 and 2 or 1
    local head_length = tvb(begin + at, length_octets):uint() - (hxt == 1 and 0x80000000 or 0)
    local code_at = at + length_octets
    local flags = tvb(begin + code_at, 1):uint()
    local head_code = tvb(begin + code_at, code_octets):uint() % (hxt == 1 and 0x2000 or 0x20)
    local header = {fields = {}, code = head_code}
    add(header.fields, extension_name("hxt"), hxt, at, 1)
    add(header.fields, extension_name("head_length"), head_length, at, length_octets)
    add(header.fields, extension_name("hsl"), bits_of(flags, 7, 1), code_at, 1)
    add(header.fields, extension_name("hob"), bits_of(flags, 6, 1), code_at, 1)
    add(header.fields, extension_name("hrz"), bits_of(flags, 5, 1), code_at, 1)
    add(header.fields, extension_name("head_code"), head_code, code_at, code_octets)
    if hxt == 1 then
      add(header.fields, extension_name("reserved"), tvb(begin + at + 6, 2):uint(), at + 6, 2)
    end
    at = at + (hxt == 1 and 8 or 2)
    if not reach("extension header data", head_length * 2) then return false end
    header.first, header.octets = begin + at, head_length * 2
    one.extensions[#one.extensions + 1] = header
    at = at + head_length * 2
    return true, bits_of(flags, 7, 1) == 1
  end

  if not read_header() then return one end
  local last = one.ext == 0
  while not last do
    local there
    there, last = read_extension()
    if not there then return one end
  end
  local octets = (one.opr_length_ext or one.opr_length) * 4
  one.known = at + octets  -- the length of the instruction, also where its operands are not there
  if not reach("operands", octets) then return one end
  one.first, one.operand_octets, one.octets = begin + at, octets, at + octets
  return one
end

-- ------------------------------------------------------------------------------------------------------------ operands

local function identifier_octets(header)
  return 1 + bits_of(header, 4, 4) + MEMORY_OCTETS[bits_of(header, 0, 2)]
end
local function possible(header) return bits_of(header, 4, 4) > 0 and identifier_octets(header) <= 16 end
local function padded(octets) return math.ceil(octets / 4) * 4 end

-- Lengths that a row may have at this place, and how far the next one is; the likeliest first.
local function candidates(tvb, first, size, row, at, before)
  local width = row[2]
  if width == "fixed" then return {{row[3], row[3]}} end
  if width == "identifier" then
    local octets = identifier_octets(tvb(first + at, 1):uint())
    return {{octets, octets}}
  end
  if width == "half" then return {{math.floor((size - at) / 2), math.floor((size - at) / 2)}} end
  if width == "rest" then return {{size - at, size - at}} end
  if width == "local" then
    local all = {}
    for _, length in ipairs(row[3]) do all[#all + 1] = {length, length} end
    return all
  end
  local count = tvb(first + before.offset, before.length):uint()
  if width == "words" then return {{count * 4, count * 4}} end
  return {{count, padded(count)}}
end

-- Places the rows of one form one behind the other, and goes back where a length does not make all fit.
local function place_form(tvb, first, size, form, most_padding)
  local places, best = {}, nil
  local function keep(flaw, at, operand)
    if best and best.flaw and #places <= #best.places then return false end
    best = {places = {}, padding = at, flaw = flaw, operand = operand}
    for i, place in ipairs(places) do best.places[i] = place end
    return flaw == nil
  end
  local function place(at)
    local row = form[#places + 1]
    if row == nil then
      if size - at <= most_padding then
        best = nil
        return keep(nil, at)
      end
      local last = form[#form]
      if last and last[2] == "words" then return keep("count", at, last[1]) end
      return keep("too_long", at)
    end
    if row[2] == "identifier" then
      if at >= size then return keep("too_short", at, row[1]) end
      if not possible(tvb(first + at, 1):uint()) then return keep("identifier", at, row[1]) end
    end
    local counted = row[2] == "counted" or row[2] == "words"
    for _, candidate in ipairs(candidates(tvb, first, size, row, at, places[#places])) do
      if candidate[2] > size - at then
        keep(counted and "count" or "too_short", at, row[1])
      else
        places[#places + 1] = {row = row, offset = at, length = candidate[1]}
        if place(at + candidate[2]) then return true end
        places[#places] = nil
      end
    end
    return false
  end
  local fits = place(0)
  return best, fits
end

local function is_zero(tvb, first, length)
  for i = first, first + length - 1 do
    if tvb(i, 1):uint() ~= 0 then return false end
  end
  return true
end

-- What only values show, once all has its place: the first flaw in the order of the wire.
local function judge(tvb, first, size, view)
  local finish = 0
  local function gap(next)
    if view.flaw == nil and next > finish and not is_zero(tvb, first + finish, next - finish) then view.flaw = "padding" end
  end
  for _, place in ipairs(view.places) do
    gap(place.offset)
    finish = place.offset + place.length
    if view.flaw == nil and operands[place.row[1]].kind == "address" and place.length == 16 and
        not possible(tvb(first + place.offset, 1):uint()) then
      view.flaw, view.operand = "address", place.row[1]
    end
  end
  gap(size)
end

local function locate(tvb, first, size, layout, paddings)
  local furthest
  for _, most_padding in ipairs(paddings) do
    for _, form in ipairs(layout.forms) do
      local view, fits = place_form(tvb, first, size, form, most_padding)
      if fits then
        judge(tvb, first, size, view)
        return view
      end
      if furthest == nil or #view.places >= #furthest.places then furthest = view end
    end
  end
  return furthest
end

-- The row of an instruction, and its operands. Code 4 is a CONTROL_REJECT where its operands are no GJID: the document
-- prints 4 for both.
local function locate_instruction(tvb, one)
  local layout = LAYOUTS[one.opcode]
  if layout == nil then return nil, {places = {}, padding = 0, flaw = "unassigned"} end
  local view = locate(tvb, one.first, one.operand_octets, layout, {3})
  if one.opcode == 4 and view.flaw and view.flaw ~= "padding" then
    local reject = locate(tvb, one.first, one.operand_octets, LAYOUTS[5], {3})
    if reject.flaw == nil or reject.flaw == "padding" then return LAYOUTS[5], reject end
  end
  return layout, view
end

-- ------------------------------------------------------------------------------------------------------------- showing

local function node_text(tvb, header, first, length)
  if header == 0x40 or header == 0x41 or header == 0x42 then return tostring(tvb(first, 4):ipv4()) end
  return "0x" .. tvb(first, length):bytes():tohex(true)
end

-- "N 4-0-2 10.0.0.1 task 0x00000007" of an identifier, and with what is in FREE of a complete address.
local function address_text(tvb, first, length, word)
  local header = tvb(first, 1):uint()
  local node_octets, memory_octets = bits_of(header, 4, 4), MEMORY_OCTETS[bits_of(header, 0, 2)]
  local free = length - identifier_octets(header)
  local node = first + 1 + free
  local text = string.format("N %d-%d-%d %s %s 0x%s", node_octets, bits_of(header, 2, 2), bits_of(header, 0, 2),
                             node_text(tvb, header, node, node_octets), word,
                             tvb(node + node_octets, memory_octets):bytes():tohex(true))
  if free > 0 and not is_zero(tvb, first + 1, free) then
    text = text .. " free 0x" .. tvb(first + 1, free):bytes():tohex(true)
  end
  return text
end

local function add_bits(item, range, operand, length)
  local value = range:uint()
  for _, bit in ipairs(operand.bits) do
    item:add(fields[operand.name .. "." .. bit[3]], range, bits_of(value, length * 8 - bit[1] - bit[2], bit[2]))
  end
end

local function add_operand(tree, tvb, name, first, length)
  if length == 0 then return end
  local operand, range = operands[name], tvb(first, length)
  local item = tree:add(fields[operand.name], range)
  if operand.kind == "flags" then add_bits(item, range, operand, length) end
  if operand.kind == "identifier" then item:append_text(": " .. address_text(tvb, first, length, "task")) end
  if operand.kind == "address" and length == 16 and possible(tvb(first, 1):uint()) then
    item:append_text(": " .. address_text(tvb, first, length, "memory"))
  end
end

local function add_view(tree, tvb, first, size, view, rest)
  local finish = 0
  local function gap(next)
    if next > finish then tree:add(fields[name_of("padding")], tvb(first + finish, next - finish)) end
    finish = math.max(finish, next)
  end
  for _, place in ipairs(view.places) do
    gap(place.offset)
    finish = place.offset + place.length
    local element = place.row[2] == "rest" and place.row[3] or nil
    if element then
      local at = place.offset
      while at < finish do
        for _, row in ipairs(element) do
          add_operand(tree, tvb, row[1], first + at, row[3])
          at = at + row[3]
        end
      end
    else
      add_operand(tree, tvb, place.row[1], first + place.offset, place.length)
    end
  end
  gap(view.padding)
  if view.flaw and view.flaw ~= "padding" and view.flaw ~= "address" then
    if size > finish then tree:add(fields[rest], tvb(first + finish, size - finish)) end
  else
    gap(size)
  end
end

local function add_fields(tree, tvb, list)
  for _, field in ipairs(list) do
    tree:add(fields[field.name], tvb(field.offset, field.length), field.value)
  end
end

local function extension_view(tvb, header)
  local layout = EXTENSIONS[header.code]
  if layout == nil then return {places = {}, padding = 0, flaw = "unassigned"} end
  return locate(tvb, header.first, header.octets, layout, {0, 3})
end

-- ------------------------------------------------------------------------------------------------------- the summaries

local function opcode_text(layout, opcode)
  if layout then return layout.name end
  local reserved = opcode == 0 or (opcode >= 113 and opcode <= 127) or opcode >= 224
  return string.format("%s opcode %d", reserved and "reserved" or "unassigned", opcode)
end

-- INSTR_NUMBER of SND_CANCEL, EXEC_TR and CANCEL_TR is not counted.
local CONTROLS_CHAIN = {[2] = true, [158] = true, [159] = true}

-- Session and chain, by what went before in `context`, which is then that of the next instruction.
local function follow(one, context)
  local session, chain, number
  if one.pck == 3 then session = one.session_id elseif one.pck ~= 0 then session = context.session end
  if one.chain_number then
    chain, number = one.chain_number, one.instr_number
  elseif one.pck == 2 and session and one.chn == 1 and context.chain then
    chain = context.chain
    number = CONTROLS_CHAIN[one.opcode] and context.number or (context.number + 1) % 65536
  end
  context.session, context.chain, context.number = session, chain, number
  return session, chain, number
end

local function where_text(one, context)
  local session, chain, number = follow(one, context)
  local text = ""
  if session then
    text = string.format(" session 0x%08x", session)
  elseif one.pck ~= 0 then
    text = " same session"
  end
  if chain then
    text = text .. string.format(" chain %d/%d", chain, number)
  elseif one.pck == 2 then
    text = text .. " same chain"
  end
  if one.ask == 1 then text = text .. string.format(" req 0x%08x", one.req_id) end
  return text
end

local function extensions_text(one)
  local text = ""
  for i, header in ipairs(one.extensions) do
    if i > SUMMARISED then return text .. " …" end
    local layout = EXTENSIONS[header.code]
    text = text .. " " .. (layout and layout.name or string.format("header %d", header.code))
  end
  return text
end

-- The words of `wirelaw decode`.
local function summary_of(one, layout, view, context)
  local text = opcode_text(layout, one.opcode) .. where_text(one, context) .. extensions_text(one) ..
                   string.format(" operands %d", one.operand_octets)
  if layout and view.flaw then
    text = text .. string.format(" [%s%s]", view.operand and view.operand .. ": " or "", FLAWS[view.flaw])
  end
  return text
end

-- ------------------------------------------------------------------------------------------------------------ dissecting

-- Adds an instruction that is whole, and gives its line.
local function add_instruction(tree, tvb, one, context)
  local layout, view = locate_instruction(tvb, one)
  add_fields(tree, tvb, one.fields)
  for _, header in ipairs(one.extensions) do
    add_fields(tree, tvb, header.fields)
    add_view(tree, tvb, header.first, header.octets, extension_view(tvb, header), extension_name("data"))
  end
  add_view(tree, tvb, one.first, one.operand_octets, view, name_of("operands"))
  if layout == nil then
    tree:add_proto_expert_info(experts.unassigned, string.format("Operation code %d is not assigned", one.opcode))
  elseif view.flaw then
    tree:add_proto_expert_info(experts.misfit, FLAWS[view.flaw])
  end
  return summary_of(one, layout, view, context)
end

local function finish(tree, pinfo, summary, first)
  tree:append_text(", " .. summary)
  pinfo.cols.protocol = "UMSP"
  if first then pinfo.cols.info = summary else pinfo.cols.info:append("; " .. summary) end
end

local function dissect_datagram(tvb, pinfo, root)
  local tree = root:add(proto, tvb())
  local at, count, summary, context = 0, 0, "", {}
  while at < tvb:len() or count == 0 do
    local one = read_instruction(tvb, at)
    if one.error then
      tree:add_proto_expert_info(experts.malformed, string.format(
        "instruction %d at offset %d needs %d octets at least, %d are there: it ends in its %s", count + 1, at,
        one.error.needed, one.error.there, one.error.part))
      break
    end
    local line = add_instruction(tree, tvb, one, context)
    count = count + 1
    if count <= SUMMARISED then summary = summary .. (count > 1 and "; " or "") .. line end
    at = at + one.octets
  end
  if count > SUMMARISED then summary = summary .. string.format("; %d more", count - SUMMARISED) end
  if count == 0 then summary = string.format("%d octets, too short for a UMSP instruction", tvb:len()) end
  finish(tree, pinfo, summary, true)
  return tvb:len()
end

local function dissect_stream(tvb, pinfo, root)
  local at, first = 0, true
  while at < tvb:len() do
    local one = read_instruction(tvb, at)
    if one.error then
      local needed = one.known or one.error.needed
      if needed > MOST_OCTETS then
        local tree = root:add(proto, tvb(at))
        tree:add_proto_expert_info(experts.malformed, string.format("An instruction of %d octets at least", needed))
        finish(tree, pinfo, "too long for a UMSP instruction", first)
        return tvb:len()
      end
      pinfo.desegment_offset = at
      pinfo.desegment_len = one.known and one.known - one.error.there or DESEGMENT_ONE_MORE_SEGMENT
      return tvb:len()
    end
    local tree = root:add(proto, tvb(at, one.octets))
    finish(tree, pinfo, add_instruction(tree, tvb, one, {}), first)
    at, first = at + one.octets, false
  end
  return tvb:len()
end

function proto.dissector(tvb, pinfo, root)
  if pinfo.can_desegment > 0 then return dissect_stream(tvb, pinfo, root) end
  return dissect_datagram(tvb, pinfo, root)
end

DissectorTable.get("tcp.port"):add(PORT, proto)
DissectorTable.get("udp.port"):add(PORT, proto)

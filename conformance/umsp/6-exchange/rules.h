// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ExchangeRules : Words {
  static constexpr std::string_view kExchange = "RFC 3018 6";
  static constexpr std::string_view kA21TheTestBedKnows =
      "UMSP/A21: the test bed knows how long the addresses of a node are, its instructions do not say it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6-1", must, any, kExchange, none, octets,
       "Instructions of exchange between VMs have an OPCODE from 128 to 223.",
       "what the table of codes says: UMSP-3.1-4"},
      {"UMSP-6-2", must, any, kExchange, stimulus, octets,
       "Of one OPCODE with several formats OPR_LENGTH selects the format.", {}, {{opr_length_ignored, executor}}},
      {"UMSP-6-3", must, any, kExchange, none, octets,
       "OPCODE and OPR_LENGTH together name a format that is defined.",
       "the rules of each instruction say which lengths it has"},
      {"UMSP-6-4", must, any, kExchange, none, octets,
       "An instruction of exchange has REQ_ID exactly if ASK is 1.",
       "the form itself: octets that break it read as another header"},
      {"UMSP-6-5", must, any, kExchange, api, octets,
       "REQ_ID of an instruction of exchange is chosen by the VM.", "who chose a number is not on the wire"},
      {"UMSP-6-6", must, any, kExchange, api, octets,
       "A response between VMs is formed by the VM.", "who formed a response is not on the wire"},
      {"UMSP-6-7", must_not, any, kExchange, stimulus, octets,
       "The protocol layer checks neither a response between VMs nor the REQ_ID of an instruction of exchange.", {},
       {{req_id_checked, executor}}},
      {"UMSP-6-8", must, any, kExchange, none, octets,
       "A response between VMs is RSP, DATA, RETURN, ADDRESS, OBJECT or PROC_NUM.",
       "a definition: what else is sent answers nothing"},
      {"UMSP-6-9", must, any, kExchange, none, octets,
       "A DATA, RETURN, ADDRESS, OBJECT or PROC_NUM answers an instruction that was received.",
       "UMSP-6-11 says it of its REQ_ID"},
      {"UMSP-6-10", must, any, kExchange, trace, octets,
       "DATA, RETURN, ADDRESS, OBJECT and PROC_NUM have ASK 1.", "of RSP: UMSP-4.1-3"},
      {"UMSP-6-11", must, any, kExchange, trace, absence,
       "DATA, RETURN, ADDRESS, OBJECT and PROC_NUM have the REQ_ID of the request that they answer.",
       "of RSP: UMSP-4.1-9; another one warns, as another connection may have the request",
       {{syn_reports_again, executor, warning}, {previous_session_kept, executor, warning}}},
      {"UMSP-6-12", must_not, any, kExchange, stimulus, octets,
       "A response between VMs gets no response.", {}, {answers_responses}},
      {"UMSP-6-13", must, any, kExchange, trace, octets,
       "An instruction of exchange that goes over UDP has ASK 0, save OBJ_SEEK and OBJECT without a session.",
       "UMSP/B2", {{datagrams_answered, executor}, {seek_by_datagram_refused, executor}}},
      {"UMSP-6-14", must, any, kExchange, trace, octets,
       "An instruction between VMs that goes over UDP is whole in its datagram."},
      {"UMSP-6-15", must_not, any, kExchange, stimulus, octets,
       "The UMSP layer does not repeat an instruction of exchange.",
       "a VM may send the same again, so that a trace does not show who repeated", {{repeats_requests, executor}}},
      {"UMSP-6-16", must_not, any, kExchange, stimulus, octets,
       "The UMSP layer has no timeout for an instruction of exchange.", {}, {{times_out_syn, executor}}},
      {"UMSP-6-17", must, any, kExchange, api, octets,
       "The VM decides about timeouts of instructions of exchange.", "what a VM waits for is not on the wire"},
      {"UMSP-6-18", must, any, kExchange, none, octets,
       "The transport has timeouts of its own.", "TCP has them; they are not UMSP's"},
      {"UMSP-6-19", must, any, kExchange, stimulus, octets,
       "Jobs in different address spaces do not see each other's memory at the same address.", {},
       {{one_memory_for_all, executor}}},
      {"UMSP-6-20", must, any, kExchange, stimulus, octets,
       "The SESSION_ID selects VM and job for a received instruction.", {}, {{other_jobs_memory, executor}}},
      {"UMSP-6-21", must, any, kExchange, none, octets,
       "A local memory address takes 2, 4 or 8 octets.", "the form itself: each instruction has its own lengths"},
      {"UMSP-6-22", must, any, kExchange, stimulus, octets,
       "A 24-bit address is in the last 3 of 4 octets.", kA21TheTestBedKnows,
       {{address24_first, executor, "address-3"}}},
      {"UMSP-6-23", must, any, kExchange, stimulus, octets,
       "The octet before a 24-bit address is 0.", kA21TheTestBedKnows,
       {{address24_octet_ignored, executor, "address-3"}}},
      {"UMSP-6-24", must, any, kExchange, stimulus, octets,
       "A 2-octet address where the format has at least 4 is in the last 2 of 4 octets.", kA21TheTestBedKnows,
       {{address16_first, executor, "address-2"}}},
      {"UMSP-6-25", must, any, kExchange, stimulus, octets,
       "The 2 octets before such a 2-octet address are 0.", kA21TheTestBedKnows,
       {{address16_octets_ignored, executor, "address-2"}}},
      {"UMSP-6-26", must, any, kExchange, stimulus, octets,
       "In a chain an address shorter than the node's is a displacement from the chain's memory base.", {},
       {{base_ignored, executor}}},
      {"UMSP-6-27", must, any, kExchange, none, octets,
       "In a chain an address shorter than the node's is used only after a memory base was set.",
       "UMSP-7.6-2 says so of chains"},
      {"UMSP-6-28", must_not, any, kExchange, stimulus, octets,
       "An instruction of a chain with a short address and without a base is not executed: it is wrong.", {},
       {{short_without_base, executor}}},
      {"UMSP-6-29", must, any, kExchange, stimulus, octets,
       "Outside of chains an address shorter than the node's is filled up with zero octets in front.", {},
       {{short_not_filled, executor}}},
      {"UMSP-6-30", must_not, any, kExchange, stimulus, octets,
       "An address longer than the node's, other than one of 16 octets, is wrong: the instruction is not executed.",
       "UMSP/B27", {{longer_cut, executor}}},
      {"UMSP-6-31", must, any, kExchange, none, octets,
       "A complete 128-bit address takes 16 octets of the operands.",
       "the form itself: each instruction has its own lengths"},
      {"UMSP-6-32", should, any, kExchange, trace, octets,
       "An address whose FREE is zero is sent as a local one, not in 16 octets.",
       "A format of address that has no room for FREE is not judged."},
      {"UMSP-6-33", must, any, kExchange, none, octets,
       "Operands of instructions of exchange take whole 32-bit words.",
       "OPR_LENGTH counts words: nothing else can be sent"},
      {"UMSP-6-34", must, any, kExchange, none, octets,
       "What fills the last word of the operands is zero octets at the end.", "UMSP-3.3-3 says so of all operands"},
      {"UMSP-6-35", must, any, kExchange, none, octets,
       "Header fields that the format of an instruction does not name follow section 3.", "the rules of 3.1"},
      {"UMSP-6-36", must, any, kExchange, stimulus, octets,
       "JUMP, CALL, CALL_BNUM and CALL_BNAME with VM type and version of the sender: parameters are in that VM's "
       "format.", {}, {{sender_vm_ignored, executor}, {smaller_versions_refused, executor}}},
      {"UMSP-6-37", must, any, kExchange, api, octets,
       "Without VM type and version of the sender, parameters are in the format of the addressee's VM.",
       "what parameters mean is known to the VM", {{parameters_least_first, executor}}},
      {"UMSP-6-38", must, any, kExchange, api, octets,
       "Code always belongs to a specific VM.", "what code means is known to the VM", {{code_of_any_vm, executor}}},
      {"UMSP-6-39", must, any, kExchange, stimulus, octets,
       "Data are binary: nothing is converted between the nodes.", {}, {{words_converted, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ExchangeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ExchangeRules, I> {
};

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ExchangeRules : Words {
  static constexpr std::string_view kExchange = "RFC 3018 6";
  static constexpr std::string_view kA21TheTestBedKnows =
      "UMSP/A21: the tester knows how long the addresses of a node are; its instructions do not show it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6-1", must, any, kExchange, none, octets,
       "Exchange instructions between VMs have an OPCODE from 128 to 223.",
       "The table of codes defines it: UMSP-3.1-4"},
      {"UMSP-6-2", must, any, kExchange, stimulus, octets,
       "If an OPCODE has several formats, a receiver selects the format by OPR_LENGTH.", {},
       {{opr_length_ignored, executor}}},
      {"UMSP-6-3", must, any, kExchange, none, octets,
       "OPCODE and OPR_LENGTH together name a defined format.", "The rules of each instruction list its lengths"},
      {"UMSP-6-4", must, any, kExchange, none, octets,
       "An exchange instruction has REQ_ID if and only if ASK is 1.",
       "The form itself: octets that break it read as another header"},
      {"UMSP-6-5", must, any, kExchange, api, octets,
       "The VM chooses the REQ_ID of an exchange instruction.", "Which layer chose a number is not on the wire"},
      {"UMSP-6-6", must, any, kExchange, api, octets,
       "The VM forms a response between VMs.", "Which layer formed a response is not on the wire"},
      {"UMSP-6-7", must_not, any, kExchange, stimulus, octets,
       "The protocol layer checks neither a response between VMs nor the REQ_ID of an exchange instruction.", {},
       {{req_id_checked, executor}}},
      {"UMSP-6-8", must, any, kExchange, none, octets,
       "A response between VMs is RSP, DATA, RETURN, ADDRESS, OBJECT or PROC_NUM.",
       "A definition: no other instruction is a response"},
      {"UMSP-6-9", must, any, kExchange, none, octets,
       "A node sends DATA, RETURN, ADDRESS, OBJECT or PROC_NUM only in answer to an instruction that it received.",
       "UMSP-6-11 judges it by the REQ_ID"},
      {"UMSP-6-10", must, any, kExchange, trace, octets,
       "DATA, RETURN, ADDRESS, OBJECT and PROC_NUM have ASK 1.", "UMSP-4.1-3 judges RSP"},
      {"UMSP-6-11", must, any, kExchange, trace, absence,
       "DATA, RETURN, ADDRESS, OBJECT and PROC_NUM have the REQ_ID of the request that they answer.",
       "UMSP-4.1-9 judges RSP; another REQ_ID is a warning, since another connection may have the request",
       {{syn_reports_again, executor, warning}, {previous_session_kept, executor, warning}}},
      {"UMSP-6-12", must_not, any, kExchange, stimulus, octets,
       "A receiver does not answer a response between VMs.", {}, {answers_responses}},
      {"UMSP-6-13", must, any, kExchange, trace, octets,
       "An exchange instruction that is sent over UDP has ASK 0, except OBJ_SEEK and OBJECT without a session.",
       "UMSP/B2", {{datagrams_answered, executor}, {seek_by_datagram_refused, executor}}},
      {"UMSP-6-14", must, any, kExchange, trace, octets,
       "An exchange instruction that is sent over UDP is completely in one datagram."},
      {"UMSP-6-15", must_not, any, kExchange, stimulus, octets,
       "The UMSP layer does not repeat an exchange instruction.",
       "A VM may send the same instruction again, so a trace does not show which layer repeated it",
       {{repeats_requests, executor}}},
      {"UMSP-6-16", must_not, any, kExchange, stimulus, octets,
       "The UMSP layer uses no timeout for an exchange instruction.", {}, {{times_out_syn, executor}}},
      {"UMSP-6-17", must, any, kExchange, api, octets,
       "The VM decides on timeouts of exchange instructions.", "What a VM waits for is not on the wire"},
      {"UMSP-6-18", must, any, kExchange, none, octets,
       "The transport uses its own timeouts.", "TCP has them; they are not part of UMSP"},
      {"UMSP-6-19", must, any, kExchange, stimulus, octets,
       "A node keeps the address spaces of jobs separate: a job does not see the memory of another job at the same "
       "address.", {}, {{one_memory_for_all, executor}}},
      {"UMSP-6-20", must, any, kExchange, stimulus, octets,
       "A receiver uses SESSION_ID to select the VM and the job for an instruction.", {},
       {{other_jobs_memory, executor}}},
      {"UMSP-6-21", must, any, kExchange, none, octets,
       "A local memory address has 2, 4 or 8 octets.", "The form itself: each instruction has its own lengths"},
      {"UMSP-6-22", must, any, kExchange, stimulus, octets,
       "A sender puts a 24-bit address into the last 3 of 4 octets.", kA21TheTestBedKnows,
       {{address24_first, executor, "address-3"}}},
      {"UMSP-6-23", must, any, kExchange, stimulus, octets,
       "A sender sets the octet before a 24-bit address to 0.", kA21TheTestBedKnows,
       {{address24_octet_ignored, executor, "address-3"}}},
      {"UMSP-6-24", must, any, kExchange, stimulus, octets,
       "If the format has at least 4 octets, a sender puts a 2-octet address into the last 2 of 4 octets.",
       kA21TheTestBedKnows, {{address16_first, executor, "address-2"}}},
      {"UMSP-6-25", must, any, kExchange, stimulus, octets,
       "A sender sets the 2 octets before a 2-octet address in a field of 4 octets to 0.", kA21TheTestBedKnows,
       {{address16_octets_ignored, executor, "address-2"}}},
      {"UMSP-6-26", must, any, kExchange, stimulus, octets,
       "In a chain, a receiver takes an address shorter than the node's as a displacement from the chain's memory "
       "base.", {}, {{base_ignored, executor}}},
      {"UMSP-6-27", must, any, kExchange, none, octets,
       "In a chain, a sender uses an address shorter than the node's only after it has set a memory base.",
       "UMSP-7.6-2 judges it for chains"},
      {"UMSP-6-28", must_not, any, kExchange, stimulus, octets,
       "A receiver does not execute an instruction of a chain that has a short address if no memory base is set.", {},
       {{short_without_base, executor}}},
      {"UMSP-6-29", must, any, kExchange, stimulus, octets,
       "Outside chains, a receiver prepends zero octets to an address shorter than the node's.", {},
       {{short_not_filled, executor}}},
      {"UMSP-6-30", must_not, any, kExchange, stimulus, octets,
       "A receiver does not execute an instruction whose address is longer than the node's, unless it has 16 octets.",
       "UMSP/B27", {{longer_cut, executor}}},
      {"UMSP-6-31", must, any, kExchange, none, octets,
       "A complete 128-bit address takes 16 octets of the operands.",
       "The form itself: each instruction has its own lengths"},
      {"UMSP-6-32", should, any, kExchange, trace, octets,
       "A sender uses a local address, not one of 16 octets, if FREE is zero.",
       "An address format without room for FREE is not judged."},
      {"UMSP-6-33", must, any, kExchange, none, octets,
       "The operands of exchange instructions are whole 32-bit words.",
       "OPR_LENGTH counts words, so nothing else can be sent"},
      {"UMSP-6-34", must, any, kExchange, none, octets,
       "A sender pads the last word of the operands with zero octets at the end.",
       "UMSP-3.3-3 judges it for all operands"},
      {"UMSP-6-35", must, any, kExchange, none, octets,
       "Header fields that an instruction's format does not mention follow section 3.", "The rules of 3.1 judge them"},
      {"UMSP-6-36", must, any, kExchange, stimulus, octets,
       "If JUMP, CALL, CALL_BNUM or CALL_BNAME has the sender's VM type and version, the parameters are in that VM's "
       "format.", {}, {{sender_vm_ignored, executor}, {smaller_versions_refused, executor}}},
      {"UMSP-6-37", must, any, kExchange, api, octets,
       "If the sender's VM type and version are absent, parameters are in the format of the addressee's VM.",
       "Only the VM knows what parameters mean", {{parameters_least_first, executor}}},
      {"UMSP-6-38", must, any, kExchange, api, octets,
       "Code always belongs to a specific VM.", "Only the VM knows what code means", {{code_of_any_vm, executor}}},
      {"UMSP-6-39", must, any, kExchange, stimulus, octets,
       "Nodes exchange data as binary and do not convert them.", {}, {{words_converted, executor}}},
      {"UMSP-6-40", must_not, any, kExchange, trace, octets,
       "A sender does not use a local address that is longer than those of the receiver.",
       "UMSP/B27, UMSP/B56: judged if the receiver has assigned GJIDs, which show how long its addresses are"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ExchangeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ExchangeRules, I> {
};

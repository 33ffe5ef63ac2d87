// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct RuntingReadRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.5";
  static constexpr std::string_view k4_5Table4_4 = "EFA RDM v4 4.5, table 4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.5-1", must, requester, kSection, trace, octets,
       "A requester sends some application data in every RUNTREAD packet."},
      {"EFA-4.5-2", must, requester, k4_5Table4_4, trace, octets,
       "A requester names at least one of its buffers in read_iov of a RUNTREAD packet."},
      {"EFA-4.5-3", must, requester, k4_5Table4_4, trace, octets,
       "A requester sets msg_length of a RUNTREAD packet to the sum of the lengths in its read_iov, the whole send "
       "buffer.", "EFA/A-29", {connid_padded}},
      {"EFA-4.5-4", must, requester, k4_5Table4_4, trace, absence,
       "A requester uses the same msg_length in all RUNTREAD packets of a message."},
      {"EFA-4.5-5", must, requester, k4_5Table4_4, trace, absence,
       "A requester uses the same send_id in all RUNTREAD packets of a message."},
      {"EFA-4.5-6", must, requester, kSection, trace, absence,
       "A requester describes the same buffers in read_iov of all RUNTREAD packets of a message."},
      {"EFA-4.5-7", must, requester, k4_5Table4_4, trace, absence,
       "A requester sends all RUNTREAD packets of a message with the same tag, or all of them untagged."},
      {"EFA-4.5-8", must, requester, k4_5Table4_4, trace, octets,
       "The data of a RUNTREAD packet, counted from seg_offset, ends within msg_length."},
      {"EFA-4.5-9", must_not, requester, k4_5Table4_4, trace, absence,
       "A requester does not send in a RUNTREAD packet data that, by its seg_offset, another one has brought.",
       "The same octets again are ignored: a transport may duplicate packets", {runt_offset_zero}},
      {"EFA-4.5-10", must, requester, k4_5Table4_4, trace, absence,
       "A requester uses the same runt_length in all RUNTREAD packets of a message, if it is the length of all of "
       "them together.", "EFA/A-04", {runt_length_changes}},
      {"EFA-4.5-11", must, requester, k4_5Table4_4, trace, octets,
       "A requester sets runt_length to at most msg_length.", "EFA/A-04", {runt_length_changes}},
      {"EFA-4.5-12", must, requester, k4_5Table4_4, trace, octets,
       "The data of a RUNTREAD packet, counted from seg_offset, ends within runt_length of the message.", "EFA/A-04"},
      {"EFA-4.5-13", must, requester, k4_5Table4_4, trace, absence,
       "A requester uses one meaning of runt_length, that of the message or that of the packet, in all its packets.",
       "EFA/A-04"},
      {"EFA-4.5-14", should, requester, k4_5Table4_4, trace, octets,
       "A requester sets runt_length to the length of all RUNTREAD packets together, because the reads begin there.",
       "EFA/A-04: the length of the packet's own data is accepted, with a warning"},
      {"EFA-4.5-15", must, requester, kSection, trace, absence,
       "A requester sends every octet below runt_length in the RUNTREAD packets of a message.", "EFA/A-85",
       {{runt_missing, "stimulus"}}},
      {"EFA-4.5-16", must, requester, k4_5Table4_4, trace, absence,
       "A requester does not reuse in a new RUNTREAD message the send_id of an operation that still waits for the "
       "peer.", "EFA/A-73"},
      {"EFA-4.5-17", must, responder, kSection, stimulus, octets,
       "A responder reads what the RUNTREAD packets do not bring, from runt_length on.",
       "EFA/A-04; RDMA reads are not packets of this protocol. A device that is not hardware shows the tester who has "
       "read what"},
      {"EFA-4.5-201", must, responder, k4_5Table4_4, stimulus, octets,
       "A responder delivers a runting message whole, from its packets and from read_iov.", "EFA/A-04", {eor_missing}},
      {"EFA-4.5-202", must, responder, k4_5Table4_4, stimulus, octets,
       "A responder accepts RUNTREAD packets in any order, and duplicated ones.", {}, {eor_missing}},
      {"EFA-4.5-203", must, responder, k4_5Table4_4, stimulus, octets,
       "A responder delivers a runting message that RUNTREAD packets bring whole.", "EFA/A-49", {whole_runt_lost}},
      {"EFA-4.5-204", must, responder, k4_5Table4_4, stimulus, octets,
       "A responder keeps working after RUNTREAD packets that extend beyond runt_length or the message, or contradict "
       "each other.", {}, {dies_of_contradiction, dies_of_failed_read}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::RuntingReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::RuntingReadRules, I> {
};

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
       "Every RUNTREAD packet carries some application data."},
      {"EFA-4.5-2", must, requester, k4_5Table4_4, trace, octets,
       "A RUNTREAD packet names at least one buffer of the sender in read_iov."},
      {"EFA-4.5-3", must, requester, k4_5Table4_4, trace, octets,
       "msg_length of a RUNTREAD packet is the sum of the lengths in its read_iov: the whole send buffer.",
       "EFA/A-29", {connid_padded}},
      {"EFA-4.5-4", must, requester, k4_5Table4_4, trace, absence,
       "All RUNTREAD packets of a message have the same msg_length."},
      {"EFA-4.5-5", must, requester, k4_5Table4_4, trace, absence,
       "All RUNTREAD packets of a message have the same send_id."},
      {"EFA-4.5-6", must, requester, kSection, trace, absence,
       "All RUNTREAD packets of a message describe the same buffers in read_iov."},
      {"EFA-4.5-7", must, requester, k4_5Table4_4, trace, absence,
       "All RUNTREAD packets of a message are tagged, with one tag, or none of them is."},
      {"EFA-4.5-8", must, requester, k4_5Table4_4, trace, octets,
       "The data of a RUNTREAD packet, from seg_offset on, ends within msg_length."},
      {"EFA-4.5-9", must_not, requester, k4_5Table4_4, trace, absence,
       "No RUNTREAD packet brings data, by its seg_offset, that another one has brought.",
       "The same octets again are passed over: a transport may double packets", {runt_offset_zero}},
      {"EFA-4.5-10", must, requester, k4_5Table4_4, trace, absence,
       "Where runt_length is that of all RUNTREAD packets together, all of them have the same.", "EFA/A-04",
       {runt_length_changes}},
      {"EFA-4.5-11", must, requester, k4_5Table4_4, trace, octets,
       "runt_length is at most msg_length.", "EFA/A-04", {runt_length_changes}},
      {"EFA-4.5-12", must, requester, k4_5Table4_4, trace, octets,
       "The data of a RUNTREAD packet, from seg_offset on, ends within runt_length of the message.", "EFA/A-04"},
      {"EFA-4.5-13", must, requester, k4_5Table4_4, trace, absence,
       "An endpoint keeps to one meaning of runt_length: of the message, or of the packet.", "EFA/A-04"},
      {"EFA-4.5-14", should, requester, k4_5Table4_4, trace, octets,
       "runt_length is that of all RUNTREAD packets together: the reads begin there.",
       "EFA/A-04: the length of the packet's own data is accepted, and warned of"},
      {"EFA-4.5-15", must, requester, kSection, trace, absence,
       "The RUNTREAD packets of a message bring every octet below runt_length.", "EFA/A-85",
       {{runt_missing, "stimulus"}}},
      {"EFA-4.5-16", must, requester, k4_5Table4_4, trace, absence,
       "send_id of a new RUNTREAD message names no operation of the sender that still waits for its peer.",
       "EFA/A-73"},
      {"EFA-4.5-17", must, responder, kSection, stimulus, octets,
       "The receiver reads what the RUNTREAD packets do not bring, from runt_length on.",
       "EFA/A-04; RDMA reads are no packets of this protocol; a device that is not hardware shows the tester who has "
       "read what"},
      {"EFA-4.5-201", must, responder, k4_5Table4_4, stimulus, octets,
       "A runting message is delivered whole: what its packets bring, and the rest as read from read_iov.",
       "EFA/A-04", {eor_missing}},
      {"EFA-4.5-202", must, responder, k4_5Table4_4, stimulus, octets,
       "RUNTREAD packets may arrive in any order, and doubled.", {}, {eor_missing}},
      {"EFA-4.5-203", must, responder, k4_5Table4_4, stimulus, octets,
       "A runting message that comes in its packets alone is delivered.", "EFA/A-49", {whole_runt_lost}},
      {"EFA-4.5-204", must, responder, k4_5Table4_4, stimulus, octets,
       "RUNTREAD packets that reach beyond runt_length or the message, or contradict each other, do no harm.", {},
       {dies_of_contradiction, dies_of_failed_read}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::RuntingReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::RuntingReadRules, I> {
};

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct AcknowledgementRules : Words {
  static constexpr std::string_view kS7_5 = "RFC 3018 7.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.5-1", must, any, kS7_5, trace, octets,
       "Only the first instruction of a chain has REQ_ID, except EXEC_TR.",
       "UMSP/B20; responses are accepted, each of which has its own REQ_ID"},
      {"UMSP-7.5-2", must, executor, kS7_5, stimulus, octets,
       "A receiver answers a chain with one response for all of it.", {}, {{each_answered, executor}}},
      {"UMSP-7.5-3", must_not, any, kS7_5, none, octets,
       "A sender does not set ASK to 1 in later instructions of a chain, including the last, except EXEC_TR.",
       "REQ_ID is present if ASK is 1: UMSP-7.5-1"},
      {"UMSP-7.5-4", must, any, kS7_5, none, octets,
       "The transport for chains reports when data was delivered.", "A requirement on the transport, which is TCP"},
      {"UMSP-7.5-5", must_not, any, kS7_5, api, octets,
       "The sender's protocol layer does not track acknowledgements for a chain with a granted buffer or in one "
       "segment.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-6", must, any, kS7_5, api, octets,
       "For a sequence, the sender counts room in the window as free when the transport has delivered the data.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-7", must, any, kS7_5, stimulus, octets,
       "A receiver passes instructions of a sequence to the VM as soon as they are in order, and frees their room in "
       "the window.", {}, {{sequence_executed_at_end, executor}}},
      {"UMSP-7.5-8", must_not, any, kS7_5, trace, order,
       "A receiver does not pass a fragmented instruction or transaction to the VM before it has all of it.", {},
       {{fragments_executed_early, executor}}},
      {"UMSP-7.5-9", must, any, kS7_5, stimulus, octets,
       "For a chain in the window, the sender counts its room as free only after the execution was acknowledged.", {},
       {{sends_without_room, initiator}, {room_free_when_sent, initiator}}},
      {"UMSP-7.5-10", must, any, kS7_5, api, octets,
       "For a chain in the window, the protocol layer saves the VM's REQ_ID and sets its own.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-11", must, any, kS7_5, none, octets,
       "The first instruction of a chain in the window has the REQ_ID of the protocol layer.",
       "UMSP-7.5-1; the octets do not show which layer chose it"},
      {"UMSP-7.5-12", must, any, kS7_5, stimulus, octets,
       "A receiver collects a whole chain in the window before it executes it.", {}, {{collected_in_part, executor}}},
      {"UMSP-7.5-13", must, any, kS7_5, api, octets,
       "The VM tells the protocol layer when it has executed the chain.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-14", must, any, kS7_5, stimulus, octets,
       "The receiver frees a chain's room in the window after the execution.", {}, {{window_not_cleared, executor}}},
      {"UMSP-7.5-15", must, any, kS7_5, stimulus, octets,
       "A receiver acknowledges a chain that was in the window with RSP_P.",
       "UMSP/B21; the use of the window is not on the wire", {{acknowledged_by_rsp, executor}}},
      {"UMSP-7.5-16", must, any, kS7_5, stimulus, octets,
       "A receiver acknowledges a chain that was not in the window with RSP.",
       "UMSP/B21; the use of the window is not on the wire", {{answered_by_rsp_p, executor}}},
      {"UMSP-7.5-17", must, any, kS7_5, stimulus, octets,
       "The sender counts a chain's room in the window as free after it has received RSP_P.", {},
       {{room_never_free, initiator}}},
      {"UMSP-7.5-18", must, any, kS7_5, api, octets,
       "The protocol layer restores the VM's REQ_ID in the acknowledgement.",
       "What is above or below the protocol layer is not on the wire"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::AcknowledgementRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::AcknowledgementRules, I> {
};

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct AcknowledgementRules : Words {
  static constexpr std::string_view kS7_5 = "RFC 3018 7.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.5-1", must, any, kS7_5, trace, octets,
       "In a chain only the first instruction has REQ_ID, save EXEC_TR.",
       "UMSP/B20; responses are taken, each of which has its own"},
      {"UMSP-7.5-2", must, executor, kS7_5, stimulus, octets,
       "The answer to a chain is one, for all of it.", {}, {{each_answered, executor}}},
      {"UMSP-7.5-3", must_not, any, kS7_5, none, octets,
       "Later instructions of a chain have ASK 0, the last included, save EXEC_TR.",
       "REQ_ID is there where ASK is 1: UMSP-7.5-1"},
      {"UMSP-7.5-4", must, any, kS7_5, none, octets,
       "The transport of chains reports when data were delivered.", "a demand on the transport; TCP is the one in use"},
      {"UMSP-7.5-5", must_not, any, kS7_5, api, octets,
       "For a chain with a granted buffer or in one segment, the protocol layer of the sender does not follow "
       "acknowledgements.", "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-6", must, any, kS7_5, api, octets,
       "For a sequence the sender takes window room as free when the transport delivered.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-7", must, any, kS7_5, stimulus, octets,
       "Instructions of a sequence go to the VM at once as they are in order, and free the window.", {},
       {{sequence_executed_at_end, executor}}},
      {"UMSP-7.5-8", must_not, any, kS7_5, trace, order,
       "A fragmented instruction or transaction does not go to the VM before all of it is there.", {},
       {{fragments_executed_early, executor}}},
      {"UMSP-7.5-9", must, any, kS7_5, stimulus, octets,
       "For a chain in the window the sender takes room as free only when its execution was acknowledged.", {},
       {{sends_without_room, initiator}, {room_free_when_sent, initiator}}},
      {"UMSP-7.5-10", must, any, kS7_5, api, octets,
       "For a chain in the window the protocol layer keeps the VM's REQ_ID and sets its own.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-11", must, any, kS7_5, none, octets,
       "The protocol's own REQ_ID is in the first instruction of that chain.",
       "UMSP-7.5-1; whose it is cannot be seen"},
      {"UMSP-7.5-12", must, any, kS7_5, stimulus, octets,
       "A chain in the window is collected whole before it is executed.", {}, {{collected_in_part, executor}}},
      {"UMSP-7.5-13", must, any, kS7_5, api, octets,
       "The VM reports to the protocol layer when the chain was executed.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.5-14", must, any, kS7_5, stimulus, octets,
       "The receiver clears the chain's room in the window after the execution.", {}, {{window_not_cleared, executor}}},
      {"UMSP-7.5-15", must, any, kS7_5, stimulus, octets,
       "A chain that was in the window is acknowledged by RSP_P.",
       "UMSP/B21; whether the window was used is not on the wire", {{acknowledged_by_rsp, executor}}},
      {"UMSP-7.5-16", must, any, kS7_5, stimulus, octets,
       "A chain that was not in the window is acknowledged by RSP.",
       "UMSP/B21; whether the window was used is not on the wire", {{answered_by_rsp_p, executor}}},
      {"UMSP-7.5-17", must, any, kS7_5, stimulus, octets,
       "The sender counts the chain's room as free after RSP_P.", {}, {{room_never_free, initiator}}},
      {"UMSP-7.5-18", must, any, kS7_5, api, octets,
       "The protocol layer gives the VM its REQ_ID back with the acknowledgement.",
       "what is above or below the protocol layer is not on the wire"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::AcknowledgementRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::AcknowledgementRules, I> {
};

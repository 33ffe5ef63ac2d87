// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct PeerErrorRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.10 (main)";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.10-1", must_not, any, kSection, trace, octets,
       "A PEER_ERROR is not sent to a peer that has not announced ID 9.",
       "EFA/A-93: before the peer's HANDSHAKE it is warned of, as an application may declare its peers to be equal",
       {peer_error_unannounced}},
      {"EFA-4.10-2", must, any, kSection, trace, octets,
       "ref_kind of a PEER_ERROR is 0, 1 or 2.", {}, {peer_error_undefined_kind}},
      {"EFA-4.10-3", must, any, kSection, trace, absence,
       "op_id of a PEER_ERROR with ref_kind OPE_INDEX is that of an operation of the side that gets it.", {},
       {{peer_error_wrong_op_id, responder}}},
      {"EFA-4.10-4", must, any, kSection, trace, absence,
       "What a PEER_ERROR with ref_kind OPE_INDEX gives up is a message whose data is read, of the side that reads "
       "it, or goes by CTS, of the side that sends it.", "EFA/A-94: not a write, a read or an atomic"},
      {"EFA-4.10-5", must, any, kSection, trace, absence,
       "op_id of a PEER_ERROR with ref_kind MSG_ID is that of a message of its sender, of which data came."},
      {"EFA-4.10-6", must, any, kSection, trace, octets,
       "op_id of a PEER_ERROR with ref_kind MSG_ID_SKIP is that of a message of which nothing was sent, or that "
       "waits for its first CTS.",
       "EFA/A-95: a packet that the device has not delivered may be in a capture of its sender: warned of"},
      {"EFA-4.10-7", must_not, any, kSection, trace, order,
       "Nothing of an operation follows the PEER_ERROR by which its sender gives it up.", {},
       {{peer_error_and_eor, responder}}},
      {"EFA-4.10-8", must, any, kSection, trace, absence,
       "An operation is given up by one PEER_ERROR, and not behind the EOR or READ_NACK that answered it.",
       "EFA/A-71", {{eor_early, responder}}},
      {"EFA-4.10-201", must, responder, kSection, stimulus, octets,
       "Messages behind one that its sender has given up by PEER_ERROR are delivered.", {},
       {{peer_error_ignored, "later documents"}}},
      {"EFA-4.10-202", must, responder, kSection, stimulus, octets,
       "A PEER_ERROR that names nothing that is under way, or has an unknown ref_kind, does no harm.", {},
       {{dies_of_unknown_id, "later documents"}}},
      {"EFA-4.10-203", must, responder, kSection, stimulus, octets,
       "A responder that cannot read the data of a message answers PEER_ERROR, not EOR, to a peer that has announced "
       "it.", "EFA/A-96: only of an endpoint that announces it; the device's refusal shows in that no EOR comes",
       {{peer_error_missing, "later documents"}}},
      {"EFA-4.10-221", must, requester, kSection, stimulus, octets,
       "A PEER_ERROR for what it wanted to be read, also one that comes again, does a requester no harm.", {},
       {{dies_of_unknown_id, "later documents"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::PeerErrorRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::PeerErrorRules, I> {
};

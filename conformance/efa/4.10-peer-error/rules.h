// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct PeerErrorRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.10 (main)";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.10-1", must_not, any, kSection, trace, octets,
       "An endpoint does not send a PEER_ERROR to a peer that has not announced ID 9.",
       "EFA/A-93: before the peer's HANDSHAKE it is a warning, as an application may declare that its peers are alike",
       {peer_error_unannounced}},
      {"EFA-4.10-2", must, any, kSection, trace, octets,
       "An endpoint sets ref_kind of a PEER_ERROR to 0, 1 or 2.", {}, {peer_error_undefined_kind}},
      {"EFA-4.10-3", must, any, kSection, trace, absence,
       "An endpoint sets op_id of a PEER_ERROR with ref_kind OPE_INDEX to that of an operation of the receiving side.",
       {}, {{peer_error_wrong_op_id, responder}}},
      {"EFA-4.10-4", must, any, kSection, trace, absence,
       "An endpoint uses ref_kind OPE_INDEX to give up only a message whose data it was to read, or was to send in "
       "CTSDATA.", "EFA/A-94: it is not a write, a read or an atomic"},
      {"EFA-4.10-5", must, any, kSection, trace, absence,
       "An endpoint sets op_id of a PEER_ERROR with ref_kind MSG_ID to that of a message of its own for which it has "
       "sent data."},
      {"EFA-4.10-6", must, any, kSection, trace, octets,
       "An endpoint sets op_id of a PEER_ERROR with ref_kind MSG_ID_SKIP to that of a message that it has not sent, "
       "or that waits for its first CTS.",
       "EFA/A-95: a capture at the sender may contain a packet that the device has not delivered, so it is a warning"},
      {"EFA-4.10-7", must_not, any, kSection, trace, order,
       "An endpoint sends nothing more for an operation after the PEER_ERROR by which it gives it up.", {},
       {{peer_error_and_eor, responder}}},
      {"EFA-4.10-8", must, any, kSection, trace, absence,
       "An endpoint gives up an operation by exactly one PEER_ERROR, and not after the EOR or READ_NACK that answered "
       "it.", "EFA/A-71", {{eor_early, responder}}},
      {"EFA-4.10-201", must, responder, kSection, stimulus, octets,
       "A responder delivers the messages that follow one that the sender has given up by PEER_ERROR.", {},
       {{peer_error_ignored, "later documents"}}},
      {"EFA-4.10-202", must, responder, kSection, stimulus, octets,
       "A responder keeps working after a PEER_ERROR that names nothing in progress or has an unknown ref_kind.", {},
       {{dies_of_unknown_id, "later documents"}}},
      {"EFA-4.10-203", must, responder, kSection, stimulus, octets,
       "A responder that cannot read the data of a message answers PEER_ERROR, not EOR, if the peer has announced it.",
       "EFA/A-96: only for an endpoint that announces it. The absence of an EOR shows that the device refused",
       {{peer_error_missing, "later documents"}}},
      {"EFA-4.10-221", must, requester, kSection, stimulus, octets,
       "A requester keeps working after a PEER_ERROR, even a repeated one, for data that it offered for reading.", {},
       {{dies_of_unknown_id, "later documents"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::PeerErrorRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::PeerErrorRules, I> {
};

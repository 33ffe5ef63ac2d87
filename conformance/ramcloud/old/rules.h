// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct OldRules : Words {
  static constexpr std::string_view kRequestLost = "RAMCloud RPC, Single packet request is lost";
  static constexpr std::string_view kResponseLost = "RAMCloud RPC, Single packet response is lost";
  static constexpr std::string_view kOldResponseLost = "RAMCloud RPC, Old: Single packet response is lost";
  static constexpr std::string_view kOldRequestLost = "RAMCloud RPC, Old: Single packet request is lost";
  static constexpr std::string_view kLongRequestLost = "RAMCloud RPC, Multi-packet request is lost";
  static constexpr std::string_view kLongResponseLost = "RAMCloud RPC, Multi-packet response is lost";
  static constexpr std::string_view kOldLongRequestLost = "RAMCloud RPC, Old: Multi-packet request is lost";
  static constexpr std::string_view kConnectionSetup = "RAMCloud RPC, Old: Connection Setup";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-old-1", must, client, kRequestLost, stimulus, octets,
       "A client resends the whole request if it gets no answer to a request of one packet.", "RAMCLOUD/R25",
       {never_retransmits, resend_differs}},
      {"RAMCLOUD-old-2", must, client, kRequestLost, stimulus, octets,
       "A client gives up a request of one packet after a finite number of repetitions.", "RAMCLOUD/R23",
       {{never_gives_up, warning}}},
      {"RAMCLOUD-old-3", must, client, kResponseLost, stimulus, octets,
       "A client whose response of one packet was lost repeats the request, and accepts the response that follows.",
       {}, {never_retransmits, silent_once_acknowledged}},
      {"RAMCLOUD-old-4", obsolete, server, kOldResponseLost, none, octets,
       "The server keeps the latest response of each connection.",
       "RAMCLOUD/R24: rpcIds count per channel, so the response is kept per channel; RAMCLOUD-old-6 judges that"},
      {"RAMCLOUD-old-5", must, server, kResponseLost, stimulus, octets,
       "A server answers a repeated request with the stored response, and does not execute it again.", "RAMCLOUD/R25",
       {re_executes_duplicate, no_stored_response, total_frags_changes, retransmit_differs}},
      {"RAMCLOUD-old-6", must, server, kResponseLost, stimulus, octets,
       "A server stores the latest response of each channel.", "RAMCLOUD/R24",
       {stored_response_one_per_session, total_frags_changes, re_executes_duplicate, no_stored_response,
        retransmit_differs}},
      {"RAMCLOUD-old-7", must, client, kOldRequestLost, api, octets,
       "A client that gives up reports it to its caller.", "Only the application above the client sees it"},
      {"RAMCLOUD-old-8", must, client, kLongRequestLost, stimulus, octets,
       "A client that gets no answer to a request of several packets asks for an ACK.", "RAMCLOUD/R21",
       {resend_differs, never_retransmits, partial_response_accepted}},
      {"RAMCLOUD-old-9", must, client, kLongRequestLost, stimulus, octets,
       "A client resends the fragments that an ACK reports as missing, and no acknowledged ones.", "RAMCLOUD/R21",
       {resends_everything, never_retransmits, token_not_used, client_hint_changes}},
      {"RAMCLOUD-old-10", must, server, kLongRequestLost, stimulus, octets,
       "A server that is asked for an ACK reports exactly which fragments of an incomplete request it has.",
       "RAMCLOUD/R21",
       {no_ack, response_before_request_complete, reorder_not_tolerated, direction_clear_in_ack, ack_bits_beyond_total,
        ack_wrong_rpc, ack_wrong_channel, sessions_share_channels, response_for_incomplete_after_ack, wrong_acks}},
      {"RAMCLOUD-old-11", must, client, kLongRequestLost, stimulus, octets,
       "A client also gives up a request of several packets after a finite number of repetitions.", "RAMCLOUD/R23",
       {{never_gives_up, warning}}},
      {"RAMCLOUD-old-12", must, server, kLongResponseLost, stimulus, octets,
       "A server resends the whole response to a repeated request if all fragments of the response were lost.", {},
       {no_stored_response, response_before_request_complete, total_frags_changes, sessions_share_channels,
        retransmit_differs}},
      {"RAMCLOUD-old-13", must, server, kLongResponseLost, stimulus, octets,
       "A server resends the fragments that an unrequested ACK reports as missing, and no acknowledged ones.",
       "RAMCLOUD/R16: the ACK may have to come several times",
       {resends_everything_on_ack, ignores_unsolicited_ack, response_before_request_complete, total_frags_changes,
        sessions_share_channels, retransmit_differs}},
      {"RAMCLOUD-old-14", must, client, kLongResponseLost, stimulus, octets,
       "A client that lacks fragments of a response sends an unrequested ACK.", "RAMCLOUD/R16",
       {no_unsolicited_ack, no_ack, ack_wrong_rpc, ack_wrong_channel, data_before_open_response, token_not_used,
        partial_response_accepted, response_reorder_not_tolerated}},
      {"RAMCLOUD-old-15", must, client, kLongResponseLost, stimulus, octets,
       "A client gives up a partial response after a finite number of ACKs.", "RAMCLOUD/R23",
       {{never_gives_up, warning}}},
      {"RAMCLOUD-old-16", obsolete, client, kOldLongRequestLost, none, octets,
       "The client asks for the state of a request with an empty packet, marked by a bit or a fragment id past the "
       "end.", "RAMCLOUD/R21: requestAck is a flag of a DATA fragment; RAMCLOUD-old-8 judges that"},
      {"RAMCLOUD-old-17", must, client, kLongResponseLost, stimulus, octets,
       "A client repeats the request if all fragments of a response of several packets were lost.", {},
       {never_retransmits, partial_response_accepted}},
      {"RAMCLOUD-old-18", obsolete, server, kOldLongRequestLost, none, octets,
       "A server reports the state of a request under a control bit and opcode 2, as a bitmap.",
       "RAMCLOUD/R22: payloadType PT_ACK with firstMissingFrag and stagingVector; RAMCLOUD-ack-* judge that"},
      {"RAMCLOUD-old-19", obsolete, client, kConnectionSetup, none, octets,
       "A client asks for a connection under connection id 0, with a request flag.",
       "RAMCLOUD/R22: payloadType PT_SESSION_OPEN; RAMCLOUD-openRequest-* judge that"},
      {"RAMCLOUD-old-20", obsolete, server, kConnectionSetup, none, octets,
       "A server sends the new connection id in the first three octets of a payload, under a reply flag.",
       "RAMCLOUD/R22: the header's sessionToken and hints; RAMCLOUD-openResponse-* and RAMCLOUD-sessionToken-* judge "
       "that"},
      {"RAMCLOUD-old-21", may, any, kConnectionSetup, none, octets,
       "A machine closes connections that have been idle for long.",
       "RAMCLOUD/R36: no packet and no period is defined for it; a server may forget a session at any time"},
      {"RAMCLOUD-old-22", obsolete, server, kConnectionSetup, none, octets,
       "A server answers a packet of a closed connection with an error packet.",
       "RAMCLOUD/R22: payloadType PT_BAD_SESSION; RAMCLOUD-badSession-4 judges that"},
      {"RAMCLOUD-old-23", must, client, kOldResponseLost, trace, absence,
       "A client that lacks the response to a request asks again, and does not stay silent.", "RAMCLOUD/R42"},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::OldRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::OldRules, I> {
};

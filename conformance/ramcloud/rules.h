// SPDX-License-Identifier: Apache-2.0
// The rules of RAMCloud RPC that a trace can show to be broken, and the checks that judge them. A rule's id names its
// section, and the section names the file: RAMCLOUD-ack-5 is declared and judged in ack.cc. The rules that need a
// stimulus are beside their cases, in <section>_cases.cc (cases.h).
//
// Each check judges the sender of the packet; `seen.session` is set where noted.
#pragma once

#include "conformance/breach.h"
#include "conformance/catalogue.h"
#include "conformance/judge.h"
#include "conformance/ramcloud/trace_state.h"
#include "conformance/section.h"

namespace wirelaw::ramcloud {

// transport.cc: "RPC Protocol", the introduction
extern const Rule kIpWithoutOptions;  // RAMCLOUD-transport-1
RuleList transport_rules();
void judge_transport(Judge& judge, const Message& message);

// session.cc: "Sessions and Channels"
extern const Rule kSessionBeforeData;  // RAMCLOUD-session-1
extern const Rule kOneRpcPerChannel;   // RAMCLOUD-session-6
RuleList session_rules();
BreachList session_breaches();
// `known`: the packet's session was opened before, as far as the trace shows.
void judge_session_before_data(Judge& judge, const Seen& seen, bool known);
// At the first packet of a new RPC: `previous` is the RPC before it on the channel.
void judge_one_rpc_per_channel(Judge& judge, const Seen& seen, const Exchange& previous);

// header.cc: "RAMCloud RPC Header format"
extern const Rule kWholeHeader;            // RAMCLOUD-header-1
extern const Rule kPayloadTypeInHighBits;  // RAMCLOUD-header-2
extern const Rule kFlagsInLowBits;         // RAMCLOUD-header-3
extern const Rule kLittleEndian;           // RAMCLOUD-header-4
RuleList header_rules();
BreachList header_breaches();
bool judge_whole_header(Judge& judge, const Message& message);
void judge_nibbles(Judge& judge, const Rule& rule, const Seen& seen, bool swapped);
// What it rests on that rpcIds were skipped: their RPCs may be missing from the capture where all of them fit into the
// time, one after the other on one channel.
Evidence evidence_of_skipped(std::uint32_t from, std::uint32_t to, std::int64_t elapsed_ns);
// Whether `value` can only be meant as `intended` with its octets in network order; exercises the rule where the two
// orders differ, and counts a breach. `elapsed_ns`: since the packet before it on the channel.
bool judge_octet_order(Judge& judge, OctetRange where, std::uint32_t value, std::uint32_t intended,
                       std::int64_t elapsed_ns);
// The same for the numbers of a message with several fragments.
bool judge_fragment_octet_order(Judge& judge, const Seen& seen, Transfer& transfer);

// payload_type.cc
extern const Rule kAssignedPayloadType;  // RAMCLOUD-payloadType-1
RuleList payload_type_rules();
BreachList payload_type_breaches();
bool judge_payload_type(Judge& judge, const Seen& seen);

// session_token.cc
extern const Rule kClientKeepsToken;  // RAMCLOUD-sessionToken-2
extern const Rule kServerKeepsToken;  // RAMCLOUD-sessionToken-3
extern const Rule kTokensDiffer;      // RAMCLOUD-sessionToken-4
RuleList session_token_rules();
BreachList session_token_breaches();
// `session` is the one that the packet must belong to by its hints.
void judge_session_token(Judge& judge, const Seen& seen, const Session& session);
void judge_new_token(Judge& judge, const Seen& seen, const Session* holder);

// client_session_hint.cc
extern const Rule kClientHintKept;            // RAMCLOUD-clientSessionHint-1
extern const Rule kClientHintInOpenResponse;  // RAMCLOUD-clientSessionHint-2
extern const Rule kServerEchoesClientHint;    // RAMCLOUD-clientSessionHint-3
RuleList client_session_hint_rules();
BreachList client_session_hint_breaches();
void judge_client_hint(Judge& judge, const Seen& seen);  // session set
void judge_client_hint_in_open_response(Judge& judge, const Seen& seen, bool echoed);

// server_session_hint.cc
extern const Rule kServerHintKept;          // RAMCLOUD-serverSessionHint-1
extern const Rule kClientEchoesServerHint;  // RAMCLOUD-serverSessionHint-2
RuleList server_session_hint_rules();
BreachList server_session_hint_breaches();
void judge_server_hint(Judge& judge, const Seen& seen);  // session set

// channel_id.cc
extern const Rule kChannelWithinBounds;       // RAMCLOUD-channelId-1
extern const Rule kAnswerOnChannelOfRequest;  // RAMCLOUD-channelId-2
RuleList channel_id_rules();
BreachList channel_id_breaches();
void judge_client_channel(Judge& judge, const Seen& seen);                 // session set
void judge_server_channel(Judge& judge, const Seen& seen, bool was_used);  // session set

// rpc_id.cc
extern const Rule kRpcIdStartsAtZero;         // RAMCLOUD-rpcId-1
extern const Rule kRpcIdStepsByOne;           // RAMCLOUD-rpcId-2
extern const Rule kRpcIdOfTheRequest;         // RAMCLOUD-rpcId-4
extern const Rule kRpcIdRestartsWithSession;  // RAMCLOUD-rpcId-7
RuleList rpc_id_rules();
BreachList rpc_id_breaches();
void judge_first_rpc_id(Judge& judge, const Seen& seen);  // session set
// `is_settled`: the RPC before may not be an old one, whose packet came late.
void judge_next_rpc_id(Judge& judge, const Seen& seen, const Exchange& previous, bool is_settled);  // session set
void judge_server_rpc_id(Judge& judge, const Seen& seen, Channel& channel);                         // session set

// frag_number.cc and total_frags.cc
extern const Rule kFragNumberBelowTotal;  // RAMCLOUD-fragNumber-1
extern const Rule kFragmentKeepsItsData;  // RAMCLOUD-fragNumber-5
RuleList frag_number_rules();
BreachList frag_number_breaches();
bool judge_frag_number(Judge& judge, const Seen& seen, const Transfer& transfer);
void judge_fragment_data(Judge& judge, const Seen& seen, Transfer& transfer);
extern const Rule kAtLeastOneFragment;       // RAMCLOUD-totalFrags-1
extern const Rule kTotalFragsKept;           // RAMCLOUD-totalFrags-2
extern const Rule kNoResponseBeforeRequest;  // RAMCLOUD-totalFrags-3
RuleList total_frags_rules();
BreachList total_frags_breaches();
bool judge_total_frags(Judge& judge, const Seen& seen, const Transfer& transfer);
void judge_response_after_request(Judge& judge, const Seen& seen, const Transfer& request);

// direction.cc
extern const Rule kServerSetsDirection;    // RAMCLOUD-direction-1
extern const Rule kClientClearsDirection;  // RAMCLOUD-direction-2
RuleList direction_rules();
BreachList direction_breaches();
// `evidence`: what it rests on that the sender has the role in which it is judged.
void judge_direction(Judge& judge, const Seen& seen, Evidence evidence = Evidence::octets);

// request_ack.cc, please_drop.cc, reserved1.cc
extern const Rule kRequestAckOnlyWithData;  // RAMCLOUD-requestAck-4
RuleList request_ack_rules();
BreachList request_ack_breaches();
extern const Rule kPleaseDropOnlyForTests;  // RAMCLOUD-pleaseDrop-3
RuleList please_drop_rules();
BreachList please_drop_breaches();
extern const Rule kReserved1Clear;  // RAMCLOUD-reserved1-1
RuleList reserved1_rules();
BreachList reserved1_breaches();
void judge_request_ack(Judge& judge, const Seen& seen);
void judge_please_drop(Judge& judge, const Seen& seen);
void judge_reserved1(Judge& judge, const Seen& seen);

// open_request.cc and open_response.cc: "PT_SESSION_OPEN", "Session Open Response Payload Format"
extern const Rule kOpenRequestEmpty;  // RAMCLOUD-openRequest-1
RuleList open_request_rules();
BreachList open_request_breaches();
void judge_open_request(Judge& judge, const Seen& seen);
extern const Rule kOpenResponseHasMaxChannel;  // RAMCLOUD-openResponse-1
extern const Rule kOpenResponseIsOneOctet;     // RAMCLOUD-openResponse-2
extern const Rule kOpenResponseWasAskedFor;    // RAMCLOUD-openResponse-4
RuleList open_response_rules();
BreachList open_response_breaches();
void judge_open_response(Judge& judge, const Seen& seen, bool asked_for);

// bad_session.cc: "PT_BAD_SESSION"
extern const Rule kBadSessionEmpty;        // RAMCLOUD-badSession-1
extern const Rule kBadSessionFromServer;   // RAMCLOUD-badSession-2
extern const Rule kBadSessionNamesClient;  // RAMCLOUD-badSession-3
RuleList bad_session_rules();
BreachList bad_session_breaches();
void judge_bad_session(Judge& judge, const Seen& seen, bool from_client, std::optional<bool> hint_known);
// The first packet of an RPC: that BAD_SESSION has not ended its session long before.
void judge_new_in_refused(Judge& judge, const Seen& seen);
extern const Rule kBadSessionIsLeft;  // RAMCLOUD-badSession-5

// ack.cc: "Acknowledgement Response Payload Format"
extern const Rule kAckHoldsBothFields;         // RAMCLOUD-ack-1
extern const Rule kAckEndsAfterThem;           // RAMCLOUD-ack-2
extern const Rule kFirstMissingWithinMessage;  // RAMCLOUD-ack-3
extern const Rule kFirstMissingWasSent;        // RAMCLOUD-ack-4
extern const Rule kStagedFragmentsWereSent;    // RAMCLOUD-ack-5
extern const Rule kNothingStagedBeyondEnd;     // RAMCLOUD-ack-8
extern const Rule kAckNamesAMessage;           // RAMCLOUD-ack-9
extern const Rule kServerAcksWhenAsked;        // RAMCLOUD-ack-13
RuleList ack_rules();
BreachList ack_breaches();
bool judge_ack_payload(Judge& judge, const Seen& seen);
void judge_ack_subject(Judge& judge, const Seen& seen, bool known);
// `acknowledged` is the message that the ACK is about: the request for a server, the response for a client.
void judge_ack(Judge& judge, const Seen& seen, Transfer& acknowledged);
extern const Rule kServerFirstMissing, kClientFirstMissing;  // RAMCLOUD-ack-6, -14

// silence.cc: what is due at the end of a trace
extern const Rule kServerAnswers;    // RAMCLOUD-session-9
extern const Rule kClientAsksAgain;  // RAMCLOUD-old-23
RuleList silence_rules();
// `alive_ns`: when each side sent its latest packet. One that sends nothing more may have been ended (RAMCLOUD/R42).
using AliveNs = std::array<std::int64_t, 2>;
void judge_open_answered(Judge& judge, const PendingOpen& open, const AliveNs& alive_ns);
void judge_request_answered(Judge& judge, const Session& session, const Exchange& exchange, const AliveNs& alive_ns);

// old.cc: "Old:", what is superseded, and what nobody can see from outside
RuleList old_rules();

}  // namespace wirelaw::ramcloud

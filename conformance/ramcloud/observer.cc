// SPDX-License-Identifier: Apache-2.0
// Applies the checks of the sections to the facts of the tracker, in the order of a packet's layout and then of the
// state.
#include "conformance/ramcloud/observer.h"

#include "conformance/ramcloud/ack/ack.h"
#include "conformance/ramcloud/badSession/bad_session.h"
#include "conformance/ramcloud/channelId/channel_id.h"
#include "conformance/ramcloud/clientSessionHint/client_session_hint.h"
#include "conformance/ramcloud/direction/direction.h"
#include "conformance/ramcloud/fragNumber/frag_number.h"
#include "conformance/ramcloud/header/header.h"
#include "conformance/ramcloud/header/rules.h"
#include "conformance/ramcloud/openRequest/open_request.h"
#include "conformance/ramcloud/openResponse/open_response.h"
#include "conformance/ramcloud/payloadType/payload_type.h"
#include "conformance/ramcloud/pleaseDrop/please_drop.h"
#include "conformance/ramcloud/requestAck/request_ack.h"
#include "conformance/ramcloud/reserved1/reserved1.h"
#include "conformance/ramcloud/rpcId/rpc_id.h"
#include "conformance/ramcloud/serverSessionHint/server_session_hint.h"
#include "conformance/ramcloud/session/session.h"
#include "conformance/ramcloud/session/silence.h"
#include "conformance/ramcloud/sessionToken/session_token.h"
#include "conformance/ramcloud/totalFrags/total_frags.h"
#include "conformance/ramcloud/tracker/tracker.h"
#include "conformance/ramcloud/transport/transport.h"

namespace wirelaw::ramcloud {
namespace {

class RamcloudObserver final : public Observer {
 public:
  explicit RamcloudObserver(const ObserverLimits& limits) : tracker_(limits.octets) {}

  void observe(const Message& message, Judge& judge) override;
  void finish(Judge& judge) override;
  std::string partial() const override { return tracker_.partial(); }
  std::size_t memory() const override { return tracker_.memory(); }

 private:
  Tracker tracker_;
};

void check_flags(Judge& judge, const PacketFacts& facts) {
  if (facts.kind == Kind::open_request) check_nibbles(judge, rule<"RAMCLOUD-header-2">, facts);
  if (facts.kind == Kind::open_response) check_nibbles(judge, rule<"RAMCLOUD-header-3">, facts);
  if (facts.are_nibbles_swapped) return;  // the flags there are the payload type
  check_payload_type(judge, facts);
  check_reserved1(judge, facts);
  check_please_drop(judge, facts);
  check_request_ack(judge, facts);
}

void check_opening(Judge& judge, const PacketFacts& facts) {
  if (facts.kind == Kind::open_request) check_open_request(judge, facts);
  if (const auto& fact = facts.open_response) {
    if (fact->is_to_dropped) check_dropped(judge);
    check_open_response(judge, facts, *fact);
    if (fact->is_hint_asked_with) check_client_hint_in_open_response(judge, facts, *fact->is_hint_asked_with);
  }
  if (facts.repeated_response) check_repeated_response(judge, facts, *facts.repeated_response);
  if (facts.new_token) check_new_token(judge, facts, *facts.new_token);
  if (facts.bad_session) check_bad_session(judge, facts, *facts.bad_session);
}

void check_rpc(Judge& judge, const PacketFacts& facts) {
  if (facts.max_channel) check_client_channel(judge, facts, *facts.max_channel);
  if (facts.is_channel_used) check_server_channel(judge, facts, *facts.is_channel_used);
  if (facts.first_rpc) check_first_rpc_id(judge, facts, *facts.first_rpc);
  if (facts.next_rpc) check_next_rpc_id(judge, facts, *facts.next_rpc);
  if (facts.previous_rpc) check_one_rpc_per_channel(judge, facts, *facts.previous_rpc);
  if (facts.answered_rpc) check_server_rpc_id(judge, facts, *facts.answered_rpc);
  if (facts.answered_request) check_response_after_request(judge, *facts.answered_request);
  if (facts.served) check_served_after_refusal(judge, *facts.served);
}

void check_fragment(Judge& judge, const PacketFacts& facts, const FragmentFact& fact) {
  if (!check_total_frags(judge, facts, fact)) return;
  check_frag_number(judge, facts);
  if (fact.is_in_network_order) check_fragment_order(judge, facts, *fact.is_in_network_order);
  if (fact.is_same_data) check_fragment_data(judge, facts, *fact.is_same_data);
}

void check(Judge& judge, const PacketFacts& facts) {
  check_flags(judge, facts);
  if (facts.kind == Kind::ack && !facts.message.is_cut()) check_ack_payload(judge, facts);
  if (facts.is_session_open) check_session_before_data(judge, facts.header(), *facts.is_session_open);
  if (facts.token) check_session_token(judge, facts.header(), *facts.token);
  if (facts.direction) check_direction(judge, facts, *facts.direction);
  check_opening(judge, facts);
  if (facts.hints) {
    check_client_hint(judge, facts, *facts.hints);
    check_server_hint(judge, facts, *facts.hints);
  }
  check_rpc(judge, facts);
  if (facts.fragment) check_fragment(judge, facts, *facts.fragment);
  if (facts.ack_subject) check_ack_subject(judge, facts, *facts.ack_subject);
  if (facts.ack) check_ack(judge, facts, *facts.ack);
}

void check(Judge& judge, const StrayFact& stray) {
  judge.at({.octets = {},
            .wire_length = layout::kHeader,
            .sender = stray.sender,
            .index = stray.packet.index,
            .frame = stray.packet.frame,
            .time_ns = stray.packet.time_ns});
  if (stray.token)
    check_session_token(judge, stray.header, *stray.token);
  else
    check_session_before_data(judge, stray.header, false);
}

void RamcloudObserver::observe(const Message& message, Judge& judge) {
  judge.at(message);
  if (!tracker_.admit(message)) return;
  check_transport(judge, message);
  if (!check_whole_header(judge, message)) return;
  if (const auto packet = decode(message.octets))
    check(judge, tracker_.follow(message, *packet));
  else  // the packet on the wire was long enough
    tracker_.pass_over_cut();
}

void RamcloudObserver::finish(Judge& judge) {
  const EndFacts facts = tracker_.finish();
  for (const StrayFact& stray : facts.strays) check(judge, stray);
  for (const OpenFact& open : facts.opens) check_open_answered(judge, open);
  for (const LastRpcFact& rpc : facts.rpcs) check_request_answered(judge, rpc);
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  return std::make_unique<RamcloudObserver>(limits);
}

bool plausible(const Message& first) {
  const auto packet = decode(first.octets);
  return packet && is_assigned(packet->header.payload_type);
}

bool recognises(const Message& first) {
  const auto packet = decode(first.octets);
  if (!packet || first.wire_length != layout::kHeader) return false;
  const Header& h = packet->header;
  return h.payload_type == PayloadType::session_open && h.flags == Flags{.please_drop = h.flags.please_drop} &&
         h.rpc_id == 0 && h.frag_number == 0 && h.total_frags <= 1 && h.channel_id == 0;
}

}  // namespace wirelaw::ramcloud

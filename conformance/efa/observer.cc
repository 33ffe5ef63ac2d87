// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/observer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "conformance/efa/1.3-base-header/base_header.h"
#include "conformance/efa/1.4-raw-address/raw_address.h"
#include "conformance/efa/2.1-extra-features/extras.h"
#include "conformance/efa/2.1-handshake/handshake.h"
#include "conformance/efa/2.1-handshake/handshake_format.h"
#include "conformance/efa/2.2-raw-address-header/raw_address_header.h"
#include "conformance/efa/3.1-req/req.h"
#include "conformance/efa/3.2-cts/cts.h"
#include "conformance/efa/3.2-ctsdata/ctsdata.h"
#include "conformance/efa/3.2-eager/eager.h"
#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/3.2-medium/medium.h"
#include "conformance/efa/3.2-msg-id/msg_id.h"
#include "conformance/efa/3.3-atomic/atomic.h"
#include "conformance/efa/3.3-atomrsp/atomrsp.h"
#include "conformance/efa/3.3-read/read.h"
#include "conformance/efa/3.3-readrsp/readrsp.h"
#include "conformance/efa/3.3-write/write.h"
#include "conformance/efa/4.1-eor/eor.h"
#include "conformance/efa/4.1-long-read/long_read.h"
#include "conformance/efa/4.10-peer-error/peer_error.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/4.4-connid/connid.h"
#include "conformance/efa/4.5-runting-read/runting_read.h"
#include "conformance/efa/4.7-read-nack/read_nack.h"
#include "conformance/efa/4.8-user-recv-qp/user_recv_qp.h"
#include "conformance/efa/claim_rows.h"
#include "conformance/efa/held_breaches.h"
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

// The interval between checks of the memory used.
constexpr std::uint64_t kMessagesBetweenChecks = 256;

using Handler = void (*)(Judge&, const SeenPacket&, TraceState&);

// Gives the facts that `follow` finds in a packet to its check.
template <auto check, auto follow>
void checked(Judge& judge, const SeenPacket& seen, TraceState& state) {
  check(judge, seen, follow(seen, state));
}

// A LONGCTS_RTM may continue a message whose read was refused (4.7).
void judge_longcts(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const ResumptionFact fact = follow_resumption(seen, state);
  check_resumption(judge, seen, fact);
  if (fact.begins_message) checked<check_longcts_message, follow_longcts_message>(judge, seen, state);
}

// Judges a HANDSHAKE, which need not be decoded.
void judge_greeting(Judge& judge, const Message& message, TraceState& state) {
  const auto fact = follow_handshake(message, state);
  if (!fact) return;
  check_handshake(judge, message, *fact);
  const Side peer = other(message.sender);
  if (const auto before = first_requests_of(peer, true, state)) check_first_requests(judge, peer, *before);
  judge.at(message);
}

void judge_early_extra(Judge& judge, Side side, TraceState& state, bool at_end) {
  if (const auto fact = take_early_extra(side, state, at_end)) check_early_extra(judge, side, *fact);
}

void judge_handshake(Judge& judge, const SeenPacket& seen, TraceState& state) {
  check_later_handshake(judge, seen, state.party(seen.sender()).document);
  judge_greeting(judge, seen.message, state);
  if (seen.packet.nextra_p3 < 3) return;
  take_extras(seen, state);
  for (const Side side : {Side::a, Side::b}) judge_early_extra(judge, side, state, false);
  judge.at(seen.message);
}

// Called at the end of the flow.
void finish_handshakes(Judge& judge, TraceState& state) {
  advise_one_handshake(judge, state.handshakes_again());
  for (const Side side : {Side::a, Side::b}) {
    const Side peer = other(side);
    if (!state.party(side).handshake)
      if (const auto fact = first_requests_of(peer, false, state)) check_first_requests(judge, peer, *fact);
    judge_early_extra(judge, peer, state, true);
    if (const auto fact = find_early_baseline(side, state)) check_early_extra(judge, side, *fact);
    if (const auto fact = find_missing_handshake(side, state)) check_missing_handshake(judge, side, *fact);
  }
}

// Returns false if the address is incomplete: a receiver cannot use the packet.
bool judge_raw_address(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!seen.packet.has(flag::kRawAddress)) return true;
  const RawAddressFact fact = follow_raw_address(seen, state);
  check_raw_address(judge, seen, fact);
  return fact.address.has_value();
}

// The function that judges a REQ packet, by purpose and transfer.
struct RequestRow {
  Purpose purpose;
  Transfer transfer;
  Handler handler;
};
constexpr RequestRow kRequests[] = {
    {Purpose::message, Transfer::eager, checked<check_eager_message, follow_eager_message>},
    {Purpose::message, Transfer::medium, checked<check_medium_message, follow_medium_message>},
    {Purpose::message, Transfer::long_cts, judge_longcts},
    {Purpose::message, Transfer::long_read, checked<check_longread_message, follow_longread>},
    {Purpose::message, Transfer::runting_read, checked<check_runting_message, follow_runting_message>},
    {Purpose::write, Transfer::eager, checked<check_eager_write, follow_eager_write>},
    {Purpose::write, Transfer::long_cts, checked<check_longcts_write, follow_longcts_write>},
    {Purpose::write, Transfer::long_read, checked<check_longread_write, follow_longread>},
    {Purpose::read, Transfer::eager, checked<check_read_request, follow_read_request>},
    {Purpose::read, Transfer::long_cts, checked<check_read_request, follow_read_request>},
    {Purpose::atomic, Transfer::eager, checked<check_atomic_request, follow_atomic>},
};
constexpr std::pair<PacketType, Handler> kAnswers[] = {
    {PacketType::cts, checked<check_cts, follow_cts>},
    {PacketType::ctsdata, checked<check_ctsdata, follow_ctsdata>},
    {PacketType::readrsp, checked<check_readrsp, follow_readrsp>},
    {PacketType::eor, checked<check_eor, follow_eor>},
    {PacketType::atomrsp, checked<check_atomrsp, follow_atomrsp>},
    {PacketType::handshake, judge_handshake},
    {PacketType::receipt, checked<check_receipt, follow_receipt>},
    {PacketType::read_nack, checked<check_read_nack, follow_read_nack>},
    {PacketType::peer_error, checked<check_peer_error, follow_peer_error>},
};

// Handlers, indexed by packet type ID.
const std::array<Handler, 256>& handlers() {
  static const std::array<Handler, 256> kHandlers = [] {
    std::array<Handler, 256> all{};
    for (const auto& [type, handler] : kAnswers) all[static_cast<std::size_t>(type)] = handler;
    for (const Layout& layout : all_layouts())
      for (const RequestRow& row : kRequests)
        if (layout.is_request() && layout.purpose == row.purpose && layout.transfer == row.transfer)
          all[layout.id()] = row.handler;
    return all;
  }();
  return kHandlers;
}

// Judges a packet that does not decode.
void judge_broken(Judge& judge, const Message& message, const DecodeError& error, TraceState& state) {
  if (!follow_broken(message, state)) return;
  judge_whole(judge, message, error, sender_of(message.sender, state));
  const bool has_mandatory_header = error.offset > 0;
  if (error.layout->type == PacketType::handshake && has_mandatory_header) judge_greeting(judge, message, state);
}

// Returns false if the parts after the mandatory header cannot be located.
bool judge_headers(Judge& judge, const SeenPacket& seen, const SenderFact& sender, TraceState& state) {
  if (seen.layout.type == PacketType::handshake && !judge_handshake_format(judge, seen, sender)) return false;
  if (seen.layout.is_request()) {
    if (!judge_request(judge, seen, sender)) return false;
    if (!judge_raw_address(judge, seen, state)) return false;
    if (const auto fact = follow_address_header(seen, state)) check_address_header(judge, seen, *fact);
  }
  const ConnidFact fact = follow_connid(seen, state);
  check_connid(judge, seen, fact);
  return fact.is_payload_found();
}

// A type that only documents later than the sender's define is judged as an unassigned type.
bool judge_assigned(Judge& judge, const Message& message, TraceState& state) {
  const Revisions document = state.party(message.sender).document;
  const Layout* const layout = find_layout(message.octets[0]);
  if (!document.said || layout == nullptr || document.has(layout->since)) return true;
  return judge_type(judge, {.type = message.octets[0], .version = message.octets[1]}, layout, document);
}

void judge_contents(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (state.has_peer_errors()) [[unlikely]]
    if (const auto given_up = follow_given_up(seen, state)) {
      check_given_up(judge, seen, *given_up);
      return expect_any_answer(seen, state);
    }
  if (seen.layout.ordered() && !follows_read_nack(seen, state)) check_msg_id(judge, seen, follow_msg_id(seen, state));
  if (seen.layout.is_request()) {
    judge_request_payload(judge, seen);
    if (const auto fact = follow_queue_pair(seen, state)) check_queue_pair(judge, seen, *fact);
  }
  if (const Handler handler = handlers()[seen.packet.type]) handler(judge, seen, state);
}

void judge_replaced(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const ReplacedFact fact = note_replaced(seen, state);
  if (fact.unproven) check_replacement(judge, *fact.unproven);
  if (!fact.was_long_known || !judge.has_held_back()) return;
  const auto held = judge.take_held_back();
  if (*fact.was_long_known) settle_of_same_endpoint(judge, held);
}

void judge_disproved_newcomer(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const auto facts = take_ahead_of_newcomer(seen.sender(), true, state);
  for (const StrayConnidFact& fact : facts) check_stray_connid(judge, seen.sender(), fact);
  const auto held = judge.take_held_back();
  if (facts.front().was_long_known) settle_of_same_endpoint(judge, held);
  judge.at(seen.message);
}

void judge_address_again(Judge& judge, const AddressHeaderFact& fact, TraceState& state) {
  judge.take_held_back();  // those of others
  check_address_again(judge, fact);
  const auto held = judge.take_held_back();
  // Its message ID excludes that the two have met again, and the connids exclude that one was replaced.
  if (fact.continues_ids && was_there(Side::a, fact.mark.time_ns, state) &&
      was_there(Side::b, fact.mark.time_ns, state))
    settle_of_same_endpoint(judge, held);
}

class EfaObserver final : public Observer {
 public:
  explicit EfaObserver(const FlowLimits& limits) : state_(limits) {}

  void observe(const Message& message, Judge& judge) override;
  void finish(Judge& judge) override;
  std::string partial() const override { return state_.partial(); }
  std::string remark() const override { return revisions_of(state_); }
  std::size_t memory() const override { return state_.memory(); }

 private:
  TraceState state_;
  HeldBreaches held_;
  std::uint64_t messages_ = 0;
};

void EfaObserver::observe(const Message& message, Judge& judge) {
  judge.at(message);
  if (messages_++ % kMessagesBetweenChecks == 0) state_.keep_within_limits();
  const BaseHeaderFact base_header = follow_base_header(message, state_);
  check_base_header(judge, message, base_header);
  if (!base_header.is_readable) return;
  if (!judge_assigned(judge, message, state_)) return;
  const auto packet = decode(message.octets);
  if (!packet) return judge_broken(judge, message, packet.error(), state_);
  const Layout* const layout = packet->layout();
  note_revision(*packet, layout, message.sender, state_);
  const SenderFact sender = sender_of(message.sender, state_);
  if (!judge_type(judge, *packet, layout, sender.document)) return;
  const SeenPacket seen = see(message, *packet, *layout, messages_ == 1, state_);
  // Packets in transit from a destroyed endpoint (4.4) show nothing about the one that replaced it. The old endpoint
  // may also still exist, and the other side may have ignored the packet that showed a new one.
  if (is_of_replaced(seen, state_)) [[unlikely]]
    return judge_replaced(judge, seen, state_);
  if (may_meet_again(seen)) [[unlikely]]
    if (const auto unproven = follow_meeting_again(seen, state_)) {
      check_meeting_again(judge, *unproven);
      judge.at(message);
    }
  judge_format(judge, seen);
  judge_flags(judge, seen, sender.document);
  if (addresses_former(seen, state_)) {
    expect_any_answer(seen, state_);
    return end_packet(seen, state_);
  }
  if (is_ahead_of_newcomer(seen, state_)) [[unlikely]] {
    note_ahead_of_newcomer(seen, state_);
    return end_packet(seen, state_);
  }
  if (disproves_newcomer(seen, state_)) [[unlikely]]
    judge_disproved_newcomer(judge, seen, state_);
  const bool in_place = judge_headers(judge, seen, sender, state_);
  if (const auto fact = follow_extra(seen, state_)) check_extra(judge, seen, *fact);
  if (in_place) {
    judge_contents(judge, seen, state_);
  } else {
    pass_over(seen, state_);
    if (layout->type == PacketType::handshake) judge_greeting(judge, message, state_);
  }
  const bool is_in_question = judge.has_held_back();
  const PresenceFact presence = follow_presence(seen, is_in_question, state_);
  held_.settle(judge, is_in_question ? judge.take_held_back() : std::vector<HeldBack>{}, presence);
  end_packet(seen, state_);
}

void EfaObserver::finish(Judge& judge) {
  state_.end(judge.now_ns());
  for (const Side side : {Side::a, Side::b}) {
    for (const StrayConnidFact& fact : take_ahead_of_newcomer(side, false, state_))
      check_stray_connid(judge, side, fact);
    for (const ClaimFact& fact : find_unbegun(side, state_)) check_claim(judge, fact);
  }
  for (const Side side : {Side::a, Side::b})
    if (const auto unproven = take_replacement(side, state_)) check_replacement(judge, *unproven);
  if (const auto unproven = take_meeting_again(state_)) check_meeting_again(judge, *unproven);
  if (const auto& fact = state_.address_again()) judge_address_again(judge, *fact, state_);
  finish_handshakes(judge, state_);
  for (const ClaimFact& fact : find_claims(state_)) check_claim(judge, fact);
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  const bool is_homogeneous = std::ranges::find(limits.features, kHomogeneousPeers) != limits.features.end();
  return std::make_unique<EfaObserver>(FlowLimits{.octets = limits.octets,
                                                  .may_double = limits.may_double,
                                                  .has_homogeneous_peers = is_homogeneous,
                                                  .revision = revision_named(limits.revision),
                                                  .addresses = limits.addresses});
}

bool plausible(const Message& first) {
  const auto packet = decode(first.octets);
  return packet && packet->layout() != nullptr && packet->layout()->has_format();
}

bool recognises(const Message& first) {
  const auto packet = decode(first.octets);
  if (!packet || packet->version != kVersion) return false;
  const Layout* const layout = packet->layout();
  if (layout == nullptr || !layout->has_format() || (packet->flags & ~layout->allowed) != 0) return false;
  if (layout->is_request()) return packet->raw_address.size() >= layout::kRawAddress;
  return packet->is(PacketType::handshake) && !packet->extra_info.empty() && packet->payload.empty();
}

}  // namespace wirelaw::efa

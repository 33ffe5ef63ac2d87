// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/observer.h"

#include <algorithm>
#include <array>
#include <utility>

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
#include "conformance/efa/3.2-end/end.h"
#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/3.2-medium/medium.h"
#include "conformance/efa/3.2-msg-id/msg_id.h"
#include "conformance/efa/3.3-atomic/atomic.h"
#include "conformance/efa/3.3-atomrsp/atomrsp.h"
#include "conformance/efa/3.3-one-sided/one_sided.h"
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
#include "conformance/efa/contradictions.h"
#include "conformance/efa/revision.h"
#include "conformance/efa/same_endpoints.h"
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
  judge_later_handshake(judge, seen, state);
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
    finish_early_extras(judge, side, state);
    finish_handshake(judge, side, state);
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

class EfaObserver final : public Observer {
 public:
  explicit EfaObserver(const FlowLimits& limits) : state_(limits) {}

  void observe(const Message& message, Judge& judge) override;
  void finish(Judge& judge) override;
  std::string partial() const override { return state_.partial(); }
  std::string remark() const override { return revisions_of(state_); }
  std::size_t memory() const override { return state_.memory(); }

 private:
  void note_beginning(const SeenPacket& seen);
  bool is_for_former_endpoint(const SeenPacket& seen);
  void judge_broken(Judge& judge, const Message& message, const DecodeError& error);
  bool judge_headers(Judge& judge, const SeenPacket& seen);
  bool judge_assigned(Judge& judge, const Message& message);
  void judge_contents(Judge& judge, const SeenPacket& seen);
  void expect_any_answer(const SeenPacket& seen);
  void pass_over(Judge& judge, const SeenPacket& seen);
  void pass_over_replaced(Judge& judge, const SeenPacket& seen);
  void judge_ahead_of_newcomer(Judge& judge, Side side, bool is_disproved);
  void end_ahead_of_newcomer(Judge& judge, const SeenPacket& seen);
  void settle(Judge& judge, std::span<const HeldBack> held, const SeenPacket& seen,
              std::optional<std::uint32_t> connid) {
    if (seen.layout.ordered() || connid) contradictions_.settle(judge, held, seen, state_, connid);
    if (connid || !held.empty()) same_endpoints_.settle(judge, held, seen, state_, connid);
  }
  void note(const SeenPacket& seen);

  TraceState state_;
  Contradictions contradictions_;
  SameEndpoints same_endpoints_;
  std::uint64_t messages_ = 0;
};

void EfaObserver::observe(const Message& message, Judge& judge) {
  judge.at(message);
  if (messages_++ % kMessagesBetweenChecks == 0) state_.keep_within_limits();
  const BaseHeaderFact base_header = follow_base_header(message, state_);
  check_base_header(judge, message, base_header);
  if (!base_header.is_readable) return;
  if (!judge_assigned(judge, message)) return;
  const auto packet = decode(message.octets);
  if (!packet) return judge_broken(judge, message, packet.error());
  const Layout* const layout = packet->layout();
  Party& sender = state_.party(message.sender);
  if (layout != nullptr && may_show_revision(*layout, sender.document))
    note_revision(*packet, *layout, message.sender, state_);
  if (!judge_type(judge, *packet, layout, sender.document)) return;
  const auto same_before_ns = sender.recent.add(message);
  const SeenPacket seen{.message = message,
                        .packet = *packet,
                        .layout = *layout,
                        .headers = message.octets.size() - packet->payload.size(),
                        .doubled = same_before_ns.has_value(),
                        .same_before_ns = same_before_ns};
  if (messages_ == 1) note_beginning(seen);
  if (packet->version != kVersion) state_.note_partial("packets of another version may not have been answered");
  // Packets in transit from a destroyed endpoint (4.4) show nothing about the one that replaced it. The old endpoint
  // may also still exist, and the other side may have ignored the packet that showed a new one.
  if (is_of_replaced(seen, state_)) [[unlikely]]
    return pass_over_replaced(judge, seen);
  if (may_meet_again(seen)) [[unlikely]]
    if (const auto unproven = follow_meeting_again(seen, state_)) {
      check_meeting_again(judge, *unproven);
      judge.at(message);
    }
  judge_format(judge, seen);
  judge_flags(judge, seen, sender.document);
  if (sender.handshakes_owed > 0 && is_for_former_endpoint(seen)) {
    expect_any_answer(seen);
    return note(seen);
  }
  if (is_ahead_of_newcomer(seen, state_)) [[unlikely]] {
    note_ahead_of_newcomer(seen, state_);
    return note(seen);
  }
  if (!sender.ahead_of_newcomer.empty() && disproves_newcomer(seen, state_)) [[unlikely]]
    end_ahead_of_newcomer(judge, seen);
  const bool in_place = judge_headers(judge, seen);
  if (layout->extras != 0) {
    check_extras(judge, seen, state_);
    note_early_extra(seen, state_);
  }
  if (in_place)
    judge_contents(judge, seen);
  else
    pass_over(judge, seen);
  const std::optional<std::uint32_t> connid = said_connid(*packet);
  if (judge.has_held_back()) [[unlikely]]
    settle(judge, judge.take_held_back(), seen, connid);
  else
    settle(judge, {}, seen, connid);
  note(seen);
}

// Judges a packet that does not decode.
void EfaObserver::judge_broken(Judge& judge, const Message& message, const DecodeError& error) {
  if (message.is_cut()) return state_.note_partial("the capture cuts packets inside their headers");
  state_.note_partial("a packet that does not hold all of its headers is not judged further");
  judge_whole(judge, message, error, state_);
  const bool has_mandatory_header = error.offset > 0;
  if (error.layout->type == PacketType::handshake && has_mandatory_header) judge_greeting(judge, message, state_);
}

// Returns true if the sender may still address the former endpoint, because it has not sent a HANDSHAKE to the one that
// took its place (4.4).
bool EfaObserver::is_for_former_endpoint(const SeenPacket& seen) {
  unsigned& owed = state_.party(seen.sender()).handshakes_owed;
  if (seen.type() == PacketType::handshake) --owed;
  return owed > 0;
}

// Returns false if the parts after the mandatory header cannot be located.
bool EfaObserver::judge_headers(Judge& judge, const SeenPacket& seen) {
  if (seen.layout.type == PacketType::handshake && !judge_handshake_format(judge, seen, state_)) return false;
  if (seen.layout.is_request()) {
    if (!judge_request(judge, seen, state_)) return false;
    if (!judge_raw_address(judge, seen, state_)) return false;
    if (const auto fact = follow_address_header(seen, state_)) check_address_header(judge, seen, *fact);
  }
  const ConnidFact fact = follow_connid(seen, state_);
  check_connid(judge, seen, fact);
  return fact.is_payload_found();
}

// A type that only documents later than the sender's define is judged as an unassigned type.
bool EfaObserver::judge_assigned(Judge& judge, const Message& message) {
  const Document& document = state_.party(message.sender).document;
  const Layout* const layout = find_layout(message.octets[0]);
  if (!document.said || layout == nullptr || document.has(layout->since)) return true;
  return judge_type(judge, {.type = message.octets[0], .version = message.octets[1]}, layout, document);
}

// For a request that is not judged itself: the peer may still answer the IDs that it contains.
void EfaObserver::expect_any_answer(const SeenPacket& seen) {
  const bool has_id = seen.layout.find(Field::send_id) != nullptr || seen.layout.find(Field::recv_id) != nullptr;
  if (seen.layout.is_request() && has_id) state_.begin(seen).contradict();
}

void EfaObserver::judge_contents(Judge& judge, const SeenPacket& seen) {
  if (state_.has_peer_errors()) [[unlikely]]
    if (const auto given_up = follow_given_up(seen, state_)) {
      check_given_up(judge, seen, *given_up);
      return expect_any_answer(seen);
    }
  if (seen.layout.ordered() && !follows_read_nack(seen, state_)) check_msg_id(judge, seen, follow_msg_id(seen, state_));
  if (seen.layout.is_request()) {
    judge_request_payload(judge, seen);
    judge_default_queue_pair(judge, seen, state_);
  }
  if (const Handler handler = handlers()[seen.packet.type]) handler(judge, seen, state_);
}

void EfaObserver::pass_over_replaced(Judge& judge, const SeenPacket& seen) {
  const auto open = state_.replacement();
  if (const auto unproven = note_replaced(seen, state_)) check_replacement(judge, *unproven);
  if (open && judge.has_held_back())
    same_endpoints_.settle_returned(judge, judge.take_held_back(), open->side, open->former, open->mark.time_ns);
}

void EfaObserver::judge_ahead_of_newcomer(Judge& judge, Side side, bool is_disproved) {
  for (const StrayConnidFact& fact : take_ahead_of_newcomer(side, is_disproved, state_))
    check_stray_connid(judge, side, fact);
}

void EfaObserver::end_ahead_of_newcomer(Judge& judge, const SeenPacket& seen) {
  const Party& sender = state_.party(seen.sender());
  const auto earliest_ns = sender.ahead_of_newcomer.front().mark.time_ns;
  judge_ahead_of_newcomer(judge, seen.sender(), true);
  same_endpoints_.settle_returned(judge, judge.take_held_back(), seen.sender(), *sender.connid, earliest_ns);
  judge.at(seen.message);
}

void EfaObserver::pass_over(Judge& judge, const SeenPacket& seen) {
  // The receiver may also treat it as a packet of another endpoint (4.4).
  if (said_connid(seen.packet)) state_.party(other(seen.sender())).counts_anew = true;
  if (seen.layout.ordered()) note_msg_id(seen, state_);
  expect_any_answer(seen);
  if (seen.layout.type == PacketType::handshake)
    judge_greeting(judge, seen.message, state_);
  else
    state_.note_partial("a packet whose headers are out of place is not judged further");
}

// A flow that is seen from its start begins with a REQ that has a raw address, and the first message ID; of a message
// in segments, with the first. A HANDSHAKE answers something (2.1).
void EfaObserver::note_beginning(const SeenPacket& seen) {
  const bool first_request = seen.layout.is_request() && seen.packet.has(flag::kRawAddress) &&
                             !(seen.layout.ordered() && seen.packet.msg_id != 0) && seen.packet.seg_offset == 0;
  if (first_request) state_.begin_at_start();
}

void EfaObserver::note(const SeenPacket& seen) {
  Party& party = state_.party(seen.sender());
  const Mark mark = seen.mark();
  if (party.packets++ == 0) {
    party.first = mark;
    party.others_at_first = state_.party(other(seen.sender())).packets;
  }
  party.latest = mark;
  if (!seen.layout.is_request())
    party.last_answer = mark;
  else if (!party.first_request)
    party.first_request = mark;
  state_.note_latest(mark);
}

void EfaObserver::finish(Judge& judge) {
  state_.end(judge.now_ns());
  for (const Side side : {Side::a, Side::b}) {
    judge_ahead_of_newcomer(judge, side, false);
    finish_peer_errors(judge, side, state_);
  }
  if (const auto unproven = take_replacement(state_)) check_replacement(judge, *unproven);
  if (const auto unproven = take_meeting_again(state_)) check_meeting_again(judge, *unproven);
  if (const auto& fact = state_.address_again()) check_address_again(judge, *fact);
  finish_handshakes(judge, state_);
  finish_messages(judge, state_);
  finish_one_sided(judge, state_);
  finish_reads(judge, state_);
  finish_refused_writes(judge, state_);
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

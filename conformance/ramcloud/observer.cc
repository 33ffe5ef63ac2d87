// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/observer.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <utility>

#include "conformance/ramcloud/ack/ack.h"
#include "conformance/ramcloud/badSession/bad_session.h"
#include "conformance/ramcloud/basic_transport.h"
#include "conformance/ramcloud/channelId/channel_id.h"
#include "conformance/ramcloud/clientSessionHint/client_session_hint.h"
#include "conformance/ramcloud/direction/direction.h"
#include "conformance/ramcloud/fields.h"
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
#include "conformance/ramcloud/tracker/trace_state.h"
#include "conformance/ramcloud/transport/transport.h"

namespace wirelaw::ramcloud {
namespace {

// Flags octets of an open request and an open response whose nibbles are swapped.
constexpr Octet kSwappedOpenRequest = 0x02;
constexpr Octet kSwappedOpenResponse = 0x12;
// How often the memory is looked at.
constexpr std::uint64_t kMessagesBetweenChecks = 256;

class RamcloudObserver final : public Observer {
 public:
  explicit RamcloudObserver(const ObserverLimits& limits) : state_(limits) {}

  void observe(const Message& message, Judge& judge) override;
  void finish(Judge& judge) override;
  std::string partial() const override { return state_.partial(); }
  std::size_t memory() const override { return state_.memory(); }

 private:
  enum class Kind : std::uint8_t { open_request, open_response, bad_session, data, ack, unknown };

  Kind classify(const Seen& seen) const;
  bool is_swapped_open_request(const Seen& seen) const;
  bool is_swapped_open_response(const Seen& seen) const;
  Kind classify_open(const Seen& seen) const;

  void judge_flags(Judge& judge, const Seen& seen, Kind kind);
  void on_open_request(Judge& judge, Seen& seen);
  void on_open_response(Judge& judge, Seen& seen);
  void on_bad_session(Judge& judge, Seen& seen);
  void on_session_packet(Judge& judge, Seen& seen, Kind kind);

  // Finds or adopts the session of a DATA or ACK packet; judges tokens and hints. False where it has none.
  bool settle_session(Judge& judge, Seen& seen);
  static bool belongs_elsewhere(const Seen& seen);
  bool judge_stray(Judge& judge, Seen& seen);
  void adopt(Seen& seen);

  static void note_out_of_state(const Seen& seen, Channel& channel);
  void on_request(Judge& judge, Seen& seen);
  void on_response(Judge& judge, Seen& seen);
  void on_ack(Judge& judge, Seen& seen);
  void note_ack(const Seen& seen, Exchange& exchange);
  Exchange* exchange_of_request(Judge& judge, const Seen& seen, Channel& channel);
  void add_fragment(Judge& judge, const Seen& seen, Transfer& transfer);

  void note_early(std::uint64_t token);
  void hold_stray(Judge& judge, const Seen& seen, const Session* named);
  void judge_held_strays(Judge& judge);

  TraceState state_;
  // Of packets that a server has sent of sessions that were not opened yet, the latest: a client that gets one behind
  // the open response takes it.
  std::deque<std::uint64_t> early_tokens_;
  // A token that no open response brought: blamed at the end, as what follows may show that the capture began late.
  struct Stray {
    Header header;  // of the first packet with it from this side
    LatestPacket packet;
    Side sender = Side::a;
    std::optional<SessionIdentity> named;  // that its hints name
  };
  std::vector<Stray> strays_;
  std::array<std::int64_t, 2> alive_ns_{};  // when each side sent its latest packet
  std::uint64_t messages_ = 0;
  bool is_sibling_ = false;  // the flow is BasicTransport
};

void RamcloudObserver::observe(const Message& message, Judge& judge) {
  judge.at(message);
  if (messages_++ % kMessagesBetweenChecks == 0) state_.keep_within_limits();
  // The sequence number, the flags and the length of the first packet would have to be another header's by chance.
  if (messages_ == 1 && !message.is_cut()) is_sibling_ = is_basic_transport(message.octets);
  if (is_sibling_)
    return state_.note_partial("it is BasicTransport, a later transport of RAMCloud with rules of its own: not judged");
  judge_transport(judge, message);
  if (!judge_whole_header(judge, message)) return;
  const auto packet = decode(message.octets);
  if (!packet) {  // on the wire it was long enough: the capture has cut it
    state_.note_partial("the capture cuts packets inside the header");
    return;
  }
  Seen seen{.message = message, .packet = *packet};
  alive_ns_[static_cast<std::size_t>(message.sender)] = message.time_ns;
  // In any packet, whatever comes of it: BAD_SESSION may answer any.
  state_.note_client_hint(message.sender, packet->header.client_session_hint);
  const Kind kind = classify(seen);
  if (messages_ == 1 && kind != Kind::open_request) state_.begin_in_midstream();
  judge_flags(judge, seen, kind);
  switch (kind) {
    case Kind::open_request:
      return on_open_request(judge, seen);
    case Kind::open_response:
      return on_open_response(judge, seen);
    case Kind::bad_session:
      return on_bad_session(judge, seen);
    case Kind::data:
    case Kind::ack:
      return on_session_packet(judge, seen, kind);
    case Kind::unknown:
      return;
  }
}

// --- what a packet is

bool RamcloudObserver::is_swapped_open_request(const Seen& seen) const {
  return seen.message.octets[layout::kFlags] == kSwappedOpenRequest && seen.message.wire_length == layout::kHeader &&
         seen.header().total_frags <= 1 && state_.from_start() && !state_.has_sessions_of(seen.message.sender) &&
         (messages_ == 1 || state_.has_opens_of(seen.message.sender));
}

bool RamcloudObserver::is_swapped_open_response(const Seen& seen) const {
  const Side client = other(seen.message.sender);
  return seen.message.octets[layout::kFlags] == kSwappedOpenResponse &&
         seen.message.wire_length == layout::kHeader + layout::kOpenResponse && state_.from_start() &&
         state_.has_opens_of(client) && !state_.has_opens_of(seen.message.sender);
}

// A session open packet is a response where its direction flag is set; unless the flag is evidently wrong, because
// the sender could only have meant the other.
RamcloudObserver::Kind RamcloudObserver::classify_open(const Seen& seen) const {
  const Side sender = seen.message.sender;
  const bool empty = seen.message.wire_length == layout::kHeader;
  const bool other_has_asked = state_.has_opens_of(other(sender));
  const bool sender_has_asked = state_.has_opens_of(sender);
  if (seen.header().flags.direction) {
    const bool can_only_be_request = empty && !other_has_asked && (messages_ == 1 || sender_has_asked);
    return can_only_be_request ? Kind::open_request : Kind::open_response;
  }
  const bool can_only_be_response = !empty && other_has_asked && !sender_has_asked;
  return can_only_be_response ? Kind::open_response : Kind::open_request;
}

RamcloudObserver::Kind RamcloudObserver::classify(const Seen& seen) const {
  switch (seen.header().payload_type) {
    case PayloadType::session_open:
      return classify_open(seen);
    case PayloadType::bad_session:
      return Kind::bad_session;
    case PayloadType::data:
      return is_swapped_open_request(seen) ? Kind::open_request : Kind::data;
    case PayloadType::ack:
      return is_swapped_open_response(seen) ? Kind::open_response : Kind::ack;
  }
  return Kind::unknown;
}

void RamcloudObserver::judge_flags(Judge& judge, const Seen& seen, Kind kind) {
  const bool open = seen.header().payload_type == PayloadType::session_open;
  if (kind == Kind::open_request) judge_nibbles(judge, rule<"RAMCLOUD-header-2">, seen, !open);
  if (kind == Kind::open_response) judge_nibbles(judge, rule<"RAMCLOUD-header-3">, seen, !open);
  const bool swapped = !open && (kind == Kind::open_request || kind == Kind::open_response);
  if (swapped) return;  // the flags there are the payload type
  judge_payload_type(judge, seen);
  judge_reserved1(judge, seen);
  judge_please_drop(judge, seen);
  judge_request_ack(judge, seen);
}

// --- opening

void RamcloudObserver::on_open_request(Judge& judge, Seen& seen) {
  const Header& h = seen.header();
  seen.sender = Role::initiator;
  // Against its flag, a packet is taken for what it is by what was sent before.
  if (h.payload_type == PayloadType::session_open) judge_direction(judge, seen, Evidence::absence);
  judge_open_request(judge, seen);
  state_.note_open_request(seen.message, h);
}

void RamcloudObserver::on_open_response(Judge& judge, Seen& seen) {
  const Header& h = seen.header();
  const Side client = other(seen.message.sender);
  seen.sender = Role::responder;
  if (h.payload_type == PayloadType::session_open) judge_direction(judge, seen, Evidence::absence);

  PendingOpen* open = state_.find_open(client, h.client_session_hint);
  const bool any_open = state_.has_opens_of(client);
  if (state_.from_start()) {
    judge_open_response(judge, seen, any_open);
    if (any_open) judge_client_hint_in_open_response(judge, seen, open != nullptr);
  } else {
    judge_open_response(judge, seen, true);
  }

  if (h.flags.please_drop) return;  // whoever receives it does as if it had not
  const std::optional<std::uint8_t> announced = decode_open_response(seen.packet.payload);
  Session* holder = nullptr;
  for (Session& session : state_.sessions()) {
    if (session.token != h.session_token || session.client != client) continue;
    // The same response again: its packet was doubled on the way, or sent twice. Where the two contradict each other,
    // nobody knows which the client goes by; nor where the first was not seen.
    if (session.client_hint == h.client_session_hint && session.server_hint == h.server_session_hint) {
      if (session.max_channel_id) session.max_channel_id = std::max(session.max_channel_id, announced);
      return;
    }
    holder = &session;
  }
  judge_new_token(judge, seen, holder);
  if (holder != nullptr) {  // the packets of the two cannot be distinguished
    holder->witnessed = false;
    holder->shares_token = true;
  }
  const bool early = std::ranges::find(early_tokens_, h.session_token) != early_tokens_.end();
  const bool reopened = state_.find_by_client_hint(client, h.client_session_hint) != nullptr;
  // The client goes by the first answer (RAMCLOUD/R7): of a session that is known again, or met in mid-stream, this may
  // be another.
  const bool is_first = state_.from_start() || (open != nullptr && open->responses == 0);
  state_.open({.client = client,
               .token = h.session_token,
               .client_hint = h.client_session_hint,
               .server_hint = h.server_session_hint,
               .max_channel_id = is_first ? announced : std::nullopt,
               .witnessed = state_.from_start() && open != nullptr && holder == nullptr && !early,
               .reopened = reopened,
               .shares_token = holder != nullptr,
               .may_share_token = !state_.from_start(),
               .met_ns = seen.message.time_ns});
  if (open != nullptr) ++open->responses;
}

void RamcloudObserver::on_bad_session(Judge& judge, Seen& seen) {
  const Side sender = seen.message.sender;
  const Header& h = seen.header();
  // Who sets the flag speaks as a server, whatever else it is (RAMCLOUD/R44). Without it, only what the sender did
  // itself shows that it is a client: a session may owe its roles to the other side's flags.
  const bool has_been_server = state_.has_opens_of(other(sender)) || state_.has_sessions_of(other(sender));
  const bool from_client = !h.flags.direction && state_.has_opens_of(sender) && !has_been_server;
  if (!from_client) {
    seen.sender = Role::responder;
    judge_direction(judge, seen, has_been_server ? Evidence::octets : Evidence::absence);
  }
  judge_bad_session(judge, seen, from_client, state_.has_used_client_hint(other(sender), h.client_session_hint));
  for (Session& session : state_.sessions())
    if (session.server() == sender && session.client_hint == h.client_session_hint) {
      session.left = true;
    }
}

// --- DATA and ACK

bool RamcloudObserver::settle_session(Judge& judge, Seen& seen) {
  const Side sender = seen.message.sender;
  seen.session = state_.find(seen.header(), sender);
  if (seen.session == nullptr && !judge_stray(judge, seen)) return false;
  seen.sender = sender == seen.session->client ? Role::initiator : Role::responder;
  if (seen.sender == Role::initiator) judge_session_before_data(judge, seen, true);
  judge_session_token(judge, seen, *seen.session);
  // Two sides that contradict each other on a session met in mid-stream: one of them is wrong, and nobody knows which.
  if (seen.session->adopted_from && *seen.session->adopted_from != sender)
    return seen.header().flags.direction == (seen.sender == Role::responder);
  judge_direction(judge, seen);
  if (seen.session->shares_token || belongs_elsewhere(seen)) return false;
  judge_client_hint(judge, seen);
  judge_server_hint(judge, seen);
  return true;
}

// Whether a client's packet may be of another session, to which a server has given the same token and which is not
// known.
bool RamcloudObserver::belongs_elsewhere(const Seen& seen) {
  const Session& session = *seen.session;
  if (!session.may_share_token || seen.sender != Role::initiator) return false;
  return seen.header().client_session_hint != session.client_hint ||
         seen.header().server_session_hint != session.server_hint;
}

// A token that no session has. If the hints name a session, the token is at fault; else the session was never opened.
// In a flow that begins in mid-stream neither is known, and the session is taken as it comes.
bool RamcloudObserver::judge_stray(Judge& judge, Seen& seen) {
  const Header& h = seen.header();
  const Side client = h.flags.direction ? other(seen.message.sender) : seen.message.sender;
  if (!state_.from_start()) {
    adopt(seen);
    return true;
  }
  const Session* named = state_.find_by_client_hint(client, h.client_session_hint);
  const bool from_server = h.flags.direction;
  if (from_server) note_early(h.session_token);
  if (named != nullptr && (from_server || named->server_hint == h.server_session_hint)) {
    hold_stray(judge, seen, named);
  } else if (!from_server) {
    seen.sender = Role::initiator;
    hold_stray(judge, seen, nullptr);
  }
  return false;
}

namespace {

void blame_stray(Judge& judge, const Seen& seen, const Session* named) {
  if (named != nullptr)
    judge_session_token(judge, seen, *named);
  else
    judge_session_before_data(judge, seen, false);
}

}  // namespace

void RamcloudObserver::hold_stray(Judge& judge, const Seen& seen, const Session* named) {
  constexpr std::size_t kMost = 64;
  const bool is_held = std::ranges::any_of(strays_, [&](const Stray& one) {
    return one.sender == seen.message.sender && one.header.session_token == seen.header().session_token;
  });
  if (is_held) return;
  if (strays_.size() == kMost) return blame_stray(judge, seen, named);
  Stray stray{.header = seen.header(), .packet = {}, .sender = seen.message.sender, .named = {}};
  stray.packet.note(seen.message);
  if (named != nullptr) stray.named = *named;
  strays_.push_back(stray);
}

// An open request at the beginning may be a repeated one, or of a second session. That the capture began late shows
// where both sides use the token, and a request of it was not its channel's first, or open requests were repeated or
// are missing, or the client uses no session that was opened.
void RamcloudObserver::judge_held_strays(Judge& judge) {
  const bool opened_before =
      std::ranges::any_of(
          state_.opens(),
          [](const PendingOpen& open) { return open.requests > 1 || open.responses > open.requests; }) ||
      std::ranges::all_of(state_.sessions(), [](Session& session) { return session.channels().empty(); });
  for (const Stray& stray : strays_) {
    const auto has_token = [&](const Stray& one) { return one.header.session_token == stray.header.session_token; };
    const bool used_by_both =
        std::ranges::any_of(strays_, [&](const Stray& one) { return has_token(one) && one.sender != stray.sender; });
    const bool goes_on =
        std::ranges::any_of(strays_, [&](const Stray& one) { return has_token(one) && one.header.rpc_id != 0; });
    if (used_by_both && (opened_before || goes_on)) continue;
    const Message message{.octets = {},
                          .wire_length = layout::kHeader,
                          .sender = stray.sender,
                          .index = stray.packet.index,
                          .frame = stray.packet.frame,
                          .time_ns = stray.packet.time_ns};
    judge.at(message);
    const Seen seen{.message = message, .packet = {stray.header, {}}};
    const auto named = stray.named ? std::optional<Session>(*stray.named) : std::nullopt;
    blame_stray(judge, seen, named ? &*named : nullptr);
  }
}

void RamcloudObserver::note_early(std::uint64_t token) {
  constexpr std::size_t kMost = 64;
  if (std::ranges::find(early_tokens_, token) != early_tokens_.end()) return;
  if (early_tokens_.size() == kMost) early_tokens_.pop_front();
  early_tokens_.push_back(token);
}

void RamcloudObserver::adopt(Seen& seen) {
  const Header& h = seen.header();
  seen.session = &state_.open({.client = h.flags.direction ? other(seen.message.sender) : seen.message.sender,
                               .token = h.session_token,
                               .client_hint = h.client_session_hint,
                               .server_hint = h.server_session_hint,
                               .max_channel_id = std::nullopt,
                               .witnessed = false,
                               .reopened = false,
                               .adopted_from = seen.message.sender,
                               .met_ns = seen.message.time_ns});
}

void RamcloudObserver::on_session_packet(Judge& judge, Seen& seen, Kind kind) {
  if (kind == Kind::ack && !seen.message.is_cut()) judge_ack_payload(judge, seen);
  if (!settle_session(judge, seen)) return;
  if (kind == Kind::ack) return on_ack(judge, seen);
  return seen.sender == Role::initiator ? on_request(judge, seen) : on_response(judge, seen);
}

// Long after a session was met in mid-stream, no packet is under way any more that was sent before it was.
bool is_settled(const Seen& seen) {
  constexpr std::int64_t kTransitNs = 10'000'000'000;
  return !seen.session->adopted_from || seen.message.time_ns - seen.session->met_ns >= kTransitNs;
}

// The exchange that a DATA packet of the client belongs to; nullptr for an old one that is no longer kept.
Exchange* RamcloudObserver::exchange_of_request(Judge& judge, const Seen& seen, Channel& channel) {
  const std::uint32_t id = seen.header().rpc_id;
  if (!channel.used()) {
    judge_first_rpc_id(judge, seen);
    return &channel.begin(id);
  }
  if (Exchange* known = channel.find(id)) return known;
  // Before a channel's first RPC, 0, there is none: an ID that is lower modulo 2^32, and higher, was left out to.
  const bool is_beyond = seen.session->witnessed && id > channel.latest() && channel.latest() < 0x8000'0000u;
  const bool is_later = is_beyond || static_cast<std::int32_t>(id - channel.latest()) > 0;
  if (!is_later) return channel.has_forgotten() ? nullptr : &channel.begin(id);
  const Exchange& previous = *channel.latest_exchange();
  if (!previous.request.started()) return &channel.begin(id);  // only the server has sent anything of it
  if (!channel.has_answered_beyond(channel.latest())) judge_next_rpc_id(judge, seen, previous, is_settled(seen));
  if (seen.session->witnessed && !previous.response.unsettled) judge_one_rpc_per_channel(judge, seen, previous);
  return &channel.begin(id);
}

void count(std::uint16_t& number) {
  if (number < std::numeric_limits<std::uint16_t>::max()) ++number;
}

void RamcloudObserver::add_fragment(Judge& judge, const Seen& seen, Transfer& transfer) {
  const Header& h = seen.header();
  if (!judge_total_frags(judge, seen, transfer)) {
    transfer.unsettled = true;
    transfer.counted_none = transfer.counted_none || (h.total_frags == 0 && !h.flags.please_drop);
    return;
  }
  if (!transfer.started()) transfer.total_frags = h.total_frags;
  if (h.flags.request_ack) transfer.ack_requested = true;
  if (!judge_frag_number(judge, seen, transfer)) {
    if (!h.flags.please_drop)
      transfer.fragments.insert(h.frag_number);  // whoever reports it tells the truth (RAMCLOUD/R41)
    return;
  }
  if (h.flags.please_drop) return;  // whoever receives it does as if it had not
  if (!judge_fragment_octet_order(judge, seen, transfer)) transfer.unsettled = true;
  judge_fragment_data(judge, seen, transfer);
  if (!transfer.fragments.insert(h.frag_number)) count(transfer.repeats);
}

// A server takes requests of the channels that it has, with the direction flag clear, one rpcId after the other from 0.
void RamcloudObserver::note_out_of_state(const Seen& seen, Channel& channel) {
  const Header& h = seen.header();
  const std::uint32_t next = channel.used() ? channel.latest() + 1 : 0;
  const bool follows = h.rpc_id == next || channel.find(h.rpc_id) != nullptr;
  const std::optional<std::uint8_t> most = seen.session->max_channel_id;
  const bool exists =
      !most || h.channel_id == 0 || h.channel_id < *most;  // the largest id may be the number (RAMCLOUD/R1)
  if (h.flags.direction || !follows || !exists) seen.session->astray = true;
}

void RamcloudObserver::on_request(Judge& judge, Seen& seen) {
  judge_client_channel(judge, seen);
  Channel& channel = seen.session->channel(seen.header().channel_id);
  note_out_of_state(seen, channel);
  Exchange* exchange = exchange_of_request(judge, seen, channel);
  if (exchange == nullptr) return;
  exchange->from_client.note(seen.message);
  exchange->latest_ns = seen.message.time_ns;
  const std::uint32_t before = exchange->request.fragments.count();
  add_fragment(judge, seen, exchange->request);
  if (exchange->request.fragments.count() == before) count(exchange->asked_again);
}

// A server that answers what was not asked, or what got lost before the trace was taken: from then on the trace is not
// the whole truth of the session, and the client is not blamed for what follows from it.
void RamcloudObserver::on_response(Judge& judge, Seen& seen) {
  const Header& h = seen.header();
  Channel* channel = seen.session->find_channel(h.channel_id);
  judge_server_channel(judge, seen, channel != nullptr);
  if (channel == nullptr) {
    if (std::exchange(seen.session->witnessed, false)) return;
    Exchange& exchange = seen.session->channel(h.channel_id).begin(h.rpc_id);
    return add_fragment(judge, seen, exchange.response);
  }
  if (seen.session->witnessed) {
    judge_server_rpc_id(judge, seen, *channel);
    if (channel->find(h.rpc_id) == nullptr && !channel->may_have_forgotten(h.rpc_id)) seen.session->witnessed = false;
  }
  Exchange* exchange = channel->find(h.rpc_id);
  if (exchange == nullptr) return channel->note_answered_unasked(h.rpc_id);
  judge_response_after_request(judge, seen, exchange->request);
  exchange->request.repeats = 0;
  exchange->latest_ns = seen.message.time_ns;
  const std::uint32_t before = exchange->response.fragments.count();
  add_fragment(judge, seen, exchange->response);
  if (exchange->response.fragments.count() != before) exchange->asked_again = 0;
}

void RamcloudObserver::on_ack(Judge& judge, Seen& seen) {
  Channel* channel = seen.session->find_channel(seen.header().channel_id);
  Exchange* exchange = channel == nullptr ? nullptr : channel->find(seen.header().rpc_id);
  const bool from_client = seen.sender == Role::initiator;
  if (exchange == nullptr && (!seen.session->witnessed || (channel != nullptr && channel->has_forgotten()))) return;
  Transfer* acknowledged = exchange == nullptr ? nullptr : from_client ? &exchange->response : &exchange->request;
  const bool known =
      acknowledged != nullptr && (acknowledged->started() || acknowledged->counted_none || acknowledged->may_be_old);
  if (seen.session->witnessed) judge_ack_subject(judge, seen, known);
  if (exchange != nullptr) note_ack(seen, *exchange);
  if (!known) return;
  if (!from_client) acknowledged->repeats = 0;
  if (from_client && !acknowledged->complete()) count(exchange->request.repeats);
  if (seen.session->witnessed && !seen.message.is_cut()) judge_ack(judge, seen, *acknowledged);
}

// What it means for who is waiting for whom.
void RamcloudObserver::note_ack(const Seen& seen, Exchange& exchange) {
  exchange.latest_ns = seen.message.time_ns;
  if (seen.sender == Role::initiator) {
    exchange.from_client.note(seen.message);
    if (!exchange.response.complete()) count(exchange.asked_again);
    return;
  }
  const auto ack = decode_ack(seen.packet.payload);
  const bool all = ack && exchange.request.started() && ack->first_missing_frag >= exchange.request.total_frags;
  if (all && !std::exchange(exchange.acknowledged, true)) exchange.asked_again = 0;
}

// --- the end

// What was due, and has not come since.
void RamcloudObserver::finish(Judge& judge) {
  judge_held_strays(judge);
  if (is_sibling_ || !state_.from_start()) return;
  for (const PendingOpen& open : state_.opens()) judge_open_answered(judge, open, alive_ns_);
  for (Session& session : state_.sessions()) {
    if (!session.witnessed || session.left) continue;
    for (Channel& channel : session.channels())
      if (const Exchange* latest = channel.latest_exchange())
        judge_request_answered(judge, session, *latest, alive_ns_);
  }
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

// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/tracker/tracker.h"

#include <algorithm>
#include <utility>

#include "conformance/ramcloud/basic_transport.h"

namespace wirelaw::ramcloud {

namespace {

// Flags octets of an open request and an open response whose nibbles are swapped.
constexpr Octet kSwappedOpenRequest = 0x02;
constexpr Octet kSwappedOpenResponse = 0x12;
// The interval between checks of the memory used.
constexpr std::uint64_t kMessagesBetweenChecks = 256;
// Sixty times the 500 ms after which deployed clients have given up (RAMCLOUD/R42).
constexpr std::int64_t kGraceNs = 30'000'000'000;
// No packet is in transit for longer.
constexpr std::int64_t kTransitNs = 10'000'000'000;
// The number kept of stray packets and of early tokens.
constexpr std::size_t kMostTokens = 64;

bool has_no_payload(const PacketFacts& facts) {
  return facts.message.wire_length == layout::kHeader;
}

}  // namespace

bool Tracker::admit(const Message& message) {
  if (messages_++ % kMessagesBetweenChecks == 0) state_.keep_within_limits();
  // The first packet cannot match sequence number, flags and length of that header by chance.
  if (messages_ == 1 && !message.is_cut()) is_sibling_ = is_basic_transport(message.octets);
  if (is_sibling_)
    state_.note_partial("it is BasicTransport, a later transport of RAMCloud with rules of its own: not judged");
  return !is_sibling_;
}

PacketFacts Tracker::follow(const Message& message, const Packet& packet) {
  PacketFacts facts{.message = message, .packet = packet};
  alive_ns_[static_cast<std::size_t>(message.sender)] = message.time_ns;
  // Noted for every packet, because BAD_SESSION may answer any.
  state_.note_client_hint(message.sender, packet.header.client_session_hint);
  spoke_as_client_[static_cast<std::size_t>(message.sender)] |= !packet.header.flags.direction;
  facts.kind = classify(facts);
  if (messages_ == 1 && facts.kind != Kind::open_request) state_.begin_in_midstream();
  switch (facts.kind) {
    case Kind::open_request:
      follow_open_request(facts);
      break;
    case Kind::open_response:
      follow_open_response(facts);
      break;
    case Kind::bad_session:
      follow_bad_session(facts);
      break;
    case Kind::data:
    case Kind::ack:
      follow_session_packet(facts);
      break;
    case Kind::unknown:
      break;
  }
  return facts;
}

// --- what a packet is

bool Tracker::is_swapped_open_request(const PacketFacts& facts) const {
  const Side sender = facts.message.sender;
  return facts.message.octets[layout::kFlags] == kSwappedOpenRequest && has_no_payload(facts) &&
         facts.header().total_frags <= 1 && state_.from_start() && !state_.has_sessions_of(sender) &&
         (messages_ == 1 || state_.has_opens_of(sender));
}

bool Tracker::is_swapped_open_response(const PacketFacts& facts) const {
  const Side sender = facts.message.sender;
  return facts.message.octets[layout::kFlags] == kSwappedOpenResponse &&
         facts.message.wire_length == layout::kHeader + layout::kOpenResponse && state_.from_start() &&
         state_.has_opens_of(other(sender)) && !state_.has_opens_of(sender);
}

// A session open packet is a response if its direction flag is set, unless the sender can only have meant the other.
Kind Tracker::classify_open(const PacketFacts& facts) const {
  const Side sender = facts.message.sender;
  const bool other_has_asked = state_.has_opens_of(other(sender));
  const bool sender_has_asked = state_.has_opens_of(sender);
  if (facts.header().flags.direction) {
    const bool can_only_be_request = has_no_payload(facts) && !other_has_asked && (messages_ == 1 || sender_has_asked);
    return can_only_be_request ? Kind::open_request : Kind::open_response;
  }
  const bool can_only_be_response = !has_no_payload(facts) && other_has_asked && !sender_has_asked;
  return can_only_be_response ? Kind::open_response : Kind::open_request;
}

Kind Tracker::classify(const PacketFacts& facts) const {
  switch (facts.header().payload_type) {
    case PayloadType::session_open:
      return classify_open(facts);
    case PayloadType::bad_session:
      return Kind::bad_session;
    case PayloadType::data:
      return is_swapped_open_request(facts) ? Kind::open_request : Kind::data;
    case PayloadType::ack:
      return is_swapped_open_response(facts) ? Kind::open_response : Kind::ack;
  }
  return Kind::unknown;
}

// --- opening

void Tracker::follow_open_request(PacketFacts& facts) {
  facts.sender = Role::initiator;
  facts.are_nibbles_swapped = facts.header().payload_type != PayloadType::session_open;
  // The earlier packets, not the flag, decide the type of the packet.
  if (!facts.are_nibbles_swapped) facts.direction = {.rests_on = Evidence::absence};
  state_.note_open_request(facts.message, facts.header());
}

void Tracker::follow_open_response(PacketFacts& facts) {
  const Header& header = facts.header();
  const Side client = other(facts.message.sender);
  facts.sender = Role::responder;
  facts.are_nibbles_swapped = header.payload_type != PayloadType::session_open;
  if (!facts.are_nibbles_swapped) facts.direction = {.rests_on = Evidence::absence};
  PendingOpen* const open = state_.find_open(client, header.client_session_hint);
  facts.open_response.emplace();
  if (state_.from_start()) {
    facts.open_response->is_to_dropped = open != nullptr && open->dropped > 0 && open->requests + open->unsound == 0;
    facts.open_response->is_asked_for = state_.has_opens_of(client);
    if (facts.open_response->is_asked_for) facts.open_response->is_hint_asked_with = open != nullptr;
  }
  if (!header.flags.please_drop) open_session(facts, open);  // else the client ignores it
}

void Tracker::open_session(PacketFacts& facts, PendingOpen* open) {
  const Header& header = facts.header();
  const Side client = other(facts.message.sender);
  const std::optional<std::uint8_t> announced = decode_open_response(facts.packet.payload);
  Session* holder = nullptr;
  for (Session& session : state_.sessions()) {
    if (session.token != header.session_token || session.client != client) continue;
    // The same response again: its packet was duplicated on the way, or sent twice. If the two contradict each other,
    // or if the first was not seen, it is unknown which one the client uses.
    if (session.hints.client == header.client_session_hint && session.hints.server == header.server_session_hint) {
      if (session.max_channel_id && announced)
        facts.repeated_response = {.announced = *announced, .before = *session.max_channel_id};
      if (session.max_channel_id) session.max_channel_id = std::max(session.max_channel_id, announced);
      return;
    }
    holder = &session;
  }
  facts.new_token.emplace();
  if (holder != nullptr) {
    facts.new_token->holder = holder->hints;
    holder->happen(Session::Event::token_repeated);
  }
  const bool is_early = may_be_early(facts.message.sender, header.session_token);
  const bool is_witnessed = state_.from_start() && open != nullptr && !is_early;
  // The client uses the first answer (RAMCLOUD/R7). For a session that is known again, or that was found in mid-stream,
  // this may be a later one.
  const bool is_first = state_.from_start() || (open != nullptr && open->responses == 0);
  state_.open({.client = client,
               .token = header.session_token,
               .hints = {header.client_session_hint, header.server_session_hint},
               .max_channel_id = is_first ? announced : std::nullopt,
               .state = holder != nullptr      ? Session::State::ambiguous
                        : !state_.from_start() ? Session::State::opened_late
                        : is_witnessed         ? Session::State::witnessed
                                               : Session::State::incomplete,
               .is_reopened = state_.find_by_client_hint(client, header.client_session_hint) != nullptr,
               .met_ns = facts.message.time_ns});
  if (open != nullptr) ++open->responses;
}

void Tracker::follow_bad_session(PacketFacts& facts) {
  const Side sender = facts.message.sender;
  const Header& header = facts.header();
  // A sender that sets the flag speaks as a server, whatever else it is (RAMCLOUD/R44). Without it, only the sender's
  // own packets show that it is a client, because the roles of a session may come from the other side's flags.
  const bool has_been_server = state_.has_opens_of(other(sender)) || state_.has_sessions_of(other(sender));
  const bool is_from_client = !header.flags.direction && state_.has_opens_of(sender) && !has_been_server;
  if (!is_from_client) {
    facts.sender = Role::responder;
    facts.direction = {.rests_on = has_been_server ? Evidence::octets : Evidence::absence};
  }
  facts.bad_session = {.is_from_client = is_from_client,
                       .is_hint_used = state_.has_used_client_hint(other(sender), header.client_session_hint)};
  // As a server, it answers a packet whose flag was clear.
  const bool is_other_a_client = has_been_server || spoke_as_client_[static_cast<std::size_t>(other(sender))];
  if (!is_from_client && !is_other_a_client && state_.from_start()) facts.bad_session->is_other_a_client = false;
  const auto has_hint = [&](const Session& session) {
    return session.server() == sender && session.hints.client == header.client_session_hint;
  };
  const bool is_only = std::ranges::count_if(state_.sessions(), has_hint) == 1;
  for (Session& session : state_.sessions()) {
    if (!has_hint(session)) continue;
    // BAD_SESSION may answer any packet with this hint (RAMCLOUD/R6). Here all of them were valid packets of this
    // session, and none from before the session was known is still in transit.
    const bool is_meant = is_only && header.session_token == session.token &&
                          header.server_session_hint == session.hints.server && session.is_witnessed() &&
                          !session.is_reopened && session.owed == Session::Owed::by_both && strays_.empty() &&
                          facts.message.time_ns - session.met_ns >= kTransitNs;
    if (is_meant && !is_from_client && !header.flags.please_drop && !session.refused_at)
      session.refused_at = facts.message.index;
    session.owed = Session::Owed::by_none;
  }
}

// --- the session of DATA and ACK

namespace {

// Notes that the client has sent a request that a server does not accept.
void go_astray(Session& session) {
  if (session.owed == Session::Owed::by_both) session.owed = Session::Owed::by_client;
}

TokenFact token_of(const Session& session, Side sender) {
  return {.is_from_client = sender == session.client, .of_session = session.token};
}

Hints hints_of(const Header& header) {
  return {header.client_session_hint, header.server_session_hint};
}

// Returns true if a client's packet may belong to an unknown session to which a server has given the same token.
bool may_belong_elsewhere(const PacketFacts& facts, const Session& session) {
  return session.state == Session::State::opened_late && facts.sender == Role::initiator &&
         hints_of(facts.header()) != session.hints;
}

}  // namespace

Session* Tracker::settle_session(PacketFacts& facts) {
  const Side sender = facts.message.sender;
  Session* session = state_.find(facts.header(), sender);
  if (session == nullptr) session = settle_stray(facts);
  if (session == nullptr) return nullptr;
  facts.sender = sender == session->client ? Role::initiator : Role::responder;
  if (facts.sender == Role::initiator) facts.is_session_open = true;
  facts.token = token_of(*session, sender);
  // The two sides contradict each other on a session found in mid-stream. It is unknown which one is wrong.
  if (session->adopted_from().value_or(sender) != sender)
    return facts.header().flags.direction == (facts.sender == Role::responder) ? session : nullptr;
  facts.direction.emplace();
  if (may_belong_elsewhere(facts, *session)) return nullptr;
  if (session->state == Session::State::ambiguous) return settle_misnamed(facts, *session);
  facts.hints = session->hints;
  if (facts.sender == Role::initiator && hints_of(facts.header()) != session->hints) go_astray(*session);
  return session;
}

// Handles a packet with the token of a session that cannot be followed. If its hints are those of another session,
// which only an open response assigns, the token is wrong.
Session* Tracker::settle_misnamed(PacketFacts& facts, const Session& session) {
  const Hints hints = hints_of(facts.header());
  Session* const named = state_.from_start() ? state_.find_by_hints(session.client, hints) : nullptr;
  if (session.hints == hints || named == nullptr) return nullptr;
  facts.token.reset();
  hold_stray(facts, named);
  return nullptr;
}

// Handles a token that no session has. If the hints name a session, the token is wrong; otherwise the session was never
// opened. In a flow that begins in mid-stream neither is known, and the session is adopted.
Session* Tracker::settle_stray(PacketFacts& facts) {
  const Header& header = facts.header();
  const bool is_from_server = header.flags.direction;
  const Side client = is_from_server ? other(facts.message.sender) : facts.message.sender;
  if (!state_.from_start()) return &adopt(facts);
  Session* const named = state_.find_by_client_hint(client, header.client_session_hint);
  note_early(facts.message.sender, header.session_token);
  if (named != nullptr && (is_from_server || named->hints.server == header.server_session_hint)) {
    hold_stray(facts, named);
  } else if (!is_from_server) {
    facts.sender = Role::initiator;
    hold_stray(facts, nullptr);
  }
  return nullptr;
}

Session& Tracker::adopt(const PacketFacts& facts) {
  const Header& header = facts.header();
  const bool is_from_server = header.flags.direction;
  return state_.open(
      {.client = is_from_server ? other(facts.message.sender) : facts.message.sender,
       .token = header.session_token,
       .hints = {header.client_session_hint, header.server_session_hint},
       .state = is_from_server ? Session::State::adopted_from_server : Session::State::adopted_from_client,
       .met_ns = facts.message.time_ns});
}

void Tracker::hold_stray(PacketFacts& facts, Session* named) {
  const Side sender = facts.message.sender;
  if (named != nullptr && sender == named->client) {
    named->happen(Session::Event::misnamed);
    go_astray(*named);
  }
  const bool is_held = std::ranges::any_of(strays_, [&](const StrayFact& one) {
    return one.sender == sender && one.header.session_token == facts.header().session_token;
  });
  if (is_held) return;
  StrayFact stray{.packet = {}, .header = facts.header(), .sender = sender};
  if (named != nullptr) stray.token = token_of(*named, sender);
  if (strays_.size() == kMostTokens) {
    facts.token = stray.token;
    if (named == nullptr) facts.is_session_open = false;
    return;
  }
  stray.packet.note(facts.message);
  strays_.push_back(stray);
}

void Tracker::note_early(Side sender, std::uint64_t token) {
  const EarlyToken early{sender, token};
  if (std::ranges::find(early_tokens_, early) != early_tokens_.end()) return;
  if (early_tokens_.size() == kMostTokens) {
    early_tokens_.pop_front();
    early_tokens_forgotten_ = true;
  }
  early_tokens_.push_back(early);
}

// True if the server may have used the token before its open response was seen, with or without the direction flag.
bool Tracker::may_be_early(Side server, std::uint64_t token) const {
  return early_tokens_forgotten_ || std::ranges::find(early_tokens_, EarlyToken{server, token}) != early_tokens_.end();
}

// --- DATA and ACK

namespace {

// True long after a session was found in mid-stream: no packet from before that is still in transit.
bool is_settled(const PacketFacts& facts, const Session& session) {
  return !session.adopted_from() || facts.message.time_ns - session.met_ns >= kTransitNs;
}

// The fact that a server's DATA or ACK shows, if the request was seen.
std::optional<ServedFact> served_after_refusal(const Session& session, const Exchange& exchange) {
  if (!session.refused_at || !exchange.request.has_started()) return std::nullopt;
  return ServedFact{.refused_at = *session.refused_at, .is_from_before = exchange.begun < *session.refused_at};
}

PreviousRpcFact previous_rpc(const Exchange& previous) {
  return {.rpc_id = previous.rpc_id,
          .is_repeated = previous.request.is_repeated(),
          .is_complete = previous.response.is_complete(),
          .response_frags = previous.response.fragments().count(),
          .response_total = previous.response.total_frags()};
}

// Returns true if a server accepts the request: on one of its channels, with the direction flag clear, with rpcIds in
// sequence from 0.
bool is_taken(const Header& header, const Session& session, Channel& channel) {
  const std::uint32_t next = channel.used() ? channel.latest() + 1 : 0;
  const bool follows = header.rpc_id == next || channel.find(header.rpc_id) != nullptr;
  const std::optional<std::uint8_t> most = session.max_channel_id;
  const bool exists =
      !most || header.channel_id == 0 || header.channel_id < *most;  // the largest id may be the number (RAMCLOUD/R1)
  return !header.flags.direction && follows && exists;
}

}  // namespace

void Tracker::follow_session_packet(PacketFacts& facts) {
  Session* const session = settle_session(facts);
  if (session == nullptr) return;
  if (facts.kind == Kind::ack) return follow_ack(facts, *session);
  return facts.sender == Role::initiator ? follow_request(facts, *session) : follow_response(facts, *session);
}

// The exchange that a DATA packet of the client belongs to; nullptr for an old one that is no longer kept.
Exchange* Tracker::exchange_of_request(PacketFacts& facts, Session& session, Channel& channel) {
  const std::uint32_t id = facts.header().rpc_id;
  if (!channel.used()) {
    if (session.is_witnessed()) facts.first_rpc = {.is_reopened = session.is_reopened};
    return &channel.begin(id);
  }
  if (Exchange* const known = channel.find(id)) return known;
  // No RPC precedes a channel's first one, 0. A higher ID that counts as lower modulo 2^32 has skipped IDs.
  const bool is_beyond = session.is_witnessed() && id > channel.latest() && channel.latest() < 0x8000'0000u;
  const bool is_later = is_beyond || static_cast<std::int32_t>(id - channel.latest()) > 0;
  if (!is_later) return channel.has_forgotten() ? nullptr : &channel.begin(id);
  const Exchange& previous = *channel.latest_exchange();
  if (!previous.request.has_started()) return &channel.begin(id);  // only the server has sent anything of it
  const std::uint32_t next = (previous.is_swapped ? __builtin_bswap32(previous.rpc_id) : previous.rpc_id) + 1;
  if (!channel.has_answered_beyond(channel.latest()))
    facts.next_rpc = {.next = next,
                      .elapsed_ns = facts.message.time_ns - previous.latest_ns,
                      .is_settled = is_settled(facts, session)};
  if (session.is_witnessed() && previous.response.is_sound()) facts.previous_rpc = previous_rpc(previous);
  Exchange& exchange = channel.begin(id);
  exchange.is_swapped = id != next && id == __builtin_bswap32(next);
  return &exchange;
}

void Tracker::follow_request(PacketFacts& facts, Session& session) {
  facts.max_channel = session.max_channel_id;
  Channel& channel = session.channel(facts.header().channel_id);
  if (!is_taken(facts.header(), session, channel)) go_astray(session);
  Exchange* const exchange = exchange_of_request(facts, session, channel);
  if (exchange == nullptr) return;
  if (!exchange->request.has_started()) exchange->begun = facts.message.index;
  exchange->from_client.note(facts.message);
  exchange->latest_ns = facts.message.time_ns;
  const std::uint32_t before = exchange->request.fragments().count();
  facts.fragment = exchange->request.add(facts.packet, facts.message.is_cut());
  if (exchange->request.fragments().count() == before) exchange->is_asked_again = true;
}

// A server answers a request that was not sent, or that was lost before the capture point. From then on the trace is
// incomplete for the session, and the client is not blamed for the consequences.
void Tracker::follow_response(PacketFacts& facts, Session& session) {
  const Header& header = facts.header();
  const bool was_witnessed = session.is_witnessed();
  Channel* const channel = session.find_channel(header.channel_id);
  if (was_witnessed) facts.is_channel_used = channel != nullptr;
  if (channel == nullptr) {
    session.happen(Session::Event::answered_unasked);
    if (was_witnessed) return;
    facts.fragment =
        session.channel(header.channel_id).begin(header.rpc_id).response.add(facts.packet, facts.message.is_cut());
    return;
  }
  Exchange* const exchange = channel->find(header.rpc_id);
  if (was_witnessed && (exchange != nullptr || !channel->may_have_forgotten(header.rpc_id))) {
    facts.answered_rpc = {.is_asked = exchange != nullptr, .latest = channel->latest()};
    if (const Exchange* const latest = channel->latest_exchange())
      facts.answered_rpc->elapsed_ns = facts.message.time_ns - latest->latest_ns;
    if (exchange == nullptr) session.happen(Session::Event::answered_unasked);
  }
  if (exchange == nullptr) return channel->note_answered_unasked(header.rpc_id);
  Transfer& request = exchange->request;
  if (request.has_started() && request.is_sound() && session.is_witnessed())
    facts.answered_request = {
        .total = request.total_frags(), .sent = request.fragments().count(), .is_complete = request.is_complete()};
  facts.served = served_after_refusal(session, *exchange);
  exchange->latest_ns = facts.message.time_ns;
  const std::uint32_t before = exchange->response.fragments().count();
  facts.fragment = exchange->response.add(facts.packet, facts.message.is_cut());
  if (exchange->response.fragments().count() != before) exchange->is_asked_again = false;
}

namespace {

// Updates who waits for whom after an ACK.
void note_ack(const PacketFacts& facts, Exchange& exchange) {
  exchange.latest_ns = facts.message.time_ns;
  if (facts.sender == Role::initiator) {
    exchange.from_client.note(facts.message);
    if (!exchange.response.is_complete()) exchange.is_asked_again = true;
    return;
  }
  const Transfer& request = exchange.request;
  const auto ack = decode_ack(facts.packet.payload);
  const bool all = ack && request.has_started() && ack->first_missing_frag >= request.total_frags();
  if (all && !std::exchange(exchange.acknowledged, true)) exchange.is_asked_again = false;
}

}  // namespace

void Tracker::follow_ack(PacketFacts& facts, Session& session) {
  const std::uint32_t id = facts.header().rpc_id;
  const std::uint8_t channel_id = facts.header().channel_id;
  Channel* const channel = session.find_channel(channel_id);
  Exchange* const exchange = channel == nullptr ? nullptr : channel->find(id);
  const bool is_from_client = facts.sender == Role::initiator;
  if (is_from_client) facts.max_channel = session.max_channel_id;
  if (is_from_client && channel == nullptr && channel_id > session.max_channel_id.value_or(channel_id)) return;
  if (exchange == nullptr && (!session.is_witnessed() || (channel != nullptr && channel->may_have_forgotten(id))))
    return;
  Transfer* const acknowledged = exchange == nullptr ? nullptr
                                 : is_from_client    ? &exchange->response
                                                     : &exchange->request;
  const bool is_known = acknowledged != nullptr && acknowledged->is_known();
  if (session.is_witnessed())
    facts.ack_subject = {.is_known = is_known, .is_asked = exchange != nullptr && exchange->request.is_known()};
  if (exchange != nullptr) note_ack(facts, *exchange);
  if (exchange != nullptr && !is_from_client) facts.served = served_after_refusal(session, *exchange);
  if (!is_known) return;
  if (is_from_client && !acknowledged->is_complete()) exchange->request.note_repeat();
  if (session.is_witnessed() && !facts.message.is_cut()) facts.ack = acknowledged->acknowledge(facts.packet);
}

// --- the end

// An open request at the beginning may be a repeated one, or of a second session. The capture began late if both sides
// use the token and one of these holds: a request with it was not its channel's first, open requests were repeated or
// are missing, or the client uses no opened session.
bool Tracker::began_before(const StrayFact& stray) const {
  const auto has_token = [&](const StrayFact& one) { return one.header.session_token == stray.header.session_token; };
  const bool is_used_by_both =
      std::ranges::any_of(strays_, [&](const StrayFact& one) { return has_token(one) && one.sender != stray.sender; });
  if (!is_used_by_both) return false;
  if (std::ranges::any_of(strays_, [&](const StrayFact& one) { return has_token(one) && one.header.rpc_id != 0; }))
    return true;
  const bool is_asked_oddly = std::ranges::any_of(
      state_.opens(), [](const PendingOpen& open) { return open.requests > 1 || open.responses > open.requests; });
  return is_asked_oddly ||
         std::ranges::all_of(state_.sessions(), [](const Session& session) { return session.channels().empty(); });
}

// Returns true if the side has sent a packet so much later that it was alive and had not reacted.
bool Tracker::outlived(Side side, std::int64_t since_ns) const {
  return alive_ns_[static_cast<std::size_t>(side)] - since_ns >= kGraceNs;
}

std::optional<LastRpcFact> Tracker::last_rpc(const Session& session, const Exchange& exchange) const {
  const Transfer &request = exchange.request, &response = exchange.response;
  if (!outlived(session.client, exchange.latest_ns) || request.fragments().count() == 0) return std::nullopt;
  if (!request.is_sound() || !response.is_sound()) return std::nullopt;
  return LastRpcFact{.from_client = exchange.from_client,
                     .client = session.client,
                     .rpc_id = exchange.rpc_id,
                     .is_asked_again = exchange.is_asked_again,
                     .is_acknowledged = exchange.acknowledged,
                     .is_response_complete = response.is_complete(),
                     .response_frags = response.fragments().count(),
                     .response_total = response.total_frags(),
                     .owes_server = session.owed == Session::Owed::by_both && request.is_complete() &&
                                    outlived(session.server(), exchange.latest_ns)};
}

EndFacts Tracker::finish() {
  EndFacts facts;
  std::ranges::copy_if(strays_, std::back_inserter(facts.strays),
                       [&](const StrayFact& stray) { return !began_before(stray); });
  if (is_sibling_ || !state_.from_start()) return facts;
  for (const PendingOpen& open : state_.opens()) {
    const bool is_given_up = open.responses == 0 && open.requests < 2;  // it was asked once, and that may be lost
    if (!is_given_up && outlived(other(open.client), open.latest.time_ns))
      facts.opens.push_back({.latest = open.latest,
                             .server = other(open.client),
                             .requests = open.requests,
                             .responses = open.responses});
  }
  for (const Session& session : state_.sessions()) {
    if (!session.is_witnessed() || session.owed == Session::Owed::by_none) continue;
    for (const Channel& channel : session.channels())
      if (const Exchange* const latest = channel.latest_exchange())
        if (const auto fact = last_rpc(session, *latest)) facts.rpcs.push_back(*fact);
  }
  return facts;
}

}  // namespace wirelaw::ramcloud

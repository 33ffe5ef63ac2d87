// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/probes/client_probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace wirelaw::ramcloud {

// -------------------------------------------------------------------------------------------------------- beginning
void ClientProbe::trigger(const TriggerRequest& request) {
  if (!ok()) return;
  if (const auto started = run().trigger(request); !started) {
    run().broken(started.error());
    stop();
  }
}

Header ClientProbe::await_open() {
  const auto open = await(in(patience()), [](const Received& packet) { return packet.is(PayloadType::session_open); });
  if (!open) inconclusive("the client sent no session open request, so the case could not begin");
  return open ? open->header : Header{};
}

void ClientProbe::accept(const Header& open, const Offer& offer) {
  if (!ok()) return;
  sessions_.push_back({open, offer, {}});
  send_good(open_response(open, offer), Octets(&offer.max_channel_id, 1));
}

ClientRequest ClientProbe::first_request(const TriggerRequest& request, const Offer& offer) {
  trigger(request);
  accept(await_open(), offer);
  return await_request();
}

// ---------------------------------------------------------------------------------------------------------- headers
Header ClientProbe::open_response(const Header& open, const Offer& offer) {
  return {.session_token = offer.token,
          .client_session_hint = open.client_session_hint,
          .server_session_hint = offer.server_hint,
          .payload_type = PayloadType::session_open,
          .flags = {.direction = true}};
}

Header ClientProbe::data(const Header& request, std::size_t number, std::size_t total) {
  return data_with(request, {}, number, total);
}

// Copies the fields that identify the RPC from the request. Sets flags.direction whatever `flags` contains.
Header ClientProbe::data_with(const Header& request, Flags flags, std::size_t number, std::size_t total) {
  Header header = request;
  header.frag_number = static_cast<std::uint16_t>(number);
  header.total_frags = static_cast<std::uint16_t>(total);
  header.payload_type = PayloadType::data;
  header.flags = flags;
  header.flags.direction = true;
  return header;
}

Header ClientProbe::ack(const Header& request) {
  Header header = data(request, 0, 0);
  header.payload_type = PayloadType::ack;
  return header;
}

Header ClientProbe::bad_session(const Header& offending) {
  Header header = data(offending, 0, 0);
  header.payload_type = PayloadType::bad_session;
  return header;
}

// ---------------------------------------------------------------------------------------------------------- serving
// Finds the session by token, or by hint if no session has the token. So a client with a wrong token is still served,
// and the observer reports its fault.
ClientProbe::Served* ClientProbe::served(const Header& header) {
  Served* by_hint = nullptr;
  for (Served& one : sessions_) {
    if (one.open.client_session_hint != header.client_session_hint) continue;
    if (one.offer.token == header.session_token) return &one;
    if (!by_hint) by_hint = &one;
  }
  return by_hint;
}

// Returns the same session for a request that is repeated before the session was used, and a new one afterwards
// (RAMCLOUD/R7, RAMCLOUD/R12).
void ClientProbe::serve_open(const Header& open) {
  for (const Served& one : sessions_) {
    asked_again_ |= one.channels.empty();
    if (one.open.client_session_hint == open.client_session_hint && one.channels.empty())
      return send_good(open_response(open, one.offer), Octets(&one.offer.max_channel_id, 1));
  }
  if (sessions_.empty()) return;
  Offer offer = sessions_.front().offer;
  offer.token += sessions_.size() * 0x5bd1e9955bd1e995u;
  offer.server_hint += static_cast<std::uint32_t>(sessions_.size());
  accept(open, offer);
}

void ClientProbe::send_response(const Header& request, const Channel& channel, const Ack& known) {
  ++answers_;
  const std::size_t total = channel.response.size();
  const std::size_t end = std::min(total, std::size_t{known.first_missing_frag} + 1 + kStagingBits);
  for (std::size_t number = known.first_missing_frag; number < end; ++number) {
    const std::size_t bit = number - known.first_missing_frag;
    const bool there = bit > 0 && (known.staging_vector >> (bit - 1) & 1) != 0;
    if (!there)
      send_good(data_with(request, {.request_ack = total > 1 && number + 1 == end}, number, total),
                channel.response[number]);
  }
}

std::optional<ClientRequest> ClientProbe::serve(const Received& packet) {
  if (packet.is(PayloadType::session_open)) serve_open(packet.header);
  if (!packet.is(PayloadType::data) && !packet.is(PayloadType::ack)) return std::nullopt;
  Served* const session = served(packet.header);
  if (!session) return std::nullopt;
  const Header& header = packet.header;
  const bool fresh = !session->channels.contains(header.channel_id);
  if (fresh && packet.is(PayloadType::ack)) return std::nullopt;
  Channel& channel = session->channels[header.channel_id];
  if (packet.is(PayloadType::ack)) {
    const auto known = decode_ack(packet.payload);
    if (known && header.rpc_id == channel.rpc_id) send_response(header, channel, *known);
    return std::nullopt;
  }
  if (!fresh && header.rpc_id < channel.rpc_id) return std::nullopt;
  if (fresh || header.rpc_id > channel.rpc_id) channel = Channel{.rpc_id = header.rpc_id};
  if (!channel.response.empty()) {
    asked_again_ = true;
    send_response(header, channel, Ack{});
    return std::nullopt;
  }
  channel.request.add(header.frag_number, header.total_frags, packet.payload);
  if (header.flags.request_ack) send_good(ack(header), encode_ack(channel.request.ack()));
  if (channel.complete || !channel.request.complete()) return std::nullopt;
  channel.complete = true;
  return ClientRequest{header, channel.request.message()};
}

std::optional<ClientRequest> ClientProbe::next_request(Instant deadline) {
  while (const auto packet = receive(deadline))
    if (auto request = serve(*packet)) return request;
  return std::nullopt;
}

std::optional<ClientRequest> ClientProbe::next_request() {
  return next_request(in(patience()));
}

ClientRequest ClientProbe::await_request() {
  auto request = next_request();
  if (!request) inconclusive("the client sent no request, so the case could not continue");
  return request.value_or(ClientRequest{});
}

std::optional<Received> ClientProbe::await_data() {
  const Instant deadline = in(patience());
  while (auto packet = receive(deadline)) {
    if (packet->is(PayloadType::data)) return packet;
    serve(*packet);
  }
  return std::nullopt;
}

ClientProbe::Channel* ClientProbe::channel_of(const ClientRequest& request) {
  Served* const session = ok() ? served(request.header) : nullptr;
  if (!session) return nullptr;
  Channel& channel = session->channels[request.header.channel_id];
  return channel.rpc_id == request.header.rpc_id ? &channel : nullptr;
}

void ClientProbe::answer(const ClientRequest& request, Octets response, std::size_t fragment_octets) {
  Channel* const channel = channel_of(request);
  if (!channel) return;
  channel->response = fragments_of(response, fragment_octets);
  answers_ = 0;
  send_response(request.header, *channel, Ack{});
}

void ClientProbe::echo_in_order(const ClientRequest& request, std::size_t fragment_octets,
                                const std::vector<std::size_t>& order) {
  Channel* const channel = channel_of(request);
  if (!channel) return;
  channel->response = fragments_of(request.octets, fragment_octets);
  answers_ = 1;
  for (const std::size_t number : order)
    send_good(data(request.header, number, channel->response.size()), channel->response[number]);
}

void ClientProbe::serve_to_the_end() {
  while (const auto request = next_request(in(run().silence_time()))) echo(*request);
}

// --------------------------------------------------------------------------------------------------------- outcomes
namespace {

constexpr std::string_view kGoesOn = "the client accepts the valid response and sends its next request";

}  // namespace

std::optional<ClientRequest> ClientProbe::expect_next(const Rule& rule, std::string_view explanation) {
  if (!ok()) return std::nullopt;
  auto next = next_request();
  if (!ok()) return std::nullopt;
  if (!next && may_lack_answer()) {
    inconclusive("the client sent no further request, but packets of this conversation are lost");
    return std::nullopt;
  }
  require(rule, next.has_value(), kGoesOn, "no further request", explanation);
  return next;
}

void ClientProbe::answer_properly(const ClientRequest& request) {
  const Channel* const channel = channel_of(request);
  if (channel && !channel->response.empty())
    send_response(request.header, *channel, Ack{});
  else
    echo(request);
}

std::optional<ClientRequest> ClientProbe::expect_to_go_on(const Rule& rule, const ClientRequest& request,
                                                          std::string_view explanation) {
  answer_properly(request);
  return expect_next(rule, explanation);
}

void ClientProbe::expect_still_lacking(const Rule& rule, const ClientRequest& request, std::string_view explanation) {
  if (!expect_no_next(rule, request)) return;
  answer_properly(request);
  const bool goes_on = next_request().has_value();
  if (!goes_on && may_lack_answer()) return;
  advise(rule, goes_on, kGoesOn, "no further request", explanation);
}

bool ClientProbe::expect_no_next(const Rule& rule, const ClientRequest& request, std::string_view explanation) {
  const Instant deadline = in(run().silence_time());
  while (const auto packet = receive(deadline)) {
    if (is_request(*packet, request.rpc()) || is_ack(*packet, request.rpc())) break;  // it still waits for its answer
    const bool goes_on = is_another_request(*packet, request);
    if (!require(rule, !goes_on, "no further request before a valid response", to_text(*packet), explanation))
      return false;
    if (packet->is(PayloadType::session_open)) serve(*packet);
  }
  return require(rule, true, {}, {});
}

void ClientProbe::expect_not_taken(const Rule& rule, const ClientRequest& request, const std::function<void()>& bogus,
                                   std::string_view explanation) {
  if (!ok()) return;
  stimulates(rule);
  bogus();
  expect_no_next(rule, request, explanation);
  expect_to_go_on(rule, request, explanation);
}

std::optional<Received> ClientProbe::ask_for_ack(const ClientRequest& request,
                                                 const std::vector<OctetBuffer>& fragments,
                                                 const std::vector<std::uint16_t>& sent, const Ack& wanted) {
  std::optional<Received> last;
  for (unsigned attempt = 1; attempt <= kTries && ok(); ++attempt) {
    for (const std::uint16_t number : sent) {
      const bool asks = number == sent.back();
      send_good(data_with(request.header, {.request_ack = asks}, number, fragments.size()), fragments[number]);
    }
    const Instant deadline = in(attempt < kTries ? retry_time() : run().answer_time());
    while (const auto packet = await(deadline, [&](const Received& one) { return is_ack(one, request.rpc()); })) {
      last = packet;
      if (decode_ack(packet->payload) == wanted) return last;
    }
  }
  return last;
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/probes/server_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/octets/hex.h"

namespace wirelaw::ramcloud {
namespace {

constexpr std::uint64_t kNoToken = 0xcccccccccccccccc;  // the value that deployed clients write
constexpr std::size_t kShownOctets = 16;

std::string sample(Octets octets) {
  const std::size_t shown = std::min(octets.size(), kShownOctets);
  if (octets.empty()) return "no octets";
  return fmt::format("{} octets {}{}", octets.size(), to_hex(octets.first(shown)), shown < octets.size() ? "…" : "");
}

std::string difference(Octets wanted, const std::optional<OctetBuffer>& got) {
  if (!got) return "no response";
  if (got->size() != wanted.size()) return sample(*got);
  const auto [at, other] = std::mismatch(got->begin(), got->end(), wanted.begin());
  if (at == got->end()) return sample(*got);
  return fmt::format("{} octets, octet {} is 0x{:02x} instead of 0x{:02x}", got->size(), at - got->begin(), *at,
                     *other);
}

}  // namespace

// --------------------------------------------------------------------------------------------------------- sessions
Header ServerProbe::open_request(std::uint32_t client_hint) {
  return {.session_token = kNoToken,
          .client_session_hint = client_hint,
          .server_session_hint = 0xcccccccc,
          .payload_type = PayloadType::session_open};
}

std::optional<ProbeSession> ServerProbe::try_open(const OpenOptions& options) {
  Header request = open_request(options.client_hint ? *options.client_hint : fresh_hint());
  request.server_session_hint = options.server_hint;
  for (unsigned attempt = 1; attempt <= kTries && ok(); ++attempt) {
    send_good(request, options.payload);
    const auto answer = await(in(attempt < kTries ? retry_time() : run().answer_time()), [&](const Received& packet) {
      return packet.is(PayloadType::session_open) && packet.header.flags.direction &&
             packet.header.client_session_hint == request.client_session_hint && !packet.payload.empty();
    });
    if (answer)
      return ProbeSession{.token = answer->header.session_token,
                          .client_hint = request.client_session_hint,
                          .server_hint = answer->header.server_session_hint,
                          .max_channel_id = answer->payload[layout::kMaxChannelId]};
  }
  return std::nullopt;
}

ProbeSession ServerProbe::open(const OpenOptions& options) {
  const auto session = try_open(options);
  if (!session) inconclusive("the server did not open a session, so the case could not begin");
  return session.value_or(ProbeSession{});
}

ProbeSession ServerProbe::open_proven() {
  const ProbeSession plain = open();
  prepare(plain, {0, 0}, text("a plain request"));
  ignore(plain.client_hint);
  return open();
}

// ---------------------------------------------------------------------------------------------------------- headers
Header ServerProbe::data(const ProbeSession& session, Rpc rpc, std::size_t number, std::size_t total) {
  return {.session_token = session.token,
          .rpc_id = rpc.id,
          .client_session_hint = session.client_hint,
          .server_session_hint = session.server_hint,
          .frag_number = static_cast<std::uint16_t>(number),
          .total_frags = static_cast<std::uint16_t>(total),
          .channel_id = rpc.channel};
}

Header ServerProbe::data_with(const ProbeSession& session, Rpc rpc, Flags flags, std::size_t number,
                              std::size_t total) {
  Header header = data(session, rpc, number, total);
  header.flags = flags;
  return header;
}

Header ServerProbe::ack(const ProbeSession& session, Rpc rpc) {
  Header header = data(session, rpc, 0, 0);
  header.payload_type = PayloadType::ack;
  return header;
}

bool ServerProbe::is_to(const Received& packet, const ProbeSession& session) {
  return packet.header.flags.direction && packet.header.client_session_hint == session.client_hint;
}
bool ServerProbe::is_data_to(const Received& packet, const ProbeSession& session) {
  return packet.is(PayloadType::data) && is_to(packet, session);
}
bool ServerProbe::is_response(const Received& packet, const ProbeSession& session, Rpc rpc) {
  return is_data_to(packet, session) && belongs_to(packet.header, rpc);
}
bool ServerProbe::is_ack(const Received& packet, const ProbeSession& session, Rpc rpc) {
  return packet.is(PayloadType::ack) && is_to(packet, session) && belongs_to(packet.header, rpc);
}

// ------------------------------------------------------------------------------------------------------------- RPCs
struct ServerProbe::Call {
  const ProbeSession& session;
  Rpc rpc;
  const std::vector<OctetBuffer>& fragments;
  Ack known{};  // the latest ACK of the request
  FragmentsHere response{};

  std::size_t total() const { return fragments.size(); }
  bool acknowledged(std::size_t number) const {
    if (number < known.first_missing_frag) return true;
    const std::size_t bit = number - known.first_missing_frag;
    return bit > 0 && bit <= kStagingBits && (known.staging_vector >> (bit - 1) & 1) != 0;
  }
};

// Sends the fragments that the server lacks, as far as an ACK can report them. The last one asks for an ACK. Sends only
// one (`all` false) to ask for the state.
void ServerProbe::send_missing(const Call& call, bool all) {
  std::vector<std::size_t> missing;
  const std::size_t end = std::min(call.total(), std::size_t{call.known.first_missing_frag} + 1 + kStagingBits);
  for (std::size_t number = call.known.first_missing_frag; number < end; ++number)
    if (!call.acknowledged(number)) missing.push_back(number);
  if (missing.empty()) missing.push_back(call.total() - 1);
  if (!all) missing.resize(1);
  for (const std::size_t number : missing) {
    const bool asks = call.total() > 1 && number == missing.back();
    send_good(data_with(call.session, call.rpc, {.request_ack = asks}, number, call.total()), call.fragments[number]);
  }
}

std::optional<OctetBuffer> ServerProbe::call(const ProbeSession& session, Rpc rpc,
                                             const std::vector<OctetBuffer>& fragments, const CallOptions& options) {
  Call call{session, rpc, fragments};
  const auto send_ack = [&] {
    const Ack state = call.response.ack();
    if (options.acknowledged) options.acknowledged(state);
    send_good(ack(session, rpc), encode_ack(state));
  };
  if (options.send_first) send_missing(call, true);
  unsigned silent = 0;
  while (ok() && silent < kTries) {
    const auto packet = await(in(silent + 1 < kTries ? retry_time() : run().answer_time()), [&](const Received& one) {
      return is_response(one, session, rpc) || is_ack(one, session, rpc);
    });
    if (!packet) {
      ++silent;
      if (call.response.any())
        send_ack();
      else
        send_missing(call, false);
      continue;
    }
    if (options.lost && options.lost(*packet)) {
      silent = 0;
      continue;
    }
    if (options.seen) options.seen(*packet);
    if (packet->is(PayloadType::ack)) {
      const auto reported = decode_ack(packet->payload);
      if (!reported || call.response.any() || reported->first_missing_frag > fragments.size()) continue;
      if (*reported != call.known) silent = 0;
      call.known = *reported;
      if (reported->first_missing_frag < fragments.size()) send_missing(call, true);
      continue;
    }
    const Header& header = packet->header;
    if (call.response.add(header.frag_number, header.total_frags, packet->payload)) silent = 0;
    if (call.response.complete()) return call.response.message();
    if (header.flags.request_ack) send_ack();
  }
  return std::nullopt;
}

std::optional<OctetBuffer> ServerProbe::call(const ProbeSession& session, Rpc rpc, Octets request,
                                             const CallOptions& options) {
  return call(session, rpc, fragments_of(request), options);
}

namespace {

// An echo, if perhaps a damaged one.
bool resembles(Octets response, Octets request) {
  if (response.size() != request.size()) return false;
  std::size_t same = 0;
  for (std::size_t i = 0; i < request.size(); ++i) same += response[i] == request[i] ? 1 : 0;
  return 2 * same >= request.size();
}

OctetBuffer joined(const std::vector<OctetBuffer>& fragments) {
  OctetBuffer message;
  for (const OctetBuffer& one : fragments) message.insert(message.end(), one.begin(), one.end());
  return message;
}

constexpr std::string_view kNoEcho = "the application above the server does not echo requests: use --application none";

}  // namespace

// True if two plain requests in a new session get something other than an echo. A faulty echo server still preserves
// the length and most of the octets.
bool ServerProbe::answers_otherwise() {
  if (is_echo_) return false;
  const auto plain = try_open();
  if (!plain) return false;
  for (const std::uint32_t id : {0u, 1u}) {
    const OctetBuffer request = text(id == 0 ? "what does the application do?" : "and with another request?");
    const auto response = call(*plain, {0, id}, request);
    if (!response || resembles(*response, request)) return false;
  }
  ignore(plain->client_hint);
  return true;
}

bool ServerProbe::expect_echo(const Rule& rule, const ProbeSession& session, Rpc rpc,
                              const std::vector<OctetBuffer>& fragments, std::string_view explanation,
                              const CallOptions& options) {
  const OctetBuffer request = joined(fragments);
  const auto response = call(session, rpc, fragments, options);
  if (!ok()) return false;
  if (!foresees_answers()) return require(rule, response.has_value(), "a response", "none", explanation);
  if (response && *response != request && answers_otherwise()) {
    inconclusive(kNoEcho);
    return false;
  }
  is_echo_ = is_echo_ || response == request;
  return require(rule, response == request, sample(request), difference(request, response), explanation);
}

void ServerProbe::advise_echo(const Rule& rule, const ProbeSession& session, Rpc rpc,
                              const std::vector<OctetBuffer>& fragments, std::string_view explanation,
                              const CallOptions& options) {
  const OctetBuffer request = joined(fragments);
  const auto response = call(session, rpc, fragments, options);
  const bool good = foresees_answers() ? response == request : response.has_value();
  advise(rule, good, sample(request), difference(request, response), explanation);
}

void ServerProbe::expect_unharmed(const Rule& rule) {
  const auto another = try_open();
  if (!require(rule, another.has_value(), "another session", "none", "after everything that was sent before")) return;
  expect_echo(rule, *another, {0, 0}, text("in another session"), "after everything that was sent before");
}

bool ServerProbe::expect_echo(const Rule& rule, const ProbeSession& session, Rpc rpc, Octets request,
                              std::string_view explanation, const CallOptions& options) {
  return expect_echo(rule, session, rpc, fragments_of(request), explanation, options);
}

void ServerProbe::prepare(const ProbeSession& session, Rpc rpc, Octets request) {
  const auto response = call(session, rpc, request);
  if (!response) return inconclusive("the server did not answer a plain request, so the case could not continue");
  if (!foresees_answers()) return;
  if (!resembles(*response, request)) return inconclusive(kNoEcho);
  is_echo_ = std::equal(response->begin(), response->end(), request.begin(), request.end());
  if (!is_echo_) inconclusive("the server altered a plain request that it echoed, so the case could not continue");
}

std::vector<OctetBuffer> ServerProbe::count_request(std::size_t octets) {
  OctetBuffer request = text(kCountRequest);
  request.resize(std::max(octets, request.size()), 0x2e);
  return fragments_of(request);
}

std::uint32_t ServerProbe::count(const ProbeSession& session, Rpc rpc, std::size_t octets) {
  const auto response = call(session, rpc, count_request(octets));
  if (!response || response->size() != sizeof(std::uint32_t)) {
    inconclusive("the application did not report how often it was called");
    return 0;
  }
  return load_little_endian<std::uint32_t>(response->data());
}

std::optional<Received> ServerProbe::ask_for_ack(const ProbeSession& session, Rpc rpc,
                                                 const std::vector<OctetBuffer>& fragments,
                                                 const std::vector<std::uint16_t>& sent, const Ack& wanted) {
  std::optional<Received> last;
  for (unsigned attempt = 1; attempt <= kTries && ok(); ++attempt) {
    for (const std::uint16_t number : sent) {
      const bool asks = number == sent.back();
      send_good(data_with(session, rpc, {.request_ack = asks}, number, fragments.size()), fragments[number]);
    }
    const Instant deadline = in(attempt < kTries ? retry_time() : run().answer_time());
    while (const auto packet = await(deadline, [&](const Received& one) { return is_ack(one, session, rpc); })) {
      last = packet;
      if (decode_ack(packet->payload) == wanted) return last;
    }
  }
  return last;
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/ramcloud_builder.h"

namespace wirelaw::corpora {

using ramcloud::PayloadType;

namespace {

// Twelve octets that differ by RPC, fragment and direction.
OctetBuffer data_of(Side side, std::uint32_t rpc_id, std::uint16_t fragment) {
  OctetBuffer data{'t', 'r', 'a', 'c', 'e', static_cast<Octet>(side == Side::a ? '>' : '<')};
  Writer(data).little_endian(rpc_id).little_endian(fragment);
  return data;
}

}  // namespace

RamcloudTraceBuilder::Header RamcloudTraceBuilder::header(Side side, PayloadType type) const {
  return {.session_token = token_,
          .client_session_hint = kClientHint,
          .server_session_hint = kServerHint,
          .payload_type = type,
          .flags = {.direction = side == Side::b}};
}

void RamcloudTraceBuilder::send(Side side, OctetBuffer octets, std::uint8_t ip_option_octets) {
  messages_.push_back({.sender = side, .octets = std::move(octets), .ip_option_octets = ip_option_octets});
}

void RamcloudTraceBuilder::send(Side side, Header header, const Edit& edit, Octets payload) {
  if (edit) edit(header);
  send(side, ramcloud::encode(header, payload));
}

void RamcloudTraceBuilder::open_request(const Edit& edit, Octets payload) {
  constexpr std::uint64_t kNoToken = 0xcccccccccccccccc;
  constexpr std::uint32_t kNoHint = 0xcccccccc;
  Header open = header(Side::a, PayloadType::session_open);
  open.session_token = kNoToken;
  open.server_session_hint = kNoHint;
  send(Side::a, open, edit, payload);
}

void RamcloudTraceBuilder::open_response(const Edit& edit, OctetBuffer payload) {
  send(Side::b, header(Side::b, PayloadType::session_open), edit, payload);
}

void RamcloudTraceBuilder::open() {
  open_request();
  open_response();
}

void RamcloudTraceBuilder::data(Side side, std::uint32_t rpc_id, const Fragment& fragment, const Edit& edit) {
  Header one = header(side, PayloadType::data);
  one.rpc_id = rpc_id;
  one.frag_number = fragment.number;
  one.total_frags = fragment.total;
  one.channel_id = fragment.channel;
  send(side, one, edit, data_of(side, rpc_id, fragment.number));
}

void RamcloudTraceBuilder::request(std::uint32_t rpc_id, const Fragment& fragment, const Edit& edit) {
  data(Side::a, rpc_id, fragment, edit);
}

void RamcloudTraceBuilder::response(std::uint32_t rpc_id, const Fragment& fragment, const Edit& edit) {
  data(Side::b, rpc_id, fragment, edit);
}

void RamcloudTraceBuilder::exchange(std::uint32_t rpc_id, std::uint8_t channel) {
  request(rpc_id, {.channel = channel});
  response(rpc_id, {.channel = channel});
}

void RamcloudTraceBuilder::later(std::chrono::nanoseconds time) {
  constexpr std::uint8_t kOwnChannel = 5;
  request(0, {.channel = kOwnChannel});
  last().pause_ns = time.count();
  response(0, {.channel = kOwnChannel});
}

void RamcloudTraceBuilder::client_ack(std::uint32_t rpc_id, const ramcloud::Ack& ack, const Edit& edit) {
  Header one = header(Side::a, PayloadType::ack);
  one.rpc_id = rpc_id;
  send(Side::a, one, edit, encode_ack(ack));
}

void RamcloudTraceBuilder::server_ack(std::uint32_t rpc_id, const ramcloud::Ack& ack, const Edit& edit) {
  Header one = header(Side::b, PayloadType::ack);
  one.rpc_id = rpc_id;
  send(Side::b, one, edit, encode_ack(ack));
}

void RamcloudTraceBuilder::bad_session(const Edit& edit, Octets payload) {
  send(Side::b, header(Side::b, PayloadType::bad_session), edit, payload);
}

}  // namespace wirelaw::corpora

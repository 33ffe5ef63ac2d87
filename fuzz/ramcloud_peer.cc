// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ramcloud_peer.h"

#include <algorithm>

#include "fuzz/fault.h"
#include "reference/ramcloud/options.h"

namespace wirelaw::fuzz {
namespace {

using corpora::Action;
using corpora::Step;
using ramcloud::Header;
using ramcloud::PayloadType;

constexpr std::size_t kMostSessions = 8;
constexpr std::size_t kMostSent = 64;

template <class Int>
Int faulty(Int honest, Int others, Octet fault) {
  return fuzz::faulty(honest, others, static_cast<Int>(ramcloud::kNoToken), fault);
}

// A value that uses all bits and differs for each session.
std::uint64_t token_number(std::uint64_t number) {
  return (number + 1) * 0x9e3779b97f4a7c15;
}

}  // namespace

std::optional<OctetBuffer> RamcloudPeer::act(const Step& step) {
  std::optional<OctetBuffer> octets;
  switch (static_cast<Action>(step.action % corpora::kActions)) {
    case Action::packet:
    case Action::packet_too:
      octets = packet(step);
      break;
    case Action::raw:
      octets = raw(step);
      break;
    case Action::replay:
      octets = replay(step);
      break;
    default:
      return std::nullopt;
  }
  if (octets) sent_.push_front(*octets);
  if (sent_.size() > kMostSent) sent_.pop_back();
  return octets;
}

OctetBuffer RamcloudPeer::raw(const Step& step) const {
  OctetBuffer pattern;
  corpora::append_step(pattern, step);
  OctetBuffer octets(step.length % 64u);
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = pattern[1 + i % (pattern.size() - 1)];
  return octets;
}

std::optional<OctetBuffer> RamcloudPeer::replay(const Step& step) const {
  if (sent_.empty()) return std::nullopt;
  OctetBuffer octets = sent_[step.number % sent_.size()];
  if ((step.relative & 1) != 0 && !octets.empty()) octets[step.total % octets.size()] = step.flags;
  return octets;
}

OctetBuffer RamcloudPeer::packet(const Step& step) {
  const auto type = static_cast<PayloadType>(step.flags >> 4);
  Header header = type == PayloadType::session_open ? open(step) : in_session(step);
  header.payload_type = type;
  header.flags = {.direction = ((step.flags & 1) != 0) != (end_ == End::responder),
                  .request_ack = (step.flags & 2) != 0,
                  .please_drop = (step.flags & 4) != 0,
                  .reserved1 = (step.flags & 8) != 0};
  if (type == PayloadType::session_open && end_ == End::responder) begin_session(header);
  return ramcloud::encode(header, payload(step, header));
}

Header RamcloudPeer::open(const Step& step) {
  if (end_ == End::initiator) {
    const std::uint64_t others = sessions_.empty() ? 0 : sessions_.front().token;
    return {.session_token = faulty(ramcloud::kNoToken, others, step.token),
            .client_session_hint = faulty<std::uint32_t>(step.session, latest_hint_, step.client_hint),
            .server_session_hint = faulty<std::uint32_t>(ramcloud::kNoServerHint, 0, step.server_hint),
            .channel_id = step.channel};
  }
  const std::uint32_t others = sessions_.empty() ? 0 : sessions_.front().client_hint;
  return {.session_token = faulty<std::uint64_t>(token_number(step.session), 0, step.token),
          .client_session_hint = faulty(latest_hint_, others, step.client_hint),
          .server_session_hint = faulty<std::uint32_t>(step.session, 0, step.server_hint),
          .channel_id = step.channel};
}

Header RamcloudPeer::in_session(const Step& step) {
  Session& one = session(step.session);
  const Session& another = session(step.session + std::size_t{1});
  Channel& channel = one.channels[step.channel];
  const std::uint32_t rpc_id = channel.rpc_id + static_cast<std::uint32_t>(std::int32_t{step.rpc});
  const bool is_data = step.flags >> 4 == 0;
  if (end_ == End::initiator && is_data) channel.rpc_id = rpc_id;
  return {.session_token = faulty(one.token, another.token, step.token),
          .rpc_id = rpc_id,
          .client_session_hint = faulty(one.client_hint, another.client_hint, step.client_hint),
          .server_session_hint = faulty(one.server_hint, another.server_hint, step.server_hint),
          .frag_number = step.number,
          .total_frags = step.total,
          .channel_id = step.channel};
}

// A fragment has the same data each time, unless the steps give it another length.
OctetBuffer RamcloudPeer::payload(const Step& step, const Header& header) {
  OctetBuffer out;
  if (header.payload_type == PayloadType::ack) {
    const Channel& channel = session(step.session).channels[step.channel];
    const auto behind = static_cast<std::uint16_t>(channel.sent_end - step.number);
    out = ramcloud::encode_ack({.first_missing_frag = (step.relative & 1) != 0 ? behind : step.number,
                                .staging_vector = std::uint32_t{step.length} << 16 | step.total});
  } else if (header.payload_type == PayloadType::session_open && end_ == End::responder) {
    out = {step.channel};
  } else {
    out.resize(step.length % corpora::kMostPayload);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Octet>(header.rpc_id + header.frag_number + i);
    return out;
  }
  const std::size_t change = step.relative >> 4;
  out.resize(change < 8 ? out.size() - std::min(out.size(), change) : out.size() + change - 7);
  return out;
}

RamcloudPeer::Session& RamcloudPeer::session(std::size_t back) {
  if (sessions_.empty()) sessions_.push_front({.token = token_number(0), .client_hint = latest_hint_});
  return sessions_[back % sessions_.size()];
}

void RamcloudPeer::begin_session(const Header& header) {
  sessions_.push_front({.token = header.session_token,
                        .client_hint = header.client_session_hint,
                        .server_hint = header.server_session_hint});
  if (sessions_.size() > kMostSessions) sessions_.pop_back();
}

RamcloudPeer::Channel* RamcloudPeer::channel_of(const Header& header) {
  for (Session& one : sessions_)
    if (one.token == header.session_token && one.server_hint == header.server_session_hint)
      return &one.channels[header.channel_id];
  return nullptr;
}

void RamcloudPeer::learn(Octets octets) {
  const auto packet = ramcloud::decode(octets);
  if (!packet) return;
  const Header& header = packet->header;
  if (header.payload_type == PayloadType::session_open) {
    if (end_ == End::initiator) return begin_session(header);
    latest_hint_ = header.client_session_hint;
  }
  Channel* const channel = channel_of(header);
  if (channel == nullptr || header.payload_type != PayloadType::data) return;
  if (end_ == End::responder && header.rpc_id != channel->rpc_id) *channel = {.rpc_id = header.rpc_id};
  channel->sent_end = std::max(channel->sent_end, static_cast<std::uint16_t>(header.frag_number + 1));
}

}  // namespace wirelaw::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/probes/probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/ramcloud/decode.h"

namespace wirelaw::ramcloud {

std::vector<OctetBuffer> fragments_of(Octets message, std::size_t octets) {
  std::vector<OctetBuffer> fragments;
  do {
    const Octets one = message.first(std::min(octets, message.size()));
    fragments.emplace_back(one.begin(), one.end());
    message = message.subspan(one.size());
  } while (!message.empty());
  return fragments;
}

std::string to_text(const Received& packet) {
  return decode_for_people(encode(packet.header, packet.payload)).summary;
}

std::string to_text(const std::optional<Received>& packet) {
  return packet ? to_text(*packet) : "nothing";
}

std::string to_text(const Ack& ack) {
  return fmt::format("firstMissingFrag {}, stagingVector 0x{:08x}", ack.first_missing_frag, ack.staging_vector);
}

bool FragmentsHere::add(std::uint16_t number, std::uint16_t total, Octets octets) {
  if (total_ == 0) {
    total_ = total;
    here_.resize(total);
    octets_.resize(total);
  }
  if (total != total_ || number >= total_ || here_[number]) return false;
  here_[number] = true;
  octets_[number].assign(octets.begin(), octets.end());
  ++count_;
  return true;
}

Ack FragmentsHere::ack() const {
  Ack ack;
  while (has(ack.first_missing_frag)) ++ack.first_missing_frag;
  for (unsigned bit = 0; bit < kStagingBits; ++bit)
    if (has(static_cast<std::uint16_t>(ack.first_missing_frag + 1 + bit))) ack.staging_vector |= 1u << bit;
  return ack;
}

OctetBuffer FragmentsHere::message() const {
  OctetBuffer message;
  for (const OctetBuffer& one : octets_) message.insert(message.end(), one.begin(), one.end());
  return message;
}

void Probe::send_good(const Header& header, Octets payload) {
  if (ok()) send_octets(encode(header, payload));
}

std::optional<Received> Probe::receive(Instant deadline) {
  while (ok()) {
    const auto octets = receive_octets(deadline);
    if (!octets) break;
    const auto packet = decode(*octets);
    if (!packet || std::ranges::count(ignored_, packet->header.client_session_hint) > 0) continue;
    Received received{packet->header, {packet->payload.begin(), packet->payload.end()}};
    if (watcher_) watcher_(received);
    if (ok()) return received;
  }
  return std::nullopt;
}

}  // namespace wirelaw::ramcloud

// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "conformance/efa/decode.h"
#include "conformance/own_address.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kShownOctets = 16;
// Largest packet that the device of the deployed provider takes.
constexpr std::size_t kPacketOctets = 8928;
constexpr std::size_t kLeastPacketOctets = 512;
constexpr std::uint32_t kFilling = 0x5a5a'5a5a;

}  // namespace

std::string to_text(const Received& packet) {
  return decode_for_people(packet.octets).summary;
}

std::string to_text(const Received* packet) {
  return packet == nullptr ? "nothing" : to_text(*packet);
}

std::string size_of(Octets octets) {
  const std::size_t shown = std::min(octets.size(), kShownOctets);
  if (octets.empty()) return "no octets";
  return fmt::format("{} octets {}{}", octets.size(), to_hex(octets.first(shown)), shown < octets.size() ? "…" : "");
}

std::string difference(Octets wanted, Octets got) {
  const auto [at, other] = std::mismatch(got.begin(), got.end(), wanted.begin(), wanted.end());
  if (got.size() != wanted.size() || at == got.end()) return size_of(got);
  return fmt::format("{} octets, octet {} is 0x{:02x} instead of 0x{:02x}", got.size(), at - got.begin(), *at, *other);
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A documentation address (RFC 3849), as long as the transport has none of its own.
Identity::Identity(unsigned number) {
  address.gid = {0x20, 0x01, 0x0d, 0xb8};
  address.gid[15] = 1;
  address.qpn = static_cast<std::uint16_t>(0x0100 + number);
  address.connid = 0x5701'0000u + number;
}

Probe::Probe(CaseRun& run, unsigned identity) : CaseProbe(run), identity_(identity) {
  packet_octets_ =
      std::max(static_cast<std::size_t>(number_of(run.parameter("mtu")).value_or(kPacketOctets)), kLeastPacketOctets);
  first_msg_id_ = static_cast<std::uint32_t>(number_of(run.parameter("msg_id")).value_or(0));
  tag_ = number_of(run.parameter("tag"));
  if (!connected()) return;
  // A peer may answer to the source address of a packet, or to the address in it.
  if (const auto own = own_address_of(transport())) {
    identity_.address.gid = own->endpoint.address.as_ipv6();
    identity_.address.qpn = static_cast<std::uint16_t>(own->endpoint.port);  // all that a raw address has room for
    if (own->qkey) {
      identity_.address.connid = *own->qkey;
      may_change_connid_ = false;
      return;
    }
  }
  // The connid of an endpoint is random (1.4). An earlier case may have used this address, and the peer must not
  // mistake this probe for it. Live clocks never show the same time twice, and a run in memory is the same every time.
  const auto time = static_cast<std::uint64_t>(now().count());
  identity_.address.connid ^= static_cast<std::uint32_t>(time * 0x9e37'79b9'7f4a'7c15u >> 40);
}

// ------------------------------------------------------------------------------------------------------ packets out

Packet Probe::request(PacketType type) const {
  // The address as in a packet, padded to the size in its header.
  Packet packet = packet_of(type);
  if (!met() || peer_announces(Extra::constant_header_length)) {
    packet.flags |= flag::kRawAddress;
    packet.raw_address_size = static_cast<std::uint32_t>(raw_address_octets);
  } else if (peer_announces(Extra::connid_header)) {
    packet.flags |= flag::kConnid;
    packet.connid = connid();
  }
  return packet;
}

Packet Probe::answer(PacketType type) const {
  Packet packet = packet_of(type);
  if (fills_padding) {
    packet.connid = packet.padding = kFilling;
    return packet;
  }
  packet.flags |= flag::kConnid;
  packet.connid = connid();
  return packet;
}

void Probe::send_handshake() {
  OctetBuffer extra_info;
  Writer(extra_info).little_endian(extra_info_);
  Packet packet = answer(PacketType::handshake);
  packet.nextra_p3 = 4;
  packet.extra_info = extra_info;
  send_good(packet);
}

// A raw address header with a size but no address gets the probe's address.
OctetBuffer Probe::octets_of(const Packet& packet) const {
  const Layout* const layout = packet.layout();
  const bool request = layout != nullptr && layout->is_request();
  if (!request || !packet.has(flag::kRawAddress) || !packet.raw_address.empty()) return encode(packet);
  OctetBuffer own;
  encode(identity_.address, own);
  own.resize(packet.raw_address_size);
  Packet with_address = packet;
  with_address.raw_address = own;
  return encode(with_address);
}

void Probe::send_hex(std::string_view hex) {
  send_octets(*from_hex(hex));
}

// ------------------------------------------------------------------------------------------------------- packets in

bool Probe::pump(Instant deadline) {
  auto octets = receive_octets(deadline);
  if (!octets) return false;
  note(log_.emplace_back(std::move(*octets), now()));
  return ok();
}

// 2.1: any first packet is answered with the HANDSHAKE (EFA/A-13).
void Probe::note(Received& packet) {
  if (packet.is(PacketType::handshake) && handshake_ == nullptr) handshake_ = &packet;
  if (sends_handshake_) {
    sends_handshake_ = false;
    send_handshake();
  }
  if (packet.is(PacketType::handshake) || (left_to_case_ && left_to_case_(packet))) return;
  packet.taken = serve(packet);
}

}  // namespace wirelaw::efa

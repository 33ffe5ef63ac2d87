// SPDX-License-Identifier: Apache-2.0
// The first flaw in a packet, small enough to return in registers. Decoding a hostile capture formats no text and
// allocates nothing until a message is printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace wirelaw::pcap {

// Has the order of the table in flaw.cc.
enum class Fault : std::uint8_t {
  none,
  ethernet_short,
  cooked_short,
  loopback_short,
  carrier_short,
  carrier_many,
  link_short,
  grh_short,
  lrh_short,
  ip_version,
  ip_length_long,
  ipv4_short,
  ipv4_header_length,
  ipv4_total_length,
  ipv6_short,
  ipv6_extension_short,
  ipv6_extension_many,
  ipv6_jumbogram,
  udp_short,
  udp_length_short,
  udp_length_long,
  payload_cut,
  fragment_cut,
  fragment_unaligned,
  fragment_beyond,
  fragment_overlap,
  fragment_end,
  fragment_nested,
  reassembly_evicted,
  reassembly_expired,
  reassembly_incomplete,
  pdu_tag_short,
  pdu_value_short,
  pdu_endless,
  pdu_tag_length,
  pdu_no_source,
  pdu_no_destination,
  pdu_no_source_port,
  pdu_no_destination_port,
  tcp_short,
  tcp_header_length,
  tcp_header_long,
  tcp_overlap,
  tcp_beyond_end,
  tcp_far,
  tcp_two_clocks,
  roce_two_clocks,
  count,
};

struct Flaw {
  Fault fault = Fault::none;
  std::uint32_t offset = 0;  // octet of the frame that has the flaw
  std::uint32_t have = 0;    // the two numbers that the message quotes
  std::uint32_t need = 0;

  explicit operator bool() const { return fault != Fault::none; }
};

// Narrows the sizes. They fit, because frames are limited.
inline Flaw flaw(Fault fault, std::size_t offset, std::size_t have = 0, std::size_t need = 0) {
  return {fault, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(have),
          static_cast<std::uint32_t>(need)};
}

// Returns true if a longer snap length would have kept what is missing.
bool is_shortage(Fault fault);

std::string message(const Flaw& flaw);
std::string hint(const Flaw& flaw);

}  // namespace wirelaw::pcap

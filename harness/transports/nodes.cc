// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/nodes.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <random>

#include "harness/environment.h"

namespace wirelaw {
namespace {

constexpr Octet kLoopbackNetwork = 127;
constexpr unsigned kNodes = 250;

unsigned process_number = 0;

// The second octet of our addresses: 0 at first, then those that the run moves through.
std::atomic<unsigned> stretch = 0;
std::atomic<unsigned> conversations = 0;  // since the nodes moved
constexpr unsigned kStretches = 255;      // 127.1.0.0/16 to 127.255.0.0/16

// The number of local ports that the system chooses from.
unsigned local_ports() {
  constexpr unsigned kDefault = 28'232;
  std::ifstream range("/proc/sys/net/ipv4/ip_local_port_range");
  unsigned first = 0, last = 0;
  return range >> first >> last && last >= first ? last - first + 1 : kDefault;
}

void move_nodes() {
  static unsigned next = std::random_device()() % kStretches;
  stretch = 1 + next++ % kStretches;
  conversations = 0;
}

pcap::Address loopback(unsigned number) {
  const Octet octets[] = {kLoopbackNetwork, static_cast<Octet>(stretch.load()), static_cast<Octet>(process_number),
                          static_cast<Octet>(1 + number)};
  return pcap::Address::ipv4(octets);
}

}  // namespace

bool is_loopback(const pcap::Address& address) {
  constexpr std::array<Octet, 16> kSix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return address.v6 ? address.octets == kSix : address.octets[0] == kLoopbackNetwork;
}

bool is_unspecified(const pcap::Address& address) {
  return std::ranges::all_of(address.octets, [](Octet one) { return one == 0; });
}

bool may_dial(const pcap::Address& own, const pcap::Address& to) {
  return is_loopback(to) || !is_loopback(own);
}

// Processes of another run, which has another parent, are likely to have other addresses.
void number_nodes(unsigned process) {
  process_number = process;
  stretch = process == 0 ? 0 : 1 + static_cast<unsigned>(::getppid()) % kStretches;
  conversations = 0;
}

void note_conversation() {
  ++conversations;
}

void move_nodes_if_worn() {
  constexpr unsigned kEnough = 4096;  // for a run of every suite, with room to spare
  const bool is_home = stretch == 0;
  if ((is_home && local_ports() < kEnough) || conversations > local_ports() / 4) move_nodes();
}

std::optional<pcap::Address> address_of_first_node(const pcap::Address& iut) {
  if ((process_number == 0 && stretch == 0) || iut.v6 || !is_loopback(iut)) return std::nullopt;
  return loopback(0);
}

tl::expected<pcap::Address, TransportError> address_of_node(unsigned node, const pcap::Address& iut) {
  if (iut.v6 || !is_loopback(iut))
    return tl::unexpected(no_way("the tester has no second address towards the IUT",
                                 "on one machine it has many: let the IUT listen at an address of 127.0.0.0/8"));
  if (node > kNodes) return tl::unexpected(no_way("the tester has no so many addresses"));
  // The addresses after the IUT's make room for it.
  for (unsigned before = 1; before <= node; ++before)
    if (loopback(before) == iut) return loopback(node + 1);
  return loopback(node);
}

}  // namespace wirelaw

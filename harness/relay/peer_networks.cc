// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/peer_networks.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace wirelaw {
namespace {

constexpr const char* kTap = "tap";
constexpr int kQueueFrames = 10'000;  // frames that wait for the relay

tl::unexpected<TransportError> refused(std::string_view what, std::string_view hint) {
  return tl::unexpected(
      TransportError{fmt::format("{}: {}", what, std::generic_category().message(errno)), std::string(hint)});
}

constexpr std::string_view kMayMake =
    "--transparent makes network namespaces; it needs root, or a system that allows user namespaces";
constexpr std::string_view kMayOpen = "--transparent needs /dev/net/tun (the module tun), and the right to open it";

bool write_to(const char* path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  return file.good();
}

// In a user namespace of its own, this user is root.
bool become_root() {
  const auto user = ::geteuid(), group = ::getegid();
  if (::unshare(CLONE_NEWUSER) != 0) return false;
  write_to("/proc/self/setgroups", "deny");  // without it, the group cannot be mapped
  return write_to("/proc/self/uid_map", fmt::format("0 {} 1", user)) &&
         write_to("/proc/self/gid_map", fmt::format("0 {} 1", group));
}

ifreq request_for(const char* name) {
  ifreq request = {};
  std::strcpy(request.ifr_name, name);
  return request;
}

bool set_up(int socket, const char* name) {
  ifreq request = request_for(name);
  request.ifr_flags = IFF_UP;
  return ::ioctl(socket, SIOCSIFFLAGS, &request) == 0;
}

bool set_address(int socket, unsigned long command, std::string_view address) {
  ifreq request = request_for(kTap);
  sockaddr_in value{};
  value.sin_family = AF_INET;
  if (::inet_pton(AF_INET, std::string(address).c_str(), &value.sin_addr) != 1) return false;
  std::memcpy(&request.ifr_addr, &value, sizeof value);
  return ::ioctl(socket, command, &request) == 0;
}

bool configure(int socket, std::string_view address) {
  // Without IPv6 there are no router solicitations and the like. Where it cannot be switched off, they pass.
  write_to("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1");
  ifreq queue = request_for(kTap);
  queue.ifr_qlen = kQueueFrames;
  return ::ioctl(socket, SIOCSIFTXQLEN, &queue) == 0 && set_up(socket, "lo") &&
         set_address(socket, SIOCSIFADDR, address) && set_address(socket, SIOCSIFNETMASK, "255.255.255.0") &&
         set_up(socket, kTap);
}

}  // namespace

tl::expected<std::array<PeerNetwork, 2>, TransportError> make_peer_networks() {
  std::array<PeerNetwork, 2> networks;
  constexpr std::array kAddresses = {kInitiatorAddress, kResponderAddress};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    if (::unshare(CLONE_NEWNET) != 0 && (i > 0 || !become_root() || ::unshare(CLONE_NEWNET) != 0))
      return refused("cannot make a network namespace", kMayMake);
    PeerNetwork& one = networks[i];
    one.namespace_ = pcap::Descriptor(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
    one.counters_ = pcap::Descriptor(::open("/proc/self/net/dev", O_RDONLY | O_CLOEXEC));
    one.tap_ = pcap::Descriptor(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
    if (!one.tap_) return refused("cannot open /dev/net/tun", kMayOpen);
    ifreq request = request_for(kTap);
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    if (::ioctl(one.tap(), TUNSETIFF, &request) != 0) return refused("cannot make a TAP", kMayOpen);
    const pcap::Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!socket || !configure(socket.get(), kAddresses[i]))
      return refused("cannot set up the network of a peer", kMayMake);
  }
  return networks;
}

tl::expected<void, std::string> PeerNetwork::enter() const {
  if (::setns(namespace_.get(), CLONE_NEWNET) == 0) return {};
  return tl::unexpected("cannot enter the network of a peer: " + std::generic_category().message(errno));
}

// A line of the file has the name, eight numbers about what the interface received, and as many about what it sent;
// the fourth of each is the number of dropped frames. The relay reads what the TAP sends, and writes what it receives.
std::uint64_t PeerNetwork::dropped() const {
  constexpr int kReceivedDropped = 4, kSentDropped = 8 + 4;
  std::string text(4096, '\0');
  const ssize_t length = ::pread(counters_.get(), text.data(), text.size(), 0);
  if (length < 0) return 0;
  text.resize(static_cast<std::size_t>(length));
  const std::size_t line = text.find(fmt::format("{}:", kTap));
  if (line == std::string::npos) return 0;
  const char* at = text.c_str() + line + std::strlen(kTap) + 1;
  std::uint64_t dropped = 0;
  for (int i = 1; i <= kSentDropped; ++i) {
    char* end = nullptr;
    const std::uint64_t number = std::strtoull(at, &end, 10);
    at = end;
    if (i == kReceivedDropped || i == kSentDropped) dropped += number;
  }
  return dropped;
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/peer_room.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace wirelaw::soft_efa {
namespace {

constexpr std::size_t kPeers = 1024;  // peers remembered at the same time

// The memory that a datagram takes at the receiver: its pages and the kernel's own record.
constexpr std::uint64_t cost(std::size_t octets) {
  return 2 * octets + 2048;
}

struct Query {
  nlmsghdr header;
  inet_diag_req_v2 request;
};

Query query_for(const Peer& self, const Peer& peer) {
  Query query = {};
  query.header.nlmsg_len = sizeof query;
  query.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  query.header.nlmsg_flags = NLM_F_REQUEST;
  query.request.sdiag_family = is_ipv4(peer.gid) ? AF_INET : AF_INET6;
  query.request.sdiag_protocol = IPPROTO_UDP;
  query.request.idiag_ext = 1 << (INET_DIAG_SKMEMINFO - 1);
  query.request.idiag_states = ~0u;
  // A lookup as for a packet on its way to the peer: source first.
  inet_diag_sockid& id = query.request.id;
  const std::size_t from = is_ipv4(peer.gid) ? 12 : 0;
  std::memcpy(id.idiag_src, self.gid.data() + from, self.gid.size() - from);
  std::memcpy(id.idiag_dst, peer.gid.data() + from, peer.gid.size() - from);
  id.idiag_sport = htons(self.port);
  id.idiag_dport = htons(peer.port);
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return query;
}

}  // namespace

PeerRoom::PeerRoom(Peer self)
    : self_(self), netlink_(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {}

PeerRoom::~PeerRoom() {
  if (netlink_ >= 0) ::close(netlink_);
}

PeerRoom::Answer PeerRoom::query(const Peer& peer) const {
  constexpr Answer kUnknown{Room::there, UINT64_MAX};
  const Query query = query_for(self_, peer);
  if (::send(netlink_, &query, sizeof query, 0) != static_cast<ssize_t>(sizeof query)) return kUnknown;
  alignas(nlmsghdr) std::array<std::byte, 4096> answer;
  const ssize_t got = ::recv(netlink_, answer.data(), answer.size(), 0);
  if (got < 0) return kUnknown;
  auto octets = static_cast<unsigned>(got);
  const auto* header = reinterpret_cast<const nlmsghdr*>(answer.data());
  if (!NLMSG_OK(header, octets)) return kUnknown;
  if (header->nlmsg_type == NLMSG_ERROR) {
    const auto* error = static_cast<const nlmsgerr*>(NLMSG_DATA(header));
    return error->error == -ENOENT ? Answer{Room::nobody, 0} : kUnknown;
  }
  const auto* message = static_cast<const inet_diag_msg*>(NLMSG_DATA(header));
  auto left = static_cast<unsigned>(header->nlmsg_len - NLMSG_LENGTH(sizeof *message));
  for (const auto* part = reinterpret_cast<const rtattr*>(message + 1); RTA_OK(part, left);
       part = RTA_NEXT(part, left)) {
    if (part->rta_type != INET_DIAG_SKMEMINFO || RTA_PAYLOAD(part) < 2 * sizeof(std::uint32_t)) continue;
    std::array<std::uint32_t, 2> memory;  // SK_MEMINFO_RMEM_ALLOC, SK_MEMINFO_RCVBUF
    std::memcpy(memory.data(), RTA_DATA(part), sizeof memory);
    return {Room::there, memory[1] > memory[0] ? memory[1] - memory[0] : 0};
  }
  return kUnknown;
}

Room PeerRoom::ask(const Peer& peer, std::size_t octets) {
  if (netlink_ < 0 || !is_loopback(peer.gid)) return Room::there;
  auto known = allowance_.find(peer);
  if (known == allowance_.end()) {
    if (allowance_.size() >= kPeers) allowance_.clear();
    known = allowance_.emplace(peer, 0).first;
  }
  std::uint64_t& allowance = known->second;
  if (allowance < cost(octets)) {
    const Answer answer = query(peer);
    if (answer.room == Room::nobody) return Room::nobody;
    allowance = answer.free / 2;
  }
  if (allowance < cost(octets)) return Room::full;
  allowance -= cost(octets);
  return Room::there;
}

}  // namespace wirelaw::soft_efa

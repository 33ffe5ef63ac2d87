// SPDX-License-Identifier: Apache-2.0
// The connections and datagram exchanges of a node: they convert octets to instructions, and drafts to octets. They do
// not interpret instructions.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "reference/endpoint.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/node/node_address.h"
#include "reference/umsp/node/outbox.h"

namespace wirelaw::umsp {

struct LinkLimits {
  std::size_t links = 1024;
  std::uint64_t instruction_octets = std::uint64_t{4} << 20;  // for one reassembled instruction
  std::size_t unsent_octets = std::size_t{8} << 20;           // on all links
  std::size_t held_octets = std::size_t{64} << 20;            // for incomplete instructions on all links
  std::size_t waiting = 1024;                                 // drafts for nodes without a connection yet
};

// The source of an instruction.
struct Origin {
  LinkId link = 0;
  NodeAddress from;
  bool datagram = false;
  // The number of the transport segment in which the instruction arrived. One that began in another segment has its own
  // number.
  std::uint64_t segment = 0;
  bool alone = true;  // there is no other TCP connection with that node
};

class Links {
 public:
  explicit Links(const LinkLimits& limits) : limits_(limits) {}
  virtual ~Links() = default;
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  // --- calls of the transport
  void linked(LinkId link, NodeAddress remote, bool datagrams);
  // If there is no room for another link, returns the oldest datagram exchange, since these do not end by themselves.
  // Returns nothing if there is room, or if all links are connections.
  std::optional<LinkId> to_make_room() const;
  void ended(LinkId link);
  // Drops the drafts that wait for this connection.
  void not_reached(NodeAddress to);
  bool next_output(Outgoing& out);
  // Returns a node to which a TCP connection is needed; each one once until linked() or not_reached().
  std::optional<NodeAddress> next_dial();

  // --- receiving. `sink(origin, instruction, membership)` gets each instruction; it may send, and end links.
  template <class Sink>
  void receive(LinkId link, Octets octets, const Sink& sink);

  // --- sending
  void send(NodeAddress to, const Draft& draft, std::optional<LinkId> on);
  void send_datagram(NodeAddress to, const Draft& draft, std::optional<LinkId> on);
  // Ends a connection after everything queued before that is sent.
  void end(LinkId link, Ending ending);

  bool is_open(LinkId link) const { return links_.contains(link); }
  std::size_t size() const { return links_.size(); }
  std::optional<NodeAddress> remote(LinkId link) const;

 protected:
  // Sets `taken` to the length of the first instruction in `octets`; 0 if it is incomplete. Returns false if it will
  // never be complete.
  virtual bool measure(Octets octets, std::size_t& taken) const;
  // Keeps the remaining octets of a stream until more arrive.
  virtual void keep(LinkId id, OctetBuffer held, std::size_t from, bool sound);

 private:
  struct Link {
    NodeAddress remote;
    bool datagrams = false;
    Context in, out;
    OctetBuffer held;
  };

  std::size_t tcp_links(NodeAddress node) const;
  const LinkId* find(NodeAddress to, bool datagrams, std::optional<LinkId> on) const;
  void write_to(LinkId id, const Draft& draft);

  LinkLimits limits_;
  std::map<LinkId, Link> links_;
  std::map<std::pair<NodeAddress, bool>, LinkId> latest_;  // by node and kind: connection or datagrams
  std::map<NodeAddress, std::deque<Draft>> waiting_;
  std::size_t waiting_count_ = 0;
  std::deque<NodeAddress> dials_;
  std::deque<Outgoing> out_;
  std::size_t unsent_ = 0;
  std::size_t held_ = 0;
  std::uint64_t segments_ = 0;
};

template <class Sink>
void Links::receive(LinkId id, Octets octets, const Sink& sink) {
  const auto found = links_.find(id);
  if (found == links_.end()) return;
  Origin origin{.link = id, .from = found->second.remote, .datagram = found->second.datagrams};
  origin.alone = tcp_links(origin.from) < 2;
  Context datagram;  // each one has a new context (UMSP/A11)
  OctetBuffer held = std::exchange(found->second.held, {});
  held_ -= held.size();
  bool begun_before = !held.empty();
  held.insert(held.end(), octets.begin(), octets.end());
  ++segments_;
  std::size_t at = 0, taken = 0;
  bool sound = true;
  while ((sound = measure(Octets(held).subspan(at), taken)) && taken > 0) {
    const auto instruction = decode(Octets(held).subspan(at, taken), {limits_.instruction_octets});
    const auto still = links_.find(id);
    if (!instruction || still == links_.end()) return;
    const Membership membership = follow(instruction->header, origin.datagram ? datagram : still->second.in);
    origin.segment = begun_before ? segments_++ : segments_;
    begun_before = false;
    sink(origin, *instruction, membership);
    at += taken;
  }
  if (!origin.datagram) keep(id, std::move(held), at, sound);
}

}  // namespace wirelaw::umsp

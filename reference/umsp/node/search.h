// SPDX-License-Identifier: Apache-2.0
// The search for virtual machines (RFC 3018 9). The node answers VM_REQ with a VM_NOTIF for each VM, group and
// transport, over the transport of the request. It keeps the VMs of which others notify it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "reference/umsp/management.h"
#include "reference/umsp/node/links.h"
#include "reference/umsp/node/outbox.h"

namespace wirelaw::umsp {

// 9.2: the transports of a node.
enum class NodeTransport : std::uint16_t {
  one_tcp = 0x0100,
  several_tcp = 0x0101,
  one_tcp_and_udp = 0x0102,
  several_tcp_and_udp = 0x0103,
};

struct NamedVm {
  VmKind vm;
  std::string name = {};  // only for types from 49152 on
};
struct VmGroup {
  std::uint16_t number = 1;
  std::string name = {};
  std::vector<VmKind> members;  // in ascending order
};
inline constexpr std::uint16_t kLeastNamedType = 49152;
// Requests the VM that works without sessions (9.1).
inline constexpr VmKind kZeroSessionVm{0xffff, 0xffff};

struct SearchOptions {
  std::vector<NamedVm> vms = {{{50000, 1}, "wirelaw"}};  // in ascending order
  std::vector<VmGroup> groups = {};
  std::vector<NodeTransport> transports = {NodeTransport::several_tcp_and_udp};
  std::optional<VmKind> zero_session = VmKind{50000, 1};
  std::size_t most_known = 1024;  // maximum number of VMs of others
};

// An object that another node has.
struct KnownVm {
  NodeAddress node;
  std::uint16_t transport = 0;
  std::vector<VmKind> vms;
  std::string name;
  friend bool operator==(const KnownVm&, const KnownVm&) = default;
};

class Search {
 public:
  // `out` outlives the search.
  Search(SearchOptions options, Outbox& out) : options_(std::move(options)), out_(out) {}
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Handles VM_REQ and VM_NOTIF; returns false for other instructions.
  bool receive(const Origin& origin, const Instruction& instruction);
  void seek(NodeAddress to, const VmReq& wanted, bool by_datagram);
  const std::deque<KnownVm>& known() const { return known_; }

 protected:
  virtual void on_request(const Origin& origin, const Instruction& instruction);
  virtual void on_notification(const Origin& origin, const Instruction& instruction);
  // --- steps of the answer
  void answer_operands(const Origin& origin, const Instruction& instruction, const VmReq& request);
  virtual void answer_name(const Origin& origin, const Instruction& instruction, std::string_view name);
  virtual void answer_all(const Origin& origin, const Instruction& instruction);
  virtual void answer_one(const Origin& origin, const Instruction& instruction, VmKind wanted);
  virtual void answer_group(const Origin& origin, const Instruction& instruction, const std::vector<VmKind>& wanted);
  // Sends a VM_NOTIF for each transport.
  void notify(const Origin& origin, const Instruction& instruction, const std::vector<VmKind>& vms,
              std::string_view name);
  virtual void send(const Origin& origin, Draft draft);

  static std::vector<VmKind> listed(const VmGroup& group);

  SearchOptions options_;
  Outbox& out_;
  std::deque<KnownVm> known_;
};

}  // namespace wirelaw::umsp

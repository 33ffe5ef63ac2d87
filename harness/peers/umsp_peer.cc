// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/umsp_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/peers/umsp_application.h"
#include "reference/octets/hex.h"
#include "reference/umsp/make_node.h"
#include "reference/umsp/vm/code.h"
#include "reference/umsp/vm/offered.h"

namespace wirelaw::umsp {
namespace {

struct Setup {
  NodeOptions options;
  std::uint16_t port = kPort;  // address that it dials
  bool remote_jcp = false;
  Deviations deviations = {};
};

NodeAddress node_at(const Endpoint& endpoint) {
  NodeAddress node;
  std::copy_n(endpoint.address.octets.begin(), node.ip.size(), node.ip.begin());
  return node;
}

// For either role: connects a node with its links.
class NodePeer : public wirelaw::Peer {
 public:
  explicit NodePeer(const Setup& setup) : setup_(setup) {}

  void linked(PeerId id, const Link& link) override {
    if (!node_) {
      NodeOptions options = setup_.options;
      options.address = node_at(link.local);
      node_ = make_node(options, setup_.deviations);
    }
    node_->linked(id, node_at(link.remote), link.datagrams, now_);
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    now_ = now;
    if (!node_) return;
    node_->receive(from, octets, now);
    proceed();
  }
  void ended(PeerId who, Ending ending, Instant now) override {
    now_ = now;
    if (ending == Ending::closed) endings_.push_back({who, {}, Ending::closed});
    if (node_) node_->ended(who, now);
  }
  void not_reached(const Dial& dial, Instant now) override {
    now_ = now;
    if (node_) node_->not_reached(node_at(dial.to), now);
  }
  std::optional<Dial> next_dial() override {
    const auto to = node_ ? node_->next_dial() : std::nullopt;
    if (!to) return std::nullopt;
    return Dial{.to = {wirelaw::Address::ipv4(to->ip.data()), setup_.port}};
  }
  void advance(Instant now) override {
    now_ = now;
    if (!node_) return;
    node_->advance(now);
    proceed();
  }
  std::optional<Instant> deadline() const override { return node_ ? node_->deadline() : std::nullopt; }
  bool next_datagram(Outgoing& out) override {
    if (node_ && node_->next_output(out)) return true;
    if (endings_.empty()) return false;
    out = std::move(endings_.front());
    endings_.pop_front();
    return true;
  }

 protected:
  virtual void on(const NodeEvent&) {}
  void proceed() {
    for (NodeEvent event; node_->next_event(event);) on(event);
  }

  Setup setup_;
  std::unique_ptr<Node> node_;
  Instant now_{};

 private:
  std::deque<Outgoing> endings_;
};

class Responder final : public NodePeer {
 public:
  using NodePeer::NodePeer;
  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override {
    if (!node_) return "UMSP node: nobody has connected\n";
    return fmt::format("UMSP node: {} sessions, {} jobs under its control\n", node_->sessions().all().size(),
                       node_->control_point().jobs());
  }
};

class Initiator final : public NodePeer {
 public:
  using NodePeer::NodePeer;
  bool trigger(PeerId to, const TriggerRequest& request, Instant now) override {
    now_ = now;
    waiting_.push_back({to, request});
    return true;
  }
  void linked(PeerId id, const Link& link) override {
    NodePeer::linked(id, link);
    remote_[id] = node_at(link.remote);
  }
  void opened(PeerId id, Instant now) override {
    now_ = now;
    for (auto next = waiting_.begin(); next != waiting_.end(); ++next) {
      if (next->to != id) continue;
      work_.push_back(std::make_unique<Work>(*node_, next->request));
      waiting_.erase(next);
      work_.back()->begin(remote_[id], setup_.remote_jcp ? remote_[id] : node_->options().address, now);
      return proceed();
    }
  }
  bool idle() const override {
    return waiting_.empty() && std::ranges::all_of(work_, [](const auto& work) { return work->idle(); });
  }
  std::uint64_t failed() const override {
    return static_cast<std::uint64_t>(std::ranges::count_if(work_, [](const auto& work) { return work->failed(); }));
  }
  std::string state() const override {
    std::string text;
    for (const auto& work : work_) text += fmt::format("UMSP initiator: {}\n", work->state());
    return text.empty() ? "UMSP initiator: not triggered\n" : text;
  }

 private:
  struct Waiting {
    PeerId to;
    TriggerRequest request;
  };
  void on(const NodeEvent& event) override {
    for (const auto& work : work_) work->on(event, now_);
  }

  std::vector<Waiting> waiting_;
  std::vector<std::unique_ptr<Work>> work_;
  std::map<PeerId, NodeAddress> remote_;
};

// The work of a node as control point and as executor. All of it is done here, so that cases see it.
void exercise_options(NodeOptions& options) {
  constexpr std::uint16_t kTenSeconds = 20;
  options.control.inaction = kTenSeconds;
  options.tasks.checks = true;
  options.tasks.watches_jcp = true;
}

// Sets up a second VM, and a group of both, over each available transport.
Setup whole_setup() {
  using enum NodeTransport;
  constexpr VmKind kOwn{offered::kVmType, offered::kVmVersion};
  constexpr VmKind kBeside{offered::kVmType + 1, 1};
  Setup setup;
  setup.options.beside = {{kBeside, "wirelaw.beside"}};
  setup.options.search.groups = {{1, "wirelaw.group", {kOwn, kBeside}}};
  setup.options.search.transports = {one_tcp, several_tcp, one_tcp_and_udp, several_tcp_and_udp};
  return setup;
}

tl::expected<Setup, std::string> setup_of(const PeerOptions& options) {
  Setup setup = whole_setup();
  if (options.role == Role::responder) exercise_options(setup.options);
  struct Setting {
    std::string_view name;
    void (*set)(Setup& setup);
  };
  static constexpr Setting kSettings[] = {
      {"remote-jcp", [](Setup& one) { one.remote_jcp = true; }},
      {"address-2", [](Setup& one) { one.options.format.format = kIpv4Memory16; }},
      {"address-3", [](Setup& one) { one.options.format.format = kIpv4Memory24; }},
  };
  for (const std::string& name : options.settings) {
    const auto known = std::ranges::find(kSettings, name, &Setting::name);
    if (known == std::end(kSettings)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    known->set(setup);
  }
  return setup;
}

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  auto setup = setup_of(options);
  if (!setup) return tl::unexpected(setup.error());
  for (const std::string& name : options.deviations)
    if (!setup->deviations.add(name))
      return tl::unexpected(fmt::format("no deviation is called '{}': see wirelaw serve umsp --list-deviations", name));
  return [setup = *setup, role = options.role](std::uint64_t) -> std::unique_ptr<wirelaw::Peer> {
    if (role == Role::initiator) return std::make_unique<Initiator>(setup);
    return std::make_unique<Responder>(setup);
  };
}

std::vector<DeviationName> deviation_names() {
  std::vector<DeviationName> names;
  for (const DeviationText& one : all_deviations()) names.push_back({one.name, Role::any, one.text});
  return names;
}

IutParameters offers(const PeerOptions& options) {
  const auto setup = setup_of(options);
  if (!setup) return {};
  if (options.role == Role::initiator) return setup->remote_jcp ? IutParameters{{"jcp", "peer"}} : IutParameters{};
  const auto hex = [](std::uint64_t value) { return fmt::format("0x{:x}", value); };
  return {{"memory", hex(offered::kRegionAddress)},
          {"octets", std::to_string(offered::kRegionOctets)},
          {"address", std::to_string(setup->options.format.memory_octets())},
          {"vm", std::to_string(offered::kVmType)},
          {"vm_version", std::to_string(offered::kVmVersion)},
          {"procedure", hex(offered::kEchoAddress)},
          {"object", hex(offered::kObject)},
          {"object_version", std::to_string(offered::kObjectVersion)},
          {"object_realization", std::to_string(offered::kObjectRealization)},
          {"object_octets", std::to_string(offered::kObjectOctets)},
          {"object_name", std::string(offered::kObjectName)},
          {"procedure_number", std::to_string(offered::kEchoNumber)},
          {"procedure_name", std::string(offered::kEchoName)},
          {"object_data", "00ff00ff"},
          {"numbered_object", hex(offered::kNumberedObject)},
          {"allocation", setup->options.format.memory_octets() == 2 ? "0x4000" : "0x80000"},
          {"move", to_hex(offered::echo_image())},
          {"move_raising", to_hex(encode_image(offered::raising_code()))},
          {"run", to_hex(offered::echo_image(OctetBuffer{0xff}))},
          {"pointer", hex(offered::kPointersAddress)},
          {"ask_read", to_hex(encode_image(offered::asking_code(Operation::read)))},
          {"ask_compare", to_hex(encode_image(offered::asking_code(Operation::compare)))},
          {"ask_call", to_hex(encode_image(offered::asking_code(Operation::call)))},
          {"formatted", hex(offered::kSumAddress)},
          {"own_parameters", "000000ff00000001"},
          {"own_returned", "00000100"},
          {"sender_vm", std::to_string(offered::kVmType)},
          {"sender_vm_version", std::to_string(kLeastFirstVersion)},
          {"sender_parameters", "ff00000001000000"},
          {"sender_returned", "00010000"}};
}

}  // namespace

constinit const ReferencePeer kReferencePeer{.protocol = "umsp",
                                             .maker = peer_maker,
                                             .deviations = deviation_names,
                                             .offers = offers,
                                             .datagrams_beside = true,
                                             .begins_over_stream = true};

}  // namespace wirelaw::umsp

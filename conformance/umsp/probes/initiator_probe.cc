// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/probes/initiator_probe.h"

#include <algorithm>
#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr LinkId kLink = 0;

class AcceptingSessions final : public Sessions {
 public:
  using Sessions::Sessions;

 private:
  void answer_open(Session& session) override { session.initiator ? Sessions::answer_open(session) : accept(session); }
};

class AcceptingParts final : public PartMaker {
 public:
  std::unique_ptr<Sessions> sessions(const SessionOptions& options, Outbox& out) const override {
    return std::make_unique<AcceptingSessions>(options, out);
  }
};

const PartMaker& accepting_parts() {
  static const AcceptingParts kParts;
  return kParts;
}

}  // namespace

class InitiatorProbe::TestNode final : public Node {
 public:
  using Node::Node;
  Hook hook;
  std::function<void()> on_change;  // called after the hook has changed a draft

 private:
  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override {
    const OctetBuffer before = write(draft);
    if (hook && !hook(draft)) return;
    if (hook && write(draft) != before) on_change();
    Node::send(to, std::move(draft), on);
  }
};

InitiatorProbe::InitiatorProbe(CaseRun& run, const TriggerRequest& request) : Line(run) {
  if (!ok()) return;
  if (!run.trigger(request)) stop();
}

InitiatorProbe::~InitiatorProbe() = default;

Node& InitiatorProbe::node() {
  return *scripted_;
}

void InitiatorProbe::before_sending(Hook hook) {
  hook_ = std::move(hook);
  if (scripted_) scripted_->hook = hook_;
}

// Creates our node when its own address is known.
void InitiatorProbe::link() {
  if (scripted_) return;
  NodeOptions options{.address = self()};
  // On one machine, both may have the same address, but our node has to be another one.
  if (options.address == iut()) options.address.ip.back() ^= 0x80;
  // Uses GJIDs that no node of ours at this address has assigned before, as the IUT may remember them (RFC 3018 5).
  const auto ends = connected() ? transport().ends() : std::nullopt;
  const std::uint64_t ports = ends ? ends->iut.port ^ ends->tester.port : 0;
  options.control.first_ctid = (ports << 12) + 1;
  scripted_ = std::make_unique<TestNode>(options, accepts_at_once_ ? accepting_parts() : honest_parts());
  scripted_->hook = hook_;
  scripted_->on_change = [this] { stimulates_own_rule(); };
  scripted_->linked(kLink, iut(), false, now());
}

void InitiatorProbe::flush() {
  for (Outgoing out; scripted_ && scripted_->next_output(out);) {
    if (!out.octets.empty()) CaseProbe::send_octets(out.octets);
    if (out.ending != Ending::none) end(out.ending);
  }
}

std::optional<Received> InitiatorProbe::serve(Instant deadline, bool extends,
                                              const std::function<bool(const Received&)>& wanted) {
  while (ok()) {
    if (scripted_) {
      scripted_->advance(now());
      flush();
    }
    Instant until = deadline;
    if (const auto due = scripted_ ? scripted_->deadline() : std::nullopt) until = std::min(until, *due);
    auto one = next(until);
    if (!one) {
      if (now() >= deadline || has_ended()) return std::nullopt;
      continue;
    }
    if (extends) deadline = in(run().answer_time());
    link();
    seen_.push_back(one->instruction.opcode());
    if (!filter_ || filter_(*one)) scripted_->receive(kLink, one->octets, now());
    flush();
    if (wanted && wanted(*one)) return one;
  }
  return std::nullopt;
}

std::optional<Received> InitiatorProbe::serve_until(const std::function<bool(const Received&)>& wanted) {
  return serve(in(run().answer_time()), true, wanted);
}

std::optional<Received> InitiatorProbe::serve_for(std::chrono::nanoseconds time,
                                                  const std::function<bool(const Received&)>& wanted) {
  return serve(in(time), false, wanted);
}

void InitiatorProbe::take_late(Octets octets) {
  if (!ok() || !scripted_) return;
  scripted_->receive(kLink, octets, now());
  flush();
}

void InitiatorProbe::send_in(const Session& session, Draft draft) {
  draft.session_id = session.peer_id;
  send(draft);
}

const Session* InitiatorProbe::session() const {
  if (!scripted_) return nullptr;
  const auto& all = scripted_->sessions().all();
  return all.empty() ? nullptr : &all.begin()->second;
}

bool InitiatorProbe::expect_goes_on(const Rule& rule, std::string_view explanation) {
  const auto request = serve_until([](const Received& one) {
    const OpcodeClass kind = class_of(one.instruction.opcode());
    return kind == OpcodeClass::exchange && one.instruction.header.ask;
  });
  return require(rule, request.has_value(), "an exchange instruction of the session", to_text(request), explanation);
}

}  // namespace wirelaw::umsp

// SPDX-License-Identifier: Apache-2.0
#include "harness/flow_tap.h"

#include <fmt/format.h>

namespace wirelaw {
namespace {

constexpr std::size_t kTail = 6;

std::string comment_of(const Finding& finding) {
  return fmt::format("{}: {}: expected {}, got {}", finding.rule->id, to_string(finding.severity), finding.expected,
                     finding.actual);
}

}  // namespace

FlowTap::FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context)
    : conversation_(std::move(conversation)), context_(context), observer_(context.protocol.observer(context.limits)) {
  names_.number = ++context.flows;
  name_sides();
}

tl::expected<void, CarriageError> FlowTap::send(Octets message) {
  auto sent = conversation_->send(message);
  if (sent) observe(message, false);
  return sent;
}

tl::expected<std::optional<OctetBuffer>, CarriageError> FlowTap::receive(Instant deadline) {
  auto received = conversation_->receive(deadline);
  if (received && *received) observe(**received, true);
  return received;
}

// Side a is whoever sends first, and a listener hears only then who its peer is.
void FlowTap::name_sides() {
  names_.sides = {conversation_->tester(), conversation_->iut()};
  if (iut_spoke_first_) std::swap(names_.sides[0], names_.sides[1]);
  names_.id = fmt::format("{} {} - {}", context_.transport, names_.sides[0], names_.sides[1]);
  names_.judged = {.a = iut_spoke_first_, .b = !iut_spoke_first_};
}

void FlowTap::observe(Octets octets, bool from_iut) {
  if (messages_ == 0) {
    iut_spoke_first_ = from_iut;
    name_sides();
  }
  Message message{.octets = octets,
                  .wire_length = octets.size(),
                  .sender = from_iut == iut_spoke_first_ ? Side::a : Side::b,
                  .index = messages_++,
                  .time_ns = context_.epoch_ns + now().count()};
  octets_ += octets.size();
  if (context_.recording)
    message.frame = context_.recording->add({.from = from_iut ? conversation_->iut() : conversation_->tester(),
                                             .to = from_iut ? conversation_->tester() : conversation_->iut(),
                                             .from_iut = from_iut,
                                             .time_ns = message.time_ns,
                                             .octets = OctetBuffer(octets.begin(), octets.end())});
  if (from_iut) {
    ++from_iut_;
    last_octets_.assign(octets.begin(), octets.end());
    last_ = message;
    last_.octets = last_octets_;
  }
  if (tail_.size() == kTail) tail_.erase(tail_.begin());
  tail_.push_back(fmt::format("{:.6f} {} {}", static_cast<double>(now().count()) * 1e-9, from_iut ? "<-" : "->",
                              context_.protocol.decode(octets).summary));

  const std::size_t findings = context_.judge.findings().size();
  enter();
  observer_->observe(message, context_.judge);
  if (!context_.recording) return;
  for (std::size_t i = findings; i < context_.judge.findings().size(); ++i) {
    const Finding& finding = context_.judge.findings()[i];
    context_.recording->annotate(finding.frame, comment_of(finding));
  }
}

void FlowTap::point_judge_at_last(bool silence) {
  enter();
  Message message = last_;
  if (from_iut_ == 0) {
    message.sender = iut_spoke_first_ ? Side::a : Side::b;
    message.time_ns = context_.epoch_ns + now().count();
  }
  if (silence) message.octets = {};
  context_.judge.at(message);
}

void FlowTap::finish() {
  // An IUT that never stops talking does not keep the case from ending.
  constexpr unsigned kUnreadMessages = 10'000;
  for (unsigned i = 0; i < kUnreadMessages; ++i) {
    const auto unread = receive(now());
    if (!unread || !*unread) break;
  }
  if (messages_ == 0) return;
  enter();
  observer_->finish(context_.judge);
}

FlowResult FlowTap::result() const {
  const std::string partial = observer_->partial();
  return {.id = names_.id,
          .protocol = std::string(context_.protocol.name),
          .messages = messages_,
          .octets = octets_,
          .state = partial.empty() ? FlowState::judged : FlowState::partial,
          .note = partial};
}

std::string FlowTap::tail() const {
  std::string text;
  for (const std::string& line : tail_) text += line + "\n";
  return text;
}

}  // namespace wirelaw

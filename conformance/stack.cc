// SPDX-License-Identifier: Apache-2.0
#include "conformance/stack.h"

#include <algorithm>

namespace wirelaw {
namespace {

// Messages in which a protocol above is looked for.
constexpr unsigned kRecognitionMessages = 16;

const Protocol* below(const Protocol& protocol, std::span<const Protocol* const> known) {
  if (!protocol.above) return nullptr;
  const auto found = std::ranges::find(known, protocol.above->protocol, [](const Protocol* one) { return one->name; });
  return found == known.end() ? nullptr : *found;
}

// Whether `top` is this protocol, or stands on it.
bool stands_on(const Protocol& top, const Protocol& protocol, std::span<const Protocol* const> known) {
  const auto stack = stack_of(top, known);
  return std::ranges::find(stack, &protocol) != stack.end();
}

}  // namespace

std::vector<const Protocol*> stack_of(const Protocol& top, std::span<const Protocol* const> known) {
  std::vector<const Protocol*> stack{&top};
  while (const Protocol* const next = below(*stack.back(), known)) {
    if (std::ranges::find(stack, next) != stack.end()) break;
    stack.push_back(next);
  }
  std::ranges::reverse(stack);
  return stack;
}

const Protocol& base_of(const Protocol& top, std::span<const Protocol* const> known) {
  return *stack_of(top, known).front();
}

Catalogue catalogue_of_stack(const Protocol& top, std::span<const Protocol* const> known) {
  std::vector<RuleList> lists;
  for (const Protocol* one : stack_of(top, known)) lists.push_back(one->catalogue().rules());
  return Catalogue(std::span<const RuleList>(lists));
}

FlowObserver::FlowObserver(const Protocol& protocol, std::span<const Protocol* const> known,
                           const ObserverLimits& limits, const Protocol* only)
    : protocol_(&base_of(protocol, known)),
      known_(known),
      limits_(limits),
      only_(only),
      chosen_(&protocol),
      lower_(protocol_->observer(limits)) {
  look_above();
}

FlowObserver::FlowObserver(UpperTag, const Protocol& protocol, std::span<const Protocol* const> known,
                           const ObserverLimits& limits, const Protocol* only, const Protocol* chosen)
    : protocol_(&protocol),
      known_(known),
      limits_(limits),
      only_(only),
      chosen_(chosen),
      lower_(protocol.observer(limits)) {
  look_above();
}

void FlowObserver::look_above() {
  const auto stack = stack_of(*chosen_, known_);
  const auto at = std::ranges::find(stack, protocol_);
  if (at != stack.end() && std::next(at) != stack.end()) return assign(**std::next(at));
  for (const Protocol* one : known_)
    if (one->above && one->above->protocol == protocol_->name && (!only_ || stands_on(*only_, *one, known_)))
      candidates_.push_back(one);
  if (!candidates_.empty()) lower_->deliver_to(this);
}

void FlowObserver::assign(const Protocol& above) {
  above_ = &above;
  candidates_.clear();
  // What stands on `above` in turn is looked for there.
  upper_ = std::make_unique<FlowObserver>(UpperTag{}, above, known_, limits_, only_, chosen_);
  lower_->deliver_to(this);
}

bool FlowObserver::has_port(std::span<const std::uint16_t> ports) const {
  return limits_.addresses && std::ranges::any_of(*limits_.addresses, [&](const Endpoint& side) {
           return std::ranges::find(ports, side.port) != ports.end();
         });
}

void FlowObserver::recognise(const Delivery& delivery) {
  for (const Protocol* one : candidates_)
    if (one->above->recognises && one->above->recognises(delivery)) return assign(*one);
  for (const Protocol* one : candidates_)
    if (has_port(one->above->ports) && one->above->plausible && one->above->plausible(delivery)) return assign(*one);
}

void FlowObserver::deliver(const Delivery& delivery, Judge& judge) {
  if (!upper_) {
    if (delivery.event == Delivery::Event::established) {
      established_ = delivery;
      for (std::size_t side = 0; side < private_data_.size(); ++side) {
        private_data_[side].assign(delivery.private_data[side].begin(), delivery.private_data[side].end());
        established_->private_data[side] = private_data_[side];
      }
    }
    if (delivery.event == Delivery::Event::message) {
      recognise(delivery);
      if (!upper_ && ++deliveries_ >= kRecognitionMessages) lower_->deliver_to(nullptr);
    }
    if (!upper_) return;
    if (established_) upper_->observe(*established_, judge);
  }
  upper_->observe(delivery, judge);
}

void FlowObserver::finish(Judge& judge) {
  lower_->finish(judge);
  if (upper_) upper_->finish(judge);
}

std::string FlowObserver::partial() const {
  std::string why = lower_->partial();
  if (why.empty() && upper_) why = upper_->partial();
  return why;
}

std::size_t FlowObserver::memory() const {
  return lower_->memory() + (upper_ ? upper_->memory() : 0);
}

const Protocol& FlowObserver::protocol_of(const Message& message) const {
  const FlowObserver* at = this;
  for (unsigned layer = 0; layer < message.layer && at->upper_; ++layer) at = at->upper_.get();
  return *at->protocol_;
}

}  // namespace wirelaw

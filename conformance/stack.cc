// SPDX-License-Identifier: Apache-2.0
#include "conformance/stack.h"

#include <algorithm>

namespace wirelaw {
namespace {

// Messages in which a protocol above is looked for.
constexpr unsigned kRecognitionMessages = 16;

using Stack = std::vector<const Protocol*>;  // the lowest first
constexpr std::size_t kMostLayers = 8;

// Every way down from `top`, that of live runs first.
void find_stacks(const Protocol& top, std::span<const Protocol* const> known, Stack above, std::vector<Stack>& found) {
  above.insert(above.begin(), &top);
  bool is_lowest = true;
  for (const Above& row : top.above) {
    const auto below = std::ranges::find(known, row.protocol, [](const Protocol* one) { return one->name; });
    if (below == known.end() || std::ranges::find(above, *below) != above.end() || above.size() == kMostLayers)
      continue;
    is_lowest = false;
    find_stacks(**below, known, above, found);
  }
  if (is_lowest) found.push_back(std::move(above));
}

std::vector<Stack> stacks_of(const Protocol& top, std::span<const Protocol* const> known) {
  std::vector<Stack> found;
  find_stacks(top, known, {}, found);
  return found;
}

// Whether `top` is this protocol, or may stand on it.
bool stands_on(const Protocol& top, const Protocol& protocol, std::span<const Protocol* const> known) {
  return std::ranges::any_of(stacks_of(top, known),
                             [&](const Stack& stack) { return std::ranges::find(stack, &protocol) != stack.end(); });
}

}  // namespace

std::vector<const Protocol*> stack_of(const Protocol& top, std::span<const Protocol* const> known) {
  return stacks_of(top, known).front();
}

const Protocol& base_of(const Protocol& top, std::span<const Protocol* const> known) {
  return top.above.empty() ? top : *stack_of(top, known).front();
}

std::vector<const Protocol*> bases_of(const Protocol& top, std::span<const Protocol* const> known) {
  std::vector<const Protocol*> bases;
  for (const Stack& stack : stacks_of(top, known))
    if (std::ranges::find(bases, stack.front()) == bases.end()) bases.push_back(stack.front());
  return bases;
}

std::vector<const Protocol*> stack_on(const Protocol& base, const Protocol& top,
                                      std::span<const Protocol* const> known) {
  const auto stacks = stacks_of(top, known);
  const auto found = std::ranges::find_if(stacks, [&](const Stack& stack) { return stack.front() == &base; });
  return found == stacks.end() ? Stack{} : *found;
}

Catalogue catalogue_of_stack(const Protocol& top, std::span<const Protocol* const> known) {
  std::vector<RuleList> lists;
  for (const Protocol* one : stack_of(top, known)) lists.push_back(one->catalogue().rules());
  return Catalogue(std::span<const RuleList>(lists));
}

FlowObserver::FlowObserver(const Protocol& base, const Protocol& protocol, std::span<const Protocol* const> known,
                           const ObserverLimits& limits, const Protocol* only)
    : protocol_(&base),
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
  if (chosen_ != protocol_) {
    for (const Stack& stack : stacks_of(*chosen_, known_))
      if (const auto at = std::ranges::find(stack, protocol_); at != stack.end() && std::next(at) != stack.end())
        return assign(**std::next(at));
  }
  for (const Protocol* one : known_)
    if (stands_here(*one) && (!only_ || stands_on(*only_, *one, known_))) candidates_.push_back(one);
  if (!candidates_.empty()) lower_->deliver_to(this);
}

void FlowObserver::assign(const Protocol& above) {
  above_ = &above;
  candidates_.clear();
  // What stands on `above` in turn is looked for there.
  upper_ = std::make_unique<FlowObserver>(UpperTag{}, above, known_, limits_, only_, chosen_);
  lower_->deliver_to(this);
}

const Above* FlowObserver::stands_here(const Protocol& protocol) const {
  const auto row = std::ranges::find(protocol.above, protocol_->name, &Above::protocol);
  return row == protocol.above.end() ? nullptr : &*row;
}

bool FlowObserver::has_port(std::span<const std::uint16_t> ports) const {
  if (established_ && established_->service_port)
    return std::ranges::find(ports, *established_->service_port) != ports.end();
  return limits_.addresses && std::ranges::any_of(*limits_.addresses, [&](const Endpoint& side) {
           return std::ranges::find(ports, side.port) != ports.end();
         });
}

void FlowObserver::recognise(const Delivery& delivery) {
  for (const Protocol* one : candidates_)
    if (const Above& row = *stands_here(*one); row.recognises && row.recognises(delivery)) return assign(*one);
  for (const Protocol* one : candidates_)
    if (const Above& row = *stands_here(*one); has_port(row.ports) && row.plausible && row.plausible(delivery))
      return assign(*one);
}

// What comes before it is known for whom it is, is not known to who reads what follows: to that one it is lost.
void FlowObserver::pass_over(const Delivery& delivery) {
  lost_ = Delivery{.event = Delivery::Event::lost,
                   .sender = delivery.sender,
                   .message = {.sender = delivery.message.sender,
                               .index = delivery.message.index,
                               .frame = delivery.message.frame,
                               .time_ns = delivery.message.time_ns,
                               .layer = delivery.message.layer}};
  if (++deliveries_ >= kRecognitionMessages) lower_->deliver_to(nullptr);
}

void FlowObserver::deliver(const Delivery& delivery, Judge& judge) {
  misses_ |= delivery.uncaptured;
  if (!upper_) {
    if (delivery.event == Delivery::Event::established) {
      established_ = delivery;
      for (std::size_t side = 0; side < private_data_.size(); ++side) {
        private_data_[side].assign(delivery.private_data[side].begin(), delivery.private_data[side].end());
        established_->private_data[side] = private_data_[side];
      }
    }
    if (delivery.event == Delivery::Event::lost) lost_ = delivery;
    if (delivery.event == Delivery::Event::message) {
      recognise(delivery);
      if (!upper_) pass_over(delivery);
    }
    if (!upper_) return;
    for (const auto& before : {established_, lost_})
      if (before) upper_->observe(*before, judge);
  }
  upper_->observe(delivery, judge);
}

void FlowObserver::join(Associations& all) {
  auto* const joins = dynamic_cast<JoiningObserver*>(lower_.get());
  if (joins != nullptr && limits_.addresses) joins->join(all, *limits_.addresses);
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

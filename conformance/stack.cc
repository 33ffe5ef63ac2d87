// SPDX-License-Identifier: Apache-2.0
#include "conformance/stack.h"

#include <algorithm>

namespace wirelaw {
namespace {

// The number of messages in which an upper protocol is searched, and the limit for keeping the first of them.
constexpr unsigned kRecognitionMessages = 16;
constexpr std::size_t kMostKeptOctets = 512;

using Stack = std::vector<const Protocol*>;  // the lowest first
constexpr std::size_t kMostLayers = 8;

// Finds every stack below `top`, the one for live runs first.
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

// True if `top` is this protocol, or can be above it.
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
    if (const Above* const row = stands_here(*one); row && (!only_ || stands_on(*only_, *one, known_)))
      candidates_.push_back({one, row});
  if (!candidates_.empty()) lower_->deliver_to(this);
}

void FlowObserver::assign(const Protocol& above) {
  above_ = &above;
  candidates_.clear();
  // The new observer looks for protocols above `above`.
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
  for (const auto& [protocol, row] : candidates_)
    if (row->recognises && row->recognises(delivery)) return assign(*protocol);
  // An assigned port counts only for the first message of a connection whose beginning was seen.
  if (established_ && !lost_ && deliveries_ > 0) return;
  for (const auto& [protocol, row] : candidates_)
    if (row->plausible && has_port(row->ports) && row->plausible(delivery)) return assign(*protocol);
}

// A short first message is kept until its protocol is known. Any other message that was passed over is reported as lost
// to the upper observer.
void FlowObserver::pass_over(const Delivery& delivery) {
  const Message& message = delivery.message;
  if (deliveries_ == 0 && message.octets.size() <= kMostKeptOctets) {
    first_ = Kept{.delivery = delivery,
                  .octets = OctetBuffer(message.octets.begin(), message.octets.end()),
                  .places = {message.places.begin(), message.places.end()}};
    first_->delivery.message.headers = {};
  } else {
    first_.reset();  // the answer does not show the protocol
  }
  passed_ = Passed{.sender = delivery.sender,
                   .of_message = message.sender,
                   .layer = message.layer,
                   .index = message.index,
                   .frame = message.frame,
                   .time_ns = message.time_ns};
  if (++deliveries_ >= kRecognitionMessages) lower_->deliver_to(nullptr);
}

// Passes the earlier delivery to the new upper observer, if it is a first message that `recognised` answers. A message
// without an answer of the protocol proves nothing.
void FlowObserver::catch_up(const Delivery& recognised, Judge& judge) {
  if (first_) {
    first_->delivery.message.octets = first_->octets;
    first_->delivery.message.places = first_->places;
  }
  const Above* const row = stands_here(*above_);
  const bool answered =
      first_ && row != nullptr && row->answers != nullptr && row->answers(first_->delivery, recognised);
  if (!established_ && answered) {
    const Delivery& first = first_->delivery;
    established_ = Delivery{.event = Delivery::Event::established,
                            .sender = first.sender,
                            .message = {.sender = first.sender,
                                        .index = first.message.index,
                                        .frame = first.message.frame,
                                        .time_ns = first.message.time_ns,
                                        .layer = first.message.layer},
                            .initiator = first.sender};
  }
  if (established_) upper_->observe(*established_, judge);
  if (passed_)
    lost_ = Delivery{.event = Delivery::Event::lost,
                     .sender = passed_->sender,
                     .message = {.sender = passed_->of_message,
                                 .index = passed_->index,
                                 .frame = passed_->frame,
                                 .time_ns = passed_->time_ns,
                                 .layer = passed_->layer}};
  if (answered)
    upper_->observe(first_->delivery, judge);
  else if (lost_)
    upper_->observe(*lost_, judge);
  first_.reset();
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
    if (delivery.event == Delivery::Event::lost) {
      lost_ = delivery;
      passed_.reset();
      first_.reset();
      ++deliveries_;  // a kept message is no longer the first
    }
    if (delivery.event == Delivery::Event::message) {
      recognise(delivery);
      if (!upper_) pass_over(delivery);
    }
    if (!upper_) return;
    catch_up(delivery, judge);
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
  std::size_t octets = lower_->memory() + (upper_ ? upper_->memory() : 0);
  return first_ ? octets + first_->octets.capacity() + first_->places.capacity() * sizeof(Place) : octets;
}

const Protocol& FlowObserver::protocol_of(const Message& message) const {
  const FlowObserver* at = this;
  for (unsigned layer = 0; layer < message.layer && at->upper_; ++layer) at = at->upper_.get();
  return *at->protocol_;
}

}  // namespace wirelaw

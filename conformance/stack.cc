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
  // Below, queue pairs have numbers instead of ports.
  return protocol_->streams && limits_.addresses && std::ranges::any_of(*limits_.addresses, [&](const Endpoint& side) {
           return std::ranges::find(ports, side.port) != ports.end();
         });
}

void FlowObserver::recognise(const Delivery& delivery) {
  for (const auto& [protocol, row] : candidates_)
    if (row->recognises && row->recognises(delivery)) return assign(*protocol);
  weigh(delivery);
}

// A port proves nothing, and neither does one message that may belong to its protocol: the other side must agree. If
// nothing more is sent, the first message of a connection whose beginning was seen is believed (conclude()).
void FlowObserver::weigh(const Delivery& delivery) {
  if (suggested_) {
    if (!suggested_->row->plausible(delivery)) return withdraw();
    if (delivery.sender != suggested_by_) assign(*suggested_->protocol);
    return;
  }
  if (port_lies_ || (established_ && !lost_ && deliveries_ > 0)) return;
  for (const Candidate& one : candidates_)
    if (one.row->plausible && has_port(one.row->ports) && one.row->plausible(delivery)) {
      suggested_ = one;
      suggested_by_ = delivery.sender;
      holds_ = true;
      return;
    }
}

void FlowObserver::withdraw() {
  suggested_.reset();
  held_.clear();
  port_lies_ = true;
}

// A short first message is kept until its protocol is known. Any other message that was passed over is reported as lost
// to the upper observer.
void FlowObserver::pass_over(const Delivery& delivery) {
  const Message& message = delivery.message;
  if (deliveries_ == 0 && message.octets.size() <= kMostKeptOctets)
    first_.emplace(delivery);
  else
    first_.reset();  // the answer does not show the protocol
  if (suggested_) hold(delivery);
  if (!suggested_ || !holds_)
    passed_ = Passed{.sender = delivery.sender,
                     .of_message = message.sender,
                     .layer = message.layer,
                     .index = message.index,
                     .frame = message.frame,
                     .time_ns = message.time_ns};
  if (++deliveries_ < kRecognitionMessages) return;
  withdraw();
  lower_->deliver_to(nullptr);
}

// If a message cannot be held, later ones are not held either: those in between would be missing.
void FlowObserver::hold(const Delivery& delivery) {
  constexpr std::size_t kMost = 8;
  holds_ = holds_ && held_.size() < kMost && delivery.message.octets.size() <= kMostKeptOctets;
  if (holds_)
    held_.emplace_back(delivery);
  else
    held_.clear();
}

// Passes the earlier deliveries to the new upper observer: those that were held, or a first message that `recognised`
// answers. A message without an answer of the protocol proves nothing.
void FlowObserver::catch_up(const Delivery* recognised, Judge& judge) {
  const Above* const row = stands_here(*above_);
  const bool answered = first_ && recognised != nullptr && row != nullptr && row->answers != nullptr &&
                        row->answers(first_->refreshed(), *recognised);
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
  if (answered && held_.empty())
    upper_->observe(first_->delivery, judge);
  else if (lost_)
    upper_->observe(*lost_, judge);
  for (Kept& one : held_) upper_->observe(one.refreshed(), judge);
  held_.clear();
  suggested_.reset();
  first_.reset();
}

// The connection ends, and nothing contradicts what its port and its first messages suggest.
void FlowObserver::conclude(Judge& judge) {
  if (upper_ || !suggested_ || !established_ || lost_ || held_.empty()) return;
  assign(*suggested_->protocol);
  catch_up(nullptr, judge);
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
      suggested_.reset();
      held_.clear();
      ++deliveries_;  // a kept message is no longer the first
    }
    if (delivery.event == Delivery::Event::message) {
      recognise(delivery);
      if (!upper_) pass_over(delivery);
    }
    if (delivery.event == Delivery::Event::ended) {
      conclude(judge);
    } else if (upper_) {
      catch_up(&delivery, judge);
    }
    if (!upper_) return;
  }
  upper_->observe(delivery, judge);
}

void FlowObserver::join(Associations& all) {
  auto* const joins = dynamic_cast<JoiningObserver*>(lower_.get());
  if (joins != nullptr && limits_.addresses) joins->join(all, *limits_.addresses);
}

void FlowObserver::finish(Judge& judge) {
  lower_->finish(judge);
  conclude(judge);
  if (upper_) upper_->finish(judge);
}

std::string FlowObserver::partial() const {
  std::string why = lower_->partial();
  if (why.empty() && upper_) why = upper_->partial();
  return why;
}

std::size_t FlowObserver::memory() const {
  std::size_t octets = lower_->memory() + (upper_ ? upper_->memory() : 0);
  const auto of_kept = [](const Kept& one) { return one.octets.capacity() + one.places.capacity() * sizeof(Place); };
  for (const Kept& one : held_) octets += sizeof one + of_kept(one);
  return first_ ? octets + of_kept(*first_) : octets;
}

const Protocol& FlowObserver::protocol_of(const Message& message) const {
  const FlowObserver* at = this;
  for (unsigned layer = 0; layer < message.layer && at->upper_; ++layer) at = at->upper_.get();
  return *at->protocol_;
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/verbs/session.h"

#include <algorithm>

#include "harness/wait.h"

namespace wirelaw::verbs {

tl::expected<std::unique_ptr<Session>, TransportError> Session::create(Above above, const LiveClock& clock) {
  auto manager = Manager::create();
  if (!manager) return tl::unexpected(manager.error());
  return std::unique_ptr<Session>(new Session(std::move(*manager), std::move(above), clock));
}

tl::expected<std::unique_ptr<Session>, TransportError> Session::create(Service above) {
  return create([application = std::make_shared<PeerApplication>(above)](LiveConsumer& consumer) {
    return make_responder(consumer, *application);
  });
}

tl::expected<void, TransportError> Session::listen(const DeviceAddress& at) {
  auto listener = VerbsListener::listen(*manager_, at, [this](CmEvent event, rdma_cm_id* fresh, const auto& from) {
    asked(std::move(event), fresh, from);
  });
  if (!listener) return tl::unexpected(listener.error());
  listener_ = std::move(*listener);
  return {};
}

void Session::asked(CmEvent event, rdma_cm_id* fresh, const pcap::Endpoint& from) {
  const auto awaiting = std::ranges::find_if(seats_, [&](const Seat& seat) {
    return seat.awaits && seat.awaits->address == from.address &&
           (seat.awaits->port == 0 || seat.awaits->port == from.port);
  });
  Seat* seat = awaiting == seats_.end() ? nullptr : &*awaiting;
  if (seat == nullptr && seats_.size() < most_taken_) {
    seat = add_responder(fresh->verbs).value_or(nullptr);
    if (seat != nullptr) seat->is_taken = false;
  }
  if (seat == nullptr) {
    const Manager::Id nobody = manager_->adopt(fresh);  // is rejected by going
    return;
  }
  seat->awaits.reset();
  seat->from = from;
  seat->consumer->requested(std::move(event), fresh);
}

tl::expected<Seat*, TransportError> Session::add_responder(ibv_context* device) {
  if (device == nullptr)
    return tl::unexpected(TransportError{"the address is that of no single RDMA device", "see `wirelaw devices`"});
  auto consumer = LiveConsumer::make_responder(*manager_, device, clock_);
  if (!consumer) return tl::unexpected(consumer.error());
  Seat& seat = seats_.emplace_back();
  seat.consumer = std::move(*consumer);
  seat.application = above_(*seat.consumer);
  return &seat;
}

tl::expected<Seat*, TransportError> Session::add_responder(const pcap::Endpoint& from) {
  auto seat = add_responder(listener_->device());
  if (seat) (*seat)->awaits = from;
  return seat;
}

tl::expected<Seat*, TransportError> Session::add_initiator(const DeviceAddress& to,
                                                           const std::optional<DeviceAddress>& from) {
  auto consumer = LiveConsumer::make_initiator(*manager_, to, clock_, from);
  if (!consumer) return tl::unexpected(consumer.error());
  Seat& seat = seats_.emplace_back();
  seat.consumer = std::move(*consumer);
  return &seat;
}

Seat* Session::take_next() {
  const auto next = std::ranges::find(seats_, false, &Seat::is_taken);
  if (next == seats_.end()) return nullptr;
  next->is_taken = true;
  return &*next;
}

void Session::remove(const Seat* seat) {
  std::erase_if(seats_, [&](const Seat& one) { return &one == seat; });
}

void Session::remove_ended() {
  std::erase_if(seats_, [](const Seat& one) { return one.application && one.application->is_over(); });
}

tl::expected<void, TransportError> Session::pump() {
  if (auto dispatched = manager_->dispatch(); !dispatched) return dispatched;
  // A connection request may add a seat meanwhile.
  for (Seat& seat : seats_) {
    if (!seat.application) continue;
    seat.application->proceed();
    seat.consumer->arm();
    seat.application->proceed();
  }
  return {};
}

void Session::wait(std::vector<pollfd> others, Instant deadline) {
  manager_->add_descriptors(others);
  for (const Seat& seat : seats_) {
    if (!seat.application) continue;
    seat.consumer->add_descriptor(others);
    deadline = std::min(deadline, seat.application->deadline().value_or(deadline));
  }
  events_ += wait_for(others, clock_.at(deadline));
}

std::string Session::state() const {
  std::string text;
  for (const Seat& seat : seats_)
    if (seat.application) text += seat.application->state();
  return text;
}

}  // namespace wirelaw::verbs

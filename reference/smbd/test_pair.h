// SPDX-License-Identifier: Apache-2.0
// For tests: two endpoints over an RDMA transport that delivers in order and completes when the test wants, and an
// account of what each may send, derived from the messages alone. A side that commits deviations has no account. Its
// violations of the transport break the connection, as with an RDMA network interface.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "reference/smbd/test_endpoint.h"

namespace wirelaw::smbd {

// The messages that one end may send, derived from those that it has sent and received.
class Account {
 public:
  // This end sends a message.
  void sends(Octets octets, std::size_t receives_posted) {
    if (!honest) return;
    if (std::exchange(negotiating_, false)) return negotiate_out(octets);
    const auto message = decode_data_transfer(octets);
    ASSERT_TRUE(message);
    ASSERT_GT(credits, 0) << "no credit";
    if (credits == 1) {
      EXPECT_GT(message->credits_granted, 0) << "the last credit";
    }
    --credits;
    granted += message->credits_granted;
    EXPECT_LE(granted, receives_posted) << "a grant without a receive";
    EXPECT_LE(message->credits_granted, target) << "more than the peer has asked for";
    EXPECT_LE(octets.size(), most_octets);
    EXPECT_GE(message->credits_requested, 1);
    EXPECT_TRUE(message->trailing.empty());
    check_fragment(*message);
  }
  // This end receives a message.
  void gets(Octets octets, bool first, bool from_initiator) {
    if (first) return negotiate_in(octets, from_initiator);
    const auto message = decode_data_transfer(octets);
    if (!message) return;
    credits += message->credits_granted;
    target = message->credits_requested;
  }

  bool honest = true;
  std::int64_t credits = 0;
  std::size_t granted = 0;
  std::uint32_t target = 0;
  std::uint32_t most_octets = 0;
  std::uint32_t most_fragmented = 0;

 private:
  void negotiate_out(Octets octets) {
    if (octets.size() == 32) {
      const auto response = decode_negotiate_response(octets);
      granted = response->credits_granted;
      most_octets = response->preferred_send_size;
    } else {
      most_octets = decode_negotiate_request(octets)->preferred_send_size;
    }
  }
  void negotiate_in(Octets octets, bool from_initiator) {
    if (from_initiator) {
      const auto request = decode_negotiate_request(octets);
      if (!request) return;
      target = request->credits_requested;
      most_octets = request->max_receive_size;  // its response will lower it
      most_fragmented = request->max_fragmented_size;
    } else {
      const auto response = decode_negotiate_response(octets);
      if (!response) return;
      target = response->credits_requested;
      credits = response->credits_granted;
      most_octets = std::min(most_octets, response->max_receive_size);
      most_fragmented = response->max_fragmented_size;
    }
  }
  void check_fragment(const DataTransfer& message) {
    if (message.is_empty()) {
      EXPECT_EQ(remaining_, 0u) << "an empty message between fragments";
      EXPECT_EQ(message.octets(), 20u);
      EXPECT_EQ(message.data_offset, 0u);
      EXPECT_EQ(message.remaining_data_length, 0u);
      return;
    }
    EXPECT_EQ(message.data_offset % 8, 0u);
    EXPECT_EQ(message.buffer.size(), message.data_length);
    EXPECT_LE(message.announced(), most_fragmented);
    if (remaining_ != 0) {
      EXPECT_EQ(message.announced(), remaining_);
    }
    remaining_ = message.remaining_data_length;
  }

  bool negotiating_ = true;
  std::uint32_t remaining_ = 0;  // octets left of the message being sent
};

struct Side {
  Side(Role role, const Options& options, Token first_token, const Deviations& deviations)
      : endpoint(make_endpoint(role, options, registrar, deviations)) {
    registrar.next_token = first_token;
  }

  TestRegistrar registrar;
  std::unique_ptr<Endpoint> endpoint;
  std::deque<std::size_t> receives;  // posted, not consumed
  bool begun = false;
  std::size_t posted = 0;       // number of receives after that of the negotiation
  std::deque<Work> outgoing;    // in flight to the other end
  std::deque<WorkId> complete;  // to be reported
  std::size_t delivered = 0;    // number of messages from the other end
  std::vector<Event> events;
  Account account;
  bool disconnects = false;
};

class Pair {
 public:
  Pair(const Options& initiator, const Options& listener, unsigned seed, const Deviations& of_initiator = {},
       const Deviations& of_listener = {})
      : random(seed),
        sides{Side(Role::initiator, initiator, 0x100, of_initiator),
              Side(Role::responder, listener, 0x900, of_listener)} {
    sides[0].account.honest = of_initiator.of(Role::initiator).empty();
    sides[1].account.honest = of_listener.of(Role::responder).empty();
    for (Side& side : sides) side.endpoint->begin(now);
    for (Side& side : sides) drain(side);
    sides[1].endpoint->connected(now);
    sides[0].endpoint->connected(now);
    for (Side& side : sides) drain(side);
  }

  // Performs one action; time passes only if there is no other.
  bool step() {
    if (broken_) return false;
    std::vector<int> possible;
    for (int i = 0; i < 2; ++i) {
      if (!sides[at(i)].outgoing.empty()) possible.push_back(i);
      if (!sides[at(i)].complete.empty()) possible.push_back(2 + i);
    }
    if (possible.empty()) return pass_to_deadline();
    const int choice = possible[random() % possible.size()];
    if (choice < 2) {
      deliver(sides[at(choice)], sides[at(1 - choice)]);
    } else {
      Side& side = sides[at(choice - 2)];
      const WorkId id = side.complete.front();
      side.complete.pop_front();
      side.endpoint->completed(id, true, now);
      drain(side);
    }
    return true;
  }

  void establish() {
    while (sides[0].endpoint->phase() == Phase::negotiating && step()) {
    }
  }

  void drain(Side& side) {
    for (bool more = true; more;) {
      more = false;
      for (Event event; side.endpoint->next_event(event); more = true) side.events.push_back(std::move(event));
      for (Work one; side.endpoint->next_work(one); more = true) take(side, std::move(one));
    }
  }

  std::mt19937 random;
  Instant now{};
  std::array<Side, 2> sides;

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void take(Side& side, Work&& one) {
    if (const auto* receive = std::get_if<PostReceive>(&one)) {
      side.posted += std::exchange(side.begun, true) ? 1 : 0;
      side.receives.push_back(receive->octets);
      return;
    }
    if (const auto* send = std::get_if<PostSend>(&one)) side.account.sends(send->octets, side.posted);
    if (std::holds_alternative<Disconnect>(one)) side.disconnects = true;
    side.outgoing.push_back(std::move(one));
  }

  void deliver(Side& from, Side& to) {
    const Work one = std::move(from.outgoing.front());
    from.outgoing.pop_front();
    if (const auto* send = std::get_if<PostSend>(&one)) {
      from.complete.push_back(send->id);
      deliver_message(*send, from, to);
    } else if (const auto* write = std::get_if<PostWrite>(&one)) {
      const auto memory = to.registrar.look(write->to, write->octets.size(), true);
      ASSERT_TRUE(memory);
      std::ranges::copy(write->octets, memory->begin());
      from.complete.push_back(write->id);
    } else if (const auto* read = std::get_if<PostRead>(&one)) {
      const auto memory = to.registrar.look(read->from, read->into.size(), false);
      ASSERT_TRUE(memory);
      std::ranges::copy(*memory, read->into.begin());
      from.complete.push_back(read->id);
    } else {
      break_connection();
    }
    drain(from);
    drain(to);
  }

  void deliver_message(const PostSend& send, Side& from, Side& to) {
    if (to.endpoint->phase() == Phase::ended) return;
    const bool fits = !to.receives.empty() && send.octets.size() <= to.receives.front();
    if (!fits) {
      EXPECT_FALSE(from.account.honest && to.account.honest) << "there is no receive for the message";
      return break_connection();
    }
    to.receives.pop_front();
    if (send.invalidate) to.registrar.deregister_memory(*send.invalidate);
    to.account.gets(send.octets, to.delivered == 0, from.endpoint->role() == Role::initiator);
    ++to.delivered;
    to.endpoint->receive(send.octets, send.invalidate, now);
  }

  void break_connection() {
    broken_ = true;
    for (Side& side : sides) {
      side.endpoint->disconnected(now);
      side.complete.clear();
      side.outgoing.clear();
    }
  }

  bool pass_to_deadline() {
    std::optional<Instant> due;
    for (const Side& side : sides)
      if (const auto one = side.endpoint->deadline(); one && (!due || *one < *due)) due = one;
    if (!due) return false;
    now = std::max(now, *due);
    for (Side& side : sides) {
      side.endpoint->advance(now);
      drain(side);
    }
    return true;
  }

  bool broken_ = false;
};

}  // namespace wirelaw::smbd

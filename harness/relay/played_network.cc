// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/played_network.h"

#include <utility>

namespace wirelaw {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{64} << 20;  // octets

}  // namespace

PlayedNetwork::Fate PlayedNetwork::draw_fate(Dice& dice, std::vector<std::string>& comments) {
  Fate fate;
  fate.is_lost = dice.draw() < of_.loss;
  fate.is_doubled = dice.draw() < of_.duplication;
  fate.is_held_back = dice.draw() < of_.reordering;
  fate.first = dice.draw_delay(of_);
  fate.second = dice.draw_delay(of_);
  if (fate.is_lost) {
    ++counts_.lost;
    comments.emplace_back("the relay loses it");
    return fate;
  }
  if (fate.is_doubled) {
    ++counts_.doubled;
    comments.emplace_back("the relay sends it twice");
  }
  if (fate.is_held_back) {
    ++counts_.held_back;
    comments.emplace_back("the relay holds it back");
  }
  return fate;
}

bool PlayedNetwork::wait(Clock::time_point due, Octets octets, std::function<void(Octets)> deliver) {
  if (waiting_octets_ + octets.size() > kMostWaiting) return false;
  waiting_octets_ += octets.size();
  waiting_.push({due, order_++, std::move(deliver), OctetBuffer(octets.begin(), octets.end())});
  await_due();
  return true;
}

void PlayedNetwork::await_due() {
  if (waiting_.empty()) return;
  timer_.expires_at(waiting_.top().due);
  timer_.async_wait([this](const asio::error_code& code) {
    if (!code) deliver_due();
  });
}

void PlayedNetwork::deliver_due() {
  while (!waiting_.empty() && waiting_.top().due <= Clock::now()) {
    const Waiting one = waiting_.top();
    waiting_.pop();
    waiting_octets_ -= one.octets.size();
    one.deliver(one.octets);
  }
  await_due();
}

}  // namespace wirelaw

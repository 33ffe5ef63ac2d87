// SPDX-License-Identifier: Apache-2.0
// Numbers the addresses that send to a server; the oldest are forgotten, so that a flood of them costs no more memory.
#pragma once

#include <deque>
#include <unordered_map>

#include "pcap/address.h"
#include "reference/endpoint.h"

namespace wirelaw {

class AddressBook {
 public:
  // Its numbers begin at `first`.
  explicit AddressBook(PeerId first = 0) : first_(first) {}

  bool knows(const pcap::Endpoint& address) const { return numbers_.contains(address); }
  PeerId number_of(const pcap::Endpoint& address) {
    const auto [found, added] = numbers_.try_emplace(address, first_ + addresses_.size());
    const PeerId number = found->second;
    if (!added) return number;
    addresses_.push_back(address);
    if (addresses_.size() > kAddresses) {
      numbers_.erase(addresses_.front());
      addresses_.pop_front();
      ++first_;
    }
    return number;
  }
  const pcap::Endpoint* find(PeerId number) const {
    return number >= first_ && number - first_ < addresses_.size() ? &addresses_[number - first_] : nullptr;
  }

 private:
  static constexpr std::size_t kAddresses = 65'536;

  PeerId first_;  // the number of addresses_.front()
  std::deque<pcap::Endpoint> addresses_;
  std::unordered_map<pcap::Endpoint, PeerId> numbers_;
};

}  // namespace wirelaw

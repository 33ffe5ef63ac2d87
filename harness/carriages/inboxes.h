// SPDX-License-Identifier: Apache-2.0
// What has come from whom, where many send to one place and each is to be a conversation of its own.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "pcap/address.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class Inboxes {
 public:
  // Strangers may send to a listener too: no more than this is remembered of them.
  static constexpr std::size_t kRemotes = 256;
  static constexpr std::size_t kInbox = 65'536;

  struct Remote {
    pcap::Endpoint endpoint;
    bool claimed = false;
    std::deque<OctetBuffer> inbox = {};
  };

  Remote* claim();  // the first peer without a conversation; nullptr where there is none
  void sort(const pcap::Endpoint& from, OctetBuffer octets);
  void clear() { remotes_.clear(); }

 private:
  std::vector<std::unique_ptr<Remote>> remotes_;
};

}  // namespace wirelaw

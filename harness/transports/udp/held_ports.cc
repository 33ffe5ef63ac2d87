// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/udp/held_ports.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <mutex>
#include <string>
#include <unordered_set>

namespace wirelaw {
namespace {

constexpr std::size_t kMostHeld = 32;

class HeldPorts {
 public:
  ~HeldPorts() { release(); }

  void hold(int descriptor) {
    const int held = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (held < 0) return;
    const int least = 0;  // the system uses its own minimum
    static_cast<void>(::setsockopt(held, SOL_SOCKET, SO_RCVBUF, &least, sizeof least));
    const std::lock_guard lock(mutex_);
    held_.push_back(held);
    if (held_.size() <= kMostHeld) return;
    ::close(held_.front());
    held_.pop_front();
  }

  bool release() {
    const std::lock_guard lock(mutex_);
    const bool any = !held_.empty();
    for (const int held : held_) ::close(held);
    held_.clear();
    return any;
  }

 private:
  std::mutex mutex_;
  std::deque<int> held_;
};

HeldPorts& held_ports() {
  static HeldPorts ports;
  return ports;
}

class SpentPlaces {
 public:
  bool add(const pcap::Endpoint& local, const pcap::Endpoint& peer) {
    constexpr std::size_t kMost = 4096;  // a run has some 1,200; far fewer than the ports that there are
    const std::lock_guard lock(mutex_);
    std::string place = pcap::to_string(local) + " " + pcap::to_string(peer);
    if (!known_.insert(place).second) return false;
    order_.push_back(std::move(place));
    if (order_.size() > kMost) {
      known_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<std::string> known_;
  std::deque<std::string> order_;
};

}  // namespace

bool is_fresh_place(const pcap::Endpoint& local, const pcap::Endpoint& peer) {
  static SpentPlaces places;
  return places.add(local, peer);
}

void hold_port(int descriptor) {
  held_ports().hold(descriptor);
}

bool release_held_ports() {
  return held_ports().release();
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// What the devices of this process refuse from now on: a program that is linked with libfabric alone finds
// wirelaw_soft_efa_trouble() by dlsym(), and tells them (README.md).
#pragma once

#include <atomic>

namespace wirelaw::soft_efa {

struct Trouble {
  std::atomic<long> packets{-1};  // that the send queues take yet; negative: as many as there is room for
  std::atomic<bool> registers{true};
  std::atomic<bool> reaches{true};  // anybody

  // Whether a packet is taken.
  bool takes() {
    long left = packets.load();
    while (left > 0 && !packets.compare_exchange_weak(left, left - 1)) {
    }
    return left != 0;
  }
};

Trouble& trouble();

}  // namespace wirelaw::soft_efa

extern "C" [[gnu::visibility("default")]] void wirelaw_soft_efa_trouble(long packets, int registers, int reaches);

// SPDX-License-Identifier: Apache-2.0
// The opened device. One lock guards it and all its objects; a poll holds it from start_poll to end_poll, in which the
// same thread posts, hence recursive.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "harness/lab/soft_efa/address_handles.h"
#include "harness/lab/soft_efa/memory.h"
#include "harness/lab/soft_efa/record.h"
#include "harness/lab/soft_efa/settings.h"

namespace wirelaw::soft_efa {

class Engine;
class QueuePair;

inline constexpr std::uint32_t kMaxSendWr = 4096;
inline constexpr std::uint32_t kMaxRecvWr = 8192;  // libfabric 2.1 believes in no more than this
inline constexpr std::uint16_t kMaxSendSge = 2;
inline constexpr std::uint16_t kMaxRecvSge = 1;
inline constexpr std::uint32_t kMaxRdma = 1u << 30;  // octets of one read or write

struct Context : verbs_context {
  Context(ibv_device& device, const Settings& settings, Record& record);
  ~Context();

  const Settings& settings;
  Record& record;
  std::recursive_mutex lock;
  Memory memory;
  AddressHandles handles;
  std::mt19937_64 chance;  // for the order of packets
  std::vector<QueuePair*> queue_pairs;
  std::unique_ptr<Engine> engine;  // from the first queue pair with RDMA on
};

inline Context& context_of(ibv_context* context) {
  return *static_cast<Context*>(verbs_get_ctx(context));
}

using Locked = std::lock_guard<std::recursive_mutex>;

}  // namespace wirelaw::soft_efa

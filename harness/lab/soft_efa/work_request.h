// SPDX-License-Identifier: Apache-2.0
// One entry of a send queue, for every way to post it, and the location of its octets.
#pragma once

#include <infiniband/verbs.h>
#include <sys/uio.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "harness/lab/soft_efa/completion_queue.h"
#include "harness/lab/soft_efa/context.h"
#include "harness/lab/soft_efa/gid.h"

namespace wirelaw::soft_efa {

struct AddressHandle : ibv_ah {
  Gid gid = {};
};

struct WorkRequest {
  std::uint64_t wr_id = 0;
  ibv_wr_opcode opcode = IBV_WR_SEND;
  const AddressHandle* address = nullptr;  // until it is posted: it may be destroyed before the work is done
  Gid gid = {};
  std::uint32_t qpn = 0;
  std::uint32_t qkey = 0;
  std::uint32_t immediate = 0;
  std::uint32_t remote_key = 0;
  std::uint64_t remote_address = 0;

  std::array<ibv_sge, kMaxSendSge> sge = {};
  std::uint32_t sges = 0;
  bool is_inline = false;
  std::uint32_t inline_size = 0;
  std::array<std::uint8_t, kMaxInline> inline_octets;

  // Returns EINVAL if there are too many octets.
  int set_sges(std::span<const ibv_sge> list);
  int add_inline(const void* octets, std::size_t size, std::size_t most);

  std::uint64_t length() const;
  bool one_sided() const;
};

// The octets of a range of a work request, through its local keys.
struct Parts {
  std::array<iovec, kMaxSendSge + 1> part = {};  // one more for a header
  std::size_t count = 0;
  std::span<const iovec> all() const { return {part.data(), count}; }
  void add(void* octets, std::size_t size) { part[count++] = {octets, size}; }
};

// Adds `size` octets from `offset` on; false if a key does not allow it (`access`: IBV_ACCESS_…).
bool locate(const WorkRequest& request, const Memory& memory, std::uint64_t offset, std::uint64_t size, unsigned access,
            Parts& out);

}  // namespace wirelaw::soft_efa

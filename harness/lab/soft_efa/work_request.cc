// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/work_request.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace wirelaw::soft_efa {

int WorkRequest::set_sges(std::span<const ibv_sge> list) {
  if (list.size() > sge.size()) return EINVAL;
  std::ranges::copy(list, sge.begin());
  sges = static_cast<std::uint32_t>(list.size());
  return 0;
}

int WorkRequest::add_inline(const void* octets, std::size_t size, std::size_t most) {
  is_inline = true;
  if (size > most || inline_size > most - size) return EINVAL;
  if (size > 0) std::memcpy(inline_octets.data() + inline_size, octets, size);
  inline_size += static_cast<std::uint32_t>(size);
  return 0;
}

std::uint64_t WorkRequest::length() const {
  if (is_inline) return inline_size;
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < sges; ++i) total += sge[i].length;
  return total;
}

bool WorkRequest::one_sided() const {
  return opcode == IBV_WR_RDMA_READ || opcode == IBV_WR_RDMA_WRITE || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

bool locate(const WorkRequest& request, const Memory& memory, std::uint64_t offset, std::uint64_t size, unsigned access,
            Parts& out) {
  if (request.is_inline) {
    if (size > 0) out.add(const_cast<std::uint8_t*>(request.inline_octets.data()) + offset, size);
    return true;
  }
  for (std::uint32_t i = 0; i < request.sges; ++i) {
    const ibv_sge& sge = request.sge[i];
    if (offset >= sge.length) {
      offset -= sge.length;
      continue;
    }
    const std::uint64_t taken = std::min<std::uint64_t>(size, sge.length - offset);
    if (taken == 0) break;
    const Memory::Place place = memory.find(sge.lkey, sge.addr + offset, taken, access);
    if (place.reach != Reach::there) return false;
    out.add(place.bytes, taken);
    size -= taken;
    offset = 0;
  }
  return size == 0;
}

}  // namespace wirelaw::soft_efa

// SPDX-License-Identifier: Apache-2.0
// The receives of an application above a consumer: one region, a slot of it for each request. A slot's number is the
// request's wr_id. There are twice as many slots as receives, so that a consumed one is replaced immediately, while its
// octets are still in use.
#pragma once

#include <vector>

#include "conformance/verbs.h"
#include "harness/peers/rdmap_peer.h"

namespace wirelaw::verbs {

class Slots {
 public:
  tl::expected<void, VerbsError> open(Consumer& consumer) {
    const auto memory = consumer.allocate(2 * rdmap::kReceives * rdmap::kReceiveOctets);
    if (!memory) return tl::unexpected(memory.error());
    const auto region = consumer.reg_mr(*memory, {.local_write = true});
    if (!region) return tl::unexpected(region.error());
    region_ = *region;
    for (std::uint64_t slot = 0; slot < rdmap::kReceives; ++slot) {
      if (auto posted = post(consumer, slot); !posted) return posted;
      spare_.push_back(rdmap::kReceives + slot);
    }
    return {};
  }
  // Posts another in place of one that has been consumed, which is released later.
  tl::expected<void, VerbsError> replace(Consumer& consumer) {
    if (spare_.empty()) {
      ++owed_;
      return {};
    }
    const std::uint64_t slot = spare_.back();
    spare_.pop_back();
    return post(consumer, slot);
  }
  tl::expected<void, VerbsError> release(Consumer& consumer, std::uint64_t slot) {
    if (owed_ == 0) {
      spare_.push_back(slot);
      return {};
    }
    --owed_;
    return post(consumer, slot);
  }
  tl::expected<void, VerbsError> post(Consumer& consumer, std::uint64_t slot) const {
    return consumer.post_recv({.wr_id = slot, .sge = sge(slot, rdmap::kReceiveOctets)});
  }
  std::span<Octet> octets(std::uint64_t slot, std::size_t length) const {
    return region_.memory.subspan(slot * rdmap::kReceiveOctets, length);
  }
  Sge sge(std::uint64_t slot, std::size_t length) const {
    return {.addr = region_.addr + slot * rdmap::kReceiveOctets,
            .length = static_cast<std::uint32_t>(length),
            .lkey = region_.lkey};
  }

 private:
  Region region_;
  std::vector<std::uint64_t> spare_;
  std::size_t owed_ = 0;  // receives that could not be replaced
};

}  // namespace wirelaw::verbs

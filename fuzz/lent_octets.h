// SPDX-License-Identifier: Apache-2.0
// Octets that are lent for the duration of one call. AddressSanitizer detects accesses after the call, or beyond their
// end, as if they were newly allocated, which would take longer than most targets take for an input. Without
// AddressSanitizer, the next loan overwrites them.
#pragma once

#include <cstddef>
#include <cstring>

#include "reference/octets/octets.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WIRELAW_FUZZ_ADDRESSES 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define WIRELAW_FUZZ_ADDRESSES 1
#endif
#if defined(WIRELAW_FUZZ_ADDRESSES)
#include <sanitizer/asan_interface.h>
#endif

namespace wirelaw::fuzz {

class LentOctets {
 public:
  explicit LentOctets(std::size_t most) : octets_(most) { take_back(); }
  ~LentOctets() { open(octets_.size()); }
  LentOctets(const LentOctets&) = delete;
  LentOctets& operator=(const LentOctets&) = delete;

  // Lends `count` octets, at most the capacity, and ends the previous loan.
  std::span<Octet> lend(std::size_t count) {
    take_back();
    open(count);
    return std::span(octets_).first(count);
  }
  Octets lend(Octets octets) {
    const std::span<Octet> room = lend(octets.size());
    if (!octets.empty()) std::memcpy(room.data(), octets.data(), octets.size());
    return room;
  }
  void take_back() {
#if defined(WIRELAW_FUZZ_ADDRESSES)
    ASAN_POISON_MEMORY_REGION(octets_.data(), octets_.size());
#endif
  }

 private:
  void open([[maybe_unused]] std::size_t count) {
#if defined(WIRELAW_FUZZ_ADDRESSES)
    ASAN_UNPOISON_MEMORY_REGION(octets_.data(), count);
#endif
  }

  OctetBuffer octets_;
};

}  // namespace wirelaw::fuzz

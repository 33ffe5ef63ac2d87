// SPDX-License-Identifier: Apache-2.0
// SHA-256 of octets that are added piece by piece (FIPS 180-4).
#pragma once

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <string>
#include <string_view>

#include "reference/octets/hex.h"

namespace wirelaw {

class Sha256 {
 public:
  Sha256() { sha256_init(&state_); }
  void add(std::string_view octets) {
    sha256_update(&state_, octets.size(), reinterpret_cast<const std::uint8_t*>(octets.data()));
  }
  // Adds the length too, so that no two lists of texts look alike.
  void add_text(std::string_view text) {
    add(fmt::format("{}:", text.size()));
    add(text);
  }
  std::string finish() {
    std::array<Octet, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&state_, digest.size(), digest.data());
    return to_hex(digest);
  }

 private:
  sha256_ctx state_{};
};

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// The SMB_DIRECT_BUFFER_DESCRIPTOR_V1 structures with one token ([MS-SMBD] 2.2.3.1) in payloads whose layout only the
// upper layer knows. Four octets equal to the token may be the Token of such a structure, or something else. So a
// place counts as not described only if no way of reading the payloads describes it.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/delivery.h"
#include "reference/octets/octets.h"

namespace wirelaw::smbd {

class Described {
 public:
  static constexpr std::size_t kMostSpans = 64;

  // Returns true if the payloads hold the token, in either octet order. `payloads` are those of the previous call and
  // octets after them. For the token of the previous call, only those are searched.
  bool find(Octets payloads, std::uint32_t token);
  // Returns true if the payloads describe memory with the token that was found last, but not all of this memory.
  bool contradicts(const RemoteRange& range) const;
  std::size_t memory() const { return spans_.capacity() * sizeof(Span) + others_.capacity() * sizeof(Span); }

 private:
  struct Span {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
  };

  void begin(std::uint32_t token);
  bool take(Octets payloads, std::size_t at);
  static bool covers(const std::vector<Span>& spans, const RemoteRange& range);

  std::uint32_t token_ = 0;
  bool is_begun_ = false;
  std::size_t searched_ = 0;  // octets
  bool is_found_ = false;
  bool is_unreadable_ = false;  // some place of the token is no structure, or there are too many
  bool is_incomplete_ = false;  // the rest of a structure has not come yet
  std::vector<Span> spans_;     // read as structures
  std::vector<Span> others_;    // read as token, length and offset, in that order
};

}  // namespace wirelaw::smbd

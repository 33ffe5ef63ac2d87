// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/tracker/described.h"

#include <algorithm>

namespace wirelaw::smbd {
namespace {

constexpr std::size_t kOffset = 8, kToken = 4, kLength = 4;  // octets of the fields (2.2.3.1)

std::uint32_t reversed(std::uint32_t value) {
  return __builtin_bswap32(value);
}

}  // namespace

void Described::begin(std::uint32_t token) {
  token_ = token;
  is_begun_ = true;
  searched_ = 0;
  is_found_ = is_unreadable_ = false;
  spans_.clear();
  others_.clear();
}

bool Described::find(Octets payloads, std::uint32_t token) {
  if (!is_begun_ || token != token_) begin(token);
  is_incomplete_ = false;
  if (is_found_ && is_unreadable_) return true;
  std::size_t at = searched_;
  for (; at + kToken <= payloads.size(); ++at) {
    const auto here = load_little_endian<std::uint32_t>(payloads.data() + at);
    // A provider may give the token to its upper layer in network order.
    if (here == reversed(token) && here != token) is_found_ = is_unreadable_ = true;
    if (here != token) continue;
    is_found_ = true;
    if (!take(payloads, at)) break;
  }
  searched_ = at;
  return is_found_;
}

// Reads what is around the token. Returns false if the octets after it have not come yet.
bool Described::take(Octets payloads, std::size_t at) {
  const std::size_t after = payloads.size() - at - kToken;
  is_incomplete_ = after < kLength;
  if (is_incomplete_) return false;
  if (at < kOffset || spans_.size() == kMostSpans) {
    is_unreadable_ = true;
    return true;
  }
  const auto length = load_little_endian<std::uint32_t>(payloads.data() + at + kToken);
  spans_.push_back({load_little_endian<std::uint64_t>(payloads.data() + at - kOffset), length});
  if (after >= kLength + kOffset)
    others_.push_back({load_little_endian<std::uint64_t>(payloads.data() + at + kToken + kLength), length});
  return true;
}

// Several spans may be neighbours.
bool Described::covers(const std::vector<Span>& spans, const RemoteRange& range) {
  const std::uint64_t end = range.offset + range.length;
  for (std::uint64_t at = range.offset; at < end;) {
    std::uint64_t next = at;
    for (const Span& one : spans)
      if (at >= one.offset && at - one.offset < one.length)
        next = std::max(next, at + std::min<std::uint64_t>(one.length - (at - one.offset), end - at));
    if (next == at) return false;
    at = next;
  }
  return true;
}

bool Described::contradicts(const RemoteRange& range) const {
  if (is_unreadable_ || is_incomplete_ || range.offset + range.length < range.offset) return false;
  if (covers(spans_, range) || covers(others_, range)) return false;
  // The upper layer may count from the beginning of the buffer.
  if (std::ranges::any_of(spans_, [&](const Span& one) { return range.offset + range.length <= one.length; }))
    return false;
  // Other octets than the address of a buffer are hardly near the place of the operation.
  return std::ranges::any_of(spans_, [&](const Span& one) {
    return one.length > 0 && one.offset >> 32 == range.offset >> 32 && one.offset + one.length > one.offset;
  });
}

}  // namespace wirelaw::smbd

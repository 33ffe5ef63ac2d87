// SPDX-License-Identifier: Apache-2.0
// The octets of a capture after its beginning, read in large pieces, so that records can be used without a copy. Two
// buffers alternate: octets that were taken stay in place until going() returns them.
#pragma once

#include <array>
#include <cstdint>

#include "pcap/input.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

class RecordBuffer {
 public:
  explicit RecordBuffer(Input& input) : input_(&input) {}

  // Octets that have been read but not taken.
  const Octet* begin() const { return begin_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  Octets rest() const { return {begin_, size()}; }
  void take(std::size_t count) { begin_ += count; }

  // Reads more, so that `needed` octets fit after begin(). False if there is no more.
  bool read_more(std::size_t needed);
  // The octets that read_more() will overwrite or free.
  Octets going(std::size_t needed) const;

 private:
  bool has_room(std::size_t needed) const;

  Input* input_;
  std::array<OctetBuffer, 2> buffers_;
  std::size_t current_ = 0;  // index of the buffer that is being read into
  const Octet* begin_ = nullptr;
  const Octet* end_ = nullptr;
};

}  // namespace wirelaw::pcap

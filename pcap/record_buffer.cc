// SPDX-License-Identifier: Apache-2.0
#include "pcap/record_buffer.h"

#include <algorithm>

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 17;
constexpr std::size_t kLeast = std::size_t{1} << 14;  // least room for another read, in octets

}  // namespace

bool RecordBuffer::has_room(std::size_t needed) const {
  const OctetBuffer& buffer = buffers_[current_];
  if (buffer.empty()) return false;
  const auto room = static_cast<std::size_t>(buffer.data() + buffer.size() - end_);
  return room >= kLeast && room + size() >= needed;
}

Octets RecordBuffer::going(std::size_t needed) const {
  return has_room(needed) ? Octets() : Octets(buffers_[1 - current_]);
}

bool RecordBuffer::read_more(std::size_t needed) {
  if (!has_room(needed)) {
    const Octets left = rest();
    current_ = 1 - current_;
    OctetBuffer& buffer = buffers_[current_];
    if (buffer.size() < std::max(kBuffer, needed)) buffer.resize(std::max(kBuffer, needed));
    std::copy(left.begin(), left.end(), buffer.begin());
    begin_ = buffer.data();
    end_ = begin_ + left.size();
  }
  OctetBuffer& buffer = buffers_[current_];
  const std::size_t got = input_->read(std::span(buffer).subspan(static_cast<std::size_t>(end_ - buffer.data())));
  end_ += got;
  return got > 0;
}

}  // namespace wirelaw::pcap

// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/deframer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "reference/octets/crc32c.h"

namespace wirelaw::mpa {

void Deframer::feed(Octets octets) {
  assert(input_.empty());
  input_ = octets;
  end_ += octets.size();
}

std::optional<Fpdu> Deframer::next() {
  if (lost_ && !find_again()) return std::nullopt;
  if (carry_at_ == carry_.size()) {
    carry_.clear();
    carry_at_ = 0;
    const std::size_t octets = extent(input_);
    if (octets <= input_.size()) {
      const Octets raw = input_.first(octets);
      input_ = input_.subspan(octets);
      return take(raw);
    }
    if (input_.empty()) return std::nullopt;
  }
  return next_of_carry();
}

// Returns the length of the FPDU at the beginning of `raw`, as far as it is known. If it exceeds the octets present,
// more are needed to know the length, or to complete the FPDU.
std::size_t Deframer::extent(Octets raw) const {
  const std::size_t lead = markers_ && marker_at(begin_) ? kMarkerOctets : 0;
  if (raw.size() < lead + kLengthOctets) return lead + kLengthOctets;
  const std::size_t octets = fpdu_octets(load_big_endian<std::uint16_t>(raw.data() + lead));
  return lead + octets + (markers_ ? kMarkerOctets * markers_inside(begin_ + lead, octets) : 0);
}

std::optional<Fpdu> Deframer::next_of_carry() {
  for (;;) {
    const Octets raw = Octets(carry_).subspan(carry_at_);
    const std::size_t octets = extent(raw);
    if (octets <= raw.size()) {
      carry_at_ += octets;
      return take(raw.first(octets));
    }
    if (input_.empty()) return std::nullopt;
    const Octets part = input_.first(std::min(octets - raw.size(), input_.size()));
    carry_.insert(carry_.end(), part.begin(), part.end());
    input_ = input_.subspan(part.size());
  }
}

Fpdu Deframer::take(Octets raw) {
  const std::size_t lead = markers_ && marker_at(begin_) ? kMarkerOctets : 0;
  Fpdu fpdu{.octets = raw.subspan(lead), .position = begin_ + lead, .end = begin_ + raw.size()};
  // The CRC covers its markers, and the one right before it. None is inside the CRC, since all lengths are multiples of
  // four.
  const std::size_t crc_at = raw.size() - kCrcOctets;
  fpdu.crc = load_little_endian<std::uint32_t>(raw.data() + crc_at);
  if (crc_) fpdu.computed = crc32c(raw.first(crc_at));
  if (markers_) take_markers(raw, fpdu);
  begin_ = fpdu.end;
  return fpdu;
}

// Reads the markers in `raw`, and sets the FPDU without them.
void Deframer::take_markers(Octets raw, Fpdu& fpdu) {
  marks_.clear();
  const auto into = static_cast<std::size_t>(begin_ % kMarkerInterval);
  std::size_t at = into == 0 ? 0 : kMarkerInterval - into;  // offset of the next marker
  std::size_t from = 0;                                     // offset after the last marker
  std::size_t to = 0;
  const auto copy_until = [&](std::size_t end) {
    std::memcpy(plain_.data() + to, raw.data() + from, end - from);
    to += end - from;
  };
  for (; at < raw.size(); at += kMarkerInterval) {
    const std::uint64_t position = begin_ + at;
    marks_.push_back({.position = position,
                      .reserved = load_big_endian<std::uint16_t>(raw.data() + at),
                      .pointer = load_big_endian<std::uint16_t>(raw.data() + at + 2),
                      .expected = pointer_between(fpdu.position, position)});
    if (at != 0) {
      if (plain_.size() < raw.size()) plain_.resize(raw.size());
      copy_until(at);
    }
    from = at + kMarkerOctets;
  }
  if (to != 0) {
    copy_until(raw.size());
    fpdu.octets = Octets(plain_).first(to);
  }
  fpdu.markers = marks_;
}

std::size_t Deframer::copy_pending(std::span<Octet> out) const {
  if (lost_) return 0;
  std::size_t copied = 0, at = 0;
  for (const Octets part : {Octets(carry_).subspan(carry_at_), input_}) {
    for (std::size_t i = 0; i < part.size() && copied < out.size(); ++i, ++at)
      if (!markers_ || (begin_ + at) % kMarkerInterval >= kMarkerOctets) out[copied++] = part[i];
  }
  return copied;
}

void Deframer::skip_to(std::uint64_t position) {
  input_ = {};
  carry_.clear();
  carry_at_ = 0;
  end_ = position;
  lost_ = true;
  resync_.emplace(markers_, crc_, position);
}

bool Deframer::find_again() {
  const Octets octets = std::exchange(input_, Octets{});
  if (!resync_->add(octets)) return false;
  begin_ = resync_->found_at();
  carry_.assign(resync_->found().begin(), resync_->found().end());
  carry_at_ = 0;
  resync_.reset();
  lost_ = false;
  return true;
}

std::size_t Deframer::memory() const {
  return carry_.capacity() + plain_.capacity() + marks_.capacity() * sizeof(Marker) + (resync_ ? resync_->memory() : 0);
}

}  // namespace wirelaw::mpa

// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/resync.h"

#include <algorithm>

#include "reference/octets/crc32c.h"

namespace wirelaw::mpa {
namespace {

constexpr std::size_t kWord = 4;
constexpr std::size_t kMostOctets = kMaxFpdu + kMarkerOctets * most_markers(kMaxFpdu);  // longest FPDU with its markers
constexpr std::size_t kMostWords = kMostOctets / kWord;
constexpr std::size_t kSlack = std::size_t{16} << 10;  // number of old octets that are kept before they are dropped
static_assert(kMostWords <= 0xffff);

constexpr std::uint64_t up_to_multiple(std::uint64_t position, std::size_t of) {
  return (position + of - 1) / of * of;
}

// A possible FPDU: from its beginning, or the marker right before it, to the end of its CRC.
struct Extent {
  std::uint64_t begin;
  std::uint64_t end;
};

Extent extent_of(std::uint64_t ulpdu_length_at, std::size_t ulpdu_length, bool markers) {
  const std::size_t octets = fpdu_octets(ulpdu_length);
  if (!markers) return {ulpdu_length_at, ulpdu_length_at + octets};
  return {marker_at(ulpdu_length_at - kMarkerOctets) ? ulpdu_length_at - kMarkerOctets : ulpdu_length_at,
          ulpdu_length_at + octets + kMarkerOctets * markers_inside(ulpdu_length_at, octets)};
}

}  // namespace

Resync::Resync(bool markers, bool crc, std::uint64_t position)
    : markers_(markers),
      crc_(crc),
      skip_(static_cast<std::size_t>(up_to_multiple(position, kWord) - position)),
      base_(position + skip_),
      marker_(up_to_multiple(base_, kMarkerInterval)) {}

bool Resync::add(Octets octets) {
  const std::size_t skipped = std::min(skip_, octets.size());
  skip_ -= skipped;
  if (!markers_ && !crc_) return false;
  octets = octets.subspan(skipped);
  // Takes a part at a time, so that the window keeps its limit however much is fed.
  while (!octets.empty() && !found_) {
    const Octets part = octets.first(std::min(octets.size(), kSlack));
    window_.insert(window_.end(), part.begin(), part.end());
    octets = octets.subspan(part.size());
    found_ = crc_ ? look_at_words() : look_at_markers();
  }
  window_.insert(window_.end(), octets.begin(), octets.end());
  return found_;
}

std::size_t Resync::memory() const {
  return window_.capacity() + prefix_.capacity() * sizeof(prefix_[0]) +
         (waiting_.capacity() + before_.capacity()) * sizeof(waiting_[0]);
}

// --- by CRCs --------------------------------------------------------------------------------------------------------

// The CRC over words a to b is computed from the CRC over all words before b and that over those before a, so that each
// possible FPDU costs the same, whatever its length.
bool Resync::look_at_words() {
  for (; (words_ + 1) * kWord <= window_.size(); ++words_) {
    if (prefix_.empty()) prefix_.push_back(0);
    before_.push_back(0);
    try_crcs_at(words_);
    if (found_) return true;
    begin_at(words_);
    prefix_.push_back(crc32c(Octets(window_).subspan(words_ * kWord, kWord), prefix_.back()));
  }
  forget_words();
  return false;
}

void Resync::try_crcs_at(std::size_t word) {
  if (word >= waiting_.size() || waiting_[word] == 0) return;
  const auto field = load_little_endian<std::uint32_t>(window_.data() + word * kWord);
  std::size_t begin = word - waiting_[word];
  for (;; begin -= before_[begin]) {
    const auto octets = static_cast<std::uint32_t>((word - begin) * kWord);
    if (crc32c_behind(prefix_[word], prefix_[begin], octets) == field) {
      found_ = true;
      found_at_ = base_ + begin * kWord;
    }
    if (before_[begin] == 0) return;
  }
}

void Resync::begin_at(std::size_t word) {
  const std::uint64_t at = base_ + word * kWord;
  if (markers_ && marker_at(at)) return;
  const Extent extent = extent_of(at, load_big_endian<std::uint16_t>(window_.data() + word * kWord), markers_);
  if (extent.begin < base_) return;
  const std::size_t begin = index(extent.begin) / kWord;
  const std::size_t crc = (index(extent.end) - kCrcOctets) / kWord;
  if (waiting_.size() <= crc) waiting_.resize(crc + 1);
  if (waiting_[crc] != 0) before_[begin] = static_cast<std::uint16_t>(begin - (crc - waiting_[crc]));
  waiting_[crc] = static_cast<std::uint16_t>(crc - begin);
}

// Words further back than the longest FPDU do not belong to a possible FPDU.
void Resync::forget_words() {
  if (words_ * kWord < kMostOctets + kSlack) return;
  const auto count = static_cast<std::ptrdiff_t>(words_ - kMostWords);
  prefix_.erase(prefix_.begin(), prefix_.begin() + count);
  before_.erase(before_.begin(), before_.begin() + count);
  waiting_.erase(waiting_.begin(), waiting_.begin() + std::min(count, std::ssize(waiting_)));
  words_ -= static_cast<std::size_t>(count);
  const std::size_t octets = static_cast<std::size_t>(count) * kWord;
  window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(octets));
  base_ += octets;
}

// --- by markers -----------------------------------------------------------------------------------------------------

bool Resync::look_at_markers() {
  for (; marker_ + kMarkerOctets <= end(); marker_ += kMarkerInterval) {
    const auto pointer_at = [&](std::uint64_t marker) {
      return load_big_endian<std::uint16_t>(window_.data() + index(marker) + 2);
    };
    const std::uint64_t back = pointer_at(marker_) & ~3u;
    if (back > marker_ - base_) continue;  // it begins in the gap
    const std::uint64_t at = back == 0 ? marker_ + kMarkerOctets : marker_ - back;
    if (marker_at(at)) continue;  // there is a marker
    if (end() < at + kLengthOctets) return false;
    const Extent extent = extent_of(at, load_big_endian<std::uint16_t>(window_.data() + index(at)), /*markers=*/true);
    if (extent.begin < base_) continue;

    bool agree = marker_ < extent.end;  // the FPDU contains the marker that points to it
    for (std::uint64_t other = up_to_multiple(extent.begin, kMarkerInterval);
         agree && other < extent.end && other + kMarkerOctets <= end(); other += kMarkerInterval)
      agree = same_pointer(pointer_at(other), pointer_between(at, other));
    if (!agree) continue;
    if (end() < extent.end) return false;
    found_at_ = extent.begin;
    return true;
  }
  // Future markers point at most this far back.
  if (window_.size() > kMostOctets + kSlack) {
    const std::size_t count = window_.size() - kMostOctets;
    window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(count));
    base_ += count;
  }
  return false;
}

}  // namespace wirelaw::mpa

// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/stream_edits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/relay/hostile_faults.h"

namespace wirelaw {
namespace {

// Acknowledged edits are kept up to this limit, since an acknowledgment may be lost on its way to the sender.
constexpr std::size_t kMostAcknowledged = std::size_t{1} << 20;
constexpr std::size_t kMostKept = std::size_t{4} << 20;
constexpr std::size_t kOverhead = 200;  // memory for an edit besides its octets, roughly

}  // namespace

std::vector<std::string> StreamEdits::take(std::uint64_t begin, Octets octets, RelayCounts& counts) {
  std::vector<std::string> remarks;
  if (has_given_up_) {
    next_ = std::max(next_, begin + octets.size());
    return remarks;
  }
  const std::uint64_t known = next_ - std::min(begin, next_);
  if (known >= octets.size()) return remarks;
  octets = octets.subspan(static_cast<std::size_t>(known));
  open_.insert(open_.end(), octets.begin(), octets.end());
  next_ += octets.size();
  std::size_t at = 0;
  for (script::Passing& one : run_.stream(sender_, octets)) {
    std::vector<std::string> comments = take_played(one, counts);
    keep(Octets(open_).subspan(at, one.length), one.copies.front(), comments);
    std::ranges::move(comments, std::back_inserter(remarks));
    at += one.length;
    ready_ += one.length;
  }
  open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(at));
  return remarks;
}

// Keeps what differs of a message at ready_, and its comments.
void StreamEdits::keep(Octets original, Octets edited, std::vector<std::string>& comments) {
  const auto first = std::ranges::mismatch(original, edited).in1 - original.begin();
  if (first == std::ssize(original)) return;
  const auto same_at_end = std::mismatch(original.rbegin(), original.rend(), edited.rbegin()).first - original.rbegin();
  const Octets changed = edited.subspan(static_cast<std::size_t>(first),
                                        static_cast<std::size_t>(std::ssize(edited) - same_at_end - first));
  edits_[ready_ + static_cast<std::uint64_t>(first)] = {.octets = OctetBuffer(changed.begin(), changed.end()),
                                                        .comments = std::exchange(comments, {})};
  kept_ += changed.size() + kOverhead;
  forget();
}

bool StreamEdits::apply(std::uint64_t begin, std::span<Octet> octets, std::vector<std::string>& comments) const {
  const std::uint64_t end = begin + octets.size();
  auto one = edits_.upper_bound(begin);
  if (one != edits_.begin()) --one;
  bool is_edited = false;
  for (; one != edits_.end() && one->first < end; ++one) {
    const auto& [place, edit] = *one;
    const std::uint64_t from = std::max(begin, place), to = std::min(end, place + edit.octets.size());
    if (from >= to) continue;
    const Octets part =
        Octets(edit.octets).subspan(static_cast<std::size_t>(from - place), static_cast<std::size_t>(to - from));
    std::ranges::copy(part, octets.begin() + static_cast<std::ptrdiff_t>(from - begin));
    comments.insert(comments.end(), edit.comments.begin(), edit.comments.end());
    is_edited = true;
  }
  return is_edited;
}

void StreamEdits::acknowledge(std::uint64_t end) {
  if (end > acknowledged_ && end <= next_ + 1) acknowledged_ = std::min(end, next_);  // a FIN counts one
  forget();
}

void StreamEdits::forget() {
  while (kept_ > kMostAcknowledged) {
    const auto oldest = edits_.begin();
    const std::size_t length = oldest->second.octets.size();
    if (oldest->first + length > acknowledged_) return;
    kept_ -= length + kOverhead;
    edits_.erase(oldest);
  }
}

void StreamEdits::finish() {
  open_.clear();
  ready_ = next_;
  run_.rest(sender_);
}

void StreamEdits::give_up() {
  has_given_up_ = true;
  finish();
}

bool StreamEdits::is_full() const {
  return kept_ > kMostKept;
}

}  // namespace wirelaw

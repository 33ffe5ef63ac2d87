// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/recognition.h"

#include <algorithm>

#include "reference/mpa/start_frame.h"

namespace wirelaw::rdmap {
namespace {

bool is_at(Octets from, std::string_view key) {
  return from.size() >= key.size() && std::equal(key.begin(), key.end(), from.begin(),
                                                 [](char c, Octet octet) { return octet == static_cast<Octet>(c); });
}

// The octets may go on to be the key.
bool may_become(Octets octets, std::string_view key) {
  return is_at(octets, key.substr(0, std::min(octets.size(), key.size())));
}

constexpr std::size_t kMostUnanswered = 2 * (mpa::layout::kStartFrame + mpa::kMaxPrivateData);
constexpr Octet kRejected = 0x20,
                kReservedFlags = 0x0f;  // R, and the reserved bits after S (RFC 5044, 7.1.1)

// States for each field of a start frame if it is valid, as far as its octets are there.
struct StartFields {
  bool flags = true, revision = true, length = true;
  int count() const { return flags + revision + length; }
};
StartFields fields_of(Octets from_key) {
  StartFields sane;
  const Octet wrong = is_at(from_key, mpa::kReplyKey) ? kReservedFlags : kReservedFlags | kRejected;
  if (from_key.size() > mpa::layout::kFlags) sane.flags = (from_key[mpa::layout::kFlags] & wrong) == 0;
  if (from_key.size() > mpa::layout::kRevision) sane.revision = from_key[mpa::layout::kRevision] <= mpa::kRevision2;
  if (from_key.size() >= mpa::layout::kStartFrame)
    sane.length =
        load_big_endian<std::uint16_t>(from_key.data() + mpa::layout::kPrivateDataLength) <= mpa::kMaxPrivateData;
  return sane;
}

// A frame with one wrong field is still one. In a text two are wrong at least: its characters are greater than any
// revision, and than any length.
Plausible is_start_frame(Octets octets) {
  constexpr int kLeast = 2;
  if (!may_become(octets, mpa::kRequestKey) && !may_become(octets, mpa::kReplyKey)) return Plausible::no;
  if (octets.size() < mpa::layout::kStartFrame) return Plausible::undecided;
  return fields_of(octets).count() >= kLeast ? Plausible::yes : Plausible::no;
}

// One of the two frames is enough: the other one may have any fault.
Plausible confirms_first(Octets from_key, Octets answer) {
  const Plausible own = is_start_frame(from_key), others = is_start_frame(answer);
  if (own == Plausible::yes || others == Plausible::yes) return Plausible::yes;
  const bool is_open = own == Plausible::undecided || others == Plausible::undecided;
  return is_open && from_key.size() <= kMostUnanswered ? Plausible::undecided : Plausible::no;
}

}  // namespace

// A Reply shows it as well, because the Request may not have been captured.
std::size_t begins_in(Octets octets) {
  constexpr std::string_view kCommon = mpa::kRequestKey.substr(0, 9);
  static_assert(mpa::kReplyKey.starts_with(kCommon));
  for (std::size_t at = 0;; ++at) {
    // Not std::ranges::search: clang 14 cannot compile its result for spans.
    const auto found = std::search(octets.begin() + static_cast<std::ptrdiff_t>(at), octets.end(), kCommon.begin(),
                                   kCommon.end(), [](Octet octet, char c) { return octet == static_cast<Octet>(c); });
    if (found == octets.end()) return Protocol::kNotHere;
    at = static_cast<std::size_t>(found - octets.begin());
    if (mpa::start_frame_in(octets.subspan(at))) return at;
  }
}

// A text about MPA contains the key, and a downloaded capture file contains complete start frames; neither gets an
// answer. A Reply is no beginning if other octets came before it.
Plausible confirms(Octets from_key, Octets answer, bool is_first) {
  if (is_first) return confirms_first(from_key, answer);
  if (!may_become(from_key, mpa::kRequestKey) || !may_become(answer, mpa::kReplyKey)) return Plausible::no;
  const StartFields sane = fields_of(from_key);
  if (!sane.flags || !sane.revision || !sane.length) return Plausible::no;
  if (is_at(answer, mpa::kReplyKey) && from_key.size() >= mpa::layout::kStartFrame) return Plausible::yes;
  return from_key.size() > kMostUnanswered ? Plausible::no : Plausible::undecided;
}

}  // namespace wirelaw::rdmap

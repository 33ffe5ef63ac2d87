// SPDX-License-Identifier: Apache-2.0
// One side's MPA stream (corpora/formats/mpa_stream.h) as the deframer reads it in parts. Shared by fuzz_mpa and
// fuzz_mpa_cuts.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "corpora/formats/mpa_stream.h"
#include "fuzz/iwarp_mutator.h"
#include "fuzz/lent_octets.h"
#include "fuzz/target.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw::fuzz {

inline constexpr std::size_t kMostMemory = 16 * mpa::kMaxFpdu;

// Length of the start frame at the beginning of `stream`, in octets.
inline std::size_t start_frame(Octets stream) {
  const auto frame = mpa::decode_start_frame(stream);
  if (!frame) {
    require(frame.error().needed > stream.size(), "what does not decode needs more octets");
    return stream.size();
  }
  const std::size_t octets = mpa::layout::kStartFrame + frame->private_data_length;
  require(octets <= stream.size() && frame->private_data.size() == frame->private_data_length, "a frame is whole");
  require(std::ranges::equal(mpa::encode_start_frame(*frame), stream.first(octets)), "encode(decode(x)) == x");
  const auto enhanced = frame->enhanced_data();
  require(frame->ulp_data().size() + (enhanced ? mpa::layout::kEnhanced : 0) == frame->private_data.size(),
          "private data is the enhanced data and the ULP's");
  if (enhanced)
    require(mpa::encode_enhanced(*enhanced) == load_big_endian<std::uint32_t>(frame->private_data.data()),
            "enhanced data round trips");
  return octets;
}

// An FPDU; its octets and markers are stored in its Reading.
struct Kept {
  std::size_t octets = 0, octets_end = 0;
  std::size_t markers = 0, markers_end = 0;
  std::uint64_t position = 0, end = 0;
  std::uint32_t crc = 0, computed = 0;
  bool operator==(const Kept&) const = default;
};
inline bool same(const mpa::Marker& one, const mpa::Marker& other) {
  return one.position == other.position && one.reserved == other.reserved && one.pointer == other.pointer &&
         one.expected == other.expected;
}

// All FPDUs in common buffers: with a sanitizer, an allocation for each would take longer than the deframer.
struct Reading {
  std::vector<Kept> fpdus;
  OctetBuffer octets;
  std::vector<mpa::Marker> markers;
  std::size_t pending = 0;
  bool lost = false;

  void keep(const mpa::Fpdu& fpdu) {
    Kept kept{.octets = octets.size(), .markers = markers.size()};
    octets.insert(octets.end(), fpdu.octets.begin(), fpdu.octets.end());
    markers.insert(markers.end(), fpdu.markers.begin(), fpdu.markers.end());
    kept.octets_end = octets.size();
    kept.markers_end = markers.size();
    kept.position = fpdu.position;
    kept.end = fpdu.end;
    kept.crc = fpdu.crc;
    kept.computed = fpdu.computed;
    fpdus.push_back(kept);
  }
  Octets octets_of(const Kept& kept) const {
    return Octets(octets).subspan(kept.octets, kept.octets_end - kept.octets);
  }
  std::span<const mpa::Marker> markers_of(const Kept& kept) const {
    return std::span(markers).subspan(kept.markers, kept.markers_end - kept.markers);
  }
  friend bool operator==(const Reading& one, const Reading& other) {
    return one.pending == other.pending && one.lost == other.lost && one.fpdus == other.fpdus &&
           one.octets == other.octets &&
           std::ranges::equal(one.markers, other.markers,
                              [](const mpa::Marker& a, const mpa::Marker& b) { return same(a, b); });
  }
};

// Reads the stream from octet `from` on, after a gap if `gap` is set. The first part has `first` octets, each further
// one has one more, up to `most`.
inline Reading read(Framing framing, Octets stream, std::size_t from, bool gap, std::size_t first, std::size_t most) {
  Reading reading;
  reading.octets.reserve(stream.size() - from);
  mpa::Deframer deframer(framing.markers, framing.crc);
  if (gap) deframer.skip_to(from);
  LentOctets parts(std::min(std::max(first, most + 1), stream.size()));
  std::size_t length = first;
  for (Octets rest = stream.subspan(from); !rest.empty();) {
    const Octets part = parts.lend(rest.first(std::min(length, rest.size())));
    deframer.feed(part);
    while (const auto fpdu = deframer.next()) {
      reading.keep(*fpdu);
      require(fpdu->octets.size() == mpa::fpdu_octets(fpdu->ulpdu_length()), "an FPDU has the octets of its length");
    }
    require(deframer.memory() <= kMostMemory, "the deframer keeps to its memory");
    rest = rest.subspan(part.size());
    length = length >= most ? first : length + 1;
  }
  require(deframer.position() == stream.size(), "every octet is counted");
  reading.pending = deframer.pending();
  reading.lost = deframer.lost();
  return reading;
}

struct MpaInput {
  Octets stream;  // without its start frame
  Framing framing;
  std::size_t cut = 0;
  bool has_gap = false;
};

// Returns nothing if the input is too short.
inline std::optional<MpaInput> read_mpa_input(Octets input) {
  namespace control = corpora::mpa_control;
  if (input.size() < corpora::kMpaStreamHeader) return std::nullopt;
  const auto has = [&](Octet bit) { return (input[0] & bit) != 0; };
  Octets stream = input.subspan(corpora::kMpaStreamHeader);
  if (has(control::kStartFrame)) stream = stream.subspan(start_frame(stream));
  return MpaInput{.stream = stream,
                  .framing = {.markers = has(control::kMarkers), .crc = has(control::kCrc)},
                  .cut = input[1],
                  .has_gap = has(control::kGap)};
}

}  // namespace wirelaw::fuzz

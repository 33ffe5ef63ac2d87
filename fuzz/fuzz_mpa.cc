// SPDX-License-Identifier: Apache-2.0
// Any octets as one side's MPA stream. Oracles: however the stream is cut, the same FPDUs are found; they and their
// markers, put back where they were, are the stream; the framer writes the same octets where nothing is wrong with
// them; after a gap the same holds, and nothing is believed that nothing proves; encode(decode(x)) == x for start
// frames.
#include <algorithm>
#include <vector>

#include "corpora/formats/mpa_stream.h"
#include "fuzz/iwarp_mutator.h"
#include "fuzz/target.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw::fuzz {
namespace {

namespace control = corpora::mpa_control;

constexpr std::size_t kMostMemory = 16 * mpa::kMaxFpdu;

// Octets of the start frame at the head of `stream`.
std::size_t start_frame(Octets stream) {
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

struct Kept {
  OctetBuffer octets;
  std::uint64_t position = 0, end = 0;
  std::vector<mpa::Marker> markers;
  std::uint32_t crc = 0, computed = 0;
};
bool same(const mpa::Marker& one, const mpa::Marker& other) {
  return one.position == other.position && one.reserved == other.reserved && one.pointer == other.pointer &&
         one.expected == other.expected;
}
bool same(const Kept& one, const Kept& other) {
  return one.octets == other.octets && one.position == other.position && one.end == other.end && one.crc == other.crc &&
         one.computed == other.computed &&
         std::ranges::equal(one.markers, other.markers,
                            [](const mpa::Marker& a, const mpa::Marker& b) { return same(a, b); });
}

struct Reading {
  std::vector<Kept> fpdus;
  std::size_t pending = 0;
  bool lost = false;
  friend bool operator==(const Reading& one, const Reading& other) {
    return one.pending == other.pending && one.lost == other.lost &&
           std::ranges::equal(one.fpdus, other.fpdus, [](const Kept& a, const Kept& b) { return same(a, b); });
  }
};

// The stream from octet `from` on, which is behind a gap where `gap` says so; parts of `first` octets, then one more
// each, up to `most`.
Reading read(Framing framing, Octets stream, std::size_t from, bool gap, std::size_t first, std::size_t most) {
  Reading reading;
  mpa::Deframer deframer(framing.markers, framing.crc);
  if (gap) deframer.skip_to(from);
  std::size_t length = first;
  for (Octets rest = stream.subspan(from); !rest.empty();) {
    const OctetBuffer part(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(length, rest.size())));
    deframer.feed(part);
    while (const auto fpdu = deframer.next()) {
      reading.fpdus.push_back({.octets = {fpdu->octets.begin(), fpdu->octets.end()},
                               .position = fpdu->position,
                               .end = fpdu->end,
                               .markers = {fpdu->markers.begin(), fpdu->markers.end()},
                               .crc = fpdu->crc,
                               .computed = fpdu->computed});
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

// The FPDUs' octets, with their markers where they were.
void check_identity(const Reading& reading, Octets stream) {
  std::uint64_t at = 0;
  for (const Kept& fpdu : reading.fpdus) {
    std::size_t octet = 0;
    auto marker = fpdu.markers.begin();
    for (; at < fpdu.end; ++at) {
      if (marker != fpdu.markers.end() && marker->position == at) {
        OctetBuffer octets;
        Writer(octets).big_endian(marker->reserved).big_endian(marker->pointer);
        require(std::ranges::equal(octets, stream.subspan(at, mpa::kMarkerOctets)), "a marker is what stands there");
        at += mpa::kMarkerOctets - 1;
        ++marker;
        continue;
      }
      require(octet != 0 || at == fpdu.position, "an FPDU begins where it says");
      require(octet < fpdu.octets.size() && fpdu.octets[octet++] == stream[at], "an FPDU's octets are the stream's");
    }
    require(octet == fpdu.octets.size() && marker == fpdu.markers.end(), "nothing is left of an FPDU");
  }
  require(at + reading.pending == stream.size(), "what is no FPDU is pending");
}

void check_framer(const Reading& reading, Framing framing, Octets stream) {
  mpa::Framer framer(framing.markers, framing.crc);
  for (const Kept& kept : reading.fpdus) {
    const mpa::Fpdu fpdu{.octets = kept.octets};
    const std::uint64_t begin = framer.position();
    OctetBuffer out;
    framer.frame(fpdu.ulpdu(), out);
    require(framer.position() == kept.end, "an FPDU takes as much as it took");
    const bool right = std::ranges::all_of(fpdu.pad(), [](Octet octet) { return octet == 0; }) &&
                       std::ranges::all_of(kept.markers, [](const mpa::Marker& marker) {
                         return marker.reserved == 0 && marker.pointer == marker.expected;
                       });
    if (right && kept.crc == kept.computed)
      require(std::ranges::equal(out, stream.subspan(begin, out.size())), "what is right is framed just so");
  }
}

void check_gap(Framing framing, Octets stream, std::size_t from, std::size_t cut) {
  const Reading whole = read(framing, stream, from, true, stream.size() + 1, 0);
  require(whole == read(framing, stream, from, true, 1 + cut, 2 * cut), "the cut does not matter behind a gap");
  if (whole.fpdus.empty()) {
    require(whole.lost, "nothing was found");
    return;
  }
  require(framing.crc || framing.markers, "without markers and CRCs nothing is found");
  const Kept& first = whole.fpdus.front();
  require(first.position >= from && first.position % 4 == 0, "what is found lies behind the gap");
  if (framing.crc) {
    require(first.crc == first.computed, "a CRC that holds was the proof");
  } else {
    require(!first.markers.empty(), "a marker was the proof");
    for (const mpa::Marker& marker : first.markers)
      require(mpa::same_pointer(marker.pointer, marker.expected), "all markers in it agree");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  using namespace wirelaw::fuzz;
  if (size < corpora::kMpaStreamHeader) return 0;
  const Octet what = data[0];
  const std::size_t cut = data[1];
  Octets stream(data + corpora::kMpaStreamHeader, size - corpora::kMpaStreamHeader);
  if ((what & control::kStartFrame) != 0) stream = stream.subspan(start_frame(stream));
  const Framing framing{.markers = (what & control::kMarkers) != 0, .crc = (what & control::kCrc) != 0};

  const Reading whole = read(framing, stream, 0, false, stream.size() + 1, 0);
  check_identity(whole, stream);
  check_framer(whole, framing, stream);
  // Octet by octet, save long ones.
  require(whole == read(framing, stream, 0, false, 1, 1 + size / 1024), "in single octets the same is found");
  require(whole == read(framing, stream, 0, false, 1 + cut, 1 + 2 * cut), "however it is cut the same is found");
  if ((what & control::kGap) != 0 && !stream.empty()) check_gap(framing, stream, cut % stream.size(), cut);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate_mpa_stream({data, max_size}, size, seed);
}

// SPDX-License-Identifier: Apache-2.0
// Any octets as one side's MPA stream, read in the smallest cuts, and after a gap. Oracles: the same FPDUs are found in
// every cut; after a gap too, and nothing is accepted there without proof.
#include "fuzz/mpa_reading.h"

namespace wirelaw::fuzz {
namespace {

void check_gap(Framing framing, Octets stream, std::size_t from, std::size_t cut) {
  const Reading whole = read(framing, stream, from, true, stream.size() + 1, 0);
  require(whole == read(framing, stream, from, true, 1 + cut, 2 * cut), "the cut does not matter after a gap");
  if (whole.fpdus.empty()) {
    require(whole.lost, "nothing was found");
    return;
  }
  require(framing.crc || framing.markers, "without markers and CRCs nothing is found");
  const Kept& first = whole.fpdus.front();
  require(first.position >= from && first.position % 4 == 0, "what is found lies after the gap");
  if (framing.crc) {
    require(first.crc == first.computed, "a CRC that holds was the proof");
  } else {
    const auto markers = whole.markers_of(first);
    require(!markers.empty(), "a marker was the proof");
    for (const mpa::Marker& marker : markers)
      require(mpa::same_pointer(marker.pointer, marker.expected), "all markers in it agree");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw::fuzz;
  const auto input = read_mpa_input({data, size});
  if (!input) return 0;
  const auto [stream, framing, cut, has_gap] = *input;
  const Reading whole = read(framing, stream, 0, false, stream.size() + 1, 0);
  // Single octets, or longer pieces of a long stream.
  require(whole == read(framing, stream, 0, false, 1, 1 + size / 1024), "in single octets the same is found");
  if (has_gap && !stream.empty()) check_gap(framing, stream, cut % stream.size(), cut);
  return 0;
}

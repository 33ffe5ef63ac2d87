// SPDX-License-Identifier: Apache-2.0
// Any octets as one side's MPA stream. Oracles: the same FPDUs are found however the stream is cut; FPDUs and markers
// in their places give the stream again; the framer writes the same octets if they are valid; encode(decode(x)) == x
// for start frames.
#include "fuzz/mpa_reading.h"
#include "fuzz/scratch.h"
#include "reference/mpa/framer.h"

namespace wirelaw::fuzz {
namespace {

// The octets of the FPDUs, with their markers in place. They are compared from marker to marker, because a comparison
// octet by octet would take longer than finding them.
void check_identity(const Reading& reading, Octets stream) {
  std::uint64_t at = 0;
  for (const Kept& fpdu : reading.fpdus) {
    require(fpdu.end <= stream.size(), "an FPDU lies within the stream");
    Octets left = reading.octets_of(fpdu);
    const std::size_t whole = left.size();
    const auto markers = reading.markers_of(fpdu);
    auto marker = markers.begin();
    while (at < fpdu.end) {
      if (marker != markers.end() && marker->position == at) {
        OctetBuffer& octets = scratch();
        Writer(octets).big_endian(marker->reserved).big_endian(marker->pointer);
        require(std::ranges::equal(octets, stream.subspan(at, mpa::kMarkerOctets)), "a marker is what stands there");
        at += mpa::kMarkerOctets;
        ++marker;
        continue;
      }
      require(left.size() != whole || at == fpdu.position, "an FPDU begins where it says");
      const std::uint64_t until = marker == markers.end() ? fpdu.end : std::min(marker->position, fpdu.end);
      require(until > at && until - at <= left.size(), "an FPDU has no more octets than the stream has for it");
      const std::size_t octets = until - at;
      require(std::ranges::equal(left.first(octets), stream.subspan(at, octets)), "an FPDU's octets are the stream's");
      left = left.subspan(octets);
      at = until;
    }
    require(left.empty() && marker == markers.end(), "nothing is left of an FPDU");
  }
  require(at + reading.pending == stream.size(), "what is no FPDU is pending");
}

void check_framer(const Reading& reading, Framing framing, Octets stream) {
  mpa::Framer framer(framing.markers, framing.crc);
  for (const Kept& kept : reading.fpdus) {
    const mpa::Fpdu fpdu{.octets = reading.octets_of(kept)};
    const std::uint64_t begin = framer.position();
    OctetBuffer& out = scratch();
    framer.frame(fpdu.ulpdu(), out);
    require(framer.position() == kept.end, "an FPDU takes as much as it took");
    const bool right = std::ranges::all_of(fpdu.pad(), [](Octet octet) { return octet == 0; }) &&
                       std::ranges::all_of(reading.markers_of(kept), [](const mpa::Marker& marker) {
                         return marker.reserved == 0 && marker.pointer == marker.expected;
                       });
    if (right && kept.crc == kept.computed)
      require(std::ranges::equal(out, stream.subspan(begin, out.size())), "what is right is framed just so");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw::fuzz;
  const auto input = read_mpa_input({data, size});
  if (!input) return 0;
  const Reading whole = read(input->framing, input->stream, 0, false, input->stream.size() + 1, 0);
  check_identity(whole, input->stream);
  check_framer(whole, input->framing, input->stream);
  require(whole == read(input->framing, input->stream, 0, false, 1 + input->cut, 1 + 2 * input->cut),
          "however it is cut the same is found");
  return 0;
}

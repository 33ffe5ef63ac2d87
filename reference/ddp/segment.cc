// SPDX-License-Identifier: Apache-2.0
#include "reference/ddp/segment.h"

namespace wirelaw::ddp {
namespace {

// The control octet (RFC 5041, figure 3).
constexpr unsigned kT = 0x80, kL = 0x40;
constexpr unsigned kReservedShift = 2, kReserved = 0xf;
constexpr unsigned kDv = 3;

}  // namespace

tl::expected<Segment, SegmentShort> decode(Octets ulpdu) {
  if (ulpdu.empty()) return tl::unexpected(SegmentShort{.have = 0, .needed = layout::kTagged});
  const Octet* const at = ulpdu.data();
  const unsigned control = at[layout::kControl];
  Header header{.tagged = (control & kT) != 0,
                .last = (control & kL) != 0,
                .reserved = static_cast<std::uint8_t>(control >> kReservedShift & kReserved),
                .version = static_cast<std::uint8_t>(control & kDv)};
  if (ulpdu.size() < header.octets())
    return tl::unexpected(SegmentShort{.have = ulpdu.size(), .needed = header.octets()});
  header.rsvd_ulp = at[layout::kRsvdUlp];
  if (header.tagged) {
    header.stag = load_big_endian<std::uint32_t>(at + layout::kStag);
    header.to = load_big_endian<std::uint64_t>(at + layout::kTo);
  } else {
    header.rsvd_ulp_rest = load_big_endian<std::uint32_t>(at + layout::kRsvdUlpRest);
    header.qn = load_big_endian<std::uint32_t>(at + layout::kQn);
    header.msn = load_big_endian<std::uint32_t>(at + layout::kMsn);
    header.mo = load_big_endian<std::uint32_t>(at + layout::kMo);
  }
  return Segment{.header = header, .payload = ulpdu.subspan(header.octets())};
}

void encode(const Header& header, OctetBuffer& out) {
  const unsigned control = (header.tagged ? kT : 0) | (header.last ? kL : 0) |
                           (header.reserved & kReserved) << kReservedShift | (header.version & kDv);
  Writer writer(out);
  writer.octet(static_cast<Octet>(control)).octet(header.rsvd_ulp);
  if (header.tagged) {
    writer.big_endian(header.stag).big_endian(header.to);
  } else {
    writer.big_endian(header.rsvd_ulp_rest).big_endian(header.qn).big_endian(header.msn).big_endian(header.mo);
  }
}

}  // namespace wirelaw::ddp

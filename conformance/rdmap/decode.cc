// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/decode.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/decode_message.h"
#include "reference/mpa/fpdu.h"
#include "reference/mpa/start_frame.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::rdmap {
namespace {

// RFC 6581, 9: Wireshark has no fields for these.
void add_enhanced(const mpa::EnhancedData& data, FieldList& fields) {
  constexpr std::size_t kIrd = mpa::layout::kStartFrame, kOrd = kIrd + 2;
  fields.flag("iwarp_mpa.control_flag_a", data.peer_to_peer, kIrd);
  fields.flag("iwarp_mpa.control_flag_b", data.rtr_send, kIrd);
  fields.number("iwarp_mpa.ird", data.ird, kIrd, 2);
  fields.flag("iwarp_mpa.control_flag_c", data.rtr_write, kOrd);
  fields.flag("iwarp_mpa.control_flag_d", data.rtr_read, kOrd);
  fields.number("iwarp_mpa.ord", data.ord, kOrd, 2);
}

Decoded start_frame(Octets octets, mpa::FrameKind kind) {
  using namespace mpa::layout;
  const bool request = kind == mpa::FrameKind::request;
  const std::string_view name = request ? "MPA Request Frame" : "MPA Reply Frame";
  const auto decoded = mpa::decode_start_frame(octets);
  // The head of a truncated frame, if the head is complete.
  const bool head = octets.size() >= kStartFrame;
  if (!decoded && !head)
    return {.summary = fmt::format("{}, cut off", name),
            .fields = {},
            .error = fmt::format("{} octets of at least {}", octets.size(), kStartFrame)};
  FieldList fields(octets);
  const std::uint8_t flags = octets[kFlags];
  const auto length = load_big_endian<std::uint16_t>(octets.data() + kPrivateDataLength);
  fields.bytes(request ? "iwarp_mpa.key.req" : "iwarp_mpa.key.rep", kKey, 16);
  fields.flag("iwarp_mpa.marker_flag", (flags & 0x80) != 0, kFlags);
  fields.flag("iwarp_mpa.crc_flag", (flags & 0x40) != 0, kFlags);
  fields.flag("iwarp_mpa.rej_flag", (flags & 0x20) != 0, kFlags);
  fields.hex("iwarp_mpa.res", flags & 0x1f, kFlags, 1,
             (flags & 0x10) != 0 ? std::string_view("S: enhanced connection data follows") : std::string_view());
  fields.number("iwarp_mpa.rev", octets[kRevision], kRevision, 1);
  fields.number("iwarp_mpa.pdlength", length, kPrivateDataLength, 2);
  if (length > 0) fields.bytes("iwarp_mpa.privatedata", kStartFrame, length);
  const auto enhanced = decoded ? decoded->enhanced_data() : std::nullopt;
  if (enhanced) add_enhanced(*enhanced, fields);
  std::string summary = fmt::format("{} revision {} M={} C={} R={} private data {}", name, octets[kRevision],
                                    flags >> 7 & 1, flags >> 6 & 1, flags >> 5 & 1, length);
  if (enhanced) summary += fmt::format(" IRD {} ORD {}", enhanced->ird, enhanced->ord);
  const bool cut = octets.size() < kStartFrame + length;
  return {.summary = std::move(summary),
          .fields = fields.take(),
          .error = cut ? fmt::format("{} octets of {}", octets.size(), kStartFrame + length) : std::string()};
}

void add_crc(Octets octets, std::size_t at, FieldList& fields) {
  Octets field = octets.subspan(at, mpa::kCrcOctets);
  const auto shown = load_big_endian<std::uint32_t>(field.data());
  const bool holds = __builtin_bswap32(shown) == crc32c(octets.first(at));
  // The CRC may also cover markers, or be unused, so only a correct one is informative here.
  if (holds)
    fields.hex("iwarp_mpa.crc_check", shown, at, mpa::kCrcOctets, "Good CRC32");
  else
    fields.hex("iwarp_mpa.crc", shown, at, mpa::kCrcOctets);
}

Decoded fpdu(Octets octets) {
  if (octets.size() < mpa::kLengthOctets)
    return {.summary = fmt::format("{} octets", octets.size()), .fields = {}, .error = "no FPDU: its length takes two"};
  FieldList fields(octets);
  const std::size_t length = load_big_endian<std::uint16_t>(octets.data());
  const std::size_t whole = mpa::fpdu_octets(length);
  const Octets ulpdu = octets.subspan(mpa::kLengthOctets).first(std::min(length, octets.size() - mpa::kLengthOctets));
  fields.number("iwarp_mpa.ulpdulength", length, 0, mpa::kLengthOctets);
  DecodedSegment segment = decode_segment(ulpdu, mpa::kLengthOctets, fields);
  if (octets.size() >= whole) {
    const std::size_t pad = mpa::pad_octets(length);
    if (pad > 0) fields.bytes("iwarp_mpa.pad", mpa::kLengthOctets + length, pad);
    add_crc(octets, whole - mpa::kCrcOctets, fields);
  } else {
    segment.error = fmt::format("{} octets of {}", octets.size(), whole);
  }
  return {.summary = std::move(segment.summary), .fields = fields.take(), .error = std::move(segment.error)};
}

}  // namespace

Decoded decode_for_people(Octets octets) {
  const auto kind = mpa::start_frame_in(octets);
  return kind ? start_frame(octets, *kind) : fpdu(octets);
}

}  // namespace wirelaw::rdmap

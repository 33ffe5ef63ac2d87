// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/terminate.h"

#include <algorithm>
#include <array>

namespace wirelaw::rdmap {
namespace {

// The Terminate Control word (RFC 5040, figure 8).
constexpr unsigned kLayerShift = 28, kEtypeShift = 24, kCodeShift = 16;
constexpr std::uint32_t kM = 0x8000, kD = 0x4000, kR = 0x2000, kReserved = 0x1fff;

constexpr std::string_view kRdmaLocal = "Local Catastrophic Error";
constexpr std::string_view kProtection = "Remote Protection Error";
constexpr std::string_view kOperation = "Remote Operation Error";
constexpr std::string_view kTagged = "Tagged Buffer Error";
constexpr std::string_view kUntagged = "Untagged Buffer Error";
constexpr std::string_view kMpa = "MPA Error";

// RFC 5040, figure 9; RFC 5041, 7.2; RFC 5044, 8; RFC 6581, 8. The names are Wireshark's if it has them.
constexpr std::array kErrors{
    ErrorRow{error::kLocalCatastrophic, kRdmaLocal, "Local Catastrophic Error"},
    ErrorRow{error::kInvalidStag, kProtection, "Invalid STag"},
    ErrorRow{error::kBaseOrBounds, kProtection, "Base or bounds violation"},
    ErrorRow{error::kAccessRights, kProtection, "Access rights violation"},
    ErrorRow{error::kStagNotAssociated, kProtection, "STag not associated with RDMAP Stream"},
    ErrorRow{error::kToWrap, kProtection, "TO wrap"},
    ErrorRow{error::kProtectionCannotInvalidate, kProtection, "STag cannot be Invalidated"},
    ErrorRow{error::kProtectionUnspecified, kProtection, "Unspecified Error"},
    ErrorRow{error::kInvalidVersion, kOperation, "Invalid RDMAP version"},
    ErrorRow{error::kUnexpectedOpcode, kOperation, "Unexpected OpCode"},
    ErrorRow{error::kCatastrophicStream, kOperation, "Catastrophic error, localized to RDMAP Stream"},
    ErrorRow{error::kCatastrophicGlobal, kOperation, "Catastrophic error, global"},
    ErrorRow{error::kOperationCannotInvalidate, kOperation, "STag cannot be Invalidated"},
    ErrorRow{error::kOperationUnspecified, kOperation, "Unspecified Error"},
    ErrorRow{error::kDdpLocalCatastrophic, kRdmaLocal, "Local Catastrophic"},
    ErrorRow{error::kDdpInvalidStag, kTagged, "Invalid STag"},
    ErrorRow{error::kDdpBaseOrBounds, kTagged, "Base or bounds violation"},
    ErrorRow{error::kDdpStagNotAssociated, kTagged, "STag not associated with DDP Stream"},
    ErrorRow{error::kDdpToWrap, kTagged, "TO wrap"},
    ErrorRow{error::kDdpTaggedVersion, kTagged, "Invalid DDP version"},
    ErrorRow{error::kDdpInvalidQn, kUntagged, "Invalid QN"},
    ErrorRow{error::kDdpNoBuffer, kUntagged, "Invalid MSN - no buffer available"},
    ErrorRow{error::kDdpMsnRange, kUntagged, "Invalid MSN - MSN range is not valid"},
    ErrorRow{error::kDdpInvalidMo, kUntagged, "Invalid MO"},
    ErrorRow{error::kDdpTooLong, kUntagged, "DDP Message too long for available buffer"},
    ErrorRow{error::kDdpUntaggedVersion, kUntagged, "Invalid DDP version"},
    ErrorRow{error::kMpaConnectionLost, kMpa, "TCP connection closed, terminated or lost"},
    ErrorRow{error::kMpaCrc, kMpa, "MPA CRC Error"},
    ErrorRow{error::kMpaMarker, kMpa, "MPA Marker and ULPDU Length field mismatch"},
    ErrorRow{error::kMpaStartFrame, kMpa, "Invalid MPA Request Frame or MPA Response Frame"},
    ErrorRow{error::kMpaLocalCatastrophic, kMpa, "Local Catastrophic Error"},
    ErrorRow{error::kMpaInsufficientIrd, kMpa, "Insufficient IRD Resources"},
    ErrorRow{error::kMpaNoMatchingRtr, kMpa, "No Matching RTR Option"},
};

constexpr bool takes_any_code(const ErrorCode& error) {
  return error.layer == error::kLocalCatastrophic.layer && error.etype == error::kLocalCatastrophic.etype;
}

}  // namespace

const ErrorRow* find_error(const ErrorCode& error) {
  const ErrorCode wanted = takes_any_code(error) ? error::kLocalCatastrophic : error;
  const auto row = std::ranges::find(kErrors, wanted, &ErrorRow::error);
  return row == kErrors.end() ? nullptr : &*row;
}

std::span<const ErrorRow> errors() {
  return kErrors;
}

std::string to_string(const ErrorCode& error) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text += kDigits[error.layer & 15];
  text += '/';
  text += kDigits[error.etype & 15];
  text += '/';
  text += kDigits[error.code >> 4];
  text += kDigits[error.code & 15];
  text += " (";
  if (const ErrorRow* const row = find_error(error)) {
    text += row->type_name;
    if (row->name != row->type_name) text.append(": ").append(row->name);
  } else {
    text += "unassigned";
  }
  return text += ')';
}

std::optional<Terminate> decode_terminate(Octets payload) {
  Reader reader(payload);
  const auto word = reader.big_endian<std::uint32_t>();
  if (!reader.ok()) return std::nullopt;
  Terminate terminate{.error = {.layer = static_cast<std::uint8_t>(word >> kLayerShift),
                                .etype = static_cast<std::uint8_t>(word >> kEtypeShift & 15),
                                .code = static_cast<std::uint8_t>(word >> kCodeShift)},
                      .has_length = (word & kM) != 0,
                      .has_ddp_header = (word & kD) != 0,
                      .has_rdma_header = (word & kR) != 0,
                      .reserved = static_cast<std::uint16_t>(word & kReserved)};
  // Either bit announces a length (4.8 requires it once for M, once for D).
  if (terminate.has_length || terminate.has_ddp_header) {
    terminate.length_missing = reader.remaining() < layout::kDdpSegmentLengthOctets;
    terminate.cut = terminate.length_missing;
    if (!terminate.cut) terminate.ddp_segment_length = reader.big_endian<std::uint16_t>();
  }
  const auto part = [&](std::size_t octets) {
    terminate.cut = terminate.cut || reader.remaining() < octets;
    return terminate.cut ? Octets{} : reader.octets(octets);
  };
  if (terminate.has_ddp_header) {
    constexpr Octet kTaggedBit = 0x80;
    const bool tagged = reader.remaining() > 0 && (reader.rest()[0] & kTaggedBit) != 0;
    terminate.ddp_header = part(tagged ? ddp::layout::kTagged : ddp::layout::kUntagged);
  }
  if (terminate.has_rdma_header) terminate.rdma_header = part(layout::kReadRequest);
  terminate.tail = reader.rest();
  return terminate;
}

void encode(const Terminate& terminate, OctetBuffer& out) {
  const std::uint32_t word = std::uint32_t{terminate.error.layer & 15u} << kLayerShift |
                             std::uint32_t{terminate.error.etype & 15u} << kEtypeShift |
                             std::uint32_t{terminate.error.code} << kCodeShift | (terminate.has_length ? kM : 0) |
                             (terminate.has_ddp_header ? kD : 0) | (terminate.has_rdma_header ? kR : 0) |
                             (terminate.reserved & kReserved);
  Writer writer(out);
  writer.big_endian(word);
  if ((terminate.has_length || terminate.has_ddp_header) && !terminate.length_missing)
    writer.big_endian(terminate.ddp_segment_length);
  writer.octets(terminate.ddp_header).octets(terminate.rdma_header).octets(terminate.tail);
}

}  // namespace wirelaw::rdmap

// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/checks.h"

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

struct BufferRow {
  Check check;
  ErrorCode of_segment;
  ErrorCode of_source;
  std::string_view text;
};
// Indexed by BufferFault.
constexpr BufferRow kBufferRows[] = {
    {},
    {Check::stag, error::kDdpInvalidStag, error::kInvalidStag, "the STag is not valid"},
    {Check::stag_of_stream, error::kDdpStagNotAssociated, error::kStagNotAssociated,
     "the STag belongs to another stream"},
    {Check::access, error::kDdpInvalidStag, error::kAccessRights, "the buffer does not permit this access"},
    {Check::wrap, error::kDdpToWrap, error::kToWrap, "the tagged offset wraps"},
    {Check::bounds, error::kDdpBaseOrBounds, error::kBaseOrBounds, "the range is not in the buffer"},
};
const BufferRow& row_of(BufferFault fault) {
  return kBufferRows[static_cast<std::size_t>(fault)];
}

struct OrderRow {
  Check check;
  ErrorCode error;
  std::string_view text;
};
constexpr OrderRow kOrderRows[] = {
    {Check::msn, error::kDdpMsnRange, "the MSN is not the next"},
    {Check::receive_posted, error::kDdpNoBuffer, "there is no buffer for the message"},
    {Check::mo, error::kDdpInvalidMo, "the MO is not the next"},
    {Check::receive_size, error::kDdpTooLong, "the message is longer than the buffer"},
};

}  // namespace

Violation violation_of_segment(BufferFault fault) {
  const BufferRow& row = row_of(fault);
  return {row.check, row.of_segment, std::string(row.text)};
}

Violation violation_of_source(BufferFault fault) {
  const BufferRow& row = row_of(fault);
  return {row.check, row.of_source, std::string(row.text)};
}

Violation violation_of_order(const ErrorCode& error) {
  const auto* const row = std::ranges::find(kOrderRows, error, &OrderRow::error);
  return {row->check, row->error, std::string(row->text)};
}

}  // namespace wirelaw::rdmap

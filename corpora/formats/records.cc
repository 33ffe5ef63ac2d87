// SPDX-License-Identifier: Apache-2.0
#include "corpora/formats/records.h"

#include <algorithm>
#include <limits>

namespace wirelaw::corpora {

bool RecordReader::next(Record& record) {
  if (rest_.size() < kRecordHeader) return false;
  const std::size_t wanted = load_little_endian<std::uint16_t>(rest_.data() + 1);
  const std::size_t length = std::min(wanted, rest_.size() - kRecordHeader);
  record = {rest_[0], rest_.subspan(kRecordHeader, length)};
  rest_ = rest_.subspan(kRecordHeader + length);
  return true;
}

void append_record(OctetBuffer& out, Octet control, Octets octets) {
  const std::size_t length = std::min<std::size_t>(octets.size(), std::numeric_limits<std::uint16_t>::max());
  Writer(out).octet(control).little_endian(static_cast<std::uint16_t>(length)).octets(octets.first(length));
}

std::vector<Record> read_records(Octets input) {
  std::vector<Record> records;
  RecordReader reader(input);
  for (Record record; reader.next(record);) records.push_back(record);
  return records;
}

}  // namespace wirelaw::corpora

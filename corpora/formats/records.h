// SPDX-License-Identifier: Apache-2.0
// The inputs of fuzz targets that take a sequence of packets: records of a control octet, a length of two octets
// (little-endian), and as many octets. Any octets are such a sequence: a length beyond the end means all that is left.
#pragma once

#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

inline constexpr std::size_t kRecordHeader = 3;

struct Record {
  Octet control = 0;
  Octets octets;
};

// fuzz_ramcloud_trace: a record is a message.
namespace trace_control {
inline constexpr Octet kSideB = 0x01;      // else it is of side a
inline constexpr Octet kCut = 0x02;        // the capture cut kCutOctets off its end
inline constexpr Octet kIpOptions = 0x04;  // its IP header has options
}  // namespace trace_control

// fuzz_datagrams: a record is a frame, on the link that the octet before the first record names.
namespace frame_control {
inline constexpr Octet kCut = 0x01;    // as above
inline constexpr Octet kLate = 0x02;   // it comes a minute after the frame before it, else a microsecond
inline constexpr Octet kEarly = 0x04;  // its time runs backwards
}  // namespace frame_control

inline constexpr std::size_t kCutOctets = 64;

class RecordReader {
 public:
  explicit RecordReader(Octets input) : rest_(input) {}
  // False at the end.
  bool next(Record& record);

 private:
  Octets rest_;
};

void append_record(OctetBuffer& out, Octet control, Octets octets);
std::vector<Record> read_records(Octets input);

}  // namespace wirelaw::corpora

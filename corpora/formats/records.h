// SPDX-License-Identifier: Apache-2.0
// The inputs of fuzz targets that take a sequence of packets: records of a control octet, a length of two octets
// (little-endian), and as many octets. Any octets are a valid sequence: a length beyond the end means all remaining
// octets.
#pragma once

#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

inline constexpr std::size_t kRecordHeader = 3;

struct Record {
  Octet control = 0;
  Octets octets;
};

// fuzz_PROTOCOL_trace of a protocol of datagrams: a record is a message.
namespace trace_control {
inline constexpr Octet kSideB = 0x01;      // sent by side b, else by side a
inline constexpr Octet kCut = 0x02;        // the snap length cut kCutOctets off its end
inline constexpr Octet kIpOptions = 0x04;  // its IP header has options; in fuzz_efa_trace it arrives late
}  // namespace trace_control

// fuzz_rdmap_trace: a record is a piece of a stream, after an octet that sets how FPDUs are framed.
namespace stream_control {
inline constexpr Octet kSideB = 0x01;  // as above
inline constexpr Octet kKind = 0x0e;   // kind of piece, one of the following
inline constexpr Octet kOctets = 0x00;
inline constexpr Octet kUlpdu = 0x02;  // octets of a ULPDU, framed as the input's first octet says
inline constexpr Octet kOpened = 0x04;
inline constexpr Octet kGap = 0x06;  // as many octets are missing as the record has
inline constexpr Octet kClosed = 0x08;
inline constexpr Octet kReset = 0x0a;
inline constexpr Octet kBadCrc = 0x10;  // the ULPDU has a bad CRC

inline constexpr Octet kMarkersOfA = 0x01;  // bit of the first octet
inline constexpr Octet kMarkersOfB = 0x02;
inline constexpr Octet kCrc = 0x04;
inline constexpr Octet kExtensions = 0x08;  // both sides declare RFC 7306
inline constexpr Octet kMidStream = 0x10;   // the beginning was not captured
}  // namespace stream_control

// fuzz_datagrams: a record is a frame. The input's first octet selects the link, the second the carrier of a second
// reading (pcap/wrapping.h); an unknown number means no second reading.
namespace frame_control {
inline constexpr Octet kCut = 0x01;    // as above
inline constexpr Octet kLate = 0x02;   // a minute after the previous frame, else a microsecond
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

// SPDX-License-Identifier: Apache-2.0
// Frames and files for tests, built without the code under test: every header is a line of octets that a reader can
// check against the RFC.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::pcap::testing {

OctetBuffer hex(std::string_view digits);  // ignores white space; any other error aborts the test program
OctetBuffer operator+(OctetBuffer left, const OctetBuffer& right);
OctetBuffer text(std::string_view characters);

OctetBuffer be16(std::size_t value);
OctetBuffer be32(std::size_t value);

// 02:00:00:00:00:01 to 02:00:00:00:00:02.
OctetBuffer ethernet(std::string_view ether_type, const OctetBuffer& packet);

struct Ipv4 {
  unsigned protocol = 17;
  OctetBuffer options{};  // a multiple of 4
  int total_length = -1;  // -1: the correct length
  unsigned id = 0x1234;
  unsigned fragment_offset = 0;  // in octets
  bool more = false;
  std::string_view source = "c0000201";       // 192.0.2.1
  std::string_view destination = "c0000202";  // 192.0.2.2
};
OctetBuffer ipv4(const Ipv4& header, const OctetBuffer& payload);

struct Ipv6 {
  unsigned next = 17;
  int payload_length = -1;  // -1: the correct length
};
OctetBuffer ipv6(const Ipv6& header, const OctetBuffer& payload);  // 2001:db8::1 to 2001:db8::2

OctetBuffer fragment_header(unsigned next, unsigned offset, bool more, unsigned id);  // IPv6; offset in octets

OctetBuffer udp(const OctetBuffer& payload, int length = -1, unsigned source = 5000, unsigned destination = 6000);

struct Tcp {
  std::uint32_t seq = 1000;
  std::uint32_t ack = 2000;
  unsigned flags = 0x18;  // PSH, ACK
  OctetBuffer options{};  // a multiple of 4
  int data_offset = -1;   // in units of four octets; -1: the correct length
  unsigned source = 5000;
  unsigned destination = 6000;
};
OctetBuffer tcp(const Tcp& header, const OctetBuffer& payload);

struct Pcap {
  int link_type = 1;
  bool big_endian = false;
  bool nanoseconds = false;
  std::uint32_t snap_length = 262144;
};
struct Record {
  OctetBuffer octets{};
  std::uint32_t seconds = 1'600'000'000;
  std::uint32_t fraction = 123'456;
  std::uint32_t wire_length = 0;  // 0: the captured length
};
OctetBuffer pcap_file(const Pcap& file, const std::vector<Record>& records);
OctetBuffer pcap_file(const Pcap& file, const std::vector<OctetBuffer>& frames);

// Section header with a comment, one interface with nanoseconds, enhanced packets.
OctetBuffer pcapng_file(const Pcap& file, const std::vector<Record>& records, std::string_view comment = "");

OctetBuffer gzip(const OctetBuffer& octets);

OctetBuffer read_file(const std::string& path);

// Returns the standard output of a shell command.
std::string run(const std::string& command);

}  // namespace wirelaw::pcap::testing

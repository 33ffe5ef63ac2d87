// SPDX-License-Identifier: Apache-2.0
#include "pcap/frame_builder.h"

#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <utility>

#include "reference/octets/hex.h"

namespace wirelaw::pcap::testing {
namespace {

// Numbers in the byte order of the file.
struct Number {
  bool big_endian;
  OctetBuffer operator()(std::size_t value, std::size_t size = 4) const {
    OctetBuffer octets(size);
    for (std::size_t i = 0; i < size; ++i) octets[big_endian ? size - 1 - i : i] = static_cast<Octet>(value >> (8 * i));
    return octets;
  }
};

OctetBuffer padded(OctetBuffer octets) {
  octets.resize((octets.size() + 3) / 4 * 4);
  return octets;
}

OctetBuffer block(const Number& number, std::size_t type, const OctetBuffer& body) {
  const OctetBuffer length = number(body.size() + 12);
  return number(type) + length + body + length;
}

}  // namespace

OctetBuffer hex(std::string_view digits) {
  return from_hex(digits).value();
}

OctetBuffer operator+(OctetBuffer left, const OctetBuffer& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

OctetBuffer text(std::string_view characters) {
  return {characters.begin(), characters.end()};
}

OctetBuffer be16(std::size_t value) {
  return Number{true}(value, 2);
}
OctetBuffer be32(std::size_t value) {
  return Number{true}(value, 4);
}

OctetBuffer ethernet(std::string_view ether_type, const OctetBuffer& packet) {
  return hex("020000000002 020000000001") + hex(ether_type) + packet;
}

OctetBuffer ipv4(const Ipv4& header, const OctetBuffer& payload) {
  const std::size_t length = 20 + header.options.size();
  const std::size_t total = header.total_length < 0 ? length + payload.size() : std::size_t(header.total_length);
  const std::size_t fragment = header.fragment_offset / 8 | (header.more ? 0x2000U : 0U);
  OctetBuffer octets{static_cast<Octet>(0x40 | length / 4), 0};
  octets = octets + be16(total) + be16(header.id) + be16(fragment);
  octets = octets + OctetBuffer{64, static_cast<Octet>(header.protocol)} + hex("0000");
  return octets + hex(header.source) + hex(header.destination) + header.options + payload;
}

OctetBuffer ipv6(const Ipv6& header, const OctetBuffer& payload) {
  const std::size_t length = header.payload_length < 0 ? payload.size() : std::size_t(header.payload_length);
  return hex("60000000") + be16(length) + OctetBuffer{static_cast<Octet>(header.next), 64} +
         hex("20010db8000000000000000000000001 20010db8000000000000000000000002") + payload;
}

OctetBuffer fragment_header(unsigned next, unsigned offset, bool more, unsigned id) {
  return OctetBuffer{static_cast<Octet>(next), 0} + be16(offset | (more ? 1U : 0U)) + be32(id);
}

OctetBuffer udp(const OctetBuffer& payload, int length, unsigned source, unsigned destination) {
  return be16(source) + be16(destination) + be16(length < 0 ? payload.size() + 8 : std::size_t(length)) + hex("0000") +
         payload;
}

OctetBuffer tcp(const Tcp& header, const OctetBuffer& payload) {
  const std::size_t offset =
      header.data_offset < 0 ? 5 + header.options.size() / 4 : static_cast<std::size_t>(header.data_offset);
  return be16(header.source) + be16(header.destination) + be32(header.seq) + be32(header.ack) +
         be16(offset << 12 | header.flags) + hex("0400 0000 0000") + header.options + payload;
}

OctetBuffer pcap_file(const Pcap& file, const std::vector<Record>& records) {
  const Number number{file.big_endian};
  OctetBuffer octets = number(file.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4) + number(2, 2) + number(4, 2) + number(0) +
                       number(0) + number(file.snap_length) + number(std::size_t(file.link_type));
  for (const Record& record : records) {
    const std::size_t captured = record.octets.size();
    octets = std::move(octets) + number(record.seconds) + number(record.fraction) + number(captured) +
             number(record.wire_length == 0 ? captured : record.wire_length) + record.octets;
  }
  return octets;
}

OctetBuffer pcap_file(const Pcap& file, const std::vector<OctetBuffer>& frames) {
  std::vector<Record> records;
  for (const OctetBuffer& frame : frames) records.push_back({frame});
  return pcap_file(file, records);
}

OctetBuffer pcapng_file(const Pcap& file, const std::vector<Record>& records, std::string_view comment) {
  const Number number{file.big_endian};
  OctetBuffer section = number(0x1a2b3c4d) + number(1, 2) + number(0, 2) + number(~std::size_t{0}, 8);
  if (!comment.empty())
    section = section + number(4, 2) + number(5, 2) + padded(text("maker")) + number(1, 2) + number(comment.size(), 2) +
              padded(text(comment)) + number(0);
  const OctetBuffer interface = number(std::size_t(file.link_type), 2) + number(0, 2) + number(file.snap_length) +
                                number(9, 2) + number(1, 2) + hex("09000000") + number(0);
  OctetBuffer octets = block(number, 0x0a0d0d0a, section) + block(number, 1, interface);
  for (const Record& record : records) {
    const std::size_t time = record.seconds * std::size_t{1'000'000'000} + record.fraction;
    const std::size_t captured = record.octets.size();
    octets = std::move(octets) +
             block(number, 6,
                   number(0) + number(time >> 32) + number(time & 0xffffffff) + number(captured) +
                       number(record.wire_length == 0 ? captured : record.wire_length) + padded(record.octets));
  }
  return octets;
}

OctetBuffer gzip(const OctetBuffer& octets) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  OctetBuffer out(deflateBound(&stream, octets.size()));
  stream.next_in = const_cast<Octet*>(octets.data());
  stream.avail_in = static_cast<uInt>(octets.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

OctetBuffer read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return OctetBuffer(std::istreambuf_iterator<char>(file), {});
}

std::string run(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char part[4096];
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof part, pipe)) > 0;) output.append(part, got);
  pclose(pipe);
  return output;
}

}  // namespace wirelaw::pcap::testing

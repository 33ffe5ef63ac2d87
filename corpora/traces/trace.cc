// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/trace.h"

#include <algorithm>
#include <array>
#include <set>

#include "pcap/synthesis.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/writer.h"

namespace wirelaw::corpora {
namespace {

constexpr std::int64_t kStep = 1'000'000;                   // between messages, in nanoseconds
constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;  // of a trace, since the epoch
constexpr std::uint8_t kIpv4Header = 20;
constexpr std::size_t kEthernetHeader = 14;
constexpr int kEthernet = 1;

// RFC 791 3.1: the complement of the sum of the header's words, taken with the checksum itself at zero.
std::uint16_t header_checksum(Octets header) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < header.size(); at += 2) sum += load_big_endian<std::uint16_t>(header.data() + at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

// The frame with no-operation options put into its IPv4 header.
OctetBuffer with_ip_options(Octets frame, std::uint8_t count) {
  constexpr Octet kNoOperation = 1;
  OctetBuffer out(frame.begin(), frame.end());
  const auto at = out.begin() + kEthernetHeader + kIpv4Header;
  out.insert(at, count, kNoOperation);
  Octet* const ip = out.data() + kEthernetHeader;
  ip[0] = static_cast<Octet>(0x40 | (kIpv4Header + count) / 4);
  store_big_endian(ip + 2, static_cast<std::uint16_t>(out.size() - kEthernetHeader));
  constexpr std::size_t kChecksum = 10;
  store_big_endian<std::uint16_t>(ip + kChecksum, 0);
  store_big_endian(ip + kChecksum, header_checksum({ip, static_cast<std::size_t>(kIpv4Header) + count}));
  return out;
}

tl::expected<void, pcap::Problem> write_message(pcap::Writer& writer, const TraceMessage& message, std::int64_t time) {
  const pcap::Endpoint from = endpoint_of(message.sender), to = endpoint_of(other(message.sender));
  if (message.ip_option_octets == 0) return writer.write_datagram(from, to, time, message.octets);
  OctetBuffer plain;
  if (const auto made = pcap::synthesise_datagram(from, to, message.octets, plain); !made)
    return tl::unexpected(pcap::Problem{.message = made.error()});
  const OctetBuffer frame = with_ip_options(plain, message.ip_option_octets);
  return writer.write_frame({.number = 0,
                             .time_ns = time,
                             .link_type = kEthernet,
                             .octets = frame,
                             .wire_length = static_cast<std::uint32_t>(frame.size())});
}

// One segment of a connection; a gap is sent and not captured.
tl::expected<void, pcap::Problem> write_piece(pcap::Writer& writer, pcap::TcpSynthesis& tcp, const TraceMessage& piece,
                                              std::int64_t time) {
  const bool from_a = piece.sender == Side::a;
  const pcap::Endpoint from = endpoint_of(piece.sender), to = endpoint_of(other(piece.sender));
  switch (piece.event) {
    case StreamEvent::opened:
      return writer.write_segment(from, to, time, tcp.syn(from_a, piece.mss), {});
    case StreamEvent::octets:
      return writer.write_segment(from, to, time, tcp.data(from_a, piece.octets.size()), piece.octets);
    case StreamEvent::gap:
      tcp.data(from_a, piece.missing);
      return {};
    case StreamEvent::closed:
      return writer.write_segment(from, to, time, tcp.fin(from_a), {});
    case StreamEvent::reset:
      return writer.write_segment(from, to, time, tcp.rst(from_a), {});
  }
  return {};
}

}  // namespace

pcap::Endpoint endpoint_of(Side side) {
  return side == Side::a ? *pcap::parse_endpoint("192.0.2.1:31200") : *pcap::parse_endpoint("192.0.2.2:21200");
}

namespace {

void judge_stream(const Trace& trace, Observer& observer, Judge& judge) {
  std::uint64_t index = 0;
  std::int64_t time = kBegin;
  std::array<std::uint64_t, 2> at{};
  for (const TraceMessage& one : trace.messages) {
    std::uint64_t& offset = at[one.sender == Side::a ? 0 : 1];
    time += one.pause_ns;
    observer.observe(StreamPiece{.event = one.event,
                                 .sender = one.sender,
                                 .octets = one.octets,
                                 .offset = offset,
                                 .missing = one.missing,
                                 .frame = index + 1,
                                 .time_ns = time,
                                 .mss = one.mss,
                                 .from_start = trace.from_start},
                     judge);
    offset += one.octets.size() + one.missing;
    ++index;
    time += kStep;
  }
}

}  // namespace

TraceSet traces_of(std::string_view protocol) {
  std::vector<TraceSet> all = all_trace_sets();
  const auto found = std::ranges::find(all, protocol, &TraceSet::protocol);
  return found == all.end() ? TraceSet{.protocol = protocol, .traces = {}} : std::move(*found);
}

void judge_trace(const Trace& trace, const Protocol& protocol, Judge& judge) {
  const auto observer =
      protocol.observer({.features = trace.features, .addresses = {{endpoint_of(Side::a), endpoint_of(Side::b)}}});
  judge.enter_flow(trace.name, pcap::to_string(endpoint_of(Side::a)), pcap::to_string(endpoint_of(Side::b)));
  if (trace.is_stream) {
    judge_stream(trace, *observer, judge);
    observer->finish(judge);
    return;
  }
  std::uint64_t index = 0;
  std::int64_t time = kBegin;
  for (const TraceMessage& one : trace.messages) {
    time += one.pause_ns;
    Message message = message_of(one.octets, one.sender, index, time);
    message.ip_version = 4;
    message.ip_header_octets = static_cast<std::uint8_t>(kIpv4Header + one.ip_option_octets);
    observer->observe(message, judge);
    ++index;
    time += kStep;
  }
  observer->finish(judge);
}

std::vector<std::string> rules_reported(const Judge& judge, Severity severity) {
  std::set<std::string> ids;
  for (const Finding& finding : judge.findings())
    if (finding.severity == severity) ids.insert(std::string(finding.rule->id));
  return {ids.begin(), ids.end()};
}

tl::expected<void, pcap::Problem> write_trace(const Trace& trace, const std::string& path) {
  const std::string comments[] = {trace.purpose};
  auto writer = pcap::Writer::create(path, comments);
  if (!writer) return tl::unexpected(writer.error());
  std::int64_t time = kBegin;
  pcap::TcpSynthesis tcp(1);
  for (const TraceMessage& message : trace.messages) {
    time += message.pause_ns;
    auto written = trace.is_stream ? write_piece(*writer, tcp, message, time) : write_message(*writer, message, time);
    if (!written) return written;
    time += kStep;
  }
  return writer->commit();
}

}  // namespace wirelaw::corpora

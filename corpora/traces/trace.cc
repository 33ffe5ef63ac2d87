// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/trace.h"

#include <algorithm>
#include <array>
#include <set>

#include "conformance/roce/roce.h"
#include "conformance/stack.h"
#include "pcap/roce_synthesis.h"
#include "pcap/synthesis.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/writer.h"
#include "reference/roce/packet.h"

namespace wirelaw::corpora {
namespace {

constexpr std::int64_t kStep = 1'000'000;                   // between messages, in nanoseconds
constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;  // time of a trace's first message, since the epoch
constexpr std::uint8_t kIpv4Header = 20;
constexpr std::size_t kEthernetHeader = 14;
constexpr int kEthernet = 1;

// RFC 791 3.1: the complement of the sum of the header's words, with a checksum of zero.
std::uint16_t header_checksum(Octets header) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < header.size(); at += 2) sum += load_big_endian<std::uint16_t>(header.data() + at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

// Returns the frame with no-operation options in its IPv4 header.
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

tl::expected<void, pcap::Problem> write_frame(pcap::Writer& writer, Octets frame, std::int64_t time) {
  return writer.write_frame({.number = 0,
                             .time_ns = time,
                             .link_type = kEthernet,
                             .octets = frame,
                             .wire_length = static_cast<std::uint32_t>(frame.size())});
}

tl::expected<void, pcap::Problem> write_roce(pcap::Writer& writer, const TraceMessage& message, std::int64_t time) {
  constexpr std::uint16_t kAnySourcePort = 49152;
  pcap::Endpoint from = endpoint_of(message.sender), to = endpoint_of(other(message.sender));
  from.port = kAnySourcePort;
  to.port = roce::kPort;
  OctetBuffer frame;
  const Octets packet = Octets(message.octets).first(message.octets.size() - roce::kIcrcOctets);
  if (const auto made = pcap::synthesise_roce(from, to, packet, frame); !made)
    return tl::unexpected(pcap::Problem{.message = made.error()});
  return write_frame(writer, frame, time);
}

tl::expected<void, pcap::Problem> write_message(pcap::Writer& writer, const Trace& trace, const TraceMessage& message,
                                                std::int64_t time) {
  const pcap::Endpoint from = endpoint_of(message.sender, trace.port),
                       to = endpoint_of(other(message.sender), trace.port);
  if (trace.is_roce) return write_roce(writer, message, time);
  if (message.ip_option_octets == 0) return writer.write_datagram(from, to, time, message.octets);
  OctetBuffer plain;
  if (const auto made = pcap::synthesise_datagram(from, to, message.octets, plain); !made)
    return tl::unexpected(pcap::Problem{.message = made.error()});
  return write_frame(writer, with_ip_options(plain, message.ip_option_octets), time);
}

// Writes one segment of a connection; a gap consumes sequence numbers, but is not captured.
tl::expected<void, pcap::Problem> write_piece(pcap::Writer& writer, pcap::TcpSynthesis& tcp, const Trace& trace,
                                              const TraceMessage& piece, std::int64_t time) {
  const bool from_a = piece.sender == Side::a;
  const pcap::Endpoint from = endpoint_of(piece.sender, trace.port), to = endpoint_of(other(piece.sender), trace.port);
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

// Writes a datagram between two other hosts, which shows that time has passed.
tl::expected<void, pcap::Problem> write_silence(pcap::Writer& writer, std::int64_t until) {
  constexpr Octet kAnything[] = {0};
  return writer.write_datagram(*pcap::parse_endpoint("198.51.100.1:9"), *pcap::parse_endpoint("198.51.100.2:9"), until,
                               kAnything);
}

}  // namespace

pcap::Endpoint endpoint_of(Side side, std::uint16_t port_of_b) {
  if (side == Side::a) return *pcap::parse_endpoint("192.0.2.1:31200");
  pcap::Endpoint responder = *pcap::parse_endpoint("192.0.2.2:21200");
  responder.port = port_of_b;
  return responder;
}

namespace {

// Returns the time of the last piece.
std::int64_t judge_stream(const Trace& trace, Observer& observer, FlowNames& flow, Judge& judge) {
  std::uint64_t index = 0;
  std::int64_t time = kBegin;
  std::array<std::uint64_t, 2> at{};
  for (const TraceMessage& one : trace.messages) {
    if (one.event == StreamEvent::gap) flow.missing = "octets of its streams";
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
  return time - kStep;
}

}  // namespace

TraceSet traces_of(std::string_view protocol) {
  std::vector<TraceSet> all = all_trace_sets();
  const auto found = std::ranges::find(all, protocol, &TraceSet::protocol);
  return found == all.end() ? TraceSet{.protocol = protocol, .traces = {}} : std::move(*found);
}

namespace {

void observe_trace(const Trace& trace, const Protocol& protocol, Judge& judge) {
  const ObserverLimits limits{.features = trace.features,
                              .revision = trace.revision,
                              .addresses = {{endpoint_of(Side::a, trace.port), endpoint_of(Side::b, trace.port)}}};
  const Protocol& base = trace.is_roce ? roce::kProtocol : base_of(protocol, protocols());
  Associations associations;
  FlowObserver observer(base, protocol, captured_protocols(), limits, &protocol);
  observer.join(associations);
  FlowNames flow{
      .number = judge.next_flow_number(),
      .id = trace.name,
      .sides = {pcap::to_string(endpoint_of(Side::a, trace.port)), pcap::to_string(endpoint_of(Side::b, trace.port))}};
  judge.enter_flow(flow);
  if (trace.is_stream) {
    judge.set_now(judge_stream(trace, observer, flow, judge) + trace.silence_ns);
    observer.finish(judge);
    judge.leave_flow();
    return;
  }
  std::uint64_t index = 0;
  std::int64_t time = kBegin;
  for (const TraceMessage& one : trace.messages) {
    time += one.pause_ns;
    Message message = message_of(one.octets, one.sender, index, time);
    message.ip_version = 4;
    message.ip_header_octets = static_cast<std::uint8_t>(kIpv4Header + one.ip_option_octets);
    observer.observe(message, judge);
    if (observer.misses_something()) flow.missing = "packets that were acknowledged";
    ++index;
    time += kStep;
  }
  judge.set_now(time - kStep + trace.silence_ns);
  observer.finish(judge);
  judge.leave_flow();
}

}  // namespace

void judge_trace(const Trace& trace, const Protocol& protocol, Judge& judge, Completeness completeness) {
  judge.begin_source(completeness);
  observe_trace(trace, protocol, judge);
  judge.end_source(completeness);
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
  const auto lost = [](const TraceMessage& one) { return one.event == StreamEvent::gap; };
  if (std::ranges::none_of(trace.messages, lost)) writer->say_complete();
  std::int64_t time = kBegin;
  pcap::TcpSynthesis tcp(1);
  for (const TraceMessage& message : trace.messages) {
    time += message.pause_ns;
    auto written = trace.is_stream ? write_piece(*writer, tcp, trace, message, time)
                                   : write_message(*writer, trace, message, time);
    if (!written) return written;
    time += kStep;
  }
  if (trace.silence_ns > 0) {
    if (auto written = write_silence(*writer, time - kStep + trace.silence_ns); !written) return written;
  }
  return writer->commit();
}

}  // namespace wirelaw::corpora

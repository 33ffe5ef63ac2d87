// SPDX-License-Identifier: Apache-2.0
// Sample traces: what proves that a rule can fail, and that it does not fail where it is kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/trace.h"
#include "conformance/verdict.h"
#include "pcap/address.h"
#include "pcap/problem.h"
#include "reference/octets/octets.h"

namespace wirelaw::corpora {

struct TraceMessage {
  Side sender = Side::a;
  OctetBuffer octets;
  std::uint8_t ip_option_octets = 0;  // of no-operation options in the IPv4 header, a multiple of four
  std::int64_t pause_ns = 0;          // before it, besides the step between messages
  // --- of a stream: `octets` is a piece of it, as one segment carries it
  StreamEvent event = StreamEvent::octets;
  std::uint16_t mss = 0;      // of `opened`
  std::uint64_t missing = 0;  // of a gap
};

inline constexpr std::uint16_t kUsualPort = 21200;

struct Trace {
  std::string name;      // the file's, without ending
  std::string violates;  // id of the one rule that is broken; empty for a conforming trace
  Severity severity = Severity::violation;
  std::string purpose;  // one sentence, the comment of the capture
  std::vector<TraceMessage> messages;
  bool is_stream = false;                  // else its messages are datagrams
  bool is_roce = false;                    // of datagrams: packets of RoCEv2, each with room for its invariant CRC
  bool from_start = true;                  // of a stream: its first octet is there
  std::int64_t silence_ns = 0;             // that the capture goes on behind its last message
  std::vector<std::string> features = {};  // that the implementations declare
  bool joined = false;                     // judged by what its nodes show together, as a capture is
  std::string revision = {};               // of the document that they follow; empty: as the trace shows it
  std::uint16_t port = kUsualPort;         // of side b
};

// Addresses of a trace's two sides: documentation addresses (RFC 5737).
pcap::Endpoint endpoint_of(Side side, std::uint16_t port_of_b = kUsualPort);

// Judges a trace without a file between: as `protocol`, with all that it stands on. The judge knows the rules of all
// of them (catalogue_of_stack).
void judge_trace(const Trace& trace, const Protocol& protocol, Judge& judge,
                 Completeness completeness = Completeness::complete);

// The rules that a judge has found broken or warned of, sorted by id.
std::vector<std::string> rules_reported(const Judge& judge, Severity severity);

// Writes a trace as pcapng: Ethernet frames a millisecond apart, the purpose as the section's comment.
tl::expected<void, pcap::Problem> write_trace(const Trace& trace, const std::string& path);

// All traces of one protocol.
struct TraceSet {
  std::string_view protocol;
  std::vector<Trace> traces;
};
// Of each protocol of conformance/protocols.inc.
std::vector<TraceSet> all_trace_sets();
TraceSet traces_of(std::string_view protocol);

}  // namespace wirelaw::corpora

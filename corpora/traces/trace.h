// SPDX-License-Identifier: Apache-2.0
// Sample traces, which prove that a rule can fail, and that it does not fail for a conforming peer.
#pragma once

#include <cstdint>
#include <set>
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
  std::uint8_t ip_option_octets = 0;  // no-operation options in the IPv4 header, in octets; a multiple of four
  std::int64_t pause_ns = 0;          // before this message, in addition to the usual step
  // --- for a stream: `octets` is the payload of one segment
  StreamEvent event = StreamEvent::octets;
  std::uint16_t mss = 0;      // for `opened`
  std::uint64_t missing = 0;  // octets that a gap lacks
};

inline constexpr std::uint16_t kUsualPort = 21200;

struct Trace {
  std::string name;      // file name without extension
  std::string violates;  // id of the one broken rule; empty for a conforming trace
  Severity severity = Severity::violation;
  std::set<std::string> also_warned = {};  // other rules, which the fault earns a warning for
  std::string purpose;                     // one sentence, the comment of the capture
  std::vector<TraceMessage> messages;
  bool is_stream = false;                  // else the messages are datagrams
  bool is_roce = false;                    // the datagrams are RoCEv2 packets, each with room for its invariant CRC
  bool from_start = true;                  // for a stream: the trace has its first octet
  std::int64_t silence_ns = 0;             // how long the capture continues after its last message
  std::vector<std::string> features = {};  // features that the implementations declare
  std::string revision = {};               // document revision that they follow; empty: derived from the trace
  std::uint16_t port = kUsualPort;         // port of side b
};

// Documentation addresses (RFC 5737) of a trace's two sides.
pcap::Endpoint endpoint_of(Side side, std::uint16_t port_of_b = kUsualPort);

// Judges a trace, without a file, as `protocol` and all the protocols below it. The judge knows the rules of all of
// them (catalogue_of_stack).
void judge_trace(const Trace& trace, const Protocol& protocol, Judge& judge,
                 Completeness completeness = Completeness::complete);

// The rules for which a judge has findings of this severity, sorted by id.
std::vector<std::string> rules_reported(const Judge& judge, Severity severity);

// Writes a trace as pcapng: Ethernet frames a millisecond apart; the section's comment is the purpose.
tl::expected<void, pcap::Problem> write_trace(const Trace& trace, const std::string& path);

// All traces of one protocol.
struct TraceSet {
  std::string_view protocol;
  std::vector<Trace> traces;
};
// The traces of every protocol in conformance/protocols.inc.
std::vector<TraceSet> all_trace_sets();
TraceSet traces_of(std::string_view protocol);

}  // namespace wirelaw::corpora

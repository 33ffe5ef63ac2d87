// SPDX-License-Identifier: Apache-2.0
// For tests: a capture of two UMSP nodes with several TCP connections, in the order in which their traffic passed the
// tap.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "corpora/traces/umsp_builder.h"
#include "harness/check/check.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw::umsp_capture {

using corpora::UmspTraceBuilder;
using Say = std::function<void(UmspTraceBuilder& script)>;

inline const pcap::Address kInitiator = [] {
  const Octet octets[] = {192, 0, 2, 1};
  return pcap::Address::ipv4(octets);
}();
inline const pcap::Address kExecutor = [] {
  const Octet octets[] = {192, 0, 2, 2};
  return pcap::Address::ipv4(octets);
}();

class Capture {
 public:
  // A recording of a run states its IUT.
  explicit Capture(const CaptureNote& note = {}, bool complete = false) : checker_(CheckOptions{.complete = complete}) {
    checker_.begin_file(note);
  }

  // A connection from either node to the other's port 2110.
  struct Connection {
    pcap::Endpoint client, server;
    bool turned = false;  // side b of the scripts made it
    pcap::TcpSynthesis headers;
  };
  Connection connect(bool by_executor = false) {
    const auto port = static_cast<std::uint16_t>(3000 + ++connections_);
    const pcap::Address& from = by_executor ? kExecutor : kInitiator;
    const pcap::Address& to = by_executor ? kInitiator : kExecutor;
    Connection one{{from, port}, {to, umsp::kPort}, by_executor, pcap::TcpSynthesis(connections_)};
    send(one, true, one.headers.syn(true), {});
    send(one, false, one.headers.syn(false), {});
    send(one, true, one.headers.acknowledge(true), {});
    return one;
  }
  // Sends instructions of the scripts' side a, which is the initiating node, or of side b.
  void say(Connection& on, const Say& what) {
    UmspTraceBuilder script;
    what(script);
    for (const corpora::TraceMessage& message : script.take()) {
      if (message.octets.empty()) continue;
      const bool by_client = (message.sender == Side::a) != on.turned;
      send(on, by_client, on.headers.data(by_client, message.octets.size()), message.octets);
    }
  }
  void lose(Connection& on, bool by_client, std::size_t octets) {
    static_cast<void>(on.headers.data(by_client, octets));
  }
  void close(Connection& on) {
    send(on, true, on.headers.fin(true), {});
    send(on, false, on.headers.fin(false), {});
    send(on, true, on.headers.acknowledge(true), {});
  }
  // A segment without octets.
  void acknowledge(Connection& on, bool by_client) { send(on, by_client, on.headers.acknowledge(by_client), {}); }
  void wait(std::int64_t ns) { passed_ns_ += ns; }
  // Waits so long that lost octets cannot arrive later.
  void pass(Connection& on) {
    passed_ns_ += pcap::TcpConnection::kPatience;
    send(on, true, on.headers.acknowledge(true), {});
  }
  std::vector<std::string> findings() {
    checker_.end_file();
    std::vector<std::string> all;
    for (const Finding& one : checker_.take_results().findings)
      all.push_back(fmt::format("{} {}", one.rule->id, to_string(one.severity)));
    return all;
  }

 private:
  void send(const Connection& on, bool by_client, const pcap::TcpHeader& header, const OctetBuffer& octets) {
    pcap::Segment segment;
    segment.frame = ++frame_;
    segment.time_ns = passed_ns_ + static_cast<std::int64_t>(frame_) * 1'000'000;
    segment.source = by_client ? on.client : on.server;
    segment.destination = by_client ? on.server : on.client;
    segment.seq = header.seq;
    segment.ack = header.ack;
    segment.flags = header.flags;
    segment.window = 0xffff;
    segment.mss = header.mss;
    segment.payload = octets;
    segment.wire_length = static_cast<std::uint32_t>(octets.size());
    checker_.take(segment);
  }

  Checker checker_;
  std::uint64_t frame_ = 0;
  std::uint32_t connections_ = 0;
  std::int64_t passed_ns_ = 0;
};

}  // namespace wirelaw::umsp_capture

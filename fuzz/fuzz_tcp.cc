// SPDX-License-Identifier: Apache-2.0
// Any segments of two sides through TCP reassembly. Oracles: deliveries are in order, contain each octet once, and have
// the octets that were sent; memory is bounded; nothing follows the end of a side.
#include "fuzz/tcp_run.h"

namespace wirelaw::fuzz {
namespace {

using pcap::TcpCounts;
using pcap::TcpFlaw;
namespace control = corpora::tcp_control;

constexpr pcap::TcpLimits kLittle{.held = 4096, .compared = 512};

void check(const TcpConnection& connection, const TcpDelivered& delivered) {
  const TcpCounts& counts = connection.counts();
  require(counts.octets == delivered.octets() && counts.gaps == delivered.gaps(), "what is delivered is counted");
  require(counts.octets + counts.missing == delivered.length(false) + delivered.length(true),
          "what is missing is counted");
  require(connection.memory() <= sizeof connection + 3 * kLittle.held + 2 * kLittle.compared, "memory is bounded");
  require(!delivered.ended() || connection.over(), "a connection is over with its ends");
}

// Checks all findings together, at the end: creating a text for each takes longer than finding it.
void check_flaws(const TcpConnection& connection, bool honest) {
  for (const TcpFlaw& found : connection.flaws()) {
    require(!honest || found.flaw.fault != pcap::Fault::tcp_overlap, "octets that agree are not said to differ");
    require(!message(found.flaw).empty(), "a flaw has a text");
  }
}

void run_as_it_is(const TcpSteps& conversation) {
  const bool honest = std::ranges::none_of(conversation.steps,
                                           [](const TcpStep& step) { return (step.control & control::kDiffers) != 0; });
  TcpWire wire(conversation);
  std::optional<TcpConnection> connection(kLittle);
  std::optional<TcpDelivered> delivered(std::in_place, conversation, honest);
  for (const TcpStep& step : conversation.steps) {
    const Segment segment = wire.segment(step);
    const bool from_a = (step.control & control::kSideB) == 0;
    delivered->during(segment, from_a);
    if (!connection->take(segment, from_a, *delivered)) {
      require(connection->over(), "a connection that gives way to another is over");
      check(*connection, *delivered);
      check_flaws(*connection, honest);
      connection.emplace(kLittle);
      delivered.emplace(conversation, honest);
      delivered->during(segment, from_a);
      require(connection->take(segment, from_a, *delivered), "a new connection takes any segment");
    }
    check(*connection, *delivered);
  }
  connection->finish(*delivered);
  check(*connection, *delivered);
  check_flaws(*connection, honest);
  require(connection->over() && connection->memory() == sizeof *connection, "nothing is held at the end");
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_as_it_is(wirelaw::fuzz::read_tcp_input({data, size}));
  return 0;
}

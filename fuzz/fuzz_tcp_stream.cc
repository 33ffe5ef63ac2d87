// SPDX-License-Identifier: Apache-2.0
// A complete stream in the segments that the steps give. Oracle: the whole stream is delivered, whatever the cuts and
// the order, forwards and backwards.
#include "fuzz/tcp_run.h"

namespace wirelaw::fuzz {
namespace {

namespace control = corpora::tcp_control;

// Side a's stream in the segments of the steps, then once more from its beginning, so that no octet is missing.
class WholeStream {
 public:
  static constexpr std::uint32_t kLength = 3000;

  explicit WholeStream(const TcpSteps& conversation) : wire_(conversation), delivered_(conversation, true) {
    take({.control = control::kSyn});
  }
  void take_part(TcpStep step) {
    step.control = 0;
    step.cut = 0;
    step.offset %= kLength;
    step.length = static_cast<std::uint16_t>(
        std::min<std::uint32_t>(step.length % corpora::kTcpMostPayload, kLength - step.offset));
    if (step.offset + step.length == kLength) step.control = control::kFin;
    take(step);
  }
  void take_rest() {
    constexpr std::uint16_t kPart = 250;
    for (std::uint32_t at = 0; at < kLength; at += kPart) take_part({.length = kPart, .offset = at});
    connection_.finish(delivered_);  // releases octets that wait for the other side
    require(delivered_.length(false) == kLength && delivered_.octets() == kLength, "the whole stream is delivered");
    require(delivered_.gaps() == 0, "nothing is missing of it");
    require(delivered_.closed(false), "it ends");
    require(connection_.flaws().empty(), "nothing is wrong with it");
  }

 private:
  void take(const TcpStep& step) {
    const Segment segment = wire_.segment(step);
    delivered_.during(segment, true);
    require(connection_.take(segment, true, delivered_), "all segments are of one connection");
  }

  TcpWire wire_;
  TcpDelivered delivered_;
  TcpConnection connection_;
};

void run_as_a_whole(const TcpSteps& conversation) {
  WholeStream forwards(conversation), backwards(conversation);
  for (const TcpStep& step : conversation.steps) forwards.take_part(step);
  forwards.take_rest();
  for (auto step = conversation.steps.rbegin(); step != conversation.steps.rend(); ++step) backwards.take_part(*step);
  backwards.take_rest();
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::run_as_a_whole(wirelaw::fuzz::read_tcp_input({data, size}));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Any segments of two sides through TCP reassembly, twice. As they are: what is delivered is in order, each octet once,
// and the one that was sent; memory is bounded; nothing follows an end. And as the cut and the order of a whole stream,
// of which nothing is lost: the stream comes out, whatever they are.
#include <algorithm>
#include <optional>

#include "corpora/formats/tcp_steps.h"
#include "fuzz/record_mutator.h"
#include "fuzz/target.h"
#include "pcap/tcp_connection.h"

namespace wirelaw::fuzz {
namespace {

using namespace pcap;
using corpora::TcpScript;
using corpora::TcpStep;
using Event = StreamEvent;
namespace control = corpora::tcp_control;

constexpr std::size_t kMostSteps = 256;
constexpr TcpLimits kLittle{.held = 4096, .compared = 512};

// A segment and the octets that it carries.
class Wire {
 public:
  explicit Wire(const TcpScript& script) : isn_{script.isn_a, script.isn_b} {}

  Segment segment(const TcpStep& step) {
    const bool side_b = (step.control & control::kSideB) != 0;
    const bool syn = (step.control & control::kSyn) != 0;
    Segment segment;
    segment.frame = ++frame_;
    segment.time_ns = static_cast<std::int64_t>(frame_);
    segment.seq = isn_[side_b ? 1 : 0] + step.offset + (syn ? 0 : 1);
    segment.ack = isn_[side_b ? 0 : 1] + 1 + step.ack;
    const auto flag = [&](Octet bit, std::uint8_t there) {
      return static_cast<std::uint8_t>((step.control & bit) != 0 ? there : 0);
    };
    segment.flags.bits |= flag(control::kSyn, TcpFlags::kSyn);
    segment.flags.bits |= flag(control::kFin, TcpFlags::kFin);
    segment.flags.bits |= flag(control::kRst, TcpFlags::kRst);
    segment.flags.bits |= flag(control::kAck, TcpFlags::kAck);
    // New memory for each, so that a sanitizer sees what outlives its call.
    payload_ = OctetBuffer(step.length % corpora::kTcpMostPayload);
    for (std::uint32_t i = 0; i < payload_.size(); ++i)
      payload_[i] = corpora::tcp_octet(side_b, step.offset + i) ^ ((step.control & control::kDiffers) != 0 ? 0x55 : 0);
    segment.payload = payload_;
    segment.wire_length = static_cast<std::uint32_t>(payload_.size()) + step.cut;
    return segment;
  }

 private:
  std::uint32_t isn_[2];
  std::uint64_t frame_ = 0;
  OctetBuffer payload_;
};

// What must hold of the pieces of one connection.
class Delivered {
 public:
  // `honest`: all octets are those of the streams.
  Delivered(const TcpScript& script, bool honest) : script_(script), honest_(honest) {}

  void during(const Segment& segment, bool from_a) {
    segment_ = &segment;
    from_a_ = from_a;
  }
  void operator()(const StreamPiece& piece) {
    Direction& side = sides_[piece.sender == Side::a ? 0 : 1];
    require(!reset_, "nothing follows a reset");
    require(piece.event == Event::reset || !side.closed, "nothing of a side follows its end");
    require(piece.offset == side.next, "pieces follow each other");
    require(piece.event == Event::opened || piece.event == Event::reset || side.base, "a side opens first");
    require((piece.event == Event::octets) == !piece.octets.empty(), "octets have octets, others have none");
    switch (piece.event) {
      case Event::opened:
        require(!side.base && piece.offset == 0, "a side opens once");
        side.base = base(piece);
        break;
      case Event::octets:
        require(piece.missing == 0, "octets miss nothing");
        check_octets(piece, *side.base);
        octets_ += piece.octets.size();
        break;
      case Event::gap:
        require(piece.missing != 0, "a gap misses something");
        ++gaps_;
        break;
      case Event::closed:
        side.closed = true;
        break;
      case Event::reset:
        reset_ = true;
        break;
    }
    side.next += piece.octets.size() + piece.missing;
  }

  std::uint64_t octets() const { return octets_; }
  std::uint64_t gaps() const { return gaps_; }
  std::uint64_t length(bool side_b) const { return sides_[side_b ? 1 : 0].next; }
  bool closed(bool side_b) const { return sides_[side_b ? 1 : 0].closed; }
  bool ended() const { return reset_ || (sides_[0].closed && sides_[1].closed); }

 private:
  struct Direction {
    std::optional<std::uint32_t> base;  // what the target calls the offset where the connection's is 0
    std::uint64_t next = 0;
    bool closed = false;
  };

  // A side opens by a segment of its own, or by the other's answer to a SYN that was not seen.
  std::uint32_t base(const StreamPiece& piece) const {
    const std::uint32_t isn = piece.sender == Side::a ? script_.isn_a : script_.isn_b;
    if ((piece.sender == Side::a) != from_a_) return segment_->ack - isn - 1;
    return segment_->seq + (segment_->flags.syn() ? 1 : 0) - isn - 1;
  }
  void check_octets(const StreamPiece& piece, std::uint32_t base) const {
    if (!honest_) return;
    const std::uint32_t at = base + static_cast<std::uint32_t>(piece.offset);
    for (std::uint32_t i = 0; i < piece.octets.size(); ++i)
      require(piece.octets[i] == corpora::tcp_octet(piece.sender == Side::b, at + i),
              "an octet is the one that was sent");
  }

  const TcpScript& script_;
  bool honest_;
  const Segment* segment_ = nullptr;
  bool from_a_ = true;
  Direction sides_[2];
  bool reset_ = false;
  std::uint64_t octets_ = 0, gaps_ = 0;
};

void check(const TcpConnection& connection, const Delivered& delivered, bool honest) {
  const TcpCounts& counts = connection.counts();
  require(counts.octets == delivered.octets() && counts.gaps == delivered.gaps(), "what is delivered is counted");
  require(counts.octets + counts.missing == delivered.length(false) + delivered.length(true),
          "what is missing is counted");
  require(connection.memory() <= sizeof connection + 2 * (kLittle.held + kLittle.compared), "memory is bounded");
  require(!delivered.ended() || connection.over(), "a connection is over with its ends");
  for (const TcpFlaw& found : connection.flaws()) {
    require(!honest || found.flaw.fault != pcap::Fault::tcp_overlap, "octets that agree are not said to differ");
    require(!message(found.flaw).empty(), "a flaw has a text");
  }
}

void run_as_it_is(const TcpScript& script) {
  const bool honest =
      std::ranges::none_of(script.steps, [](const TcpStep& step) { return (step.control & control::kDiffers) != 0; });
  Wire wire(script);
  std::optional<TcpConnection> connection(kLittle);
  std::optional<Delivered> delivered(std::in_place, script, honest);
  for (const TcpStep& step : script.steps) {
    const Segment segment = wire.segment(step);
    const bool from_a = (step.control & control::kSideB) == 0;
    delivered->during(segment, from_a);
    if (!connection->take(segment, from_a, *delivered)) {
      require(connection->over(), "a connection that gives way to another is over");
      check(*connection, *delivered, honest);
      connection.emplace(kLittle);
      delivered.emplace(script, honest);
      delivered->during(segment, from_a);
      require(connection->take(segment, from_a, *delivered), "a new connection takes any segment");
    }
    check(*connection, *delivered, honest);
  }
  connection->finish(*delivered);
  check(*connection, *delivered, honest);
  require(connection->over() && connection->memory() == sizeof *connection, "nothing is held at the end");
}

// Side a's stream in the segments of the steps, then from its beginning, so that nothing is missing.
class WholeStream {
 public:
  static constexpr std::uint32_t kLength = 3000;

  explicit WholeStream(const TcpScript& script) : wire_(script), delivered_(script, true) {
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

  Wire wire_;
  Delivered delivered_;
  TcpConnection connection_;
};

void run_as_a_whole(const TcpScript& script) {
  WholeStream forwards(script), backwards(script);
  for (const TcpStep& step : script.steps) forwards.take_part(step);
  forwards.take_rest();
  for (auto step = script.steps.rbegin(); step != script.steps.rend(); ++step) backwards.take_part(*step);
  backwards.take_rest();
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  corpora::TcpScript script = corpora::read_tcp_script({data, size});
  if (script.steps.size() > fuzz::kMostSteps) script.steps.resize(fuzz::kMostSteps);
  fuzz::run_as_it_is(script);
  fuzz::run_as_a_whole(script);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate(wirelaw::fuzz::kTcpShape, {data, max_size}, size, seed);
}

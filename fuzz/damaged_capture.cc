// SPDX-License-Identifier: Apache-2.0
#include "fuzz/damaged_capture.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "fuzz/report_finding.h"
#include "fuzz/target.h"
#include "harness/flow/judged_flow.h"

namespace wirelaw::fuzz {
namespace {

constexpr std::size_t kObserverOctets = std::size_t{64} << 10;

// Passes the frames of a capture to a flow. A stream detects missing octets by sequence numbers.
class Replay {
 public:
  Replay(JudgedFlow& flow, Judge& judge, Side first) : flow_(flow), judge_(judge), first_(first) {}

  void datagram(Side sender, Octets octets, std::size_t captured, std::int64_t time_ns) {
    Message message = message_of(octets.first(std::min(captured, octets.size())), side_of(sender), index_++, time_ns);
    message.wire_length = octets.size();
    if (tracing()) print(flow_.protocol_of(message), message);
    flow_.observe(message, judge_);
  }
  void piece(Side sender, StreamEvent event, Octets octets, std::size_t captured, std::int64_t time_ns) {
    Stream& stream = streams_[static_cast<std::size_t>(sender)];
    if (event == StreamEvent::opened) stream.from_start = true;
    if (!stream.open && event != StreamEvent::opened)
      give({.event = StreamEvent::opened, .sender = side_of(sender), .time_ns = time_ns, .from_start = false});
    stream.open = true;
    const Octets there = octets.first(std::min(captured, octets.size()));
    give_octets(stream, sender, there, time_ns);
    stream.missing += octets.size() - there.size();
    if (event != StreamEvent::octets) {
      fill(stream, sender, time_ns);
      give({.event = event,
            .sender = side_of(sender),
            .offset = stream.at,
            .time_ns = time_ns,
            .from_start = stream.from_start});
    }
  }
  // The octets were sent, but are not in the capture.
  void lost(Side sender, Octets octets) {
    Stream& stream = streams_[static_cast<std::size_t>(sender)];
    if (stream.open) stream.missing += octets.size();
  }

 private:
  struct Stream {
    bool open = false, from_start = false;
    std::uint64_t at = 0, missing = 0;
  };

  Side side_of(Side sender) const { return first_ == Side::a ? sender : other(sender); }
  void fill(Stream& stream, Side sender, std::int64_t time_ns) {
    if (stream.missing == 0) return;
    give({.event = StreamEvent::gap,
          .sender = side_of(sender),
          .offset = stream.at,
          .missing = stream.missing,
          .time_ns = time_ns,
          .from_start = stream.from_start});
    stream.at += stream.missing;
    stream.missing = 0;
  }
  void give_octets(Stream& stream, Side sender, Octets octets, std::int64_t time_ns) {
    if (octets.empty()) return;
    fill(stream, sender, time_ns);
    give({.sender = side_of(sender),
          .octets = octets,
          .offset = stream.at,
          .time_ns = time_ns,
          .from_start = stream.from_start});
    stream.at += octets.size();
  }
  void give(StreamPiece piece) {
    piece.frame = ++index_;
    piece.received_is_known = false;  // missing segments may have been received
    if (tracing()) print(piece);
    flow_.observe(piece, judge_);
  }

  JudgedFlow& flow_;
  Judge& judge_;
  Side first_;  // side a: for datagrams, the side that sends first
  std::uint64_t index_ = 0;
  std::array<Stream, 2> streams_{};
};

// Created once, because a target has only one protocol.
const Catalogue& catalogue_of(const Protocol& protocol) {
  static std::map<const Protocol*, Catalogue> catalogues;
  const auto found = catalogues.find(&protocol);
  if (found != catalogues.end()) return found->second;
  return catalogues.emplace(&protocol, catalogue_of_stack(protocol, protocols())).first->second;
}

}  // namespace

// Lost frames of a stream stay, but without captured octets: sequence numbers show the gap.
std::vector<DamagedCapture::Frame> DamagedCapture::damaged(const corpora::Damage& damage) const {
  using corpora::Damage;
  std::minstd_rand random(damage.seed + 1);
  const auto happens = [&](Damage::Kind kind) { return damage.has(kind) && random() % 256 < damage.rate; };
  std::vector<Frame> frames;
  std::size_t number = 0;
  for (const Frame& frame : frames_) {
    const bool late = damage.has(Damage::late_start) && number++ < damage.start;
    const bool other_direction =
        damage.has(Damage::one_direction) && (frame.sender == Side::b) != damage.has(Damage::of_side_b);
    if (late || other_direction) continue;
    frames.push_back(frame);
    if (happens(Damage::lose)) frames.back().captured = 0;
    if (happens(Damage::cut)) frames.back().captured = std::min<std::size_t>(frames.back().captured, damage.length);
    // A stream delivers its octets once, even if a capture contains them twice.
    if (!frame.of_stream && happens(Damage::twice)) frames.push_back(frames.back());
  }
  for (std::size_t at = 0; at + 1 < frames.size(); ++at) {
    // Sequence numbers restore the order within one direction of TCP.
    const bool possible = !frames[at].of_stream || frames[at].sender != frames[at + 1].sender;
    if (!possible || !happens(Damage::swap)) continue;
    std::swap(frames[at], frames[at + 1]);
    std::swap(frames[at].time_ns, frames[at + 1].time_ns);
    ++at;  // neither is swapped again
  }
  return frames;
}

void DamagedCapture::judge(const corpora::Damage& damage) {
  const std::vector<Frame> frames = damaged(damage);
  const auto seen = std::ranges::find_if(frames, [](const Frame& one) { return one.of_stream || one.captured > 0; });
  if (seen == frames.end()) return;
  Judge judge(catalogue_of(protocol_));
  judge.begin_source(Completeness::unknown);
  JudgedFlow flow;
  flow.set_number(1);
  const Side first = seen->of_stream ? Side::a : seen->sender;
  flow.name_sides("damaged", first == Side::a ? "a" : "b", first == Side::a ? "b" : "a", {});
  const Protocol& base = base_ != nullptr ? *base_ : base_of(protocol_, protocols());
  const ObserverLimits limits{.octets = kObserverOctets, .features = features_};
  flow.begin_on(base, protocol_, captured_protocols(), limits, &protocol_);
  judge.enter_flow(flow.names());
  Replay replay(flow, judge, first);
  for (const Frame& frame : frames) {
    if (frame.of_stream && frame.captured == 0 && frame.event == StreamEvent::octets)
      replay.lost(frame.sender, frame.octets);
    else if (frame.of_stream && frame.captured > 0)
      replay.piece(frame.sender, frame.event, frame.octets, frame.captured, frame.time_ns);
    else if (!frame.of_stream && frame.captured > 0)
      replay.datagram(frame.sender, frame.octets, frame.captured, frame.time_ns);
    judge.set_now(frame.time_ns);
  }
  flow.finish(judge);
  judge.end_source(Completeness::unknown);
  for (const Finding& finding : judge.findings())
    if (finding.severity == Severity::violation) report(finding);
}

}  // namespace wirelaw::fuzz

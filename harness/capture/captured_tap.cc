// SPDX-License-Identifier: Apache-2.0
#include "harness/capture/captured_tap.h"

#include <fmt/format.h>

#include "pcap/frame_segment.h"

namespace wirelaw {
namespace {

// The same limits as for captures that are checked (CheckLimits).
constexpr pcap::TcpLimits kTcp{.held = 1u << 20, .compared = 2048};
// The interval at which it serves the conversation while it waits for the capture, because the end of a conversation
// has work to do.
constexpr std::chrono::milliseconds kBetweenLooks{10};

}  // namespace

CapturedTap::CapturedTap(std::unique_ptr<Conversation> conversation, TapContext& context)
    : WatchedStream(std::move(conversation), context), capture_(*context.capture), connection_(kTcp) {
  open();
}

void CapturedTap::open() {
  if (!has_opened()) return;
  tester_ = pcap::parse_endpoint(conversation_->tester()).value_or(pcap::Endpoint());
  iut_ = pcap::parse_endpoint(conversation_->iut()).value_or(pcap::Endpoint());
  take();
}

void CapturedTap::take() {
  if (!opened_) return;
  while (auto captured = capture_.next(tester_, iut_)) {
    // Checked for each frame: those before the first loss were complete.
    if (unjudged_.empty()) unjudged_ = capture_.incomplete();
    take_frame(std::move(*captured));
  }
  if (unjudged_.empty()) unjudged_ = capture_.incomplete();
}

void CapturedTap::take_frame(CapturedFrame captured) {
  pcap::Segment segment;
  if (!pcap::segment_of(captured.frame, segment)) return;
  const bool from_iut = segment.source == iut_, from_a = from_iut == iut_connects_;
  segment.frame = record(captured, from_iut);
  if (!unjudged_.empty()) return;
  connection_.take(segment, from_a, [this](const StreamPiece& one) { piece(one); });
  over_ = connection_.over();
}

std::uint64_t CapturedTap::record(const CapturedFrame& captured, bool from_iut) {
  if (!context_.recording) return 0;
  RecordedFrame frame = frame_from(from_iut);
  frame.time_ns = captured.frame.time_ns;
  frame.octets = captured.octets;
  frame.captured = RecordedFrame::Captured{captured.frame.link_type, captured.frame.wire_length};
  return context_.recording->add(std::move(frame));
}

void CapturedTap::piece(const StreamPiece& one) {
  octets_ += one.octets.size();
  if ((one.sender == Side::a) == iut_connects_) {
    heard_ |= one.event != StreamEvent::opened;
    captured_ = std::max(captured_, one.offset + one.octets.size() + one.missing);
  }
  if (one.event == StreamEvent::closed || one.event == StreamEvent::reset)
    list((one.sender == Side::a) == iut_connects_,
         std::string(one.event == StreamEvent::reset ? "resets the connection" : "closes its direction"));
  feed(one);
}

template <class Holds>
bool CapturedTap::await(const Holds& holds) {
  const Instant until = now() + capture_.patience();
  for (take(); !holds(); take()) {
    if (!unjudged_.empty() || now() >= until) return false;
    capture_.wait(std::min<std::chrono::nanoseconds>(until - now(), kBetweenLooks));
  }
  return true;
}

void CapturedTap::catch_up() {
  if (await([this] { return captured_ >= received_; }) || !unjudged_.empty()) return;
  unjudged_ = fmt::format("the capture on {} does not show what has come over this connection", capture_.name());
}

tl::expected<void, TransportError> CapturedTap::send(Octets octets) {
  auto sent = conversation_->send(octets);
  take();
  return sent;
}

tl::expected<std::optional<OctetBuffer>, TransportError> CapturedTap::receive(Instant deadline) {
  auto received = conversation_->receive(deadline);
  open();
  if (received && *received) {
    heard_ = true;
    received_ += (*received)->size();
    catch_up();
  } else {
    take();
  }
  return received;
}

void CapturedTap::end(Ending ending) {
  if (!opened_) return;
  ended_ |= ending != Ending::none;
  conversation_->end(ending);
  take();
}

void CapturedTap::finish() {
  read_unread();
  if (!any()) return;
  if (!ended_ && conversation_->may_end()) end(Ending::closed);
  // The rest of what both ends send and do.
  const auto is_over = [this] {
    if (!over_) static_cast<void>(conversation_->receive(now()));
    return over_;
  };
  if (ended_) await(is_over);
  if (!unjudged_.empty()) return;
  connection_.finish([this](const StreamPiece& one) { piece(one); });
  finish_observer();
}

FlowResult CapturedTap::result() const {
  FlowResult result = result_of(octets_);
  if (unjudged_.empty()) return result;
  result.state = FlowState::partial;
  result.note = unjudged_ + (result.note.empty() ? "" : "; " + result.note);
  return result;
}

}  // namespace wirelaw

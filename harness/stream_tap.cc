// SPDX-License-Identifier: Apache-2.0
#include "harness/stream_tap.h"

#include <algorithm>
#include <utility>

namespace wirelaw {

StreamTap::StreamTap(std::unique_ptr<Conversation> conversation, TapContext& context)
    : WatchedStream(std::move(conversation), context), headers_(static_cast<std::uint32_t>(context.streams++)) {
  look_whether_opened();
}

void StreamTap::look_whether_opened() {
  if (!has_opened()) return;
  if (const auto tester = parse_endpoint(conversation_->tester()); tester && context_.recording)
    payload_offset_ = pcap::segment_headers(*tester);
  StreamPiece piece{.event = StreamEvent::opened, .time_ns = time_ns(), .mss = pcap::TcpSynthesis::kMss};
  piece.frame = record(iut_connects_, headers_.syn(!iut_connects_));
  const std::uint64_t answer = record(!iut_connects_, headers_.syn(iut_connects_));
  record(iut_connects_, headers_.acknowledge(!iut_connects_));
  feed(piece, iut_connects_);
  piece.frame = answer;
  feed(piece, !iut_connects_);
}

std::uint64_t StreamTap::record(bool from_iut, const pcap::TcpHeader& header, Octets octets) {
  if (!context_.recording) return 0;
  RecordedFrame frame = frame_from(from_iut);
  frame.octets.assign(octets.begin(), octets.end());
  frame.tcp = header;
  return context_.recording->add(std::move(frame));
}

void StreamTap::feed(StreamPiece piece, bool from_iut) {
  piece.sender = side_of(from_iut);
  WatchedStream::feed(piece);
}

void StreamTap::carried(Octets octets, bool from_iut) {
  while (!octets.empty()) {
    const Octets part = octets.first(std::min(octets.size(), pcap::TcpSynthesis::kMaxPayload));
    const std::uint64_t frame = record(from_iut, headers_.data(!from_iut, part.size()), part);
    Direction& direction = from_[from_iut];
    const std::uint64_t offset = direction.octets;
    direction.octets += part.size();
    feed({.octets = part, .offset = offset, .frame = frame, .frame_offset = payload_offset_, .time_ns = time_ns()},
         from_iut);
    octets = octets.subspan(part.size());
  }
}

void StreamTap::ended(Ending ending, bool from_iut) {
  Direction& direction = from_[from_iut];
  if (ending == Ending::none || ending == direction.ended || over_) return;
  const bool reset = ending == Ending::reset;
  const std::uint64_t frame = record(from_iut, reset ? headers_.rst(!from_iut) : headers_.fin(!from_iut));
  direction.ended = ending;
  over_ |= reset;
  list(from_iut, std::string(reset ? "resets the connection" : "closes its direction"));
  feed({.event = reset ? StreamEvent::reset : StreamEvent::closed,
        .offset = direction.octets,
        .frame = frame,
        .time_ns = time_ns()},
       from_iut);
}

tl::expected<void, TransportError> StreamTap::send(Octets octets) {
  auto sent = conversation_->send(octets);
  // Octets sent into a connection that is over are lost.
  if (sent && !over_ && from_[0].ended == Ending::none) carried(octets, false);
  return sent;
}

tl::expected<std::optional<OctetBuffer>, TransportError> StreamTap::receive(Instant deadline) {
  auto received = conversation_->receive(deadline);
  look_whether_opened();
  if (received && *received) {
    heard_ = true;
    carried(**received, true);
  } else if (received) {
    look_whether_ended();
  }
  return received;
}

void StreamTap::look_whether_ended() {
  const Ending how = conversation_->ending();
  if (how == Ending::none || !opened_) return;
  heard_ = true;
  ended(how, true);
}

void StreamTap::end(Ending ending) {
  if (!opened_) return;
  ended(ending, false);
  conversation_->end(ending);
}

Ending StreamTap::ending() {
  look_whether_ended();
  return conversation_->ending();
}

void StreamTap::finish() {
  if (std::exchange(finished_, true)) return;
  read_unread();
  if (any()) finish_observer();
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// A tap on a connection whose wire is captured at the same time. It reassembles the streams from the captured frames,
// as `wirelaw check` does, and records those frames unchanged.
//
// Traffic that is missing from the capture is not judged. If the capture has lost frames, or lacks octets that the
// conversation itself has delivered, the observer gets no more of this connection, and unjudged() returns the reason.
// Earlier findings remain, because the traffic before them was complete.
#pragma once

#include "harness/capture/wire_capture.h"
#include "harness/watched_stream.h"
#include "pcap/tcp_connection.h"

namespace wirelaw {

class CapturedTap final : public WatchedStream {
 public:
  // The context has a capture, which outlives the tap.
  CapturedTap(std::unique_ptr<Conversation> conversation, TapContext& context);

  tl::expected<void, TransportError> send(Octets octets) override;
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override;
  void end(Ending ending) override;
  Ending ending() override { return conversation_->ending(); }
  // Waits for the end of the connection, at most as long as the patience. Ends the connection itself if nothing else
  // has and the IUT tolerates that.
  void finish() override;

  FlowResult result() const override;
  std::string unjudged() const override { return unjudged_; }

 private:
  void look() override {
    open();
    take();
  }
  void open();
  // Reads what has been captured in the meantime.
  void take();
  void take_frame(CapturedFrame captured);
  std::uint64_t record(const CapturedFrame& captured, bool from_iut);
  void piece(const StreamPiece& piece);
  // Waits until the capture shows what the conversation has delivered.
  void catch_up();
  template <class Holds>
  bool await(const Holds& holds);

  WireCapture& capture_;
  pcap::TcpConnection connection_;
  pcap::Endpoint tester_, iut_;
  std::uint64_t received_ = 0;  // octets that the conversation has delivered
  std::uint64_t captured_ = 0;  // octets of the IUT that were captured
  std::uint64_t octets_ = 0;    // captured octets of both sides
  bool ended_ = false;          // true: this tap has closed the connection
  std::string unjudged_;
};

}  // namespace wirelaw

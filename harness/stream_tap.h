// SPDX-License-Identifier: Apache-2.0
// A tap on a connection. Sent and received octets become the pieces of two streams, which the recording shows as TCP
// segments. The observer finds the messages in the streams.
#pragma once

#include "harness/watched_stream.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw {

class StreamTap final : public WatchedStream {
 public:
  StreamTap(std::unique_ptr<Conversation> conversation, TapContext& context);

  tl::expected<void, TransportError> send(Octets octets) override;
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override;
  void end(Ending ending) override;
  Ending ending() override;
  void finish() override;
  void let_go() override { finish(); }

  FlowResult result() const override { return result_of(from_[0].octets + from_[1].octets); }

 private:
  // One direction, by sender: [0] the tester, [1] the IUT.
  struct Direction {
    std::uint64_t octets = 0;  // octets so far
    Ending ended = Ending::none;
  };

  void look_whether_opened();
  void look_whether_ended();
  void carried(Octets octets, bool from_iut);
  void ended(Ending ending, bool from_iut);
  void feed(StreamPiece piece, bool from_iut);
  // Returns the number of the frame; 0 if nothing is recorded.
  std::uint64_t record(bool from_iut, const pcap::TcpHeader& header, Octets octets = {});

  pcap::TcpSynthesis headers_;        // side a is the tester
  std::uint32_t payload_offset_ = 0;  // offset of the payload in the recorded frames
  Direction from_[2];
  bool finished_ = false;
};

}  // namespace wirelaw

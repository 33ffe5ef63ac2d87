// SPDX-License-Identifier: Apache-2.0
// A tap on a connection: what is sent and received becomes the pieces of two streams, and the recording shows them as
// TCP would have carried them. The messages are those that the observer finds in the streams.
#pragma once

#include "harness/flow_tap.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw {

class StreamTap final : public FlowTap {
 public:
  StreamTap(std::unique_ptr<Conversation> conversation, TapContext& context);

  tl::expected<void, CarriageError> send(Octets octets) override;
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) override;
  void end(Ending ending) override;
  Ending ending() override;
  void finish() override;

  bool any() const override { return opened_; }
  FlowResult result() const override { return result_of(from_[0].octets + from_[1].octets); }
  std::uint64_t messages() const override { return messages_; }
  std::uint64_t from_iut() const override { return std::max<std::uint64_t>(from_iut_, heard_ ? 1 : 0); }

 private:
  // One direction, by who sends: [0] the tester, [1] the IUT.
  struct Direction {
    std::uint64_t octets = 0;  // so far
    Ending ended = Ending::none;
  };

  bool is_over() const { return from_[0].ended == Ending::reset || from_[1].ended == Ending::reset; }
  void look_whether_opened();
  void look_whether_ended();
  void carried(Octets octets, bool from_iut);
  void ended(Ending ending, bool from_iut);
  void feed(StreamPiece piece, bool from_iut);
  // Lets the observer judge, and notes the messages that it finds.
  template <class Observing>
  void watch(const Observing& observe);
  void found(const Message& message);
  // Gives the frame's number; 0 where nothing is recorded.
  std::uint64_t record(bool from_iut, const pcap::TcpHeader& header, Octets octets = {});

  pcap::TcpSynthesis headers_;  // its side a is the tester
  bool opened_ = false;
  bool heard_ = false;
  Direction from_[2];
  std::uint64_t messages_ = 0;
  std::uint64_t from_iut_ = 0;
};

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// A builder of RoCEv2 traces: an honest reliable connection, whose packets a trace changes, repeats, drops or reorders
// afterwards. Side a is the initiator. A message of a trace is a packet with room for its invariant CRC at the end,
// which is computed when the trace is written.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "corpora/traces/trace.h"
#include "reference/roce/cm.h"
#include "reference/roce/packet.h"

namespace wirelaw::corpora {

class RoceTraceBuilder {
 public:
  static constexpr bool kIsStream = false;
  static constexpr std::uint32_t kMtu = 1024;
  static constexpr std::uint8_t kPathMtu = 3;
  static constexpr std::uint16_t kService = 445;  // [MS-SMBD] 1.9
  static constexpr std::uint32_t kKey = 0x11223344;

  // `number` gives several connections between the same hosts different QP numbers, PSNs and IDs.
  explicit RoceTraceBuilder(std::uint32_t number = 0);

  // --- the connection
  void start(std::uint16_t service = kService);  // request, reply, ready
  void close(Side side);                         // this side requests the disconnection, the other replies

  // --- messages, with their acknowledgements
  using Edit = std::function<void(roce::Packet&)>;  // changes every packet of the message
  void send(Side side, Octets payload, std::optional<std::uint32_t> invalidate = {}, const Edit& edit = {});
  void write(Side side, Octets payload, std::uint32_t key = kKey, std::uint64_t address = 0);
  void read(Side side, std::uint32_t length = 64, std::uint32_t key = kKey, std::uint64_t address = 0);

  // --- packets
  void packet(Side side, const roce::Packet& packet);
  void acknowledge(Side side, std::uint32_t psn, std::uint8_t syndrome = roce::kUnlimitedCredits);
  void notify_congestion(Side side);
  std::uint32_t qpn(Side side) const { return way(side).qpn; }
  std::uint32_t psn(Side side) const { return way(side).psn; }  // PSN of its next packet
  // If false, packets are acknowledged only by the builder from now on.
  void acknowledges(bool does) { acknowledges_ = does; }

  // The first packet of the last operation.
  TraceMessage& last() { return messages_[last_]; }
  std::vector<TraceMessage>& messages() { return messages_; }
  std::vector<TraceMessage> take() { return std::exchange(messages_, {}); }

 private:
  struct Way {
    std::uint32_t qpn, psn, id;
    std::uint32_t received = 0;  // count of messages
  };
  Way& way(Side side) { return ways_[side == Side::a ? 0 : 1]; }
  const Way& way(Side side) const { return ways_[side == Side::a ? 0 : 1]; }
  roce::Packet to(Side side, std::uint8_t opcode, std::uint32_t psn) const;
  void manage(Side side, const roce::CmMessage& message);
  void request(Side side, Octets payload, std::array<std::uint8_t, 4> opcodes, const Edit& edit);

  std::array<Way, 2> ways_;
  std::vector<TraceMessage> messages_;
  std::size_t last_ = 0;
  bool acknowledges_ = true;
  bool closing_ = false;
};

}  // namespace wirelaw::corpora

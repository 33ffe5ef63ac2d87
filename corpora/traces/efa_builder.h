// SPDX-License-Identifier: Apache-2.0
// A builder of EFA RDM traces: an honest conversation, which a trace changes in one field.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "corpora/traces/trace.h"
#include "reference/efa/capability.h"
#include "reference/efa/packet.h"

namespace wirelaw::corpora {

class EfaTraceBuilder {
 public:
  static constexpr bool kIsStream = false;

  using Packet = efa::Packet;
  using Type = efa::PacketType;
  using Edit = std::function<void(Packet&)>;  // changes the honest packet

  // The extras of a deployed endpoint: RDMA read, delivery complete, connid, runting read, READ_NACK.
  static constexpr std::uint64_t kExtras =
      efa::extra_bits({efa::Extra::rdma_read, efa::Extra::delivery_complete, efa::Extra::connid_header,
                       efa::Extra::runting_read, efa::Extra::read_nack});
  static constexpr efa::RmaIov kTarget{.addr = 0x1000, .len = 0, .key = 0x77};  // `len` is set by each operation
  static constexpr std::uint64_t kTag = 0x7a60;
  static constexpr std::size_t kMtu = 8928;

  // --- the handshake
  void handshake(Side side, std::uint64_t extras = kExtras, const Edit& edit = {});
  // Sends an eager message from a, and both handshakes: the requests that follow may use every extra feature.
  void meet(std::uint64_t extras = kExtras);
  // Each side's application removes the other's address and inserts it again: they start as if they had never
  // communicated.
  void put_addresses_again() { announced_ = {}, msg_id_ = {}; }
  // After meet(): enough time and packets that both sides know the other's HANDSHAKE.
  void pass_grace();

  // Returns an honest packet of this type from this side, with the flags of its type. It has a raw address until
  // the other side's HANDSHAKE, or always if that asks for a constant header length. After a HANDSHAKE that asks for
  // connid it has one. If its type has them, it has the next msg_id, a tag, and one rma_iov of `octets`.
  Packet honest(Side side, Type type, std::uint64_t octets = 0);
  // Sends the packet's octets, followed by the payload.
  void send(Side side, const Packet& packet, Octets payload = {});
  // Sends honest() after `edit`, with `octets` of application data.
  void request(Side side, Type type, std::size_t octets = 0, const Edit& edit = {});
  // Sends an answer, always with a connid (as deployed endpoints do) and with the IDs that `edit` sets.
  void answer(Side side, Type type, const Edit& edit, std::size_t octets = 0);
  // Sends one eager message.
  void eager(Side side, std::size_t octets = 16, const Edit& edit = {}) {
    request(side, Type::eager_msgrtm, octets, edit);
  }

  // --- data packets of long-CTS transfers (3.2), and receipts of delivery complete (4.2)
  void cts(Side sink, std::uint32_t send_id, std::uint32_t recv_id, std::uint64_t octets, const Edit& edit = {});
  void ctsdata(Side source, std::uint32_t recv_id, std::uint64_t offset, std::size_t octets, const Edit& edit = {});
  void receipt(Side responder, std::uint32_t send_id, std::uint32_t msg_id, const Edit& edit = {});

  // --- anything
  void octets(Side side, OctetBuffer octets) { messages_.push_back({.sender = side, .octets = std::move(octets)}); }
  // Waits before the next packet; after the last packet, extends the capture.
  void pause(std::int64_t nanoseconds) { pause_ += nanoseconds; }
  std::int64_t silence_ns() const { return pause_; }
  TraceMessage& last() { return messages_.back(); }
  std::vector<TraceMessage> take() { return std::move(messages_); }

  static efa::RawAddress address_of(Side side);
  void put_address(Packet& packet, const efa::RawAddress& address);
  // Returns `count` efa_rma_iov whose lengths add up to `octets`; they live as long as the builder.
  Octets iov(std::uint64_t octets, std::size_t count = 1);
  // Returns a view of `octets`, which the builder keeps.
  Octets keep(OctetBuffer octets);

 private:
  static std::size_t index(Side side) { return side == Side::a ? 0 : 1; }

  std::vector<TraceMessage> messages_;
  std::int64_t pause_ = 0;
  std::array<std::optional<std::uint64_t>, 2> announced_;  // extras in each side's HANDSHAKE; nothing before it
  std::array<std::uint32_t, 2> msg_id_{};
  std::vector<std::unique_ptr<OctetBuffer>> kept_;
};

}  // namespace wirelaw::corpora

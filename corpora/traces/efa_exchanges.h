// SPDX-License-Identifier: Apache-2.0
// Packets of one-sided operations and of reads, in the sequences that several samples use.
#pragma once

#include "corpora/traces/efa_builder.h"

namespace wirelaw::corpora {

// --- 3.2, for one-sided operations and refused reads
inline void cts(EfaTraceBuilder& s, Side from, std::uint32_t send_id, std::uint32_t recv_id, std::uint64_t octets,
                std::uint16_t flags = 0) {
  s.cts(from, send_id, recv_id, octets, [&](EfaTraceBuilder::Packet& p) { p.flags |= flags; });
}
inline void ctsdata(EfaTraceBuilder& s, Side from, std::uint32_t recv_id, std::uint64_t offset, std::size_t octets) {
  s.ctsdata(from, recv_id, offset, octets);
}
inline void receipt(EfaTraceBuilder& s, Side from, std::uint32_t send_id, std::uint32_t msg_id = 0) {
  s.receipt(from, send_id, msg_id);
}

// --- 3.3, from a to b
// A long write whose request carries the first octets.
inline void long_write(EfaTraceBuilder& s, std::uint32_t send_id, std::size_t octets, std::size_t now,
                       const EfaTraceBuilder::Edit& edit = {},
                       EfaTraceBuilder::Type type = EfaTraceBuilder::Type::longcts_rtw) {
  s.request(Side::a, type, octets, [&](EfaTraceBuilder::Packet& p) {
    p.send_id = send_id;
    p.payload = p.payload.first(now);
    if (edit) edit(p);
  });
}
inline void short_rtr(EfaTraceBuilder& s, std::uint32_t recv_id, std::size_t octets,
                      const EfaTraceBuilder::Edit& edit = {}) {
  s.request(Side::a, EfaTraceBuilder::Type::short_rtr, octets, [&](EfaTraceBuilder::Packet& p) {
    p.recv_id = recv_id;
    if (edit) edit(p);
  });
}
inline void longcts_rtr(EfaTraceBuilder& s, std::uint32_t recv_id, std::size_t octets, std::size_t window,
                        const EfaTraceBuilder::Edit& edit = {}) {
  s.request(Side::a, EfaTraceBuilder::Type::longcts_rtr, octets, [&](EfaTraceBuilder::Packet& p) {
    p.recv_id = recv_id;
    p.recv_length = window;
    if (edit) edit(p);
  });
}
inline void readrsp(EfaTraceBuilder& s, std::uint32_t recv_id, std::uint32_t send_id, std::size_t octets,
                    const EfaTraceBuilder::Edit& edit = {}) {
  s.answer(
      Side::b, EfaTraceBuilder::Type::readrsp,
      [&](EfaTraceBuilder::Packet& p) {
        p.recv_id = recv_id;
        p.send_id = send_id;
        p.recv_length = octets;
        if (edit) edit(p);
      },
      octets);
}
inline void atomrsp(EfaTraceBuilder& s, std::uint32_t recv_id, std::size_t octets,
                    const EfaTraceBuilder::Edit& edit = {}) {
  s.answer(
      Side::b, EfaTraceBuilder::Type::atomrsp,
      [&](EfaTraceBuilder::Packet& p) {
        p.recv_id = recv_id;
        p.seg_length = octets;
        if (edit) edit(p);
      },
      octets);
}

// --- 4.1, 4.5, 4.7: from a to b
inline void longread(EfaTraceBuilder& s, std::uint32_t send_id, std::uint64_t octets,
                     const EfaTraceBuilder::Edit& edit = {},
                     EfaTraceBuilder::Type type = EfaTraceBuilder::Type::longread_msgrtm) {
  EfaTraceBuilder::Packet packet = s.honest(Side::a, type, octets);
  packet.send_id = send_id;
  if (edit) edit(packet);
  s.send(Side::a, packet);
}
inline void eor(EfaTraceBuilder& s, std::uint32_t send_id, std::uint32_t recv_id,
                const EfaTraceBuilder::Edit& edit = {}) {
  s.answer(Side::b, EfaTraceBuilder::Type::eor, [&](EfaTraceBuilder::Packet& p) {
    p.send_id = send_id;
    p.recv_id = recv_id;
    if (edit) edit(p);
  });
}
inline void read_nack(EfaTraceBuilder& s, std::uint32_t send_id, std::uint32_t recv_id) {
  s.answer(Side::b, EfaTraceBuilder::Type::read_nack, [&](EfaTraceBuilder::Packet& p) {
    p.send_id = send_id;
    p.recv_id = recv_id;
  });
}

// Shows that nothing more is in flight: the side sends another message, and time passes.
inline void go_on(EfaTraceBuilder& s, Side side) {
  s.pause(200'000'000);
  for (int i = 0; i < 9; ++i) s.eager(side);
}

// The side answers a later request, and then nobody sends anything for two seconds.
inline void answer_and_fall_silent(EfaTraceBuilder& s, Side side) {
  std::uint32_t msg_id = 0;
  s.pause(200'000'000);
  s.request(other(side), EfaTraceBuilder::Type::dc_eager_msgrtm, 16,
            [&](EfaTraceBuilder::Packet& p) { p.send_id = 0x8077, msg_id = p.msg_id; });
  s.receipt(side, 0x8077, msg_id);
  s.pause(2'000'000'000);
}

// --- 4.5: from a to b
// A message of `length` octets that begins with RUNTREAD packets: all of them have its msg_id.
class Runting {
 public:
  static constexpr std::uint32_t kSendId = 7;

  Runting(EfaTraceBuilder& builder, std::uint64_t length, std::uint64_t runt,
          EfaTraceBuilder::Type type = EfaTraceBuilder::Type::runtread_msgrtm)
      : builder_(builder), packet_(builder.honest(Side::a, type, length)) {
    packet_.send_id = kSendId;
    packet_.runt_length = runt;
  }
  // Sends the next packet of the message.
  void send(std::size_t octets, const EfaTraceBuilder::Edit& edit = {}) {
    EfaTraceBuilder::Packet packet = packet_;
    packet.seg_offset = sent_;
    packet.payload = builder_.keep(OctetBuffer(octets, static_cast<Octet>(1 + sent_ % 251)));
    sent_ += octets;
    if (edit) edit(packet);
    builder_.send(Side::a, packet);
  }
  std::uint32_t msg_id() const { return packet_.msg_id; }

 private:
  EfaTraceBuilder& builder_;
  EfaTraceBuilder::Packet packet_;
  std::uint64_t sent_ = 0;
};

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// Operations of each kind, and edits of their packets: shared by the samples of chapters 1 and 2, 3.1, 4.3 and 4.4.
#pragma once

#include <algorithm>

#include "corpora/traces/efa_exchanges.h"

namespace wirelaw::corpora {

// --- whole operations from a

// A delivery complete message, and its RECEIPT.
inline void delivered(EfaTraceBuilder& s, const EfaTraceBuilder::Edit& edit_receipt = {}) {
  std::uint32_t msg_id = 0;
  s.request(Side::a, EfaTraceBuilder::Type::dc_eager_msgrtm, 16,
            [&](EfaTraceBuilder::Packet& packet) { packet.send_id = 5, msg_id = packet.msg_id; });
  s.receipt(Side::b, 5, msg_id, edit_receipt);
}
inline void read(EfaTraceBuilder& s, const EfaTraceBuilder::Edit& edit = {}) {
  short_rtr(s, 6, 24, edit);
  readrsp(s, 6, 8, 24);
}
inline void add_to_memory(EfaTraceBuilder& s, const EfaTraceBuilder::Edit& edit = {}) {
  s.request(Side::a, EfaTraceBuilder::Type::write_rta, 8, [&](EfaTraceBuilder::Packet& packet) {
    packet.atomic_datatype = 7;  // FI_UINT64
    packet.atomic_op = 2;        // FI_SUM
    if (edit) edit(packet);
  });
}
// A long-CTS message whose second half one CTSDATA carries.
inline void long_message(EfaTraceBuilder& s, const EfaTraceBuilder::Edit& edit_data = {}) {
  s.request(Side::a, EfaTraceBuilder::Type::longcts_msgrtm, 100,
            [](EfaTraceBuilder::Packet& packet) { packet.send_id = 9, packet.msg_length = 200; });
  s.cts(Side::b, 9, 3, 100);
  s.ctsdata(Side::a, 3, 100, 100, edit_data);
}
inline void read_by_rdma(EfaTraceBuilder& s) {
  longread(s, 4, 1000);
  eor(s, 4, 2);
}
inline void nacked(EfaTraceBuilder& s) {
  std::uint32_t msg_id = 0;
  longread(s, 4, 1000, [&](EfaTraceBuilder::Packet& packet) { msg_id = packet.msg_id; });
  read_nack(s, 4, 2);
  EfaTraceBuilder::Packet again = s.honest(Side::a, EfaTraceBuilder::Type::longcts_msgrtm, 1000);
  again.msg_id = msg_id;
  again.send_id = 4;
  again.flags |= efa::flag::kReadNack;
  s.send(Side::a, again);
  s.cts(Side::b, 4, 2, 1000);
  s.ctsdata(Side::a, 2, 0, 1000);
}
inline void runted(EfaTraceBuilder& s) {
  s.request(Side::a, EfaTraceBuilder::Type::runtread_msgrtm, 100, [&](EfaTraceBuilder::Packet& packet) {
    packet.send_id = 4, packet.runt_length = 100, packet.msg_length = 1000, packet.read_iov = s.iov(1000);
  });
  eor(s, 4, 2);
}

// --- time

inline constexpr std::int64_t kLong = 200'000'000;  // nanoseconds

// Both sides know each other's HANDSHAKE, and no packet is in flight.
inline void know(EfaTraceBuilder& s, std::uint64_t extras = EfaTraceBuilder::kExtras) {
  s.meet(extras);
  s.pass_grace();
}

// --- edits

inline void clear(efa::Packet& packet, std::uint16_t flags) {
  packet.flags = static_cast<std::uint16_t>(packet.flags & ~unsigned{flags});
}
inline void with_host_id(efa::Packet& packet) {
  packet.flags |= efa::flag::kHostId;
  packet.host_id = 0x1122334455667788;
}
inline void with_cq_data(efa::Packet& packet) {
  packet.flags |= efa::flag::kCqData;
  packet.cq_data = 5;
}
// Swaps two blocks at `begin`: `first` octets, and the `width` octets after them.
inline void swap_blocks(OctetBuffer& octets, std::size_t begin, std::size_t first, std::size_t width) {
  const auto at = octets.begin() + static_cast<std::ptrdiff_t>(begin);
  std::rotate(at, at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(first + width));
}

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// Packets of one-sided operations and of reads, as the samples put them together.
#pragma once

#include "corpora/traces/efa_script.h"

namespace wirelaw::corpora {

// --- 3.2, as one-sided operations and refused reads use it
inline void cts(EfaScript& s, Side from, std::uint32_t send_id, std::uint32_t recv_id, std::uint64_t octets,
                std::uint16_t flags = 0) {
  s.cts(from, send_id, recv_id, octets, [&](EfaScript::Packet& p) { p.flags |= flags; });
}
inline void ctsdata(EfaScript& s, Side from, std::uint32_t recv_id, std::uint64_t offset, std::size_t octets) {
  s.ctsdata(from, recv_id, offset, octets);
}
inline void receipt(EfaScript& s, Side from, std::uint32_t send_id, std::uint32_t msg_id = 0) {
  s.receipt(from, send_id, msg_id);
}

// --- 3.3: from a to b
// A long write of which the request carries the first octets.
inline void long_write(EfaScript& s, std::uint32_t send_id, std::size_t octets, std::size_t now,
                       const EfaScript::Edit& edit = {}, EfaScript::Type type = EfaScript::Type::longcts_rtw) {
  s.request(Side::a, type, octets, [&](EfaScript::Packet& p) {
    p.send_id = send_id;
    p.payload = p.payload.first(now);
    if (edit) edit(p);
  });
}
inline void short_rtr(EfaScript& s, std::uint32_t recv_id, std::size_t octets, const EfaScript::Edit& edit = {}) {
  s.request(Side::a, EfaScript::Type::short_rtr, octets, [&](EfaScript::Packet& p) {
    p.recv_id = recv_id;
    if (edit) edit(p);
  });
}
inline void longcts_rtr(EfaScript& s, std::uint32_t recv_id, std::size_t octets, std::size_t window,
                        const EfaScript::Edit& edit = {}) {
  s.request(Side::a, EfaScript::Type::longcts_rtr, octets, [&](EfaScript::Packet& p) {
    p.recv_id = recv_id;
    p.recv_length = window;
    if (edit) edit(p);
  });
}
inline void readrsp(EfaScript& s, std::uint32_t recv_id, std::uint32_t send_id, std::size_t octets,
                    const EfaScript::Edit& edit = {}) {
  s.answer(
      Side::b, EfaScript::Type::readrsp,
      [&](EfaScript::Packet& p) {
        p.recv_id = recv_id;
        p.send_id = send_id;
        p.recv_length = octets;
        if (edit) edit(p);
      },
      octets);
}
inline void atomrsp(EfaScript& s, std::uint32_t recv_id, std::size_t octets, const EfaScript::Edit& edit = {}) {
  s.answer(
      Side::b, EfaScript::Type::atomrsp,
      [&](EfaScript::Packet& p) {
        p.recv_id = recv_id;
        p.seg_length = octets;
        if (edit) edit(p);
      },
      octets);
}

// --- 4.1, 4.5, 4.7: from a to b
inline void longread(EfaScript& s, std::uint32_t send_id, std::uint64_t octets, const EfaScript::Edit& edit = {},
                     EfaScript::Type type = EfaScript::Type::longread_msgrtm) {
  EfaScript::Packet packet = s.honest(Side::a, type, octets);
  packet.send_id = send_id;
  if (edit) edit(packet);
  s.send(Side::a, packet);
}
inline void eor(EfaScript& s, std::uint32_t send_id, std::uint32_t recv_id, const EfaScript::Edit& edit = {}) {
  s.answer(Side::b, EfaScript::Type::eor, [&](EfaScript::Packet& p) {
    p.send_id = send_id;
    p.recv_id = recv_id;
    if (edit) edit(p);
  });
}
inline void read_nack(EfaScript& s, std::uint32_t send_id, std::uint32_t recv_id) {
  s.answer(Side::b, EfaScript::Type::read_nack, [&](EfaScript::Packet& p) {
    p.send_id = send_id;
    p.recv_id = recv_id;
  });
}

// What follows shows that nothing more is under way: the side goes on, and time goes by.
inline void go_on(EfaScript& s, Side side) {
  s.pause(200'000'000);
  for (int i = 0; i < 9; ++i) s.eager(side);
}

}  // namespace wirelaw::corpora

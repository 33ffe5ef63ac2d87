// SPDX-License-Identifier: Apache-2.0
// Two endpoints whose applications remove each other's address and insert it again (EFA/A-87), and peers that are
// declared to be homogeneous (EFA/A-88).
#include "corpora/traces/efa_operations.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;
using efa::Extra;
namespace flag = efa::flag;
constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;

Builder::Edit id(std::uint32_t msg_id) {
  return [msg_id](Packet& packet) { packet.msg_id = msg_id; };
}
// A conversation in which both sides stop sending raw addresses; after a pause, both addresses are inserted again.
void part(Builder& s) {
  know(s);
  s.pause(700'000'000);
  s.put_addresses_again();
}
// After part(): another endpoint takes the place of this side's (4.4), with its own connid.
efa::RawAddress newcomer(Side side) {
  efa::RawAddress address = Builder::address_of(side);
  address.connid ^= 0x5a5a5a5a;
  return address;
}
void eager_of(Builder& s, const efa::RawAddress& address, Side side, std::uint32_t msg_id) {
  s.eager(side, 16, [&](Packet& packet) {
    clear(packet, flag::kConnid);
    packet.msg_id = msg_id;
    s.put_address(packet, address);
  });
}
void greet_of(Builder& s, const efa::RawAddress& address, Side side) {
  s.handshake(side, Builder::kExtras, [&](Packet& packet) { packet.connid = address.connid; });
}
Builder::Edit of_newcomer(Side side) {
  return [side](Packet& packet) { packet.connid = newcomer(side).connid; };
}
void greet(Builder& s) {
  s.handshake(b);
  s.handshake(a);
}

const EfaSample kSamples[] = {
    {"", "Both sides have removed and inserted each other's address after one message.",
     [](Builder& s) {
       s.meet();
       s.pause(700'000'000);
       s.put_addresses_again();
       s.meet();
       s.eager(b);
       s.eager(a);
     },
     "efa-address-put-in-again"},
    {"", "Addresses are put in again after many messages; the other side is the first to send.",
     [](Builder& s) {
       part(s);
       s.eager(b);
       s.handshake(a);
       s.handshake(b);
       for (int i = 0; i < 3; ++i) s.eager(a), s.eager(b);
     },
     "efa-address-put-in-again-by-responder"},
    {"", "Addresses are put in again, and the device delivers message 1 before message 0.",
     [](Builder& s) {
       part(s);
       s.eager(a, 16, id(1));
       s.eager(a, 16, id(0));
       greet(s);
       s.eager(b);
       s.eager(a);
     },
     "efa-address-put-in-again-disorder"},
    {"", "Addresses are put in again, and a write without buffers makes the peer send its HANDSHAKE.",
     [](Builder& s) {
       part(s);
       s.request(a, Type::eager_rtw, 0, [](Packet& packet) { packet.rma_iov_count = 0, packet.rma_iov = {}; });
       greet(s);
       for (int i = 0; i < 3; ++i) s.eager(a), s.eager(b);
     },
     "efa-address-put-in-again-write-first"},
    {"", "Addresses are put in again two times; the second time a medium message comes first.",
     [](Builder& s) {
       part(s);
       s.meet();
       s.eager(b);
       s.pause(700'000'000);
       s.put_addresses_again();
       for (const std::uint64_t at : {0u, 30u})
         s.request(a, Type::medium_msgrtm, 30,
                   [at](Packet& packet) { packet.msg_id = 0, packet.seg_offset = at, packet.seg_length = 60; });
       greet(s);
       s.eager(b);
     },
     "efa-address-put-in-again-twice"},
    {"", "Addresses are put in again while a long message waits, and its send_id is given again.",
     [](Builder& s) {
       know(s);
       s.request(a, Type::longcts_msgrtm, 100, [](Packet& packet) { packet.send_id = 9, packet.msg_length = 200; });
       s.pause(700'000'000);
       s.put_addresses_again();
       long_message(s);
       greet(s);
       s.eager(b);
       s.eager(a);
     },
     "efa-address-put-in-again-long-message"},
    {"EFA-3.2-1", "Message IDs begin again with a raw address, and one side alone sends a HANDSHAKE again.",
     [](Builder& s) {
       part(s);
       s.eager(a, 17);
       s.handshake(b);
       for (std::size_t i = 0; i < 3; ++i) s.eager(a, 17 + i);
     },
     "greeted-by-one"},
    {"EFA-3.2-1", "Message IDs begin again and both sides send a HANDSHAKE, but the other side counts on.",
     [](Builder& s) {
       part(s);
       s.eager(a, 17);
       greet(s);
       for (std::uint32_t one = 9; one < 12; ++one) s.eager(b, 16, id(one));
     },
     "other-counts-on"},
    {"EFA-3.2-1", "Message IDs begin again with a raw address, and nobody sends a HANDSHAKE.",
     [](Builder& s) {
       part(s);
       for (std::size_t i = 0; i < 3; ++i) s.eager(a, 17 + i);
     },
     "not-greeted"},
    {"EFA-3.2-1", "Both sides meet again, and one then uses a message ID twice.",
     [](Builder& s) {
       part(s);
       s.meet();
       s.eager(b);
       s.eager(a);
       s.eager(a, 17, id(1));
     },
     "after-meeting-again"},

    // ------------------------------------------------------------------------------------------ another endpoint
    {"", "Another endpoint takes a's place, and the device delivers its message 1, an ID that has been used, before 0.",
     [](Builder& s) {
       part(s);
       eager_of(s, newcomer(a), a, 1);
       eager_of(s, newcomer(a), a, 0);
       s.handshake(b);
       greet_of(s, newcomer(a), a);
       s.eager(b);
     },
     "efa-newcomer-disorder"},
    {"", "Another endpoint takes a's place, and the device delivers a message first whose ID is later than all before.",
     [](Builder& s) {
       know(s);
       s.eager(b);
       s.pause(700'000'000);
       s.put_addresses_again();
       for (const std::uint32_t msg_id : {40, 0}) eager_of(s, newcomer(a), a, msg_id);
       for (std::uint32_t msg_id = 1; msg_id < 40; ++msg_id) eager_of(s, newcomer(a), a, msg_id);
       s.handshake(b);
       greet_of(s, newcomer(a), a);
     },
     "efa-newcomer-far-ahead"},
    {"", "Another endpoint takes the place of one that had sent no request, and sends the first.",
     [](Builder& s) {
       s.meet();
       s.pause(700'000'000);
       s.put_addresses_again();
       eager_of(s, newcomer(b), b, 0);
       s.handshake(a);
       greet_of(s, newcomer(b), b);
       s.eager(a);
     },
     "efa-newcomer-asks-first"},
    {"", "Another endpoint takes a's place; b, which knows of it, counts from 0 and is answered.",
     [](Builder& s) {
       s.meet();
       s.eager(b);
       s.pause(700'000'000);
       s.put_addresses_again();
       s.eager(b);
       greet_of(s, newcomer(a), a);
       s.handshake(b);
       s.eager(b);
     },
     "efa-newcomer-is-asked"},
    {"", "Another endpoint takes b's place, and its CTS overtakes its HANDSHAKE.",
     [](Builder& s) {
       s.meet();
       s.eager(b);
       s.pause(700'000'000);
       s.request(a, Type::longcts_msgrtm, 100, [](Packet& packet) { packet.send_id = 9, packet.msg_length = 200; });
       s.cts(b, 9, 3, 100, of_newcomer(b));
       s.ctsdata(a, 3, 100, 100);
       greet_of(s, newcomer(b), b);
       s.handshake(a);
       s.pause(2'000'000'000);
       s.eager(a);
     },
     "efa-newcomer-cts-first"},
    {"", "Another endpoint takes b's place: a CTS of the former one, then two RECEIPTs that overtake the HANDSHAKE.",
     [](Builder& s) {
       s.meet();
       s.pause(700'000'000);
       s.request(a, Type::longcts_msgrtm, 100, [](Packet& packet) { packet.send_id = 9, packet.msg_length = 200; });
       for (const std::uint32_t id : {4u, 5u})
         s.request(a, Type::dc_eager_msgrtm, 16, [id](Packet& packet) { packet.send_id = id; });
       s.receipt(b, 4, 2, of_newcomer(b));
       s.cts(b, 9, 3, 100);
       s.receipt(b, 5, 3, of_newcomer(b));
       greet_of(s, newcomer(b), b);
       s.handshake(a);
       s.pause(2'000'000'000);
       s.eager(a);
     },
     "efa-newcomer-receipts-first"},
    {"", "Another endpoint takes b's place: its READRSP and its first message overtake its HANDSHAKE.",
     [](Builder& s) {
       s.meet();
       s.pause(700'000'000);
       short_rtr(s, 6, 24);
       readrsp(s, 6, 8, 24, of_newcomer(b));
       eager_of(s, newcomer(b), b, 0);
       greet_of(s, newcomer(b), b);
       s.handshake(a);
       s.pause(2'000'000'000);
       s.eager(a);
     },
     "efa-newcomer-readrsp-first"},
    {"", "Another endpoint takes b's place, and the capture ends before its HANDSHAKE comes.",
     [](Builder& s) {
       s.meet();
       s.pause(700'000'000);
       s.request(a, Type::dc_eager_msgrtm, 16, [](Packet& packet) { packet.send_id = 4; });
       s.receipt(b, 4, 1, of_newcomer(b));
     },
     "efa-newcomer-at-the-end"},
    {"", "Another endpoint takes a's place before a has sent its HANDSHAKE, and greets b long after it.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.pause(700'000'000);
       s.eager(b);
       greet_of(s, newcomer(a), a);
       s.handshake(b);
       s.pause(2'000'000'000);
       s.eager(b);
     },
     "efa-newcomer-greets-late"},
    {"EFA-4.4-2", "The first HANDSHAKE comes long after the raw address, with another connid; b greets nobody anew.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.pause(700'000'000);
       s.eager(b);
       greet_of(s, newcomer(a), a);
       s.request(b, Type::dc_eager_msgrtm, 16, [](Packet& packet) { packet.send_id = 4; });
       s.answer(a, Type::receipt, [](Packet& packet) {
         packet.connid = newcomer(a).connid;
         packet.send_id = 4;
         packet.msg_id = 1;
       });
       s.request(a, Type::dc_eager_msgrtm, 16, [](Packet& packet) {
         packet.connid = newcomer(a).connid;
         packet.send_id = 4;
       });
       s.pause(200'000'000);
       s.receipt(b, 4, 1);
       s.pause(2'000'000'000);
     },
     "greets-late"},
    {"EFA-1.4-4", "A raw address with another connid comes back amid the messages, and no HANDSHAKE follows.",
     [](Builder& s) {
       know(s);
       s.pause(700'000'000);
       eager_of(s, newcomer(a), a, 40);
       s.pause(200'000'000);
       for (std::uint32_t msg_id = 41; msg_id < 44; ++msg_id) eager_of(s, newcomer(a), a, msg_id);
       s.pause(2'000'000'000);
     },
     "comes-back"},
    {"EFA-4.4-2",
     "The first raw address comes long after the HANDSHAKEs, with another connid; nobody greets another one.",
     [](Builder& s) {
       s.meet();
       s.pause(700'000'000);
       eager_of(s, newcomer(b), b, 0);
       s.pause(200'000'000);
       s.request(b, Type::dc_eager_msgrtm, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         packet.msg_id = 1;
         packet.send_id = 4;
         s.put_address(packet, newcomer(b));
       });
       s.receipt(a, 4, 1);
       s.pause(2'000'000'000);
     },
     "comes-late"},

    // ------------------------------------------------------------------------------------------ homogeneous peers
    {"", "A LONGREAD_MSGRTM before the HANDSHAKE of a peer that is declared homogeneous.",
     [](Builder& s) {
       read_by_rdma(s);
       greet(s);
       s.eager(a);
     },
     "efa-homogeneous-longread", Severity::violation, "homogeneous_peers"},
    {"", "A LONGREAD_RTW before the HANDSHAKE of a peer that is declared homogeneous.",
     [](Builder& s) {
       s.request(a, Type::longread_rtw, 1000, [](Packet& packet) { packet.send_id = 4; });
       greet(s);
       eor(s, 4, 2);
     },
     "efa-homogeneous-longread-write", Severity::violation, "homogeneous_peers"},
    {"", "RUNTREAD packets before the HANDSHAKE of a peer that is declared homogeneous.",
     [](Builder& s) {
       runted(s);
       greet(s);
     },
     "efa-homogeneous-runting", Severity::violation, "homogeneous_peers"},
    {"", "A delivery complete message before the HANDSHAKE of a peer that is declared homogeneous.",
     [](Builder& s) {
       delivered(s);
       greet(s);
     },
     "efa-homogeneous-delivery-complete", Severity::violation, "homogeneous_peers"},
    {"EFA-2.1-20", "A LONGREAD_MSGRTM to a peer that is declared homogeneous, and does not announce RDMA read.",
     [](Builder& s) {
       longread(s, 4, 1000);
       s.handshake(b, Builder::kExtras & ~efa::extra_bits({Extra::rdma_read}));
       s.handshake(a);
     },
     "declared-homogeneous", Severity::violation, "homogeneous_peers"},
    {"EFA-2.1-20", "RUNTREAD packets before the peer's HANDSHAKE: the peers may have been declared homogeneous.",
     [](Builder& s) {
       runted(s);
       greet(s);
     },
     "runting-may-be-homogeneous", kWarning},
};

}  // namespace

std::span<const EfaSample> efa_meeting_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

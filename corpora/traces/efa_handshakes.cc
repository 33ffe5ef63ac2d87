// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces for the handshake, and for raw addresses before and after it: chapter 2.
#include "corpora/traces/efa_operations.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = efa::Packet;
using Type = efa::PacketType;
using efa::Extra;
namespace flag = efa::flag;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;
constexpr std::uint64_t kExtras = Builder::kExtras;
constexpr std::size_t kHandshakeFields = 8 + 8;  // offset of the optional fields, if there is one member

constexpr std::uint64_t without(Extra extra) {
  return kExtras & ~efa::extra_bits({extra});
}

void insert_zeros(OctetBuffer& octets, std::size_t at, std::size_t count) {
  octets.insert(octets.begin() + static_cast<std::ptrdiff_t>(at), count, 0);
}

// `side` announces less, and the other side announces every extra that is baseline since 2.6: the document that `side`
// follows is not known.
void meet_with_less(Builder& s, Side side, Extra extra) {
  s.eager(a);
  s.handshake(b, side == b ? without(extra) : kExtras);
  s.handshake(a, side == a ? without(extra) : kExtras);
}

const EfaSample kSamples[] = {
    // ------------------------------------------------------------------------------------------------- 2.1, when
    {"EFA-2.1-1", "An endpoint gets requests, sends a message and an answer, and sends no HANDSHAKE.",
     [](Builder& s) {
       s.eager(a);
       s.eager(b);
       s.handshake(a);
       s.request(a, Type::short_rtr, 16, [](Packet& packet) { packet.recv_id = 7; });
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
       s.answer(
           b, Type::readrsp, [](Packet& packet) { packet.recv_id = 7, packet.send_id = 9, packet.recv_length = 16; },
           16);
     }},
    {"EFA-2.1-1", "An endpoint gets requests, sends a message and an answer, and then nothing, not even a HANDSHAKE.",
     [](Builder& s) {
       s.eager(a);
       s.eager(b);
       s.handshake(a);
       short_rtr(s, 7, 16);
       readrsp(s, 7, 9, 16);
       s.pause(2'000'000'000);
     },
     "silence"},
    {"EFA-2.1-1", "An endpoint sends messages and no HANDSHAKE: what it should have answered may not have come.",
     [](Builder& s) {
       s.eager(a);
       s.eager(b);
       s.handshake(a);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
       s.eager(b);
     },
     "asks-alone", kWarning},
    {"EFA-2.1-1", "An endpoint gets messages and sends nothing at all: it may not be there.",
     [](Builder& s) {
       s.eager(a);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
     },
     "silent", kWarning},
    {"EFA-2.1-2",
     "The HANDSHAKE that answers its first message is all that the requester gets: it sends none.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
     },
     {},
     kWarning},
    {"EFA-2.1-3",
     "A second HANDSHAKE says something else than the first.",
     [](Builder& s) {
       s.meet();
       s.handshake(b, without(Extra::read_nack));
     },
     {},
     kWarning},
    {"EFA-2.1-3", "The same HANDSHAKE comes three times.",
     [](Builder& s) {
       s.meet();
       s.handshake(b);
       s.handshake(b);
     },
     "three", kWarning},
    {"EFA-2.1-4",
     "A HANDSHAKE after eight messages in the same direction.",
     [](Builder& s) {
       s.eager(a);
       s.eager(b);
       s.handshake(a);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(b);
       s.handshake(b);
     },
     {},
     kWarning},

    // ----------------------------------------------------------------------------------------------- 2.1, format
    {"EFA-2.1-10", "A HANDSHAKE with nextra_p3 2.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 2, packet.extra_info = {}; });
       s.handshake(a);
     }},
    {"EFA-2.1-10", "A HANDSHAKE without extra_info.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 3, packet.extra_info = {}; });
       s.handshake(a);
     },
     "none", kWarning},
    {"EFA-2.1-11", "A HANDSHAKE with nextra_p3 3 and one member of extra_info.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 3; });
       s.handshake(a);
     }},
    {"EFA-2.1-11", "A HANDSHAKE with nextra_p3 10, three more than there are IDs, and one member.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 10; });
       s.handshake(a);
     },
     "ids"},
    {"EFA-2.1-12",
     "A HANDSHAKE that announces ID 10.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kExtras | 0x400);
       s.handshake(a);
     },
     {},
     kWarning},
    {"EFA-2.1-12", "A HANDSHAKE that announces ID 64, in a second member.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kExtras, [&](Packet& packet) {
         OctetBuffer info(packet.extra_info.begin(), packet.extra_info.end());
         info.resize(16);
         info[8] = 1;
         packet.nextra_p3 = 5, packet.extra_info = s.keep(std::move(info));
       });
       s.handshake(a);
     },
     "second-member", kWarning},
    {"EFA-2.1-13", "A HANDSHAKE with bit 6 of its flags set.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kExtras, [](Packet& packet) { packet.flags |= 0x0040; });
       s.handshake(a);
     }},
    {"EFA-2.1-14", "A HANDSHAKE with a connid and no padding behind it.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.last().octets.resize(kHandshakeFields + 4);
       s.handshake(a);
     }},
    {"EFA-2.1-15", "A HANDSHAKE with host_id in front of connid.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a, kExtras, with_host_id);
       swap_blocks(s.last().octets, kHandshakeFields, 8, 8);
     }},
    {"EFA-2.1-16", "A HANDSHAKE with room for a connid that it does not have in front of host_id.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kExtras, [](Packet& packet) { clear(packet, flag::kConnid), with_host_id(packet); });
       insert_zeros(s.last().octets, kHandshakeFields, 8);
       s.handshake(a);
     }},
    {"EFA-2.1-17",
     "A HANDSHAKE with four octets behind its fields.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kExtras, [&](Packet& packet) { packet.payload = s.keep(OctetBuffer(4)); });
       s.handshake(a);
     },
     {},
     kWarning},

    // ----------------------------------------------------------------------------------------------- 2.1, extras
    {"EFA-2.1-20", "A LONGREAD_RTW before the peer's HANDSHAKE, by an endpoint older than homogeneous peers.",
     [](Builder& s) {
       s.request(a, Type::longread_rtw, 1000, [](Packet& packet) { packet.send_id = 4; });
       s.handshake(b);
       s.handshake(a, without(Extra::read_nack));
       s.answer(b, Type::eor, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2; });
     }},
    {"EFA-2.1-20", "A LONGREAD_MSGRTM before the peer's HANDSHAKE: the peers may have been declared homogeneous.",
     [](Builder& s) {
       s.request(a, Type::longread_msgrtm, 1000, [](Packet& packet) { packet.send_id = 4; });
       s.handshake(b);
       s.handshake(a);
       s.answer(b, Type::eor, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2; });
     },
     "may-be-homogeneous", kWarning},
    {"EFA-2.1-20", "A LONGREAD_MSGRTM before the peer's HANDSHAKE, which does not announce RDMA read.",
     [](Builder& s) {
       s.request(a, Type::longread_msgrtm, 1000, [](Packet& packet) { packet.send_id = 4; });
       s.handshake(b, without(Extra::rdma_read));
       s.handshake(a);
     },
     "not-homogeneous"},
    {"EFA-2.1-20", "A delivery complete message before the peer's HANDSHAKE, which never comes.",
     [](Builder& s) {
       s.eager(a);
       s.request(a, Type::dc_eager_msgrtm, 16, [](Packet& packet) { packet.send_id = 4; });
     },
     "no-handshake", kWarning},
    {"EFA-2.1-21", "A LONGREAD_MSGRTM to a peer that has not announced RDMA read.",
     [](Builder& s) {
       s.meet(without(Extra::rdma_read));
       read_by_rdma(s);
     }},
    {"EFA-2.1-21", "A RUNTREAD_MSGRTM to a peer that has announced runting read, and not RDMA read.",
     [](Builder& s) {
       s.meet(without(Extra::rdma_read));
       runted(s);
     },
     "runting", kWarning},
    {"EFA-2.1-22", "A delivery complete message to a peer that has not announced delivery complete.",
     [](Builder& s) {
       s.meet(without(Extra::delivery_complete));
       delivered(s);
     }},
    {"EFA-2.1-22", "The same of an endpoint that may follow a later document, by which every peer has it.",
     [](Builder& s) {
       meet_with_less(s, b, Extra::delivery_complete);
       delivered(s);
     },
     "later", kWarning},
    {"EFA-2.1-23", "A RUNTREAD_MSGRTM to a peer that has not announced runting read.",
     [](Builder& s) {
       s.meet(without(Extra::runting_read));
       runted(s);
     }},
    {"EFA-2.1-23", "The same of an endpoint that may follow a later document, by which every peer has it.",
     [](Builder& s) {
       meet_with_less(s, b, Extra::runting_read);
       runted(s);
     },
     "later", kWarning},
    {"EFA-2.1-24", "A READ_NACK to a peer that has not announced it.",
     [](Builder& s) {
       s.meet(without(Extra::read_nack));
       nacked(s);
     }},
    {"EFA-2.1-24", "The same of an endpoint that may follow a later document, by which every peer knows it.",
     [](Builder& s) {
       meet_with_less(s, a, Extra::read_nack);
       nacked(s);
     },
     "later", kWarning},

    // --------------------------------------------------------------------------------------------------------- 2.2
    {"EFA-2.2-1", "The second message before the peer's HANDSHAKE has no raw address.",
     [](Builder& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kRawAddress); });
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-2.2-1", "The first packet of all has no raw address.",
     [](Builder& s) {
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kRawAddress); });
       s.handshake(b);
       s.handshake(a);
     },
     "first"},
    {"EFA-2.2-1", "The second message has no raw address, and no HANDSHAKE of the peer is in the capture.",
     [](Builder& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kRawAddress); });
     },
     "no-handshake", kWarning},
    {"EFA-2.2-2", "A message has a raw address long after the HANDSHAKE came.",
     [](Builder& s) {
       know(s);
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         s.put_address(packet, Builder::address_of(a));
       });
     }},
    {"EFA-2.2-2", "A raw address comes back soon behind the HANDSHAKE, in a later message than one without.",
     [](Builder& s) {
       s.meet();
       s.eager(a);
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         s.put_address(packet, Builder::address_of(a));
       });
     },
     "comes-back"},
    {"EFA-2.2-2", "A message without a raw address comes behind a later one with it, which has overtaken it.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         s.put_address(packet, Builder::address_of(a));
         packet.msg_id = 2;
       });
       s.eager(a, 16, [&](Packet& packet) { packet.msg_id = 1; });
     },
     "overtakes"},
};

}  // namespace

std::span<const EfaSample> efa_handshake_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces of the base header, the handshake, raw addresses and connids: chapters 1 and 2, 3.1, 4.3, 4.4.
#include <algorithm>

#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Script = EfaScript;
using Packet = efa::Packet;
using Type = efa::PacketType;
using efa::Extra;
namespace flag = efa::flag;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;
constexpr std::uint64_t kExtras = Script::kExtras;
constexpr std::int64_t kLong = 200'000'000;  // nanoseconds

constexpr std::uint64_t without(Extra extra) {
  return kExtras & ~efa::extra_bits({extra});
}

void clear(Packet& packet, std::uint16_t flags) {
  packet.flags = static_cast<std::uint16_t>(packet.flags & ~unsigned{flags});
}

// ------------------------------------------------------------------------------------------------ whole exchanges

// A delivery complete message from a, and its RECEIPT.
void delivered(Script& s, const Script::Edit& edit_receipt = {}) {
  Packet request;
  s.request(a, Type::dc_eager_msgrtm, 16, [&](Packet& packet) { packet.send_id = 5, request = packet; });
  s.answer(b, Type::receipt, [&](Packet& packet) {
    packet.send_id = 5;
    packet.msg_id = request.msg_id;
    if (edit_receipt) edit_receipt(packet);
  });
}

void read(Script& s, const Script::Edit& edit = {}) {
  s.request(a, Type::short_rtr, 24, [&](Packet& packet) {
    packet.recv_id = 6;
    if (edit) edit(packet);
  });
  s.answer(
      b, Type::readrsp, [](Packet& packet) { packet.recv_id = 6, packet.send_id = 8, packet.recv_length = 24; }, 24);
}

void add_to_memory(Script& s, const Script::Edit& edit = {}) {
  s.request(a, Type::write_rta, 8, [&](Packet& packet) {
    packet.atomic_datatype = 7;  // FI_UINT64
    packet.atomic_op = 2;        // FI_SUM
    if (edit) edit(packet);
  });
}

// A long-CTS message from a of which one CTSDATA carries the second half.
void long_message(Script& s, const Script::Edit& edit_data = {}) {
  s.request(a, Type::longcts_msgrtm, 100, [](Packet& packet) { packet.send_id = 9, packet.msg_length = 200; });
  s.answer(b, Type::cts, [](Packet& packet) { packet.send_id = 9, packet.recv_id = 3, packet.recv_length = 100; });
  s.answer(
      a, Type::ctsdata,
      [&](Packet& packet) {
        packet.recv_id = 3, packet.seg_length = 100, packet.seg_offset = 100;
        if (edit_data) edit_data(packet);
      },
      100);
}

void read_by_rdma(Script& s) {
  s.request(a, Type::longread_msgrtm, 1000, [](Packet& packet) { packet.send_id = 4; });
  s.answer(b, Type::eor, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2; });
}

void nacked(Script& s) {
  Packet first;
  s.request(a, Type::longread_msgrtm, 1000, [&](Packet& packet) { packet.send_id = 4, first = packet; });
  s.answer(b, Type::read_nack, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2; });
  Packet again = s.honest(a, Type::longcts_msgrtm, 1000);
  again.msg_id = first.msg_id;
  again.send_id = 4;
  again.flags |= flag::kReadNack;
  s.send(a, again);
  s.answer(b, Type::cts, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2, packet.recv_length = 1000; });
  s.answer(
      a, Type::ctsdata, [](Packet& packet) { packet.recv_id = 2, packet.seg_length = 1000; }, 1000);
}

void runted(Script& s) {
  s.request(a, Type::runtread_msgrtm, 100, [&](Packet& packet) {
    packet.send_id = 4, packet.runt_length = 100, packet.msg_length = 1000, packet.read_iov = s.iov(1000);
  });
  s.answer(b, Type::eor, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2; });
}

// ------------------------------------------------------------------------------------------------------- edits

// Both sides know each other's HANDSHAKE, and nothing is under way.
void know(Script& s, std::uint64_t extras = kExtras) {
  s.meet(extras);
  s.pass_grace();
}

// The raw address of a with a part changed.
Script::Edit address_with(Script& s, void (*change)(efa::RawAddress&)) {
  return [&s, change](Packet& packet) {
    efa::RawAddress address = Script::address_of(a);
    change(address);
    s.put_address(packet, address);
  };
}

void reverse(OctetBuffer& octets, std::size_t begin, std::size_t width) {
  const auto at = octets.begin() + static_cast<std::ptrdiff_t>(begin);
  std::reverse(at, at + static_cast<std::ptrdiff_t>(width));
}
// Puts `width` octets that stand behind the `first` octets at `begin` in front of them.
void swap_blocks(OctetBuffer& octets, std::size_t begin, std::size_t first, std::size_t width) {
  const auto at = octets.begin() + static_cast<std::ptrdiff_t>(begin);
  std::rotate(at, at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(first + width));
}
void insert_zeros(OctetBuffer& octets, std::size_t at, std::size_t count) {
  octets.insert(octets.begin() + static_cast<std::ptrdiff_t>(at), count, 0);
}

void with_host_id(Packet& packet) {
  packet.flags |= flag::kHostId;
  packet.host_id = 0x1122334455667788;
}
void with_device_version(Packet& packet) {
  packet.flags |= flag::kDeviceVersion;
  packet.device_version = 0xefa1;
}
void with_cq_data(Packet& packet) {
  packet.flags |= flag::kCqData;
  packet.cq_data = 5;
}

constexpr std::size_t kEagerHeader = 8;          // octets of EAGER_MSGRTM
constexpr std::size_t kHandshakeFields = 8 + 8;  // where the optional fields begin, behind one member

const EfaSample kSamples[] = {
    // ------------------------------------------------------------------------------------------------- conforming
    {"", "An eager message, the handshakes, and every kind of REQ packet with the flags of its kind.",
     [](Script& s) {
       s.eager(a, 16, with_cq_data);
       s.handshake(b, kExtras, [](Packet& packet) { with_host_id(packet), with_device_version(packet); });
       s.handshake(a, kExtras, with_device_version);
       s.eager(a);
       s.eager(a, 16, with_cq_data);
       s.request(a, Type::eager_tagrtm, 16);
       s.request(a, Type::eager_rtw, 16, with_cq_data);
       add_to_memory(s);
       read(s);
       delivered(s);
       long_message(s);
       read_by_rdma(s);
       runted(s);
       nacked(s);
     },
     "basics"},
    {"", "Both sides go on beyond the grace: no raw address any more, connid in every packet.",
     [](Script& s) {
       know(s);
       s.eager(a);
       long_message(s);
       delivered(s);
       s.pause(kLong);
       s.eager(b);
     },
     "beyond-the-grace"},
    {"", "The peer asks for a constant header length: the raw address stays in all requests.",
     [](Script& s) {
       know(s, kExtras | efa::extra_bits({Extra::constant_header_length}));
       s.eager(a, 16, with_cq_data);
       s.eager(a);
     },
     "constant-header"},
    {"", "A raw address of 36 octets, 32 and four of padding.",
     [](Script& s) {
       s.eager(a, 16, [&](Packet& packet) {
         OctetBuffer longer(packet.raw_address.begin(), packet.raw_address.end());
         longer.resize(36, 0xee);
         packet.raw_address = s.keep(std::move(longer));
         packet.raw_address_size = 36;
       });
       s.handshake(b);
       s.handshake(a);
     },
     "raw-address-of-36"},
    {"", "Raw address and connid in one REQ packet.",
     [](Script& s) {
       s.eager(a, 16,
               [](Packet& packet) { packet.flags |= flag::kConnid, packet.connid = Script::address_of(a).connid; });
       s.handshake(b);
       s.handshake(a);
     },
     "raw-address-and-connid"},
    {"", "Both sides begin at once: each sends raw addresses until the other's HANDSHAKE has come.",
     [](Script& s) {
       s.eager(a);
       s.eager(b);
       s.eager(a);
       s.handshake(b);
       s.handshake(a);
       s.eager(b);
     },
     "both-begin"},
    {"", "Requests that were on their way when the HANDSHAKE came have raw addresses.",
     [](Script& s) {
       const auto addressed = [&](Packet& packet) {
         clear(packet, flag::kConnid);
         s.put_address(packet, Script::address_of(a));
       };
       s.eager(a);
       s.handshake(b);
       s.eager(a, 16, addressed);
       s.eager(a, 16, addressed);
       s.handshake(a);
       s.eager(a);
     },
     "under-way"},
    {"", "The carriage doubles the HANDSHAKE.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       const OctetBuffer again = s.last().octets;
       s.octets(b, again);
       s.handshake(a);
     },
     "handshake-doubled"},
    {"", "The endpoint of a is closed and another one opened in its place, with another connid.",
     [](Script& s) {
       know(s);
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         address_with(s, [](efa::RawAddress& address) { ++address.connid; })(packet);
         packet.msg_id = 0;
       });
       s.handshake(b);
       s.handshake(a, kExtras, [](Packet& packet) { ++packet.connid; });
     },
     "another-in-its-place"},
    {"", "An endpoint that does not use connid: the request for it is not complied with.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a, kExtras & ~efa::extra_bits({Extra::connid_header}),
                   [](Packet& packet) { clear(packet, flag::kConnid); });
       s.pause(kLong);
       for (int i = 0; i < 12; ++i) s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kConnid); });
     },
     "without-connid"},
    {"", "A flow that begins in its midst with a HANDSHAKE.",
     [](Script& s) {
       s.handshake(b);
       s.handshake(a);
       s.eager(a);
     },
     "from-its-midst"},

    // --------------------------------------------------------------------------------------------------------- 1.3
    {"EFA-1.3-1", "A packet of three octets.",
     [](Script& s) {
       s.meet();
       s.octets(a, {0x40, 0x04, 0x04});
     }},
    {"EFA-1.3-2", "An eager message with version 3.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.version = 3; });
     }},
    {"EFA-1.3-3", "A packet of type 77, which is not assigned.",
     [](Script& s) {
       s.meet();
       s.octets(a, {77, 4, 0, 0, 0, 0, 0, 0});
     }},
    {"EFA-1.3-3", "A PEER_ERROR, type 12 of later documents.",
     [](Script& s) {
       s.meet();
       s.octets(b, {12, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
     },
     "later"},
    {"EFA-1.3-4", "An RTS.",
     [](Script& s) {
       s.meet();
       s.octets(a, {1, 4, 0, 0, 0, 0, 0, 0});
     }},
    {"EFA-1.3-5", "A packet of type 131, which is reserved.",
     [](Script& s) {
       s.meet();
       s.octets(a, {131, 4, 0, 0, 0, 0, 0, 0});
     }},
    {"EFA-1.3-6", "An eager message that ends within its mandatory header.",
     [](Script& s) {
       s.meet();
       s.octets(a, {64, 4, 0x04, 0x80, 1, 0});
     }},
    {"EFA-1.3-7", "A RECEIPT with bit 6 of its flags set.",
     [](Script& s) {
       s.meet();
       delivered(s, [](Packet& packet) { packet.flags |= 0x0040; });
     }},
    {"EFA-1.3-8", "A RECEIPT with an octet behind its header.",
     [](Script& s) {
       s.meet();
       delivered(s, [&](Packet& packet) { packet.payload = s.keep({0}); });
     }},
    {"EFA-1.3-9", "An EAGER_RTW that says two buffers and has one, and 16 octets of data.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { packet.rma_iov_count = 2; });
     }},
    {"EFA-1.3-10", "An eager message with its integers in network order.",
     [](Script& s) {
       s.meet();
       s.eager(a);
       for (const auto& [at, width] : {std::pair{2u, 2u}, {4u, 4u}, {8u, 4u}}) reverse(s.last().octets, at, width);
     }},
    {"EFA-1.3-10", "A HANDSHAKE with its integers in network order.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       for (const auto& [at, width] : {std::pair{2u, 2u}, {4u, 4u}, {8u, 8u}, {16u, 4u}})
         reverse(s.last().octets, at, width);
     },
     "handshake"},

    // --------------------------------------------------------------------------------------------------------- 1.4
    {"EFA-1.4-1", "A raw address of 16 octets.",
     [](Script& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) {
         packet.raw_address = packet.raw_address.first(16);
         packet.raw_address_size = 16;
       });
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-1.4-2", "A raw address with another gid than the packet comes from.",
     [](Script& s) {
       s.eager(a, 16, address_with(s, [](efa::RawAddress& address) { address.gid[15] ^= 1; }));
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-1.4-3", "A raw address with its qpn in network order.",
     [](Script& s) {
       s.eager(a, 16, address_with(s, [](efa::RawAddress& address) { address.qpn = __builtin_bswap16(address.qpn); }));
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-1.4-4", "The second message's raw address has another connid.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         address_with(s, [](efa::RawAddress& address) { ++address.connid; })(packet);
       });
     }},
    {"EFA-1.4-4", "A raw address with another connid; the peer takes it for another endpoint's, and begins anew.",
     [](Script& s) {
       s.meet();
       s.eager(b);
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         address_with(s, [](efa::RawAddress& address) { ++address.connid; })(packet);
       });
       s.eager(b, 8, [](Packet& packet) { packet.msg_id = 0; });
     },
     "peer-begins-anew"},

    // ------------------------------------------------------------------------------------------------- 2.1, when
    {"EFA-2.1-1", "An endpoint gets requests, sends a message and an answer, and sends no HANDSHAKE.",
     [](Script& s) {
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
    {"EFA-2.1-1", "An endpoint sends messages and no HANDSHAKE: what it should have answered may not have come.",
     [](Script& s) {
       s.eager(a);
       s.eager(b);
       s.handshake(a);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
       s.eager(b);
     },
     "asks-alone", kWarning},
    {"EFA-2.1-1", "An endpoint gets messages and sends nothing at all: it may not be there.",
     [](Script& s) {
       s.eager(a);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
     },
     "silent", kWarning},
    {"EFA-2.1-2",
     "The HANDSHAKE that answers its first message is all that the requester gets: it sends none.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.pause(kLong);
       for (int i = 0; i < 8; ++i) s.eager(a);
     },
     {},
     kWarning},
    {"EFA-2.1-3",
     "A second HANDSHAKE says something else than the first.",
     [](Script& s) {
       s.meet();
       s.handshake(b, without(Extra::read_nack));
     },
     {},
     kWarning},
    {"EFA-2.1-3", "The same HANDSHAKE comes three times.",
     [](Script& s) {
       s.meet();
       s.handshake(b);
       s.handshake(b);
     },
     "three", kWarning},
    {"EFA-2.1-4",
     "A HANDSHAKE after eight messages in the same direction.",
     [](Script& s) {
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
     [](Script& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 2, packet.extra_info = {}; });
       s.handshake(a);
     }},
    {"EFA-2.1-10", "A HANDSHAKE without extra_info.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 3, packet.extra_info = {}; });
       s.handshake(a);
     },
     "none", kWarning},
    {"EFA-2.1-11", "A HANDSHAKE with nextra_p3 3 and one member of extra_info.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 3; });
       s.handshake(a);
     }},
    {"EFA-2.1-11", "A HANDSHAKE with nextra_p3 10, three more than there are IDs, and one member.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, 0, [](Packet& packet) { packet.nextra_p3 = 10; });
       s.handshake(a);
     },
     "ids"},
    {"EFA-2.1-12",
     "A HANDSHAKE that announces ID 7.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, kExtras | 0x80);
       s.handshake(a);
     },
     {},
     kWarning},
    {"EFA-2.1-12", "A HANDSHAKE that announces ID 64, in a second member.",
     [](Script& s) {
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
     [](Script& s) {
       s.eager(a);
       s.handshake(b, kExtras, [](Packet& packet) { packet.flags |= 0x0040; });
       s.handshake(a);
     }},
    {"EFA-2.1-13", "A HANDSHAKE with bit 2 of its flags set, and a field behind: a later document's.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, kExtras,
                   [&](Packet& packet) { packet.flags |= 0x0004, packet.payload = s.keep(OctetBuffer(8)); });
       s.handshake(a);
     },
     "later", kWarning},
    {"EFA-2.1-14", "A HANDSHAKE with a connid and no padding behind it.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.last().octets.resize(kHandshakeFields + 4);
       s.handshake(a);
     }},
    {"EFA-2.1-15", "A HANDSHAKE with host_id in front of connid.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a, kExtras, with_host_id);
       swap_blocks(s.last().octets, kHandshakeFields, 8, 8);
     }},
    {"EFA-2.1-16", "A HANDSHAKE with room for a connid that it does not have in front of host_id.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, kExtras, [](Packet& packet) { clear(packet, flag::kConnid), with_host_id(packet); });
       insert_zeros(s.last().octets, kHandshakeFields, 8);
       s.handshake(a);
     }},
    {"EFA-2.1-17",
     "A HANDSHAKE with four octets behind its fields.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b, kExtras, [&](Packet& packet) { packet.payload = s.keep(OctetBuffer(4)); });
       s.handshake(a);
     },
     {},
     kWarning},

    // ----------------------------------------------------------------------------------------------- 2.1, extras
    {"EFA-2.1-20", "A LONGREAD_RTW before the peer's HANDSHAKE.",
     [](Script& s) {
       s.request(a, Type::longread_rtw, 1000, [](Packet& packet) { packet.send_id = 4; });
       s.handshake(b);
       s.handshake(a);
       s.answer(b, Type::eor, [](Packet& packet) { packet.send_id = 4, packet.recv_id = 2; });
     }},
    {"EFA-2.1-20", "A delivery complete message before the peer's HANDSHAKE, which never comes.",
     [](Script& s) {
       s.eager(a);
       s.request(a, Type::dc_eager_msgrtm, 16, [](Packet& packet) { packet.send_id = 4; });
     },
     "no-handshake", kWarning},
    {"EFA-2.1-21", "A LONGREAD_MSGRTM to a peer that has not announced RDMA read.",
     [](Script& s) {
       s.meet(without(Extra::rdma_read));
       read_by_rdma(s);
     }},
    {"EFA-2.1-21", "A RUNTREAD_MSGRTM to a peer that has announced runting read, and not RDMA read.",
     [](Script& s) {
       s.meet(without(Extra::rdma_read));
       runted(s);
     },
     "runting", kWarning},
    {"EFA-2.1-22", "A delivery complete message to a peer that has not announced delivery complete.",
     [](Script& s) {
       s.meet(without(Extra::delivery_complete));
       delivered(s);
     }},
    {"EFA-2.1-23", "A RUNTREAD_MSGRTM to a peer that has not announced runting read.",
     [](Script& s) {
       s.meet(without(Extra::runting_read));
       runted(s);
     }},
    {"EFA-2.1-24", "A READ_NACK to a peer that has not announced it.",
     [](Script& s) {
       s.meet(without(Extra::read_nack));
       nacked(s);
     }},

    // --------------------------------------------------------------------------------------------------------- 2.2
    {"EFA-2.2-1", "The second message before the peer's HANDSHAKE has no raw address.",
     [](Script& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kRawAddress); });
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-2.2-1", "The first packet of all has no raw address.",
     [](Script& s) {
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kRawAddress); });
       s.handshake(b);
       s.handshake(a);
     },
     "first"},
    {"EFA-2.2-2", "A message has a raw address long after the HANDSHAKE came.",
     [](Script& s) {
       know(s);
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         s.put_address(packet, Script::address_of(a));
       });
     }},

    // --------------------------------------------------------------------------------------------------------- 3.1
    {"EFA-3.1-1", "An eager message with bit 6 of its flags set.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= 0x0040; });
     }},
    {"EFA-3.1-1", "An eager message with bit 13, which only a LONGCTS_RTM may have.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= flag::kReadNack; });
     },
     "bit-13"},
    {"EFA-3.1-2", "An eager message without REQ_MSG.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kMsg); });
     }},
    {"EFA-3.1-3", "A tagged message without REQ_TAGGED.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_tagrtm, 16, [](Packet& packet) { clear(packet, flag::kTagged); });
     }},
    {"EFA-3.1-4",
     "A write without REQ_RMA, as all deployed endpoints send them.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { clear(packet, flag::kRma); });
     },
     {},
     kWarning},
    {"EFA-3.1-5", "An atomic without REQ_ATOMIC.",
     [](Script& s) {
       s.meet();
       add_to_memory(s, [](Packet& packet) { clear(packet, flag::kAtomic); });
     }},
    {"EFA-3.1-6", "A write with REQ_MSG.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { packet.flags |= flag::kMsg; });
     }},
    {"EFA-3.1-7", "An untagged message with REQ_TAGGED.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= flag::kTagged; });
     }},
    {"EFA-3.1-8", "A message with REQ_RMA.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= flag::kRma; });
     }},
    {"EFA-3.1-9", "A write with REQ_ATOMIC.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { packet.flags |= flag::kAtomic; });
     }},
    {"EFA-3.1-10", "A raw address header whose size is larger than the packet.",
     [](Script& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { packet.raw_address_size = 0xffff; });
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-3.1-11", "A message that ends within its CQ data header.",
     [](Script& s) {
       s.meet();
       s.eager(a, 0, with_cq_data);
       s.last().octets.resize(kEagerHeader + 4);
     }},
    {"EFA-3.1-12", "The CQ data in front of the raw address: its low half reads as a size of 5.",
     [](Script& s) {
       s.eager(a);
       s.eager(a, 16, with_cq_data);
       swap_blocks(s.last().octets, kEagerHeader, 36, 8);
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-3.1-12", "The CQ data in front of the raw address: its low half reads as a size beyond the packet.",
     [](Script& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { with_cq_data(packet), packet.cq_data = 0xffffff; });
       swap_blocks(s.last().octets, kEagerHeader, 36, 8);
       s.handshake(b);
       s.handshake(a);
     },
     "large"},
    {"EFA-3.1-13", "The connid in front of the CQ data.",
     [](Script& s) {
       s.meet();
       s.eager(a, 16, with_cq_data);
       swap_blocks(s.last().octets, kEagerHeader, 8, 4);
     }},
    {"EFA-3.1-14", "A SHORT_RTR with four octets of padding behind its connid.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::short_rtr, 24, [&](Packet& packet) { packet.payload = s.keep(OctetBuffer(4)); });
     }},
    {"EFA-3.1-15", "A SHORT_RTR with data behind it.",
     [](Script& s) {
       s.meet();
       read(s, [&](Packet& packet) { packet.payload = s.keep({'d', 'a', 't', 'a'}); });
     }},
    {"EFA-3.1-16", "A SHORT_RTR with CQ data.",
     [](Script& s) {
       s.meet();
       read(s, with_cq_data);
     }},

    // ---------------------------------------------------------------------------------------------------- 4.3, 4.4
    {"EFA-4.3-1", "The raw address is left out, though the peer asks for a constant header length.",
     [](Script& s) {
       s.meet(kExtras | efa::extra_bits({Extra::constant_header_length}));
       s.eager(a, 16, [](Packet& packet) {
         clear(packet, flag::kRawAddress);
         packet.flags |= flag::kConnid;
         packet.connid = Script::address_of(a).connid;
       });
     }},
    {"EFA-4.4-1", "A RECEIPT with another connid than the HANDSHAKE.",
     [](Script& s) {
       s.meet();
       delivered(s, [](Packet& packet) { ++packet.connid; });
     }},
    {"EFA-4.4-2", "A HANDSHAKE with another connid than the raw address.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a, kExtras, [](Packet& packet) { ++packet.connid; });
     }},
    {"EFA-4.4-2", "A raw address with another connid than the HANDSHAKE before it.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.eager(b, 16, [&](Packet& packet) {
         efa::RawAddress address = Script::address_of(b);
         ++address.connid;
         s.put_address(packet, address);
       });
       s.handshake(a);
     },
     "address"},
    {"EFA-4.4-3", "A message with its sender's connid and CONNID_HDR clear.",
     [](Script& s) {
       s.meet();
       s.eager(a);
       s.last().octets[3] = 0;
     }},
    {"EFA-4.4-3", "A CTSDATA with its sender's connid and CONNID_HDR clear.",
     [](Script& s) {
       s.meet();
       long_message(s);
       s.last().octets[3] = 0;
     },
     "data"},
    {"EFA-4.4-3", "A HANDSHAKE with its sender's connid and CONNID_HDR clear.",
     [](Script& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a);
       s.last().octets[3] = 0;
     },
     "handshake"},
    {"EFA-4.4-3", "A RECEIPT with CONNID_HDR clear whose padding is its sender's connid.",
     [](Script& s) {
       s.meet();
       delivered(s, [](Packet& packet) { clear(packet, flag::kConnid); });
     },
     "padding", kWarning},
    {"EFA-4.4-4", "A message without connid long after the peer asked for it.",
     [](Script& s) {
       know(s);
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kConnid); });
     }},
    {"EFA-4.4-5", "A CTSDATA without connid long after the peer asked for it.",
     [](Script& s) {
       know(s);
       long_message(s, [](Packet& packet) { clear(packet, flag::kConnid); });
     }},
    {"EFA-4.4-6", "A RECEIPT without connid long after the peer asked for it.",
     [](Script& s) {
       know(s);
       delivered(s, [](Packet& packet) { clear(packet, flag::kConnid), packet.connid = 0; });
     }},
    {"EFA-4.4-7", "A CTSDATA that ends behind its connid, without the padding.",
     [](Script& s) {
       s.meet();
       long_message(s);
       s.last().octets.resize(24 + 4);
     }},
};

}  // namespace

std::span<const EfaSample> efa_basic_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

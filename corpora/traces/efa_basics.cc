// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces for the base header and raw addresses (1), and conforming ones for chapters 1 and 2, 3.1, 4.3, 4.4.
#include <algorithm>

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
constexpr std::uint64_t kExtras = Builder::kExtras;

// Changes a part of a's raw address.
Builder::Edit address_with(Builder& s, void (*change)(efa::RawAddress&)) {
  return [&s, change](Packet& packet) {
    efa::RawAddress address = Builder::address_of(a);
    change(address);
    s.put_address(packet, address);
  };
}

void reverse(OctetBuffer& octets, std::size_t begin, std::size_t width) {
  const auto at = octets.begin() + static_cast<std::ptrdiff_t>(begin);
  std::reverse(at, at + static_cast<std::ptrdiff_t>(width));
}
void with_device_version(Packet& packet) {
  packet.flags |= flag::kDeviceVersion;
  packet.device_version = 0xefa1;
}

const EfaSample kSamples[] = {
    // ------------------------------------------------------------------------------------------------- conforming
    {"", "An eager message, the handshakes, and every kind of REQ packet with the flags of its kind.",
     [](Builder& s) {
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
     [](Builder& s) {
       know(s);
       s.eager(a);
       long_message(s);
       delivered(s);
       s.pause(kLong);
       s.eager(b);
     },
     "beyond-the-grace"},
    {"", "The peer asks for a constant header length: the raw address stays in all requests.",
     [](Builder& s) {
       know(s, kExtras | efa::extra_bits({Extra::constant_header_length}));
       s.eager(a, 16, with_cq_data);
       s.eager(a);
     },
     "constant-header"},
    {"", "A raw address of 36 octets, 32 and four of padding.",
     [](Builder& s) {
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
     [](Builder& s) {
       s.eager(a, 16,
               [](Packet& packet) { packet.flags |= flag::kConnid, packet.connid = Builder::address_of(a).connid; });
       s.handshake(b);
       s.handshake(a);
     },
     "raw-address-and-connid"},
    {"", "Both sides begin at once: each sends raw addresses until the other's HANDSHAKE has come.",
     [](Builder& s) {
       s.eager(a);
       s.eager(b);
       s.eager(a);
       s.handshake(b);
       s.handshake(a);
       s.eager(b);
     },
     "both-begin"},
    {"", "Requests that were on their way when the HANDSHAKE came have raw addresses.",
     [](Builder& s) {
       const auto addressed = [&](Packet& packet) {
         clear(packet, flag::kConnid);
         s.put_address(packet, Builder::address_of(a));
       };
       s.eager(a);
       s.handshake(b);
       s.eager(a, 16, addressed);
       s.eager(a, 16, addressed);
       s.handshake(a);
       s.eager(a);
     },
     "under-way"},
    {"", "The transport doubles the HANDSHAKE.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       const OctetBuffer again = s.last().octets;
       s.octets(b, again);
       s.handshake(a);
     },
     "handshake-doubled"},
    {"", "The endpoint of a is closed and another one opened in its place, with another connid.",
     [](Builder& s) {
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
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       s.handshake(a, kExtras & ~efa::extra_bits({Extra::connid_header}),
                   [](Packet& packet) { clear(packet, flag::kConnid); });
       s.pause(kLong);
       for (int i = 0; i < 12; ++i) s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kConnid); });
     },
     "without-connid"},
    {"", "A flow that begins in its midst with a HANDSHAKE.",
     [](Builder& s) {
       s.handshake(b);
       s.handshake(a);
       s.eager(a);
     },
     "from-its-midst"},

    // --------------------------------------------------------------------------------------------------------- 1.3
    {"EFA-1.3-1", "A packet of three octets.",
     [](Builder& s) {
       s.meet();
       s.octets(a, {0x40, 0x04, 0x04});
     }},
    {"EFA-1.3-2", "An eager message with version 3.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.version = 3; });
     }},
    {"EFA-1.3-3", "A packet of type 77, which is not assigned.",
     [](Builder& s) {
       s.meet();
       s.octets(a, {77, 4, 0, 0, 0, 0, 0, 0});
     }},
    {"EFA-1.3-4", "An RTS.",
     [](Builder& s) {
       s.meet();
       s.octets(a, {1, 4, 0, 0, 0, 0, 0, 0});
     }},
    {"EFA-1.3-5", "A packet of type 131, which is reserved.",
     [](Builder& s) {
       s.meet();
       s.octets(a, {131, 4, 0, 0, 0, 0, 0, 0});
     }},
    {"EFA-1.3-6", "An eager message that ends within its mandatory header.",
     [](Builder& s) {
       s.meet();
       s.octets(a, {64, 4, 0x04, 0x80, 1, 0});
     }},
    {"EFA-1.3-7", "A RECEIPT with bit 6 of its flags set.",
     [](Builder& s) {
       s.meet();
       delivered(s, [](Packet& packet) { packet.flags |= 0x0040; });
     }},
    {"EFA-1.3-8", "A RECEIPT with an octet behind its header.",
     [](Builder& s) {
       s.meet();
       delivered(s, [&](Packet& packet) { packet.payload = s.keep({0}); });
     }},
    {"EFA-1.3-9", "An EAGER_RTW that says two buffers and has one, and 16 octets of data.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { packet.rma_iov_count = 2; });
     }},
    {"EFA-1.3-10", "An eager message with its integers in network order.",
     [](Builder& s) {
       s.meet();
       s.eager(a);
       for (const auto& [at, width] : {std::pair{2u, 2u}, {4u, 4u}, {8u, 4u}}) reverse(s.last().octets, at, width);
     },
     "", Severity::warning},
    {"EFA-1.3-10", "A HANDSHAKE with its integers in network order.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b);
       for (const auto& [at, width] : {std::pair{2u, 2u}, {4u, 4u}, {8u, 8u}, {16u, 4u}})
         reverse(s.last().octets, at, width);
     },
     "handshake", Severity::warning},

    // --------------------------------------------------------------------------------------------------------- 1.4
    {"EFA-1.4-1", "A raw address of 16 octets.",
     [](Builder& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) {
         packet.raw_address = packet.raw_address.first(16);
         packet.raw_address_size = 16;
       });
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-1.4-2", "A raw address with another gid than the packet comes from.",
     [](Builder& s) {
       s.eager(a, 16, address_with(s, [](efa::RawAddress& address) { address.gid[15] ^= 1; }));
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-1.4-3", "A raw address with its qpn in network order.",
     [](Builder& s) {
       s.eager(a, 16, address_with(s, [](efa::RawAddress& address) { address.qpn = __builtin_bswap16(address.qpn); }));
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-1.4-4", "The second message's raw address has another connid.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         address_with(s, [](efa::RawAddress& address) { ++address.connid; })(packet);
       });
     }},
    {"EFA-1.4-4", "A raw address with another connid; the peer takes it for another endpoint's, and begins anew.",
     [](Builder& s) {
       s.meet();
       s.eager(b);
       s.eager(a, 16, [&](Packet& packet) {
         clear(packet, flag::kConnid);
         address_with(s, [](efa::RawAddress& address) { ++address.connid; })(packet);
       });
       s.eager(b, 8, [](Packet& packet) { packet.msg_id = 0; });
     },
     "peer-begins-anew"},
};

}  // namespace

std::span<const EfaSample> efa_basic_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

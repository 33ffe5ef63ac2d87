// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces for the common part of all REQ packets: flags and optional headers (3.1).
#include "corpora/traces/efa_operations.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = efa::Packet;
using Type = efa::PacketType;
namespace flag = efa::flag;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;
constexpr std::size_t kEagerHeader = 8;  // length of EAGER_MSGRTM, in octets

const EfaSample kSamples[] = {
    // --------------------------------------------------------------------------------------------------------- 3.1
    {"EFA-3.1-1", "An eager message with bit 6 of its flags set.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= 0x0040; });
     }},
    {"EFA-3.1-1", "An eager message with bit 13, which only a LONGCTS_RTM may have.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= flag::kReadNack; });
     },
     "bit-13"},
    {"EFA-3.1-2", "An eager message without REQ_MSG.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { clear(packet, flag::kMsg); });
     }},
    {"EFA-3.1-2", "A tagged message with REQ_TAGGED alone.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_tagrtm, 16, [](Packet& packet) { clear(packet, flag::kMsg); });
     },
     "tagged", kWarning},
    {"EFA-3.1-3", "A tagged message without REQ_TAGGED.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_tagrtm, 16, [](Packet& packet) { clear(packet, flag::kTagged); });
     }},
    {"EFA-3.1-4",
     "A write without REQ_RMA, as all deployed endpoints send them.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { clear(packet, flag::kRma); });
     },
     {},
     kWarning},
    {"EFA-3.1-5", "An atomic without REQ_ATOMIC.",
     [](Builder& s) {
       s.meet();
       add_to_memory(s, [](Packet& packet) { clear(packet, flag::kAtomic); });
     }},
    {"EFA-3.1-6", "A write with REQ_MSG.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { packet.flags |= flag::kMsg; });
     }},
    {"EFA-3.1-7", "An untagged message with REQ_TAGGED.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= flag::kTagged; });
     }},
    {"EFA-3.1-8", "A message with REQ_RMA.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, [](Packet& packet) { packet.flags |= flag::kRma; });
     }},
    {"EFA-3.1-9", "A write with REQ_ATOMIC.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 16, [](Packet& packet) { packet.flags |= flag::kAtomic; });
     }},
    {"EFA-3.1-10", "A raw address header whose size is larger than the packet.",
     [](Builder& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { packet.raw_address_size = 0xffff; });
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-3.1-11", "A message that ends within its CQ data header.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 0, with_cq_data);
       s.last().octets.resize(kEagerHeader + 4);
     }},
    {"EFA-3.1-12", "The CQ data in front of the raw address: its low half reads as a size of 5.",
     [](Builder& s) {
       s.eager(a);
       s.eager(a, 16, with_cq_data);
       swap_blocks(s.last().octets, kEagerHeader, 36, 8);
       s.handshake(b);
       s.handshake(a);
     }},
    {"EFA-3.1-12", "The CQ data in front of the raw address: its low half reads as a size beyond the packet.",
     [](Builder& s) {
       s.eager(a);
       s.eager(a, 16, [](Packet& packet) { with_cq_data(packet), packet.cq_data = 0xffffff; });
       swap_blocks(s.last().octets, kEagerHeader, 36, 8);
       s.handshake(b);
       s.handshake(a);
     },
     "large"},
    {"EFA-3.1-13", "The connid in front of the CQ data.",
     [](Builder& s) {
       s.meet();
       s.eager(a, 16, with_cq_data);
       swap_blocks(s.last().octets, kEagerHeader, 8, 4);
     }},
    {"EFA-3.1-14", "A SHORT_RTR with four octets of padding behind its connid.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::short_rtr, 24, [&](Packet& packet) { packet.payload = s.keep(OctetBuffer(4)); });
     }},
    {"EFA-3.1-15", "A SHORT_RTR with data behind it.",
     [](Builder& s) {
       s.meet();
       read(s, [&](Packet& packet) { packet.payload = s.keep({'d', 'a', 't', 'a'}); });
     }},
    {"EFA-3.1-16", "A SHORT_RTR with CQ data.",
     [](Builder& s) {
       s.meet();
       read(s, with_cq_data);
     }},
};

}  // namespace

std::span<const EfaSample> efa_request_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

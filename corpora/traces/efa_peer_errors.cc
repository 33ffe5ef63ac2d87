// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces for PEER_ERROR: 4.10 of later documents. In all samples a has the data.
#include "corpora/traces/efa_operations.h"
#include "corpora/traces/efa_samples.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = efa::Packet;
using Type = efa::PacketType;
using efa::Extra;
using efa::RefKind;

constexpr Side a = Side::a, b = Side::b;
constexpr Severity kWarning = Severity::warning;
constexpr std::uint64_t kExtras = Builder::kExtras | efa::extra_bits({Extra::peer_error});
constexpr std::uint32_t kSend = 4, kReceive = 3;

void error(Builder& s, Side sender, RefKind kind, std::uint32_t id, const Builder::Edit& edit = {}) {
  s.answer(sender, Type::peer_error, [&](Packet& packet) {
    packet.op_id = id;
    packet.ref_kind = static_cast<std::uint32_t>(kind);
    packet.prov_errno = efa::cause::kBadAddress;
    if (edit) edit(packet);
  });
}

// Sends only the REQ packet of a message and returns its msg_id.
std::uint32_t begin_long(Builder& s, std::size_t octets = 100) {
  std::uint32_t msg_id = 0;
  s.request(a, Type::longcts_msgrtm, octets,
            [&](Packet& packet) { packet.send_id = kSend, packet.msg_length = 1000, msg_id = packet.msg_id; });
  return msg_id;
}
std::uint32_t begin_medium(Builder& s) {
  std::uint32_t msg_id = 0;
  s.request(a, Type::medium_msgrtm, 100, [&](Packet& packet) { packet.seg_length = 300, msg_id = packet.msg_id; });
  return msg_id;
}
void next_segment(Builder& s, std::uint32_t msg_id) {
  Packet packet = efa::packet_of(Type::medium_msgrtm);
  packet.flags |= efa::flag::kConnid;
  packet.connid = Builder::address_of(a).connid;
  packet.msg_id = msg_id;
  packet.seg_length = 300;
  packet.seg_offset = 100;
  s.send(a, packet, s.keep(OctetBuffer(200, 7)));
}
// Uses up a message ID of a without sending a message.
std::uint32_t take_id(Builder& s) {
  return s.honest(a, Type::eager_msgrtm).msg_id;
}
void go_on(Builder& s) {
  s.pause(kLong);
  for (int i = 0; i < 10; ++i) s.eager(a);
  for (int i = 0; i < 10; ++i) s.eager(b);
}

const EfaSample kSamples[] = {
    {"", "A read that fails, long-CTS, medium and eager messages that their sender gives up, and what goes on after.",
     [](Builder& s) {
       know(s, kExtras);
       longread(s, kSend, 1000);
       error(s, b, RefKind::ope_index, kSend);
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       begin_long(s);
       s.cts(b, kSend, kReceive, 900);
       s.ctsdata(a, kReceive, 100, 300);
       error(s, a, RefKind::ope_index, kReceive);
       error(s, a, RefKind::msg_id, begin_medium(s));
       error(s, a, RefKind::msg_id_skip, take_id(s));
       go_on(s);
     },
     "peer-errors"},
    {"", "A CTS that crosses the PEER_ERROR of the sender.",
     [](Builder& s) {
       know(s, kExtras);
       begin_long(s);
       s.cts(b, kSend, kReceive, 100);
       s.ctsdata(a, kReceive, 100, 100);
       error(s, a, RefKind::ope_index, kReceive);
       s.cts(b, kSend, kReceive, 800);
       go_on(s);
     },
     "peer-error-crossing"},

    {"EFA-4.10-1", "A PEER_ERROR to a peer that has not announced ID 9.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       error(s, b, RefKind::ope_index, kSend);
     }},
    {"EFA-4.10-1", "A PEER_ERROR before any HANDSHAKE.",
     [](Builder& s) {
       s.eager(a);
       error(s, a, RefKind::msg_id_skip, take_id(s));
     },
     "early", kWarning},
    {"EFA-4.10-2", "A PEER_ERROR with ref_kind 3.",
     [](Builder& s) {
       s.meet(kExtras);
       error(s, a, RefKind{3}, 7);
     }},
    {"EFA-4.10-3", "A PEER_ERROR that names no operation.",
     [](Builder& s) {
       s.meet(kExtras);
       error(s, b, RefKind::ope_index, 77);
     }},
    {"EFA-4.10-4", "A PEER_ERROR for a write whose data is read.",
     [](Builder& s) {
       s.meet(kExtras);
       longread(s, kSend, 1000, {}, Type::longread_rtw);
       error(s, b, RefKind::ope_index, kSend);
     }},
    {"EFA-4.10-5", "A PEER_ERROR for a message of which no packet came.",
     [](Builder& s) {
       s.meet(kExtras);
       error(s, a, RefKind::msg_id, take_id(s));
       s.pause(2'000'000'000);
     }},
    {"EFA-4.10-5", "A PEER_ERROR for a message of which no packet has come by the end of the capture.",
     [](Builder& s) {
       s.meet(kExtras);
       error(s, a, RefKind::msg_id, take_id(s));
     },
     "at-the-end", kWarning},
    {"EFA-4.10-6",
     "A PEER_ERROR that skips a message of which a packet came.",
     [](Builder& s) {
       s.meet(kExtras);
       error(s, a, RefKind::msg_id_skip, begin_medium(s));
     },
     {},
     kWarning},
    {"EFA-4.10-7", "A segment of a message behind the PEER_ERROR that gives it up.",
     [](Builder& s) {
       s.meet(kExtras);
       const std::uint32_t msg_id = begin_medium(s);
       error(s, a, RefKind::msg_id, msg_id);
       s.pause(200'000'000);
       next_segment(s, msg_id);
     }},
    {"", "A PEER_ERROR that overtakes the second segment of the message that it gives up.",
     [](Builder& s) {
       s.meet(kExtras);
       const std::uint32_t msg_id = begin_medium(s);
       error(s, a, RefKind::msg_id, msg_id);
       next_segment(s, msg_id);
       s.pause(2'000'000'000);
       s.eager(a);
     },
     "peer-error-overtakes-segment"},
    {"", "A PEER_ERROR that overtakes every segment of the message that it gives up.",
     [](Builder& s) {
       s.meet(kExtras);
       const std::uint32_t msg_id = take_id(s);
       error(s, a, RefKind::msg_id, msg_id);
       next_segment(s, msg_id);
       s.eager(a);  // so that the packets around the segment are not seconds apart
       s.pause(2'000'000'000);
       s.eager(a);
     },
     "peer-error-overtakes-message"},
    {"EFA-4.10-7", "An EOR behind the PEER_ERROR that says that the data could not be read.",
     [](Builder& s) {
       s.meet(kExtras);
       longread(s, kSend, 1000);
       error(s, b, RefKind::ope_index, kSend);
       eor(s, kSend, kReceive);
     },
     "eor"},
    {"EFA-4.10-7", "A message with a message ID that was skipped.",
     [](Builder& s) {
       s.meet(kExtras);
       const std::uint32_t msg_id = take_id(s);
       error(s, a, RefKind::msg_id_skip, msg_id);
       s.pause(200'000'000);
       s.eager(a, 16, [&](Packet& packet) { packet.msg_id = msg_id; });
     },
     "skipped"},
    {"EFA-4.10-8", "A PEER_ERROR behind the EOR of the same message.",
     [](Builder& s) {
       s.meet(kExtras);
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       error(s, b, RefKind::ope_index, kSend);
     }},
    {"EFA-4.10-8", "Two PEER_ERRORs with different causes for one message.",
     [](Builder& s) {
       s.meet(kExtras);
       longread(s, kSend, 1000);
       error(s, b, RefKind::ope_index, kSend);
       error(s, b, RefKind::ope_index, kSend, [](Packet& packet) { packet.prov_errno = 8; });
     },
     "two"},
    {"EFA-4.10-8", "The same PEER_ERROR two times.",
     [](Builder& s) {
       s.meet(kExtras);
       longread(s, kSend, 1000);
       error(s, b, RefKind::ope_index, kSend);
       error(s, b, RefKind::ope_index, kSend);
     },
     "doubled", kWarning},
    {"EFA-1.3-8", "A PEER_ERROR of 28 octets, as it once stood for a day.",
     [](Builder& s) {
       s.meet(kExtras);
       longread(s, kSend, 1000);
       error(s, b, RefKind::ope_index, kSend, [&](Packet& packet) { packet.payload = s.keep(OctetBuffer(8)); });
     },
     "peer-error"},
};

}  // namespace

std::span<const EfaSample> efa_peer_error_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

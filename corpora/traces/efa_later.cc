// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces of endpoints that follow later documents, and of endpoints whose document is stated: HANDSHAKE,
// baseline features, READ_NACK. PEER_ERROR is in efa_peer_errors.cc.
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
constexpr Severity kViolation = Severity::violation, kWarning = Severity::warning;
constexpr std::string_view kFirst = "2023-10", k26 = "2.6", kMain = "main";
constexpr std::uint64_t kBaseline = 0x5a;
constexpr std::uint64_t kMainExtras = efa::extra_bits({Extra::rdma_read, Extra::peer_error}) | kBaseline;

constexpr std::uint64_t without(std::uint64_t extras, Extra extra) {
  return extras & ~efa::extra_bits({extra});
}

void with_hmem(Packet& packet) {
  packet.flags |= flag::kHmem;
  packet.p2p_supported = 1;
}
void with_user_recv_qp(Packet& packet) {
  packet.flags |= flag::kUserRecvQp;
  packet.user_recv_qpn = 77;
  packet.user_recv_qkey = 0xb0b1b2b4;
}

// The very first packet is a delivery complete message.
void deliver_first(Builder& s, std::uint64_t extras) {
  std::uint32_t msg_id = 0;
  s.request(a, Type::dc_eager_msgrtm, 16, [&](Packet& packet) { packet.send_id = 5, msg_id = packet.msg_id; });
  s.handshake(b, extras);
  s.handshake(a, extras);
  s.receipt(b, 5, msg_id);
}

// The receiver follows a document from 1.22 to 2.5. The sender knows of user receive QPs, and got the HANDSHAKE long
// ago.
void meet_user_recv_qp(Builder& s) {
  s.eager(a);
  s.handshake(b, kBaseline | 0x80, with_user_recv_qp);
  s.handshake(a, kBaseline | 0x100);
  s.pause(kLong);
  for (int i = 0; i < 10; ++i) add_to_memory(s);
}

void refuse_write(Builder& s, bool goes_on) {
  know(s, kMainExtras);
  longread(s, 4, 1000, {}, Type::longread_rtw);
  read_nack(s, 4, 2);
  if (goes_on) {
    long_write(s, 6, 1000, 400);
    cts(s, b, 6, 3, 600);
    ctsdata(s, a, 3, 400, 600);
  }
  s.pause(kLong);
  for (int i = 0; i < 10; ++i) s.eager(a);
}

const EfaSample kSamples[] = {
    // ---------------------------------------------------------------------------------------------- nobody is blamed
    {"", "Endpoints of main: every block in the HANDSHAKE, and a delivery complete message before it.",
     [](Builder& s) {
       std::uint32_t msg_id = 0;
       s.request(a, Type::dc_eager_msgrtm, 16, [&](Packet& packet) { packet.send_id = 5, msg_id = packet.msg_id; });
       s.handshake(b, kMainExtras, with_hmem);
       s.handshake(a, kMainExtras, [](Packet& packet) { with_host_id(packet), with_hmem(packet); });
       s.receipt(b, 5, msg_id);
     },
     "later-main"},
    {"",
     "An endpoint of 2.6, as the user says: a delivery complete message before the HANDSHAKE.",
     [](Builder& s) { deliver_first(s, kBaseline); },
     "later-baseline",
     kViolation,
     {},
     true,
     k26},
    {"",
     "A READ_NACK of an endpoint of main to one of 2023-10 that does not announce it.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kMainExtras);
       s.handshake(a, efa::extra_bits({Extra::rdma_read}) | without(kBaseline, Extra::read_nack));
       nacked(s);
     },
     "later-unannounced",
     kViolation,
     {},
     true,
     {}},
    {"", "A receiver with a user receive QP, of 1.22 to 2.5.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kBaseline | 0x80, with_user_recv_qp);
       s.handshake(a, kBaseline | 0x100);
     },
     "later-user-recv-qp"},
    {"", "Atomics go to the default queue pair of such a receiver, messages to its user receive QP.", meet_user_recv_qp,
     "later-user-recv-qp-apart"},
    {"", "A write that is refused by READ_NACK goes on as a LONGCTS_RTW.", [](Builder& s) { refuse_write(s, true); },
     "later-refused-write"},

    // ---------------------------------------------------------------------------------------- additions after 2023-10
    {"EFA-1.3-3",
     "A PEER_ERROR of an endpoint of 2023-10.",
     [](Builder& s) {
       s.meet();
       s.octets(b, {12, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
     },
     "later",
     kViolation,
     {},
     true,
     kFirst},
    {"EFA-2.1-12",
     "An endpoint of 2023-10 announces ID 7.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, Builder::kExtras | 0x80);
       s.handshake(a);
     },
     "later",
     kWarning,
     {},
     true,
     kFirst},
    {"EFA-2.1-13",
     "A HANDSHAKE of an endpoint of 2023-10 with bit 2 of its flags set, and a field behind.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, Builder::kExtras, with_user_recv_qp);
       s.handshake(a);
     },
     "later",
     kViolation,
     {},
     true,
     kFirst},
    {"EFA-2.1-13",
     "A HANDSHAKE of an endpoint of 2.6 with the HMEM block.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kBaseline, with_hmem);
       s.handshake(a, kBaseline);
     },
     "hmem",
     kViolation,
     {},
     true,
     k26},
    {"EFA-2.1-20",
     "A delivery complete message before the peer's HANDSHAKE, of 2023-10.",
     [](Builder& s) { deliver_first(s, kBaseline); },
     "said",
     kViolation,
     {},
     true,
     kFirst},
    {"EFA-2.1-20", "A delivery complete message before the peer's HANDSHAKE: a later document allows it.",
     [](Builder& s) { deliver_first(s, kBaseline); }, "later", kWarning},
    {"EFA-2.1-20",
     "Delivery complete before the peer's HANDSHAKE, of an endpoint that is older than 2.6: it lacks ID 6.",
     [](Builder& s) { deliver_first(s, without(kBaseline, Extra::read_nack)); }, "older"},

    // ------------------------------------------------------------------------------------------------------ HANDSHAKE
    {"EFA-2.1-30",
     "An endpoint of main does not announce ID 4, which is baseline.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, without(kMainExtras, Extra::runting_read), with_hmem);
       s.handshake(a, kMainExtras, with_hmem);
     },
     {},
     kWarning},
    {"EFA-2.1-31", "p2p_supported is 2.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kMainExtras, [](Packet& packet) { with_hmem(packet), packet.p2p_supported = 2; });
       s.handshake(a, kMainExtras, with_hmem);
     }},
    {"EFA-4.8-1", "ID 7 is announced without a user receive QP.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kBaseline | 0x80);
       s.handshake(a, kBaseline);
     }},
    {"EFA-4.8-1", "A user receive QP without ID 7.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kBaseline, with_user_recv_qp);
       s.handshake(a, kBaseline);
     },
     "block"},
    {"EFA-4.8-3", "A message to the default queue pair of a receiver that has announced a user receive QP.",
     [](Builder& s) {
       meet_user_recv_qp(s);
       s.eager(a);
     }},
    {"EFA-4.8-2",
     "An endpoint of 2.6, as the user says, announces ID 2.",
     [](Builder& s) {
       s.eager(a);
       s.handshake(b, kBaseline | 0x4);
       s.handshake(a, kBaseline);
     },
     {},
     kWarning,
     {},
     true,
     k26},

    // ------------------------------------------------------------------------------------------------------ READ_NACK
    {"EFA-4.7-30",
     "A write that was refused by READ_NACK is not sent again.",
     [](Builder& s) { refuse_write(s, false); },
     {},
     kWarning,
     {},
     true,
     kMain},
};

}  // namespace

std::span<const EfaSample> efa_later_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

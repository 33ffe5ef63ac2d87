// SPDX-License-Identifier: Apache-2.0
// Section 3.3: atomics. In all samples a is the requester.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"
#include "reference/efa/atomic.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;
using efa::AtomicOp;
using efa::Datatype;

constexpr Side a = Side::a, b = Side::b;

// An atomic on FI_UINT64 values in one buffer.
void atomic(Builder& s, Type type, AtomicOp op, std::uint32_t id, const Builder::Edit& edit = {},
            std::size_t octets = 16) {
  s.request(a, type, octets, [&](Packet& p) {
    p.atomic_datatype = static_cast<std::uint32_t>(Datatype::uint64);
    p.atomic_op = static_cast<std::uint32_t>(op);
    p.recv_id = p.send_id = id;
    if (type == Type::compare_rta) p.payload = s.keep(OctetBuffer(2 * octets));
    if (edit) edit(p);
  });
}

void atomics(Builder& s) {
  s.meet();
  atomic(s, Type::write_rta, AtomicOp::sum, 0);
  atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
  atomic(s, Type::compare_rta, AtomicOp::cswap, 8);
  atomrsp(s, 8, 16);
  atomrsp(s, 9, 16);
  atomic(s, Type::fetch_rta, AtomicOp::atomic_read, 9, [](Packet& p) { p.payload = {}; });
  atomrsp(s, 9, 16);
  atomic(s, Type::fetch_rta, AtomicOp::bxor, 9, [&](Packet& p) {
    p.rma_iov_count = 2;
    p.rma_iov = s.iov(16, 2);
  });
  atomrsp(s, 9, 16);
  atomic(s, Type::dc_write_rta, AtomicOp::atomic_write, 2);
  receipt(s, b, 2);
  atomic(s, Type::write_rta, AtomicOp::sum, 0,
         [](Packet& p) { p.atomic_datatype = static_cast<std::uint32_t>(Datatype::real_complex); });
}

const EfaSample kSamples[] = {
    {"", "Atomics: without an answer, fetching, comparing, and with a RECEIPT.", atomics, "atomics"},
    {"EFA-3.3-100", "An atomic on a datatype that does not exist.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0, [](Packet& p) { p.atomic_datatype = 99; });
     }},
    {"EFA-3.3-100", "An atomic on a datatype that a later release may have.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, [](Packet& p) { p.atomic_datatype = 14; });
       atomrsp(s, 9, 16);
     },
     "later", Severity::warning},
    {"EFA-3.3-101", "An atomic operation that does not exist.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp{99}, 9);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-101", "An atomic operation of a later release.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp{19}, 0);
     },
     "later", Severity::warning},
    {"EFA-3.3-102", "A WRITE_RTA that compares.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::cswap, 0);
     }},
    {"EFA-3.3-102", "A DC_WRITE_RTA that reads.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::dc_write_rta, AtomicOp::atomic_read, 2);
       receipt(s, b, 2);
     },
     "dc"},
    {"EFA-3.3-103", "A FETCH_RTA that compares.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::mswap, 9);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-104", "A COMPARE_RTA that adds.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::compare_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-105", "Bits of a floating-point number.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::bor, 0,
              [](Packet& p) { p.atomic_datatype = static_cast<std::uint32_t>(Datatype::real); });
     }},
    {"EFA-3.3-106", "A WRITE_RTA with one octet less of operands than its buffer holds.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0, [](Packet& p) { p.payload = p.payload.first(15); });
     }},
    {"EFA-3.3-107", "A FETCH_RTA with one operand for two values.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, [](Packet& p) { p.payload = p.payload.first(8); });
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-107", "A FETCH_RTA without operands that does not only read.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, [](Packet& p) { p.payload = {}; });
     },
     "none"},
    {"EFA-3.3-108", "A COMPARE_RTA with `buf` and without `compare`.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::compare_rta, AtomicOp::cswap, 9, [](Packet& p) { p.payload = p.payload.first(16); });
     }},
    {"EFA-3.3-109", "An atomic on one and a half values.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0, {}, 12);
     }},
    {"EFA-3.3-110", "An atomic with the recv_id of one without answer.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, {}, 8);
       atomrsp(s, 9, 8);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-111", "An atomic with the send_id of one that waits for its RECEIPT.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::dc_write_rta, AtomicOp::sum, 2);
       atomic(s, Type::dc_write_rta, AtomicOp::sum, 2);
       receipt(s, b, 2);
     }},
    {"EFA-3.3-120", "An ATOMRSP whose length is more than its data.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16, [](Packet& p) { ++p.seg_length; });
     }},
    {"EFA-3.3-121", "An ATOMRSP to an atomic that nobody asked for.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 0x8009, 16);
     }},
    {"EFA-3.3-122", "An ATOMRSP to a WRITE_RTA.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0);
       atomrsp(s, 0, 16);
     }},
    {"EFA-3.3-122", "An ATOMRSP to a WRITE_RTA, with the recv_id of an atomic that was answered before.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
       atomic(s, Type::write_rta, AtomicOp::sum, 0);
       atomrsp(s, 9, 16, [](Packet& p) { p.padding = 1; });
     },
     "known-id"},
    {"EFA-3.3-123", "An ATOMRSP with one of two values.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::compare_rta, AtomicOp::cswap, 9);
       atomrsp(s, 9, 8);
     }},
    {"EFA-3.3-124", "Two ATOMRSP to one atomic.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
       atomrsp(s, 9, 16, [&](Packet& p) { p.payload = s.keep(OctetBuffer(16, 1)); });
     }},
    {"EFA-3.3-124", "The same ATOMRSP two times.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
       atomrsp(s, 9, 16);
     },
     "doubled", Severity::warning},
    {"EFA-3.3-125", "A fetching atomic without an answer.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-3.3-125", "A fetching atomic without an answer, before another one on the same memory that is answered.",
     [](Builder& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       s.pause(200'000'000);
       atomic(s, Type::fetch_rta, AtomicOp::sum, 8);
       atomrsp(s, 8, 16);
       s.pause(2'000'000'000);
     },
     "silence"},
};

}  // namespace

std::span<const EfaSample> efa_atomic_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

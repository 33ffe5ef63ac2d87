// SPDX-License-Identifier: Apache-2.0
// Section 3.3: writes, reads and atomics. In all samples a is the requester.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"
#include "reference/efa/atomic.h"

namespace wirelaw::corpora {
namespace {

using Script = EfaScript;
using Packet = Script::Packet;
using Type = Script::Type;
using efa::AtomicOp;
using efa::Datatype;

constexpr Side a = Side::a, b = Side::b;

Octets iovs(Script& s, std::initializer_list<efa::RmaIov> all) {
  OctetBuffer out;
  for (const efa::RmaIov& one : all) encode(one, out);
  return s.keep(std::move(out));
}

// An atomic on FI_UINT64 values in one buffer.
void atomic(Script& s, Type type, AtomicOp op, std::uint32_t id, const Script::Edit& edit = {},
            std::size_t octets = 16) {
  s.request(a, type, octets, [&](Packet& p) {
    p.atomic_datatype = static_cast<std::uint32_t>(Datatype::uint64);
    p.atomic_op = static_cast<std::uint32_t>(op);
    p.recv_id = p.send_id = id;
    if (type == Type::compare_rta) p.payload = s.keep(OctetBuffer(2 * octets));
    if (edit) edit(p);
  });
}

void writes(Script& s) {
  s.meet();
  s.request(a, Type::eager_rtw, 100);
  s.request(a, Type::eager_rtw, 90, [&](Packet& p) {
    p.rma_iov_count = 3;
    p.rma_iov = s.iov(90, 3);
  });
  s.request(a, Type::eager_rtw, 0, [](Packet& p) {  // as it makes a peer send its HANDSHAKE
    p.rma_iov_count = 0;
    p.rma_iov = {};
  });
  long_write(s, 7, 1000, 400);
  cts(s, b, 7, 3, 500);
  ctsdata(s, a, 3, 400, 500);
  cts(s, b, 7, 3, 100);
  ctsdata(s, a, 3, 900, 100);
  s.request(a, Type::dc_eager_rtw, 64, [](Packet& p) { p.send_id = 7; });
  receipt(s, b, 7);
  long_write(s, 7, 1000, 0, {}, Type::dc_longcts_rtw);
  cts(s, b, 7, 4, 1000);
  ctsdata(s, a, 4, 500, 500);
  ctsdata(s, a, 4, 0, 500);
  receipt(s, b, 7);
  long_write(s, 7, 1000, 400);
}

void reads(Script& s) {
  s.meet();
  short_rtr(s, 3, 100);
  readrsp(s, 3, 60, 100);
  short_rtr(s, 3, 0);
  readrsp(s, 3, 60, 0);
  longcts_rtr(s, 3, 1000, 600);
  longcts_rtr(s, 4, 2000, 2000);
  readrsp(s, 4, 61, 1500);
  readrsp(s, 3, 60, 400);
  ctsdata(s, b, 3, 400, 200);
  ctsdata(s, b, 4, 1500, 500);
  cts(s, a, 60, 3, 400, efa::flag::kCtsEmulatedRead);
  ctsdata(s, b, 3, 600, 400);
  short_rtr(s, 4, 100);
  readrsp(s, 4, 60, 100);
}

void atomics(Script& s) {
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
    {"", "Writes: eager, of nothing, long, and with a RECEIPT.", writes, "writes"},
    {"", "Reads: short, of nothing, and two long ones at a time.", reads, "reads"},
    {"", "Atomics: without an answer, fetching, comparing, and with a RECEIPT.", atomics, "atomics"},

    // ------------------------------------------------------------------------------------------------------- writes
    {"EFA-3.3-5", "A buffer that goes round the end of memory.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 100,
                 [&](Packet& p) { p.rma_iov = iovs(s, {{.addr = ~std::uint64_t{0} - 50, .len = 100, .key = 7}}); });
     }},
    {"EFA-3.3-5", "The second buffer of a read goes round the end of memory.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100, [&](Packet& p) {
         p.rma_iov_count = 2;
         p.rma_iov = iovs(s, {{.addr = 0, .len = 50, .key = 7}, {.addr = ~std::uint64_t{0}, .len = 50, .key = 7}});
       });
       readrsp(s, 3, 60, 100);
     },
     "read"},
    {"EFA-3.3-10", "An eager write of one octet less than its buffers hold.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 100, [](Packet& p) { p.payload = p.payload.first(99); });
     }},
    {"EFA-3.3-10", "An eager write that waits for a RECEIPT, of more than its buffers hold.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::dc_eager_rtw, 100, [&](Packet& p) {
         p.send_id = 7;
         p.rma_iov = s.iov(90);
       });
       receipt(s, b, 7);
     },
     "dc"},
    {"EFA-3.3-10", "An eager write whose buffers cannot be added up.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 100, [&](Packet& p) {
         p.rma_iov_count = 2;
         p.rma_iov = iovs(s, {{.addr = 0, .len = ~std::uint64_t{0}, .key = 7}, {.addr = 0, .len = 101, .key = 7}});
       });
     },
     "overflow"},
    {"EFA-3.3-20", "A long write whose msg_length is more than its buffers hold.",
     [](Script& s) {
       s.meet();
       long_write(s, 7, 1000, 400, [](Packet& p) { ++p.msg_length; });
       cts(s, b, 7, 3, 600);
       ctsdata(s, a, 3, 400, 600);
     }},
    {"EFA-3.3-20", "A long write that waits for a RECEIPT, whose msg_length is less than its buffers hold.",
     [](Script& s) {
       s.meet();
       long_write(
           s, 7, 1000, 999, [](Packet& p) { --p.msg_length; }, Type::dc_longcts_rtw);
       receipt(s, b, 7);
     },
     "dc"},
    {"EFA-3.3-21", "A long write whose request carries more than the write has.",
     [](Script& s) {
       s.meet();
       long_write(s, 7, 1000, 400, [&](Packet& p) { p.payload = s.keep(OctetBuffer(1001)); });
     }},
    {"EFA-3.3-21", "A long write whose request carries all of it.",
     [](Script& s) {
       s.meet();
       long_write(s, 7, 1000, 1000);
     },
     "all-at-once", Severity::warning},
    {"EFA-3.3-22", "A long write with the send_id of one that waits for its CTS.",
     [](Script& s) {
       s.meet();
       long_write(s, 7, 1000, 400);
       long_write(s, 7, 2000, 400);
       cts(s, b, 7, 3, 600);
       ctsdata(s, a, 3, 400, 600);
     }},
    {"EFA-3.3-22", "An eager write with the send_id of one that waits for its RECEIPT.",
     [](Script& s) {
       s.meet();
       s.request(a, Type::dc_eager_rtw, 64, [](Packet& p) { p.send_id = 7; });
       s.request(a, Type::dc_eager_rtw, 65, [](Packet& p) { p.send_id = 7; });
     },
     "dc"},
    {"EFA-3.3-23", "A long write that asks for no credit.",
     [](Script& s) {
       s.meet();
       long_write(s, 7, 1000, 400, [](Packet& p) { p.credit_request = 0; });
     },
     "", Severity::warning},

    {"EFA-3.3-25", "A long write of which nothing but the request may be sent.",
     [](Script& s) {
       s.meet();
       long_write(s, 7, 1000, 400);
       go_on(s, b);
     },
     "", Severity::warning},

    // -------------------------------------------------------------------------------------------------------- reads
    {"EFA-3.3-50", "A short read whose msg_length is more than its buffers hold.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100, [](Packet& p) { ++p.msg_length; });
       readrsp(s, 3, 60, 100);
     }},
    {"EFA-3.3-51", "A long read whose msg_length is less than its buffers hold.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600, [](Packet& p) { --p.msg_length; });
       readrsp(s, 3, 60, 600);
     }},
    {"EFA-3.3-52", "A short read of more than any packet can carry.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 70000);
     }},
    {"EFA-3.3-52", "A short read of more than a packet of the devices known can carry.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 8905);
       readrsp(s, 3, 60, 8905);
     },
     "mtu", Severity::warning},
    {"EFA-3.3-53", "A long read whose requester is ready to receive nothing.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 0);
       readrsp(s, 3, 60, 1000);
     }},
    {"EFA-3.3-54", "A long read whose requester is ready to receive more than it asks for.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 1001);
       readrsp(s, 3, 60, 1000);
     },
     "", Severity::warning},
    {"EFA-3.3-55", "A short read with the recv_id of a read without answer.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       short_rtr(s, 3, 200);
       readrsp(s, 3, 60, 200);
       readrsp(s, 3, 60, 100);
     }},
    {"EFA-3.3-56", "A long read with the recv_id of one whose data is not all there.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       longcts_rtr(s, 3, 2000, 600);
     }},
    {"EFA-3.3-57", "A long read whose requester sends no CTS.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       go_on(s, a);
     },
     "", Severity::warning},
    {"EFA-3.3-60", "A READRSP whose length is more than its data.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100, [](Packet& p) { ++p.recv_length; });
     }},
    {"EFA-3.3-61", "A READRSP to a read that nobody asked for.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 0x8003, 60, 100);
       readrsp(s, 3, 60, 100);
     }},
    {"EFA-3.3-62", "Two READRSP to one read.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100);
       readrsp(s, 3, 61, 100);
     }},
    {"EFA-3.3-62", "The same READRSP two times.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       readrsp(s, 3, 60, 600);
     },
     "doubled", Severity::warning},
    {"EFA-3.3-63", "A short read answered by less than was asked for.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 99);
     }},
    {"EFA-3.3-64", "A long read answered by more than was asked for.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 1000);
       readrsp(s, 3, 60, 1001);
     }},
    {"EFA-3.3-65", "A long read answered by more than the requester is ready to receive.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 601);
     }},
    {"EFA-3.3-66", "A READRSP with its IDs the other way round than in those before.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100);
       short_rtr(s, 3, 100);
       readrsp(s, 60, 3, 100);
     }},
    {"EFA-3.3-67", "READRSP with their IDs in the order of the table.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 60, 3, 100);
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 60, 3, 600);
       cts(s, a, 60, 3, 400, efa::flag::kCtsEmulatedRead);
       ctsdata(s, b, 3, 600, 400);
     },
     "", Severity::warning},
    {"EFA-3.3-68", "Two long reads under way with one send_id.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       longcts_rtr(s, 4, 1000, 600);
       readrsp(s, 3, 60, 600);
       readrsp(s, 4, 60, 600);
     }},
    {"EFA-3.3-69", "A long read without a READRSP.",
     [](Script& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       ctsdata(s, b, 3, 0, 600);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-3.3-70", "A read without an answer.",
     [](Script& s) {
       s.meet();
       short_rtr(s, 3, 100);
       go_on(s, b);
     },
     "", Severity::warning},

    // ------------------------------------------------------------------------------------------------------ atomics
    {"EFA-3.3-100", "An atomic on a datatype that does not exist.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0, [](Packet& p) { p.atomic_datatype = 99; });
     }},
    {"EFA-3.3-100", "An atomic on a datatype that a later release may have.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, [](Packet& p) { p.atomic_datatype = 14; });
       atomrsp(s, 9, 16);
     },
     "later", Severity::warning},
    {"EFA-3.3-101", "An atomic operation that does not exist.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp{99}, 9);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-101", "An atomic operation of a later release.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp{19}, 0);
     },
     "later", Severity::warning},
    {"EFA-3.3-102", "A WRITE_RTA that compares.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::cswap, 0);
     }},
    {"EFA-3.3-102", "A DC_WRITE_RTA that reads.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::dc_write_rta, AtomicOp::atomic_read, 2);
       receipt(s, b, 2);
     },
     "dc"},
    {"EFA-3.3-103", "A FETCH_RTA that compares.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::mswap, 9);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-104", "A COMPARE_RTA that adds.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::compare_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-105", "Bits of a floating-point number.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::bor, 0,
              [](Packet& p) { p.atomic_datatype = static_cast<std::uint32_t>(Datatype::real); });
     }},
    {"EFA-3.3-106", "A WRITE_RTA with one octet less of operands than its buffer holds.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0, [](Packet& p) { p.payload = p.payload.first(15); });
     }},
    {"EFA-3.3-107", "A FETCH_RTA with one operand for two values.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, [](Packet& p) { p.payload = p.payload.first(8); });
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-107", "A FETCH_RTA without operands that does not only read.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, [](Packet& p) { p.payload = {}; });
     },
     "none"},
    {"EFA-3.3-108", "A COMPARE_RTA with `buf` and without `compare`.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::compare_rta, AtomicOp::cswap, 9, [](Packet& p) { p.payload = p.payload.first(16); });
     }},
    {"EFA-3.3-109", "An atomic on one and a half values.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0, {}, 12);
     }},
    {"EFA-3.3-110", "An atomic with the recv_id of one without answer.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9, {}, 8);
       atomrsp(s, 9, 8);
       atomrsp(s, 9, 16);
     }},
    {"EFA-3.3-111", "An atomic with the send_id of one that waits for its RECEIPT.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::dc_write_rta, AtomicOp::sum, 2);
       atomic(s, Type::dc_write_rta, AtomicOp::sum, 2);
       receipt(s, b, 2);
     }},
    {"EFA-3.3-120", "An ATOMRSP whose length is more than its data.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16, [](Packet& p) { ++p.seg_length; });
     }},
    {"EFA-3.3-121", "An ATOMRSP to an atomic that nobody asked for.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 0x8009, 16);
     }},
    {"EFA-3.3-122", "An ATOMRSP to a WRITE_RTA.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::write_rta, AtomicOp::sum, 0);
       atomrsp(s, 0, 16);
     }},
    {"EFA-3.3-123", "An ATOMRSP with one of two values.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::compare_rta, AtomicOp::cswap, 9);
       atomrsp(s, 9, 8);
     }},
    {"EFA-3.3-124", "Two ATOMRSP to one atomic.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
       atomrsp(s, 9, 16, [&](Packet& p) { p.payload = s.keep(OctetBuffer(16, 1)); });
     }},
    {"EFA-3.3-124", "The same ATOMRSP two times.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       atomrsp(s, 9, 16);
       atomrsp(s, 9, 16);
     },
     "doubled", Severity::warning},
    {"EFA-3.3-125", "A fetching atomic without an answer.",
     [](Script& s) {
       s.meet();
       atomic(s, Type::fetch_rta, AtomicOp::sum, 9);
       go_on(s, b);
     },
     "", Severity::warning},
};

}  // namespace

std::span<const EfaSample> efa_one_sided_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// Section 3.3: writes and reads. In all samples a is the requester. Atomics are in efa_atomics.cc.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;

constexpr Side a = Side::a, b = Side::b;

Octets iovs(Builder& s, std::initializer_list<efa::RmaIov> all) {
  OctetBuffer out;
  for (const efa::RmaIov& one : all) encode(one, out);
  return s.keep(std::move(out));
}

void writes(Builder& s) {
  s.meet();
  s.request(a, Type::eager_rtw, 100);
  s.request(a, Type::eager_rtw, 90, [&](Packet& p) {
    p.rma_iov_count = 3;
    p.rma_iov = s.iov(90, 3);
  });
  s.request(a, Type::eager_rtw, 0, [](Packet& p) {  // it makes the peer send its HANDSHAKE (EFA/A-28)
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

void reads(Builder& s) {
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

const EfaSample kSamples[] = {
    {"", "Writes: eager, of nothing, long, and with a RECEIPT.", writes, "writes"},
    {"", "Reads: short, of nothing, and two long ones at a time.", reads, "reads"},

    // ------------------------------------------------------------------------------------------------------- writes
    {"EFA-3.3-5", "A buffer that goes round the end of memory.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 100,
                 [&](Packet& p) { p.rma_iov = iovs(s, {{.addr = ~std::uint64_t{0} - 50, .len = 100, .key = 7}}); });
     }},
    {"EFA-3.3-5", "The second buffer of a read goes round the end of memory.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100, [&](Packet& p) {
         p.rma_iov_count = 2;
         p.rma_iov = iovs(s, {{.addr = 0, .len = 50, .key = 7}, {.addr = ~std::uint64_t{0}, .len = 50, .key = 7}});
       });
       readrsp(s, 3, 60, 100);
     },
     "read"},
    {"EFA-3.3-10", "An eager write of one octet less than its buffers hold.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 100, [](Packet& p) { p.payload = p.payload.first(99); });
     }},
    {"EFA-3.3-10", "An eager write that waits for a RECEIPT, of more than its buffers hold.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::dc_eager_rtw, 100, [&](Packet& p) {
         p.send_id = 7;
         p.rma_iov = s.iov(90);
       });
       receipt(s, b, 7);
     },
     "dc"},
    {"EFA-3.3-10", "An eager write whose buffers cannot be added up.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::eager_rtw, 100, [&](Packet& p) {
         p.rma_iov_count = 2;
         p.rma_iov = iovs(s, {{.addr = 0, .len = ~std::uint64_t{0}, .key = 7}, {.addr = 0, .len = 101, .key = 7}});
       });
     },
     "overflow"},
    {"EFA-3.3-20", "A long write whose msg_length is more than its buffers hold.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 400, [](Packet& p) { ++p.msg_length; });
       cts(s, b, 7, 3, 600);
       ctsdata(s, a, 3, 400, 600);
     }},
    {"EFA-3.3-20", "A long write that waits for a RECEIPT, whose msg_length is less than its buffers hold.",
     [](Builder& s) {
       s.meet();
       long_write(
           s, 7, 1000, 999, [](Packet& p) { --p.msg_length; }, Type::dc_longcts_rtw);
       receipt(s, b, 7);
     },
     "dc"},
    {"EFA-3.3-21", "A long write whose request carries more than the write has.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 400, [&](Packet& p) { p.payload = s.keep(OctetBuffer(1001)); });
     }},
    {"EFA-3.3-21", "A long write whose request carries all of it.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 1000);
     },
     "all-at-once", Severity::warning},
    {"EFA-3.3-22", "A long write with the send_id of one that waits for its CTS.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 400);
       long_write(s, 7, 2000, 400);
       cts(s, b, 7, 3, 600);
       ctsdata(s, a, 3, 400, 600);
     }},
    {"EFA-3.3-22", "An eager write with the send_id of one that waits for its RECEIPT.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::dc_eager_rtw, 64, [](Packet& p) { p.send_id = 7; });
       s.request(a, Type::dc_eager_rtw, 65, [](Packet& p) { p.send_id = 7; });
     },
     "dc"},
    {"EFA-3.3-23", "A long write that asks for no credit.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 400, [](Packet& p) { p.credit_request = 0; });
     },
     "", Severity::warning},

    {"EFA-3.3-25", "A long write of which nothing but the request may be sent.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 400);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-3.3-25", "A long write is allowed nothing, and a later one to the same memory is.",
     [](Builder& s) {
       s.meet();
       long_write(s, 7, 1000, 400);
       s.pause(200'000'000);
       long_write(s, 8, 1000, 400);
       cts(s, b, 8, 3, 600);
       ctsdata(s, a, 3, 400, 600);
       s.pause(2'000'000'000);
     },
     "silence"},

    // -------------------------------------------------------------------------------------------------------- reads
    {"EFA-3.3-50", "A short read whose msg_length is more than its buffers hold.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100, [](Packet& p) { ++p.msg_length; });
       readrsp(s, 3, 60, 100);
     }},
    {"EFA-3.3-51", "A long read whose msg_length is less than its buffers hold.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600, [](Packet& p) { --p.msg_length; });
       readrsp(s, 3, 60, 600);
     }},
    {"EFA-3.3-51", "Such a long read, and a short one with its ID: whose data come then nobody can say.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600, [](Packet& p) { --p.msg_length; });
       readrsp(s, 3, 60, 600);
       s.cts(Side::a, 60, 3, 300);
       short_rtr(s, 3, 4);
       s.ctsdata(Side::b, 3, 600, 300);
     },
     "id-used-again"},
    {"EFA-3.3-52", "A short read of more than any packet can carry.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 70000);
     }},
    {"EFA-3.3-52", "A short read of more than a packet of the devices known can carry.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 8905);
       readrsp(s, 3, 60, 8905);
     },
     "mtu", Severity::warning},
    {"EFA-3.3-53", "A long read whose requester is ready to receive nothing.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 0);
       readrsp(s, 3, 60, 1000);
     }},
    {"EFA-3.3-54", "A long read whose requester is ready to receive more than it asks for.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 1001);
       readrsp(s, 3, 60, 1000);
     },
     "", Severity::warning},
    {"EFA-3.3-55", "A short read with the recv_id of a read without answer.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       short_rtr(s, 3, 200);
       readrsp(s, 3, 60, 200);
       readrsp(s, 3, 60, 100);
     }},
    {"EFA-3.3-55", "The same read request two times: two reads with one recv_id, or UDP has doubled it.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100);
     },
     "doubled", Severity::warning},
    {"EFA-3.3-56", "A long read with the recv_id of one whose data is not all there.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       longcts_rtr(s, 3, 2000, 600);
     }},
    {"EFA-3.3-56", "The same long read request two times.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       longcts_rtr(s, 3, 1000, 600);
     },
     "doubled", Severity::warning},
    {"EFA-3.3-57", "A long read whose requester sends no CTS.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       go_on(s, a);
     },
     "", Severity::warning},
    {"EFA-3.3-57", "A long read whose requester sends no CTS, though it answers others.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       answer_and_fall_silent(s, a);
     },
     "silence"},
    {"EFA-3.3-60", "A READRSP whose length is more than its data.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100, [](Packet& p) { ++p.recv_length; });
     }},
    {"EFA-3.3-61", "A READRSP to a read that nobody asked for.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 0x8003, 60, 100);
       readrsp(s, 3, 60, 100);
     }},
    {"EFA-3.3-62", "Two READRSP to one read.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100);
       readrsp(s, 3, 61, 100);
     }},
    {"EFA-3.3-62", "The same READRSP two times.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 600);
       readrsp(s, 3, 60, 600);
     },
     "doubled", Severity::warning},
    {"EFA-3.3-63", "A short read answered by less than was asked for.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 99);
     }},
    {"EFA-3.3-64", "A long read answered by more than was asked for.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 1000);
       readrsp(s, 3, 60, 1001);
     }},
    {"EFA-3.3-65", "A long read answered by more than the requester is ready to receive.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       readrsp(s, 3, 60, 601);
     }},
    {"EFA-3.3-66", "A READRSP with its IDs the other way round than in those before.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       readrsp(s, 3, 60, 100);
       short_rtr(s, 3, 100);
       readrsp(s, 60, 3, 100);
     }},
    {"EFA-3.3-67", "READRSP with their IDs in the order of the table.",
     [](Builder& s) {
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
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       longcts_rtr(s, 4, 1000, 600);
       readrsp(s, 3, 60, 600);
       readrsp(s, 4, 60, 600);
     }},
    {"EFA-3.3-69", "A long read without a READRSP.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 1000, 600);
       ctsdata(s, b, 3, 0, 600);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-3.3-69", "A long read all of whose data comes by CTSDATA.",
     [](Builder& s) {
       s.meet();
       longcts_rtr(s, 3, 600, 600);
       ctsdata(s, b, 3, 0, 600);
       go_on(s, b);
     },
     "whole", Severity::warning},
    {"EFA-3.3-70", "A read without an answer.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-3.3-70", "A read without an answer, before another one of the same memory that is answered.",
     [](Builder& s) {
       s.meet();
       short_rtr(s, 3, 100);
       s.pause(200'000'000);
       short_rtr(s, 4, 100);
       readrsp(s, 4, 60, 100);
       s.pause(2'000'000'000);
     },
     "silence"},

    // ------------------------------------------------------------------------------------------------------ atomics
};

}  // namespace

std::span<const EfaSample> efa_one_sided_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// Sections 4.1 and 4.5: the receiver reads the data. In all samples a is the source. Refused reads are in
// efa_refused_reads.cc.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;

constexpr Side a = Side::a, b = Side::b;
constexpr std::uint32_t kSend = Runting::kSendId, kReceive = 3;  // the operations' IDs in most samples

void long_reads(Builder& s) {
  s.meet();
  longread(s, kSend, 100'000);
  eor(s, kSend, kReceive);
  longread(s, kSend, 100'000, {}, Type::longread_tagrtm);
  longread(s, 8, 100'000, {}, Type::longread_rtw);
  eor(s, 8, 4);
  eor(s, kSend, kReceive);
  longread(s, kSend, 90'000, [&](Packet& p) {
    p.read_iov_count = 3;
    p.read_iov = s.iov(90'000, 3);
  });
  eor(s, kSend, kReceive);
}

void runting_reads(Builder& s) {
  s.meet();
  Runting one(s, 100'000, 6000);
  one.send(2000);
  one.send(2000);
  one.send(2000);
  eor(s, kSend, kReceive);
  Runting tagged(s, 100'000, 4000, Type::runtread_tagrtm);
  tagged.send(3000, [](Packet& p) { p.seg_offset = 1000; });
  eor(s, kSend, kReceive);
  tagged.send(1000, [](Packet& p) { p.seg_offset = 0; });
  Runting whole(s, 4000, 4000);
  whole.send(2500);
  whole.send(1500);
  Runting doubled(s, 100'000, 4000);
  doubled.send(2000);
  doubled.send(2000);
  s.octets(a, s.last().octets);
  eor(s, kSend, kReceive);
}

const EfaSample kSamples[] = {
    {"", "Messages and a write whose data is read.", long_reads, "long-reads"},
    {"", "Runting messages: in order, out of order, with nothing left to be read, and a packet doubled on its way.",
     runting_reads, "runting-reads"},

    // ---------------------------------------------------------------------------------------------------------- 4.1
    {"EFA-4.1-1", "A LONGREAD_RTM without a buffer to read from.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000, [](Packet& p) {
         p.read_iov_count = 0;
         p.read_iov = {};
       });
     }},
    {"EFA-4.1-2", "A LONGREAD_RTM whose msg_length is less than its buffers hold.",
     [](Builder& s) {
       s.meet();
       longread(
           s, kSend, 1000, [](Packet& p) { --p.msg_length; }, Type::longread_tagrtm);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-3", "A buffer to read from that goes round the end of memory.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000, [&](Packet& p) {
         OctetBuffer iov;
         encode(efa::RmaIov{.addr = ~std::uint64_t{0} - 10, .len = 1000, .key = 7}, iov);
         p.read_iov = s.keep(std::move(iov));
       });
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-4", "A LONGREAD_RTM with the send_id of one without EOR.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       longread(s, kSend, 2000);
       eor(s, kSend, kReceive);
       eor(s, kSend, 4);
     }},
    {"EFA-4.1-4", "A LONGREAD_RTM with the send_id of a message that waits for its CTS; the answers may mean either.",
     [](Builder& s) {
       s.meet();
       s.request(a, Type::longcts_msgrtm, 1000, [](Packet& p) {
         p.send_id = kSend;
         p.payload = p.payload.first(400);
       });
       longread(s, kSend, 1000);
       cts(s, b, kSend, kReceive, 600);
       eor(s, kSend, 4);
     },
     "answered"},
    {"EFA-4.1-5", "A LONGREAD_RTW without a buffer to read from.",
     [](Builder& s) {
       s.meet();
       longread(
           s, kSend, 1000,
           [](Packet& p) {
             p.read_iov_count = 0;
             p.read_iov = {};
           },
           Type::longread_rtw);
     }},
    {"EFA-4.1-6", "A LONGREAD_RTW whose msg_length is less than target and source hold.",
     [](Builder& s) {
       s.meet();
       longread(
           s, kSend, 1000, [](Packet& p) { --p.msg_length; }, Type::longread_rtw);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-7", "A LONGREAD_RTW whose source holds more than its target.",
     [](Builder& s) {
       s.meet();
       longread(
           s, kSend, 1000, [&](Packet& p) { p.read_iov = s.iov(1001); }, Type::longread_rtw);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-8", "A LONGREAD_RTW with the send_id of one without EOR.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000, {}, Type::longread_rtw);
       longread(s, kSend, 2000, {}, Type::longread_rtw);
     }},
    {"EFA-4.1-15", "A LONGREAD_RTM with application data.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000, [&](Packet& p) { p.payload = s.keep(OctetBuffer(4, 'd')); });
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-16", "A LONGREAD_RTW with application data.",
     [](Builder& s) {
       s.meet();
       longread(
           s, kSend, 1000, [&](Packet& p) { p.payload = s.keep(OctetBuffer(4, 'd')); }, Type::longread_rtw);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-20", "An EOR without its fourth word, as early releases sent it.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive, [](Packet& p) {
         p.flags = 0;
         p.short_header = true;
       });
     },
     "", Severity::warning},
    {"EFA-4.1-21", "An EOR with the send_id of nothing.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, 0x8007, kReceive);
     }},
    {"EFA-4.1-21", "An EOR to a write whose data is sent by CTSDATA.",
     [](Builder& s) {
       s.meet();
       long_write(s, kSend, 1000, 400);
       eor(s, kSend, kReceive);
     },
     "long-cts"},
    {"EFA-4.1-21", "An EOR from the side that has the data.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       s.answer(a, Type::eor, [](Packet& p) { p.send_id = kSend; });
     },
     "wrong-side"},
    {"EFA-4.1-22", "Two EOR to one request.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       eor(s, kSend, 4);
     }},
    {"EFA-4.1-22", "The same EOR two times.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000, {}, Type::longread_rtw);
       eor(s, kSend, kReceive);
       eor(s, kSend, kReceive);
     },
     "doubled", Severity::warning},
    {"EFA-4.1-23", "A long read without an EOR.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-4.1-23", "A runting read without an EOR.",
     [](Builder& s) {
       s.meet();
       Runting(s, 5000, 1000).send(1000);
       go_on(s, b);
     },
     "runting", Severity::warning},
    {"EFA-4.1-23", "A long-read write without an EOR, before another one to the same memory that has one.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000, {}, Type::longread_rtw);
       s.pause(200'000'000);
       longread(s, 8, 1000, {}, Type::longread_rtw);
       eor(s, 8, kReceive);
       s.pause(2'000'000'000);
     },
     "silence", Severity::warning},

    // ---------------------------------------------------------------------------------------------------------- 4.5
    {"EFA-4.5-1", "A RUNTREAD packet without data.",
     [](Builder& s) {
       s.meet();
       Runting(s, 5000, 1000).send(0);
     }},
    {"EFA-4.5-2", "A RUNTREAD packet without a buffer to read from.",
     [](Builder& s) {
       s.meet();
       Runting(s, 5000, 1000).send(1000, [](Packet& p) {
         p.read_iov_count = 0;
         p.read_iov = {};
       });
     }},
    {"EFA-4.5-3", "A runting message whose read_iov holds only what is left to be read.",
     [](Builder& s) {
       s.meet();
       Runting(s, 5000, 1000).send(1000, [&](Packet& p) { p.read_iov = s.iov(4000); });
     }},
    {"EFA-4.5-4", "A second RUNTREAD packet with another msg_length.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000, [&](Packet& p) {
         p.msg_length = 5001;
         p.read_iov = s.iov(5001);
       });
     }},
    {"EFA-4.5-5", "A second RUNTREAD packet with another send_id.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000, [](Packet& p) { ++p.send_id; });
     }},
    {"EFA-4.5-6", "A second RUNTREAD packet with another buffer of the same length.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000, [&](Packet& p) {
         p.read_iov_count = 2;
         p.read_iov = s.iov(5000, 2);
       });
     }},
    {"EFA-4.5-7", "A second RUNTREAD packet with another tag.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 2000, Type::runtread_tagrtm);
       one.send(1000);
       one.send(1000, [](Packet& p) { ++p.tag; });
     }},
    {"EFA-4.5-8", "A RUNTREAD packet whose data ends beyond the message.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 4000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 4001; });
     }},
    {"EFA-4.5-9", "Two RUNTREAD packets with the same seg_offset.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 0; });
     }},
    {"EFA-4.5-10", "A runt_length that grows from packet to packet.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { ++p.runt_length; });
     }},
    {"EFA-4.5-11", "A runt_length beyond the message.",
     [](Builder& s) {
       s.meet();
       Runting(s, 5000, 5001).send(1000);
     }},
    {"EFA-4.5-12", "A RUNTREAD packet whose data ends beyond runt_length.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 1500);
       one.send(1000);
       one.send(1000);
     }},
    {"EFA-4.5-13", "A message in which runt_length is the packet's, after one in which it was the message's.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000);
       eor(s, kSend, kReceive);
       Runting two(s, 5000, 1000);
       two.send(1000);
       two.send(1000);
     }},
    {"EFA-4.5-14", "A message in which runt_length is the packet's.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 1000);
       one.send(1000);
       one.send(1000);
       eor(s, kSend, kReceive);
     },
     "", Severity::warning},
    {"EFA-4.5-15", "A runting message that lacks its second RUNTREAD packet.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 2000; });
       eor(s, kSend, kReceive);
       go_on(s, a);
     },
     "", Severity::warning},
    {"EFA-4.5-15", "A runting message lacks its second packet; its sender sends another message, and a second goes by.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 2000; });
       eor(s, kSend, kReceive);
       s.pause(200'000'000);
       s.eager(a);
       s.pause(2'000'000'000);
     },
     "silence"},
    {"EFA-4.5-16", "A runting message with the send_id of one without EOR.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       Runting(s, 5000, 1000).send(1000);
     }},

    // ---------------------------------------------------------------------------------------------------------- 4.7
};

}  // namespace

std::span<const EfaSample> efa_read_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

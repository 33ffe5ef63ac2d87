// SPDX-License-Identifier: Apache-2.0
// Sections 4.1, 4.5 and 4.7: data that the receiver reads. In all samples a has the data.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Script = EfaScript;
using Packet = Script::Packet;
using Type = Script::Type;

constexpr Side a = Side::a, b = Side::b;
constexpr std::uint32_t kSend = 7, kReceive = 3;  // the operations of most samples

// A message of `length` octets that begins with RUNTREAD packets: all of them have its msg_id.
class Runting {
 public:
  Runting(Script& script, std::uint64_t length, std::uint64_t runt, Type type = Type::runtread_msgrtm)
      : script_(script), packet_(script.honest(a, type, length)) {
    packet_.send_id = kSend;
    packet_.runt_length = runt;
  }
  // The next packet of it.
  void send(std::size_t octets, const Script::Edit& edit = {}) {
    Packet packet = packet_;
    packet.seg_offset = sent_;
    packet.payload = script_.keep(OctetBuffer(octets, static_cast<Octet>(1 + sent_ % 251)));
    sent_ += octets;
    if (edit) edit(packet);
    script_.send(a, packet);
  }
  std::uint32_t msg_id() const { return packet_.msg_id; }

 private:
  Script& script_;
  Packet packet_;
  std::uint64_t sent_ = 0;
};

// The LONGCTS_RTM that follows a READ_NACK.
void go_on_with(Script& s, std::uint32_t msg_id, std::uint64_t length, const Script::Edit& edit = {},
                Type type = Type::longcts_msgrtm) {
  Packet packet = efa::packet_of(type);
  packet.flags |= efa::flag::kConnid | efa::flag::kReadNack;
  packet.connid = Script::address_of(a).connid;
  packet.msg_id = msg_id;
  packet.msg_length = length;
  packet.send_id = kSend;
  packet.credit_request = 8;
  if (efa::describe(type).tagged) packet.tag = Script::kTag;
  if (edit) edit(packet);
  s.send(a, packet);
}

void long_reads(Script& s) {
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

void runting_reads(Script& s) {
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

void refused_reads(Script& s) {
  s.meet();
  longread(s, kSend, 1000);
  read_nack(s, kSend, kReceive);
  go_on_with(s, 1, 1000);
  cts(s, b, kSend, kReceive, 1000);
  ctsdata(s, a, kReceive, 0, 1000);
  Runting runting(s, 5000, 4000, Type::runtread_tagrtm);
  runting.send(4000);
  read_nack(s, kSend, kReceive);
  go_on_with(s, runting.msg_id(), 5000, {}, Type::longcts_tagrtm);
  cts(s, b, kSend, kReceive, 1000);
  ctsdata(s, a, kReceive, 4000, 1000);
  longread(s, kSend, 1000, {}, Type::longread_rtw);
  read_nack(s, kSend, kReceive);
  long_write(s, kSend, 1000, 400);
  cts(s, b, kSend, kReceive, 600);
  ctsdata(s, a, kReceive, 400, 600);
  longread(s, kSend, 1000);
  eor(s, kSend, kReceive);
  s.request(a, Type::longcts_msgrtm, 1000, [](Packet& p) {
    p.send_id = kSend;
    p.payload = p.payload.first(400);
  });
  cts(s, b, kSend, kReceive, 600);
  ctsdata(s, a, kReceive, 400, 600);
}

// A message that was refused, up to the READ_NACK. Its msg_id is 1.
void refuse(Script& s, Type type = Type::longread_msgrtm) {
  s.meet();
  longread(s, kSend, 1000, {}, type);
  read_nack(s, kSend, kReceive);
}

const EfaSample kSamples[] = {
    {"", "Messages and a write whose data is read.", long_reads, "long-reads"},
    {"", "Runting messages: in order, out of order, with nothing left to be read, and a packet doubled on its way.",
     runting_reads, "runting-reads"},
    {"", "Reads that were refused: of a message, of a runting one, and of a write.", refused_reads, "refused-reads"},

    // ---------------------------------------------------------------------------------------------------------- 4.1
    {"EFA-4.1-1", "A LONGREAD_RTM without a buffer to read from.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000, [](Packet& p) {
         p.read_iov_count = 0;
         p.read_iov = {};
       });
     }},
    {"EFA-4.1-2", "A LONGREAD_RTM whose msg_length is less than its buffers hold.",
     [](Script& s) {
       s.meet();
       longread(
           s, kSend, 1000, [](Packet& p) { --p.msg_length; }, Type::longread_tagrtm);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-3", "A buffer to read from that goes round the end of memory.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000, [&](Packet& p) {
         OctetBuffer iov;
         encode(efa::RmaIov{.addr = ~std::uint64_t{0} - 10, .len = 1000, .key = 7}, iov);
         p.read_iov = s.keep(std::move(iov));
       });
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-4", "A LONGREAD_RTM with the send_id of one without EOR.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       longread(s, kSend, 2000);
       eor(s, kSend, kReceive);
       eor(s, kSend, 4);
     }},
    {"EFA-4.1-4", "A LONGREAD_RTM with the send_id of a message that waits for its CTS; the answers may mean either.",
     [](Script& s) {
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
     [](Script& s) {
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
     [](Script& s) {
       s.meet();
       longread(
           s, kSend, 1000, [](Packet& p) { --p.msg_length; }, Type::longread_rtw);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-7", "A LONGREAD_RTW whose source holds more than its target.",
     [](Script& s) {
       s.meet();
       longread(
           s, kSend, 1000, [&](Packet& p) { p.read_iov = s.iov(1001); }, Type::longread_rtw);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-8", "A LONGREAD_RTW with the send_id of one without EOR.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000, {}, Type::longread_rtw);
       longread(s, kSend, 2000, {}, Type::longread_rtw);
     }},
    {"EFA-4.1-15", "A LONGREAD_RTM with application data.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000, [&](Packet& p) { p.payload = s.keep(OctetBuffer(4, 'd')); });
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-16", "A LONGREAD_RTW with application data.",
     [](Script& s) {
       s.meet();
       longread(
           s, kSend, 1000, [&](Packet& p) { p.payload = s.keep(OctetBuffer(4, 'd')); }, Type::longread_rtw);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.1-20", "An EOR without its fourth word, as early releases sent it.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive, [](Packet& p) {
         p.flags = 0;
         p.short_header = true;
       });
     },
     "", Severity::warning},
    {"EFA-4.1-21", "An EOR with the send_id of nothing.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, 0x8007, kReceive);
     }},
    {"EFA-4.1-21", "An EOR to a write whose data is sent by CTSDATA.",
     [](Script& s) {
       s.meet();
       long_write(s, kSend, 1000, 400);
       eor(s, kSend, kReceive);
     },
     "long-cts"},
    {"EFA-4.1-21", "An EOR from the side that has the data.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       s.answer(a, Type::eor, [](Packet& p) { p.send_id = kSend; });
     },
     "wrong-side"},
    {"EFA-4.1-22", "Two EOR to one request.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       eor(s, kSend, 4);
     }},
    {"EFA-4.1-22", "The same EOR two times.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000, {}, Type::longread_rtw);
       eor(s, kSend, kReceive);
       eor(s, kSend, kReceive);
     },
     "doubled", Severity::warning},
    {"EFA-4.1-23", "A long read without an EOR.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-4.1-23", "A runting read without an EOR.",
     [](Script& s) {
       s.meet();
       Runting(s, 5000, 1000).send(1000);
       go_on(s, b);
     },
     "runting", Severity::warning},

    // ---------------------------------------------------------------------------------------------------------- 4.5
    {"EFA-4.5-1", "A RUNTREAD packet without data.",
     [](Script& s) {
       s.meet();
       Runting(s, 5000, 1000).send(0);
     }},
    {"EFA-4.5-2", "A RUNTREAD packet without a buffer to read from.",
     [](Script& s) {
       s.meet();
       Runting(s, 5000, 1000).send(1000, [](Packet& p) {
         p.read_iov_count = 0;
         p.read_iov = {};
       });
     }},
    {"EFA-4.5-3", "A runting message whose read_iov holds only what is left to be read.",
     [](Script& s) {
       s.meet();
       Runting(s, 5000, 1000).send(1000, [&](Packet& p) { p.read_iov = s.iov(4000); });
     }},
    {"EFA-4.5-4", "A second RUNTREAD packet with another msg_length.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000, [&](Packet& p) {
         p.msg_length = 5001;
         p.read_iov = s.iov(5001);
       });
     }},
    {"EFA-4.5-5", "A second RUNTREAD packet with another send_id.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000, [](Packet& p) { ++p.send_id; });
     }},
    {"EFA-4.5-6", "A second RUNTREAD packet with another buffer of the same length.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       one.send(1000, [&](Packet& p) {
         p.read_iov_count = 2;
         p.read_iov = s.iov(5000, 2);
       });
     }},
    {"EFA-4.5-7", "A second RUNTREAD packet with another tag.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 2000, Type::runtread_tagrtm);
       one.send(1000);
       one.send(1000, [](Packet& p) { ++p.tag; });
     }},
    {"EFA-4.5-8", "A RUNTREAD packet whose data ends beyond the message.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 4000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 4001; });
     }},
    {"EFA-4.5-9", "Two RUNTREAD packets with the same seg_offset.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 0; });
     }},
    {"EFA-4.5-10", "A runt_length that grows from packet to packet.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { ++p.runt_length; });
     }},
    {"EFA-4.5-11", "A runt_length beyond the message.",
     [](Script& s) {
       s.meet();
       Runting(s, 5000, 5001).send(1000);
     }},
    {"EFA-4.5-12", "A RUNTREAD packet whose data ends beyond runt_length.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 1500);
       one.send(1000);
       one.send(1000);
     }},
    {"EFA-4.5-13", "A message in which runt_length is the packet's, after one in which it was the message's.",
     [](Script& s) {
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
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 1000);
       one.send(1000);
       one.send(1000);
       eor(s, kSend, kReceive);
     },
     "", Severity::warning},
    {"EFA-4.5-15", "A runting message that lacks its second RUNTREAD packet.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 3000);
       one.send(1000);
       one.send(1000, [](Packet& p) { p.seg_offset = 2000; });
       eor(s, kSend, kReceive);
       go_on(s, a);
     },
     "", Severity::warning},
    {"EFA-4.5-16", "A runting message with the send_id of one without EOR.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       Runting(s, 5000, 1000).send(1000);
     }},

    // ---------------------------------------------------------------------------------------------------------- 4.7
    {"EFA-4.7-2", "A READ_NACK with the send_id of nothing.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       read_nack(s, 0x8007, kReceive);
     }},
    {"EFA-4.7-2", "A READ_NACK to a write whose data is sent by CTSDATA.",
     [](Script& s) {
       s.meet();
       long_write(s, kSend, 1000, 400);
       read_nack(s, kSend, kReceive);
     },
     "long-cts"},
    {"EFA-4.7-3", "Two READ_NACK to one request.",
     [](Script& s) {
       refuse(s);
       read_nack(s, kSend, 4);
     }},
    {"EFA-4.7-3", "The same READ_NACK two times.",
     [](Script& s) {
       refuse(s);
       read_nack(s, kSend, kReceive);
     },
     "doubled", Severity::warning},
    {"EFA-4.7-4", "A READ_NACK before all RUNTREAD packets.",
     [](Script& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       read_nack(s, kSend, kReceive);
       one.send(1000);
       go_on_with(s, one.msg_id(), 5000);
     }},
    {"EFA-4.7-5", "An EOR to a request that was refused.",
     [](Script& s) {
       refuse(s);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.7-5", "A READ_NACK to a request whose data was read.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       read_nack(s, kSend, kReceive);
     },
     "after-eor"},
    {"EFA-4.7-5", "A READ_NACK behind an EOR, which may have overtaken it: the sender goes on with the message.",
     [](Script& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       read_nack(s, kSend, kReceive);
       go_on_with(s, 1, 1000);
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     },
     "after-eor-followed"},
    {"EFA-4.7-6", "A message that was refused and goes on with another msg_id.",
     [](Script& s) {
       refuse(s);
       go_on_with(s, 2, 1000);
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     }},
    {"EFA-4.7-7", "A message that was refused and goes on with another length.",
     [](Script& s) {
       refuse(s);
       go_on_with(s, 1, 999);
       cts(s, b, kSend, kReceive, 999);
     }},
    {"EFA-4.7-8", "A message that was refused and goes on with data in its LONGCTS_RTM.",
     [](Script& s) {
       refuse(s);
       go_on_with(s, 1, 1000, [&](Packet& p) { p.payload = s.keep(OctetBuffer(4)); });
       cts(s, b, kSend, kReceive, 996);
     }},
    {"EFA-4.7-9", "A message with a tag that was refused and goes on without.",
     [](Script& s) {
       refuse(s, Type::longread_tagrtm);
       go_on_with(s, 1, 1000);
     }},
    {"EFA-4.7-9", "A message that was refused and goes on with another tag.",
     [](Script& s) {
       refuse(s, Type::longread_tagrtm);
       go_on_with(
           s, 1, 1000, [](Packet& p) { ++p.tag; }, Type::longcts_tagrtm);
     },
     "tag"},
    {"EFA-4.7-10", "A message that was refused and goes on without the mark of deployed endpoints.",
     [](Script& s) {
       refuse(s);
       go_on_with(s, 1, 1000, [](Packet& p) { p.flags &= static_cast<std::uint16_t>(~efa::flag::kReadNack); });
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     },
     "", Severity::warning},
    {"EFA-4.7-11", "A long message with the mark of one that was refused.",
     [](Script& s) {
       s.meet();
       go_on_with(s, 1, 1000);
     },
     "", Severity::warning},
    {"EFA-4.7-12", "A message that was refused and does not go on.",
     [](Script& s) {
       refuse(s);
       go_on(s, a);
     },
     "", Severity::warning},
    {"EFA-4.7-14", "A message that was refused and goes on, and gets no CTS.",
     [](Script& s) {
       refuse(s);
       go_on_with(s, 1, 1000);
       go_on(s, b);
     },
     "", Severity::warning},
};

}  // namespace

std::span<const EfaSample> efa_read_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

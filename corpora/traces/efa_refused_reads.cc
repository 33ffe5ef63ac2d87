// SPDX-License-Identifier: Apache-2.0
// Section 4.7: the receiver refuses to read the data. In all samples a is the source.
#include "corpora/traces/efa_exchanges.h"
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = EfaTraceBuilder;
using Packet = Builder::Packet;
using Type = Builder::Type;

constexpr Side a = Side::a, b = Side::b;
constexpr std::uint32_t kSend = Runting::kSendId, kReceive = 3;  // the operations' IDs in most samples

// The LONGCTS_RTM that follows a READ_NACK.
void go_on_with(Builder& s, std::uint32_t msg_id, std::uint64_t length, const Builder::Edit& edit = {},
                Type type = Type::longcts_msgrtm) {
  Packet packet = efa::packet_of(type);
  packet.flags |= efa::flag::kConnid | efa::flag::kReadNack;
  packet.connid = Builder::address_of(a).connid;
  packet.msg_id = msg_id;
  packet.msg_length = length;
  packet.send_id = kSend;
  packet.credit_request = 8;
  if (efa::describe(type).tagged) packet.tag = Builder::kTag;
  if (edit) edit(packet);
  s.send(a, packet);
}

void refused_reads(Builder& s) {
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

// Sends a message that the receiver refuses, up to the READ_NACK. Its msg_id is 1.
void refuse(Builder& s, Type type = Type::longread_msgrtm) {
  s.meet();
  longread(s, kSend, 1000, {}, type);
  read_nack(s, kSend, kReceive);
}

const EfaSample kSamples[] = {
    {"", "Reads that were refused: of a message, of a runting one, and of a write.", refused_reads, "refused-reads"},
    {"EFA-4.7-2", "A READ_NACK with the send_id of nothing.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       read_nack(s, 0x8007, kReceive);
     }},
    {"EFA-4.7-2", "A READ_NACK to a write whose data is sent by CTSDATA.",
     [](Builder& s) {
       s.meet();
       long_write(s, kSend, 1000, 400);
       read_nack(s, kSend, kReceive);
     },
     "long-cts"},
    {"EFA-4.7-3", "Two READ_NACK to one request.",
     [](Builder& s) {
       refuse(s);
       read_nack(s, kSend, 4);
     }},
    {"EFA-4.7-3", "The same READ_NACK two times.",
     [](Builder& s) {
       refuse(s);
       read_nack(s, kSend, kReceive);
     },
     "doubled", Severity::warning},
    {"EFA-4.7-4", "A READ_NACK before all RUNTREAD packets.",
     [](Builder& s) {
       s.meet();
       Runting one(s, 5000, 2000);
       one.send(1000);
       read_nack(s, kSend, kReceive);
       one.send(1000);
       go_on_with(s, one.msg_id(), 5000);
     }},
    {"EFA-4.7-5", "An EOR to a request that was refused.",
     [](Builder& s) {
       refuse(s);
       eor(s, kSend, kReceive);
     }},
    {"EFA-4.7-5", "A READ_NACK to a request whose data was read.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       read_nack(s, kSend, kReceive);
     },
     "after-eor"},
    {"EFA-4.7-5", "A READ_NACK behind an EOR, which may have overtaken it: the sender goes on with the message.",
     [](Builder& s) {
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
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 2, 1000);
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     },
     "", Severity::warning},
    {"EFA-4.7-7", "A message that was refused and goes on with another length.",
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 1, 999);
       cts(s, b, kSend, kReceive, 999);
     }},
    {"EFA-4.7-8", "A message that was refused and goes on with data in its LONGCTS_RTM.",
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 1, 1000, [&](Packet& p) { p.payload = s.keep(OctetBuffer(4)); });
       cts(s, b, kSend, kReceive, 996);
     }},
    {"EFA-4.7-9", "A message with a tag that was refused and goes on without.",
     [](Builder& s) {
       refuse(s, Type::longread_tagrtm);
       go_on_with(s, 1, 1000);
     }},
    {"EFA-4.7-9", "A message that was refused and goes on with another tag.",
     [](Builder& s) {
       refuse(s, Type::longread_tagrtm);
       go_on_with(
           s, 1, 1000, [](Packet& p) { ++p.tag; }, Type::longcts_tagrtm);
     },
     "tag"},
    {"EFA-4.7-10", "A message that was refused and goes on without the mark of deployed endpoints.",
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 1, 1000, [](Packet& p) { p.flags &= static_cast<std::uint16_t>(~efa::flag::kReadNack); });
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     },
     "", Severity::warning},
    {"EFA-4.7-11", "A long message with the mark of one that was refused.",
     [](Builder& s) {
       s.meet();
       go_on_with(s, 1, 1000);
     },
     "", Severity::warning},
    {"EFA-3.2-1", "A long message with that mark, and the ID of an eager message.",
     [](Builder& s) {
       s.meet();
       s.eager(a);
       go_on_with(s, 1, 1000);
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     },
     "marked-as-refused"},
    {"EFA-3.2-1", "A long message with that mark, and the ID of one whose read has ended.",
     [](Builder& s) {
       s.meet();
       longread(s, kSend, 1000);
       eor(s, kSend, kReceive);
       go_on_with(s, 1, 1000);
       cts(s, b, kSend, kReceive, 1000);
       ctsdata(s, a, kReceive, 0, 1000);
     },
     "marked-after-eor"},
    {"EFA-4.7-12", "A message that was refused and does not go on.",
     [](Builder& s) {
       refuse(s);
       go_on(s, a);
     },
     "", Severity::warning},
    {"EFA-4.7-12", "A message that was refused does not go on, though its sender answers others.",
     [](Builder& s) {
       refuse(s);
       answer_and_fall_silent(s, a);
     },
     "silence"},
    {"EFA-4.7-14", "A message that was refused and goes on, and gets no CTS.",
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 1, 1000);
       go_on(s, b);
     },
     "", Severity::warning},
    {"EFA-4.7-14", "A message that was refused goes on, and gets no CTS, though others are answered.",
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 1, 1000);
       answer_and_fall_silent(s, b);
     },
     "silence"},
    {"EFA-4.7-10",
     "A message that was refused goes on without bit 13, and its receiver, which answers others, drops it.",
     [](Builder& s) {
       refuse(s);
       go_on_with(s, 1, 1000, [](Packet& p) { p.flags &= static_cast<std::uint16_t>(~efa::flag::kReadNack); });
       answer_and_fall_silent(s, b);
     },
     "dropped", Severity::warning},
};

}  // namespace

std::span<const EfaSample> efa_refused_read_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.5: runting read messages. Several RUNTREAD packets carry the beginning of the data; the rest is read.
// runt_length has two readings (EFA/A-04): octets in all RUNTREAD packets of the message, or in this one.
#include "conformance/efa/4.5-runting-read/runting_read.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.1-long-read/long_read.h"
#include "conformance/efa/4.5-runting-read/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

using Fault = RuntreadFact::Fault;

// Checks the fields that are the same in all packets of a message.
bool check_kept(Judge& judge, const SeenPacket& seen, const RuntreadFact::Begun& begun, Fault fault) {
  const Packet& packet = seen.packet;
  return require(judge, rule<"EFA-4.5-4">, fault != Fault::msg_length, seen, Field::msg_length, expected(begun.length),
                 actual(packet.msg_length), "another length than in the packets before") &&
         require(judge, rule<"EFA-4.5-5">, fault != Fault::send_id, seen, Field::send_id, expected(begun.send_id),
                 actual(packet.send_id), "another operation than in the packets before") &&
         require(judge, rule<"EFA-4.5-7">, fault != Fault::kind, seen, seen.layout.tagged ? Field::tag : Field::type,
                 expected([&] { return fmt::format("{} with tag 0x{:x}", begun.request->name, begun.tag); }),
                 actual([&] { return fmt::format("{} with tag 0x{:x}", seen.layout.name, packet.tag); }),
                 "another kind of message, or tag, than in the packets before") &&
         require(judge, rule<"EFA-4.5-6">, fault != Fault::read_iov, seen, Field::read_iov_count,
                 expected("the read_iov of the packets before"), actual("another one"),
                 "the buffers differ from those of the packets before");
}

// Checks the octets of the message that the packet carries.
bool check_segment(Judge& judge, const SeenPacket& seen, Fault fault) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  return judge.require(rule<"EFA-4.5-1">, fault != Fault::no_data, seen.payload(), expected("at least 1 octet of data"),
                       actual(octets), "a RUNTREAD packet for nothing") &&
         require(judge, rule<"EFA-4.5-8">, fault != Fault::beyond_message, seen, Field::seg_offset,
                 expected([&] { return fmt::format("{} octets within {}", octets, packet.msg_length); }),
                 actual(packet.seg_offset), "the data ends beyond the message");
}

bool check_length(Judge& judge, const SeenPacket& seen, const RuntreadFact& fact) {
  const Packet& packet = seen.packet;
  const std::uint64_t octets = seen.payload_octets();
  const auto got = actual(packet.runt_length);
  const auto blame = [&](const Rule& rule, const auto& want, std::string_view why,
                         std::optional<Evidence> evidence = {}) {
    return require(judge, rule, false, seen, Field::runt_length, expected(want), got, why,
                   evidence.value_or(rule.evidence));
  };
  if (fact.fault == Fault::longer_than_message)
    return blame(rule<"EFA-4.5-11">, fmt::format("at most {}", packet.msg_length), "more than the message has");
  if (fact.fault == Fault::not_of_packet)
    return blame(rule<"EFA-4.5-13">, octets, "in the packets before, it was the length of the packet's own data");
  if (fact.fault == Fault::another_length)
    return blame(rule<"EFA-4.5-10">, fact.begun->runt_length, "another length than in the packets before");
  if (fact.fault == Fault::beyond_length)
    return blame(rule<"EFA-4.5-12">, fmt::format("at least {}", packet.seg_offset + octets),
                 "the data of this packet ends beyond it",
                 packet.runt_length == octets ? Evidence::absence : Evidence::octets);
  keeps(judge, rule<"EFA-4.5-11">, rule<"EFA-4.5-10">, rule<"EFA-4.5-12">);
  return true;
}

bool check_meaning(Judge& judge, const SeenPacket& seen, const RuntreadFact& fact) {
  constexpr std::string_view kAll = "the length of all RUNTREAD packets together";
  const auto got = actual(seen.packet.runt_length);
  if (!require(judge, rule<"EFA-4.5-13">, fact.fault != Fault::another_meaning, seen, Field::runt_length,
               expected(fact.meaning_before == Reading::deployed ? kAll : "the length of this packet's data"), got,
               "another meaning than in the messages before"))
    return false;
  advise(judge, rule<"EFA-4.5-14">, fact.meaning == Reading::deployed, seen, Field::runt_length, expected(kAll), got,
         "the length of this packet's data: the receiver cannot know where the reads begin");
  return true;
}

}  // namespace

const ClaimRow kRuntClaims[] = {{Claim::sends_all_runts, &rule<"EFA-4.5-15">, "{due} octets", "{got}",
                                 "long ago, and not all RUNTREAD packets of this message have come"}};

void check_runting_message(Judge& judge, const SeenPacket& seen, const RuntreadFact& fact) {
  if (fact.request && fact.request->id)
    check_free_id(judge, seen, rule<"EFA-4.5-16">, Field::send_id, *fact.request->id);
  if (!fact.is_followed) return;
  const bool good = (fact.begun ? check_kept(judge, seen, *fact.begun, fact.fault)
                                : check_source(judge, seen, *fact.request, rule<"EFA-4.5-2">, rule<"EFA-4.5-3">)) &&
                    check_segment(judge, seen, fact.fault) && check_length(judge, seen, fact) &&
                    (!fact.meaning || check_meaning(judge, seen, fact));
  if (!good || !fact.fresh) return;
  require(judge, rule<"EFA-4.5-9">, fact.fault != Fault::sent_before, seen, Field::seg_offset,
          expected("data that has not been sent"), actual(seen.packet.seg_offset), [&] {
            const std::uint64_t octets = seen.payload_octets();
            return fmt::format("{} of {} octets have been sent before", octets - *fact.fresh, octets);
          });
  if (fact.is_last) keeps(judge, rule<"EFA-4.5-15">);
}

}  // namespace wirelaw::efa

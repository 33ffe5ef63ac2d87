// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: a receiver that cannot read the data sends READ_NACK. The sender then sends the message, or the part
// that its RUNTREAD packets have not carried, by long-CTS. The LONGCTS_RTM that follows is no new message (EFA/A-15,
// EFA/A-16).
#include "conformance/efa/4.7-read-nack/read_nack.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.1-eor/eor.h"
#include "conformance/efa/4.7-read-nack/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

const ClaimRow kNackClaims[] = {
    {Claim::resumes_message, &rule<"EFA-4.7-12">, "a LONGCTS_RTM with the same msg_id", "none",
     "long after the READ_NACK"},
    {Claim::allows_resumed, &rule<"EFA-4.7-14">, "a CTS", "none", "long after the LONGCTS_RTM"},
    {Claim::resumes_write, &rule<"EFA-4.7-30">, "a LONGCTS_RTW to the same buffers", "none",
     "much has been sent since the READ_NACK"},
};

void check_only_end(Judge& judge, const SeenPacket& seen, bool is_only_end) {
  const bool eor = seen.type() == PacketType::eor;
  require(judge, rule<"EFA-4.7-5">, is_only_end, seen, Field::type, expected(eor ? "no EOR" : "no READ_NACK"),
          actual(seen.layout.name),
          eor ? "the message was refused by READ_NACK before" : "an EOR has reported that the data was read");
}

void check_read_nack(Judge& judge, const SeenPacket& seen, const ReadEndFact& fact) {
  if (fact.read) check_read(judge, seen, rule<"EFA-4.7-2">, *fact.read);
  if (fact.is_only_end) check_only_end(judge, seen, *fact.is_only_end);
  if (fact.answer) check_single_answer(judge, seen, rule<"EFA-4.7-3">, *fact.answer);
  if (fact.runts)
    require(judge, rule<"EFA-4.7-4">, fact.runts->sent >= fact.runts->due, seen, Field::type,
            expected([&] { return fmt::format("{} octets in RUNTREAD packets", fact.runts->due); }),
            actual([&] { return fmt::format("{}", fact.runts->sent); }),
            "before all of them had been sent, or the others were not captured");
}

namespace {

// Checks what the LONGCTS_RTM has in common with the refused message, up to the first difference.
bool check_likeness(Judge& judge, const SeenPacket& seen, const ResumptionFact::Refused& before) {
  using enum ResumptionFact::Difference;
  const Packet& packet = seen.packet;
  return advise(judge, rule<"EFA-4.7-6">, before.difference != msg_id, seen, Field::msg_id, expected(before.msg_id),
                actual(packet.msg_id), "a message is missing at a deployed receiver's matching for ever") &&
         require(judge, rule<"EFA-4.7-7">, before.difference != msg_length, seen, Field::msg_length,
                 expected(before.length), actual(packet.msg_length),
                 "another length than the message that was refused") &&
         require(judge, rule<"EFA-4.7-9">, before.difference != kind, seen,
                 seen.layout.tagged ? Field::tag : Field::type,
                 expected([&] { return fmt::format("{} tag 0x{:x}", before.is_tagged ? "the" : "no", before.tag); }),
                 actual([&] { return fmt::format("{}, tag 0x{:x}", seen.layout.name, packet.tag); }),
                 "another kind of message, or tag, than that of the message that was refused") &&
         judge.require(rule<"EFA-4.7-8">, before.difference != data, seen.payload(), expected("no data"),
                       actual(seen.payload_octets()), "all that RUNTREAD packets have not brought goes by CTSDATA");
}

}  // namespace

void check_resumption(Judge& judge, const SeenPacket& seen, const ResumptionFact& fact) {
  const bool marked_by_bit = seen.packet.has(flag::kReadNack);
  if (fact.is_known_to_follow_no)
    advise(judge, rule<"EFA-4.7-11">, !marked_by_bit, seen, Field::flags, expected("bit 13 clear"),
           actual(hex(seen.packet.flags)), "no message with this msg_id was refused");
  if (!fact.refused || !check_likeness(judge, seen, *fact.refused)) return;
  keeps(judge, rule<"EFA-4.7-12">);
  advise(judge, rule<"EFA-4.7-10">, marked_by_bit, seen, Field::flags, expected("bit 13 set"),
         actual(hex(seen.packet.flags)), "deployed receivers take the packet for one that came before");
}

void check_resumed_write(Judge& judge) {
  keeps(judge, rule<"EFA-4.7-30">);
}

}  // namespace wirelaw::efa

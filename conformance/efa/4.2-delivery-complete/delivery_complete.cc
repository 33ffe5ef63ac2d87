// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.2: delivery complete. Its REQ packets are judged with their counterparts (3.2, 3.3); this file judges
// their additional send_id, and the RECEIPT that answers it.
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"

#include "conformance/efa/4.2-delivery-complete/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

const ClaimRow kReceiptClaims[] = {
    {Claim::receives_all_before, &rule<"EFA-4.2-5">, "a RECEIPT after all {due} octets", "after {got} of them",
     "the others have never been sent, or were not captured"},
    {Claim::sends_receipt, &rule<"EFA-4.2-7">, "a RECEIPT after it", "none", "this ends the data of a {request}"},
};

void check_receipted_send_id(Judge& judge, const SeenPacket& seen, const IdFact& fact) {
  require(judge, rule<"EFA-4.2-8">, !fact.is_for_receipt, seen, Field::send_id,
          expected("the ID of no operation that waits for its RECEIPT"), actual(seen.packet.send_id), [&] {
            return fmt::format("that of the {} in packet {}", fact.holder->request->name, fact.holder->begun + 1);
          });
}

void check_segment_send_id(Judge& judge, const SeenPacket& seen, std::uint32_t begun_with) {
  require(judge, rule<"EFA-4.2-6">, seen.packet.send_id == begun_with, seen, Field::send_id,
          expected([&] { return fmt::format("{}", begun_with); }), actual(seen.packet.send_id),
          "the message began with it");
}

// `shown_by`: the packet that shows that data of the operation was still missing.
void check_early_receipt(Judge& judge, const SeenPacket& seen, const Message& receipt, std::string_view shown_by,
                         std::string_view explanation) {
  judge.at(receipt);
  judge.require(rule<"EFA-4.2-5">, false, {0, receipt.wire_length}, expected("a RECEIPT after all data"),
                actual([&] { return fmt::format("{} in packet {} of the flow", shown_by, seen.message.index + 1); }),
                explanation);
  judge.at(seen.message);
}

namespace {

// Checks that an operation with this send_id has asked for a RECEIPT.
void check_asked_for(Judge& judge, const SeenPacket& seen, const ReceiptFact& fact) {
  using enum ReceiptFact::Of;
  const auto got = actual(seen.packet.send_id);
  if (fact.of != none)
    require(judge, rule<"EFA-4.2-1">, fact.of != no_such, seen, Field::send_id,
            expected("the send_id of an operation that waits"), got,
            "no packet has given an operation that ID, or the one that did was not captured");
  if (fact.of == no_such || fact.of == doubtful) return;
  require(judge, rule<"EFA-4.2-2">, fact.of != none && fact.of != unasked, seen, Field::send_id, expected("no RECEIPT"),
          got, [&] {
            return fact.of == none ? "no operation waits for one, or the packet that asked for it was not captured"
                                   : fmt::format("a {} began that operation", fact.request->name);
          });
}

void check_another(Judge& judge, const SeenPacket& seen, const ReceiptFact& fact) {
  if (fact.msg_id && fact.msg_id != seen.packet.msg_id)
    require(judge, rule<"EFA-4.2-2">, false, seen, Field::msg_id, expected("no RECEIPT"), actual(seen.packet.msg_id),
            "no message with that msg_id waits for one");
  else
    judge_due(judge, !seen.doubled, rule<"EFA-4.2-4">, false, seen.at(Field::send_id), expected("one RECEIPT"),
              actual(seen.doubled ? "the same RECEIPT again" : "another one"), [&] {
                return seen.doubled ? std::string("it has been sent twice, or UDP has doubled it")
                                    : fmt::format("packet {} of the flow was the first", fact.before + 1);
              });
}

}  // namespace

void check_receipt(Judge& judge, const SeenPacket& seen, const ReceiptFact& fact) {
  using enum ReceiptFact::Of;
  if (fact.of == unknown) return;
  check_asked_for(judge, seen, fact);
  if (fact.of == another) return check_another(judge, seen, fact);
  if (fact.of != first) return;
  keeps(judge, rule<"EFA-4.2-4">);
  if (fact.msg_id)
    require(judge, rule<"EFA-4.2-3">, seen.packet.msg_id == *fact.msg_id, seen, Field::msg_id, expected(*fact.msg_id),
            actual(seen.packet.msg_id), "the message has another ID");
  if (fact.has_all_data) keeps(judge, rule<"EFA-4.2-5">);
}

}  // namespace wirelaw::efa

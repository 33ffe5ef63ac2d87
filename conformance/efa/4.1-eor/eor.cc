// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: EOR, by which the receiver reports that it has read all the data.
#include "conformance/efa/4.1-eor/eor.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.1-eor/rules.h"
#include "conformance/efa/4.7-read-nack/read_nack.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

const ClaimRow kEorClaims[] = {
    {Claim::reports_read, &rule<"EFA-4.1-23">, "an EOR", "none",
     "long ago, and no EOR for this request; a receive may be wanting, or it was refused",
     "it has taken later writes to the same memory: this one was not refused; or its read has failed"}};

void check_eor(Judge& judge, const SeenPacket& seen, const ReadEndFact& fact) {
  judge.advise(rule<"EFA-4.1-20">, !seen.packet.short_header || seen.message.is_cut(),
               octets(0, seen.message.octets.size()), expected("16 octets"), actual(seen.message.wire_length),
               "as libfabric sent it before 1.14");
  if (fact.read) check_read(judge, seen, rule<"EFA-4.1-21">, *fact.read);
  if (fact.is_only_end) check_only_end(judge, seen, *fact.is_only_end);
  if (!fact.answer) return;
  check_single_answer(judge, seen, rule<"EFA-4.1-22">, *fact.answer);
  if (!fact.answer->answered) keeps(judge, rule<"EFA-4.1-23">);
}

void check_read(Judge& judge, const SeenPacket& seen, const Rule& rule, const ReadFact& fact) {
  require(judge, rule, fact.is_read, seen, Field::send_id, expected("send_id of a request whose data is read"),
          actual(seen.packet.send_id), [&] {
            return fact.request == nullptr
                       ? std::string("no request has this send_id, or the one that has was not captured")
                       : fmt::format("it is that of a {}", fact.request->name);
          });
}

}  // namespace wirelaw::efa

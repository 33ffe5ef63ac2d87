// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated writes, with their delivery complete forms (4.2). Their CTS and CTSDATA are judged with
// those of messages (3.2).
#include "conformance/efa/3.3-write/write.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/3.3-write/rules.h"
#include "conformance/efa/4.7-read-nack/read_nack.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

const ClaimRow kWriteClaims[] = {{Claim::allows_rest_of_write, &rule<"EFA-3.3-25">, "a CTS", "none",
                                  "long ago, and nothing allows the rest of this write; it may have been refused",
                                  "it has answered later writes to the same memory: this one was not refused"}};

void check_eager_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact) {
  const std::uint64_t carried = seen.payload_octets();
  judge_buffers(judge, seen, Array::rma_iov);
  judge.require(rule<"EFA-3.3-10">, fact.target == carried, seen.payload(), expected([&] {
                  return fact.target ? fmt::format("{} octets of data", *fact.target) : sum_of({}, "rma_iov");
                }),
                actual(carried), "the data does not fit the buffers");
  if (fact.id) check_free_id(judge, seen, rule<"EFA-3.3-22">, Field::send_id, *fact.id);
}

void check_longcts_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact) {
  const Packet& packet = seen.packet;
  if (fact.is_repetition) return;
  if (fact.id) check_free_id(judge, seen, rule<"EFA-3.3-22">, Field::send_id, *fact.id);
  if (fact.resumes_write) check_resumed_write(judge);
  judge_buffers(judge, seen, Array::rma_iov);
  const bool fits = require(judge, rule<"EFA-3.3-20">, fact.target == packet.msg_length, seen, Field::msg_length,
                            expected([&] { return sum_of(fact.target, "rma_iov"); }), actual(packet.msg_length),
                            "the data does not fit the buffers");
  advise(judge, rule<"EFA-3.3-23">, packet.credit_request != 0, seen, Field::credit_request, expected("at least 1"),
         actual(packet.credit_request), "a requester that is ready to send nothing");
  if (!fits) return;
  const std::uint64_t now = seen.payload_octets();
  const auto less = expected([&] { return fmt::format("less than {} octets of data", packet.msg_length); });
  if (now > packet.msg_length)
    judge.require(rule<"EFA-3.3-21">, false, seen.payload(), less, actual(now), "more than the write has");
  else if (!fact.is_misled)  // a change that an unexpected READ_NACK caused is the peer's fault
    judge.advise(rule<"EFA-3.3-21">, now < packet.msg_length, seen.payload(), less, actual(now),
                 "nothing is left for CTSDATA");
}

}  // namespace wirelaw::efa

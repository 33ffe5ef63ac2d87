// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: requests whose data the other side reads by RDMA. The reads themselves are not packets.
#include "conformance/efa/4.1-long-read/long_read.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/4.1-long-read/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

bool check_source(Judge& judge, const SeenPacket& seen, const RequestFact& fact, const Rule& some, const Rule& sum) {
  const Packet& packet = seen.packet;
  judge_buffers(judge, seen, Array::read_iov);
  if (!require(judge, some, packet.read_iov_count > 0 || packet.msg_length == 0, seen, Field::read_iov_count,
               expected("at least 1"), actual(packet.read_iov_count), "there is nothing to read the data from"))
    return false;
  return require(judge, sum, fact.source == packet.msg_length, seen, Field::msg_length,
                 expected([&] { return sum_of(fact.source, "read_iov"); }), actual(packet.msg_length),
                 "the buffers in read_iov hold another number of octets");
}

namespace {

void check_no_data(Judge& judge, const SeenPacket& seen, const Rule& rule) {
  judge.require(rule, seen.payload_octets() == 0, seen.payload(), expected("no data after read_iov"),
                actual(seen.payload_octets()), "the data is to be read");
}

}  // namespace

void check_longread_message(Judge& judge, const SeenPacket& seen, const RequestFact& fact) {
  if (fact.is_repetition) return;
  if (fact.id) check_free_id(judge, seen, rule<"EFA-4.1-4">, Field::send_id, *fact.id);
  check_no_data(judge, seen, rule<"EFA-4.1-15">);
  check_source(judge, seen, fact, rule<"EFA-4.1-1">, rule<"EFA-4.1-2">);
}

void check_longread_write(Judge& judge, const SeenPacket& seen, const RequestFact& fact) {
  if (fact.is_repetition) return;
  if (fact.id) check_free_id(judge, seen, rule<"EFA-4.1-8">, Field::send_id, *fact.id);
  check_no_data(judge, seen, rule<"EFA-4.1-16">);
  judge_buffers(judge, seen, Array::rma_iov);
  if (require(judge, rule<"EFA-4.1-6">, fact.target == seen.packet.msg_length, seen, Field::msg_length,
              expected([&] { return sum_of(fact.target, "rma_iov"); }), actual(seen.packet.msg_length),
              "the buffers in rma_iov hold another number of octets"))
    check_source(judge, seen, fact, rule<"EFA-4.1-5">, rule<"EFA-4.1-7">);
}

}  // namespace wirelaw::efa

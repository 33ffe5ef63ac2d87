// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.8: the reasons for the receiver of a Data Transfer to end the connection.
#include "conformance/smbd/3.1.5.8-receiving-data/receiving_data.h"

#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"

namespace wirelaw::smbd {
namespace {

const Rule& rule_of(TransferRefusal demand) {
  switch (demand) {
    case TransferRefusal::too_short:
      return rule<"SMBD-3.1.5.8-1">;
    case TransferRefusal::credits:
      return rule<"SMBD-3.1.5.8-2">;
    case TransferRefusal::alignment:
      return rule<"SMBD-3.1.5.8-3">;
    case TransferRefusal::bounds:
      return rule<"SMBD-3.1.5.8-5">;
    case TransferRefusal::fragmented_size:
      return rule<"SMBD-3.1.5.8-6">;
    case TransferRefusal::early_end:
      break;
  }
  return rule<"SMBD-3.1.5.8-17">;
}

std::string_view reason_of(Receipt shown_by) {
  switch (shown_by) {
    case Receipt::credit:
      break;
    case Receipt::token:
      return "it has received a Data Transfer that it must refuse: it uses a token that only this or a later one held";
    case Receipt::request:
      return "it has received a Data Transfer that it must refuse: it answers a request that came with or after it";
  }
  return "it has received a Data Transfer that it must refuse";
}

}  // namespace

void check_transfer_refused(Judge& judge, const AcceptedFact& fact) {
  const std::size_t length = judge.message().octets.size();
  judge.require(rule_of(fact.why), false, octets(0, length), expected("the end of the connection"),
                actual(length > 0 ? "another message" : "an RDMA operation"), reason_of(fact.shown_by));
}

}  // namespace wirelaw::smbd

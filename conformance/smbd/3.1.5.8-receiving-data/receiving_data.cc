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

}  // namespace

void check_transfer_refused(Judge& judge, TransferRefusal demand) {
  judge.require(rule_of(demand), false, octets(0, judge.message().octets.size()), expected("the end of the connection"),
                actual("another message"), "it has received a Data Transfer that it must refuse");
}

}  // namespace wirelaw::smbd

// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/silence.h"

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

void judge_silence(Judge& judge, const Connection& connection) {
  for (const Direction& direction : connection.directions)
    if (direction.closed || direction.reset || !direction.unbroken) return;
  const Agreed& agreed = connection.agreement;
  const Direction& initiator = connection.of(agreed.initiator);
  const Direction& responder = connection.of(other(agreed.initiator));
  judge_unanswered_request(judge, initiator, responder);
  if (!agreed.is_accepted() || !all_is_known(connection)) return;
  if (initiator.terminate_sent || responder.terminate_sent) {
    for (const Direction& direction : connection.directions) judge_open_after_terminate(judge, direction);
    return;
  }
  judge_missing_indication(judge, agreed, initiator);
  for (const Direction& direction : connection.directions) judge_unanswered_read(judge, connection, direction);
}

}  // namespace wirelaw::rdmap

// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.10 of later documents: one side gives up an operation in progress by PEER_ERROR. That side sends
// nothing more for the operation, and nothing more is required of either side.
#include "conformance/efa/4.10-peer-error/peer_error.h"

#include "conformance/efa/4.10-peer-error/rules.h"
#include "conformance/efa/packet_checks.h"
#include "reference/efa/peer_error.h"

namespace wirelaw::efa {

const ClaimRow kPeerErrorClaims[] = {{Claim::begins_named_message, &rule<"EFA-4.10-5">,
                                      "msg_id of a message that has begun", "{got}",
                                      "no message with that ID was seen, unless it was not captured"}};

namespace {

void check_announced(Judge& judge, const SeenPacket& seen, const PeerErrorFact& fact) {
  using enum PeerErrorFact::Announced;
  const auto want = expected("bit 9 of extra_info");
  const auto got = actual(seen.layout.name);
  if (fact.announced == no_handshake)
    judge.advise(
        rule<"EFA-4.10-1">, false, octets(0, 1), want, got,
        "the peer's HANDSHAKE had not come, unless it was not captured, or its peers are homogeneous: say so by "
        "--feature homogeneous_peers");
  else if (fact.announced != unknown)
    judge.require(rule<"EFA-4.10-1">, fact.announced == yes, octets(0, 1), want, got,
                  [&] { return fmt::format("the peer's extra_info is 0x{:x}", fact.extra_info); });
}

void check_operation(Judge& judge, const SeenPacket& seen, const PeerErrorFact& fact) {
  if (fact.has_operation)
    require(judge, rule<"EFA-4.10-3">, *fact.has_operation, seen, Field::op_id, expected("an operation of the peer"),
            actual(seen.packet.op_id), "no packet has given an operation that ID, or it was not captured");
  if (fact.operation)
    require(judge, rule<"EFA-4.10-4">, fact.is_of_kind, seen, Field::op_id,
            expected("a message whose data is read, or goes by CTS"), actual(fact.operation->request->name), [&] {
              return fmt::format("packet {} of the flow began that operation, unless a later one was not captured",
                                 fact.operation->begun + 1);
            });
}

// A repetition with the same octets is only a warning.
bool check_once(Judge& judge, const SeenPacket& seen, bool holds, std::string_view want, std::string_view why) {
  if (!holds && seen.doubled)
    return advise(judge, rule<"EFA-4.10-8">, false, seen, Field::op_id, expected(want), actual(seen.packet.op_id),
                  "the same packet came before");
  return require(judge, rule<"EFA-4.10-8">, holds, seen, Field::op_id, expected(want), actual(seen.packet.op_id), why);
}

void check_end(Judge& judge, const SeenPacket& seen, PeerErrorFact::End end) {
  using enum PeerErrorFact::End;
  constexpr std::string_view kWanted = "an operation under way";
  if (end == unjudged) return;
  if (end == answered)
    require(judge, rule<"EFA-4.10-8">, false, seen, Field::op_id, expected(kWanted), actual(seen.packet.op_id),
            "it was answered by EOR or READ_NACK before, unless what used its ID again was not captured");
  else if (check_once(judge, seen, end == first, kWanted,
                      "a PEER_ERROR has given it up before, unless what used its ID again was not captured"))
    keeps(judge, rule<"EFA-4.10-7">);
}

}  // namespace

void check_peer_error(Judge& judge, const SeenPacket& seen, const PeerErrorFact& fact) {
  check_announced(judge, seen, fact);
  if (!require(judge, rule<"EFA-4.10-2">, seen.packet.ref_kind < kRefKinds.size(), seen, Field::ref_kind,
               expected("0, 1 or 2"), actual(seen.packet.ref_kind)))
    return;
  check_operation(judge, seen, fact);
  if (fact.has_message) keeps(judge, rule<"EFA-4.10-5">);
  if (fact.is_in_use &&
      check_once(judge, seen, *fact.is_in_use, "an ID that is in use", "a PEER_ERROR has given it up before"))
    advise(judge, rule<"EFA-4.10-6">, fact.is_unsent, seen, Field::op_id, expected("a message that was not sent"),
           actual(seen.packet.op_id), "a packet with that message ID has been sent");
  check_end(judge, seen, fact.end);
}

void check_given_up(Judge& judge, const SeenPacket& seen, const GivenUpFact& fact) {
  if (!fact.by_sender) return;
  const auto why = [&] {
    return fmt::format("{} was given up by PEER_ERROR in packet {}",
                       fact.is_of_message_id ? "its message ID" : "its operation", fact.by_sender->index + 1);
  };
  judge_due(judge, !seen.doubled, rule<"EFA-4.10-7">, false, octets(0, 1), expected("nothing of it"),
            actual(seen.layout.name), why);
}

}  // namespace wirelaw::efa

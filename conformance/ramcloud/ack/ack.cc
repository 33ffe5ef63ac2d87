// SPDX-License-Identifier: Apache-2.0
// "PT_ACK" and "Acknowledgement Response Payload Format": checks on a trace. An ACK reports what its sender has
// RECEIVED; a trace shows what was SENT. So an ACK is judged by fragments that its sender cannot have received.
#include "conformance/ramcloud/ack/ack.h"

#include <algorithm>

#include "conformance/ramcloud/ack/rules.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/pleaseDrop/please_drop.h"

namespace wirelaw::ramcloud {

void check_ack_payload(Judge& judge, const PacketFacts& facts) {
  const std::size_t payload = facts.message.wire_length - layout::kHeader;
  if (!judge.require(rule<"RAMCLOUD-ack-1">, payload >= layout::kAck, field::payload(facts.packet),
                     expected("six octets of payload"), actual(payload), "the ACK ends inside its fields"))
    return;
  judge.require(rule<"RAMCLOUD-ack-2">, payload == layout::kAck, field::payload(facts.packet),
                expected("six octets of payload"), actual(payload),
                payload == 8 ? "two octets too many, as if the fields were aligned" : "octets after stagingVector");
}

void check_ack_subject(Judge& judge, const PacketFacts& facts, const AckSubjectFact& fact) {
  const auto want = expected("the rpcId and channel of a message that was sent");
  const auto got =
      actual([&] { return fmt::format("rpcId {} on channel {}", facts.header().rpc_id, facts.header().channel_id); });
  if (facts.sender == Role::responder) {
    judge.require(rule<"RAMCLOUD-ack-9">, fact.is_known, field::kRpcId, want, got,
                  "nothing of such a request has been sent; or it was not captured");
    return;
  }
  if (!fact.is_known && fact.is_asked) {
    // A client that waits for a response may say that it has nothing of it (RAMCLOUD/R16).
    const auto ack = decode_ack(facts.packet.payload);
    if (!ack || *ack == Ack{}) return;
    judge.require(rule<"RAMCLOUD-ack-9">, false, field::payload(facts.packet),
                  expected("no fragment of a response that has not begun"), actual("some"),
                  "nothing of the response has been sent; or it was not captured");
    return;
  }
  judge.require(rule<"RAMCLOUD-ack-9">, fact.is_known, field::kRpcId, want, got,
                "the client has sent no such request; or it was not captured");
}

namespace {

// "no bit", "no bit but bit 0", "no bits but 0 to 6"
std::string bits_below(std::uint32_t count) {
  if (count == 0) return "no bit";
  return count == 1 ? "no bit but bit 0" : fmt::format("no bits but 0 to {}", count - 1);
}

void check_staging_vector(Judge& judge, const AckFact& fact, const Ack& ack, std::uint32_t end) {
  const std::uint32_t first = ack.first_missing_frag + 1u;  // the fragment of bit 0
  const std::uint32_t bits_within = first >= end ? 0 : std::min<std::uint32_t>(end - first, kStagingBits);
  const std::uint32_t within = bits_within == kStagingBits ? ~0u : (1u << bits_within) - 1;
  // A fragment beyond the end that was sent all the same is reported truthfully (RAMCLOUD/R41).
  judge.require(rule<"RAMCLOUD-ack-8">, (fact.not_sent & ~within) == 0, field::kStagingVector,
                expected([&] { return bits_below(bits_within); }), actual(hex(ack.staging_vector)), [&] {
                  return fmt::format(
                      "firstMissingFrag {} of {} fragments; or one beyond the end was sent, and not captured",
                      ack.first_missing_frag, end);
                });
  const std::uint32_t never_sent = fact.not_sent & within;
  if (ack.staging_vector == 0) return;
  judge.require(
      rule<"RAMCLOUD-ack-5">, never_sent == 0, field::kStagingVector, expected("only fragments that were sent"),
      actual(hex(ack.staging_vector)), [&] {
        const auto bit = static_cast<unsigned>(__builtin_ctz(never_sent));
        return fmt::format(
            "bit {} reports fragment {}, which has not been sent, or was not captured{}", bit, first + bit,
            (fact.sent_below >> bit & 1) != 0 ? "; the vector would fit if bit 0 meant firstMissingFrag itself" : "");
      });
}

// Judges an ACK of a message of which only packets with totalFrags 0 were seen, so that no fragment can be
// acknowledged.
void check_ack_of_nothing(Judge& judge, const Ack& ack) {
  judge.require(rule<"RAMCLOUD-ack-3">, ack.first_missing_frag == 0, field::kFirstMissingFrag,
                expected("0, as totalFrags was"), actual(ack.first_missing_frag),
                "the message has fewer fragments; or one with another total was not captured", Evidence::absence);
}

// A server knows an RPC only because it has received a fragment. A client that waits for a response may have received
// nothing.
void check_ack_of_none(Judge& judge, const PacketFacts& facts, const AckFact& fact) {
  if (*fact.ack != Ack{} || !fact.is_reportable) return;
  if (fact.sent == 0) return check_dropped(judge);
  judge.require(rule<"RAMCLOUD-ack-7">, false, field::payload(facts.packet), expected("a fragment that has come"),
                actual("none"), "the request has no fragment that an ACK cannot report; or one was not captured",
                Evidence::absence);
}

}  // namespace

void check_ack(Judge& judge, const PacketFacts& facts, const AckFact& fact) {
  if (fact.total && facts.sender == Role::responder)
    judge.advise(rule<"RAMCLOUD-ack-13">, fact.is_requested, field::kFlags,
                 expected("a fragment with requestAck before it"), actual("none"), "an ACK that was not asked for");
  if (!fact.ack) return;
  if (!fact.total) return check_ack_of_nothing(judge, *fact.ack);
  const std::uint16_t first_missing = fact.ack->first_missing_frag;
  if (!judge.require(rule<"RAMCLOUD-ack-3">, first_missing <= *fact.total, field::kFirstMissingFrag,
                     expected([&] { return fmt::format("at most {}", *fact.total); }), actual(first_missing),
                     "the message has fewer fragments"))
    return;
  judge.require(rule<"RAMCLOUD-ack-4">, first_missing <= fact.sent_in_order, field::kFirstMissingFrag,
                expected([&] { return fmt::format("at most {}", fact.sent_in_order); }), actual(first_missing), [&] {
                  return fmt::format("fragment {} has not been sent; or it was not captured", fact.sent_in_order);
                });
  check_staging_vector(judge, fact, *fact.ack, *fact.total);
  if (facts.sender == Role::responder) check_ack_of_none(judge, facts, fact);
  if (!fact.is_compared) return;
  const auto say = [](const Ack& one) {
    return fmt::format("firstMissingFrag {}, stagingVector 0x{:x}", one.first_missing_frag, one.staging_vector);
  };
  judge.require(facts.sender == Role::responder ? rule<"RAMCLOUD-ack-6"> : rule<"RAMCLOUD-ack-14">, !fact.contradicted,
                field::kFirstMissingFrag, expected("all fragments that an ACK before it reports, or none but those"),
                actual([&] { return say(*fact.ack); }),
                [&] { return fmt::format("an ACK before it has {}", say(*fact.contradicted)); });
}

}  // namespace wirelaw::ramcloud

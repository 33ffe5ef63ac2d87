// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.2: the order of things at start-up.
#include <fmt/format.h>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/first_octets.h"
#include "conformance/rdmap/tracker/startup.h"

namespace wirelaw::rdmap {
namespace {

// RFC 6581, 8: the errors of the negotiation itself.
bool is_negotiation_error(const ErrorCode& error) {
  return error.layer == 2 && error.etype == 0 && error.code >= error::kMpaLocalCatastrophic.code &&
         error.code <= error::kMpaNoMatchingRtr.code;
}
bool is_negotiation_terminate(Octets octets) {
  if (is_zero_marker(octets)) octets = octets.subspan(mpa::kMarkerOctets);
  if (octets.size() < mpa::kLengthOctets) return false;
  const auto segment = ddp::decode(octets.subspan(mpa::kLengthOctets));
  if (!segment || !decode_control(segment->header.rsvd_ulp).is(Opcode::terminate)) return false;
  const auto terminate = decode_terminate(segment->payload);
  return terminate && is_negotiation_error(terminate->error);
}

// Octets that come too early, if they are no FPDU.
std::string_view kind_of(Octets octets) {
  if (is_zero_marker(octets) || looks_like_fpdu(octets)) return "";
  const Beginning beginning = beginning_of(octets);
  return beginning == Beginning::key || beginning == Beginning::text
             ? ", before another start frame"
             : ", before octets that are no FPDU: PD_Length may be too small";
}

}  // namespace

void check_reply_order(Judge& judge, const StartFrameFact& fact) {
  const auto require = [&](bool holds, Evidence evidence) {
    judge.require(rule<"MPA-7.1.2-2">, holds, field::kKey, expected("a Request before it"), actual("none"),
                  evidence == Evidence::octets ? "" : "or the two frames were captured in the wrong order", evidence);
  };
  if (!fact.before) return;  // a Request may still come
  const bool is_after_request = fact.before->kind == mpa::FrameKind::request;
  // Instead of a Request the other side has sent a Reply as well.
  if (fact.frame.kind() == mpa::FrameKind::reply) return require(is_after_request, Evidence::octets);
  if (is_after_request || !fact.is_from_start) return;
  const Elsewhere at_the_reply(judge, fact.before->message);
  require(false, fact.before->received_is_known ? Evidence::octets : Evidence::order);
}

void check_answered_request(Judge& judge) {
  judge.advise(rule<"MPA-7.1.2-5">, true, field::kFlags, expected(""), actual(""));
}

void check_missing_reply(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.advise(rule<"MPA-7.1.2-5">, false, {}, expected("a Reply, or the end of the connection"),
               actual("nothing for 100 seconds"), "no time is named; or the Reply was not captured");
}

void check_lone_reply(Judge& judge, const LoneReplyFact& fact) {
  const Elsewhere at_the_reply(judge, fact.reply);
  judge.require(rule<"MPA-7.1.2-2">, false, field::kKey, expected("a Request before it"), actual("none ever"),
                fact.is_proven ? "" : "or the Request was not captured",
                fact.is_proven ? Evidence::octets : Evidence::absence);
}

void check_waiting_initiator(Judge& judge, const HeldFact& fact) {
  const Elsewhere at_them(judge, fact.message);
  const std::size_t held = fact.message.octets.size();
  judge.require(rule<"MPA-7.1.2-6">, held == 0, octets(0, std::min(held, kFirstOctets)),
                expected("nothing before the Reply"),
                actual([&] { return fmt::format("{} octets after the Request", held); }),
                fact.is_proven ? "" : "or the Reply was captured too late, or not at all",
                fact.is_proven ? Evidence::octets : Evidence::order);
}

void check_responder_order(Judge& judge, const ResponderOrderFact& fact) {
  if (!fact.early) {
    judge.require(rule<"MPA-7.1.2-12">, true, field::kUlpduLength, expected(""), actual(""));
    return;
  }
  const SeenOctets& early = *fact.early;
  const Elsewhere at_it(judge, early.message(fact.responder));
  const auto want = expected("an FPDU from the Initiator before it");
  const auto got = actual([&] { return fmt::format("none{}", kind_of(early.octets)); });
  if (fact.is_enhanced && is_negotiation_terminate(early.octets))
    judge.advise(rule<"MPA-7.1.2-12">, false, field::kUlpduLength, want, got, "a Terminate of the negotiation");
  else
    judge.require(rule<"MPA-7.1.2-12">, false, field::kUlpduLength, want, got,
                  early.received_is_known ? "" : "or the Initiator's FPDU was captured too late, or not at all",
                  early.received_is_known ? Evidence::octets : Evidence::absence);
}

void check_after_rejection(Judge& judge, const AfterRejectionFact& fact) {
  judge.require(fact.sender == Role::initiator ? rule<"MPA-7.1.2-9"> : rule<"MPA-7.1.2-8">, fact.is_silent,
                field::kUlpduLength, expected("no FPDU after a rejection"), actual("an FPDU"));
}

}  // namespace wirelaw::rdmap

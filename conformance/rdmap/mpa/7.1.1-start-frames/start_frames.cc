// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.1: the MPA Request and Reply Frames, field by field.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/first_octets.h"

namespace wirelaw::rdmap {
namespace {

void check_private_data_length(Judge& judge, std::size_t length) {
  judge.require(rule<"MPA-7.1.1-14">, length <= mpa::kMaxPrivateData, field::kPrivateDataLength,
                expected("at most 512"), actual(length));
}

}  // namespace

void check_key(Judge& judge, mpa::FrameKind kind) {
  judge.require(kind == mpa::FrameKind::request ? rule<"MPA-7.1.1-1"> : rule<"MPA-7.1.1-3">, true, field::kKey,
                expected(""), actual(""));
}

void check_wrong_key(Judge& judge, const NoStartFrameFact& fact) {
  const auto got = actual([&] {
    const Octets there = judge.message().octets;
    return fmt::format("{:02x}", fmt::join(there.first(std::min(there.size(), field::kKey.length)), " "));
  });
  // Octets close to a key were meant as one. Anything else may be the last data of the ULP, sent before it had read the
  // other side's octets.
  const Evidence evidence = fact.is_near ? Evidence::octets : Evidence::order;
  constexpr std::string_view kCrossed = "or the ULP's last octets, sent before the other side's start frame had come";
  const std::string_view why = fact.is_near ? std::string_view{} : kCrossed;
  if (fact.due == DueKey::reply) {
    judge.require(rule<"MPA-7.1.1-3">, false, field::kKey, expected(mpa::kReplyKey), got, why, evidence);
  } else if (fact.due == DueKey::request) {
    judge.require(rule<"MPA-7.1.1-1">, false, field::kKey, expected(mpa::kRequestKey), got, why, evidence);
  } else if (fact.due == DueKey::request_of_iwarp) {
    judge.advise(rule<"MPA-7.1.1-1">, false, field::kKey, expected(mpa::kRequestKey), got,
                 "nothing in this connection begins an MPA start frame: it may not be meant to be iWARP");
  }
}

void check_wrong_key_accepted(Judge& judge, const WrongKeyFact& fact) {
  const auto want = expected("the end of the connection");
  if (fact.is_reply)
    judge.require(rule<"MPA-7.1.1-2">, false, field::kFlags, want, actual("a Reply with R=0"),
                  "the Request had a wrong key");
  else
    judge.require(rule<"MPA-7.1.1-4">, false, octets(0, kFirstOctets), want, actual("an FPDU"),
                  "the Reply had a wrong key; or it came only later", Evidence::order);
}

void check_start_fields(Judge& judge, const mpa::StartFrame& frame) {
  if (frame.kind() == mpa::FrameKind::request)
    judge.require(rule<"MPA-7.1.1-7">, !frame.rejected, field::kFlags, expected("R=0"), actual("R=1"));
  judge.require(rule<"MPA-7.1.1-8">, frame.reserved == 0, field::kFlags, expected("0x00"), actual(hex(frame.reserved)));
  if (judge.require(rule<"MPA-7.1.1-10">, frame.revision >= mpa::kRevision1, field::kRevision, expected("1 or 2"),
                    actual(frame.revision), "revision 0 is that of the RDMA Consortium"))
    judge.advise(rule<"MPA-7.1.1-10">, frame.revision <= mpa::kRevision2, field::kRevision, expected("1 or 2"),
                 actual(frame.revision), "no specification defines this revision");
  check_private_data_length(judge, frame.private_data_length);
  judge.require(rule<"MPA-7.1.1-13">, true, field::kPrivateDataLength, expected(0), actual(0));
}

// The current message is the Reply.
void check_long_request_accepted(Judge& judge, const StartFrames& frames) {
  const std::size_t length = frames.request.private_data_length;
  if (length <= mpa::kMaxPrivateData || frames.reply.rejected) return;
  judge.require(rule<"MPA-7.1.1-15">, false, field::kFlags, expected("the end of the connection"),
                actual("a Reply with R=0"),
                [&] { return fmt::format("the Request has {} octets of private data", length); });
}

// Judges a stream that ended before its start frame was complete.
void check_cut_start_frame(Judge& judge, const CutStartFrameFact& fact) {
  const Elsewhere there(judge, fact.frame);
  if (fact.declared > mpa::kMaxPrivateData) return check_private_data_length(judge, fact.declared);
  if (fact.end == CutEnd::unsettled) return;
  judge.require(rule<"MPA-7.1.1-13">, false, field::kPrivateDataLength, expected(fact.declared), actual(fact.seen),
                "the stream ends inside the private data, and nothing is seen that would have made it end",
                fact.end == CutEnd::proven ? Evidence::octets : Evidence::absence);
}

void check_unasked_marker(Judge& judge, const FirstOctetsFact& fact) {
  judge.require(rule<"MPA-7.1.1-5">, !fact.is_marker_there, octets(0, mpa::kMarkerOctets),
                expected("the first FPDU: the peer has not set M"), actual("a marker, and the first FPDU after it"));
}

}  // namespace wirelaw::rdmap

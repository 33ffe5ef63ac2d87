// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.1: the MPA Request and Reply Frames, field by field.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/4.3-markers/first_octets.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/tracker/startup.h"

namespace wirelaw::rdmap {
namespace {

bool responds(const Connection& connection, const Direction& from) {
  const auto& peers = connection.of(other(from.side)).start;
  return peers && peers->decoded().kind() == mpa::FrameKind::request;
}

void judge_private_data_length(Judge& judge, std::size_t length) {
  judge.require(rule<"MPA-7.1.1-14">, length <= mpa::kMaxPrivateData, field::kPrivateDataLength,
                expected("at most 512"), actual(length));
}

}  // namespace

void judge_key(Judge& judge, mpa::FrameKind kind) {
  judge.require(kind == mpa::FrameKind::request ? rule<"MPA-7.1.1-1"> : rule<"MPA-7.1.1-3">, true, field::kKey,
                expected(""), actual(""));
}

void judge_wrong_key(Judge& judge, const Connection& connection, const Direction& from, bool certain) {
  const auto got = actual([&] {
    const Octets there = judge.message().octets;
    return fmt::format("{:02x}", fmt::join(there.first(std::min(there.size(), field::kKey.length)), " "));
  });
  // What is close to a key was meant to be one. Anything else may be the last that the ULP said before it had read what
  // the other side sent.
  const bool near = beginning_of(judge.message().octets) == Beginning::near;
  const Evidence evidence = near ? Evidence::octets : Evidence::order;
  constexpr std::string_view kCrossed = "or the ULP's last octets, sent before the other side's start frame had come";
  const std::string_view why = near ? std::string_view{} : kCrossed;
  if (responds(connection, from)) {
    judge.require(rule<"MPA-7.1.1-3">, false, field::kKey, expected(mpa::kReplyKey), got, why, evidence);
  } else if (certain) {
    judge.require(rule<"MPA-7.1.1-1">, false, field::kKey, expected(mpa::kRequestKey), got, why, evidence);
  } else if (from.side == Side::a) {  // who has made the connection; who has accepted it is no initiator
    judge.advise(rule<"MPA-7.1.1-1">, false, field::kKey, expected(mpa::kRequestKey), got,
                 "nothing in this connection begins an MPA start frame: it may not be meant to be iWARP");
  }
}

void judge_start_fields(Judge& judge, const mpa::StartFrame& frame) {
  if (frame.kind() == mpa::FrameKind::request)
    judge.require(rule<"MPA-7.1.1-7">, !frame.rejected, field::kFlags, expected("R=0"), actual("R=1"));
  judge.require(rule<"MPA-7.1.1-8">, frame.reserved == 0, field::kFlags, expected("0x00"), actual(hex(frame.reserved)));
  if (judge.require(rule<"MPA-7.1.1-10">, frame.revision >= mpa::kRevision1, field::kRevision, expected("1 or 2"),
                    actual(frame.revision), "revision 0 is that of the RDMA Consortium"))
    judge.advise(rule<"MPA-7.1.1-10">, frame.revision <= mpa::kRevision2, field::kRevision, expected("1 or 2"),
                 actual(frame.revision), "no specification defines this revision");
  judge_private_data_length(judge, frame.private_data_length);
  judge.require(rule<"MPA-7.1.1-13">, true, field::kPrivateDataLength, expected(0), actual(0));
}

// The message at hand is the Reply.
void judge_long_request_accepted(Judge& judge, const StartFrames& frames) {
  const std::size_t length = frames.request.private_data_length;
  if (length <= mpa::kMaxPrivateData || frames.reply.rejected) return;
  judge.require(rule<"MPA-7.1.1-15">, false, field::kFlags, expected("the end of the connection"),
                actual("a Reply with R=0"),
                [&] { return fmt::format("the Request has {} octets of private data", length); });
}

// The stream has ended before its start frame was whole.
void judge_cut_start_frame(Judge& judge, const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  if (from.held.size() < mpa::layout::kStartFrame) return;
  const auto frame = mpa::decode_start_frame(from.held);
  if (frame) return;
  const std::size_t length = frame.error().needed - mpa::layout::kStartFrame;
  if (length > mpa::kMaxPrivateData) return judge_private_data_length(judge, length);
  if (!from.closed || from.reset || to.closed || to.reset) return;
  judge.require(rule<"MPA-7.1.1-13">, false, field::kPrivateDataLength, expected(length),
                actual(from.held.size() - mpa::layout::kStartFrame),
                "the stream ends inside the private data, and nothing is seen that would have made it end",
                evidence_of_lack(connection, from));
}

bool judge_unasked_markers(Judge& judge, Octets octets) {
  const bool there = is_zero_marker(octets) && looks_like_fpdu(octets.subspan(mpa::kMarkerOctets));
  judge.require(rule<"MPA-7.1.1-5">, !there, wirelaw::octets(0, mpa::kMarkerOctets),
                expected("the first FPDU: the peer has not set M"), actual("a marker, and the first FPDU behind it"));
  return there;
}

}  // namespace wirelaw::rdmap

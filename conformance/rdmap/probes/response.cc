// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/response.h"

#include <fmt/format.h>

namespace wirelaw::rdmap {
namespace {

bool is_reply(const Response& answer, bool rejected) {
  const auto frame = answer.frame();
  return frame && frame->kind() == mpa::FrameKind::reply && frame->rejected == rejected;
}

std::string text_of(const mpa::StartFrame& frame) {
  const auto kind = frame.kind();
  return fmt::format("{} (M={:d} C={:d} R={:d} S={:d} Rev={} PD_Length={})",
                     !kind                              ? "a start frame with a wrong key"
                     : *kind == mpa::FrameKind::request ? "an MPA Request"
                                                        : "an MPA Reply",
                     frame.markers, frame.crc, frame.rejected, frame.enhanced, frame.revision,
                     frame.private_data_length);
}

std::string text_of(const Response& answer, const ddp::Segment& segment) {
  if (const auto terminate = answer.terminate()) return "Terminate " + to_string(terminate->error);
  const OpcodeRow* const row = find_opcode(decode_control(segment.header.rsvd_ulp).opcode);
  return fmt::format("{} of {} octets", row ? row->name : "a reserved opcode", segment.payload.size());
}

}  // namespace

std::optional<mpa::StartFrame> Response::frame() const {
  if (kind != Kind::start_frame) return std::nullopt;
  const auto frame = mpa::decode_start_frame(octets);
  return frame ? std::optional(*frame) : std::nullopt;
}

std::optional<ddp::Segment> Response::segment() const {
  if (kind != Kind::segment) return std::nullopt;
  const auto segment = ddp::decode(octets);
  return segment ? std::optional(*segment) : std::nullopt;
}

bool Response::is(Opcode opcode) const {
  const auto there = segment();
  return there && decode_control(there->header.rsvd_ulp).is(opcode);
}

bool Response::is_send() const {
  return is(Opcode::send) || is(Opcode::send_invalidate) || is(Opcode::send_se) || is(Opcode::send_se_invalidate);
}

std::optional<Terminate> Response::terminate() const {
  return is(Opcode::terminate) ? decode_terminate(segment()->payload) : std::nullopt;
}

std::string to_text(const Response& answer) {
  switch (answer.kind) {
    case Response::Kind::nothing:
      return "nothing";
    case Response::Kind::start_frame:
      if (const auto frame = answer.frame()) return text_of(*frame);
      break;
    case Response::Kind::segment:
      if (const auto segment = answer.segment()) return text_of(answer, *segment);
      break;
    case Response::Kind::unreadable:
      break;
    case Response::Kind::closed:
      return "the end of its stream";
    case Response::Kind::reset:
      return "a reset";
  }
  return fmt::format("{} octets that cannot be read", answer.octets.size());
}

Outcome closes() {
  return {"the end of the connection", [](const Response& answer) { return answer.ended(); }};
}
Outcome resets() {
  return {"a reset", [](const Response& answer) { return answer.is(Response::Kind::reset); }};
}
Outcome says_nothing() {
  return {"nothing", [](const Response& answer) { return answer.is(Response::Kind::nothing); }};
}
Outcome terminates(const ErrorCode& error) {
  return {"Terminate " + to_string(error), [error](const Response& answer) {
            const auto terminate = answer.terminate();
            return terminate && terminate->error == error;
          }};
}
Outcome terminates() {
  return {"a Terminate", [](const Response& answer) { return answer.is(Opcode::terminate); }};
}
Outcome accepts() {
  return {"an accepting MPA Reply", [](const Response& answer) { return is_reply(answer, false); }};
}
Outcome rejects() {
  return {"a rejecting MPA Reply", [](const Response& answer) { return is_reply(answer, true); }};
}
Outcome sends() {
  return {"a Send", [](const Response& answer) { return answer.is_send(); }};
}
Outcome noted(Outcome outcome) {
  outcome.noted = true;
  return outcome;
}

}  // namespace wirelaw::rdmap

// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/startup_facts.h"

#include <utility>

#include "conformance/rdmap/tracker/startup.h"

namespace wirelaw::rdmap {
namespace {

std::optional<HeldFact> find_held(const Connection& connection, std::uint64_t frame) {
  const Direction& initiator = connection.of(connection.agreement.initiator);
  const Direction& responder = connection.of(other(initiator.side));
  if (!responder.unbroken || (responder.start && responder.start->index < initiator.start->index)) return std::nullopt;
  return HeldFact{.message = {.octets = initiator.held,
                              .wire_length = initiator.held.size(),
                              .sender = initiator.side,
                              .index = connection.messages,
                              .frame = frame},
                  .is_proven = initiator.preamble.held_unanswered};
}

ResponderOrderFact take_early(const Connection& connection, Direction& responder) {
  return {.responder = responder.side,
          .is_enhanced = connection.agreement.enhanced(),
          .early = std::exchange(responder.preamble.early, std::nullopt)};
}

}  // namespace

StartFrameFact start_frame_fact(const Connection& connection, const Direction& from, const mpa::StartFrame& frame) {
  StartFrameFact fact{.frame = frame, .is_from_start = from.unbroken};
  const Direction& to = connection.of(other(from.side));
  if (to.start)
    fact.before = StartFrameBefore{.kind = to.start->kind(),
                                   .message = to.start->message(to.side),
                                   .received_is_known = to.start->received_is_known};
  return fact;
}

NoStartFrameFact no_start_frame_fact(const Connection& connection, const Direction& from, bool certain) {
  NoStartFrameFact fact{.is_near = beginning_of(from.preamble.first) == Beginning::near};
  const auto& before = connection.of(other(from.side)).start;
  if (before && before->kind() == mpa::FrameKind::request)
    fact.due = DueKey::reply;
  else if (certain)
    fact.due = DueKey::request;
  else if (from.side == Side::a)  // side a opened the connection; the other side is no initiator
    fact.due = DueKey::request_of_iwarp;
  return fact;
}

AgreementFact agreement_fact(const Connection& connection, std::uint64_t frame) {
  const Direction& initiator = connection.of(connection.agreement.initiator);
  const Direction& responder = connection.of(other(initiator.side));
  return {.frames = {.request = initiator.start->decoded(), .reply = responder.start->decoded()},
          .reply = responder.start->message(responder.side),
          .held = find_held(connection, frame)};
}

std::optional<CutStartFrameFact> find_cut_start_frame(const Connection& connection, const Direction& from) {
  if (from.held.size() < mpa::layout::kStartFrame) return std::nullopt;
  const auto frame = mpa::decode_start_frame(from.held);
  if (frame || (is_undecided(from) && !connection.of(other(from.side)).start)) return std::nullopt;
  CutStartFrameFact fact{.frame = {.octets = from.held,
                                   .wire_length = from.held.size(),
                                   .sender = from.side,
                                   .index = kNoMessage,
                                   .frame = from.preamble.held_frame},
                         .declared = frame.error().needed - mpa::layout::kStartFrame,
                         .seen = from.held.size() - mpa::layout::kStartFrame};
  const Direction& to = connection.of(other(from.side));
  if (from.end.closed && !from.end.reset && !to.end.is_there())
    fact.end = from.received_is_known && all_is_known(connection) ? CutEnd::proven : CutEnd::unproven;
  return fact;
}

std::optional<ResponderOrderFact> take_responder_order(Connection& connection, const Direction& from) {
  if (!connection.agreement.is_accepted() || from.framing.fpdus > 0) return std::nullopt;
  Direction& to = connection.of(other(from.side));
  const bool is_initiator = from.side == connection.agreement.initiator;
  if (is_initiator && to.preamble.early && from.unbroken) return take_early(connection, to);
  if (is_initiator || from.preamble.early || to.framing.fpdus == 0) return std::nullopt;
  return ResponderOrderFact{.responder = from.side, .is_enhanced = connection.agreement.enhanced()};
}

bool offers_a_kind(const mpa::EnhancedData& reply) {
  return reply.rtr_send || reply.rtr_write || reply.rtr_read;
}

std::optional<ResponderOrderFact> take_unanswered_early_octets(Connection& connection) {
  const Direction& initiator = connection.of(connection.agreement.initiator);
  Direction& responder = connection.of(other(initiator.side));
  const bool is_unanswered = responder.preamble.early && initiator.unbroken && initiator.framing.fpdus == 0;
  if (!connection.agreement.is_accepted() || !is_unanswered) return std::nullopt;
  return take_early(connection, responder);
}

std::optional<LoneReplyFact> find_lone_reply(const Connection& connection) {
  const Direction& initiator = connection.of(connection.agreement.initiator);
  const Direction& responder = connection.of(other(initiator.side));
  const bool has_initiator_spoken = has_spoken(initiator);
  if (connection.agreement.is_assumed() || !responder.start || has_initiator_spoken || !initiator.unbroken)
    return std::nullopt;
  return LoneReplyFact{.reply = responder.start->message(responder.side),
                       .is_proven = responder.start->received_is_known};
}

std::optional<HeldFact> find_unanswered_octets(const Connection& connection, std::uint64_t frame) {
  const Direction& initiator = connection.of(connection.agreement.initiator);
  const Direction& responder = connection.of(other(initiator.side));
  const bool was_answered = has_spoken(responder);
  const bool is_over = responder.unbroken && responder.end.is_there();
  if (connection.agreement.is_assumed() || !initiator.start || was_answered || !is_over || initiator.held.empty())
    return std::nullopt;
  return find_held(connection, frame);
}

}  // namespace wirelaw::rdmap

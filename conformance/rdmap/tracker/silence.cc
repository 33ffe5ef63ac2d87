// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/silence.h"

#include <algorithm>

#include "conformance/rdmap/tracker/startup_facts.h"

namespace wirelaw::rdmap {
namespace {

// It was due since `due_ns`, and `from` has sent nothing for as long though it could have.
bool is_overdue(const SourceEnd& end, const Direction& from, std::int64_t due_ns) {
  const std::int64_t held_until_ns = end.held_until_ns[static_cast<std::size_t>(from.side)];
  return end.now_ns - std::max({due_ns, from.last_ns, held_until_ns}) >= kGraceNs;
}

class Silence {
 public:
  Silence(const Connection& connection, const SourceEnd& end) : connection_(connection), end_(end) {}

  void find_reply() {
    const Direction& responder = connection_.of(other(connection_.agreement.initiator));
    const auto& request = initiator().start;
    const bool is_asked = request && request->kind() == mpa::FrameKind::request;
    const bool has_spoken = responder.start || !responder.held.empty() || responder.preamble.passed_over > 0;
    if (!is_asked || !responder.seen || has_spoken || !is_overdue(end_, responder, request->time_ns)) return;
    add(Due::reply, responder, {.index = request->index, .frame = request->frame, .time_ns = request->time_ns});
  }
  void find_ends() {
    for (const Direction& from : connection_.directions)
      if (const auto& sent = from.terminate; sent && is_overdue(end_, from, sent->time_ns))
        add(Due::end_after_terminate, from, {.index = sent->index, .frame = sent->frame, .time_ns = sent->time_ns});
  }
  void find_indication() {
    const Agreed& agreed = connection_.agreement;
    if (!agreed.enhanced() || !agreed.request->peer_to_peer || !agreed.reply->peer_to_peer) return;
    const auto& request = initiator().start;
    const bool has_spoken = initiator().framing.fpdus > 0 || !initiator().held.empty();
    if (!offers_a_kind(*agreed.reply) || has_spoken || !is_overdue(end_, initiator(), request->time_ns)) return;
    add(Due::indication, initiator(), {.index = request->index, .frame = request->frame, .time_ns = request->time_ns});
  }
  void find_responses() {
    for (const Direction& responder : connection_.directions) {
      find_response(responder, Due::read_response);
      find_response(responder, Due::atomic_response);
    }
  }

  std::vector<SilenceFact> facts;

 private:
  // The time until which the responder had to answer; nothing if it has ended the connection itself (RDMAP/A-40b).
  std::optional<std::int64_t> end_of_reads(const Direction& requester, const Direction& responder) const {
    if (!requester.end.is_there() && !responder.end.is_there()) return end_.now_ns;
    const bool is_first =
        requester.end.is_there() && (!responder.end.is_there() || responder.end.time_ns > requester.end.time_ns);
    return is_first ? std::optional(requester.end.time_ns) : std::nullopt;
  }
  // Other messages of the responder are no answer. But responses come one after the other, and part of an FPDU may be
  // one.
  void find_response(const Direction& responder, Due kind) {
    const Direction& requester = connection_.of(other(responder.side));
    const auto& reads = requester.reads.waiting;
    const auto due = std::ranges::find(reads, kind == Due::atomic_response, &OutstandingRead::atomic);
    const auto until_ns = end_of_reads(requester, responder);
    if (due == reads.end() || !until_ns || requester.reads.forgotten > 0) return;
    const std::int64_t held_until_ns = end_.held_until_ns[static_cast<std::size_t>(responder.side)];
    const std::int64_t busy_until_ns =
        ends_within_fpdu(responder) ? responder.last_ns : responder.reads.latest_answer_ns;
    if (*until_ns - std::max({due->time_ns, busy_until_ns, held_until_ns}) < kGraceNs) return;
    add(kind, responder, {.index = due->index, .frame = due->frame, .time_ns = due->time_ns});
    facts.back().received = due->received;
  }
  const Direction& initiator() const { return connection_.of(connection_.agreement.initiator); }
  void add(Due due, const Direction& debtor, Message since) {
    since.sender = debtor.side;
    since.unanswered = due == Due::reply || due == Due::read_response || due == Due::atomic_response;
    facts.push_back({.due = due, .since = since});
  }

  const Connection& connection_;
  const SourceEnd& end_;
};

}  // namespace

std::vector<SilenceFact> find_silence(const Connection& connection, const SourceEnd& end) {
  const auto& directions = connection.directions;
  if (!std::ranges::all_of(directions, &Direction::unbroken)) return {};
  const bool is_open = std::ranges::none_of(directions, [](const Direction& from) { return from.end.is_there(); });
  const bool is_terminated =
      std::ranges::any_of(directions, [](const Direction& from) { return from.terminate.has_value(); });
  Silence silence(connection, end);
  if (is_open) silence.find_reply();
  if (!connection.agreement.is_accepted() || !all_is_known(connection)) return silence.facts;
  if (is_open && is_terminated) silence.find_ends();
  if (is_open && !is_terminated) silence.find_indication();
  if (!is_terminated) silence.find_responses();
  return silence.facts;
}

}  // namespace wirelaw::rdmap

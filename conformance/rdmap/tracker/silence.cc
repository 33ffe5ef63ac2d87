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
  void find_response(const Direction& responder, Due kind) {
    const auto& reads = connection_.of(other(responder.side)).reads.waiting;
    const auto due = std::ranges::find(reads, kind == Due::atomic_response, &OutstandingRead::atomic);
    if (due == reads.end() || !is_overdue(end_, responder, due->time_ns)) return;
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
  for (const Direction& direction : connection.directions)
    if (direction.end.is_there() || !direction.unbroken) return {};
  Silence silence(connection, end);
  silence.find_reply();
  if (!connection.agreement.is_accepted() || !all_is_known(connection)) return silence.facts;
  if (std::ranges::any_of(connection.directions, [](const Direction& from) { return from.terminate.has_value(); })) {
    silence.find_ends();
  } else {
    silence.find_indication();
    silence.find_responses();
  }
  return silence.facts;
}

}  // namespace wirelaw::rdmap

// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/ends.h"

#include <algorithm>
#include <utility>

#include "conformance/rdmap/tracker/messages.h"
#include "conformance/rdmap/tracker/startup_facts.h"

namespace wirelaw::rdmap {
namespace {

// Beyond the largest Ethernet frames there is no link that a segment would have crossed as it is in the trace.
constexpr std::uint16_t kLargestSegment = 16 << 10;

bool is_message_open(const Direction& from) {
  return from.messages.tagged.is_open() ||
         std::ranges::any_of(from.messages.queues, [](const Queue& queue) { return queue.message.is_open(); });
}

std::optional<AlignmentFact> find_alignment(const Direction& from) {
  const Alignment& so_far = from.alignment;
  if (from.mss == 0 || from.mss > kLargestSegment || so_far.largest_piece > from.mss) return std::nullopt;
  if (so_far.fitting == 0 || !from.unbroken) return std::nullopt;
  return AlignmentFact{.fitting = so_far.fitting, .split = so_far.split};
}

void note_broken_off(const Connection& connection, Direction& from, const Message& at) {
  const Direction& to = connection.of(other(from.side));
  const bool may_be_framed = !connection.agreement.is_assumed() || from.framing.crc_seen_to_hold;
  const bool is_made_to_stop = to.terminate || to.end.reset || from.end.reset;
  if (!may_be_framed || !from.end.closed || !from.deframer || from.deframer->lost() || is_made_to_stop) return;
  from.end.broken_off = BrokenOff{.at = at, .octets = from.deframer->pending() + from.held.size()};
}

TeardownFact teardown_fact(const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  TeardownFact fact;
  const bool is_terminated = from.terminate || to.terminate;
  const bool may_reset = from.terminate && from.terminate->may_precede_reset;
  if (is_terminated && from.end.is_there() && !may_reset) fact.is_reset_alone = !from.end.closed && !to.end.is_there();
  const bool is_first_to_close = from.end.closed && !from.end.reset && !to.end.is_there();
  if (is_terminated || !is_first_to_close || !from.deframer || !from.reading.is(Reading::full)) return fact;
  fact.is_message_open = is_message_open(from);
  // Octets that the capture lacks or has cut off may contain the answer. A Read Request after a broken FPDU did not
  // arrive.
  if (to.reads.forgotten == 0 && !to.framing.has_untrusted_fpdu && connection.partial.empty())
    fact.unanswered_reads = to.reads.waiting.size();
  return fact;
}

}  // namespace

std::optional<LastMessageFact> take_after_terminate(Direction& from, std::size_t octets) {
  if (!from.terminate || std::exchange(from.terminate->is_followed, true)) return std::nullopt;
  return LastMessageFact{.terminate = from.terminate->index, .octets_after = octets};
}

EndFacts take_end(Connection& connection, Direction& from, const Message& at) {
  EndFacts facts{.is_closed = from.end.closed};
  if (from.reading.is(Reading::startup)) facts.cut_start_frame = find_cut_start_frame(connection, from);
  if (from.reading.is(Reading::rejected) && from.unbroken)
    facts.after_rejection = AfterRejectionFact{.sender = connection.role_of(from.side)};
  if (from.reading.is(Reading::full)) {
    note_broken_off(connection, from, at);
    facts.alignment = find_alignment(from);
  }
  for (Queue& queue : from.messages.queues)
    if (const auto given_up = give_up(queue)) facts.given_up.push_back(*given_up);
  if (std::exchange(from.end.is_stated, true)) return facts;
  if (from.terminate && !from.terminate->is_followed)
    facts.last_message = LastMessageFact{.terminate = from.terminate->index};
  facts.teardown = teardown_fact(connection, from);
  return facts;
}

std::optional<UnfinishedFpduFact> find_unfinished_fpdu(const Connection& connection, const Direction& from) {
  const Agreed& agreed = connection.agreement;
  const bool is_framed = agreed.is_accepted() && from.deframer && from.framing.settled && connection.partial.empty();
  if (!is_framed || from.framing.markers_doubted || from.deframer->pending() == 0) return std::nullopt;
  UnfinishedFpduFact fact{.at = {.sender = from.side, .index = kNoMessage, .frame = from.framing.pending_frame},
                          .mulpdu = {.mss = from.mss, .markers = agreed.markers[static_cast<std::size_t>(from.side)]}};
  if (from.deframer->copy_pending(fact.octets) < fact.octets.size()) return std::nullopt;
  return fact;
}

std::optional<WholeFpdusFact> find_whole_fpdus(const Connection& connection, const Direction& from) {
  const Direction& to = connection.of(other(from.side));
  if (!from.end.broken_off) return std::nullopt;
  return WholeFpdusFact{.at = from.end.broken_off->at,
                        .octets_of_the_last = from.end.broken_off->octets,
                        .is_proven = from.unbroken && to.unbroken && to.end.closed && !to.end.reset};
}

}  // namespace wirelaw::rdmap

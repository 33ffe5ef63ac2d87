// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/stream_places.h"
#include "conformance/umsp/3.1-header/header.h"
#include "conformance/umsp/3.2-extension-headers/extension_headers.h"
#include "conformance/umsp/3.3-operands/operands.h"
#include "conformance/umsp/4-responses/responses.h"
#include "conformance/umsp/5-job-management/job_management.h"
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"
#include "conformance/umsp/5.2-task-initiation/task_initiation.h"
#include "conformance/umsp/5.3-session-opening/session_opening.h"
#include "conformance/umsp/5.3.4-profile/profile.h"
#include "conformance/umsp/5.5-task-termination/task_termination.h"
#include "conformance/umsp/5.6-job-completion/job_completion.h"
#include "conformance/umsp/5.7-activity-control/activity_control.h"
#include "conformance/umsp/5.8-zero-session/zero_session.h"
#include "conformance/umsp/6-exchange/exchange.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/8-common-extension-headers/common_extension_headers.h"
#include "conformance/umsp/claim_rows.h"
#include "conformance/umsp/recognition.h"
#include "conformance/umsp/tracker/activity.h"
#include "conformance/umsp/tracker/exchanges.h"
#include "conformance/umsp/tracker/follow.h"
#include "conformance/umsp/tracker/job_begins.h"
#include "conformance/umsp/tracker/job_ends.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/late_facts.h"
#include "conformance/umsp/tracker/missing.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"
#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {
namespace {

// An instruction may have 4 GiB of data (RFC 3018 8.4). Only this number of octets of a longer one is judged, and the
// rest is skipped.
constexpr std::uint64_t kMostHeld = std::uint64_t{1} << 20;

// A capture, or a recognised part of a stream, often begins with an instruction. One that is certain is sufficient
// alone, since nothing was searched for it.
Beginning find_first(Octets octets) {
  constexpr std::size_t kMostAwaited = 64;
  const auto extent = instruction_octets(octets, kObserved);
  const bool is_awaited = extent && octets.size() < kMostAwaited && extent->octets > octets.size();
  const bool may_be_certain = octets.size() < 2 || static_cast<Pck>(octets[1] >> 5 & 3) == Pck::no_session;
  if (is_awaited && may_be_certain) return Beginning::undecided;
  return begins_in(octets) == 0 ? Beginning::yes : Beginning::no;
}

bool names_itself(Pck pck) {
  return pck == Pck::no_session || pck == Pck::own_session;
}

void judge_management(Judge& judge, const Seen& seen) {
  check_transport(judge, seen);
  if (seen.in_datagram) return;
  check_management(judge, seen, follow_management(seen));
  check_job(judge, seen, follow_job(seen));
  check_task(judge, seen, follow_task(seen));
  check_task_end(judge, seen, follow_task_end(seen));
  check_job_end(judge, seen, follow_job_end(seen));
  check_activity(judge, seen, follow_activity(seen));
  note_time(seen);
}

// Gives each fact to its check.
class FactChecks final : public FactSink {
 public:
  FactChecks(Judge& judge, const SeenInstruction& seen) : judge_(judge), seen_(&seen) {}
  // For facts about no instruction, or about one that is at() its place.
  explicit FactChecks(Judge& judge) : judge_(judge) {}

  void at(const Message& message) override { judge_.at(message); }
  bool state(const Fact& fact) override {
    check_claim(judge_, fact);
    return fact.holds;
  }
  void state(const AnsweredFact& fact) override { check_answered(judge_, *seen_, fact); }
  void state(const SessionGjidFact& fact) override { check_session_gjid(judge_, *seen_, fact); }
  void state(const ProfileFact& fact) override { check_profile(judge_, *seen_, fact); }
  void state(const LinkFact& link) override { check_link(judge_, *seen_, link); }

 private:
  Judge& judge_;
  const SeenInstruction* seen_ = nullptr;
};

class UmspObserver final : public JoiningObserver {
 public:
  explicit UmspObserver(const ObserverLimits& limits) : most_octets_(limits.octets) {}
  UmspObserver(const UmspObserver&) = delete;
  UmspObserver& operator=(const UmspObserver&) = delete;
  ~UmspObserver() override {
    if (connection_.jobs != nullptr) connection_.jobs->leave();
    connection_.jobs = nullptr;
    if (connection_.pair != nullptr) connection_.pair->leave(connection_);
  }

  void join(Associations& all, const std::array<Endpoint, 2>& addresses) override;
  bool joins_all_nodes() const override { return true; }

  void observe(const Message& datagram, Judge& judge) override;
  void observe(const StreamPiece& piece, Judge& judge) override;
  void finish(Judge& judge) override;
  std::uint64_t messages() const override { return connection_.messages; }
  std::string partial() const override { return connection_.partial; }
  std::size_t memory() const override;

 private:
  void take(Direction& from, const StreamPiece& piece, Judge& judge);
  std::size_t read(Direction& from, Octets octets, std::uint64_t begin, const StreamPiece& piece, Judge& judge);
  Message place(const Direction& from, std::uint64_t begin, std::size_t length, const StreamPiece& piece);
  void note_knowledge(Direction& from, const StreamPiece& piece);
  void end_stream(Direction& from, const StreamPiece& piece, Judge& judge);
  std::size_t pass_over(Direction& from, std::size_t there);
  void lose(Direction& from, std::string why);
  bool find_again(Direction& from, Octets octets, std::size_t& done);
  ObservedSession* find_session(Side owner, const Membership& membership);
  // Judges the instruction in `octets`; `message` gives its position.
  void judge_one(Octets octets, Context& context, Message message, Judge& judge);
  void keep_within_limits(Side side);
  StreamPlaces& places_of(Side side) { return places_[side == Side::a ? 0 : 1]; }
  void note(std::string why) {
    if (connection_.partial.empty()) connection_.partial = std::move(why);
  }

  std::size_t most_octets_;
  std::uint64_t judged_ = 0;  // instructions
  Connection connection_;
  std::array<StreamPlaces, 2> places_;
  // True if the next instruction is the first one seen of a side whose beginning is missing.
  std::array<bool, 2> at_first_{};
  std::array<std::int64_t, 2> passed_ns_{};  // when all octets of each side so far had passed
  std::vector<wirelaw::Place> found_places_;
};

void UmspObserver::join(Associations& all, const std::array<Endpoint, 2>& addresses) {
  // A case does not know all connections of the two nodes, so each is judged alone.
  if (!all.is_of_case())
    if (Pair* const pair = all.of<Pair>("umsp", addresses[0].address, addresses[1].address))
      pair->enter(connection_, is_turned(addresses));
  connection_.jobs = all.of_all<Jobs>("umsp");
  if (connection_.jobs == nullptr) return;
  connection_.jobs->enter(all.is_of_case());
  connection_.nodes = {addresses[0].address, addresses[1].address};
}

// Finds the session on this connection, or on another one.
ObservedSession* UmspObserver::find_session(Side owner, const Membership& membership) {
  const auto& id = membership.session_id;
  if (!id || *id == kZeroSession) return nullptr;
  ObservedSession* const here = connection_.find_session(owner, *id);
  if (here != nullptr && here->stage != SessionStage::over) return here;
  ObservedSession* const elsewhere = import_session(connection_, owner, *id);
  return elsewhere != nullptr ? elsewhere : here;
}

void UmspObserver::judge_one(Octets octets, Context& context, Message message, Judge& judge) {
  const auto instruction = decode(octets, kObserved);
  if (!instruction) return;
  message.octets = octets;
  message.wire_length = octets.size();
  const Layout* const layout = layout_of(*instruction);
  const bool is_first = context.empty;
  Direction& from = connection_.of(message.sender);
  Membership membership = follow(instruction->header, context);
  if (names_itself(instruction->header.pck)) from.inherits = true;
  if (!from.inherits) membership = {};  // the instructions before it are unknown
  const OperandView operands = locate(*instruction);
  Seen seen{{.message = message,
             .instruction = *instruction,
             .layout = layout,
             .operands = operands,
             .membership = membership,
             .is_first = is_first,
             .in_datagram = connection_.datagrams},
            connection_};
  seen.session = find_session(other(message.sender), membership);
  seen.before = facts_before(seen);
  note_answered(seen);
  if (connection_.datagrams)
    judge.at(message);
  else
    judge.found(message);
  FactChecks facts(judge, seen);
  judge_header(judge, seen);
  judge_extension_headers(judge, seen);
  judge_extension_rows(judge, seen);
  judge_first_fragment(judge, seen);
  judge_instruction(judge, seen);
  judge_padding(judge, seen);
  note_parties(seen);
  judge_management(judge, seen);
  check_exchange(judge, seen, follow_exchange(seen));
  follow_chain(seen, facts);
  follow_response(seen, facts);
  judge_zero_session(judge, seen);
  follow_session(seen, facts);
  connection_.latest[message.sender == Side::a ? 0 : 1] = {message.index, message.frame, message.time_ns};
  keep_within_limits(from.side);
}

// Adding up the memory takes longer than judging. No rule misses what is dropped: rules that depend on it are no longer
// judged.
void UmspObserver::keep_within_limits(Side side) {
  constexpr std::uint64_t kBetweenLooks = 256;
  if (++judged_ % kBetweenLooks != 0 || memory() <= most_octets_) return;
  forget_what_was_sent(connection_, side);
  note("more sessions, chains and requests than there is memory for");
}

// Judges the instructions of one sender. Each datagram has its own context (UMSP/A11).
void UmspObserver::observe(const Message& datagram, Judge& judge) {
  connection_.datagrams = true;
  Direction& from = connection_.of(datagram.sender);
  from.seen = from.unbroken = true;
  Context context;
  Octets rest = datagram.octets;
  std::size_t at = 0;
  connection_.datagram_chains.clear();
  while (!rest.empty()) {
    const auto extent = instruction_octets(rest, kObserved);
    if (!extent || !extent->complete || extent->octets > rest.size()) {
      Message message = datagram;
      message.octets = rest;
      message.begin = at;
      judge.at(message);
      if (datagram.is_cut()) return note("a datagram was cut");
      if (!extent) return note("an instruction has more extension headers than can be followed");
      return judge_datagram_whole(judge, false, rest.size());
    }
    Message message = datagram;
    message.begin = at;
    judge_one(rest.first(static_cast<std::size_t>(extent->octets)), context, message, judge);
    judge_datagram_whole(judge, true, rest.size());
    at += static_cast<std::size_t>(extent->octets);
    rest = rest.subspan(static_cast<std::size_t>(extent->octets));
  }
  if (datagram.is_cut()) return note("a datagram was cut");
  FactChecks facts(judge);
  end_datagram(connection_, facts);
}

void UmspObserver::lose(Direction& from, std::string why) {
  from.lost = true;
  from.unbroken = false;
  from.skipped = 0;
  from.inherits = false;
  note(std::move(why));
  if (connection_.jobs != nullptr) connection_.jobs->lose(connection_.nodes[0], connection_.nodes[1]);
  forget_what_was_sent(connection_, from.side);
}

// The receiver gets octets in order: those after a lost segment pass, as far as it can know, when that is sent again.
void UmspObserver::observe(const StreamPiece& captured, Judge& judge) {
  StreamPiece piece = captured;
  std::int64_t& passed_ns = passed_ns_[captured.sender == Side::b];
  passed_ns = piece.time_ns = std::max(passed_ns, captured.time_ns);
  Direction& from = connection_.of(piece.sender);
  places_of(piece.sender).add(piece);
  if (!from.seen) {
    from.seen = true;
    from.unbroken = piece.from_start;
    from.at = piece.offset;
    at_first_[piece.sender == Side::b] = !piece.from_start;
    if (!piece.from_start) lose(from, "the beginning of a stream is missing");
  }
  note_knowledge(from, piece);
  switch (piece.event) {
    case StreamEvent::octets:
      return take(from, piece, judge);
    case StreamEvent::gap:
      from.held = {};
      at_first_[piece.sender == Side::b] = false;
      return lose(from, fmt::format("{} octets are missing from the capture", piece.missing));
    case StreamEvent::opened:
      if (piece.from_start) from.opened_ns = piece.time_ns;
      return;
    case StreamEvent::closed:
      end_stream(from, piece, judge);
      [[fallthrough]];
    case StreamEvent::reset:
      if (!from.ended) from.ended_ns = piece.time_ns;
      from.ended = true;
      return;
  }
}

// The octets show what their sender had received. An instruction that has begun before them may have been sent before.
void UmspObserver::note_knowledge(Direction& from, const StreamPiece& piece) {
  Direction& to = connection_.of(other(piece.sender));
  if (piece.event == StreamEvent::opened && piece.from_start)
    return note_sent_after(connection_, to.side, piece.time_ns, piece.time_ns, false);
  if (piece.event != StreamEvent::octets) return;
  from.passages.add(piece.offset + piece.octets.size(), piece.time_ns);
  if (piece.received != 0)
    if (const auto passed = to.passages.time_of(piece.received)) from.proven_ns = passed;
  if (from.proven_ns && from.held.empty())
    note_sent_after(connection_, from.side, *std::exchange(from.proven_ns, {}), piece.time_ns, true);
}

// After FIN, the sender sends nothing more, so the rest of an incomplete instruction does not come.
void UmspObserver::end_stream(Direction& from, const StreamPiece& piece, Judge& judge) {
  if (from.ended || from.lost || !from.unbroken || !from.inherits || from.skipped > 0) return;
  const OctetBuffer left = std::exchange(from.held, {});
  if (left.empty()) return;
  Message message = place(from, from.at, left.size(), piece);
  message.octets = left;
  message.wire_length = left.size();
  judge_stream_end(judge, message, left.size());
}

// Skips octets of an instruction that is too long to be held. Returns how many of `there` belong to it.
std::size_t UmspObserver::pass_over(Direction& from, std::size_t there) {
  const auto passed = static_cast<std::size_t>(std::min<std::uint64_t>(from.skipped, there));
  from.skipped -= passed;
  return passed;
}

// The result does not depend on how the stream is cut.
void UmspObserver::take(Direction& from, const StreamPiece& piece, Judge& judge) {
  const bool alone = from.held.empty();  // most pieces contain only whole instructions, so nothing is copied
  if (alone)
    from.at = piece.offset;
  else
    from.held.insert(from.held.end(), piece.octets.begin(), piece.octets.end());
  const Octets octets = alone ? piece.octets : Octets(from.held);
  std::size_t done = 0;
  while (!from.lost || find_again(from, octets, done)) {
    done += read(from, octets.subspan(done), from.at + done, piece, judge);
    if (!from.lost) break;
  }
  if (alone)
    from.held.assign(octets.begin() + static_cast<std::ptrdiff_t>(done), octets.end());
  else
    from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(done));
  from.at += done;
}

// Nothing in a stream marks the beginning of an instruction. Two faultless ones in a row that name the same session are
// believed, and the stream is read from the first of them on. Skips the octets before it, or before the first octet
// that may prove to be one.
bool UmspObserver::find_again(Direction& from, Octets octets, std::size_t& done) {
  bool& at_first = at_first_[from.side == Side::b];
  if (at_first) {
    const Beginning here = find_first(octets);
    if (here == Beginning::undecided) return false;
    at_first = false;
    if (here == Beginning::yes) {
      from.lost = false;
      from.context = {.empty = false};
      return true;
    }
  }
  done += pass_over(from, octets.size() - done);
  for (; done < octets.size(); ++done) {
    const Beginning here = begins_at(octets.subspan(done));
    if (here == Beginning::undecided) return false;
    if (here == Beginning::no) continue;
    from.lost = false;
    from.context = {.empty = false};
    return true;
  }
  return false;
}

// Judges the whole instructions at the beginning of `octets`, which are at `begin` of the stream. Returns the number of
// their octets plus skipped ones; for an instruction that cannot be followed, only the first octets.
std::size_t UmspObserver::read(Direction& from, Octets octets, std::uint64_t begin, const StreamPiece& piece,
                               Judge& judge) {
  std::size_t done = 0;
  while (true) {
    done += pass_over(from, octets.size() - done);
    const Octets rest = octets.subspan(done);
    if (rest.empty()) return done;
    const auto extent = instruction_octets(rest, kObserved);
    if (!extent) {
      lose(from, "an instruction has more extension headers than can be followed");
      return done + 1;
    }
    if (extent->complete && extent->octets > kMostHeld) {
      note("an instruction of more than 1 MiB was passed over");
      from.requests_known = false;  // it may be a request
      from.skipped = extent->octets;
      continue;
    }
    if (!extent->complete && extent->octets > kMostHeld) {
      lose(from, "extension headers of more than 1 MiB were passed over");
      from.skipped = extent->octets;
      return done;
    }
    if (!extent->complete || extent->octets > rest.size()) return done;
    const auto length = static_cast<std::size_t>(extent->octets);
    judge_one(rest.first(length), from.context, place(from, begin + done, length, piece), judge);
    done += length;
  }
}

Message UmspObserver::place(const Direction& from, std::uint64_t begin, std::size_t length, const StreamPiece& piece) {
  found_places_.clear();
  places_of(from.side).find(begin, begin + length, 0, found_places_);
  Message message{.sender = from.side, .index = connection_.messages++, .frame = piece.frame, .time_ns = piece.time_ns};
  message.order_unknown = piece.order_unknown;
  if (!found_places_.empty()) {
    message.frame = found_places_.front().frame;
    message.frame_offset = found_places_.front().frame_offset;
  }
  message.places = found_places_;
  return message;
}

void UmspObserver::finish(Judge& judge) {
  FactChecks facts(judge);
  state_closed_sessions(connection_, judge.now_ns(), facts);
  state_late_facts(connection_, judge.now_ns(), facts);
  for (const MissingNoticeFact& notice : take_missing_notices(connection_, judge.now_ns()))
    check_missing_notice(judge, notice);
  const MissingFacts missing = find_missing(connection_, judge.now_ns());
  for (const MissingAbendFact& one : missing.abends)
    one.is_of_job ? check_missing_abend_of_job(judge, one) : check_missing_abend_of_task(judge, one);
  for (const MissingSanctionFact& one : missing.sanctions) check_missing_sanction(judge, one);
  for (const MissingQuestionFact& one : missing.questions) check_missing_question(judge, one);
  for (const MissingStateFact& one : missing.states) check_missing_state(judge, one);
}

std::size_t UmspObserver::memory() const {
  return sizeof *this + connection_.memory() + (connection_.pair != nullptr ? connection_.pair->memory() : 0) +
         places_[0].memory() + places_[1].memory() + found_places_.capacity() * sizeof(wirelaw::Place);
}

}  // namespace

std::size_t Connection::memory() const {
  constexpr std::size_t kNode = 4 * sizeof(void*);  // octets of a map node
  std::size_t octets = sizeof *this + management.memory();
  for (const Direction& direction : directions)
    octets += direction.held.capacity() +
              direction.requests.size() * (sizeof(RequestKey) + sizeof(ObservedRequest) + kNode) +
              (direction.guesses.size() + direction.left.size()) * (2 * sizeof(std::uint32_t) + kNode) +
              direction.passages.memory();
  for (const auto& [number, session] : sessions) {
    octets += sizeof session + kNode;
    for (const SessionHalf& half : session.halves) {
      for (const auto& [chain, state] : half.chains)
        octets += sizeof state + kNode + state.fragment_head.capacity() + state.fragmented.size() * kNode;
      for (const auto& [chain, carried] : half.carried)
        octets += sizeof carried + kNode + carried.runs.capacity() * sizeof(InstructionRun);
      octets += (half.buffers_asked.size() + half.early_answers.size() + half.finished.size()) * kNode;
    }
  }
  octets += sessions_of_job.size() * (sizeof(JobKey) + sizeof(std::vector<std::uint64_t>) + kNode) +
            sessions.size() * sizeof(std::uint64_t);
  octets += exchanges.memory() + kept_facts.capacity() * sizeof(KeptFact) +
            notices.capacity() * sizeof(NoticeUnderWay) + unasked.capacity() * sizeof(UnaskedAcceptance);
  for (const auto& ids : doubled) octets += ids.size() * (sizeof(std::uint32_t) + kNode);
  for (const auto& ids : session_by_id) octets += ids.size() * (sizeof(std::uint64_t) * 2 + kNode);
  return octets;
}

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  return std::make_unique<UmspObserver>(limits);
}

}  // namespace wirelaw::umsp

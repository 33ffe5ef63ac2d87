// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace wirelaw::smbd {
namespace {

constexpr std::chrono::nanoseconds kGrantDelay = std::chrono::milliseconds(200);
constexpr std::size_t kReceives = 512;  // more than a case ever grants
constexpr int kMostTurns = 400;         // limit on turns to get a response of a given length

// Returns true if the message is a client's logoff or disconnect.
bool says_goodbye(Octets message) {
  const auto elements = smb2::elements_of(message);
  return elements && std::ranges::any_of(*elements, [](const smb2::Element& one) {
           return one.header.command == smb2::command::kTreeDisconnect || one.header.command == smb2::command::kLogoff;
         });
}

}  // namespace

std::optional<DataTransfer> Response::transfer() const {
  if (kind != Kind::message) return std::nullopt;
  const auto decoded = decode_data_transfer(octets);
  return decoded ? std::optional(*decoded) : std::nullopt;
}

std::string to_text(const Response& response) {
  switch (response.kind) {
    case Response::Kind::nothing:
      return "nothing";
    case Response::Kind::ended:
      return "the connection's end";
    case Response::Kind::message:
      break;
  }
  return fmt::format("a message of {} octets", response.octets.size());
}

Probe::Probe(CaseRun& run, Role iut)
    : UpperProbe(run, other(iut), {}), iut_(iut), dialogue_(run.application(), run.parameter("message")) {
  if (iut == Role::initiator && run.application() == Service::smb2) server_.emplace();
}

void Probe::post_receives() {
  for (std::size_t i = 0; i < kReceives; ++i) static_cast<void>(below().post_receive(kReceiveSize));
}

bool Probe::begin_another(Instant deadline) {
  if (!take_another(deadline)) return false;
  ended_ = false;
  post_receives();
  return true;
}

void Probe::establish(std::uint32_t credits, std::uint32_t iut_credits, std::uint32_t receive_size,
                      std::uint32_t fragmented_size) {
  credits_ = credits;
  iut_credits_ = iut_credits;
  peer_receive_size_ = receive_size;
  peer_fragmented_size_ = fragmented_size;
  if (server_) server_->limit(fragmented_size, response_.max_read_write_size);
  established_ = true;
}

// ------------------------------------------------------------------------------------------------------- messages

void Probe::send(Octets octets, std::optional<Token> invalidate) {
  if (!ok()) return;
  if (established_) {
    if (credits_ > 0) --credits_;
    if (const auto message = decode_data_transfer(octets)) iut_credits_ += message->credits_granted;
  }
  const auto form = invalidate ? rdmap::SendForm::invalidate : rdmap::SendForm::plain;
  static_cast<void>(below().post_send(OctetBuffer(octets.begin(), octets.end()), form, invalidate.value_or(0)));
  flush();
}

void Probe::send(const DataTransfer& message, std::optional<Token> invalidate) {
  in_message_ = message.remaining_data_length > 0;
  if (!invalidate && !message.buffer.empty()) {
    invalidate = std::exchange(to_invalidate_, std::nullopt);
    if (invalidate) ++moved_.invalidations;
  }
  send(encode(message), invalidate);
}

void Probe::account(const DataTransfer& message) {
  longest_seen_ = std::max(longest_seen_, message.octets());
  credits_ += message.credits_granted;
  if (iut_credits_ > 0) --iut_credits_;
  DataTransfer& kept = seen_.emplace_back(message);
  kept.padding = kept.buffer = kept.trailing = {};
}

// Answers a keep-alive, and grants credits: the IUT may need them in the middle of a long message, so even the tester's
// last credit is spent.
void Probe::look_after(const DataTransfer& message) {
  if (message.requests_response() && answers_keepalives_ && credits_ > 0) send(empty());
  if (!grants_ || iut_credits_ >= std::max<std::uint32_t>(given_ / 4u, 1)) return;
  const bool waits = iut_credits_ == 0 && message.remaining_data_length > 0;
  if (credits_ > 1 || (credits_ == 1 && waits)) send(empty());
}

// A grant would spend the tester's last credit, so it waits a little for a message that needs that credit.
bool Probe::owes_grant() const {
  return established_ && grants_ && !in_message_ && iut_credits_ == 0 && credits_ == 1;
}

// The IUT may keep its last credit as long as the tester has all the credits that it wants. A message of the tester
// spends one of these and grants one credit. It is sent once, until the IUT sends something.
bool Probe::owes_release() const {
  return established_ && releases_last_credit_ && !released_ && grants_ && !in_message_ && iut_credits_ == 1 &&
         credits_ > 0;
}

Response Probe::next(Instant deadline) {
  if (kept_.empty()) return arrival(deadline);
  Response first = std::move(kept_.front());
  kept_.pop_front();
  return first;
}

Response Probe::arrival(Instant deadline) {
  if (ended_) return {.kind = Response::Kind::ended};
  const bool releases = owes_release();
  const Instant due = releases || owes_grant() ? std::min(deadline, in(kGrantDelay)) : deadline;
  while (auto event = next_event(due)) {
    if (auto* const received = std::get_if<rdmap::Received>(&*event)) {
      static_cast<void>(below().post_receive(kReceiveSize));
      Response response{
          .kind = Response::Kind::message, .octets = std::move(received->data), .invalidated = received->invalidated};
      const auto message = response.transfer();
      if (established_ && message) {
        released_ = false;
        account(*message);
        if (!in_message_) look_after(*message);
      }
      return response;
    }
    if (const auto* const completed = std::get_if<rdmap::Completed>(&*event)) {
      if (completed->ok) done_.insert(completed->id);
      if (awaited_ == completed->id) return {};
      continue;
    }
    // The end of the peer's direction shows what ended the connection here.
    if (std::holds_alternative<rdmap::Established>(*event) || std::holds_alternative<rdmap::LocalError>(*event))
      continue;
    ended_ = true;
    below().close();
    flush();
    return {.kind = Response::Kind::ended};
  }
  if (!ok() || due >= deadline) return {};
  released_ = releases;
  DataTransfer message = empty();
  if (releases) message.credits_granted = std::max<std::uint16_t>(message.credits_granted, 1);
  send(message);
  return arrival(deadline);
}

// A message that spends the tester's last credit grants the IUT one credit more than usual (SMBD/A10).
std::uint16_t Probe::top_up() const {
  if (!grants_) return 0;
  if (iut_credits_ < given_) return static_cast<std::uint16_t>(given_ - iut_credits_);
  return established_ && credits_ == 1 ? 1 : 0;
}

DataTransfer Probe::segment(Octets data, std::uint32_t remaining) {
  static constexpr Octet kPadding[kUsualDataOffset - 20] = {};
  return {.credits_requested = wanted_,
          .credits_granted = top_up(),
          .remaining_data_length = remaining,
          .data_offset = kUsualDataOffset,
          .data_length = static_cast<std::uint32_t>(data.size()),
          .padding = kPadding,
          .buffer = data};
}

DataTransfer Probe::empty(std::uint16_t flags) {
  return {.credits_requested = wanted_, .credits_granted = top_up(), .flags = flags};
}

bool Probe::await_credits(std::uint32_t count) {
  const Instant deadline = in(run().answer_time());
  while (ok() && credits_ < count) {
    const Response response = wait_for_credit(deadline);
    if (response.is_message()) continue;
    if (due_ != nullptr) return require(*due_, false, "credits to send", to_text(response));
    inconclusive(response.ended() ? "the connection ended before there were credits to send"
                 : credits_ > 0   ? fmt::format("{} of {} credits to send were granted", credits_, count)
                                  : "no credits to send were granted");
  }
  return ok();
}

// Waits for a message that grants a credit. Data messages that come meanwhile are kept for later. The first message of
// an initiator is skipped, because it may have been sent before our response.
Response Probe::wait_for_credit(Instant deadline) {
  const bool may_be_early = iut_ == Role::initiator && seen_.empty();
  Response response = arrival(deadline);
  const auto message = response.transfer();
  if (message && !message->is_empty() && !may_be_early) kept_.push_back(response);
  return response;
}

bool Probe::pass(std::chrono::nanoseconds time) {
  const Instant until = in(time);
  while (ok() && next(until).is_message()) {
  }
  return ok() && !ended_;
}

bool Probe::may_send() {
  const Instant deadline = in(run().answer_time());
  while (ok() && credits_ == 0 && !ended_) {
    if (wait_for_credit(deadline).kind == Response::Kind::nothing) inconclusive("no credits to send were granted");
  }
  return ok() && !ended_;
}

void Probe::send_message(Octets message, std::uint32_t most) {
  if (ok() && peer_receive_size_ <= kUsualDataOffset) inconclusive("the IUT's MaxReceiveSize has no room for data");
  const std::uint32_t room = peer_receive_size_ - kUsualDataOffset;
  const std::size_t part = most == 0 ? room : std::min(most, room);
  while (ok() && !message.empty()) {
    if (!may_send()) return;
    const Octets data = message.first(std::min(message.size(), part));
    message = message.subspan(data.size());
    send(segment(data, static_cast<std::uint32_t>(message.size())));
  }
}

void Probe::send_message_packed(Octets message, std::uint32_t most) {
  pack(true);
  send_message(message, most);
  pack(false);
}

std::optional<OctetBuffer> Probe::receive_message(Instant deadline) {
  const std::uint32_t most = iut_ == Role::responder ? request_.max_fragmented_size : response_.max_fragmented_size;
  OctetBuffer message;
  std::optional<OctetBuffer> whole;
  const bool released = std::exchange(releases_last_credit_, true);
  while (ok() && !whole && message.size() <= most) {
    const Response response = next(deadline);
    const auto part = response.transfer();
    if (!part) break;
    message.insert(message.end(), part->buffer.begin(), part->buffer.end());
    if (part->is_empty()) continue;
    deadline = std::max(deadline, in(run().answer_time()));  // a slow peer still answers as long as segments come
    if (part->remaining_data_length == 0) whole = std::move(message);
  }
  releases_last_credit_ = released;
  return whole;
}

void Probe::leave(Leaving how) {
  if (!ok()) return;
  if (how == Leaving::closes) below().close();
  if (how == Leaving::terminates) below().terminate();
  flush();
  if (how == Leaving::resets) transport().end(Ending::reset);
}

// ---------------------------------------------------------------------------------------------------------- turns

// Returns false if nothing comes or the connection ends.
bool Probe::introduce(std::size_t octets, AnswerLength length) {
  const bool grants = std::exchange(grants_, true);
  const std::uint16_t given = std::exchange(given_, grants ? given_ : std::uint16_t{1});
  bool answered = true;
  while (ok() && answered) {
    const auto message = dialogue_.preliminary(octets, length);
    if (!message) break;
    send_message(*message);
    const auto answer = receive_message();
    answered = answer.has_value();
    if (answered && !dialogue_.answers(*message, *answer))
      inconclusive("the tester cannot talk to its application: " + dialogue_.mismatch());
  }
  grants_ = grants;
  given_ = given;
  return answered;
}

OctetBuffer Probe::begin_turn(std::size_t octets, AnswerLength length) {
  if (!ok()) return {};
  if (iut_ == Role::responder) {
    if (octets > dialogue_.most()) {
      skip(fmt::format("its application accepts messages of at most {} octets: the parameter message",
                       dialogue_.most()));
      return {};
    }
    if (!introduce(octets, length))
      inconclusive(ended_ ? "the connection ended before the tester talked to its application"
                          : "its application does not answer");
    return turn_ = dialogue_.request(octets, length);
  }
  if (!next_turn_) next_turn_ = receive_message();
  if (!next_turn_) inconclusive("the initiator's application sends no message");
  turn_ = std::exchange(next_turn_, std::nullopt).value_or(OctetBuffer{});
  if (server_ && ok()) turn_ = serve(std::move(turn_), octets);
  return turn_;
}

// ------------------------------------------------------------------------------------------ a client of SMB2 is served

// Returns the answer to a request, or to a later one: if a long answer is wanted, shorter ones are sent first.
OctetBuffer Probe::serve(OctetBuffer request, std::size_t octets) {
  for (int i = 0; i < kMostTurns; ++i) {
    const auto answer = server_->answer(request);
    if (!answer) inconclusive("its application sends no SMB2 request that a server could answer");
    leaves_ = leaves_ || says_goodbye(request);
    if (!ok()) return {};
    for (const smb2::Movement& one : answer->movements)
      if (!move(one)) return {};
    to_invalidate_ = answer->invalidate;
    if (!answer->message.empty()) {
      if (octets <= kUsualTurn || answer->message.size() >= octets) return answer->message;
      send_message(answer->message);
    }
    auto next = receive_message();
    if (!ok() || !next) break;
    request = std::move(*next);
  }
  inconclusive(fmt::format("its application has sent no request whose answer has {} octets", octets));
  return {};
}

bool Probe::sends_as_asked() {
  if (server_) skip("needs an initiator whose messages are as long, and as many at once, as the trigger requests");
  return ok();
}

// Returns false, and makes the case inconclusive, if an RDMA Read does not complete. A later Send follows a Write.
bool Probe::move(const smb2::Movement& movement) {
  OctetBuffer octets = movement.is_fetch ? OctetBuffer(movement.octets) : server_->octets_of(movement);
  std::span<Octet> left = octets;
  for (const smb2::ChannelBuffer& one : movement.buffers) {
    const std::span<Octet> part = left.first(std::min<std::size_t>(one.length, left.size()));
    left = left.subspan(part.size());
    if (part.empty()) continue;
    if (!movement.is_fetch) {
      static_cast<void>(below().post_write(OctetBuffer(part.begin(), part.end()), {one.token, one.offset}));
      ++moved_.writes;
    } else if (fetch(one.token, one.offset, part)) {
      ++moved_.reads;
    } else {
      const std::string_view actual = ended_ ? "the connection's end" : "nothing";
      if (!due_reads_.empty())
        return require_each(due_reads_, false, "an RDMA Read of the registered buffers completes", actual);
      inconclusive("an RDMA Read of the buffer that its application names did not complete");
      return false;
    }
  }
  if (movement.is_fetch) server_->keep(movement, octets);
  flush();
  return ok();
}

bool Probe::fetch(Token token, std::uint64_t offset, std::span<Octet> into) {
  const auto sink = below().register_buffer(into, 0, {});
  if (!sink) return false;
  const auto posted = below().post_read({*sink, 0}, {token, offset}, static_cast<std::uint32_t>(into.size()));
  if (posted) {
    awaited_ = *posted;
    for (const Instant deadline = in(run().answer_time()); ok() && !is_done(*posted) && !ended_;) {
      Response response = arrival(deadline);
      if (response.kind == Response::Kind::message)
        kept_.push_back(std::move(response));
      else if (now() >= deadline)
        break;
    }
    awaited_.reset();
  }
  below().deregister(*sink);
  return posted && is_done(*posted);
}

// The case is inconclusive if the client's application has finished: its end or silence is then no answer to the
// stimulus. First checks whether the connection is alive.
bool Probe::asks_no_more() {
  if (!server_ || !ok() || (!leaves_ && (ended_ || !keeps_alive()))) return false;
  inconclusive("its application sends no more requests: let the trigger's command use the share for longer");
  return true;
}

void Probe::take_turn(std::size_t octets, std::uint32_t most, AnswerLength length) {
  const OctetBuffer message = begin_turn(octets, length);
  send_message(message, most);
  if (!ok()) return;
  std::string actual;
  if (await_answer(actual) != Answer::taken) inconclusive("a valid message was not accepted: " + actual);
}

// Sends a message that requests a response. Returns true if any message comes.
bool Probe::keeps_alive() {
  if (!may_send()) return false;
  send(empty(flag::kResponseRequested));
  return arrival(in(run().answer_time())).is_message();
}

bool Probe::shows_nothing(Octets message) const {
  return server_ && smb2::is_of_its_own_accord(message);
}

Probe::Answer Probe::await_answer(std::string& actual) {
  if (iut_ == Role::responder && !foresees_answers()) {
    if (keeps_alive()) return Answer::taken;
    actual = ended_ ? "the connection's end" : "nothing";
    return ended_ ? Answer::refused : Answer::silent;
  }
  const Instant deadline = in(run().answer_time());
  auto answer = receive_message(deadline);
  while (answer && shows_nothing(*answer)) answer = receive_message(deadline);
  if (!answer) {
    actual = ended_ ? "the connection's end" : "nothing";
    return ended_ ? Answer::refused : Answer::silent;
  }
  if (iut_ == Role::initiator) {
    next_turn_ = std::move(answer);
    return Answer::taken;
  }
  const bool taken = dialogue_.answers(turn_, *answer);
  actual = dialogue_.mismatch();
  return taken ? Answer::taken : Answer::wrong;
}

bool Probe::require_each(const Rules& rules, bool holds, std::string_view expected, std::string_view actual,
                         std::string_view explanation) {
  if (!ok()) return false;
  for (const Rule* const rule : rules) static_cast<void>(run().require(*rule, holds, expected, actual, explanation));
  if (!holds) stop();
  return holds;
}

bool Probe::expect_taken(const Rules& rules, std::string_view explanation) {
  if (!ok()) return false;
  std::string actual;
  const Answer answer = await_answer(actual);
  return require_taken(rules, answer, actual, explanation);
}

bool Probe::require_taken(const Rules& rules, Answer answer, std::string_view actual, std::string_view explanation) {
  if (!ok() || (answer != Answer::taken && asks_no_more())) return false;
  return require_each(rules, answer == Answer::taken, "the message is accepted", actual, explanation);
}

bool Probe::expect_taken_or_refused(const Rules& rules, std::string_view explanation) {
  if (!ok()) return false;
  std::string actual;
  const Answer answer = await_answer(actual);
  if (answer != Answer::taken && asks_no_more()) return false;
  return require_each(rules, answer == Answer::taken || answer == Answer::refused,
                      "the message is accepted, or the connection ends", actual, explanation);
}

bool Probe::expect_refused(const Rule& rule, std::string_view explanation) {
  std::string actual;
  return ok() && require(rule, await_answer(actual) == Answer::refused, "the connection's end",
                         actual.empty() ? "the message is accepted" : actual, explanation);
}

bool Probe::expect_refused_or_note(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  std::string actual;
  switch (await_answer(actual)) {
    case Answer::refused:
      return require(rule, true, {}, {});
    case Answer::silent:
      return advise(rule, false, "the connection's end", actual, explanation);
    case Answer::taken:
    case Answer::wrong:
      break;
  }
  return require(rule, false, "the connection's end", actual.empty() ? "the message is accepted" : actual, explanation);
}

// ------------------------------------------------------------------------------------------------------- controls

void Probe::show_alive() {
  if (!ok()) return;
  if (iut_ == Role::initiator || foresees_answers()) return take_turn();
  if (!keeps_alive()) inconclusive("a message that asks for a response was not answered");
}

bool Probe::expect_alive(const Rules& rules, std::string_view explanation) {
  if (!ok()) return false;
  std::string actual;
  const Answer answer = serve_a_turn(actual);
  return require_taken(rules, answer, actual, explanation);
}

Probe::Answer Probe::serve_a_turn(std::string& actual) {
  if (iut_ == Role::initiator) {
    if (!next_turn_) next_turn_ = receive_message();
    if (!next_turn_ && ended_) {
      actual = "the connection's end";
      return Answer::refused;
    }
  } else {
    // If the application does not answer its first message, the expectation fails.
    static_cast<void>(introduce(kUsualTurn, AnswerLength::any));
  }
  // An unknown application gets no data.
  if (iut_ == Role::initiator || foresees_answers()) send_message(begin_turn());
  return ok() ? await_answer(actual) : Answer::silent;
}

}  // namespace wirelaw::smbd

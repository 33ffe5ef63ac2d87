// SPDX-License-Identifier: Apache-2.0
#include "conformance/edited_case.h"

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "conformance/script/composer.h"
#include "conformance/script/languages.h"
#include "conformance/stack.h"

namespace wirelaw::edits {
namespace {

constexpr std::size_t kMostStimuli = 256, kMostStimulusOctets = 256u << 10, kMostSteps = 512;
constexpr std::uint32_t kLongestWait = 10'000;  // milliseconds
constexpr std::uint32_t kMostComposed = 255;    // repetitions of one line
// Limits for what is decoded of a message. The rest does not determine its type.
constexpr std::size_t kDecoded = 2048, kHead = 512;

class EditedTransport final : public Transport {
 public:
  EditedTransport(std::unique_ptr<Transport> below, CaseRun& run, EditedConversation& conversation, Side tester)
      : below_(std::move(below)), run_(run), conversation_(conversation) {
    if (const script::Language* const language = conversation_.composes_in())
      composer_.emplace(*language, script::addresses_of(*below_, tester), tester);
  }
  EditedTransport(const EditedTransport&) = delete;
  EditedTransport& operator=(const EditedTransport&) = delete;
  ~EditedTransport() override { look_whether_stuck(); }

  tl::expected<void, TransportError> send(Octets message) override {
    // After a change the point at which the IUT ends the conversation is unpredictable. The judge decides if it may.
    if (conversation_.has_changed() && below_->ending() != Ending::none)
      return tl::unexpected(TransportError{"the peer has ended the conversation", ""});
    const bool was_changed = conversation_.has_changed();
    const EditedConversation::Turn turn = conversation_.next(message);
    if (!was_changed && conversation_.has_changed()) run_.stimulates_nothing();
    if (auto waited = wait(turn.wait); !waited) return waited;
    for (const OctetBuffer& one : turn.messages)
      if (auto sent = pass(one); !sent) return sent;
    if (!turn.composed.empty())
      if (auto heard = hear_answers(); !heard) return tl::unexpected(heard.error());
    for (const EditedConversation::Composed& one : turn.composed)
      if (auto sent = compose(one); !sent) return sent;
    if (turn.ending != Ending::none) end(turn.ending);
    return {};
  }
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override {
    if (!early_.empty()) {
      std::optional<OctetBuffer> earliest = std::move(early_.front());
      early_.pop_front();
      return earliest;
    }
    auto received =
        below_->receive(conversation_.is_over() ? std::min(deadline, now() + run_.silence_time()) : deadline);
    if (!received) return received;
    if (*received) {
      hear(**received);
      return received;
    }
    conversation_.ended(below_->ending());
    if (auto late = conversation_.take_held()) {
      if (auto sent = pass(*late); !sent) return tl::unexpected(sent.error());
    }
    return received;
  }
  Instant now() const override { return below_->now(); }
  void end(Ending ending) override {
    is_ended_ = is_ended_ || ending != Ending::none;
    below_->end(ending);
  }
  Ending ending() const override { return below_->ending(); }
  const Offers& offers() const override { return below_->offers(); }
  bool is_stream() const override { return below_->is_stream(); }
  std::optional<Ends> ends() const override { return below_->ends(); }

 private:
  tl::expected<void, TransportError> pass(Octets octets) {
    conversation_.sent(octets);
    if (composer_) composer_->sent(octets);
    return below_->send(octets);
  }
  void hear(Octets octets) {
    conversation_.received(octets);
    if (composer_) composer_->received(octets);
  }

  // Receives one message early: the case receives it afterwards. False if nothing comes until then.
  tl::expected<bool, TransportError> hear_early(Instant until) {
    constexpr std::size_t kMostEarly = 1024;
    auto received = below_->receive(until);
    if (!received) return tl::unexpected(received.error());
    if (!*received) return false;
    hear(**received);
    if (early_.size() < kMostEarly) early_.push_back(std::move(**received));
    return true;
  }
  tl::expected<void, TransportError> wait(std::chrono::nanoseconds time) {
    const Instant until = now() + time;
    while (now() < until) {
      const auto heard = hear_early(until);
      if (!heard) return tl::unexpected(heard.error());
      if (!*heard) break;
    }
    return {};
  }

  // Hears the answers to what was sent. After the first, another one comes at once or not at all.
  // Returns how many came.
  tl::expected<int, TransportError> hear_answers() {
    constexpr int kMostAnswers = 64;
    int answers = 0;
    for (auto patience = run_.silence_time(); answers < kMostAnswers; ++answers, patience = run_.silence_time() / 10) {
      const auto heard = hear_early(now() + patience);
      if (!heard) return tl::unexpected(heard.error());
      if (!*heard) break;
    }
    return answers;
  }

  // Sends what the line says, and each time hears the answers, because what is sent next may depend on them. A line is
  // not repeated any more when its answers cease.
  tl::expected<void, TransportError> compose(const EditedConversation::Composed& composed) {
    bool was_answered = false;
    for (std::uint32_t i = 0; i < composed.times && composer_ && ending() == Ending::none; ++i) {
      const std::vector<OctetBuffer> messages = composer_->compose(composed.line);
      for (const OctetBuffer& one : messages)
        if (auto sent = pass(one); !sent) return sent;
      if (messages.empty()) return {};
      const auto answers = hear_answers();
      if (!answers) return tl::unexpected(answers.error());
      if (*answers == 0 && was_answered) return {};
      was_answered = *answers > 0;
    }
    return {};
  }

  // A silent IUT may wait for octets that a changed length has announced. After more octets than it can wait for, it
  // must answer or end the stream.
  void look_whether_stuck() {
    const std::size_t octets = conversation_.filler_octets();
    if (octets == 0 || is_ended_ || !is_stream() || ending() != Ending::none) return;
    if (!below_->send(OctetBuffer(octets, kFiller))) return;
    const auto answer = below_->receive(now() + run_.answer_time());
    if (answer && !*answer && ending() == Ending::none) conversation_.found_stuck();
  }

  std::unique_ptr<Transport> below_;
  CaseRun& run_;
  EditedConversation& conversation_;
  std::optional<script::Composer> composer_;
  std::deque<OctetBuffer> early_;
  bool is_ended_ = false;  // our direction
};

// The requirements of a case count only while its stimuli are unchanged.
class EditedRun final : public CaseRun {
 public:
  EditedRun(CaseRun& below, EditedConversation& conversation) : below_(below), conversation_(conversation) {}

  tl::expected<std::unique_ptr<Transport>, TransportError> connect(const Route& route) override {
    return edited(below_.connect(route), Side::a);
  }
  tl::expected<std::unique_ptr<Transport>, TransportError> accept(const Route& route) override {
    return edited(below_.accept(route), Side::b);
  }
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override { return below_.trigger(request); }
  std::chrono::nanoseconds answer_time() const override { return below_.answer_time(); }
  std::chrono::nanoseconds silence_time() const override { return below_.silence_time(); }
  std::chrono::nanoseconds deadline() const override { return below_.deadline(); }
  Service application() const override { return below_.application(); }
  std::uint64_t nonce() const override { return below_.nonce(); }
  std::string_view parameter(std::string_view name) const override { return below_.parameter(name); }
  bool declares(std::string_view feature) const override { return below_.declares(feature); }
  bool require(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
               std::string_view explanation) override {
    return conversation_.has_changed() ? holds : below_.require(rule, holds, expected, actual, explanation);
  }
  bool advise(const Rule& rule, bool holds, std::string_view expected, std::string_view actual,
              std::string_view explanation) override {
    return conversation_.has_changed() ? holds : below_.advise(rule, holds, expected, actual, explanation);
  }
  void stimulates(const Rule& rule) override {
    if (!conversation_.has_changed()) below_.stimulates(rule);
  }
  void skip(std::string_view reason) override { below_.skip(reason); }
  void inconclusive(std::string_view reason) override {
    if (!conversation_.has_changed()) below_.inconclusive(reason);
  }
  void broken(const TransportError& error) override {
    if (!conversation_.has_changed()) below_.broken(error);
  }
  void stimulates_own_rule() override {
    if (!conversation_.has_changed()) below_.stimulates_own_rule();
  }
  void stimulates_nothing() override { below_.stimulates_nothing(); }

 private:
  tl::expected<std::unique_ptr<Transport>, TransportError> edited(
      tl::expected<std::unique_ptr<Transport>, TransportError> made, Side tester) {
    if (!made) return made;
    return std::make_unique<EditedTransport>(std::move(*made), below_, conversation_, tester);
  }

  CaseRun& below_;
  EditedConversation& conversation_;
};

}  // namespace

// Decides what is sent in place of one message, before it and after it.
void EditedConversation::place(const Edit& edit, OctetBuffer& message, Turn& turn) {
  const auto ends = [&](Ending ending) {
    turn = {.wait = turn.wait, .messages = {}, .ending = ending};
    over_ = true;
  };
  switch (edit.op) {
    case Op::drop:
      turn.messages.clear();
      break;
    case Op::twice:
      turn.messages.insert(turn.messages.end(), std::min<std::uint32_t>(edit.count, kMostStimuli), message);
      break;
    case Op::hold:
      if (!turn.messages.empty()) held_ = std::move(turn.messages.front());
      turn.messages.clear();
      break;
    case Op::split:
      if (turn.messages.size() == 1 && edit.offset > 0 && edit.offset < message.size()) {
        const auto middle = message.begin() + static_cast<std::ptrdiff_t>(edit.offset);
        turn.messages = {OctetBuffer(message.begin(), middle), OctetBuffer(middle, message.end())};
      }
      break;
    case Op::say: {
      OctetBuffer said = edit.octets;
      if (edit.repair) take_over(message, said, dialect_, carried_);
      turn.messages.push_back(std::move(said));
      break;
    }
    case Op::wait:
      turn.wait = std::chrono::milliseconds{std::min(edit.count, kLongestWait)};
      break;
    case Op::cut:
      ends(Ending::none);
      break;
    case Op::close:
      ends(Ending::closed);
      break;
    case Op::reset:
      ends(Ending::reset);
      break;
    case Op::compose:
      turn.composed.push_back({std::string(edit.octets.begin(), edit.octets.end()),
                               std::min<std::uint32_t>(edit.count, kMostComposed) + 1});
      over_ = true;
      break;
    default:
      break;
  }
}

const script::Language* EditedConversation::composes_in() const {
  return std::ranges::count(edits_, Op::compose, &Edit::op) > 0 ? language_ : nullptr;
}

EditedConversation::Turn EditedConversation::next(Octets octets) {
  const std::uint32_t number = next_++;
  keep(octets);
  if (over_) return {};
  OctetBuffer message(octets.begin(), octets.end());
  for (const Edit& edit : edits_)
    if (edit.message == number && edit.copy == 0) apply(edit, message, dialect_);
  std::optional<OctetBuffer> held = take_held();
  Turn turn{.messages = {message}};
  for (const Edit& edit : edits_)
    if (edit.message == number && !is_of_octets(edit.op)) place(edit, message, turn);
  for (const Edit& edit : edits_)
    if (edit.message == number && edit.copy > 0 && edit.copy < turn.messages.size())
      apply(edit, turn.messages[edit.copy], dialect_);
  const bool is_itself = turn.messages.size() == 1 && turn.ending == Ending::none && turn.wait.count() == 0 &&
                         std::ranges::equal(turn.messages[0], octets);
  changed_ |= !is_itself || over_ || held_;  // a message held back adds one message later
  if (held && turn.ending == Ending::none && !over_) turn.messages.push_back(std::move(*held));
  return turn;
}

void EditedConversation::keep(Octets message) {
  if (stimuli_.size() >= kMostStimuli) return;
  kept_octets_ += message.size();
  if (kept_octets_ > kMostStimulusOctets) return;
  stimuli_.emplace_back(message.begin(), message.end());
}

void EditedConversation::note(bool from_iut, Octets octets) {
  ++(from_iut ? messages_received_ : messages_sent_);
  if (!from_iut) octets_sent_ += octets.size();
  if (steps_.size() >= kMostSteps) return;
  std::string summary = carried_.decode(octets.first(std::min(octets.size(), kDecoded))).summary;
  std::string kind = kind_of(summary);
  const Octets head = octets.first(std::min(octets.size(), kHead));
  steps_.push_back({from_iut, std::move(kind), std::move(summary), OctetBuffer(head.begin(), head.end())});
}

void EditedConversation::ended(Ending ending) {
  if (ending == Ending::none || ending == ended_) return;
  heard_since_change_ |= changed_;
  ended_ = ending;
  const char* const how = ending == Ending::reset ? "resets the connection" : "closes its direction";
  if (steps_.size() < kMostSteps) steps_.push_back({true, how, how, {}});
}

Case edited(const Case& original, EditedConversation& conversation) {
  Case changed = original;
  changed.run = [&original, &conversation](CaseRun& run) {
    EditedRun decorated(run, conversation);
    original.run(decorated);
  };
  return changed;
}

Case case_of(FoundCase found, std::span<const Case> others) {
  const auto missing = [&](std::string_view what) {
    return std::logic_error(std::string(found.id) + ": there is no " + std::string(what));
  };
  const Protocol* const protocol = find_protocol(found.protocol);
  if (protocol == nullptr) throw missing(found.protocol);
  const Rule* rule = nullptr;
  for (const Protocol* const layer : stack_of(*protocol, protocols()))
    if (const Rule* const its = layer->catalogue().find(found.rule)) rule = its;
  if (rule == nullptr) throw missing(found.rule);
  const auto like = std::ranges::find(others, found.like, &Case::id);
  if (like == others.end()) throw missing(found.like);
  Case kept{.id = found.id, .iut = like->iut, .rules = {rule}, .purpose = found.purpose, .needs = like->needs};
  kept.run = [found = std::move(found), &original = *like, protocol](CaseRun& run) {
    const Protocol& carried = base_of(*protocol, protocols());
    EditedConversation conversation(found.edits, dialect_of(carried), carried, script::language_of(*protocol));
    edited(original, conversation).run(run);
  };
  return kept;
}

}  // namespace wirelaw::edits

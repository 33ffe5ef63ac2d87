// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "conformance/case_probe.h"
#include "conformance/script/composer.h"
#include "conformance/script/conversation.h"
#include "conformance/script/result.h"
#include "reference/octets/hex.h"

namespace wirelaw::script {
namespace {

bool has_variable(const Value& value) {
  const auto is_variable = [](const Value::Part& part) { return part.term.kind == Term::Kind::variable; };
  return std::ranges::any_of(value.parts, is_variable) || std::ranges::any_of(value.upto, is_variable);
}

std::string text_of_octets(Octets octets) {
  constexpr std::size_t kMost = 16;
  return fmt::format("hex:{}{}", to_hex(octets.first(std::min(octets.size(), kMost))),
                     octets.size() > kMost ? "..." : "");
}

// Whatever comes or does not come is right: such a line decides nothing.
bool is_any_or_silence(const Said& said) {
  const auto has = [&](What::Kind kind) {
    return std::ranges::any_of(said.alternatives,
                               [&](const Alternative& all) { return all.size() == 1 && all.front().kind == kind; });
  };
  return has(What::Kind::any) && has(What::Kind::silence);
}

// True if silence may be the right answer. A line that only waits accepts everything.
bool accepts_silence(const Said& said) {
  const auto accepts = [](const What& what) { return what.kind == What::Kind::silence || what.is_denied; };
  return !is_any_or_silence(said) && std::ranges::any_of(said.alternatives, [&](const Alternative& all) {
    return std::ranges::all_of(all, accepts);
  });
}

// A message of the IUT, octets that are none (`raw`), or the end of its stream (`close`, `reset`).
struct Arrival {
  What::Kind kind = What::Kind::message;
  OctetBuffer octets = {};
};

// Returns true for lines about TCP only. A live case does not see them: the side is connected, and piece boundaries
// have no meaning.
bool is_of_tcp_alone(const Said& said) {
  return std::ranges::all_of(said.alternatives.front(), [](const What& what) {
    return what.kind == What::Kind::open || what.kind == What::Kind::push;
  });
}

// An alternative that has not been ruled out, and which of its messages have come.
struct Open {
  const Alternative* all;
  std::vector<bool> come;
  bool is_silence = false;
};

// What the application of an IUT that begins is asked to do first: `asks OCTETS [OPERATIONS]`.
Result<TriggerRequest> request_of(const Part& part, const Speaker& speaker) {
  constexpr std::uint64_t kMostOctets = 1u << 20, kMostOperations = 1000;
  TriggerRequest request;
  const Setting* const asks = find_setting(part, "asks");
  if (asks == nullptr) return request;
  const auto number = [&](const Value& value, std::uint64_t most) -> Result<std::uint64_t> {
    const auto taken = speaker.number(value);
    if (!taken) return tl::unexpected(taken.error());
    if (*taken < 1 || *taken > most)
      return problem(value.at, fmt::format("asks: a number from 1 to {} is expected", most));
    return *taken;
  };
  const auto octets = number(asks->values[0], kMostOctets);
  if (!octets) return tl::unexpected(octets.error());
  request.octets = static_cast<std::size_t>(*octets);
  if (asks->values.size() == 1) return request;
  const auto operations = number(asks->values[1], kMostOperations);
  if (!operations) return tl::unexpected(operations.error());
  request.count = static_cast<unsigned>(*operations);
  return request;
}

class Play : public CaseProbe {
 public:
  Play(const LivePart& live, CaseRun& run) : CaseProbe(run), live_(live) {
    if (!connected()) return;
    speaker_.emplace(*live.language, addresses_of(transport(), tester()));
  }

  void run_all() {
    if (!ok()) return;
    if (const auto taken = take_settings(*live_.part, *speaker_); !taken) return misused(taken.error());
    if (live_.iut == Side::a) {
      const auto request = request_of(*live_.part, *speaker_);
      if (!request) return misused(request.error());
      if (const auto started = run().trigger(*request); !started) return give_up(started.error());
    }
    is_strict_ = find_setting(*live_.part, "strict") != nullptr;
    greet(greetings_of(*live_.part, *live_.language), "the start of the conversation");
    if (!live_.rules.empty()) stimulates(*live_.rules.front());  // earlier messages stimulated no rule
    for (const Step& step : live_.part->steps) {
      if (!ok()) return;
      line_ = step.at.line;
      rule_ = rule_of(step);
      const auto done = for_each_round(step, *speaker_, [&]() -> Result<bool> {
        if (const auto taken = take(step); !taken) return tl::unexpected(taken.error());
        return ok();
      });
      if (!done) return misused(done.error());
    }
    if (ok()) watch(run().silence_time());
  }

 private:
  Side tester() const { return other(live_.iut); }

  void give_up(const TransportError& error) {
    run().broken(error);
    stop();
  }
  void misused(const Problem& problem) {
    inconclusive(fmt::format("line {}, column {}: {}", problem.at.line, problem.at.column, problem.message));
  }
  const Rule* rule_of(const Step& step) const {
    for (const Mark& mark : step.marks)
      for (const Rule* rule : live_.rules)
        if (rule->id == mark.rule) return rule;
    return live_.rules.empty() ? nullptr : live_.rules.front();
  }

  // Performs an exchange that every peer serves. If it fails, the script would prove nothing.
  void greet(std::span<const Greeting> greetings, std::string_view what) {
    bool is_first = true;
    for (const Greeting& one : greetings) {
      if (!ok()) return;
      const What message{.name = std::string(one.message), .at = live_.part->at};
      if (one.sender == tester()) {
        if (const auto sent = send(message, 1); !sent) return misused(sent.error());
        continue;
      }
      // The application of an IUT that begins chooses its first message.
      const What expected = is_first && live_.iut == Side::a ? What{.kind = What::Kind::any} : message;
      is_first = false;
      const auto come = await({{expected}}, run().answer_time());
      if (!come) return misused(come.error());
      if (!*come && ok())
        return inconclusive(fmt::format("the peer did not take part in {}: no {} came", what, one.message));
    }
  }

  Result<void> take(const Step& step) {
    const auto* const pause = std::get_if<Pause>(&step.what);
    if (pause != nullptr || step.after) {
      const auto time = speaker_->time(pause != nullptr ? pause->time : *step.after);
      if (!time) return tl::unexpected(time.error());
      watch(std::chrono::nanoseconds(*time));
    }
    if (pause != nullptr) return {};
    if (std::holds_alternative<Control>(step.what)) return control();
    const Said& said = std::get<Said>(step.what);
    if ((said.sender == 'a' ? Side::a : Side::b) == tester()) {
      for (const What& what : said.alternatives.front())
        if (const auto sent = send(what, said.connection); !sent) return sent;
      return {};
    }
    return expect(said);
  }

  Result<void> send(const What& what, std::uint32_t connection) {
    if (is_stream() && ended_ == Ending::reset) {
      inconclusive(fmt::format("line {}: the peer has reset the connection", what.at.line));
      return {};
    }
    switch (what.kind) {
      case What::Kind::open:
        return {};  // the case has connected
      case What::Kind::close:
      case What::Kind::reset:
        flush(held_.size());
        if (ok()) transport().end(what.kind == What::Kind::close ? Ending::closed : Ending::reset);
        break;
      case What::Kind::push:
        if (const auto pushed = push(what.octets); !pushed) return pushed;
        break;
      default:
        if (const auto sent = send_message(what, connection); !sent) return sent;
        break;
    }
    return {};
  }

  Result<void> send_message(const What& what, std::uint32_t connection) {
    const auto has = [&](Item::Op op) { return std::ranges::count(what.items, op, &Item::op) > 0; };
    const auto draft = speaker_->write(what, tester(), connection);
    if (!draft) return tl::unexpected(draft.error());
    if (has(Item::Op::lose)) return {};
    for (const OctetBuffer& frame : draft->frames) {
      if (!is_stream()) {
        send_octets(frame);
        stale_ = waiting_.size();
        continue;
      }
      held_.insert(held_.end(), frame.begin(), frame.end());
      if (!has(Item::Op::more) && !has(Item::Op::split)) flush(held_.size());
    }
    for (const Item& item : what.items)
      if (item.op == Item::Op::split)
        if (const auto pushed = push(item.values); !pushed) return pushed;
    if (!has(Item::Op::more)) flush(held_.size());
    return {};
  }

  // Sends held octets in pieces of these sizes, or all of them if no size is given. TCP may join them again.
  Result<void> push(const std::vector<Value>& sizes) {
    if (sizes.empty()) flush(held_.size());
    for (const Value& value : sizes) {
      const auto size = speaker_->number(value);
      if (!size) return tl::unexpected(size.error());
      if (*size > held_.size()) return problem(value.at, fmt::format("only {} octets are there", held_.size()));
      flush(static_cast<std::size_t>(*size));
    }
    return {};
  }
  void flush(std::size_t octets) {
    if (octets == 0) return;
    const OctetBuffer piece(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(octets));
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(octets));
    send_octets(piece);
    stale_ = waiting_.size();
  }

  Result<void> expect(const Said& said) {
    if (is_of_tcp_alone(said)) return {};
    const bool is_silence = std::ranges::any_of(said.alternatives, [](const Alternative& all) {
      return std::ranges::any_of(all, [](const What& what) { return what.kind == What::Kind::silence; });
    });
    std::chrono::nanoseconds within = is_silence ? run().silence_time() : run().answer_time();
    if (said.within) {
      const auto time = speaker_->time(*said.within);
      if (!time) return tl::unexpected(time.error());
      within = std::chrono::nanoseconds(*time);
    }
    const auto come = await(said.alternatives, within);
    if (!come) return tl::unexpected(come.error());
    if (is_any_or_silence(said)) return {};  // it only waits
    if (ok() && rule_ != nullptr && (live_.exercises_rules || !*come))
      require(*rule_, *come, fmt::format("{} (line {} of the script)", words_of(said.alternatives), line_),
              *come ? "" : what_came(within));
    if (ok() && rule_ == nullptr && !*come)
      inconclusive(fmt::format("line {}: expected {}, but {}", line_, words_of(said.alternatives), what_came(within)));
    return {};
  }

  // The expectation of a line as text: "CTS recv_length=4096, or silence".
  std::string words_of(const std::vector<Alternative>& alternatives) const {
    std::string text;
    for (const Alternative& all : alternatives) {
      if (!text.empty()) text += ", or ";
      for (std::size_t i = 0; i < all.size(); ++i) {
        const What& what = all[i];
        text += fmt::format("{}{}{}", i == 0 ? "" : " and ", what.is_denied ? "no " : "",
                            what.kind == What::Kind::silence ? "silence"
                            : what.kind == What::Kind::any   ? "any message"
                            : what.kind == What::Kind::again ? fmt::format("${} again", what.name)
                            : what.kind == What::Kind::close ? "the end of its stream"
                            : what.kind == What::Kind::reset ? "a reset"
                                                             : what.name);
        for (const Item& item : what.items)
          if (item.op == Item::Op::set) text += fmt::format(" {}={}", item.field, words_of(item.values.front()));
      }
    }
    return text;
  }
  // "7", "1..3", "hex:0001" or "*".
  std::string words_of(const Value& value) const {
    if (value.parts.front().term.kind == Term::Kind::any) return "*";
    if (const auto number = speaker_->number({.parts = value.parts})) {
      const auto last = value.upto.empty() ? number : speaker_->number({.parts = value.upto});
      return value.upto.empty() || !last ? fmt::to_string(*number) : fmt::format("{}..{}", *number, *last);
    }
    const auto octets = speaker_->octets(value);
    return octets ? text_of_octets(*octets) : "an unknown value";
  }

  // Describes what came instead.
  std::string what_came(std::chrono::nanoseconds within) const {
    const std::string time = fmt::format("{:g} s", std::chrono::duration<double>(within).count());
    if (passed_over_.empty()) return fmt::format("nothing came for {}", time);
    return fmt::format("within {} came {}", time, fmt::join(passed_over_, ", "));
  }

  // True if one of the alternatives is fulfilled. Other messages are skipped, unless the script is strict.
  Result<bool> await(const std::vector<Alternative>& alternatives, std::chrono::nanoseconds within) {
    passed_over_.clear();
    std::vector<Open> open;
    for (const Alternative& all : alternatives) {
      Open one{.all = &all, .come = std::vector<bool>(all.size())};
      for (std::size_t i = 0; i < all.size(); ++i) {
        one.is_silence |= all[i].kind == What::Kind::silence;
        one.come[i] = all[i].is_denied || all[i].kind == What::Kind::silence;
      }
      open.push_back(std::move(one));
    }
    const Instant deadline = in(within);
    while (ok() && !open.empty()) {
      const bool is_stale = stale_ > 0;
      const auto arrival = next_arrival(deadline);
      if (!arrival) break;
      auto taken = take_arrival(*arrival, is_stale, open);
      if (!taken) return taken;
      if (*taken) return true;
    }
    // Silence lasted, and nothing that was not to come has come.
    return std::ranges::any_of(open, [](const Open& one) { return std::ranges::all_of(one.come, std::identity()); });
  }

  // True: an alternative that does not wait for silence is complete. A stale message arrived before the last message
  // was sent, so it does not break a silence.
  Result<bool> take_arrival(const Arrival& arrival, bool is_stale, std::vector<Open>& open) {
    mismatch_.clear();
    const std::string_view name = name_of(arrival);
    const bool is_owed = std::ranges::count(live_.language->owed, name) > 0;
    bool is_named = false, is_complete = false;
    std::vector<Open> still;
    for (Open& one : open) {
      bool is_out = false, is_mine = false;
      for (std::size_t i = 0; i < one.all->size() && !is_mine; ++i) {
        const What& what = (*one.all)[i];
        if (what.kind == What::Kind::silence || (one.come[i] && !what.is_denied)) continue;
        const auto fits = matches(what, name, arrival);
        if (!fits) return tl::unexpected(fits.error());
        if (!*fits) continue;
        is_mine = true;
        is_out = what.is_denied;
        one.come[i] = true;
        if (!what.variable.empty()) speaker_->keep(what.variable, arrival.octets);
      }
      is_named |= is_mine;
      if (one.is_silence && !is_mine && !is_owed && !is_stale) is_out = true;
      if (is_out) continue;
      is_complete |= is_mine && !one.is_silence && std::ranges::all_of(one.come, std::identity()) &&
                     std::ranges::none_of(*one.all, &What::is_denied);
      still.push_back(std::move(one));
    }
    open = std::move(still);
    note(arrival, !is_named);
    if (is_strict_ && !is_named && !is_owed) open.clear();
    return is_complete;
  }

  std::string_view name_of(const Arrival& arrival) const {
    return arrival.kind == What::Kind::message ? live_.language->name_of(arrival.octets) : std::string_view();
  }

  void note(const Arrival& arrival, bool is_passed_over) {
    constexpr std::size_t kMost = 4;
    if (!is_passed_over || passed_over_.size() == kMost) return;
    const std::string_view name = arrival.kind == What::Kind::close   ? "the end of its stream"
                                  : arrival.kind == What::Kind::reset ? "a reset"
                                                                      : name_of(arrival);
    passed_over_.push_back(name.empty()        ? fmt::format("{} octets", arrival.octets.size())
                           : mismatch_.empty() ? std::string(name)
                                               : fmt::format("{} with {}", name, mismatch_));
  }

  // Messages that arrived during a pause come first.
  std::optional<Arrival> next_arrival(Instant deadline) {
    if (!waiting_.empty()) {
      Arrival first = std::move(waiting_.front());
      waiting_.pop_front();
      if (stale_ > 0) --stale_;
      return first;
    }
    return receive(deadline);
  }
  std::optional<Arrival> receive(Instant deadline) {
    for (;;) {
      if (auto unit = take_unit()) return unit;
      auto octets = receive_octets(deadline);
      if (!octets) return take_end();
      if (is_stream()) {
        inbox_.insert(inbox_.end(), octets->begin(), octets->end());
        continue;
      }
      speaker_->speech(1).heard(live_.iut, *octets);
      return Arrival{.octets = std::move(*octets)};
    }
  }
  // The next message in the octets of the stream so far.
  std::optional<Arrival> take_unit() {
    if (inbox_.empty()) return std::nullopt;
    Framing& framing = speaker_->framing(1);
    auto unit = framing.next(live_.iut, inbox_);
    if (!unit) return std::nullopt;
    const OctetBuffer octets(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(unit->length));
    inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(unit->length));
    framing.passed(live_.iut, octets, unit->message ? Octets(*unit->message) : Octets());
    if (!unit->message) return Arrival{.kind = What::Kind::raw, .octets = octets};
    speaker_->speech(1).heard(live_.iut, *unit->message);
    speaker_->speech(1).passed(live_.iut, *unit->message);
    return Arrival{.octets = std::move(*unit->message)};
  }
  // The end of the stream is reported once.
  std::optional<Arrival> take_end() {
    if (!ok() || !is_stream() || ended_ != Ending::none) return std::nullopt;
    ended_ = transport().ending();
    if (ended_ == Ending::none) return std::nullopt;
    return Arrival{.kind = ended_ == Ending::closed ? What::Kind::close : What::Kind::reset};
  }

  Result<bool> matches(const What& what, std::string_view name, const Arrival& arrival) {
    const OctetBuffer& octets = arrival.octets;
    const bool is_end = arrival.kind == What::Kind::close || arrival.kind == What::Kind::reset;
    if (what.kind == What::Kind::close || what.kind == What::Kind::reset || is_end) return what.kind == arrival.kind;
    if (what.kind == What::Kind::any) return true;
    if (what.kind == What::Kind::raw) {
      const auto raw = speaker_->octets(what.octets.front());
      if (!raw) return tl::unexpected(raw.error());
      return *raw == octets;
    }
    if (what.kind == What::Kind::again) {
      const OctetBuffer* const kept = speaker_->message(what.name);
      return kept != nullptr && *kept == octets;
    }
    const MessageRow* const row = find_message(*live_.language, what.name);
    if (row == nullptr || row->name != name) return false;
    const std::vector<Located> fields = live_.language->locate(octets);
    for (const Item& item : what.items) {
      if (item.op != Item::Op::set) continue;
      const auto fits = matches(item, fields, octets);
      if (fits && !*fits) mismatch_ = field_of(item, fields, octets);
      if (!fits || !*fits) return fits;
    }
    return true;
  }

  // An id chosen by the IUT is not compared, unless the value comes from an earlier message.
  Result<bool> matches(const Item& item, const std::vector<Located>& fields, const OctetBuffer& octets) const {
    const Value& value = item.values.front();
    if (item.field == "size") {
      const auto payload = std::ranges::find(fields, "payload", &Located::name);
      return speaker_->allows(value, payload == fields.end() ? 0 : payload->length);
    }
    const auto field = std::ranges::find(fields, item.field, &Located::name);
    if (field == fields.end()) return false;
    if (field->kind == FieldKind::bound && !is_strict_ && !has_variable(value)) return true;
    if (const auto number = get(octets, *field, live_.language->big_endian)) return speaker_->allows(value, *number);
    if (value.parts.front().term.kind == Term::Kind::any) return true;
    const auto those = speaker_->octets(value);
    if (!those) return tl::unexpected(those.error());
    return std::ranges::equal(*those, Octets(octets).subspan(field->offset, field->length));
  }

  // The value that came instead: "recv_length=50".
  std::string field_of(const Item& item, const std::vector<Located>& fields, const OctetBuffer& octets) const {
    const auto field = std::ranges::find(fields, item.field == "size" ? "payload" : item.field, &Located::name);
    if (item.field == "size") return fmt::format("size={}", field == fields.end() ? 0 : field->length);
    if (field == fields.end()) return fmt::format("no {}", item.field);
    if (const auto number = get(octets, *field, live_.language->big_endian))
      return fmt::format("{}={}", item.field, *number);
    return fmt::format("{}={}", item.field, text_of_octets(Octets(octets).subspan(field->offset, field->length)));
  }

  // Receives for this time, and keeps everything for the following lines.
  void watch(std::chrono::nanoseconds time) {
    constexpr std::size_t kMost = 4096;
    const Instant until = in(time);
    while (auto arrival = receive(until))
      if (waiting_.size() < kMost) waiting_.push_back(std::move(*arrival));
  }

  bool is_stream() const { return live_.language->is_stream(); }
  // Changes of a script to a stream do not affect the next one.
  void reconnect() {
    connect();
    speaker_->forget(1);
    inbox_.clear();
    held_.clear();
    ended_ = Ending::none;
  }

  // Conclusions from silence count only if the peer still serves an honest exchange.
  Result<void> control() {
    if (live_.iut == Side::a) return {};
    waiting_.clear();  // earlier messages do not show that the peer still serves
    stale_ = 0;
    if (is_stream()) reconnect();
    for (const Greeting& one : is_stream() ? live_.language->greetings : live_.language->control) {
      if (!ok()) return {};
      What message{.name = std::string(one.message), .at = live_.part->at};
      if (!one.wish.empty()) {
        Item item{.field = std::string(one.wish)};
        item.values.push_back({.parts = {{false, {.kind = Term::Kind::number, .number = 1}}}});
        message.items.push_back(std::move(item));
      }
      if (one.sender == tester()) {
        if (const auto sent = send(message, 1); !sent) return sent;
        continue;
      }
      const auto come = await({{message}}, run().answer_time());
      if (!come) return tl::unexpected(come.error());
      if (*come || !ok()) continue;
      const std::string expected = fmt::format("an honest exchange is served: {}", one.message);
      if (rule_ != nullptr)
        require(*rule_, false, expected, what_came(run().answer_time()));
      else
        inconclusive(fmt::format("{}; {}", expected, what_came(run().answer_time())));
    }
    return {};
  }

  const LivePart& live_;
  std::optional<Speaker> speaker_;
  const Rule* rule_ = nullptr;
  bool is_strict_ = false;
  std::uint32_t line_ = 0;
  std::deque<Arrival> waiting_;  // received during a pause
  std::size_t stale_ = 0;        // how many of these came before the latest message of the tester
  std::vector<std::string> passed_over_;
  std::string mismatch_;  // the field in which the latest message differs from one that was expected
  // --- of a stream
  OctetBuffer inbox_;            // received octets that are no complete message yet
  OctetBuffer held_;             // octets that the tester's lines hold back
  Ending ended_ = Ending::none;  // how the IUT has ended its direction
};

}  // namespace

void play(const LivePart& part, CaseRun& run) {
  Play(part, run).run_all();
}

std::optional<Problem> trouble_with_play(const LivePart& live) {
  if (live.language->over == "udp")
    return Problem{live.part->at, "a script over udp is judged, and not played", "make it a trace that names no IUT"};
  if (const Setting* const asks = find_setting(*live.part, "asks"); asks != nullptr && live.iut == Side::b)
    return Problem{asks->at, "only the application of side a can be asked, and this case tests side b",
                   "add a line 'iut a'"};
  const auto spoken = speak(*live.part, *live.language);
  if (!spoken) return spoken.error();
  for (const Spoken& one : spoken->spoken) {
    if (one.connection != 1) return Problem{one.at, "a script has one connection in a live test", {}};
  }
  const Step* unproven = nullptr;  // it accepts silence, and no control has followed
  for (const Step& step : live.part->steps) {
    const auto* const said = std::get_if<Said>(&step.what);
    if (std::holds_alternative<Control>(step.what)) unproven = nullptr;
    if (said != nullptr && said->sender == letter(live.iut) && accepts_silence(*said)) unproven = &step;
    if (said == nullptr || said->sender != letter(live.iut) || !live.rules.empty()) continue;
    if (is_any_or_silence(*said) || is_of_tcp_alone(*said)) continue;
    return Problem{step.at, "the script expects something of the IUT and names no rule that this decides",
                   "add a line 'rule ID'; `wirelaw rules` lists the ids"};
  }
  if (unproven != nullptr && live.iut == Side::b)
    return Problem{unproven->at, "this line accepts silence, which a dead peer keeps too", "end with a line 'control'"};
  return std::nullopt;
}

}  // namespace wirelaw::script

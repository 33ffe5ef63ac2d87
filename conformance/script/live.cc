// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>

#include "conformance/case_probe.h"
#include "conformance/own_address.h"
#include "conformance/script/conversation.h"

namespace wirelaw::script {
namespace {

template <class T>
using Result = tl::expected<T, Problem>;

char letter(Side side) {
  return side == Side::a ? 'a' : 'b';
}

bool has_variable(const Value& value) {
  const auto is_variable = [](const Value::Part& part) { return part.term.kind == Term::Kind::variable; };
  return std::ranges::any_of(value.parts, is_variable) || std::ranges::any_of(value.upto, is_variable);
}

// What a line of the IUT expects, in words: "CTS recv_length, or silence".
std::string words_of(const std::vector<Alternative>& alternatives) {
  std::string text;
  for (const Alternative& all : alternatives) {
    if (!text.empty()) text += ", or ";
    for (std::size_t i = 0; i < all.size(); ++i) {
      const What& what = all[i];
      text += fmt::format("{}{}{}", i == 0 ? "" : " and ", what.is_denied ? "no " : "",
                          what.kind == What::Kind::silence ? "silence"
                          : what.kind == What::Kind::any   ? "any message"
                          : what.kind == What::Kind::again ? fmt::format("${} again", what.name)
                                                           : what.name);
      for (const Item& item : what.items) text += " " + item.field;
    }
  }
  return text;
}

// Whatever comes or does not come is right: such a line decides nothing.
bool is_any_or_silence(const Said& said) {
  const auto has = [&](What::Kind kind) {
    return std::ranges::any_of(said.alternatives,
                               [&](const Alternative& all) { return all.size() == 1 && all.front().kind == kind; });
  };
  return has(What::Kind::any) && has(What::Kind::silence);
}

// Whether nothing may be the right answer. A line that only waits accepts everything.
bool accepts_silence(const Said& said) {
  const auto accepts = [](const What& what) { return what.kind == What::Kind::silence || what.is_denied; };
  return !is_any_or_silence(said) && std::ranges::any_of(said.alternatives, [&](const Alternative& all) {
    return std::ranges::all_of(all, accepts);
  });
}

// An alternative that has not been ruled out, and which of its messages have come.
struct Open {
  const Alternative* all;
  std::vector<bool> come;
  bool is_silence = false;
};

class Play : public CaseProbe {
 public:
  Play(const LivePart& live, CaseRun& run) : CaseProbe(run), live_(live) {
    if (!connected()) return;
    speaker_.emplace(*live.language, addresses());
  }

  void run_all() {
    if (!ok()) return;
    if (live_.iut == Side::a) {
      if (const auto started = run().trigger({}); !started) return give_up(started.error());
    }
    if (const auto taken = take_settings(*live_.part, *speaker_); !taken) return misused(taken.error());
    is_strict_ = find_setting(*live_.part, "strict") != nullptr;
    if (find_setting(*live_.part, "bare") == nullptr) greet(live_.language->greetings, "the start of the conversation");
    if (!live_.rules.empty()) stimulates(*live_.rules.front());  // what came before was nobody's stimulus
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

  Addresses addresses() {
    Addresses all = sample_addresses();
    OwnAddress& own = all[tester() == Side::a ? 0 : 1];
    OwnAddress& iut = all[tester() == Side::a ? 1 : 0];
    if (const auto ends = transport().ends()) own.endpoint = ends->tester, iut.endpoint = ends->iut;
    if (const auto told = own_address_of(transport())) own = *told;
    return all;
  }
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

  // An exchange that every peer serves. If it does not, what a script would show is not known.
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
    if (const auto* const pause = std::get_if<Pause>(&step.what)) {
      const auto time = speaker_->time(pause->time);
      if (!time) return tl::unexpected(time.error());
      watch(std::chrono::nanoseconds(*time));
      return {};
    }
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
    const auto octets = speaker_->write(what, tester(), connection);
    if (!octets) return tl::unexpected(octets.error());
    std::size_t times = 1;
    for (const Item& item : what.items) {
      if (item.op == Item::Op::lose) times = 0;
      if (item.op == Item::Op::twice) ++times;
    }
    for (std::size_t i = 0; i < times; ++i) send_octets(*octets);
    if (times > 0) stale_ = waiting_.size();
    return {};
  }

  Result<void> expect(const Said& said) {
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
    if (ok() && rule_ != nullptr) require(*rule_, *come, words_of(said.alternatives), *come ? "" : what_came(within));
    if (ok() && rule_ == nullptr && !*come)
      inconclusive(fmt::format("line {}: expected {}, but {}", line_, words_of(said.alternatives), what_came(within)));
    return {};
  }

  // What came instead.
  std::string what_came(std::chrono::nanoseconds within) const {
    const std::string time = fmt::format("{:g} s", std::chrono::duration<double>(within).count());
    if (passed_over_.empty()) return fmt::format("nothing came for {}", time);
    return fmt::format("within {} came {}", time, fmt::join(passed_over_, ", "));
  }

  // Whether one of the alternatives comes true. What none of them names is passed over, unless the script is strict.
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
      const auto octets = next_message(deadline);
      if (!octets) break;
      auto taken = take_message(*octets, is_stale, open);
      if (!taken) return taken;
      if (*taken) return true;
    }
    // Silence lasted, and nothing that was not to come has come.
    return std::ranges::any_of(open, [](const Open& one) { return std::ranges::all_of(one.come, std::identity()); });
  }

  // True: an alternative that does not wait for silence is complete. A stale message came before what was sent last: it
  // breaks no silence.
  Result<bool> take_message(const OctetBuffer& octets, bool is_stale, std::vector<Open>& open) {
    const std::string_view name = live_.language->name_of(octets);
    const bool is_owed = std::ranges::count(live_.language->owed, name) > 0;
    bool is_named = false, is_complete = false;
    std::vector<Open> still;
    for (Open& one : open) {
      bool is_out = false, is_mine = false;
      for (std::size_t i = 0; i < one.all->size() && !is_mine; ++i) {
        const What& what = (*one.all)[i];
        if (what.kind == What::Kind::silence || (one.come[i] && !what.is_denied)) continue;
        const auto fits = matches(what, name, octets);
        if (!fits) return tl::unexpected(fits.error());
        if (!*fits) continue;
        is_mine = true;
        is_out = what.is_denied;
        one.come[i] = true;
        if (!what.variable.empty()) speaker_->keep(what.variable, octets);
      }
      is_named |= is_mine;
      if (one.is_silence && !is_mine && !is_owed && !is_stale) is_out = true;
      if (is_out) continue;
      is_complete |= is_mine && !one.is_silence && std::ranges::all_of(one.come, std::identity()) &&
                     std::ranges::none_of(*one.all, &What::is_denied);
      still.push_back(std::move(one));
    }
    open = std::move(still);
    note(octets, !is_named);
    if (is_strict_ && !is_named && !is_owed) open.clear();
    return is_complete;
  }

  void note(const OctetBuffer& octets, bool is_passed_over) {
    constexpr std::size_t kMost = 4;
    if (!is_passed_over || passed_over_.size() == kMost) return;
    const std::string_view name = live_.language->name_of(octets);
    passed_over_.push_back(name.empty() ? fmt::format("{} octets", octets.size()) : std::string(name));
  }

  // What came during a pause goes first.
  std::optional<OctetBuffer> next_message(Instant deadline) {
    if (!waiting_.empty()) {
      OctetBuffer first = std::move(waiting_.front());
      waiting_.pop_front();
      if (stale_ > 0) --stale_;
      return first;
    }
    return receive(deadline);
  }
  std::optional<OctetBuffer> receive(Instant deadline) {
    auto octets = receive_octets(deadline);
    if (octets) speaker_->speech(1).heard(live_.iut, *octets);
    return octets;
  }

  Result<bool> matches(const What& what, std::string_view name, const OctetBuffer& octets) const {
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
      if (!fits || !*fits) return fits;
    }
    return true;
  }

  // An id that the IUT chooses is as it is, unless the value comes from an earlier message.
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

  // For so long whatever comes is heard, and kept for the lines that follow.
  void watch(std::chrono::nanoseconds time) {
    constexpr std::size_t kMost = 4096;
    const Instant until = in(time);
    while (auto octets = receive(until))
      if (waiting_.size() < kMost) waiting_.push_back(std::move(*octets));
  }

  // What a script concludes from silence counts only if the peer still serves an honest exchange.
  Result<void> control() {
    if (live_.iut == Side::a || live_.language->control.empty()) return {};
    waiting_.clear();  // what came before does not show that the peer still serves
    stale_ = 0;
    for (const Greeting& one : live_.language->control) {
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
  std::deque<OctetBuffer> waiting_;  // what came during a pause
  std::size_t stale_ = 0;            // how many of these came before the latest message of the tester
  std::vector<std::string> passed_over_;
};

}  // namespace

void play(const LivePart& part, CaseRun& run) {
  Play(part, run).run_all();
}

std::optional<Problem> trouble_with_play(const LivePart& live) {
  const auto spoken = speak(*live.part, *live.language);
  if (!spoken) return spoken.error();
  for (const Spoken& one : spoken->spoken) {
    if (one.kind != Spoken::Kind::message)
      return Problem{one.at, "a conversation of datagrams is neither opened nor closed", {}};
    if (one.connection != 1) return Problem{one.at, "a script has one connection in a live test", {}};
  }
  const Step* unproven = nullptr;  // it accepts silence, and no control has followed
  for (const Step& step : live.part->steps) {
    const auto* const said = std::get_if<Said>(&step.what);
    if (std::holds_alternative<Control>(step.what)) unproven = nullptr;
    if (said != nullptr && said->sender == letter(live.iut) && accepts_silence(*said)) unproven = &step;
    if (said == nullptr || said->sender != letter(live.iut) || !live.rules.empty() || is_any_or_silence(*said))
      continue;
    return Problem{step.at, "the script expects something of the IUT and names no rule that this decides",
                   "add a line such as 'rule RAMCLOUD-ack-5'"};
  }
  if (unproven != nullptr && live.iut == Side::b)
    return Problem{unproven->at, "this line accepts silence, which a dead peer keeps too", "end with a line 'control'"};
  return std::nullopt;
}

}  // namespace wirelaw::script

// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/live.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>

#include "conformance/script/channel.h"
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
    return std::ranges::any_of(
        said.alternatives, [&](const Alternative& one) { return one.all.size() == 1 && one.all.front().kind == kind; });
  };
  return has(What::Kind::any) && has(What::Kind::silence);
}

// True if silence may be the right answer. A line that only waits accepts everything.
bool accepts_silence(const Said& said) {
  const auto accepts = [](const What& what) { return what.kind == What::Kind::silence || what.is_denied; };
  return !is_any_or_silence(said) && std::ranges::any_of(said.alternatives, [&](const Alternative& one) {
    return std::ranges::all_of(one.all, accepts);
  });
}

// True if the line only says what must not come. Everything else that comes is for the following lines.
bool denies_only(const std::vector<Alternative>& alternatives) {
  return std::ranges::all_of(alternatives,
                             [](const Alternative& one) { return std::ranges::all_of(one.all, &What::is_denied); });
}

// Returns true for lines about TCP only. A live case does not see them: the side is connected, and piece boundaries
// have no meaning.
bool is_of_tcp_alone(const Said& said) {
  return std::ranges::all_of(said.alternatives.front().all, [](const What& what) {
    return what.kind == What::Kind::open || what.kind == What::Kind::push;
  });
}

// A message arrives without the frame that carried it, whose fields the judge watches.
bool is_compared(const Item& item) {
  return item.op == Item::Op::set && item.layer.empty();
}

// An alternative that has not been ruled out, and which of its messages have come.
struct Open {
  const Alternative* which;
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

class Play {
 public:
  Play(const LivePart& live, CaseRun& run) : live_(live), run_(run), speaker_(*live.language, sample_addresses()) {
    channel(1);
  }

  void run_all() {
    if (!ok()) return;
    if (const auto taken = take_settings(*live_.part, speaker_); !taken) return misused(taken.error());
    if (live_.iut == Side::a) {
      const auto request = request_of(*live_.part, speaker_);
      if (!request) return misused(request.error());
      if (const auto started = run_.trigger(*request); !started) return first().give_up(started.error());
    }
    is_strict_ = find_setting(*live_.part, "strict") != nullptr;
    greet(greetings_of(*live_.part, *live_.language), "the start of the conversation");
    if (!live_.rules.empty()) first().stimulates(*live_.rules.front());  // earlier messages stimulated no rule
    const std::size_t start = length_of_start();
    for (std::size_t i = 0; i < live_.part->steps.size(); ++i) {
      if (!ok()) return;
      const Step& step = live_.part->steps[i];
      is_start_ = i < start && step.marks.empty();
      line_ = step.at.line;
      rule_ = rule_of(step);
      const auto done = for_each_round(step, speaker_, [&]() -> Result<bool> {
        if (const auto taken = take(step); !taken) return tl::unexpected(taken.error());
        return ok();
      });
      if (!done) return misused(done.error());
    }
    if (ok()) watch(run_.silence_time());
  }

 private:
  Side tester() const { return other(live_.iut); }

  // --- connections. Side a opens each: the first at the beginning, the others when a line first names them.
  Channel& channel(std::uint32_t number) {
    auto& channel = channels_[number];
    if (!channel) channel = std::make_unique<Channel>(run_, speaker_, number, live_.iut);
    return *channel;
  }
  Channel& first() { return *channels_.at(1); }
  bool ok() const {
    return std::ranges::all_of(channels_, [](const auto& one) { return one.second->ok(); });
  }
  // Receives on all connections for this time, and keeps everything for the following lines.
  void watch(std::chrono::nanoseconds time) {
    const Instant until = first().in(time);
    for (const auto& [number, channel] : channels_) channel->watch(until);
  }

  void misused(const Problem& problem) {
    first().inconclusive(fmt::format("line {}, column {}: {}", problem.at.line, problem.at.column, problem.message));
  }
  const Rule* rule_of(const Step& step) const {
    for (const Mark& mark : step.marks)
      for (const Rule* rule : live_.rules)
        if (rule->id == mark.rule) return rule;
    return live_.rules.empty() ? nullptr : live_.rules.front();
  }

  // A bare script says itself how the conversation starts. Those lines decide no rule, unless they are marked with one,
  // or the tester says nothing after them.
  std::size_t length_of_start() const {
    const std::vector<Step>& steps = live_.part->steps;
    if (find_setting(*live_.part, "bare") == nullptr) return 0;
    const auto is_greeting = [&](const What& what) {
      return what.kind == What::Kind::open || what.kind == What::Kind::push ||
             std::ranges::count(live_.language->greetings, what.name, &Greeting::message) > 0;
    };
    const auto is_later = [&](const Step& step) {
      const auto* const said = std::get_if<Said>(&step.what);
      return said != nullptr && std::ranges::any_of(said->alternatives, [&](const Alternative& one) {
               return !std::ranges::all_of(one.all, is_greeting);
             });
    };
    const auto is_of_tester = [&](const Step& step) {
      return is_later(step) && std::get<Said>(step.what).sender == letter(tester());
    };
    if (std::ranges::none_of(steps, is_of_tester)) return 0;
    return static_cast<std::size_t>(std::ranges::find_if(steps, is_later) - steps.begin());
  }

  // Performs an exchange that every peer serves. If it fails, the script would prove nothing.
  void greet(std::span<const Greeting> greetings, std::string_view what) {
    bool is_first = true;
    for (const Greeting& one : greetings) {
      if (!ok()) return;
      const What message{.name = std::string(one.message), .at = live_.part->at};
      if (one.sender == tester()) {
        if (const auto sent = send(message, first()); !sent) return misused(sent.error());
        continue;
      }
      // The application of an IUT that begins chooses its first message.
      const What expected = is_first && live_.iut == Side::a ? What{.kind = What::Kind::any} : message;
      is_first = false;
      const auto come = await({{.all = {expected}}}, run_.answer_time());
      if (!come) return misused(come.error());
      if (!*come && ok())
        return first().inconclusive(fmt::format("the peer did not take part in {}: no {} came", what, one.message));
    }
  }

  Result<void> take(const Step& step) {
    const auto* const pause = std::get_if<Pause>(&step.what);
    if (pause != nullptr || step.after) {
      const auto time = speaker_.time(pause != nullptr ? pause->time : *step.after);
      if (!time) return tl::unexpected(time.error());
      watch(std::chrono::nanoseconds(*time));
    }
    if (pause != nullptr) return {};
    if (std::holds_alternative<Control>(step.what)) return control();
    const Said& said = std::get<Said>(step.what);
    for (const Alternative& one : said.alternatives) channel(one.connection);
    if ((said.sender == 'a' ? Side::a : Side::b) != tester()) return expect(said);
    Channel& there = channel(said.alternatives.front().connection);
    for (const What& what : said.alternatives.front().all)
      if (const auto sent = send(what, there); !sent) return sent;
    return {};
  }

  Result<void> send(const What& what, Channel& there) {
    if (there.ended() == Ending::reset) {
      there.inconclusive(fmt::format("line {}: the peer has reset the connection", what.at.line));
      return {};
    }
    switch (what.kind) {
      case What::Kind::open:
        return {};  // the channel has connected
      case What::Kind::close:
        there.end(Ending::closed);
        return {};
      case What::Kind::reset:
        there.end(Ending::reset);
        return {};
      case What::Kind::push:
        return there.push(what.octets);
      default:
        return send_message(what, there);
    }
  }

  Result<void> send_message(const What& what, Channel& there) {
    const auto has = [&](Item::Op op) { return std::ranges::count(what.items, op, &Item::op) > 0; };
    const auto draft = speaker_.write(what, tester(), there.number());
    if (!draft) return tl::unexpected(draft.error());
    if (has(Item::Op::lose)) return {};
    for (const OctetBuffer& frame : draft->frames) {
      there.send(frame);
      if (!has(Item::Op::more) && !has(Item::Op::split)) there.release();
    }
    for (const Item& item : what.items)
      if (item.op == Item::Op::split)
        if (const auto pushed = there.push(item.values); !pushed) return pushed;
    if (!has(Item::Op::more)) there.release();
    return {};
  }

  Result<void> expect(const Said& said) {
    if (is_of_tcp_alone(said)) return {};
    const bool is_silence = std::ranges::any_of(said.alternatives, [](const Alternative& one) {
      return std::ranges::any_of(one.all, [](const What& what) { return what.kind == What::Kind::silence; });
    });
    const bool waits_in_vain = is_silence || denies_only(said.alternatives);
    std::chrono::nanoseconds within = waits_in_vain ? run_.silence_time() : run_.answer_time();
    if (said.within) {
      const auto time = speaker_.time(*said.within);
      if (!time) return tl::unexpected(time.error());
      within = std::chrono::nanoseconds(*time);
    }
    const auto come = await(said.alternatives, within);
    if (!come) return tl::unexpected(come.error());
    if (is_any_or_silence(said)) return {};  // it only waits
    if (is_start_) {
      if (ok() && !*come)
        first().inconclusive(fmt::format("the peer did not take part in the start of the conversation (line {}): {}",
                                         line_, what_came(within)));
      return {};
    }
    if (ok() && rule_ != nullptr && (live_.exercises_rules || !*come))
      first().require(*rule_, *come, fmt::format("{} (line {} of the script)", words_of(said.alternatives), line_),
                      *come ? "" : what_came(within));
    if (ok() && rule_ == nullptr && !*come)
      first().inconclusive(
          fmt::format("line {}: expected {}, but {}", line_, words_of(said.alternatives), what_came(within)));
    return {};
  }

  // The expectation of a line as text: "CTS recv_length=4096, or silence".
  std::string words_of(const std::vector<Alternative>& alternatives) const {
    std::string text;
    for (const Alternative& one : alternatives) {
      if (!text.empty()) text += ", or ";
      for (std::size_t i = 0; i < one.all.size(); ++i) {
        const What& what = one.all[i];
        text += fmt::format("{}{}{}", i == 0 ? "" : " and ", what.is_denied ? "no " : "",
                            what.kind == What::Kind::silence ? "silence"
                            : what.kind == What::Kind::any   ? "any message"
                            : what.kind == What::Kind::again ? fmt::format("${} again", what.name)
                            : what.kind == What::Kind::close ? "the end of its stream"
                            : what.kind == What::Kind::reset ? "a reset"
                                                             : what.name);
        for (const Item& item : what.items)
          if (is_compared(item)) text += fmt::format(" {}={}", item.field, words_of(item.values.front()));
      }
      if (one.connection != 1) text += fmt::format(" on connection {}", one.connection);
    }
    return text;
  }
  // "7", "1..3", "hex:0001" or "*".
  std::string words_of(const Value& value) const {
    if (value.parts.front().term.kind == Term::Kind::any) return "*";
    if (const auto number = speaker_.number({.parts = value.parts})) {
      const auto last = value.upto.empty() ? number : speaker_.number({.parts = value.upto});
      return value.upto.empty() || !last ? fmt::to_string(*number) : fmt::format("{}..{}", *number, *last);
    }
    const auto octets = speaker_.octets(value);
    return octets ? text_of_octets(*octets) : "an unknown value";
  }

  // Describes what came instead.
  std::string what_came(std::chrono::nanoseconds within) const {
    const std::string time = fmt::format("{:g} s", std::chrono::duration<double>(within).count());
    if (!denied_.empty()) return fmt::format("{} came", denied_);
    if (passed_over_.empty()) return fmt::format("nothing came for {}", time);
    return fmt::format("within {} came {}", time, fmt::join(passed_over_, ", "));
  }

  // True if one of the alternatives is fulfilled. Other messages are skipped, unless the script is strict. If the line
  // only denies messages, what comes is kept for the following lines.
  Result<bool> await(const std::vector<Alternative>& alternatives, std::chrono::nanoseconds within) {
    passed_over_.clear();
    denied_.clear();
    std::vector<Arrival> kept;
    const auto fulfilled = await(alternatives, within, denies_only(alternatives) ? &kept : nullptr);
    for (; !kept.empty(); kept.pop_back()) channel(kept.back().connection).put_back(std::move(kept.back()));
    return fulfilled;
  }
  Result<bool> await(const std::vector<Alternative>& alternatives, std::chrono::nanoseconds within,
                     std::vector<Arrival>* kept) {
    std::vector<Open> open;
    for (const Alternative& which : alternatives) {
      Open one{.which = &which, .come = std::vector<bool>(which.all.size())};
      for (std::size_t i = 0; i < which.all.size(); ++i) {
        one.is_silence |= which.all[i].kind == What::Kind::silence;
        one.come[i] = which.all[i].is_denied || which.all[i].kind == What::Kind::silence;
      }
      open.push_back(std::move(one));
    }
    const Instant deadline = first().in(within);
    while (ok() && !open.empty()) {
      const auto arrival = next_arrival(alternatives, deadline);
      if (!arrival) break;
      auto taken = take_arrival(*arrival, open);
      if (!taken) return taken;
      if (*taken) return true;
      if (kept != nullptr && kept->size() < Channel::kMostWaiting) kept->push_back(std::move(*arrival));
    }
    // Silence lasted, and nothing that was not to come has come.
    return std::ranges::any_of(open, [](const Open& one) { return std::ranges::all_of(one.come, std::identity()); });
  }

  // The next arrival on the connections of these alternatives.
  std::optional<Arrival> next_arrival(const std::vector<Alternative>& alternatives, Instant deadline) {
    constexpr std::chrono::milliseconds kTurn{5};  // several connections are received from in turn
    std::vector<Channel*> channels;
    for (const Alternative& one : alternatives)
      if (Channel& there = channel(one.connection); std::ranges::count(channels, &there) == 0)
        channels.push_back(&there);
    if (channels.size() == 1) return channels.front()->next(deadline);
    while (ok()) {
      std::erase_if(channels, [](const Channel* one) { return !one->is_waiting() && one->ended() != Ending::none; });
      for (Channel* const one : channels)
        if (auto arrival = one->next(std::min(deadline, one->in(kTurn)))) return arrival;
      if (channels.empty() || first().now() >= deadline) break;
    }
    return std::nullopt;
  }

  // True: an alternative that does not wait for silence is complete. A stale message arrived before the last message
  // was sent, so it does not break a silence.
  Result<bool> take_arrival(const Arrival& arrival, std::vector<Open>& open) {
    mismatch_.clear();
    const std::string_view name = name_of(arrival);
    const bool is_owed = std::ranges::count(live_.language->owed, name) > 0;
    bool is_named = false, is_complete = false;
    std::vector<Open> still;
    for (Open& one : open) {
      bool is_out = false, is_mine = false;
      const bool is_here = one.which->connection == arrival.connection;
      for (std::size_t i = 0; i < one.which->all.size() && is_here && !is_mine; ++i) {
        const What& what = one.which->all[i];
        if (what.kind == What::Kind::silence || (one.come[i] && !what.is_denied)) continue;
        const auto fits = matches(what, name, arrival);
        if (!fits) return tl::unexpected(fits.error());
        if (!*fits) continue;
        is_mine = true;
        is_out = what.is_denied;
        if (is_out) denied_ = words_of({{.all = {What{.kind = what.kind, .name = what.name, .items = what.items}}}});
        one.come[i] = true;
        if (!what.variable.empty()) speaker_.keep(what.variable, arrival.octets);
      }
      is_named |= is_mine;
      if (one.is_silence && is_here && !is_mine && !is_owed && !arrival.is_stale) is_out = true;
      if (is_out) continue;
      is_complete |= is_mine && !one.is_silence && std::ranges::all_of(one.come, std::identity()) &&
                     std::ranges::none_of(one.which->all, &What::is_denied);
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

  Result<bool> matches(const What& what, std::string_view name, const Arrival& arrival) {
    const OctetBuffer& octets = arrival.octets;
    const bool is_end = arrival.kind == What::Kind::close || arrival.kind == What::Kind::reset;
    if (what.kind == What::Kind::close || what.kind == What::Kind::reset || is_end) return what.kind == arrival.kind;
    if (what.kind == What::Kind::any) return true;
    if (what.kind == What::Kind::raw) {
      const auto raw = speaker_.octets(what.octets.front());
      if (!raw) return tl::unexpected(raw.error());
      return *raw == octets;
    }
    if (what.kind == What::Kind::again) {
      const OctetBuffer* const kept = speaker_.message(what.name);
      return kept != nullptr && *kept == octets;
    }
    const MessageRow* const row = find_message(*live_.language, what.name);
    if (row == nullptr || row->name != name) return false;
    const std::vector<Located> fields = live_.language->locate(octets);
    for (const Item& item : what.items) {
      if (!is_compared(item)) continue;
      const auto fits = matches(item, fields, octets);
      if (fits && !*fits) mismatch_ = field_of(item, fields, octets);
      if (!fits || !*fits) return fits;
    }
    return true;
  }

  // An id that the IUT chose, or padding, is not compared, unless the value comes from an earlier message. An id that
  // the tester chose is. A header that depends on what the IUT has received by then is not.
  Result<bool> matches(const Item& item, const std::vector<Located>& fields, const OctetBuffer& octets) const {
    const Value& value = item.values.front();
    const auto begins_it = [&](std::string_view name) { return item.field.starts_with(name); };
    const bool is_loose = !is_strict_ && !has_variable(value);
    if (is_loose && std::ranges::any_of(live_.language->optional, begins_it)) return true;
    if (item.field == "size") {
      const auto payload = std::ranges::find(fields, "payload", &Located::name);
      return speaker_.allows(value, payload == fields.end() ? 0 : payload->length);
    }
    const auto field = std::ranges::find(fields, item.field, &Located::name);
    if (field == fields.end()) return false;
    const bool is_of_tester = field->id == IdUse::uses || field->id == IdUse::answers;
    const bool is_chosen = (field->kind == FieldKind::bound && !is_of_tester) || field->kind == FieldKind::padding;
    if (is_chosen && is_loose) return true;
    if (const auto number = get(octets, *field, live_.language->big_endian)) return speaker_.allows(value, *number);
    if (value.parts.front().term.kind == Term::Kind::any) return true;
    auto those = speaker_.octets(value);
    if (!those) return tl::unexpected(those.error());
    const Octets came = Octets(octets).subspan(field->offset, field->length);
    if (is_loose) take_over_ids(*field, fields, came, *those);
    return std::ranges::equal(*those, came);
  }

  // Octets may contain ids too: the STags of an advertisement, or of a quoted header.
  static void take_over_ids(const Located& field, const std::vector<Located>& fields, Octets came, OctetBuffer& those) {
    if (those.size() != came.size()) return;
    for (const Located& one : fields)
      if (one.kind == FieldKind::bound && one.offset >= field.offset &&
          one.offset + one.length <= field.offset + field.length)
        std::ranges::copy(came.subspan(one.offset - field.offset, one.length),
                          those.begin() + static_cast<std::ptrdiff_t>(one.offset - field.offset));
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

  // Conclusions from silence count only if the peer still serves an honest exchange.
  Result<void> control() {
    if (live_.iut == Side::a) return {};
    first().drop_waiting();  // earlier messages do not show that the peer still serves
    const bool is_stream = live_.language->is_stream();
    if (is_stream) first().reopen();
    for (const Greeting& one : is_stream ? live_.language->greetings : live_.language->control) {
      if (!ok()) return {};
      What message{.name = std::string(one.message), .at = live_.part->at};
      if (!one.wish.empty()) {
        Item item{.field = std::string(one.wish)};
        item.values.push_back({.parts = {{false, {.kind = Term::Kind::number, .number = 1}}}});
        message.items.push_back(std::move(item));
      }
      if (one.sender == tester()) {
        if (const auto sent = send(message, first()); !sent) return sent;
        continue;
      }
      const auto come = await({{.all = {message}}}, run_.answer_time());
      if (!come) return tl::unexpected(come.error());
      if (*come || !ok()) continue;
      const std::string expected = fmt::format("an honest exchange is served: {}", one.message);
      if (rule_ != nullptr)
        first().require(*rule_, false, expected, what_came(run_.answer_time()));
      else
        first().inconclusive(fmt::format("{}; {}", expected, what_came(run_.answer_time())));
    }
    return {};
  }

  const LivePart& live_;
  CaseRun& run_;
  Speaker speaker_;
  std::map<std::uint32_t, std::unique_ptr<Channel>> channels_;
  const Rule* rule_ = nullptr;
  bool is_strict_ = false;
  bool is_start_ = false;  // the line belongs to the start of the conversation
  std::uint32_t line_ = 0;
  std::vector<std::string> passed_over_;
  std::string denied_;    // the message that came although the line denies it
  std::string mismatch_;  // the field in which the latest message differs from one that was expected
};

// A live test cannot make side b open a connection.
std::optional<Problem> trouble_with_connections(const Conversation& conversation) {
  std::set<std::uint32_t> opened;
  for (const Spoken& one : conversation.spoken)
    if (opened.insert(one.connection).second && one.kind == Spoken::Kind::open && one.sender == Side::b)
      return Problem{
          one.at,
          fmt::format("in a live test, side a opens every connection, and side b opens connection {}", one.connection),
          "let side a say 'open' first"};
  return std::nullopt;
}

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
  if (const auto trouble = trouble_with_connections(*spoken)) return trouble;
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

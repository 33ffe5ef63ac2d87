// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wirelaw::script {
namespace {

template <class T>
using Result = tl::expected<T, Problem>;

tl::unexpected<Problem> problem(Position at, std::string message, std::string hint = {}) {
  return tl::unexpected(Problem{at, std::move(message), std::move(hint)});
}

bool is_any(const Value& value) {
  return value.parts.size() == 1 && value.parts[0].term.kind == Term::Kind::any;
}

bool is_octets(const Value& value) {
  if (value.parts.size() != 1 || !value.upto.empty()) return false;
  const Term& term = value.parts[0].term;
  return term.kind == Term::Kind::octets || term.kind == Term::Kind::call;
}

bool is_damage(Item::Op op) {
  return op != Item::Op::set && op != Item::Op::add && op != Item::Op::flip;
}

}  // namespace

// The values of a line, which are computed before the message is written.
class Speaker::LineWishes : public Wishes {
 public:
  static Result<LineWishes> of(const What& what, const Speaker& speaker) {
    LineWishes wishes;
    for (const Item& item : what.items) {
      if (is_damage(item.op)) continue;
      wishes.names_.push_back(item.field);
      const Value& value = item.values.front();
      if (item.op != Item::Op::set || is_any(value)) continue;
      if (is_octets(value)) {
        auto octets = speaker.octets(value);
        if (!octets) return tl::unexpected(octets.error());
        wishes.octets_[item.field] = std::move(*octets);
      } else if (const auto number = speaker.number(value)) {
        wishes.numbers_[item.field] = *number;
      } else if (auto octets = speaker.octets(value)) {  // a field that is no number
        wishes.octets_[item.field] = std::move(*octets);
      } else {
        return tl::unexpected(number.error());
      }
    }
    return wishes;
  }

  std::optional<std::uint64_t> number(std::string_view field) const override {
    const auto found = numbers_.find(field);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<Octets> octets(std::string_view field) const override {
    const auto found = octets_.find(field);
    return found == octets_.end() ? std::nullopt : std::optional<Octets>(found->second);
  }
  bool names(std::string_view prefix) const override {
    return std::ranges::any_of(names_, [&](const std::string& name) { return name.starts_with(prefix); });
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::uint64_t, std::less<>> numbers_;
  std::map<std::string, OctetBuffer, std::less<>> octets_;
};

Speech& Speaker::speech(std::uint32_t connection) {
  auto& speech = speeches_[connection];
  if (!speech) speech = language_.speech(addresses_);
  return *speech;
}

const OctetBuffer* Speaker::message(const std::string& name) const {
  const auto found = messages_.find(name);
  return found == messages_.end() ? nullptr : &found->second;
}

// --- values

Result<std::uint64_t> Speaker::number(const Term& term) const {
  switch (term.kind) {
    case Term::Kind::number:
      return term.number;
    case Term::Kind::word: {
      const auto timer = std::ranges::find(language_.timers, term.name, &TimerRow::name);
      if (timer != language_.timers.end()) return static_cast<std::uint64_t>(timer->nanoseconds);
      std::vector<std::string_view> names;
      for (const TimerRow& row : language_.timers) names.push_back(row.name);
      return problem(term.at, fmt::format("'{}' is no value", term.name), nearest(term.name, names));
    }
    case Term::Kind::variable: {
      if (term.field.empty()) {
        const auto found = numbers_.find(term.name);
        if (found != numbers_.end()) return found->second;
        if (message(term.name) != nullptr)
          return problem(term.at, fmt::format("${} is a message, not a number", term.name),
                         fmt::format("name one of its fields: ${}.FIELD", term.name));
        return problem(term.at, fmt::format("${} has no value here", term.name));
      }
      const OctetBuffer* const octets = message(term.name);
      if (octets == nullptr) return problem(term.at, fmt::format("no message is named ${} here", term.name));
      const auto located = field(*octets, term.field, fmt::format("${}", term.name), term.at);
      if (!located) return tl::unexpected(located.error());
      const auto value = get(*octets, *located, language_.big_endian);
      if (!value) return problem(term.at, fmt::format("${}.{} is not a number", term.name, term.field));
      return *value;
    }
    case Term::Kind::octets:
    case Term::Kind::call:
      return problem(term.at, "octets are no number");
    case Term::Kind::any:
      return problem(term.at, "'*' is no number", "only a line of the IUT may leave a value open");
  }
  return problem(term.at, "this is no number");
}

Result<std::uint64_t> Speaker::sum(const std::vector<Value::Part>& parts) const {
  std::uint64_t total = 0;
  for (const Value::Part& part : parts) {
    const auto one = number(part.term);
    if (!one) return one;
    total = part.negative ? total - *one : total + *one;
  }
  return total;
}

Result<std::uint64_t> Speaker::number(const Value& value) const {
  return sum(value.parts);
}

Result<std::int64_t> Speaker::time(const Value& value) const {
  constexpr std::uint64_t kLongest = 366ull * 24 * 3600 * 1'000'000'000;
  for (const Value::Part& part : value.parts)
    if (part.term.kind == Term::Kind::number && !part.term.is_time && part.term.number != 0)
      return problem(part.term.at, "a time needs a unit", "write ns, us, ms or s");
  const auto found = number(value);
  if (!found) return tl::unexpected(found.error());
  if (*found > kLongest) return problem(value.at, "this time is longer than a year");
  return static_cast<std::int64_t>(*found);
}

Result<OctetBuffer> Speaker::octets_of_call(const Term& call) const {
  std::vector<std::uint64_t> numbers;
  const bool is_part = call.name == "octets";
  if (!is_part && call.name != "pattern")
    return problem(call.at, fmt::format("'{}' is no function", call.name),
                   "there are pattern(n) and octets($m, from, n)");
  for (std::size_t i = is_part ? 1 : 0; i < call.arguments.size(); ++i) {
    const auto one = number(call.arguments[i]);
    if (!one) return tl::unexpected(one.error());
    numbers.push_back(*one);
  }
  if (numbers.size() != (is_part ? 2 : 1) || call.arguments.empty())
    return problem(call.at, is_part ? "octets takes a message, an offset and a number" : "pattern takes one number");
  if (!is_part) {
    if (numbers[0] > kMostMessageOctets) return problem(call.at, "these are too many octets for one message");
    return pattern(numbers[0]);
  }
  auto whole = octets(call.arguments[0]);
  if (!whole) return whole;
  if (numbers[0] > whole->size() || numbers[1] > whole->size() - numbers[0])
    return problem(call.at, fmt::format("the message has {} octets, too few for this part", whole->size()));
  const auto begin = whole->begin() + static_cast<std::ptrdiff_t>(numbers[0]);
  return OctetBuffer(begin, begin + static_cast<std::ptrdiff_t>(numbers[1]));
}

Result<OctetBuffer> Speaker::octets(const Term& term) const {
  if (term.kind == Term::Kind::octets) return term.octets;
  if (term.kind == Term::Kind::call) return octets_of_call(term);
  if (term.kind == Term::Kind::variable) {
    const OctetBuffer* const found = message(term.name);
    if (found == nullptr) return problem(term.at, fmt::format("no message is named ${} here", term.name));
    if (term.field.empty()) return *found;
    const auto located = field(*found, term.field, fmt::format("${}", term.name), term.at);
    if (!located) return tl::unexpected(located.error());
    const auto begin = found->begin() + static_cast<std::ptrdiff_t>(located->offset);
    return OctetBuffer(begin, begin + static_cast<std::ptrdiff_t>(located->length));
  }
  return problem(term.at, "this is no octets", "write hex:0011, a \"text\", pattern(n) or octets($m, from, n)");
}

Result<OctetBuffer> Speaker::octets(const Value& value) const {
  if (value.parts.size() != 1 || !value.upto.empty())
    return problem(value.at, "octets cannot be added", "write them as one value");
  return octets(value.parts.front().term);
}

Result<bool> Speaker::allows(const Value& value, std::uint64_t found) const {
  if (is_any(value)) return true;
  const auto least = sum(value.parts);
  if (!least) return tl::unexpected(least.error());
  if (value.upto.empty()) return *least == found;
  const auto most = sum(value.upto);
  if (!most) return tl::unexpected(most.error());
  return *least <= found && found <= *most;
}

// --- messages

Result<Located> Speaker::field(Octets message, const std::string& name, std::string_view of, Position at) const {
  const std::vector<Located> fields = language_.locate(message);
  const auto found = std::ranges::find(fields, name, &Located::name);
  if (found != fields.end() && found->offset <= message.size() && found->length <= message.size() - found->offset)
    return *found;
  std::vector<std::string_view> names;
  for (const Located& one : fields) names.push_back(one.name);
  for (const MessageRow& row : language_.wishes) names.push_back(row.name);
  return problem(at, fmt::format("{} has no field '{}'", of, name), nearest(name, names));
}

Result<void> Speaker::apply(const Item& item, OctetBuffer& message, std::string_view name) const {
  const auto size_of = [&](const Value& value) -> Result<std::size_t> {
    const auto size = number(value);
    if (!size) return tl::unexpected(size.error());
    if (*size > message.size())
      return problem(value.at, fmt::format("{} has {} octets, fewer than {}", name, message.size(), *size));
    return static_cast<std::size_t>(*size);
  };
  switch (item.op) {
    case Item::Op::lose:
    case Item::Op::unseen:
    case Item::Op::twice:
      return {};
    case Item::Op::split:
      return problem(item.at, "split needs a stream; a datagram is one piece");
    case Item::Op::cut: {
      const auto size = size_of(item.values[0]);
      if (!size) return tl::unexpected(size.error());
      message.resize(*size);
      return {};
    }
    case Item::Op::append:
    case Item::Op::insert: {
      const bool at_end = item.op == Item::Op::append;
      const auto at = at_end ? Result<std::size_t>(message.size()) : size_of(item.values[0]);
      if (!at) return tl::unexpected(at.error());
      const auto more = octets(item.values.back());
      if (!more) return tl::unexpected(more.error());
      message.insert(message.begin() + static_cast<std::ptrdiff_t>(*at), more->begin(), more->end());
      return {};
    }
    case Item::Op::set:
    case Item::Op::add:
    case Item::Op::flip:
      break;
  }
  const Value& value = item.values.front();
  if (std::ranges::find(language_.wishes, item.field, &MessageRow::name) != language_.wishes.end()) return {};
  const auto located = field(message, item.field, name, item.at);
  if (!located) return tl::unexpected(located.error());
  if (is_any(value)) return {};
  if (located->bits == 0 || is_octets(value)) {
    const auto those = octets(value);
    if (!those) return tl::unexpected(those.error());
    if (item.op != Item::Op::set || those->size() != located->length)
      return problem(item.at, fmt::format("{} has {} octets, not {}", item.field, located->length, those->size()));
    std::ranges::copy(*those, message.begin() + static_cast<std::ptrdiff_t>(located->offset));
    return {};
  }
  const auto operand = number(value);
  if (!operand) return tl::unexpected(operand.error());
  const std::uint64_t before = get(message, *located, language_.big_endian).value_or(0);
  const std::uint64_t after = item.op == Item::Op::set   ? *operand
                              : item.op == Item::Op::add ? before + *operand
                                                         : before ^ *operand;
  if (item.op == Item::Op::set && located->bits < 64 && after >> located->bits != 0)
    return problem(item.at, fmt::format("{} has {} bits, too few for {}", item.field, located->bits, after));
  set(message, *located, after, language_.big_endian);
  return {};
}

Result<Speaker::Draft> Speaker::draft(const What& what, Side sender, std::uint32_t connection) {
  Draft draft;
  std::string name = what.name;
  if (what.kind == What::Kind::raw) {
    auto raw = octets(what.octets.front());
    if (!raw) return tl::unexpected(std::move(raw.error()));
    draft.message = std::move(*raw);
    name = "this message";
  } else if (what.kind == What::Kind::again) {
    const OctetBuffer* const kept = this->message(what.name);
    if (kept == nullptr) return problem(what.at, fmt::format("no message is named ${} here", what.name));
    draft.message = *kept;
    name = "$" + name;
  } else {
    const MessageRow* const row = find_message(language_, what.name);
    if (row == nullptr) {
      std::vector<std::string_view> names;
      for (const MessageRow& one : language_.messages()) names.push_back(one.name);
      return problem(what.at, fmt::format("there is no message '{}'", what.name), nearest(what.name, names));
    }
    name = row->name;
    const auto wishes = LineWishes::of(what, *this);
    if (!wishes) return tl::unexpected(wishes.error());
    auto honest = speech(connection).next(sender, row->name, *wishes);
    if (!honest) return problem(what.at, honest.error());
    draft.honest = std::move(*honest);
    draft.message = draft.honest;
  }
  for (const Item& item : what.items) {
    if (const auto done = apply(item, draft.message, name); !done) return tl::unexpected(done.error());
    if (draft.message.size() > kMostMessageOctets) return problem(item.at, "this message is too long");
  }
  return draft;
}

Result<OctetBuffer> Speaker::write(const What& what, Side sender, std::uint32_t connection) {
  auto draft = this->draft(what, sender, connection);
  if (!draft) return tl::unexpected(std::move(draft.error()));
  if (what.kind == What::Kind::message) speech(connection).heard(sender, draft->honest);
  if (!what.variable.empty()) keep(what.variable, draft->message);
  return std::move(draft->message);
}

// --- settings

const Setting* find_setting(const Part& part, std::string_view name) {
  const auto found = std::find_if(part.settings.rbegin(), part.settings.rend(),
                                  [&](const Setting& setting) { return setting.name == name; });
  return found == part.settings.rend() ? nullptr : &*found;
}

tl::expected<Addresses, Problem> addresses_of(const Part& part) {
  Addresses addresses = sample_addresses();
  const Setting* const nodes = find_setting(part, "nodes");
  for (std::size_t i = 0; nodes != nullptr && i < addresses.size(); ++i) {
    const Term& word = nodes->values[i].parts.front().term;
    const auto endpoint = parse_endpoint(word.name);
    if (!endpoint)
      return problem(word.at, fmt::format("'{}' is no address with a port", word.name),
                     "write 192.0.2.1:5000 or [2001:db8::1]:5000");
    addresses[i].endpoint = *endpoint;
  }
  return addresses;
}

std::string_view word_of(const Part& part, std::string_view name) {
  const Setting* const setting = find_setting(part, name);
  if (setting == nullptr || setting->values.empty()) return {};
  return setting->values.front().parts.front().term.name;
}

Result<void> take_settings(const Part& part, Speaker& speaker) {
  for (const Setting& setting : part.settings) {
    if (setting.name != "let") continue;
    const auto number = speaker.number(setting.values[1]);
    if (!number) return tl::unexpected(number.error());
    speaker.let(setting.values[0].parts[0].term.name, *number);
  }
  return {};
}

// --- offline

namespace {

class Offline {
 public:
  Offline(const Part& part, const Language& language, const Addresses& addresses, std::size_t most_messages)
      : part_(part), speaker_(language, addresses), most_messages_(most_messages) {
    out_.addresses = addresses;
  }

  Result<Conversation> run() {
    if (const auto taken = take_settings(part_, speaker_); !taken) return tl::unexpected(taken.error());
    if (const Setting* const step = find_setting(part_, "step")) {
      const auto time = speaker_.time(step->values.front());
      if (!time) return tl::unexpected(time.error());
      out_.step_ns = *time;
    }
    if (find_setting(part_, "bare") == nullptr)
      for (const Greeting& one : speaker_.language().greetings)
        if (const auto greeted = greet(one); !greeted) return tl::unexpected(greeted.error());
    for (const Step& step : part_.steps) {
      const auto done = for_each_round(step, speaker_, [&] { return take(step); });
      if (!done) return tl::unexpected(done.error());
    }
    out_.silence_ns = std::exchange(pause_, 0);
    return std::move(out_);
  }

 private:
  Result<void> greet(const Greeting& greeting) {
    const What what{.name = std::string(greeting.message), .at = part_.at};
    auto octets = speaker_.write(what, greeting.sender, 1);
    if (!octets) return tl::unexpected(octets.error());
    return put({.sender = greeting.sender, .octets = std::move(*octets), .at = part_.at});
  }

  Result<bool> take(const Step& step) {
    if (const auto* const pause = std::get_if<Pause>(&step.what)) {
      const auto time = speaker_.time(pause->time);
      if (!time) return tl::unexpected(time.error());
      pause_ += *time;
    } else if (const auto* const said = std::get_if<Said>(&step.what)) {
      for (const What& what : said->alternatives.front())
        if (const auto done = say(*said, what); !done) return tl::unexpected(done.error());
    }
    for (const Mark& mark : step.marks) out_.marks.push_back({out_.spoken.empty() ? 0 : out_.spoken.size() - 1, mark});
    return true;
  }

  Result<void> say(const Said& said, const What& what) {
    if (what.is_denied || what.kind == What::Kind::silence || what.kind == What::Kind::any) return {};
    Spoken one{.sender = said.sender == 'a' ? Side::a : Side::b, .connection = said.connection, .at = what.at};
    switch (what.kind) {
      case What::Kind::open:
        one.kind = Spoken::Kind::open;
        return put(std::move(one));
      case What::Kind::close:
        one.kind = Spoken::Kind::close;
        return put(std::move(one));
      case What::Kind::reset:
        one.kind = Spoken::Kind::reset;
        return put(std::move(one));
      default:
        break;
    }
    auto octets = speaker_.write(what, one.sender, one.connection);
    if (!octets) return tl::unexpected(octets.error());
    one.octets = std::move(*octets);
    std::size_t times = 1;
    for (const Item& item : what.items) {
      if (item.op == Item::Op::lose) one.is_received = one.is_captured = false;
      if (item.op == Item::Op::unseen) one.is_captured = false;
      if (item.op == Item::Op::twice) ++times;
    }
    for (std::size_t i = 1; i < times; ++i)
      if (const auto done = put(one); !done) return done;
    return put(std::move(one));
  }

  Result<void> put(Spoken one) {
    spoken_octets_ += one.octets.size();
    if (out_.spoken.size() >= most_messages_ || spoken_octets_ > kMostSpokenOctets)
      return problem(one.at, "this conversation is too long");
    one.pause_ns = std::exchange(pause_, 0);
    out_.spoken.push_back(std::move(one));
    return {};
  }

  const Part& part_;
  Speaker speaker_;
  const std::size_t most_messages_;
  Conversation out_;
  std::int64_t pause_ = 0;
  std::size_t spoken_octets_ = 0;
};

}  // namespace

Result<Conversation> speak(const Part& part, const Language& language, std::size_t most_messages) {
  const auto addresses = addresses_of(part);
  if (!addresses) return tl::unexpected(addresses.error());
  return Offline(part, language, *addresses, most_messages).run();
}

}  // namespace wirelaw::script

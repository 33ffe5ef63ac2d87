// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "conformance/script/result.h"

namespace wirelaw::script {
namespace {

constexpr std::string_view kTcp = "tcp";  // the layer below every stream

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
      if (is_damage(item.op) || !item.layer.empty()) continue;
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
  if (speech) return *speech;
  Addresses addresses = addresses_;
  if (!language_.joins_connections)
    for (const Side side : {Side::a, Side::b})
      addresses[static_cast<std::size_t>(side)].endpoint = end_in(addresses_, further_ends_, side, connection);
  speech = language_.speech(addresses);
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

namespace {

// A function whose value is octets. The octets argument, if there is one, comes before the numbers.
struct OctetsFunction {
  std::string_view name;
  bool takes_octets;
  std::size_t numbers;
  std::string_view form;  // as a hint shows it
};
constexpr OctetsFunction kOctetsFunctions[] = {
    {"pattern", false, 1, "pattern(n)"},
    {"repeat", true, 1, "repeat(hex:00, n)"},
    {"octets", true, 2, "octets($m, from, n)"},
};

}  // namespace

Result<OctetBuffer> Speaker::octets_of_call(const Term& call) const {
  const auto* const function = std::ranges::find(kOctetsFunctions, call.name, &OctetsFunction::name);
  if (function == std::end(kOctetsFunctions))
    return problem(call.at, fmt::format("'{}' is no function", call.name),
                   "there are pattern(n), repeat(hex:00, n) and octets($m, from, n)");
  const std::size_t first = function->takes_octets ? 1 : 0;
  if (call.arguments.size() != first + function->numbers)
    return problem(call.at, fmt::format("{} takes other arguments", call.name),
                   fmt::format("write {}", function->form));
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = first; i < call.arguments.size(); ++i) {
    const auto one = number(call.arguments[i]);
    if (!one) return tl::unexpected(one.error());
    numbers.push_back(*one);
  }
  const auto whole = function->takes_octets ? octets(call.arguments[0]) : OctetBuffer();
  if (!whole) return whole;
  const std::size_t octets_each = std::max<std::size_t>(whole->size(), 1);
  if (function->name != "octets" && numbers[0] > kMostMessageOctets / octets_each)
    return problem(call.at, "these are too many octets for one message");
  if (function->name == "pattern") return pattern(numbers[0]);
  OctetBuffer result;
  if (function->name == "repeat") {
    for (std::uint64_t i = 0; i < numbers[0]; ++i) result.insert(result.end(), whole->begin(), whole->end());
    return result;
  }
  if (numbers[0] > whole->size() || numbers[1] > whole->size() - numbers[0])
    return problem(call.at, fmt::format("the message has {} octets, too few for this part", whole->size()));
  const auto begin = whole->begin() + static_cast<std::ptrdiff_t>(numbers[0]);
  result.assign(begin, begin + static_cast<std::ptrdiff_t>(numbers[1]));
  return result;
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
  return problem(term.at, "this is no octets",
                 "write hex:0011, a \"text\", pattern(n), repeat(hex:00, n) or octets($m, from, n)");
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

namespace {

// An underscore does not count; upper and lower case are the same already.
bool is_same_name(std::string_view one, std::string_view other) {
  const auto plain = [](std::string_view name) {
    std::string text(name);
    std::erase(text, '_');
    return text;
  };
  return plain(one) == plain(other);
}

const Located* find_field(const std::vector<Located>& fields, const std::string& name) {
  auto found = std::ranges::find(fields, name, &Located::name);
  if (found == fields.end())
    found = std::ranges::find_if(fields, [&](const Located& one) { return is_same_name(one.name, name); });
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

Result<Located> Speaker::field(const Scope& scope, Octets octets, const std::string& name, Position at) const {
  const std::vector<Located> fields = scope.locate(octets);
  const Located* const found = find_field(fields, name);
  if (found != nullptr && found->offset <= octets.size() && found->length <= octets.size() - found->offset)
    return *found;
  return tl::unexpected(no_field(scope, octets, name, at));
}

// States why the octets have no field of this name.
Problem Speaker::no_field(const Scope& scope, Octets octets, const std::string& name, Position at) const {
  const std::vector<Located> fields = scope.locate(octets);
  if (!scope.honest.empty() && find_field(scope.locate(scope.honest), name) != nullptr)
    return {at, fmt::format("{} has no field '{}' after the values before it in this line", scope.name, name),
            fmt::format("name '{}' first, or leave those values out", name)};
  std::vector<std::string_view> names;
  for (const Located& one : fields) names.push_back(one.name);
  if (scope.has_wishes)
    for (const MessageRow& row : language_.wishes) names.push_back(row.name);
  return {at, fmt::format("{} has no field '{}'", scope.name, name), nearest(name, names)};
}

Result<Located> Speaker::field(Octets message, const std::string& name, std::string_view of, Position at) const {
  return field(message_scope(of), message, name, at);
}

Result<void> Speaker::apply(const Item& item, OctetBuffer& octets, const Scope& scope) const {
  switch (item.op) {
    case Item::Op::lose:
      if (language_.is_stream()) return problem(item.at, "no octet of a stream gets lost", "write 'unseen' instead");
      return {};
    case Item::Op::unseen:
    case Item::Op::twice:
      return {};
    case Item::Op::split:
    case Item::Op::more:
    case Item::Op::as_is:
      if (!language_.is_stream())
        return problem(item.at, fmt::format("{} needs a stream; a datagram is one piece", item.field));
      return {};
    case Item::Op::cut:
    case Item::Op::append:
    case Item::Op::insert:
      return resize(item, octets, scope);
    case Item::Op::set:
    case Item::Op::add:
    case Item::Op::flip:
      return change(item, octets, scope);
  }
  return {};
}

Result<void> Speaker::resize(const Item& item, OctetBuffer& octets, const Scope& scope) const {
  std::size_t at = octets.size();
  if (item.op != Item::Op::append) {
    const Value& value = item.values.front();
    const auto place = number(value);
    if (!place) return tl::unexpected(place.error());
    if (*place > octets.size())
      return problem(value.at, fmt::format("{} has {} octets, fewer than {}", scope.name, octets.size(), *place));
    at = static_cast<std::size_t>(*place);
  }
  if (item.op == Item::Op::cut) {
    octets.resize(at);
    return {};
  }
  const auto more = this->octets(item.values.back());
  if (!more) return tl::unexpected(more.error());
  octets.insert(octets.begin() + static_cast<std::ptrdiff_t>(at), more->begin(), more->end());
  return {};
}

Result<void> Speaker::change(const Item& item, OctetBuffer& octets, const Scope& scope) const {
  const Value& value = item.values.front();
  const auto is_wish = [&] { return std::ranges::count(language_.wishes, item.field, &MessageRow::name) > 0; };
  if (scope.has_wishes && is_wish()) {
    if (item.op == Item::Op::set) return {};
    return problem(item.at, fmt::format("{} can only be set, with '='", item.field));
  }
  const auto located = field(scope, octets, item.field, item.at);
  if (!located) return tl::unexpected(located.error());
  if (is_any(value)) return {};
  if (located->bits == 0 || is_octets(value)) {
    const auto those = this->octets(value);
    if (!those) return tl::unexpected(those.error());
    if (item.op != Item::Op::set || those->size() != located->length)
      return problem(item.at, fmt::format("{} has {} octets, not {}", item.field, located->length, those->size()));
    std::ranges::copy(*those, octets.begin() + static_cast<std::ptrdiff_t>(located->offset));
    return {};
  }
  const auto operand = number(value);
  if (!operand) return tl::unexpected(operand.error());
  const std::uint64_t before = get(octets, *located, language_.big_endian).value_or(0);
  const std::uint64_t after = item.op == Item::Op::set   ? *operand
                              : item.op == Item::Op::add ? before + *operand
                                                         : before ^ *operand;
  if (item.op == Item::Op::set && located->bits < 64 && after >> located->bits != 0)
    return problem(item.at, fmt::format("{} has {} bits, too few for {}", item.field, located->bits, after));
  set(octets, *located, after, language_.big_endian);
  return {};
}

Framing& Speaker::framing(std::uint32_t connection) {
  auto& framing = framings_[connection];
  if (!framing) framing = language_.framing();
  return *framing;
}

// The message, or the octets, that the line names.
Result<void> Speaker::say(const What& what, std::string_view name, Draft& draft) {
  for (const Item& item : what.items) {
    if (!item.layer.empty()) continue;
    if (const auto done = apply(item, draft.message, message_scope(name, draft.honest)); !done) return done;
    if (draft.message.size() > kMostMessageOctets) return problem(item.at, "this message is too long");
  }
  return {};
}

// Every layer that the line names is one of the language's.
Result<void> Speaker::check_layers(const What& what, std::string_view name) const {
  const Layers& layers = language_.layers;
  for (const Item& item : what.items) {
    if (item.layer.empty() || (!layers.frame.empty() && item.layer == layers.frame)) continue;
    if (!layers.segment.empty() && item.layer == layers.segment) continue;
    const bool is_of_tcp = item.op == Item::Op::split || item.op == Item::Op::more || item.op == Item::Op::unseen;
    if (language_.is_stream() && item.layer == kTcp && is_of_tcp) continue;
    if (language_.is_stream() && item.layer == kTcp)
      return problem(item.at, "tcp has no such field", "it takes split, more and unseen");
    std::vector<std::string_view> names{layers.segment, layers.frame};
    if (language_.is_stream()) names.push_back(kTcp);
    return problem(item.at, fmt::format("{} has no layer '{}'", name, item.layer), nearest(item.layer, names));
  }
  return {};
}

// Applies a line's changes to a frame: its fields, then the seal unless the line sets it or keeps it, then damage.
Result<void> Speaker::edit_frame(const What& what, Side sender, std::uint32_t index, Draft& draft,
                                 OctetBuffer& frame) const {
  const Layers& layers = language_.layers;
  const Scope scope{layers.frame, [&](Octets octets) { return draft.framing->locate(sender, octets); }};
  const auto apply_all = [&](auto is_wanted) -> Result<std::size_t> {
    std::size_t count = 0;
    for (const Item& item : what.items) {
      if (item.layer != layers.frame || (item.index != 0 && item.index != index) || !is_wanted(item)) continue;
      if (const auto done = apply(item, frame, scope); !done) return tl::unexpected(done.error());
      ++count;
    }
    return count;
  };
  const auto is_sealed = [&](const Item& item) { return item.field == layers.sealed; };
  if (layers.frame.empty()) return {};
  const auto edited = apply_all([&](const Item& item) { return !is_damage(item.op) && !is_sealed(item); });
  if (!edited) return tl::unexpected(edited.error());
  const auto as_is = apply_all([](const Item& item) { return item.op == Item::Op::as_is; });
  if (*edited > 0 && *as_is == 0) draft.framing->seal(sender, frame);
  for (const auto& done : {apply_all([&](const Item& item) { return !is_damage(item.op) && is_sealed(item); }),
                           apply_all([](const Item& item) { return is_damage(item.op); })})
    if (!done) return tl::unexpected(done.error());
  return {};
}

// The octets of the streams that carry the message.
Result<void> Speaker::frame(const What& what, Side sender, std::string_view name, Draft& draft) const {
  const auto in_layer = [&](const Item& item) {
    return !language_.layers.segment.empty() && item.layer == language_.layers.segment;
  };
  if (what.kind == What::Kind::raw) {
    draft.framing->passed(sender, draft.message, {});
    draft.frames.push_back(draft.message);
    return {};
  }
  const bool is_whole =
      std::ranges::any_of(what.items, [&](const Item& item) { return in_layer(item) && item.op == Item::Op::as_is; });
  std::vector<OctetBuffer> segments{draft.message};
  if (!is_whole) segments = draft.framing->segments(sender, draft.message);
  for (const Item& item : what.items)
    if (item.index > segments.size())
      return problem(item.at,
                     fmt::format("{} has {} segment{}", name, segments.size(), segments.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const Item& item : what.items) {
      if (!in_layer(item) || (item.index != 0 && item.index != i + 1)) continue;
      const Scope scope{language_.layers.segment, language_.locate};
      if (const auto done = apply(item, segments[i], scope); !done) return done;
    }
    auto wrapped = draft.framing->wrap(sender, segments[i]);
    if (!wrapped) return problem(what.at, wrapped.error());
    const auto edited = edit_frame(what, sender, static_cast<std::uint32_t>(i + 1), draft, *wrapped);
    if (!edited) return edited;
    draft.framing->passed(sender, *wrapped, segments[i]);
    draft.frames.push_back(std::move(*wrapped));
    draft.segments.push_back(std::move(segments[i]));
  }
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
  if (const auto known = check_layers(what, name); !known) return tl::unexpected(known.error());
  if (const auto said = say(what, name, draft); !said) return tl::unexpected(said.error());
  if (language_.is_stream()) draft.framing = framing(connection).copy();
  const auto times = 1 + std::ranges::count(what.items, Item::Op::twice, &Item::op);
  for (std::ptrdiff_t i = 0; i < times; ++i) {
    if (!language_.is_stream())
      draft.frames.push_back(draft.message);
    else if (const auto framed = frame(what, sender, name, draft); !framed)
      return tl::unexpected(framed.error());
  }
  return draft;
}

Result<Speaker::Draft> Speaker::write(const What& what, Side sender, std::uint32_t connection) {
  auto draft = this->draft(what, sender, connection);
  if (!draft) return draft;
  if (what.kind == What::Kind::message) speech(connection).heard(sender, draft->honest);
  for (const OctetBuffer& segment : draft->segments) speech(connection).passed(sender, segment);
  if (draft->framing) framings_[connection] = std::move(draft->framing);
  if (!what.variable.empty()) keep(what.variable, draft->message);
  return draft;
}

Result<OctetBuffer> Speaker::edit(const What& what, Side sender, std::uint32_t connection, Octets message,
                                  Octets wire) {
  Draft draft;
  draft.message = {message.begin(), message.end()};
  const std::string_view found = language_.name_of(message);
  const std::string_view name = found.empty() ? std::string_view(what.name) : found;
  if (const auto said = say(what, name, draft); !said) return tl::unexpected(said.error());
  if (!language_.is_stream()) return std::move(draft.message);
  draft.framing = framing(connection).copy();
  OctetBuffer frame(wire.begin(), wire.end());
  if (!std::ranges::equal(draft.message, message)) {
    auto wrapped = draft.framing->wrap(sender, draft.message);
    if (!wrapped) return problem(what.at, wrapped.error());
    frame = std::move(*wrapped);
  }
  if (const auto edited = edit_frame(what, sender, 1, draft, frame); !edited) return tl::unexpected(edited.error());
  return frame;
}

// --- settings

const Setting* find_setting(const Part& part, std::string_view name) {
  const auto found = std::find_if(part.settings.rbegin(), part.settings.rend(),
                                  [&](const Setting& setting) { return setting.name == name; });
  return found == part.settings.rend() ? nullptr : &*found;
}

tl::expected<Ends, Problem> ends_of(const Part& part) {
  Ends ends;
  for (const Setting& nodes : part.settings) {
    if (nodes.name != "nodes") continue;
    std::uint32_t connection = 1;
    if (nodes.values.size() > 2) {
      const Term& word = nodes.values[2].parts.front().term;
      const auto [end, error] = std::from_chars(word.name.data(), word.name.data() + word.name.size(), connection);
      if (error != std::errc() || end != word.name.data() + word.name.size() || connection < 1 ||
          connection > kMostConnections)
        return problem(word.at, fmt::format("a connection has a number from 1 to {}", kMostConnections));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Term& word = nodes.values[i].parts.front().term;
      const auto endpoint = parse_endpoint(word.name);
      if (!endpoint)
        return problem(word.at, fmt::format("'{}' is no address with a port", word.name),
                       "write 192.0.2.1:5000 or [2001:db8::1]:5000");
      ends[connection][i] = *endpoint;
    }
  }
  return ends;
}

Endpoint end_in(const Addresses& first, const Ends& further, Side side, std::uint32_t connection) {
  const std::size_t at = side == Side::a ? 0 : 1;
  if (const auto found = further.find(connection); found != further.end()) return found->second[at];
  Endpoint endpoint = first[at].endpoint;
  if (side == Side::a) endpoint.port += connection - 1;
  return endpoint;
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

}  // namespace wirelaw::script

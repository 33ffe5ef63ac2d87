// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/script/language.h"
#include "conformance/script/line.h"
#include "conformance/script/words.h"

namespace wirelaw::script {
namespace {

// The words that begin a setting, and the number of values of each.
struct SettingRow {
  std::string_view name;
  std::size_t least, most;
};
constexpr SettingRow kSettings[] = {
    {"protocol", 1, 1}, {"iut", 1, 1},   {"rule", 1, 64},  {"feature", 1, 16},  {"revision", 1, 1},
    {"needs", 1, 1},    {"bare", 0, 0},  {"strict", 0, 0}, {"midstream", 0, 0}, {"step", 1, 1},
    {"let", 3, 3},      {"nodes", 2, 3}, {"over", 1, 1},   {"closes", 1, 1},    {"asks", 1, 2},
};
const SettingRow* find_setting(std::string_view word) {
  const auto found = std::ranges::find(kSettings, word, &SettingRow::name);
  return found == std::end(kSettings) ? nullptr : found;
}

struct DamageRow {
  std::string_view name;
  Item::Op op;
  std::size_t values;  // operands; kList: one or more
};
constexpr std::size_t kList = static_cast<std::size_t>(-1);
constexpr std::uint64_t kMostIndex = 1u << 20;
constexpr DamageRow kDamage[] = {
    {"lose", Item::Op::lose, 0},       {"unseen", Item::Op::unseen, 0}, {"twice", Item::Op::twice, 0},
    {"cut", Item::Op::cut, 1},         {"append", Item::Op::append, 1}, {"insert", Item::Op::insert, 2},
    {"split", Item::Op::split, kList}, {"more", Item::Op::more, 0},     {"as_is", Item::Op::as_is, 0},
};

struct UnitRow {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr UnitRow kUnits[] = {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};

// --- values

Value value(Line& line, std::size_t depth = 0);

Term number_term(Line& line) {
  Term term{.kind = Term::Kind::number, .at = line.here()};
  term.number = line.number();
  if (!is_letter(line.next())) return term;
  const Position at = line.here();
  const std::string unit = line.name("a unit");
  const auto found = std::ranges::find(kUnits, unit, &UnitRow::name);
  if (found == std::end(kUnits))
    return line.fail(at, fmt::format("'{}' is no unit", unit), "write ns, us, ms or s"), term;
  if (term.number > UINT64_MAX / 2 / found->nanoseconds) return line.fail(at, "this time is too long"), term;
  term.number *= found->nanoseconds;
  term.is_time = true;
  return term;
}

std::string field(Line& line) {
  std::string name = lower_case(line.name("a field"));
  for (;;) {
    if (line.take_next('['))
      name += fmt::format("[{}]", line.number()), line.expect(']', "after an index");
    else if (line.take_next_before_name('.'))
      name += "." + lower_case(line.name("a field after '.'"));
    else
      return name;
    if (!line.ok() || name.size() > 128) return line.fail("this name of a field is too long"), name;
  }
}

Term variable_term(Line& line) {
  Term term{.kind = Term::Kind::variable, .at = line.here()};
  line.take('$');
  term.name = line.name("the name of a variable after '$'");
  if (line.take_next_before_name('.')) term.field = field(line);
  return term;
}

Term term(Line& line, std::size_t depth) {
  const char c = line.peek();
  const Position at = line.here();
  if (is_digit(c)) return number_term(line);
  if (c == '$') return variable_term(line);
  if (line.take('*')) return {.kind = Term::Kind::any, .at = at};
  if (c == '"') {
    const std::string text = line.string();
    return {.kind = Term::Kind::octets, .octets = OctetBuffer(text.begin(), text.end()), .at = at};
  }
  std::string name = line.name("a value");
  if (name == "hex" && line.take_next(':')) return {.kind = Term::Kind::octets, .octets = line.hex_digits(), .at = at};
  if (!line.take_next('(')) return {.kind = Term::Kind::word, .name = std::move(name), .at = at};
  Term call{.kind = Term::Kind::call, .name = std::move(name), .at = at};
  if (depth >= kMostDepth) return line.fail(at, "calls are nested too deeply"), call;
  do call.arguments.push_back(value(line, depth + 1));
  while (line.ok() && line.take(','));
  line.expect(')', fmt::format("after the arguments of {}", call.name));
  return call;
}

std::vector<Value::Part> sum(Line& line, std::size_t depth) {
  std::vector<Value::Part> parts;
  bool negative = false;
  do {
    parts.push_back({negative, term(line, depth)});
    if (line.take('+'))
      negative = false;
    else if (line.take('-'))
      negative = true;
    else
      break;
  } while (line.ok());
  return parts;
}

// The number, if the sum is one.
std::optional<std::uint64_t> plain_number(const std::vector<Value::Part>& parts) {
  if (parts.size() != 1 || parts.front().negative || parts.front().term.kind != Term::Kind::number) return std::nullopt;
  return parts.front().term.number;
}

Value value(Line& line, std::size_t depth) {
  line.peek();
  Value found{.parts = {}, .at = line.here()};
  found.parts = sum(line, depth);
  if (line.ok() && line.peek() == '.' && line.take('.')) {
    if (!line.take_next('.')) line.fail("expected '..' between the ends of a range");
    found.upto = sum(line, depth);
    const auto least = plain_number(found.parts), most = plain_number(found.upto);
    if (line.ok() && least && most && *least > *most)
      line.fail(found.at, fmt::format("a range begins with its smaller end: {}..{}", *most, *least));
  }
  return found;
}

std::vector<Value> values(Line& line) {
  std::vector<Value> found;
  do found.push_back(value(line));
  while (line.ok() && line.take(','));
  return found;
}

// --- steps

std::optional<Item> damage(Line& line) {
  const auto row = std::ranges::find(kDamage, line.peek_name(), &DamageRow::name);
  if (row == std::end(kDamage)) return std::nullopt;
  Item item{.op = row->op, .field = std::string(row->name), .at = line.here()};
  line.name("damage");
  if (row->values > 0) item.values = values(line);
  if (line.ok() && row->values != kList && item.values.size() != row->values)
    line.fail(item.at, fmt::format("{} takes {} value{}, not {}", row->name, row->values, row->values == 1 ? "" : "s",
                                   item.values.size()));
  return item;
}

// For a word that is not followed by a value.
std::string hint_without_value(const std::string& word) {
  std::vector<std::string_view> names;
  for (const DamageRow& row : kDamage) names.push_back(row.name);
  const std::string hint = nearest(word, names);
  return hint.empty() ? "a field needs a value, and there is no such word without one" : hint;
}

Item item(Line& line) {
  if (auto found = damage(line)) return std::move(*found);
  Item item{.at = line.here()};
  item.field = field(line);
  const bool subtracts = line.take('-');
  if (subtracts || line.take('+'))
    item.op = Item::Op::add;
  else if (line.take('^'))
    item.op = Item::Op::flip;
  if (line.ok() && !line.take('='))
    line.fail(fmt::format("expected '=' after '{}', not {}", item.field, line.shown()), hint_without_value(item.field));
  if (line.ok()) item.values.push_back(value(line));
  if (line.ok() && subtracts)
    for (Value::Part& part : item.values.front().parts) part.negative = !part.negative;
  return item;
}

struct EventRow {
  std::string_view name;
  What::Kind kind;
};
constexpr EventRow kEvents[] = {{"open", What::Kind::open},   {"close", What::Kind::close},
                                {"reset", What::Kind::reset}, {"silence", What::Kind::silence},
                                {"any", What::Kind::any},     {"raw", What::Kind::raw},
                                {"again", What::Kind::again}, {"push", What::Kind::push}};

// A layer below the message: "/ ddp[2]". The rest of the line belongs to it.
struct LayerName {
  std::string name = {};
  std::uint32_t index = 0;
};
LayerName layer(Line& line) {
  LayerName found{.name = lower_case(line.name("a layer after '/'"))};
  if (!line.take_next('[')) return found;
  const Position at = line.here();
  const std::uint64_t index = line.number();
  if (line.ok() && (index == 0 || index > kMostIndex)) line.fail(at, "the first of a layer has the number 1");
  found.index = static_cast<std::uint32_t>(index);
  line.expect(']', "after an index");
  return found;
}

bool ends_what(Line& line) {
  const char c = line.peek();
  return line.at_end() || c == '&' || c == '|' || c == '!' || c == '?' || c == ':' || line.peek_name() == "within" ||
         line.peek_name() == "after" || line.peek_name() == "nth";
}

What what(Line& line) {
  What found;
  found.is_denied = line.take_word("not");
  line.peek();
  found.at = line.here();
  const auto event = std::ranges::find(kEvents, line.peek_name(), &EventRow::name);
  found.name = line.name("a message");
  if (event != std::end(kEvents)) found.kind = event->kind;
  if (found.kind == What::Kind::raw) found.octets.push_back(value(line));
  if (found.kind == What::Kind::push && (is_digit(line.peek()) || line.peek() == '$'))
    found.octets.push_back(value(line));
  if (found.kind == What::Kind::again) {
    line.expect('$', "before the name of a message");
    found.name = line.name("the name of a variable");
  }
  LayerName below;
  while (!ends_what(line)) {
    if (line.take_word("as")) {
      line.expect('$', "before the name of a variable");
      found.variable = line.name("the name of a variable");
    } else if (line.take('/')) {
      below = layer(line);
    } else {
      found.items.push_back(item(line));
      found.items.back().layer = below.name;
      found.items.back().index = below.index;
    }
  }
  return found;
}

char sender(Line& line) {
  line.peek();
  const Position at = line.here();
  const std::string name = line.name("'a' or 'b', the sender");
  if (line.ok() && name != "a" && name != "b")
    line.fail(at, fmt::format("'{}' is neither a sender nor a setting", name),
              "a line begins with a or b, or with a setting such as protocol, iut, rule or bare");
  return name.empty() ? 'a' : name[0];
}

// The number of the connection after a sender: "#2".
std::uint32_t connection(Line& line) {
  if (!line.take_next('#')) return 1;
  const Position at = line.here();
  const std::uint64_t number = line.number();
  if (number == 0 || number > kMostConnections)
    line.fail(at, fmt::format("a connection has a number from 1 to {}", kMostConnections));
  return static_cast<std::uint32_t>(number);
}

// The sender and the connection of an alternative, if it names them; otherwise they are those of the line.
std::uint32_t connection_of_alternative(Line& line, const Said& said) {
  const std::string_view name = line.peek_name();
  if (name != "a" && name != "b") return said.alternatives.front().connection;
  const Position at = line.here();
  if (sender(line) != said.sender) line.fail(at, "the alternatives of a line have one sender");
  return connection(line);
}

Said said(Line& line) {
  Said found;
  found.sender = sender(line);
  do {
    Alternative one;
    one.connection = found.alternatives.empty() ? connection(line) : connection_of_alternative(line, found);
    do one.all.push_back(what(line));
    while (line.ok() && line.take('&'));
    found.alternatives.push_back(std::move(one));
  } while (line.ok() && line.take('|'));
  if (line.take_word("within")) found.within = value(line);
  return found;
}

// Parses the effect of a trigger: "/ fpdu crc^=1", "delay 5ms", "close".
void effect(Line& line, LayerName& layer_below, Trigger& found) {
  const Position at = line.here();
  if (line.take('/')) {
    layer_below = layer(line);
  } else if (line.take_word("delay")) {
    if (found.delay) line.fail(at, "a message has one delay");
    found.delay = value(line);
  } else if (const bool closes = line.take_word("close"); closes || line.take_word("reset")) {
    if (found.end != Trigger::End::none) line.fail(at, "a connection ends in one way");
    found.end = closes ? Trigger::End::closes : Trigger::End::resets;
  } else {
    found.effects.push_back(item(line));
    found.effects.back().layer = layer_below.name;
    found.effects.back().index = layer_below.index;
  }
}

Trigger trigger(Line& line) {
  Trigger found;
  line.take_word("on");
  found.at = line.here();
  if (const std::string_view side = line.peek_name(); side != "a" && side != "b")
    line.fail(fmt::format("expected the side whose message it is, not {}", line.shown()),
              "write on a for the initiator, on b for the responder");
  found.sender = sender(line);
  found.what = what(line);
  if (line.take_word("nth")) {
    const Position at = line.here();
    found.nth = line.number();
    if (line.ok() && found.nth == 0) line.fail(at, "the first one is nth 1");
  }
  line.expect(':', "before what the relay does");
  if (line.ok() && line.at_end()) line.fail("expected what the relay does", "write lose, twice, delay 5ms, or field=1");
  LayerName below;
  while (line.ok() && !line.at_end()) effect(line, below, found);
  return found;
}

Loop loop(Line& line) {
  Loop found{.at = line.here()};
  line.expect('$', "after 'for'");
  found.variable = line.name("the name of a variable");
  if (!line.take_word("in")) line.fail(fmt::format("expected 'in', not {}", line.shown()));
  found.values = values(line);
  line.expect(':', "after the values of a loop");
  return found;
}

Step step(Line& line) {
  Step found;
  line.peek();
  found.at = line.here();
  while (line.take_word("for")) {
    if (found.loops.size() == kMostDepth) line.fail("loops are nested too deeply");
    found.loops.push_back(loop(line));
    if (!line.ok()) return found;
  }
  if (line.take_word("pause"))
    found.what = Pause{value(line)};
  else if (line.take_word("control"))
    found.what = Control{};
  else
    found.what = said(line);
  if (std::holds_alternative<Said>(found.what) && line.take_word("after")) found.after = value(line);
  while (line.ok() && (line.peek() == '!' || line.peek() == '?')) {
    Mark mark{.is_warning = line.take('?')};
    if (!mark.is_warning) line.take('!');
    line.peek();
    mark.at = line.here();
    mark.rule = line.word("the id of a rule");
    found.marks.push_back(std::move(mark));
  }
  if (!line.at_end()) line.fail(fmt::format("expected the end of the line, not {}", line.shown()));
  return found;
}

Term word_term(Line& line) {
  line.peek();
  const Position at = line.here();
  return {.kind = Term::Kind::word, .name = line.word("a word"), .at = at};
}

Setting setting(Line& line) {
  line.peek();
  Setting found{.name = {}, .at = line.here()};
  found.name = line.name("a setting");
  const SettingRow& row = *find_setting(found.name);
  if (found.name == "step" || found.name == "asks") {
    do found.values.push_back(value(line));
    while (line.ok() && !line.at_end() && found.values.size() < row.most);
  } else if (found.name == "let") {  // let $n = 3
    const Position at = line.here();
    line.expect('$', "after 'let'");
    const std::string variable = line.name("the name of a variable");
    found.values.push_back({.parts = {{false, {.kind = Term::Kind::word, .name = variable, .at = at}}}, .at = at});
    line.expect('=', "after the name of a variable");
    found.values.push_back(value(line));
  } else {
    while (line.ok() && !line.at_end() && found.values.size() < row.most) {
      const Term word = word_term(line);
      found.values.push_back({.parts = {{false, word}}, .at = word.at});
    }
    if (line.ok() && found.values.size() < row.least) line.fail(fmt::format("{} needs a value", found.name));
  }
  if (!line.at_end()) line.fail(fmt::format("expected the end of the line, not {}", line.shown()));
  return found;
}

Part heading(Line& line) {
  Part part{.kind = line.take_word("case") ? Part::Kind::test : Part::Kind::trace, .at = line.here()};
  line.take_word("trace");
  part.name = line.word("a name");
  if (line.peek() == '"') part.purpose = line.string();
  if (!line.at_end()) line.fail(fmt::format("expected the end of the line, not {}", line.shown()));
  return part;
}

// Joins lines that end in a backslash, and leaves out comments.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  // Empty at the end. Lines without content are skipped.
  std::optional<Line> next() {
    while (at_ < text_.size()) {
      std::string joined;
      std::vector<Position> places;
      while (take_line(joined, places)) {
      }
      if (std::ranges::all_of(joined, is_space)) continue;
      places.push_back(end_);
      return Line(std::move(joined), std::move(places));
    }
    return std::nullopt;
  }

 private:
  // True if the next line continues this one.
  bool take_line(std::string& joined, std::vector<Position>& places) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++row_;
    bool in_text = false;
    std::size_t length = 0;
    for (; length < line.size() && (in_text || line[length] != '#' || is_sender(line, length)); ++length)
      if (line[length] == '"') in_text = !in_text;
    line = line.substr(0, length);
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    const bool continues = !line.empty() && line.back() == '\\';
    if (continues) line.remove_suffix(1);
    for (std::size_t i = 0; i < line.size(); ++i) {
      joined += line[i];
      places.push_back({row_, static_cast<std::uint32_t>(i + 1)});
    }
    if (continues) joined += ' ', places.push_back({row_, static_cast<std::uint32_t>(line.size() + 1)});
    end_ = {row_, static_cast<std::uint32_t>(line.size() + 1)};
    return continues;
  }
  // The '#' of `a#2` is no comment.
  static bool is_sender(std::string_view line, std::size_t at) {
    return at > 0 && (line[at - 1] == 'a' || line[at - 1] == 'b') && at + 1 < line.size() && is_digit(line[at + 1]) &&
           (at == 1 || is_space(line[at - 2]));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t row_ = 0;
  Position end_;
};

// The steps of the setting `closes a`: side a closes, then the other side.
tl::expected<void, Problem> append_closing(Part& part) {
  const auto setting = std::find_if(part.settings.rbegin(), part.settings.rend(),
                                    [](const Setting& one) { return one.name == "closes"; });
  if (setting == part.settings.rend()) return {};
  const Term& word = setting->values.front().parts.front().term;
  if (word.name != "a" && word.name != "b")
    return tl::unexpected(Problem{word.at, fmt::format("'{}' is no side", word.name), "write a or b"});
  const char first = word.name[0];
  for (const char side : {first, first == 'a' ? 'b' : 'a'}) {
    const What close{.kind = What::Kind::close, .name = "close", .at = word.at};
    part.steps.push_back({.what = Said{.sender = side, .alternatives = {{.all = {close}}}}, .at = word.at});
  }
  return {};
}

// Assembles the traces and cases of a file from its lines.
class Assembly {
 public:
  void add(Line& line) {
    const std::string_view first = line.peek_name();
    if (place_ == Place::file) file_octets_ += line.size();
    if (place_ == Place::opening) opening_octets_ += line.size();
    if (first == "opening") {
      begin_opening(line);
    } else if (first == "trace" || first == "case") {
      begin_part(line);
    } else if (find_setting(first) != nullptr) {
      settings().push_back(setting(line));
    } else if (first == "on") {
      add_trigger(line);
    } else {
      line.peek();
      if (opening_.steps.empty() && place_ == Place::file) opening_.at = line.here();
      (place_ == Place::part ? script_.parts.back() : opening_).steps.push_back(step(line));
    }
  }

  tl::expected<Script, Problem> finish() {
    if (place_ == Place::file && !opening_.steps.empty()) {  // a file without headings
      script_.parts.push_back(std::move(opening_));
      script_.parts.back().settings = of_file_;
    } else if (place_ == Place::opening) {
      return tl::unexpected(Problem{opening_.at, std::string(kUnused), {}});
    }
    if (script_.parts.empty()) return tl::unexpected(Problem{{}, "the script has no step", "say a message: a DATA"});
    for (Part& part : script_.parts)
      if (const auto closed = append_closing(part); !closed) return tl::unexpected(closed.error());
    return std::move(script_);
  }

 private:
  enum class Place : std::uint8_t { file, opening, part };
  static constexpr std::string_view kUnused = "no trace or case follows these steps";

  std::vector<Setting>& settings() {
    return place_ == Place::file      ? of_file_
           : place_ == Place::opening ? opening_.settings
                                      : script_.parts.back().settings;
  }
  void begin_opening(Line& line) {
    if (place_ == Place::opening || (place_ == Place::file && !opening_.steps.empty()))
      return line.fail(opening_.at, std::string(kUnused));
    opening_ = {.at = line.here()};
    opening_octets_ = 0;
    line.take_word("opening");
    if (!line.at_end()) line.fail(fmt::format("expected the end of the line, not {}", line.shown()));
    place_ = Place::opening;
  }
  void begin_part(Line& line) {
    Part part = heading(line);
    part.settings = of_file_;
    part.settings.insert(part.settings.end(), opening_.settings.begin(), opening_.settings.end());
    part.steps = opening_.steps;
    for (const Step& step : opening_.steps)
      if (!step.marks.empty())
        line.fail(step.marks.front().at, "every trace and case begins with this line, so it has no mark",
                  "mark the line of a case");
    if ((copied_octets_ += file_octets_ + opening_octets_) > kMostShared)
      line.fail("the cases of this file share too many lines");
    script_.parts.push_back(std::move(part));
    place_ = Place::part;
  }
  void add_trigger(Line& line) {
    if (place_ == Place::opening || (place_ == Place::file && !opening_.steps.empty()))
      return line.fail("an opening has no triggers");
    if (place_ == Place::file) script_.parts.push_back({.settings = of_file_, .at = line.here()});
    place_ = Place::part;
    script_.parts.back().triggers.push_back(trigger(line));
  }

  Script script_;
  std::vector<Setting> of_file_;
  Part opening_;  // the settings and steps that the next traces and cases begin with
  Place place_ = Place::file;
  std::size_t file_octets_ = 0;     // text before the first heading
  std::size_t opening_octets_ = 0;  // text of the opening
  std::size_t copied_octets_ = 0;   // sum of both over the traces and cases
};

}  // namespace

std::string one_line(const Problem& problem, std::string_view file) {
  constexpr std::size_t kMost = 300;  // octets of a message; it may quote a name of the script
  const bool is_long = problem.message.size() > kMost;
  return fmt::format("{}:{}:{}: {}{}{}{}", file, problem.at.line, problem.at.column,
                     std::string_view(problem.message).substr(0, kMost), is_long ? " (cut)" : "",
                     problem.hint.empty() ? "" : "; ", problem.hint);
}

Words words() {
  Words all{.headings = {"opening", "trace", "case"},
            .steps = {"for", "in", "pause", "control", "not", "as", "within", "after", "on", "nth", "delay"},
            .functions = {"pattern", "repeat", "octets"}};
  for (const SettingRow& row : kSettings) all.settings.push_back(row.name);
  for (const EventRow& row : kEvents) all.events.push_back(row.name);
  for (const DamageRow& row : kDamage) all.damage.push_back(row.name);
  for (const UnitRow& row : kUnits) all.units.push_back(row.name);
  return all;
}

tl::expected<Script, Problem> parse(std::string_view text) {
  if (text.size() > kMostOctets)
    return tl::unexpected(Problem{{}, fmt::format("the script has more than {} octets", kMostOctets), {}});
  Assembly assembly;
  Lines lines(text);
  while (auto line = lines.next()) {
    assembly.add(*line);
    if (!line->ok()) return tl::unexpected(line->take_problem());
  }
  return assembly.finish();
}

}  // namespace wirelaw::script

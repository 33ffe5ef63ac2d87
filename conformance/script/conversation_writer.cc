// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/conversation_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/script/result.h"
#include "reference/octets/hex.h"

namespace wirelaw::script {
namespace {

constexpr std::size_t kMostItems = 96;                   // in one line
constexpr std::size_t kMostGap = kMostSpokenOctets / 2;  // largest gap that a script can state, in octets

Value value_of(Term term) {
  Value value;
  value.parts.push_back({false, std::move(term)});
  return value;
}
Item number_item(const Located& field, std::uint64_t number) {
  Item item{.field = field.name};
  item.values.push_back(value_of({.kind = Term::Kind::number, .number = number}));
  return item;
}
Term octets_term(Octets octets) {
  return {.kind = Term::Kind::octets, .octets = OctetBuffer(octets.begin(), octets.end())};
}
Item octets_item(std::string name, Octets octets) {
  Item item{.field = std::move(name)};
  item.values.push_back(value_of(octets_term(octets)));
  return item;
}

std::string time_of(std::int64_t nanoseconds) {
  struct Unit {
    std::int64_t nanoseconds;
    std::string_view name;
  };
  constexpr Unit kUnits[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}};
  for (const Unit& unit : kUnits)
    if (nanoseconds % unit.nanoseconds == 0) return fmt::format("{}{}", nanoseconds / unit.nanoseconds, unit.name);
  return fmt::format("{}ns", nanoseconds);
}

const Located* find(const std::vector<Located>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Located::name);
  return found == fields.end() ? nullptr : &*found;
}

Octets octets_of(Octets message, const Located& field) {
  return message.subspan(field.offset, field.length);
}

bool is_same(Octets wanted, const Located& field, Octets now, const Located* there, bool big_endian) {
  if (there == nullptr || there->length != field.length || there->shift != field.shift) return false;
  if (field.bits == 0) return std::ranges::equal(octets_of(wanted, field), octets_of(now, *there));
  return get(wanted, field, big_endian) == get(now, *there, big_endian);
}

Item item_of(Octets message, const Located& field, bool big_endian) {
  const auto number = get(message, field, big_endian);
  return number ? number_item(field, *number) : octets_item(field.name, octets_of(message, field));
}

bool is_plain(Octet octet) {
  constexpr Octet kFirst = 0x20, kLast = 0x7e;  // printable ASCII
  return octet >= kFirst && octet <= kLast && octet != '"' && octet != '\\';
}

// Octets as a reader understands them best: as text, as a pattern, or as hexadecimal digits.
std::string text_of(Octets octets) {
  constexpr std::size_t kFewest = 8;  // fewer octets are as short in hexadecimal digits
  if (octets.size() < kFewest) return "hex:" + to_hex(octets);
  if (std::ranges::all_of(octets, is_plain))
    return fmt::format("\"{}\"", std::string_view(reinterpret_cast<const char*>(octets.data()), octets.size()));
  if (std::ranges::count(octets, octets.front()) == std::ssize(octets))
    return fmt::format("repeat(hex:{:02x}, {})", octets.front(), octets.size());
  const std::size_t first = octets.front();
  const OctetBuffer upwards = pattern(first + octets.size());
  if (!std::ranges::equal(octets, Octets(upwards).subspan(first))) return "hex:" + to_hex(octets);
  if (first == 0) return fmt::format("pattern({})", octets.size());
  return fmt::format("octets(pattern({}), {}, {})", upwards.size(), first, octets.size());
}

std::string text_of(const Item& item, const Located* field) {
  if (item.values.empty()) return item.field;
  const std::vector<Value::Part>& parts = item.values.front().parts;
  const Term& term = parts.front().term;
  if (term.kind == Term::Kind::variable) {
    std::string text = fmt::format("{}=${}.{}", item.field, term.name, term.field);
    for (const Value::Part& one : std::span(parts).subspan(1))
      text += fmt::format("{}{}", one.negative ? '-' : '+', one.term.number);
    return text;
  }
  if (term.kind == Term::Kind::octets) return fmt::format("{}={}", item.field, text_of(term.octets));
  if (field != nullptr && field->is_hex) return fmt::format("{}=0x{:x}", item.field, term.number);
  return fmt::format("{}={}", item.field, term.number);
}

// What the script calls the message of IdOrigins with this number.
std::string variable_for(std::size_t message) {
  return fmt::format("m{}", message + 1);
}

// A field of an earlier message, with what is added to it or taken away.
Value value_of(const IdOrigins::Origin& origin) {
  Value value = value_of({.kind = Term::Kind::variable, .name = variable_for(origin.message), .field = origin.field});
  const bool is_negative = origin.plus > std::uint64_t{0} - origin.plus;
  const std::uint64_t distance = is_negative ? std::uint64_t{0} - origin.plus : origin.plus;
  if (distance != 0) value.parts.push_back({is_negative, {.kind = Term::Kind::number, .number = distance}});
  return value;
}

// The frames of the draft are these octets.
bool is_on_wire(const Speaker::Draft& draft, Octets wire) {
  std::size_t at = 0;
  for (const OctetBuffer& frame : draft.frames) {
    if (frame.size() > wire.size() - at || !std::ranges::equal(frame, wire.subspan(at, frame.size()))) return false;
    at += frame.size();
  }
  return at == wire.size();
}

}  // namespace

ConversationWriter::ConversationWriter(const Language& language, const std::array<Endpoint, 2>& ends)
    : language_(language), speaker_(language, {OwnAddress{ends[0]}, OwnAddress{ends[1]}}), origins_(language) {}

bool ConversationWriter::writes(const What& what, Side sender, const Wanted& wanted) {
  const auto draft = speaker_.draft(what, sender, connection_);
  return draft && is_on_wire(*draft, wanted.wire);
}

// Names the first field of the message that differs, or its payload. False if nothing is left to name.
bool ConversationWriter::name_field(What& what, Side sender, const Wanted& wanted, const Speaker::Draft& draft,
                                    const Names& refused) {
  const Octets message = wanted.message, now = draft.message;
  const std::vector<Located> fields = language_.locate(now), all = language_.locate(message);
  const auto is_named = [&](std::string_view field) {
    return std::ranges::any_of(what.items, [&](const Item& one) { return one.layer.empty() && one.field == field; }) ||
           std::ranges::count(refused, field) > 0;
  };
  for (const Located& field : all) {
    if (is_named(field.name) || field.name == "payload") continue;
    if (is_same(message, field, now, find(fields, field.name), language_.big_endian)) continue;
    // A part of an id is named as the whole id, if it is known where that comes from.
    const auto is_whole = [&](const Located& one) {
      return one.offset <= field.offset && one.offset + one.length > field.offset && !is_named(one.name) &&
             origins_.find(sender, connection_, message, one).has_value();
    };
    const auto whole = std::ranges::find_if(all, is_whole);
    const Located& named = whole == all.end() ? field : *whole;
    what.items.push_back(item_of(message, named, language_.big_endian));
    if (const auto origin = origins_.find(sender, connection_, message, named))
      what.items.back().values = {value_of(*origin)};
    return true;
  }
  // All fields match, so only the payload remains.
  if (is_named("payload") || is_named("size")) return false;
  const Located* const payload = find(all, "payload");
  const Octets octets = payload == nullptr ? Octets() : octets_of(message, *payload);
  if (std::ranges::equal(octets, pattern(octets.size())))
    what.items.push_back(number_item({.name = "size"}, octets.size()));
  else
    what.items.push_back(octets_item("payload", octets));
  return true;
}

// The same for the frame around the message in the stream.
bool ConversationWriter::name_frame(What& what, Side sender, const Wanted& wanted, const Speaker::Draft& draft) {
  const Layers& layers = language_.layers;
  if (!language_.is_stream()) return false;
  if (draft.frames.size() != 1) {
    if (layers.segment.empty() || std::ranges::count(what.items, Item::Op::as_is, &Item::op) > 0) return false;
    what.items.push_back({.op = Item::Op::as_is, .layer = std::string(layers.segment), .field = "as_is"});
    return true;
  }
  const Framing& framing = speaker_.framing(connection_);
  const Octets now = draft.frames.front();
  const std::vector<Located> fields = framing.locate(sender, now);
  for (const Located& field : framing.locate(sender, wanted.wire)) {
    const auto is_named = [&](const Item& one) { return one.layer == layers.frame && one.field == field.name; };
    if (std::ranges::any_of(what.items, is_named)) continue;
    if (is_same(wanted.wire, field, now, find(fields, field.name), language_.big_endian)) continue;
    what.items.push_back(item_of(wanted.wire, field, language_.big_endian));
    what.items.back().layer = layers.frame;
    return true;
  }
  return false;
}

// Names the fields that differ from those of a conforming sender, one after the other, until none differs. Skips a
// field that exists only together with others: those, or the payload, produce it.
std::optional<What> ConversationWriter::said(Side sender, const Wanted& wanted) {
  const std::string_view name = language_.name_of(wanted.message);
  if (name.empty()) return std::nullopt;
  What what{.name = std::string(name)};
  Names refused;
  for (;;) {
    const auto draft = speaker_.draft(what, sender, connection_);
    if (!draft && what.items.empty()) return std::nullopt;
    if (!draft) {
      refused.push_back(std::move(what.items.back().field));
      what.items.pop_back();
      continue;
    }
    if (is_on_wire(*draft, wanted.wire)) break;
    if (what.items.size() + refused.size() == kMostItems) return std::nullopt;
    const bool is_said = std::ranges::equal(draft->message, wanted.message);
    if (!(is_said ? name_frame(what, sender, wanted, *draft) : name_field(what, sender, wanted, *draft, refused)))
      return std::nullopt;
  }
  for (std::size_t i = what.items.size(); i-- > 0;) {  // a field named early may have been produced by one named later
    What shorter = what;
    shorter.items.erase(shorter.items.begin() + static_cast<std::ptrdiff_t>(i));
    if (writes(shorter, sender, wanted)) what = std::move(shorter);
  }
  return what;
}

std::string ConversationWriter::name_of(Side side) const {
  return connection_ == 1 ? std::string(1, letter(side)) : fmt::format("{}#{}", letter(side), connection_);
}

// Later lines may use the ids that the message, whose line has just been written, offers.
void ConversationWriter::remember(Side sender, Octets message) {
  const auto number = origins_.add(sender, connection_, message);
  if (!number) return;
  sources_.push_back({.end = steps_.size() - 1});
  variables_.emplace(variable_for(*number), *number);
  speaker_.keep(variable_for(*number), message);
}

// The messages that the words of a line name need names themselves.
void ConversationWriter::name_sources(const What& what) {
  for (const Item& item : what.items) {
    if (item.values.empty()) continue;
    const auto used = variables_.find(item.values.front().parts.front().term.name);
    if (used != variables_.end()) sources_[used->second].is_named = true;
  }
}

std::string ConversationWriter::steps() const {
  std::string text;
  std::size_t at = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (!sources_[i].is_named) continue;
    text.append(steps_, at, sources_[i].end - at);
    text += fmt::format(" as ${}", variable_for(i));
    at = sources_[i].end;
  }
  return text.append(steps_, at);
}

void ConversationWriter::write_time(std::int64_t time_ns) {
  if (before_ns_ && time_ns > *before_ns_) steps_ += fmt::format("pause {}\n", time_of(time_ns - *before_ns_));
  if (before_ns_ && time_ns < *before_ns_)
    steps_ += fmt::format("# captured {} earlier than the line above\n", time_of(*before_ns_ - time_ns));
  before_ns_ = before_ns_ ? std::max(*before_ns_, time_ns) : time_ns;
}

// Writes the line, followed by `end`.
void ConversationWriter::write_line(Side sender, const Wanted& wanted, std::string_view end) {
  ++messages_;
  const auto what = wanted.message.empty() && language_.is_stream() ? std::nullopt : said(sender, wanted);
  if (!what) {
    ++raw_;
    const What raw{.kind = What::Kind::raw, .octets = {value_of(octets_term(wanted.wire))}};
    static_cast<void>(speaker_.write(raw, sender, connection_));
    steps_ += fmt::format("{} raw {}{}\n", name_of(sender), text_of(wanted.wire), end);
    return;
  }
  name_sources(*what);
  const std::vector<Located> fields = language_.locate(wanted.message);
  steps_ += fmt::format("{} {}", name_of(sender), what->name);
  std::string layer;
  for (const Item& item : what->items) {
    if (item.layer != layer) steps_ += fmt::format(" / {}", layer = item.layer);
    steps_ += " " + text_of(item, find(fields, item.field));
  }
  steps_ += fmt::format("{}\n", end);
  static_cast<void>(speaker_.write(*what, sender, connection_));
  remember(sender, wanted.message);
}

void ConversationWriter::add(Side sender, Octets message, std::size_t wire_length, std::int64_t time_ns) {
  write_time(time_ns);
  if (message.size() < wire_length)
    steps_ += fmt::format("# the capture holds {} of its {} octets\n", message.size(), wire_length);
  write_line(sender, {message, message}, {});
}

void ConversationWriter::await(Side sender, Octets message) {
  speaker_.speech(connection_).heard(sender, message);
  steps_ += fmt::format("{} any | silence\n", name_of(sender));
}

void ConversationWriter::await(const StreamLine& unit) {
  const Octets message = unit.message ? Octets(*unit.message) : Octets();
  speaker_.framing(connection_).passed(unit.sender, unit.octets, message);
  if (unit.message) {
    await(unit.sender, message);
    speaker_.speech(connection_).passed(unit.sender, message);
  } else {
    steps_ += fmt::format("{} any | silence\n", name_of(unit.sender));
  }
}

// Writes a gap: octets that were sent and that the capture lacks.
void ConversationWriter::write_gap(const StreamLine& line) {
  const std::size_t missing = line.size.value_or(0);
  if (missing > kMostGap) {
    steps_ += fmt::format("# {} octets are missing here, too many for a script\n", missing);
    return;
  }
  steps_ += fmt::format("# the capture lacks these {} octets\n", missing);
  for (std::size_t left = missing; left > 0;) {
    const std::size_t octets = std::min(left, kMostMessageOctets);
    const What raw{.kind = What::Kind::raw, .octets = {value_of(octets_term(pattern(octets)))}};
    static_cast<void>(speaker_.write(raw, line.sender, connection_));
    steps_ += fmt::format("{} raw pattern({}) unseen\n", name_of(line.sender), octets);
    left -= octets;
  }
}

void ConversationWriter::add(const StreamLine& line, std::uint32_t connection) {
  connection_ = connection;
  write_time(line.time_ns);
  switch (line.kind) {
    case StreamLine::Kind::open:
      speaker_.framing(connection_).opened(line.sender, line.mss);
      steps_ += fmt::format("{} open", name_of(line.sender));
      if (line.mss != kUsualMss) steps_ += fmt::format(" mss={}", line.mss);
      steps_ += '\n';
      return;
    case StreamLine::Kind::unit:
      return write_line(line.sender, {line.message ? Octets(*line.message) : Octets(), line.octets},
                        line.has_more ? " / tcp more" : "");
    case StreamLine::Kind::gap:
      return write_gap(line);
    case StreamLine::Kind::push:
      steps_ += line.size ? fmt::format("{} push {}\n", name_of(line.sender), *line.size)
                          : fmt::format("{} push\n", name_of(line.sender));
      return;
    case StreamLine::Kind::close:
      steps_ += fmt::format("{} close\n", name_of(line.sender));
      return;
    case StreamLine::Kind::reset:
      steps_ += fmt::format("{} reset\n", name_of(line.sender));
      return;
  }
}

std::string to_text(const Heading& heading) {
  std::string text =
      fmt::format("{} {} \"{}\"\nprotocol {}\nnodes {} {}\n", heading.iut ? "case" : "trace", heading.name,
                  heading.purpose, heading.protocol, to_string(heading.ends[0]), to_string(heading.ends[1]));
  if (!heading.over.empty()) text += fmt::format("over {}\n", heading.over);
  for (std::size_t i = 0; i < heading.further_ends.size(); ++i)
    text += fmt::format("nodes {} {} {}\n", to_string(heading.further_ends[i][0]),
                        to_string(heading.further_ends[i][1]), i + 2);
  if (heading.iut) text += fmt::format("iut {}\n", *heading.iut == Side::a ? 'a' : 'b');
  for (const std::string& feature : heading.features) text += fmt::format("feature {}\n", feature);
  if (!heading.revision.empty()) text += fmt::format("revision {}\n", heading.revision);
  return text + (heading.is_midstream ? "midstream\n" : "bare\n") + "step 0ms\n";
}

}  // namespace wirelaw::script

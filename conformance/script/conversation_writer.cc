// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/conversation_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/octets/hex.h"

namespace wirelaw::script {
namespace {

constexpr std::size_t kMostItems = 96;  // of one line

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
Item octets_item(std::string name, Octets octets) {
  Item item{.field = std::move(name)};
  item.values.push_back(value_of({.kind = Term::Kind::octets, .octets = OctetBuffer(octets.begin(), octets.end())}));
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

}  // namespace

ConversationWriter::ConversationWriter(const Language& language, const std::array<Endpoint, 2>& ends)
    : language_(language), speaker_(language, {OwnAddress{ends[0]}, OwnAddress{ends[1]}}) {}

bool ConversationWriter::writes(const What& what, Side sender, Octets message) {
  const auto draft = speaker_.draft(what, sender, 1);
  return draft && std::ranges::equal(draft->message, message);
}

// Names the fields that differ from what an honest sender would say, one after the other, until nothing differs.
std::optional<What> ConversationWriter::said(Side sender, Octets message) {
  const std::string_view name = language_.name_of(message);
  if (name.empty()) return std::nullopt;
  What what{.name = std::string(name)};
  const std::vector<Located> wanted = language_.locate(message);
  while (!writes(what, sender, message)) {
    if (what.items.size() == kMostItems) return std::nullopt;
    const auto draft = speaker_.draft(what, sender, 1);
    if (!draft) return std::nullopt;
    const Octets now = draft->message;
    const std::vector<Located> fields = language_.locate(now);
    const auto is_named = [&](std::string_view field) {
      return std::ranges::count(what.items, field, &Item::field) > 0;
    };
    const std::size_t before = what.items.size();
    for (const Located& field : wanted) {
      if (is_named(field.name) || field.name == "payload") continue;
      const Located* const there = find(fields, field.name);
      if (there != nullptr && there->length == field.length && there->shift == field.shift) {
        const bool is_same = field.bits == 0
                                 ? std::ranges::equal(octets_of(message, field), octets_of(now, *there))
                                 : get(message, field, language_.big_endian) == get(now, *there, language_.big_endian);
        if (is_same) continue;
      }
      if (const auto number = get(message, field, language_.big_endian))
        what.items.push_back(number_item(field, *number));
      else
        what.items.push_back(octets_item(field.name, octets_of(message, field)));
      break;
    }
    if (what.items.size() > before) continue;
    // All fields are right: what is left is the payload.
    if (is_named("payload") || is_named("size")) return std::nullopt;
    const Located* const payload = find(wanted, "payload");
    const Octets octets = payload == nullptr ? Octets() : octets_of(message, *payload);
    if (std::ranges::equal(octets, pattern(octets.size())))
      what.items.push_back(number_item({.name = "size"}, octets.size()));
    else
      what.items.push_back(octets_item("payload", octets));
  }
  for (std::size_t i = what.items.size(); i-- > 0;) {  // what was named early may have come with what was named later
    What shorter = what;
    shorter.items.erase(shorter.items.begin() + static_cast<std::ptrdiff_t>(i));
    if (writes(shorter, sender, message)) what = std::move(shorter);
  }
  return what;
}

void ConversationWriter::add(Side sender, Octets message, std::size_t wire_length, std::int64_t time_ns) {
  ++messages_;
  if (before_ns_ && time_ns > *before_ns_) steps_ += fmt::format("pause {}\n", time_of(time_ns - *before_ns_));
  if (before_ns_ && time_ns < *before_ns_)
    steps_ += fmt::format("# captured {} earlier than the line above\n", time_of(*before_ns_ - time_ns));
  before_ns_ = before_ns_ ? std::max(*before_ns_, time_ns) : time_ns;
  if (message.size() < wire_length)
    steps_ += fmt::format("# the capture holds {} of its {} octets\n", message.size(), wire_length);
  const auto what = said(sender, message);
  const char letter = sender == Side::a ? 'a' : 'b';
  if (!what) {
    ++raw_;
    steps_ += fmt::format("{} raw hex:{}\n", letter, to_hex(message));
    return;
  }
  static_cast<void>(speaker_.write(*what, sender, 1));
  steps_ += fmt::format("{} {}", letter, what->name);
  const std::vector<Located> fields = language_.locate(message);
  for (const Item& item : what->items) {
    const Term& term = item.values.front().parts.front().term;
    const Located* const field = find(fields, item.field);
    if (term.kind == Term::Kind::octets)
      steps_ += fmt::format(" {}=hex:{}", item.field, to_hex(term.octets));
    else if (field != nullptr && field->is_hex)
      steps_ += fmt::format(" {}=0x{:x}", item.field, term.number);
    else
      steps_ += fmt::format(" {}={}", item.field, term.number);
  }
  steps_ += '\n';
}

void ConversationWriter::await(Side sender, Octets message) {
  speaker_.speech(1).heard(sender, message);
  steps_ += fmt::format("{} any | silence\n", sender == Side::a ? 'a' : 'b');
}

std::string to_text(const Heading& heading) {
  std::string text =
      fmt::format("{} {} \"{}\"\nprotocol {}\nnodes {} {}\n", heading.iut ? "case" : "trace", heading.name,
                  heading.purpose, heading.protocol, to_string(heading.ends[0]), to_string(heading.ends[1]));
  if (heading.iut) text += fmt::format("iut {}\n", *heading.iut == Side::a ? 'a' : 'b');
  for (const std::string& feature : heading.features) text += fmt::format("feature {}\n", feature);
  if (!heading.revision.empty()) text += fmt::format("revision {}\n", heading.revision);
  return text + "bare\nstep 0ms\n";
}

}  // namespace wirelaw::script

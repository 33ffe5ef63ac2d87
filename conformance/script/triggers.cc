// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/triggers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "conformance/script/line.h"

namespace wirelaw::script {
namespace {

constexpr std::size_t kMostOpen = 4u << 20;  // octets that may wait for the end of their unit
constexpr std::uint32_t kConnection = 1;     // the speaker knows no other

// Each unit of a stream, whatever message it carries: `on a FPDU`.
bool names_frame(const What& what, const Language& language) {
  return !language.layers.frame.empty() && lower_case(what.name) == language.layers.frame;
}

bool is_edit(const Item& item) {
  return item.op == Item::Op::set || item.op == Item::Op::add || item.op == Item::Op::flip;
}
bool is_possible(const Item& item) {
  return is_edit(item) || item.op == Item::Op::lose || item.op == Item::Op::twice || item.op == Item::Op::cut ||
         item.op == Item::Op::append || item.op == Item::Op::insert || item.op == Item::Op::as_is;
}

// The action without its value, such as "crc^=" or "lose".
std::string word_of(const Item& item) {
  const std::string_view sign = item.op == Item::Op::set    ? "="
                                : item.op == Item::Op::add  ? "+="
                                : item.op == Item::Op::flip ? "^="
                                                            : "";
  return fmt::format("{}{}{}{}", item.layer, item.layer.empty() ? "" : " ", item.field, sign);
}

Played not_played(std::uint32_t line, std::string_view why) {
  return {.line = line,
          .is_done = false,
          .text = fmt::format("the relay cannot play line {} of the faults: {}", line, why)};
}

Result<void> check_effects(const Trigger& trigger, const Language& language) {
  for (const Item& one : trigger.effects) {
    if (!is_possible(one)) return problem(one.at, fmt::format("a relay cannot do '{}'", one.field));
    const bool is_layer =
        one.layer.empty() || one.layer == language.layers.frame || one.layer == language.layers.segment;
    if (!is_layer) return problem(one.at, fmt::format("the protocol has no layer '{}'", one.layer));
    if (std::ranges::find(language.wishes, one.field, &MessageRow::name) != language.wishes.end())
      return problem(one.at, fmt::format("'{}' is no field of a message that was sent", one.field));
  }
  if (trigger.end != Trigger::End::none && !language.is_stream())
    return problem(trigger.at, "a conversation of datagrams is neither closed nor reset");
  return {};
}

}  // namespace

Result<void> check_trigger(const Trigger& trigger, const Language& language) {
  const What& what = trigger.what;
  const bool is_any = what.kind == What::Kind::any || names_frame(what, language);
  if (what.is_denied || (what.kind != What::Kind::message && !is_any))
    return problem(what.at, "a trigger names a message, or any");
  if (!is_any && find_message(language, what.name) == nullptr) {
    std::vector<std::string_view> names{language.layers.frame, "any"};
    for (const MessageRow& one : language.messages()) names.push_back(one.name);
    return problem(what.at, fmt::format("there is no message '{}'", what.name), nearest(what.name, names));
  }
  for (const Item& one : what.items)
    if (one.op != Item::Op::set || !one.layer.empty())
      return problem(one.at, "what a message has to be like is written field=value");
  if (trigger.delay) {
    const auto time = Speaker(language, sample_addresses()).time(*trigger.delay);
    if (!time) return tl::unexpected(time.error());
  }
  return check_effects(trigger, language);
}

Result<void> check_trigger_in_frames(const Trigger& trigger) {
  const auto refuse = [](Position at, std::string_view what) {
    return problem(at, fmt::format("a transparent relay cannot do '{}' over TCP", what),
                   "it edits fields; leave --transparent out");
  };
  for (const Item& one : trigger.effects)
    if (!is_edit(one) && one.op != Item::Op::as_is) return refuse(one.at, one.field);
  if (trigger.delay) return refuse(trigger.delay->at, "delay");
  if (trigger.end != Trigger::End::none)
    return refuse(trigger.at, trigger.end == Trigger::End::closes ? "close" : "reset");
  return {};
}

bool TriggerRun::matches(const Trigger& trigger, Side sender, Octets message) const {
  const Language& language = speaker_.language();
  const What& what = trigger.what;
  if ((trigger.sender == 'a' ? Side::a : Side::b) != sender) return false;
  if (what.kind == What::Kind::message && !names_frame(what, language) &&
      find_message(language, language.name_of(message)) != find_message(language, what.name))
    return false;
  return std::ranges::all_of(what.items, [&](const Item& item) {
    const auto located = speaker_.field(message, item.field, what.name, item.at);
    if (!located) return false;
    const auto found = get(message, *located, language.big_endian);
    if (!found) return false;
    const auto allowed = speaker_.allows(item.values.front(), *found);
    return allowed && *allowed;
  });
}

// The message as earlier triggers have changed it.
OctetBuffer TriggerRun::message_in(Side sender, Octets message, Octets wire) const {
  if (!speaker_.language().is_stream()) return {wire.begin(), wire.end()};
  auto unit = speaker_.framing(kConnection).next(sender, wire);
  if (unit && unit->message && unit->length == wire.size()) return std::move(*unit->message);
  return {message.begin(), message.end()};
}

// Why the relay cannot do this to a message; empty if it can.
std::string TriggerRun::why_not(const Trigger& trigger, bool is_in_stream) const {
  if (relay_ == RelayKind::ends_connections) return {};
  if (!is_in_stream)
    return trigger.end == Trigger::End::none ? "" : "a conversation of datagrams is neither closed nor reset";
  const auto possible = check_trigger_in_frames(trigger);
  return possible ? std::string() : possible.error().message;
}

void TriggerRun::play(const Trigger& trigger, Side sender, Octets message, Passing& passing) {
  const Language& language = speaker_.language();
  std::vector<std::string> done;
  What edit{.name = trigger.what.name, .at = trigger.at};
  bool is_lost = false, is_twice = false;
  for (Item item : trigger.effects) {
    is_lost |= item.op == Item::Op::lose;
    is_twice |= item.op == Item::Op::twice;
    done.push_back(word_of(item));
    if (item.op == Item::Op::lose || item.op == Item::Op::twice) continue;
    if (item.layer.empty() && names_frame(trigger.what, language)) item.layer = language.layers.frame;
    if (item.layer == language.layers.segment) item.layer.clear();  // a unit carries one segment
    item.index = 0;
    edit.items.push_back(std::move(item));
  }
  if (!edit.items.empty() && !passing.copies.empty()) {
    const OctetBuffer now = message_in(sender, message, passing.copies.front());
    const auto edited = speaker_.edit(edit, sender, kConnection, now, passing.copies.front());
    if (!edited) return passing.played.push_back(not_played(trigger.at.line, edited.error().message));
    if (relay_ == RelayKind::forwards_frames && edited->size() != passing.copies.front().size())
      return passing.played.push_back(not_played(trigger.at.line, "a transparent relay changes no length"));
    for (OctetBuffer& one : passing.copies) one = *edited;
  }
  if (trigger.delay) {
    passing.delay_ns += speaker_.time(*trigger.delay).value_or(0);
    done.emplace_back("delay");
  }
  if (is_twice && !passing.copies.empty()) passing.copies.push_back(passing.copies.front());
  if (is_lost) passing.copies.clear();
  if (trigger.end != Trigger::End::none) {
    passing.end = trigger.end;
    done.emplace_back(trigger.end == Trigger::End::closes ? "close" : "reset");
  }
  passing.played.push_back(
      {.line = trigger.at.line,
       .text = fmt::format("the relay plays line {} of the faults: {}", trigger.at.line, fmt::join(done, " "))});
}

Passing TriggerRun::pass(Side sender, Octets message, Octets wire, bool is_in_stream) {
  Passing passing{.copies = {OctetBuffer(wire.begin(), wire.end())}, .length = wire.size()};
  for (std::size_t i = 0; i < triggers_.size(); ++i) {
    const Trigger& one = triggers_[i];
    if (!matches(one, sender, message)) continue;
    ++seen_[i];
    if (one.nth != 0 && one.nth != seen_[i]) continue;
    if (const std::string why = why_not(one, is_in_stream); !why.empty())
      passing.played.push_back(not_played(one.at.line, why));
    else
      play(one, sender, message, passing);
  }
  return passing;
}

Passing TriggerRun::datagram(Side sender, Octets octets) {
  return pass(sender, octets, octets, false);
}

// The framing follows the octets of the sender: its marker positions do not depend on the relay.
std::vector<Passing> TriggerRun::stream(Side sender, Octets octets) {
  OctetBuffer& open = open_[index(sender)];
  open.insert(open.end(), octets.begin(), octets.end());
  Framing& framing = speaker_.framing(kConnection);
  std::vector<Passing> all;
  std::size_t at = 0;
  while (at < open.size()) {
    const Octets left = Octets(open).subspan(at);
    auto unit = framing.next(sender, left);
    if (!unit && left.size() > kMostOpen) unit = Unit{.length = left.size()};
    if (!unit) break;
    const Octets wire = left.first(unit->length);
    if (unit->message)
      all.push_back(pass(sender, *unit->message, wire, true));
    else
      all.push_back({.copies = {OctetBuffer(wire.begin(), wire.end())}, .length = wire.size()});
    framing.passed(sender, wire, unit->message ? Octets(*unit->message) : Octets());
    at += unit->length;
  }
  open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(at));
  return all;
}

OctetBuffer TriggerRun::rest(Side sender) {
  return std::exchange(open_[index(sender)], {});
}

}  // namespace wirelaw::script

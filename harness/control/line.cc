// SPDX-License-Identifier: Apache-2.0
#include "harness/control/line.h"

#include <algorithm>
#include <charconv>

#include "reference/octets/hex.h"

namespace wirelaw::control {
namespace {

constexpr std::string_view kError = "error";
constexpr std::uint64_t kVersion = 1;

}  // namespace

Line Line::parse(std::string_view text) {
  Line line;
  for (bool first = true; !text.empty(); first = false) {
    const bool to_the_end = text.starts_with("error=");
    const std::string_view word = to_the_end ? text : text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos)
      line.values_.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    else if (first)
      line.word_ = word;
  }
  return line;
}

std::string Line::text() const {
  std::string text = word_;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!text.empty()) text += ' ';
    text.append(name).append("=").append(value);
  };
  for (const auto& [name, value] : values_)
    if (name != kError) add(name, value);
  if (const auto error = value(kError)) add(kError, *error);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::optional<std::string_view> Line::value(std::string_view name) const {
  const auto found = std::ranges::find(values_, name, &std::pair<std::string, std::string>::first);
  return found == values_.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<std::uint64_t> Line::number(std::string_view name) const {
  auto text = value(name).value_or(std::string_view());
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<OctetBuffer> Line::octets(std::string_view name) const {
  const auto text = value(name);
  return text ? from_hex(*text) : std::nullopt;
}

Line& Line::put(std::string_view name, std::string value) {
  values_.emplace_back(name, std::move(value));
  return *this;
}

Line& Line::put(std::string_view name, std::uint64_t number) {
  return put(name, std::to_string(number));
}

Line& Line::put(std::string_view name, std::optional<std::uint64_t> number) {
  return number ? put(name, *number) : *this;
}

Line& Line::put_octets(std::string_view name, Octets octets) {
  return put(name, to_hex(octets));
}

Line line_of(const fabric::Abilities& abilities) {
  return Line("ok")
      .put("version", kVersion)
      .put("name", abilities.name)
      .put("mtu", std::uint64_t{abilities.mtu})
      .put("delivery_complete", std::uint64_t{abilities.delivery_complete})
      .put("atomics", std::uint64_t{abilities.atomics})
      .put("names_others", std::uint64_t{abilities.names_others})
      .put("fills_queue", std::uint64_t{abilities.fills_queue})
      .put("fails_registrations", std::uint64_t{abilities.fails_registrations})
      .put("loses_peer", std::uint64_t{abilities.loses_peer});
}

std::optional<fabric::Abilities> abilities_of(const Line& line) {
  if (line.word() != "ok" || line.number("version") != kVersion || !line.number("mtu")) return std::nullopt;
  return fabric::Abilities{.name = std::string(line.value("name").value_or("?")),
                           .mtu = static_cast<std::size_t>(*line.number("mtu")),
                           .delivery_complete = line.flag("delivery_complete"),
                           .atomics = line.flag("atomics"),
                           .names_others = line.flag("names_others"),
                           .fills_queue = line.flag("fills_queue"),
                           .fails_registrations = line.flag("fails_registrations"),
                           .loses_peer = line.flag("loses_peer")};
}

Line line_of(const std::optional<fabric::Completion>& completion) {
  Line line("ok");
  if (!completion) return line.put("none", std::uint64_t{1});
  line.put("context", completion->context)
      .put("flags", completion->flags)
      .put("len", completion->len)
      .put("cq_data", completion->cq_data)
      .put("tag", completion->tag)
      .put("source", completion->source);
  if (!completion->ok()) line.put(kError, completion->error);
  return line;
}

std::optional<fabric::Completion> completion_of(const Line& line) {
  if (line.flag("none")) return std::nullopt;
  return fabric::Completion{.context = line.number("context"),
                            .flags = line.number("flags").value_or(0),
                            .len = line.number("len").value_or(0),
                            .cq_data = line.number("cq_data"),
                            .tag = line.number("tag"),
                            .source = line.number("source"),
                            .error = std::string(line.value("error").value_or(""))};
}

}  // namespace wirelaw::control

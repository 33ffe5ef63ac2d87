// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa/application_lines.h"

namespace wirelaw::efa {

using control::Line;

namespace {

constexpr std::uint64_t kVersion = 1;

}  // namespace

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
  if (!completion->ok()) line.put_error(completion->error);
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

}  // namespace wirelaw::efa

// SPDX-License-Identifier: Apache-2.0
#include "pcap/tshark.h"

#include <fmt/format.h>
#include <unistd.h>

#include "pcap/frame_builder.h"

namespace wirelaw::pcap::testing {
namespace {

std::string unescaped(std::string text) {
  constexpr std::pair<std::string_view, char> kEntities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}};
  for (const auto& [entity, character] : kEntities)
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
      text.replace(at, entity.size(), 1, character);
  return text;
}

// Another user, who may still read what root may.
std::string_view not_as_root() {
  if (::geteuid() != 0) return "";
  return "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override ";
}

}  // namespace

bool has_tshark() {
  return !run("command -v tshark").empty();
}

std::string reason_without_lua() {
  if (!has_tshark()) return "tshark is not installed";
  if (run("tshark -v 2>/dev/null").find("with Lua") == std::string::npos) return "this tshark has no Lua";
  if (run(fmt::format("{}echo yes 2>/dev/null", not_as_root())).empty())
    return "setpriv does not work here, and root's tshark may run no scripts";
  return "";
}

std::string tshark(const std::string& capture, std::string_view options, const std::vector<std::string>& scripts) {
  std::string command = "tshark -n -r " + capture;
  if (scripts.empty()) return run(fmt::format("{} {} 2>/dev/null", command, options));
  for (const std::string& script : scripts) command += " -X lua_script:" + script;
  return run(fmt::format("{}{} {} 2>&1", not_as_root(), command, options));
}

std::string attribute(const std::string& element, std::string_view name) {
  const std::string wanted = fmt::format(" {}=\"", name);
  const std::size_t at = element.find(wanted);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + wanted.size();
  const std::string text = unescaped(element.substr(begin, element.find('"', begin) - begin));
  if (name == "show" && (text == "True" || text == "False")) return text == "True" ? "1" : "0";
  return text;
}

}  // namespace wirelaw::pcap::testing

// SPDX-License-Identifier: Apache-2.0
// The file for the user to fill in, from the protocol's own tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/certify/declaration.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::size_t kWidth = 118;

// A TOML basic string: characters other than plain text are escaped.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (octet < 0x20 || octet == 0x7f)
      result += fmt::format("\\u{:04x}", octet);
    else
      result += c;
  }
  return result + "\"";
}

std::string comment(std::string_view text) {
  std::string lines = "# ";
  for (const char c : wrapped(text, kWidth - 2, 0)) lines += c == '\n' ? std::string("\n# ") : std::string(1, c);
  return lines + "\n";
}

std::string conformance_text(const Declaration& known) {
  const Protocol& protocol = *known.protocol;
  std::string text = fmt::format("\n[conformance]\nprotocol = {}\n", in_quotes(protocol.name));
  if (!protocol.revisions.empty()) {
    text += comment("Revision of the document that it follows (default: the one that its traffic shows):");
    for (const Feature& one : protocol.revisions) text += fmt::format("#   {:<9} {}\n", one.name, one.text);
    text += known.revision.empty() ? fmt::format("# revision = {}\n", in_quotes(protocol.revisions.front().name))
                                   : fmt::format("revision = {}\n", in_quotes(known.revision));
  }
  text += comment(
      fmt::format("Its roles: {}, {}. One of them is certified at a time.", protocol.responder, protocol.initiator));
  std::vector<std::string> roles;
  for (const Role role : known.roles) roles.push_back(in_quotes(word_of(protocol, role)));
  text += fmt::format("roles = [{}]\n", fmt::join(roles, ", "));
  text += comment(fmt::format("What the application above it does; see `wirelaw test --help`: {}.",
                              fmt::join(applications_of(protocol), ", ")));
  return text + fmt::format("application = {}\n", in_quotes(known.application));
}

std::string features_text(const Declaration& known) {
  const Protocol& protocol = *known.protocol;
  if (protocol.features.empty()) return {};
  std::string text = "\n" + comment(
                                "Optional features that it has. A feature that is declared but not shown, or shown but "
                                "not declared, refuses the certificate.");
  text += "[features]\n";
  for (const Feature& one : protocol.features)
    text += comment(one.text) + fmt::format("{} = {}\n", one.name, known.declares(one.name));
  return text;
}

std::string parameters_text(const Declaration& known) {
  const Protocol& protocol = *known.protocol;
  if (protocol.parameters.empty()) return {};
  std::string text =
      "\n" + comment(
                 "What cases cannot find out by themselves. Cases that need a missing parameter are "
                 "skipped. Parameters in the URI of the peer may be left out here. Write values in quotes; "
                 "numbers are decimal, or hexadecimal with 0x.");
  text += "[parameters]\n";
  for (const Feature& one : protocol.parameters) {
    text += comment(one.text);
    const auto said =
        std::ranges::find(known.parameters, one.name, [](const auto& some) { return std::string_view(some.first); });
    text += said == known.parameters.end() ? fmt::format("# {} = \"\"\n", one.name)
                                           : fmt::format("{} = {}\n", one.name, in_quotes(said->second));
  }
  return text;
}

}  // namespace

std::string declaration_text(const Declaration& known) {
  std::string text = "# SPDX-License-Identifier: CC0-1.0\n" +
                     comment(fmt::format("Implementation conformance statement (ICS) for {}: what an implementation "
                                         "claims. `wirelaw certify` reads it. Its schema: wirelaw-ics-1.schema.json.",
                                         known.protocol->title));
  text += fmt::format("schema = {}\n\n[implementation]\n", in_quotes(kDeclarationSchema));
  text += fmt::format("vendor = {}\n", in_quotes(known.vendor));
  text += comment("Fill in these two:");
  text += fmt::format("product = {}\nversion = {}\n", in_quotes(known.product), in_quotes(known.version));
  text += comment("Contact for questions:") + fmt::format("contact = {}\n", in_quotes(known.contact));
  text += conformance_text(known) + features_text(known) + parameters_text(known);
  text += "\n[limits]\n" + comment("How long it may take to answer, and how long silence must last, in seconds:");
  return text + fmt::format("answer_time = {:.3f}\nsilence_time = {:.3f}\n", known.answer_time, known.silence_time);
}

}  // namespace wirelaw

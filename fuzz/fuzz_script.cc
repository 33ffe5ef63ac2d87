// SPDX-License-Identifier: Apache-2.0
// Any text as a script. Oracles: a problem lies within the text; a conversation that was written as a script is spoken
// the same again.
#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/script/conversation_writer.h"
#include "conformance/script/languages.h"
#include "conformance/script/parser.h"
#include "fuzz/target.h"

namespace wirelaw::fuzz {
namespace {

using namespace script;

// The octets of each side in their order.
std::vector<std::pair<Side, OctetBuffer>> said_in(const Conversation& conversation) {
  std::vector<std::pair<Side, OctetBuffer>> all;
  for (const Spoken& one : conversation.spoken)
    if (one.kind == Spoken::Kind::message && one.connection == 1) all.emplace_back(one.sender, one.octets);
  return all;
}

void write_and_speak(const Conversation& conversation, const Protocol& protocol, const Language& language) {
  const std::array<Endpoint, 2> ends{conversation.addresses[0].endpoint, conversation.addresses[1].endpoint};
  const auto said = said_in(conversation);
  ConversationWriter writer(language, ends);
  for (const auto& [sender, octets] : said) writer.add(sender, octets, octets.size(), 0);
  const std::string text =
      to_text({.protocol = protocol.name, .name = "flow-1", .purpose = "A conversation.", .ends = ends}) +
      writer.steps();
  if (said.empty()) return;
  const auto again = parse(text);
  require(again.has_value(), "what is written can be read");
  const auto spoken = speak(again->parts.front(), language);
  require(spoken.has_value(), "what is written can be spoken");
  require(said_in(*spoken) == said, "what is written says the same octets");
}

void take(std::string_view text) {
  constexpr std::size_t kMostMessages = 64;
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n') + 1);
  const auto script = parse(text);
  if (!script) return require(script.error().at.line <= lines, "a problem lies within the text");
  for (const Part& part : script->parts) {
    const Protocol* const protocol = find_protocol(word_of(part, "protocol"));
    const Language* const language = protocol == nullptr ? nullptr : language_of(*protocol);
    if (language == nullptr) continue;
    const auto conversation = speak(part, *language, kMostMessages);
    if (conversation)
      write_and_speak(*conversation, *protocol, *language);
    else
      require(conversation.error().at.line <= lines, "a problem lies within the text");
  }
}

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::take({reinterpret_cast<const char*>(data), size});
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Any text as a script. Oracles: a problem's place is within the text; a conversation that is written as a script runs
// unchanged.
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

// The content of the first connection, in order. For octets that the capture lacks, only their count matters.
struct Sent {
  Side sender;
  StreamEvent event;
  OctetBuffer octets;
  std::uint64_t missing;
  std::uint16_t mss;
  friend bool operator==(const Sent&, const Sent&) = default;
};

StreamEvent event_of(const Conversation& conversation, const Spoken& one) {
  switch (one.kind) {
    case Spoken::Kind::open:
      return StreamEvent::opened;
    case Spoken::Kind::close:
      return StreamEvent::closed;
    case Spoken::Kind::reset:
      return StreamEvent::reset;
    case Spoken::Kind::message:
      break;
  }
  return conversation.is_stream && !one.is_captured ? StreamEvent::gap : StreamEvent::octets;
}

std::vector<Sent> said_in(const Conversation& conversation) {
  std::vector<Sent> all;
  for (const Spoken& one : conversation.spoken) {
    if (one.connection != 1) continue;
    const StreamEvent event = event_of(conversation, one);
    const bool is_gap = event == StreamEvent::gap;
    all.push_back({one.sender, event, is_gap ? OctetBuffer() : one.octets, is_gap ? one.octets.size() : 0, one.mss});
  }
  return all;
}

void write_and_speak(const Conversation& conversation, const Protocol& protocol, const Language& language) {
  Heading heading{.protocol = protocol.name,
                  .name = "flow-1",
                  .purpose = "A conversation.",
                  .ends = {conversation.addresses[0].endpoint, conversation.addresses[1].endpoint}};
  const auto said = said_in(conversation);
  ConversationWriter writer(language, heading.ends);
  if (language.is_stream()) {
    StreamLines lines(language.framing());
    for (const Sent& one : said)
      lines.add(
          {.event = one.event, .sender = one.sender, .octets = one.octets, .missing = one.missing, .mss = one.mss});
    for (const StreamLine& line : lines.finish()) writer.add(line);
    heading.is_midstream = lines.begins_later();
  } else {
    for (const Sent& one : said) writer.add(one.sender, one.octets, one.octets.size(), 0);
  }
  if (said.empty()) return;
  const auto again = parse(to_text(heading) + writer.steps());
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

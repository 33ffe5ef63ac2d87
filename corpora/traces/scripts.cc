// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/scripts.h"

#include <fmt/format.h>
#include <test_paths.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "conformance/script/conversation.h"
#include "conformance/script/languages.h"
#include "conformance/script/parser.h"

namespace wirelaw::corpora {
namespace {

namespace fs = std::filesystem;

StreamEvent event_of(const script::Spoken& spoken) {
  if (!spoken.is_captured) return StreamEvent::gap;
  switch (spoken.kind) {
    case script::Spoken::Kind::open:
      return StreamEvent::opened;
    case script::Spoken::Kind::close:
      return StreamEvent::closed;
    case script::Spoken::Kind::reset:
      return StreamEvent::reset;
    case script::Spoken::Kind::message:
      break;
  }
  return StreamEvent::octets;
}

// What a capture holds of the conversation. Octets of a stream that it lacks are a gap.
std::vector<TraceMessage> messages_of(script::Conversation& conversation) {
  std::vector<TraceMessage> messages;
  const std::int64_t longer = conversation.step_ns - script::kUsualStep;  // than the step of a trace
  std::int64_t pause = 0;                                                 // before the next captured message
  for (script::Spoken& one : conversation.spoken) {
    pause += one.pause_ns;
    if (!one.is_captured && !conversation.is_stream) continue;
    TraceMessage message{.sender = one.sender, .pause_ns = std::exchange(pause, 0), .mss = one.mss};
    if (!messages.empty()) message.pause_ns += longer;
    if (conversation.is_stream) message.event = event_of(one);
    if (message.event == StreamEvent::gap)
      message.missing = one.octets.size();
    else
      message.octets = std::move(one.octets);
    messages.push_back(std::move(message));
  }
  return messages;
}

std::vector<std::string> words_of(const script::Part& part, std::string_view name) {
  std::vector<std::string> words;
  for (const script::Setting& setting : part.settings)
    if (setting.name == name)
      for (const script::Value& value : setting.values) words.push_back(value.parts.front().term.name);
  return words;
}

// The name of a violating trace is the rule, or begins with it: EFA-3.2-1, EFA-3.2-1-tagged.
bool is_name_of(std::string_view name, std::string_view rule) {
  return name.starts_with(rule) && (name.size() == rule.size() || name[rule.size()] == '-');
}

tl::expected<Trace, script::Problem> trace_of(const script::Part& part, const script::Language& language) {
  auto conversation = script::speak(part, language);
  if (!conversation) return tl::unexpected(conversation.error());
  Trace trace{.name = part.name, .violates = {}, .purpose = part.purpose, .messages = {}};
  for (const script::Expected& expected : conversation->marks) {
    if (!is_name_of(part.name, expected.mark.rule)) {
      trace.also_warned.insert(expected.mark.rule);
      continue;
    }
    trace.violates = expected.mark.rule;
    trace.severity = expected.mark.is_warning ? Severity::warning : Severity::violation;
  }
  trace.is_stream = conversation->is_stream;
  trace.from_start = script::find_setting(part, "midstream") == nullptr;
  trace.silence_ns = conversation->silence_ns;
  trace.features = words_of(part, "feature");
  trace.revision = script::word_of(part, "revision");
  trace.port = static_cast<std::uint16_t>(conversation->addresses[1].endpoint.port);
  trace.messages = messages_of(*conversation);
  return trace;
}

}  // namespace

std::vector<std::string> script_files(std::string_view protocol) {
  std::vector<std::string> files;
  const fs::path folder = fs::path(WIRELAW_SOURCE_DIR "/conformance") / protocol;
  std::error_code missing;  // a protocol may have its rules elsewhere
  for (const auto& file : fs::recursive_directory_iterator(folder, missing))
    if (file.path().extension() == ".wirelaw") files.push_back(file.path().string());
  std::ranges::sort(files);
  return files;
}

tl::expected<std::vector<Trace>, std::string> traces_of_script(const std::string& path, const Protocol& protocol) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return tl::unexpected(path + ": cannot be read");
  const auto parsed = script::parse(text);
  if (!parsed) return tl::unexpected(script::one_line(parsed.error(), path));
  std::vector<Trace> traces;
  for (const script::Part& part : parsed->parts) {
    const script::Language* const language = script::language_of(protocol, script::word_of(part, "over"));
    if (language == nullptr) return tl::unexpected(path + ": scripts cannot say the protocol over this carrier");
    auto trace = trace_of(part, *language);
    if (!trace) return tl::unexpected(script::one_line(trace.error(), path));
    traces.push_back(std::move(*trace));
  }
  return traces;
}

std::vector<Trace> scripted_traces(std::string_view protocol) {
  static std::map<std::string, std::vector<Trace>, std::less<>> known;  // tests ask for them again and again
  if (const auto found = known.find(protocol); found != known.end()) return found->second;
  std::vector<Trace>& all = known[std::string(protocol)];
  for (const std::string& path : script_files(protocol)) {
    auto traces = traces_of_script(path, *find_protocol(protocol));
    if (!traces) {
      fmt::print(stderr, "{}\n", traces.error());
      std::exit(EXIT_FAILURE);
    }
    std::ranges::move(*traces, std::back_inserter(all));
  }
  return all;
}

}  // namespace wirelaw::corpora

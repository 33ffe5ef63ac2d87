// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_sink.h"

#include <fmt/format.h>

#include "conformance/catalogue.h"
#include "conformance/script/languages.h"

namespace wirelaw {

ScriptSink::ScriptSink(FrameSink& next, const Protocol& protocol, Role iut)
    : next_(next),
      protocol_(protocol),
      iut_(iut == Role::initiator ? Side::a : Side::b),
      language_(script::language_of(protocol)) {}

void ScriptSink::write(const RecordedFrame& frame) {
  next_.write(frame);
  if (language_ == nullptr) return;
  const auto from = parse_endpoint(frame.from), to = parse_endpoint(frame.to);
  if (frame.tcp || frame.captured || !from || !to) {
    is_whole_ = false;
    return;
  }
  const Endpoint& tester = frame.from_iut ? *to : *from;
  const Endpoint& iut = frame.from_iut ? *from : *to;
  const auto [place, is_new] = places_.try_emplace(to_string(tester) + " " + to_string(iut), conversations_.size());
  if (is_new) {
    const std::array<Endpoint, 2> ends = iut_ == Side::b ? std::array{tester, iut} : std::array{iut, tester};
    conversations_.push_back(
        std::make_unique<Conversation>(Conversation{ends, script::ConversationWriter(*language_, ends)}));
  }
  // Shorter times are those of the transport, not of the conversation.
  constexpr std::int64_t kMillisecond = 1'000'000;
  const std::int64_t time = frame.time_ns / kMillisecond * kMillisecond;
  script::ConversationWriter& writer = conversations_[place->second]->writer;
  if (frame.from_iut)
    writer.await(iut_, frame.octets);
  else
    writer.add(other(iut_), frame.octets, frame.octets.size(), time);
}

std::string ScriptSink::text(std::string_view signature, const std::vector<std::string>& features,
                             std::string_view revision) const {
  if (!is_whole_) return {};
  constexpr std::string_view kRule = "rule ";
  const bool is_rule = signature.starts_with(kRule);
  const std::string_view rule = is_rule ? signature.substr(kRule.size()) : std::string_view();
  std::string text;
  for (std::size_t i = 0; i < conversations_.size(); ++i) {
    const Conversation& one = *conversations_[i];
    text += script::to_text({.protocol = protocol_.name,
                             .name = fmt::format("conversation-{}", i + 1),
                             .purpose = is_rule ? fmt::format("What the tester said when the peer broke {}.", rule)
                                                : std::string("What the tester said when the peer failed."),
                             .ends = one.ends,
                             .iut = iut_,
                             .features = features,
                             .revision = std::string(revision)});
    const Rule* const known = protocol_.catalogue().find(rule);
    if (known != nullptr && known->observable == Observable::trace) text += fmt::format("rule {}\n", rule);
    if (known != nullptr && known->observable != Observable::trace)
      text += fmt::format("# {} is decided by an expectation: say what has to come, and name the rule.\n", rule);
    text += one.writer.steps() + "\n";
  }
  return text;
}

}  // namespace wirelaw

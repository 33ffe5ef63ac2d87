// SPDX-License-Identifier: Apache-2.0
#include "harness/script/script_sink.h"

#include <fmt/format.h>

#include "conformance/catalogue.h"
#include "conformance/script/languages.h"

namespace wirelaw {
namespace {

// Shorter times are those of the transport, not of the conversation.
std::int64_t in_milliseconds(std::int64_t time_ns) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  return time_ns / kMillisecond * kMillisecond;
}

}  // namespace

ScriptSink::ScriptSink(FrameSink& next, const Protocol& protocol, Role iut)
    : next_(next),
      protocol_(protocol),
      iut_(iut == Role::initiator ? Side::a : Side::b),
      language_(script::language_of(protocol)) {}

void ScriptSink::write(const RecordedFrame& frame) {
  next_.write(frame);
  if (language_ == nullptr) return;
  const auto from = parse_endpoint(frame.from), to = parse_endpoint(frame.to);
  if (frame.tcp.has_value() != language_->is_stream() || frame.captured || !from || !to) {
    is_whole_ = false;
    return;
  }
  const Endpoint& tester = frame.from_iut ? *to : *from;
  const Endpoint& iut = frame.from_iut ? *from : *to;
  const auto [place, is_new] = places_.try_emplace(to_string(tester) + " " + to_string(iut), conversations_.size());
  if (is_new) {
    const std::array<Endpoint, 2> ends = iut_ == Side::b ? std::array{tester, iut} : std::array{iut, tester};
    conversations_.push_back(std::make_unique<Conversation>(*language_, ends));
  }
  Conversation& conversation = *conversations_[place->second];
  if (frame.tcp)
    write_segment(conversation, frame);
  else
    write_datagram(conversation, frame);
}

void ScriptSink::write_datagram(Conversation& conversation, const RecordedFrame& frame) {
  if (frame.from_iut)
    conversation.writer.await(iut_, frame.octets);
  else
    conversation.writer.add(other(iut_), frame.octets, frame.octets.size(), in_milliseconds(frame.time_ns));
}

void ScriptSink::write_segment(Conversation& conversation, const RecordedFrame& frame) {
  const Side sender = frame.from_iut ? iut_ : other(iut_);
  const pcap::Segment segment{.time_ns = frame.time_ns,
                              .source = conversation.ends[sender == Side::a ? 0 : 1],
                              .destination = conversation.ends[sender == Side::a ? 1 : 0],
                              .seq = frame.tcp->seq,
                              .ack = frame.tcp->ack,
                              .flags = frame.tcp->flags,
                              .window = frame.tcp->window,
                              .mss = frame.tcp->mss,
                              .payload = frame.octets,
                              .wire_length = static_cast<std::uint32_t>(frame.octets.size())};
  const auto take = [&](const StreamPiece& piece) { conversation.lines->add(piece); };
  // The tester uses no two ports twice.
  is_whole_ &= conversation.segments.take(segment, sender == Side::a, take);
}

// Writes the tester's lines, and a wait for each message of the IUT.
void ScriptSink::end_stream(Conversation& conversation) {
  conversation.segments.finish([&](const StreamPiece& piece) { conversation.lines->add(piece); });
  for (script::StreamLine& line : conversation.lines->finish()) {
    line.time_ns = in_milliseconds(line.time_ns);
    if (line.sender != iut_ || line.kind == script::StreamLine::Kind::open)
      conversation.writer.add(line);
    else if (line.kind == script::StreamLine::Kind::unit)
      conversation.writer.await(line);
  }
  conversation.lines.reset();
}

std::string ScriptSink::text(std::string_view signature, const std::vector<std::string>& features,
                             std::string_view revision) {
  for (const auto& one : conversations_)
    if (one->lines) end_stream(*one);
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

// SPDX-License-Identifier: Apache-2.0
#include "harness/flow_tap.h"

#include <fmt/format.h>

#include "harness/capture/captured_tap.h"
#include "harness/consumer_tap.h"
#include "harness/datagram_tap.h"
#include "harness/stream_tap.h"

namespace wirelaw {
namespace {

constexpr std::size_t kTail = 6;

std::string comment_of(const Finding& finding) {
  return fmt::format("{}: {}: expected {}, got {}", finding.rule->id, to_string(finding.severity), finding.expected,
                     finding.actual);
}

bool is_message_of(const Protocol& protocol, const Message& message) {
  if (protocol.datagrams && protocol.datagrams->plausible && !protocol.datagrams->plausible(message)) return false;
  return protocol.decode(message.octets).error.empty();
}

}  // namespace

FlowTap::FlowTap(std::unique_ptr<Conversation> conversation, TapContext& context, const Framing& framing)
    : conversation_(std::move(conversation)),
      context_(context),
      framing_(framing),
      iut_connects_(conversation_->iut().empty()) {
  flow_.set_number(++context.flows);
  flow_.begin(context.protocol, protocols(), limits(), &context.protocol);
  name_sides(false);
}

ObserverLimits FlowTap::limits() const {
  ObserverLimits limits = context_.limits;
  limits.may_double = !framing_.is_stream && framing_.dissector.empty();
  return limits;
}

std::optional<Ends> FlowTap::ends() const {
  const auto tester = parse_endpoint(conversation_->tester()), iut = parse_endpoint(conversation_->iut());
  if (!tester || !iut || tester->address == Address{.v6 = tester->address.v6}) return std::nullopt;
  return Ends{*tester, *iut};
}

void FlowTap::name_sides(bool iut_is_a) {
  iut_is_a_ = iut_is_a;
  places_ = {.tester = conversation_->tester(), .iut = conversation_->iut()};
  take_names();
}

void FlowTap::take_names() {
  flow_.name_sides(framing_.transport, iut_is_a_ ? places_.iut : places_.tester,
                   iut_is_a_ ? places_.tester : places_.iut, {.a = iut_is_a_, .b = !iut_is_a_});
}

void FlowTap::place_sides() {
  constexpr std::uint64_t kPorts = 1u << 16, kQueuePairs = 1u << 24;
  if (context_.recording == nullptr) return;
  const FlowPlaces real = places_;
  places_ = context_.recording->places().place(real, iut_connects_, framing_.dissector.empty() ? kPorts : kQueuePairs);
  take_names();
  if (std::string remark = context_.recording->places().remark(real, places_); !remark.empty())
    context_.recording->remark(std::move(remark));
}

void FlowTap::locate_sides() {
  auto a = pcap::parse_endpoint(conversation_->tester()), b = pcap::parse_endpoint(conversation_->iut());
  if (!a || !b) return;
  if (iut_is_a_) std::swap(a, b);
  ObserverLimits limits = this->limits();
  limits.addresses = {{*a, *b}};
  flow_.begin(context_.protocol, protocols(), limits, &context_.protocol);
  if (context_.associations != nullptr) flow_.join(*context_.associations);
}

RecordedFrame FlowTap::frame_from(bool from_iut) const {
  return {.from = from_iut ? places_.iut : places_.tester,
          .to = from_iut ? places_.tester : places_.iut,
          .from_iut = from_iut,
          .time_ns = time_ns(),
          .dissector = std::string(framing_.dissector)};
}

void FlowTap::Kept::take(const Message& from) {
  octets.assign(from.octets.begin(), from.octets.end());
  places.assign(from.places.begin(), from.places.end());
  message = from;
  message.octets = octets;
  message.places = places;
  message.headers = {};
}

void FlowTap::keep_last(const Message& message) {
  if (!last_) last_ = Kept{};
  last_->take(message);
}

// The oldest line makes room, and its octets are used again.
FlowTap::Line& FlowTap::next_line(bool from_iut) {
  Line line;
  if (tail_.size() == kTail) {
    line = std::move(tail_.front());
    tail_.pop_front();
  }
  line.when = now();
  line.from_iut = from_iut;
  line.what.clear();
  line.message.clear();
  return tail_.emplace_back(std::move(line));
}

void FlowTap::listen_to(const Message& message) {
  constexpr std::size_t kSentKept = 4096, kSentOctets = 4u << 20;
  Speech& speech = context_.speech;
  if (speech.spoken) return;
  std::string octets(message.octets.begin(), message.octets.end());
  if (!is_from_iut(message.sender)) {
    if (sent_.size() >= kSentKept || sent_octets_ + octets.size() > kSentOctets) return;
    sent_octets_ += octets.size();
    sent_.insert(std::move(octets));
  } else if (sent_.contains(octets)) {
    speech.mirrored = true;
  } else {
    speech.spoken = is_message_of(flow_.protocol_of(message), message);
  }
}

void FlowTap::list(const Message& message) {
  listen_to(message);
  if (!is_from_iut(message.sender)) {
    if (!asked_) asked_ = Kept{};
    Message asked = message;
    asked.octets = {};
    asked_->take(asked);
  }
  Line& line = next_line(is_from_iut(message.sender));
  line.message.assign(message.octets.begin(), message.octets.end());
  line.protocol = &flow_.protocol_of(message);
}

void FlowTap::list(bool from_iut, std::string what) {
  next_line(from_iut).what = std::move(what);
}

void FlowTap::note_call(std::string_view who, const std::string& what) {
  ++calls_;
  look();
  const std::string text = fmt::format("{}: {}", who, what);
  next_line(true).what = text;
  if (context_.recording && context_.recording->frames() > 0)
    context_.recording->annotate(context_.recording->frames(), text);
}

void FlowTap::comment_from(std::size_t first_finding) {
  for (std::size_t i = first_finding; i < context_.judge.findings().size(); ++i) {
    const Finding& finding = context_.judge.findings()[i];
    context_.recording->annotate(finding.frame, comment_of(finding));
  }
}

void FlowTap::point_judge_at_last(bool silence) {
  context_.judge.enter_flow(flow_.names());
  Message message{.sender = side_of(true), .index = kNoMessage, .time_ns = time_ns()};
  const std::optional<Kept>& about = silence && asked_ ? asked_ : last_;
  if (about) message = about->message;
  message.unanswered = silence && asked_;
  message.sender = side_of(true);
  if (silence) message.octets = {};
  context_.judge.at(message);
}

FlowResult FlowTap::result_of(std::uint64_t octets) const {
  FlowResult result = flow_.result(messages(), octets);
  if (const std::string remark = flow_.remark(); !remark.empty())
    result.note += (result.note.empty() ? "" : "; ") + remark;
  return result;
}

std::string FlowTap::tail() const {
  std::string text;
  for (const Line& line : tail_)
    text += fmt::format("{:.6f} {} {}\n", static_cast<double>(line.when.count()) * 1e-9, line.from_iut ? "<-" : "->",
                        line.what.empty() ? line.protocol->decode(line.message).summary : line.what);
  return text;
}

std::unique_ptr<FlowTap> make_tap(std::unique_ptr<Conversation> conversation, TapContext& context, bool datagrams) {
  if (datagrams) return std::make_unique<DatagramTap>(std::move(conversation), context, kDatagrams);
  if (!context.framing.is_spoken && !context.capture)
    return std::make_unique<ConsumerTap>(std::move(conversation), context);
  if (context.capture) return std::make_unique<CapturedTap>(std::move(conversation), context);
  if (context.framing.is_stream) return std::make_unique<StreamTap>(std::move(conversation), context);
  return std::make_unique<DatagramTap>(std::move(conversation), context, context.framing);
}

}  // namespace wirelaw

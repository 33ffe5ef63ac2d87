// SPDX-License-Identifier: Apache-2.0
#include "harness/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wirelaw {
namespace {

void add_note(std::string& notes, std::string_view note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += "; ";
  notes += note;
}

std::string name_of(const pcap::Endpoint& a, const pcap::Endpoint& b) {
  return fmt::format("udp {} - {}", pcap::to_string(a), pcap::to_string(b));
}

Message message_of(const pcap::Datagram& datagram, const Flow& flow, bool has_headers) {
  constexpr std::uint16_t kMost = std::numeric_limits<std::uint8_t>::max();
  return {.octets = datagram.payload,
          .wire_length = datagram.wire_length,
          .sender = is_same(datagram.source, flow.a) ? Side::a : Side::b,
          .index = flow.messages,
          .frame = datagram.frame,
          .time_ns = datagram.time_ns,
          .ip_version = has_headers ? datagram.ip_version : std::uint8_t{0},
          .ip_header_octets =
              has_headers ? static_cast<std::uint8_t>(std::min(datagram.ip_header_octets, kMost)) : std::uint8_t{0}};
}

}  // namespace

const Catalogue& catalogue_for(const Protocol* protocol) {
  if (protocol) return protocol->catalogue();
  static const Catalogue kAll = [] {
    std::vector<RuleList> lists;
    for (const Protocol* one : protocols()) lists.push_back(one->catalogue().rules());
    return Catalogue(std::span<const RuleList>(lists));
  }();
  return kAll;
}

Checker::Checker(CheckOptions options) : Checker(options, protocols(), catalogue_for(options.protocol)) {}

Checker::Checker(CheckOptions options, std::span<const Protocol* const> protocols, const Catalogue& catalogue)
    : options_(std::move(options)),
      protocols_(protocols),
      judge_(catalogue, options_.judge),
      table_(options_.limits.live_flows) {
  judge_.select(options_.rules);
}

void Checker::begin_file(const CaptureNote& note) {
  note_ = note;
}

const Flow& Checker::take(const pcap::Datagram& datagram) {
  Flow& flow = flow_of(datagram);
  const Message message = message_of(datagram, flow, !note_.synthetic_headers);
  if (!flow.observer && flow.skipped.empty()) [[unlikely]]
    recognise(flow, message);
  ++flow.messages;
  flow.octets += message.wire_length;
  if (!flow.observer) return flow;
  if (current_ != &flow) {
    judge_.enter_flow(flow.names);
    current_ = &flow;
  }
  flow.observer->observe(message, judge_);
  ++judged_;
  flow.unasked_octets += message.octets.size();
  if (flow.unasked_octets >= options_.limits.octets_between_checks) keep_budget(flow);
  return flow;
}

Flow& Checker::flow_of(const pcap::Datagram& datagram) {
  Flow* flow = table_.find(datagram.source, datagram.destination);
  return flow ? *flow : open_flow(datagram);
}

Flow& Checker::open_flow(const pcap::Datagram& datagram) {
  if (table_.full())
    close_flow(*table_.oldest(),
               fmt::format("ended early to make room: more than {} flows at once", options_.limits.live_flows));
  Flow& flow = table_.add(datagram.source, datagram.destination);
  flow.names.number = ++flows_;
  flow.names.id = name_of(flow.a, flow.b);
  flow.names.sides = {pcap::to_string(flow.a), pcap::to_string(flow.b)};
  choose_sides(flow);
  if (const Protocol* protocol = settled_protocol(datagram); protocol && flow.skipped.empty()) assign(flow, *protocol);
  return flow;
}

void Checker::choose_sides(Flow& flow) {
  const std::optional<IutAddress>& iut = options_.iut ? options_.iut : note_.iut;
  if (iut) {
    flow.names.judged = {.a = iut->is(flow.a), .b = iut->is(flow.b)};
  } else if (note_.tester) {
    flow.names.judged = {.a = note_.tester->is(flow.b), .b = note_.tester->is(flow.a)};
  }
  if (flow.names.judged.a || flow.names.judged.b)
    iut_seen_ = true;
  else
    flow.skipped = "not judged: neither end is the implementation under test";
}

const Protocol* Checker::settled_protocol(const pcap::Datagram& datagram) const {
  for (const DecodeAs& one : options_.decode_as)
    if (one.port == datagram.source.port || one.port == datagram.destination.port) return one.protocol;
  return note_.protocol;
}

void Checker::recognise(Flow& flow, const Message& message) {
  if (flow.messages >= options_.limits.recognition_messages) return;
  for (const Protocol* protocol : protocols_) {
    if (options_.protocol && protocol != options_.protocol) continue;
    if (!protocol->recognises(message)) continue;
    flow.passed_over = flow.messages;
    assign(flow, *protocol);
    return;
  }
}

void Checker::assign(Flow& flow, const Protocol& protocol) {
  if (options_.protocol && &protocol != options_.protocol) {
    flow.skipped = "not judged: --protocol selects another protocol";
    return;
  }
  flow.protocol = &protocol;
  flow.observer = protocol.observer({});
  flow.unasked_octets = options_.limits.octets_between_checks;  // asked with the first message
}

void Checker::keep_budget(Flow& flow) {
  const std::size_t now = flow.observer->memory();
  memory_ += now - flow.memory;
  flow.memory = now;
  flow.unasked_octets = 0;
  while (memory_ > options_.limits.observer_octets && table_.oldest() != &flow)
    close_flow(*table_.oldest(), fmt::format("ended early to make room: the state of all flows exceeded {} MiB",
                                             options_.limits.observer_octets >> 20));
}

void Checker::close_flow(Flow& flow, std::string_view reason) {
  if (flow.observer) {
    judge_.enter_flow(flow.names);
    flow.observer->finish(judge_);
    memory_ -= flow.memory;
    current_ = nullptr;
  }
  list(flow, reason);
  table_.remove(flow);
}

std::string Checker::unrecognised_note(const Flow& flow) const {
  const std::uint64_t tried = std::min<std::uint64_t>(flow.messages, options_.limits.recognition_messages);
  return fmt::format("no protocol recognised in its first {}; if you know it, say --decode-as udp.port={},PROTOCOL",
                     tried == 1 ? std::string("message") : fmt::format("{} messages", tried), flow.b.port);
}

void Checker::list(const Flow& flow, std::string_view reason) {
  const bool unrecognised = !flow.observer && flow.skipped.empty();
  // Flows without a verdict may take half the list: a flood of them must not hide the others.
  if (listed_.size() >= options_.limits.listed_flows ||
      (!flow.observer && ++unjudged_ > options_.limits.listed_flows / 2)) {
    ++flows_dropped_;
    return;
  }
  std::string note(flow.skipped);
  if (unrecognised) note = unrecognised_note(flow);
  if (flow.passed_over > 0)
    add_note(note,
             fmt::format("its first {} passed over, because no protocol was recognised in them",
                         flow.passed_over == 1 ? "message was" : fmt::format("{} messages were", flow.passed_over)));
  if (flow.observer) add_note(note, flow.observer->partial());
  if (flow.observer) add_note(note, reason);
  const FlowState state = unrecognised   ? FlowState::unrecognised
                          : note.empty() ? FlowState::judged
                                         : FlowState::partial;
  listed_.push_back({.id = flow.names.id,
                     .protocol = flow.protocol ? std::string(flow.protocol->name) : std::string(),
                     .messages = flow.messages,
                     .octets = flow.octets,
                     .state = state,
                     .note = std::move(note)});
}

void Checker::end_file() {
  for (Flow* flow : table_.in_order()) close_flow(*flow, {});
}

Results Checker::take_results() {
  Results results;
  results.rules = judge_.rule_results();
  results.findings = judge_.take_findings();
  results.findings_dropped = judge_.findings_dropped();
  results.flows = std::move(listed_);
  results.flows_dropped = flows_dropped_;
  return results;
}

}  // namespace wirelaw

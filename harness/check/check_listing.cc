// SPDX-License-Identifier: Apache-2.0
// The list of flows, and the results of everything that was judged.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/check/check.h"
#include "harness/check/flow_ends.h"
#include "harness/pcapng_recording.h"
#include "harness/shard/join.h"
#include "harness/tested_role.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

void add_note(std::string& notes, std::string_view note) {
  if (note.empty()) return;
  if (!notes.empty()) notes += "; ";
  notes += note;
}

// In a stream, another protocol at the beginning is normal if an upper layer switches. In a flow of datagrams, the
// first messages are just not recognised.
std::string passed_over_note(const Flow& flow) {
  const bool one = flow.passed_over == 1;
  if (flow.transport == pcap::Transport::tcp)
    return fmt::format("its first {} {} passed over, before {} began", counted(flow.passed_over, "octet"),
                       one ? "was" : "were", flow.judged.protocol()->name);
  return fmt::format("its first {} passed over, because no protocol was recognised in them",
                     one ? std::string("message was") : fmt::format("{} messages were", flow.passed_over));
}

std::string foreign_note(const Flow& flow) {
  return fmt::format("{} passed over, because the capture does not call {} {}",
                     flow.foreign == 1 ? std::string("1 message was") : fmt::format("{} messages were", flow.foreign),
                     flow.foreign == 1 ? "it" : "them", flow.dissector);
}

// The packet that ends the capture of a script.
bool is_clock(const Flow& flow) {
  return flow.judged.protocol() == nullptr && flow.a == pcap::parse_endpoint(kClockNodes[0]) &&
         flow.b == pcap::parse_endpoint(kClockNodes[1]);
}

}  // namespace

RunPlace Checker::place_of(std::uint64_t step) {
  return {.input = step >> kStepBits, .step = step & ((std::uint64_t{1} << kStepBits) - 1)};
}

// The port that a user would declare. If the handshake was not seen, a client's port is known by its range, from which
// systems take them (RFC 6335, 6; Linux begins lower).
std::uint32_t service_port(const Flow& flow) {
  constexpr std::uint32_t kFirstEphemeral = 32768;
  const bool a_serves = !flow.b_was_asked && flow.a.port < kFirstEphemeral && flow.b.port >= kFirstEphemeral;
  return a_serves ? flow.a.port : flow.b.port;
}

std::string Checker::unrecognised_note(const Flow& flow) const {
  const bool tcp = flow.transport == pcap::Transport::tcp;
  if (!flow.dissector.empty())
    return fmt::format(
        "the capture calls it '{}', which is no dissector of a protocol known here; if you know better, "
        "say --decode-as udp.port={},PROTOCOL",
        flow.dissector, service_port(flow));
  const std::uint64_t most = tcp ? options_.limits.recognition_octets : options_.limits.recognition_messages;
  const std::uint64_t tried = std::min(tcp ? flow.octets : flow.messages, most);
  const Protocol* const lies = flow.cut > 0 ? nullptr : flow.port_lies ? flow.port_lies : flow.by_port;
  const bool begins_late = tcp && !flow.b_was_asked;
  return fmt::format("no protocol recognised in its first {}{}{}; if you know it, say --decode-as {}.port={},PROTOCOL",
                     counted(tried, tcp ? "octet" : "message"),
                     begins_late ? " that were captured, from the middle of the connection on" : "",
                     lies ? fmt::format(", which are not {}, to which its port is assigned", lies->title) : "",
                     word_of(port_of(flow.transport)), service_port(flow));
}

// Returns the state that list() will report, without the reason.
FlowState Checker::state_of(const Flow& flow, std::string_view reason) {
  const bool recognised = flow.judged.protocol() != nullptr;
  if (!recognised && flow.skipped.empty()) return FlowState::unrecognised;
  const bool is_cut_short = recognised && (!reason.empty() || flow.judged.is_partial() || flow.cut > 0);
  const bool begins_late = flow.passed_over > 0 && flow.transport != pcap::Transport::tcp;
  const bool is_whole = flow.skipped.empty() && !is_cut_short && !begins_late && flow.foreign == 0;
  return is_whole ? FlowState::judged : FlowState::partial;
}

void Checker::list(Flow& flow, std::string_view reason) {
  if (!is_ours(flow, nullptr) || (note_.says_segments && is_clock(flow))) return;
  const bool recognised = flow.judged.protocol() != nullptr;
  const FlowState state = state_of(flow, reason);
  // What a protocol would be recognised by may be cut, unless the flow is known to be another one's.
  if (recognised || (flow.skipped.empty() && flow.dissector.empty())) cut_packets_ += flow.cut;
  // Flows without a verdict may take half the list: a flood of them must not hide the others. No text is made for what
  // is not listed.
  if (listed_.size() >= options_.limits.listed_flows ||
      (!recognised && ++unjudged_ > options_.limits.listed_flows / 2)) {
    ++flows_dropped_;
    ++flows_dropped_as_[static_cast<std::size_t>(state)];
    return;
  }
  FlowResult result = flow.judged.result(flow.messages, flow.octets);
  result.state = state;
  std::string note(flow.skipped);
  if (state == FlowState::unrecognised) note = unrecognised_note(flow);
  if (recognised) add_note(note, result.note);
  if (flow.foreign > 0) add_note(note, foreign_note(flow));
  if (recognised) add_note(note, reason);
  if (flow.passed_over > 0) add_note(note, passed_over_note(flow));
  if (recognised) add_note(note, flow.judged.remark());
  if (flow.cut > 0)
    add_note(note,
             counted(flow.cut, "packet") + (flow.cut == 1 ? " of it is" : " of it are") + " cut by the snap length");
  if (note_.has_legs) add_note(note, flow.leg == 0 ? "leg of the initiator" : "leg of the responder");
  if (!flow.carriers.empty()) add_note(note, "carried in " + flow.carriers);
  result.note = std::move(note);
  if (recognised && result.missing.empty() && flow.judged.has_one_direction()) {
    result.completeness = Completeness::unknown;
    result.missing = "one of its directions";
  }
  listed_.push_back(std::move(result));
  flow_ends_.push_back(place_of(step_));
}

// The completeness of the file applies to its flows, except those that show what they lack.
void Checker::settle(FlowResult& flow, Completeness completeness) {
  if (flow.completeness == Completeness::incomplete) return;
  if (completeness == Completeness::complete) {
    flow.completeness = Completeness::complete;
    flow.missing.clear();
  } else {
    flow.completeness = flow.missing.empty() ? completeness : Completeness::incomplete;
  }
}

Share Checker::take_share() {
  Share share{.rules = judge_.rule_results(),
              .findings_dropped = judge_.findings_dropped(),
              .flows = std::move(listed_),
              .flow_ends = std::move(flow_ends_),
              .flows_dropped = flows_dropped_,
              .flows_dropped_as = flows_dropped_as_,
              .judged = judged_,
              .iut_seen = iut_seen_,
              .kinds = kinds_};
  for (RuleReason& one : judge_.reasons()) share.reasons.push_back({one.rule, one.reason, place_of(one.step)});
  for (const FindingOrigin& one : judge_.origins()) share.found.push_back({place_of(one.step), one.flow, one.kind});
  share.findings = judge_.take_findings();
  return share;
}

namespace {

void exclude_segments(std::vector<RuleResult>& rules) {
  for (RuleResult& one : rules) {
    if (one.rule->sees != Sees::segments || one.verdict != Verdict::not_exercised) continue;
    one.verdict = Verdict::not_applicable;
    one.reason = "the relay ends TCP: the segments of its legs are not the peer's";
  }
}

}  // namespace

void Checker::exclude(const FlowKinds& kinds, std::span<const Protocol* const> protocols,
                      std::vector<RuleResult>& rules) {
  if (kinds.relayed_tcp && !kinds.direct_tcp) exclude_segments(rules);
  if (!kinds.one_sided) return;
  for (const Protocol* protocol : protocols)
    if (const Role role = tested_role(rules, *protocol); role != Role::any) exclude_other_role(rules, *protocol, role);
}

Results Checker::take_results() {
  Results results = results_of(take_share());
  exclude(kinds_, protocols_, results.rules);
  return results;
}

}  // namespace wirelaw

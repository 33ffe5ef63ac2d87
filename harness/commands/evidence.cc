// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/evidence.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "harness/commands/wanted_messages.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMostOfCase = 49;         // messages of one flow in one case
constexpr std::size_t kMostMessages = 200'000;  // in total
constexpr std::size_t kMostOctets = 4096;       // per message
constexpr std::size_t kMostSummary = 200;       // octets
constexpr std::size_t kMostFields = 200;

class Collector {
 public:
  explicit Collector(std::vector<WantedMessages> wanted) : wanted_(std::move(wanted)), inputs_(wanted_.size()) {}

  void take(const Message& message, const Flow& flow) {
    take(message.frame, message.index + 1, message.time_ns, message.sender == Side::a, message.wire_length,
         message.octets, &flow.judged.protocol_of(message), flow);
  }
  void take(const pcap::Datagram& datagram, const Flow& flow) {
    const Protocol* const protocol = is_foreign(flow, datagram) ? nullptr : flow.judged.protocol();
    take(datagram.frame, flow.messages, datagram.time_ns, is_same(datagram.source, flow.a), datagram.wire_length,
         datagram.payload, protocol, flow);
  }
  void end_file() {
    // Frames of different sides may be judged out of their order.
    if (input_ == inputs_.size()) return;
    for (ShownFlow& flow : inputs_[input_].flows) std::ranges::stable_sort(flow.messages, {}, &ShownMessage::frame);
    places_.clear();
    of_case_.clear();
    ++input_;
  }
  std::size_t files() const { return input_; }  // files that have ended
  std::vector<ShownInput> inputs() { return std::move(inputs_); }

 private:
  void take(std::uint64_t frame, std::uint64_t number, std::int64_t time_ns, bool from_a, std::size_t wire_length,
            Octets octets, const Protocol* protocol, const Flow& flow) {
    if (input_ >= wanted_.size() || taken_ >= kMostMessages) return;
    const WantedMessages& wanted = wanted_[input_];
    const FlowNames& names = flow.judged.names();
    bool is_wanted = wanted.is_wanted(names.id, number, frame);
    if (!is_wanted)
      if (const std::uint64_t one = wanted.case_of(frame); one != 0)
        is_wanted = of_case_[{names.number, one}]++ < kMostOfCase;
    if (!is_wanted) return;
    ++taken_;
    ShownMessage shown{.frame = frame,
                       .number = number,
                       .time_ns = time_ns,
                       .from_a = from_a,
                       .protocol = std::string(protocol ? protocol->name : word_of(flow.transport)),
                       .wire_length = wire_length};
    const bool is_evidence = wanted.is_evidence(names.id, frame);
    if (protocol != nullptr) describe(*protocol, octets, is_evidence, shown);
    if (is_evidence) {
      const Octets first = octets.first(std::min(kMostOctets, octets.size()));
      shown.octets.assign(first.begin(), first.end());
    }
    flow_of(names).messages.push_back(std::move(shown));
  }
  static void describe(const Protocol& protocol, Octets octets, bool with_fields, ShownMessage& shown) {
    Decoded decoded = protocol.decode(octets);
    shown.summary = decoded.error.empty() ? std::move(decoded.summary) : "malformed: " + decoded.error;
    if (shown.summary.size() > kMostSummary) shown.summary.resize(kMostSummary);
    if (!with_fields) return;
    for (Field& one : decoded.fields) {
      if (shown.fields.size() == kMostFields) break;
      shown.fields.push_back({std::move(one.name), std::move(one.value), one.offset, one.length});
    }
  }
  ShownFlow& flow_of(const FlowNames& names) {
    std::vector<ShownFlow>& flows = inputs_[input_].flows;
    const auto [at, is_new] = places_.try_emplace(names.number, flows.size());
    if (is_new) flows.push_back({.id = names.id, .a = names.sides[0], .b = names.sides[1]});
    return flows[at->second];
  }

  std::vector<WantedMessages> wanted_;
  std::vector<ShownInput> inputs_;
  std::size_t input_ = 0;
  std::size_t taken_ = 0;
  std::map<std::uint64_t, std::size_t> places_;  // indices of flows, by their numbers
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> of_case_;
};

std::vector<WantedMessages> wanted_of(std::span<const std::string> files, const Results& results,
                                      std::span<const std::size_t> input_of_finding) {
  std::vector<WantedMessages> wanted(files.size());
  for (std::size_t i = 0; i < results.findings.size(); ++i)
    if (i < input_of_finding.size() && input_of_finding[i] < wanted.size())
      wanted[input_of_finding[i]].want(results.findings[i]);
  for (const CaseResult& one : results.cases)
    if (!wanted.empty()) wanted.front().want(one);
  for (const RecordedRun& run : results.runs) {
    const auto at = static_cast<std::size_t>(std::ranges::find(files, run.file) - files.begin());
    if (at >= wanted.size()) continue;
    for (const CaseResult& one : run.cases) wanted[at].want(one);
    for (const Finding& one : run.findings) wanted[at].want(one);
  }
  for (WantedMessages& one : wanted) one.settle();
  return wanted;
}

}  // namespace

ShownTraffic evidence_of(std::span<const std::string> files, const CheckOptions& options, const Results& results,
                         std::vector<std::size_t> input_of_finding) {
  Collector collector(wanted_of(files, results, input_of_finding));
  FileWatcher watcher;
  watcher.found = [&](const Message& message, const Flow& flow, Checker&) { collector.take(message, flow); };
  watcher.judged = [&](const pcap::Datagram* datagram, const pcap::Segment* segment, const Flow* flow, Checker&) {
    if (datagram != nullptr) collector.take(*datagram, *flow);
    if (datagram == nullptr && segment == nullptr) collector.end_file();
    return true;
  };
  for (const std::string& file : files) {
    const std::size_t before = collector.files();
    if (can_be_read_twice(std::span(&file, 1))) check_files(std::span(&file, 1), options, watcher);
    if (collector.files() == before) collector.end_file();  // the file cannot be read, or only once
  }
  return {.inputs = collector.inputs(), .input_of_finding = std::move(input_of_finding), .missing = {}};
}

bool can_be_read_twice(std::span<const std::string> files) {
  return std::ranges::all_of(files, [](const std::string& file) {
    std::error_code ignored;
    return file != "-" && std::filesystem::is_regular_file(file, ignored);
  });
}

}  // namespace wirelaw

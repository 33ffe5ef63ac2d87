// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/recorded_capture.h"

#include "harness/certify/features.h"
#include "harness/check/check_files.h"
#include "reports/text.h"

namespace wirelaw {
RecordedCapture read_capture(const std::string& path) {
  RecordedCapture capture{.facts = facts_of_capture(path)};
  const auto note = [&](const Protocol* protocol, Octets octets, const Flow& flow, Side sender) {
    const Judged& judged = flow.judged.names().judged;
    if (protocol != nullptr && (sender == Side::a ? judged.a : judged.b))
      note_features(*protocol, octets, capture.features);
  };
  const FileWatcher watcher{
      .found = [&](const Message& message, const Flow& flow,
                   Checker&) { note(&flow.judged.protocol_of(message), message.octets, flow, message.sender); },
      .judged =
          [&](const pcap::Datagram* datagram, const pcap::Segment*, const Flow* flow, Checker&) {
            if (datagram != nullptr && flow != nullptr && flow->tcp == nullptr)
              note(flow->judged.protocol(), datagram->payload, *flow,
                   is_same(datagram->source, flow->a) ? Side::a : Side::b);
            return true;
          }};
  FileResults read = check_files(std::vector<std::string>{path}, {}, watcher);
  // A peer may have died before it sent anything. The statement then reports that.
  if (!read.incomplete.empty() && !read.is_idle) capture.fault = one_line(read.incomplete.front());
  capture.results = std::move(read.results);
  return capture;
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "harness/pcapng_recording.h"

#include <fmt/format.h>

namespace wirelaw {

std::string section_comment(const RunNote& run) {
  std::string comment = fmt::format("wirelaw {} protocol={}", run.iut, run.protocol);
  if (run.headers == Headers::synthetic) comment += " headers=synthetic";
  if (run.headers == Headers::script) comment += " headers=script";
  if (run.is_rendered) comment += " below=synthetic";
  if (!run.features.empty()) comment += fmt::format(" features={}", fmt::join(run.features, ","));
  if (!run.revision.empty()) comment += fmt::format(" revision={}", run.revision);
  if (!run.mark.empty()) comment += fmt::format(" {}", run.mark);
  return comment;
}

tl::expected<PcapngSink, std::string> PcapngSink::create(const std::string& path, const std::string& section_comment) {
  const std::string comments[] = {section_comment};
  auto writer = pcap::Writer::create(path, comments);
  if (!writer) return tl::unexpected(pcap::to_string(writer.error()));
  return PcapngSink(std::move(*writer));
}

void PcapngSink::keep(const tl::expected<void, pcap::Problem>& outcome) {
  if (!outcome && !error_) error_ = pcap::to_string(outcome.error());
}

void PcapngSink::write(const RecordedFrame& frame) {
  if (frame.captured) {
    keep(writer_.write_frame({.time_ns = frame.time_ns,
                              .link_type = frame.captured->link_type,
                              .octets = frame.octets,
                              .wire_length = frame.captured->wire_length},
                             frame.comments));
    return;
  }
  const auto from = pcap::parse_endpoint(frame.from);
  const auto to = pcap::parse_endpoint(frame.to);
  if (!from || !to) {
    if (!error_) error_ = fmt::format("no frame can be made from '{}' to '{}'", frame.from, frame.to);
    return;
  }
  if (frame.tcp)
    keep(writer_.write_segment(*from, *to, frame.time_ns, *frame.tcp, frame.octets, frame.comments));
  else if (!frame.dissector.empty())
    keep(writer_.write_pdu(frame.dissector, *from, *to, frame.time_ns, frame.octets, frame.comments));
  else
    keep(writer_.write_datagram(*from, *to, frame.time_ns, frame.octets, frame.comments));
}

tl::expected<void, std::string> PcapngSink::commit() {
  keep(writer_.commit());
  if (error_) return tl::unexpected(*error_);
  return {};
}

}  // namespace wirelaw

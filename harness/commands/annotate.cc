// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/annotate.h"

#include <unordered_map>
#include <vector>

#include "pcap/reader.h"
#include "pcap/writer.h"
#include "reports/text.h"

namespace wirelaw {

tl::expected<void, std::string> annotate(const std::string& capture, const std::string& pcapng,
                                         std::span<const Finding> findings) {
  const auto error = [](const pcap::Problem& problem) { return tl::make_unexpected(pcap::to_string(problem)); };
  auto reader = pcap::Reader::open(capture);
  if (!reader) return error(reader.error());
  std::vector<std::string> section;
  if (reader->section_comment()) section.push_back(*reader->section_comment());
  auto writer = pcap::Writer::create(pcapng, section);
  if (!writer) return error(writer.error());

  std::unordered_map<std::uint64_t, std::vector<std::string>> comments;
  for (const Finding& one : findings) comments[one.frame].push_back("wirelaw: " + one_line(one));
  for (pcap::Frame frame; reader->next(frame);) {
    const auto found = comments.find(frame.number);
    const auto written =
        found == comments.end() ? writer->write_frame(frame) : writer->write_frame(frame, found->second);
    if (!written) return error(written.error());
  }
  // What it was worth it still is.
  const auto statistics = reader->statistics();
  if (statistics && statistics->is_complete(reader->frames())) writer->say_complete();
  if (const auto committed = writer->commit(); !committed) return error(committed.error());
  return {};
}

}  // namespace wirelaw

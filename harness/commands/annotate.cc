// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/annotate.h"

#include <unordered_map>
#include <vector>

#include "pcap/pcapng_copy.h"
#include "pcap/reader.h"
#include "pcap/writer.h"
#include "reports/text.h"

namespace wirelaw {

namespace {

using Comments = std::unordered_map<std::uint64_t, std::vector<std::string>>;  // by frame

// A capture that is no pcapng has one interface, and no comments to keep.
tl::expected<void, pcap::Problem> write_anew(const std::string& capture, const std::string& pcapng,
                                             const pcap::CommentsOf& comments_of) {
  auto reader = pcap::Reader::open(capture);
  if (!reader) return tl::unexpected(reader.error());
  auto writer = pcap::Writer::create(pcapng);
  if (!writer) return tl::unexpected(writer.error());
  for (pcap::Frame frame; reader->next(frame);)
    if (auto written = writer->write_frame(frame, comments_of(frame.number)); !written) return written;
  return writer->commit();
}

}  // namespace

tl::expected<void, std::string> annotate(const std::string& capture, const std::string& pcapng,
                                         std::span<const Finding> findings) {
  Comments comments;
  for (const Finding& one : findings) comments[one.frame].push_back("wirelaw: " + one_line(one));
  const pcap::CommentsOf comments_of = [&](std::uint64_t frame) -> std::span<const std::string> {
    const auto found = comments.find(frame);
    return found == comments.end() ? std::span<const std::string>() : std::span<const std::string>(found->second);
  };
  const auto written = pcap::is_pcapng_file(capture) ? pcap::copy_pcapng(capture, pcapng, comments_of)
                                                     : write_anew(capture, pcapng, comments_of);
  if (!written) return tl::make_unexpected(pcap::to_string(written.error()));
  return {};
}

}  // namespace wirelaw

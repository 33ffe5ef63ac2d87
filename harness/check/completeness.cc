// SPDX-License-Identifier: Apache-2.0
#include "harness/check/completeness.h"

#include <fmt/format.h>

#include "pcap/capture_filter.h"
#include "reports/printable.h"

namespace wirelaw {

std::string lost_frames(const pcap::Counts& counts) {
  std::string text;
  const auto say = [&](std::uint64_t count, std::string_view noun, std::string_view one, std::string_view many) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(count, noun), count == 1 ? one : many);
  };
  say(counts.malformed, "frame", "is malformed", "are malformed");
  say(counts.headers_cut, "frame", "is cut within its headers", "are cut within their headers");
  say(counts.abandoned, "packet", "lacks fragments", "lack fragments");
  return text;
}

FileCompleteness completeness_of(const pcap::PacketReader& file, bool said, bool may_have_two_clocks) {
  if (said)
    return {Completeness::complete, may_have_two_clocks ? "--complete says so, also that the clocks of the several "
                                                          "interfaces that captured one flow agree"
                                                        : "--complete says so"};
  if (file.reader().problem()) return {Completeness::incomplete, "it could not be read to its end"};
  if (const pcap::Unread& unread = file.counts().unread; unread.suspects() > 0)
    return {Completeness::incomplete, "some of its frames were not read: " + unread.text()};
  if (const std::string lost = lost_frames(file.counts()); !lost.empty()) return {Completeness::incomplete, lost};
  const auto statistics = file.reader().statistics();
  if (!statistics || !statistics->dropped)
    return {Completeness::unknown, "nothing says whether frames were dropped; add --complete if none was"};
  if (*statistics->dropped > 0)
    return {Completeness::incomplete, fmt::format("{} {} dropped while it was captured", *statistics->dropped,
                                                  *statistics->dropped == 1 ? "frame was" : "frames were")};
  // A program that removed or added frames has left the statistics unchanged.
  const std::uint64_t frames = file.counts().frames;
  if (!statistics->is_complete(frames))
    return {Completeness::incomplete,
            fmt::format("its statistics count {} frames, and it has {}", *statistics->frames(), frames)};
  for (const std::string& filter : file.reader().filters())
    if (pcap::may_hide_a_direction(filter))
      return {Completeness::incomplete,
              fmt::format("it was captured with the filter '{}', which may hide one direction", filter)};
  if (may_have_two_clocks)
    return {
        Completeness::unknown,
        "several interfaces captured the same flow, and their clocks may differ; --complete, if you know that they do "
        "not"};
  return {Completeness::complete, "its interface statistics say that no frame was dropped"};
}

}  // namespace wirelaw

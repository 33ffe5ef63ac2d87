// SPDX-License-Identifier: Apache-2.0
// Limits comments to what a pcapng block can hold.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "pcap/pcapng_format.h"
#include "pcap/writer.h"

namespace wirelaw::pcap {

// Cuts a comment to the length of an option, at a UTF-8 character boundary.
inline std::string_view cut_comment(std::string_view comment) {
  if (comment.size() <= pcapng::kMaxOptionOctets) return comment;
  std::size_t end = pcapng::kMaxOptionOctets;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(comment[at]) & 0xc0U) == 0x80; };
  for (int i = 0; i < 3 && continues(end); ++i) --end;
  return comment.substr(0, end);
}

template <class Put>
void for_each_comment(std::span<const std::string> comments, const Put& put) {
  std::size_t left = kMaxCommentOctets;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const std::string_view comment = cut_comment(comments[i]);
    const std::size_t cost = pcapng::padded(comment.size()) + sizeof(std::uint32_t);
    if (cost > left) {
      put(std::string_view(fmt::format("{} more comments were left out", comments.size() - i)));
      return;
    }
    left -= cost;
    put(comment);
  }
}

}  // namespace wirelaw::pcap

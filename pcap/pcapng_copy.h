// SPDX-License-Identifier: Apache-2.0
// Copies a pcapng file block by block, and adds comments to some of its packets. Everything else stays as it was, even
// blocks of unknown types.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "pcap/problem.h"

namespace wirelaw::pcap {

// Returns the comments to add to a frame, by Reader's frame number. They must live until the next call.
using CommentsOf = std::function<std::span<const std::string>(std::uint64_t frame)>;

// True if the file, which may be gzip'd, is a pcapng.
bool is_pcapng_file(const std::string& path);

// `to` is as in Writer::create(). If a file breaks off, its complete blocks are copied. A Simple Packet Block has
// no room for comments: if it gets some, it becomes an Enhanced Packet Block with the time 0.
tl::expected<void, Problem> copy_pcapng(const std::string& from, const std::string& to, const CommentsOf& comments_of);

}  // namespace wirelaw::pcap

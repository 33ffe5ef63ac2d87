// SPDX-License-Identifier: Apache-2.0
// A pcapng file copied block by block, with comments added to some of its packets: all else in it, known here or not,
// stays as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "pcap/problem.h"

namespace wirelaw::pcap {

// The comments to be added to a frame, as Reader counts them; they must live until the next call.
using CommentsOf = std::function<std::span<const std::string>(std::uint64_t frame)>;

// Whether the file, which may be gzip'd, is a pcapng.
bool is_pcapng_file(const std::string& path);

// `to` is as Writer::create() takes it. A file that breaks off is copied as far as its blocks are whole. A Simple
// Packet Block has no place for comments: one that gets some becomes an Enhanced Packet Block, of the time 0.
tl::expected<void, Problem> copy_pcapng(const std::string& from, const std::string& to, const CommentsOf& comments_of);

}  // namespace wirelaw::pcap

// SPDX-License-Identifier: Apache-2.0
#include "pcap/pcapng_copy.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "pcap/comments.h"
#include "pcap/octet_source.h"
#include "pcap/output_file.h"
#include "pcap/pcapng_format.h"
#include "pcap/section_header.h"

namespace wirelaw::pcap {
namespace {

// Octets of the longest block that a program writes: room for the longest frame, and as many octets of options.
constexpr std::size_t kLongestBlock = std::size_t{256} << 20;
constexpr std::size_t kMagic = pcapng::kBlockHead;  // in a Section Header Block: position of the byte-order magic
constexpr std::size_t kSectionLength = pcapng::kBlockHead + 8;    // likewise: position of the section's length
constexpr std::size_t kPacketData = pcapng::kBlockHead + 20;      // in an Enhanced or an obsolete Packet Block
constexpr std::size_t kCapturedLength = pcapng::kBlockHead + 12;  // likewise
constexpr std::size_t kSimpleData = pcapng::kBlockHead + 4;       // in a Simple Packet Block
constexpr std::size_t kSnapLength = pcapng::kBlockHead + 4;       // in an Interface Description Block
constexpr std::size_t kOptionHead = 4;

bool is_packet(std::uint32_t type) {
  return type == pcapng::kEnhancedPacket || type == pcapng::kPacket || type == pcapng::kSimplePacket;
}

class Copy {
 public:
  Copy(OctetSource& source, OutputFile& to, const CommentsOf& comments_of)
      : source_(source), to_(to), comments_of_(comments_of) {}

  tl::expected<void, Problem> run() {
    while (read_block()) {
      change_block();
      if (auto written = to_.append(block_); !written) return written;
    }
    return to_.commit();
  }

 private:
  template <class Int>
  Int load(std::size_t at) const {
    return pcapng::load<Int>(block_.data() + at, swapped_);
  }
  template <class Int>
  void put(OctetBuffer& to, Int value) const {
    const Int stored = swapped_ ? reversed(value) : value;
    const auto* const octets = reinterpret_cast<const Octet*>(&stored);
    to.insert(to.end(), octets, octets + sizeof stored);
  }
  template <class Int>
  void store(std::size_t at, Int value) {
    const Int stored = swapped_ ? reversed(value) : value;
    std::memcpy(block_.data() + at, &stored, sizeof stored);
  }

  bool read_octets(std::size_t count) {
    const std::size_t had = block_.size();
    block_.resize(had + count);
    for (std::size_t done = had; done < block_.size();) {
      const std::size_t got = source_.read(std::span(block_).subspan(done));
      if (got == 0) return false;
      done += got;
    }
    return true;
  }

  // Returns false at the end, and if the next block is not complete.
  bool read_block() {
    block_.clear();
    if (!read_octets(pcapng::kLeastBlock)) return false;
    if (load_native<std::uint32_t>(block_.data()) == pcapng::kSectionHeader) {
      const auto magic = load_native<std::uint32_t>(block_.data() + kMagic);
      swapped_ = magic == reversed(pcapng::kByteOrderMagic);
      if (!swapped_ && magic != pcapng::kByteOrderMagic) return false;
      snap_length_.reset();
    }
    const std::size_t length = load<std::uint32_t>(sizeof(std::uint32_t));
    if (length < pcapng::kLeastBlock || length % 4 != 0 || length > kLongestBlock) return false;
    return read_octets(length - block_.size()) && load<std::uint32_t>(length - pcapng::kBlockEnd) == length;
  }

  void change_block() {
    const auto type = load<std::uint32_t>(0);
    if (type == pcapng::kSectionHeader && block_.size() >= kSectionLength + sizeof(std::uint64_t))
      store(kSectionLength, std::numeric_limits<std::uint64_t>::max());  // unknown, because packets may grow
    if (type == pcapng::kInterfaceDescription && !snap_length_ && block_.size() >= kSnapLength + pcapng::kBlockEnd)
      snap_length_ = load<std::uint32_t>(kSnapLength);
    if (!is_packet(type)) return;
    const auto comments = comments_of_(++frame_);
    if (comments.empty()) return;
    if (type == pcapng::kSimplePacket) make_enhanced();
    add_comments(comments);
  }

  // Section 4.4: the packet belongs to the first interface, whose snap length may have cut it.
  void make_enhanced() {
    if (block_.size() < kSimpleData + pcapng::kBlockEnd) return;
    const auto length = load<std::uint32_t>(pcapng::kBlockHead);
    const std::size_t there = block_.size() - kSimpleData - pcapng::kBlockEnd;
    const std::size_t snapped = snap_length_.value_or(0) == 0 ? there : *snap_length_;
    const auto captured = static_cast<std::uint32_t>(std::min({std::size_t{length}, snapped, there}));
    OctetBuffer made;
    for (const std::uint32_t value : {pcapng::kEnhancedPacket, 0u, 0u, 0u, 0u, captured, length}) put(made, value);
    made.insert(made.end(), block_.begin() + kSimpleData,
                block_.begin() + static_cast<std::ptrdiff_t>(kSimpleData + captured));
    made.resize(pcapng::padded(made.size()));
    put(made, std::uint32_t{0});  // length, set below
    block_ = std::move(made);
    set_length();
  }

  void set_length() {
    const auto length = static_cast<std::uint32_t>(block_.size());
    store(sizeof(std::uint32_t), length);
    store(block_.size() - pcapng::kBlockEnd, length);
  }

  // Inserts the comments before the end of the options, which may be missing.
  void add_comments(std::span<const std::string> comments) {
    const std::size_t end = block_.size() - pcapng::kBlockEnd;
    const std::size_t octets = block_.size() < kPacketData ? end : load<std::uint32_t>(kCapturedLength);
    std::size_t at = kPacketData + pcapng::padded(octets);
    if (octets > end || at > end) return;  // an invalid block stays as it is
    while (at + kOptionHead <= end && load<std::uint16_t>(at) != pcapng::kOptionEnd) {
      const std::size_t next = at + kOptionHead + pcapng::padded(load<std::uint16_t>(at + 2));
      if (next > end) return;
      at = next;
    }
    OctetBuffer options;
    for_each_comment(comments, [&](std::string_view comment) {
      put(options, pcapng::kOptionComment);
      put(options, static_cast<std::uint16_t>(comment.size()));
      options.insert(options.end(), comment.begin(), comment.end());
      options.resize(pcapng::padded(options.size()));
    });
    if (at + kOptionHead > end) put(options, std::uint32_t{0});  // adds the missing end of options
    block_.insert(block_.begin() + static_cast<std::ptrdiff_t>(at), options.begin(), options.end());
    set_length();
  }

  OctetSource& source_;
  OutputFile& to_;
  const CommentsOf& comments_of_;
  OctetBuffer block_;
  bool swapped_ = false;
  std::optional<std::uint32_t> snap_length_;  // from the section's first interface
  std::uint64_t frame_ = 0;
};

Descriptor open_for_reading(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

}  // namespace

bool is_pcapng_file(const std::string& path) {
  Descriptor descriptor = open_for_reading(path);
  if (!descriptor) return false;
  OctetSource source(std::move(descriptor));
  OctetBuffer head(pcapng::kLeastBlock);
  std::size_t had = 0;
  for (std::size_t got = 1; had < head.size() && got > 0; had += got) got = source.read(std::span(head).subspan(had));
  return had == head.size() && section_header_length(head) > 0;
}

tl::expected<void, Problem> copy_pcapng(const std::string& from, const std::string& to, const CommentsOf& comments_of) {
  Descriptor descriptor = open_for_reading(from);
  if (!descriptor)
    return tl::unexpected(Problem{from, 0, 0, fmt::format("cannot be read: {}", std::strerror(errno)), ""});
  OctetSource source(std::move(descriptor));
  auto file = OutputFile::create(to);
  if (!file) return tl::unexpected(std::move(file.error()));
  return Copy(source, *file, comments_of).run();
}

}  // namespace wirelaw::pcap

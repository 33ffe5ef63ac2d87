// SPDX-License-Identifier: Apache-2.0
#include "pcap/pcapng_copy.h"

#include <gmock/gmock.h>
#include <walked_part.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "pcap/pcapng_block.h"
#include "pcap/reader.h"
#include "pcap/temporary_directory.h"
#include "pcap/writer.h"

namespace wirelaw::pcap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Comments = std::map<std::uint64_t, std::vector<std::string>>;

OctetBuffer octets_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return OctetBuffer(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string text_of(const OctetBuffer& octets) {
  return {octets.begin(), octets.end()};
}

// Blocks of pcapng as third-party programs write them, in either byte order.
class File {
 public:
  explicit File(bool big_endian = false) : big_(big_endian) {}

  template <class Int>
  File& put(Int value) {
    const bool as_it_is = (std::endian::native == std::endian::big) == big_;
    const Int stored = as_it_is ? value : reversed(value);
    const auto* const at = reinterpret_cast<const Octet*>(&stored);
    body_.insert(body_.end(), at, at + sizeof stored);
    return *this;
  }
  File& text(std::string_view text) {
    body_.insert(body_.end(), text.begin(), text.end());
    body_.resize(pcapng::padded(body_.size()));
    return *this;
  }
  File& option(std::uint16_t code, std::string_view value) {
    return put(code).put(static_cast<std::uint16_t>(value.size())).text(value);
  }
  File& end(std::uint32_t type) {
    const OctetBuffer body = std::move(body_);
    body_ = {};
    put(type).put(static_cast<std::uint32_t>(body.size() + pcapng::kLeastBlock));
    body_.insert(body_.end(), body.begin(), body.end());
    put(static_cast<std::uint32_t>(body.size() + pcapng::kLeastBlock));
    all_.insert(all_.end(), body_.begin(), body_.end());
    body_.clear();
    return *this;
  }
  File& section(std::uint64_t length = ~std::uint64_t{0}) {
    put(pcapng::kByteOrderMagic).put(std::uint16_t{1}).put(std::uint16_t{0}).put(length);
    option(pcapng::kOptionComment, "of the user").option(pcapng::kSectionApplication, "Dumpcap 4.0");
    return put(std::uint32_t{0}).end(pcapng::kSectionHeader);
  }
  File& interface(std::string_view name, std::uint32_t snap_length = 0) {
    put(std::uint16_t{101}).put(std::uint16_t{0}).put(snap_length);
    return option(2, name).put(std::uint32_t{0}).end(pcapng::kInterfaceDescription);
  }
  File& packet(std::uint32_t interface, std::string_view octets, std::string_view comment = {}) {
    const auto length = static_cast<std::uint32_t>(octets.size());
    put(interface).put(std::uint64_t{0}).put(length).put(length).text(octets);
    if (!comment.empty()) option(pcapng::kOptionComment, comment).put(std::uint32_t{0});
    return end(pcapng::kEnhancedPacket);
  }
  File& simple(std::string_view octets, std::uint32_t length) {
    return put(length).text(octets).end(pcapng::kSimplePacket);
  }
  const OctetBuffer& octets() const { return all_; }

 private:
  bool big_;
  OctetBuffer body_, all_;
};

class PcapngCopy : public ::testing::TestWithParam<bool> {
 protected:
  OctetBuffer copied(const OctetBuffer& original, const Comments& comments) {
    const std::string from = directory_.write("from.pcapng", original), to = directory_.path("to.pcapng");
    const auto written = copy_pcapng(from, to, [&](std::uint64_t frame) -> std::span<const std::string> {
      const auto found = comments.find(frame);
      return found == comments.end() ? std::span<const std::string>() : std::span<const std::string>(found->second);
    });
    EXPECT_TRUE(written) << to_string(written.error());
    return octets_of(to);
  }

  testing::TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(ByteOrders, PcapngCopy, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "big" : "little"; });

TEST_P(PcapngCopy, WithoutCommentsIsTheFileItself) {
  const OctetBuffer original = File(GetParam())
                                   .section()
                                   .interface("eth0")
                                   .interface("lo")
                                   .packet(1, "E000", "mine")
                                   .put(std::uint32_t{32473})
                                   .text("unknown here")
                                   .end(0x00000bad)
                                   .simple("E001", 4)
                                   .octets();
  EXPECT_EQ(copied(original, {}), original);
}

TEST_P(PcapngCopy, CommentsComeBehindThoseOfTheUser) {
  const auto file = [](std::string_view first) {
    File one(GetParam());
    one.section().interface("eth0").interface("lo").put(std::uint32_t{1}).put(std::uint64_t{0});
    one.put(std::uint32_t{5}).put(std::uint32_t{5}).text("E0001");
    one.option(pcapng::kOptionComment, "mine");
    if (!first.empty()) one.option(pcapng::kOptionComment, first);
    one.put(std::uint32_t{0}).end(pcapng::kEnhancedPacket);
    return one;
  };
  EXPECT_EQ(copied(file("").packet(0, "E002").octets(), {{1, {"found"}}, {2, {"late"}}}),
            file("found").packet(0, "E002", "late").octets());
}

TEST_P(PcapngCopy, ASimplePacketGetsAPlaceForThem) {
  File made(GetParam());
  made.section().interface("eth0", 6).put(std::uint32_t{0}).put(std::uint64_t{0});
  made.put(std::uint32_t{6}).put(std::uint32_t{9}).text("E00012");
  made.option(pcapng::kOptionComment, "found").put(std::uint32_t{0}).end(pcapng::kEnhancedPacket);
  EXPECT_EQ(copied(File(GetParam()).section().interface("eth0", 6).simple("E00012", 9).octets(), {{1, {"found"}}}),
            made.octets());
}

TEST_P(PcapngCopy, AnotherSectionMayHaveAnotherByteOrder) {
  const OctetBuffer first = File(GetParam()).section(1000).interface("eth0").packet(0, "E000").octets();
  const OctetBuffer second = File(!GetParam()).section().interface("eth0").packet(0, "E001").octets();
  OctetBuffer both = first;
  both.insert(both.end(), second.begin(), second.end());
  OctetBuffer expected = File(GetParam()).section().interface("eth0").packet(0, "E000").octets();
  const OctetBuffer commented = File(!GetParam()).section().interface("eth0").packet(0, "E001", "found").octets();
  expected.insert(expected.end(), commented.begin(), commented.end());
  EXPECT_EQ(copied(both, {{2, {"found"}}}), expected) << "the length of the first section is not known any more";
}

TEST_P(PcapngCopy, WhatBreaksOffIsCopiedAsFarAsItsBlocksAreWhole) {
  const OctetBuffer whole = File(GetParam()).section().interface("eth0").packet(0, "E000").octets();
  const OctetBuffer more = File(GetParam()).section().interface("eth0").packet(0, "E000").packet(0, "E001").octets();
  for (std::size_t size = whole.size(); size < more.size(); ++size) {
    const OctetBuffer cut(more.begin(), more.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(copied(cut, {}), whole) << size;
  }
}

// No content of a length or an option makes the copy touch anything outside the block.
TEST_P(PcapngCopy, AnyOctetMayBeAnother) {
  const OctetBuffer original =
      File(GetParam()).section().interface("eth0").packet(0, "E000", "mine").simple("E001", 4).octets();
  for (std::size_t at = 0; at < original.size(); at += kWalkedStep)
    for (const int value : {0x00, 0x7f, 0xff}) {
      OctetBuffer changed = original;
      changed[at] = static_cast<Octet>(value);
      EXPECT_LE(copied(changed, {{1, {"found"}}, {2, {"found"}}}).size(), original.size() + 100);
    }
}

TEST(PcapngFile, IsKnownByItsBeginning) {
  const testing::TemporaryDirectory directory;
  EXPECT_TRUE(is_pcapng_file(directory.write("a", File(true).section().octets())));
  EXPECT_FALSE(is_pcapng_file(directory.write("b", {0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0})));
  EXPECT_FALSE(is_pcapng_file(directory.write("c", {})));
  EXPECT_FALSE(is_pcapng_file(directory.path("none")));
}

// --- facts about a capture that are known only at its end

constexpr Octet kFrame[] = {0x45, 0, 0, 0};

std::string closed(const testing::TemporaryDirectory& directory, std::vector<std::string> comments) {
  const std::string path = directory.path("closed.pcapng");
  const std::string first[] = {"first"};
  auto writer = Writer::create(path, first).value();
  EXPECT_TRUE(writer.write_frame({.link_type = 101, .octets = kFrame, .wire_length = 4}));
  writer.say_complete();
  writer.close_with(std::move(comments));
  EXPECT_TRUE(writer.commit());
  return path;
}

struct Closing {
  std::vector<std::string> comments;
  bool complete = false;
};

Closing closing_of(const std::string& path) {
  auto reader = Reader::open(path);
  EXPECT_TRUE(reader);
  EXPECT_THAT(reader->closing_comments(), IsEmpty()) << "before the end nothing is known of it";
  for (Frame frame; reader->next(frame);) {
  }
  EXPECT_FALSE(reader->problem());
  EXPECT_EQ(reader->frames(), 1u);
  EXPECT_EQ(reader->section_comment(), "first");
  const auto statistics = reader->statistics();
  return {reader->closing_comments(), statistics && statistics->is_complete(reader->frames())};
}

TEST(ClosingSection, GivesItsCommentsBackAndLeavesTheStatistics) {
  const testing::TemporaryDirectory directory;
  const std::string large(60'000, 'x');
  const auto closing = closing_of(closed(directory, {"one", large, large, "two"}));
  EXPECT_THAT(closing.comments, ElementsAre("one", large, large, "two"));
  EXPECT_TRUE(closing.complete);
  const auto none = closing_of(closed(directory, {}));
  EXPECT_THAT(none.comments, IsEmpty());
  EXPECT_TRUE(none.complete);
}

TEST(ClosingSection, IsKeptWhereTheFileIsCopied) {
  const testing::TemporaryDirectory directory;
  const std::string from = closed(directory, {"one"}), to = directory.path("copy.pcapng");
  const std::vector<std::string> found{"found"};
  ASSERT_TRUE(copy_pcapng(from, to, [&](std::uint64_t) { return std::span<const std::string>(found); }));
  const auto closing = closing_of(to);
  EXPECT_THAT(closing.comments, ElementsAre("one"));
  EXPECT_TRUE(closing.complete);
  EXPECT_THAT(text_of(octets_of(to)), HasSubstr("found"));
}

}  // namespace
}  // namespace wirelaw::pcap

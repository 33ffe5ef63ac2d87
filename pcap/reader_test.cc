// SPDX-License-Identifier: Apache-2.0
#include "pcap/reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OctetBuffer kFrame = ethernet("0800", ipv4({}, udp(hex("c0ffee"))));

// Replaces standard input during its lifetime.
class StandardInput {
 public:
  explicit StandardInput(int descriptor) : saved_(dup(STDIN_FILENO)) {
    dup2(descriptor, STDIN_FILENO);
    close(descriptor);
  }
  ~StandardInput() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int saved_;
};

// A pipe that holds `octets` (few enough for its buffer) and then ends.
int pipe_with(const OctetBuffer& octets) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  EXPECT_EQ(write(ends[1], octets.data(), octets.size()), static_cast<ssize_t>(octets.size()));
  close(ends[1]);
  return ends[0];
}

std::string refusal(const OctetBuffer& file) {
  return read_octets(file).refusal;
}

TEST(Reader, ReadsPcapInEitherByteOrderAndResolution) {
  for (const bool big_endian : {false, true})
    for (const bool nanoseconds : {false, true}) {
      const Pcap format{.big_endian = big_endian, .nanoseconds = nanoseconds};
      const Reading reading = read_octets(pcap_file(format, std::vector<Record>{{.octets = kFrame}}));
      ASSERT_EQ(reading.datagrams.size(), 1U);
      EXPECT_EQ(reading.datagrams[0].payload, hex("c0ffee"));
      EXPECT_EQ(reading.datagrams[0].datagram.time_ns,
                nanoseconds ? 1'600'000'000'000'123'456 : 1'600'000'000'123'456'000);
    }
}

TEST(Reader, ReadsPcapngInEitherByteOrder) {
  for (const bool big_endian : {false, true}) {
    const Reading reading = read_octets(pcapng_file({.big_endian = big_endian}, {{.octets = kFrame}}, "hello"));
    ASSERT_EQ(reading.datagrams.size(), 1U);
    EXPECT_EQ(reading.datagrams[0].datagram.time_ns, 1'600'000'000'000'123'456);
  }
}

TEST(Reader, ReadsGzippedFiles) {
  const TemporaryDirectory directory;
  for (const OctetBuffer& file :
       {pcap_file({}, {kFrame, kFrame}), pcapng_file({}, {{.octets = kFrame}, {.octets = kFrame}})}) {
    EXPECT_EQ(read_path(directory.write("t.pcap.gz", gzip(file))).datagrams.size(), 2U);
    const auto half = file.begin() + static_cast<std::ptrdiff_t>(file.size() / 2);
    const OctetBuffer members = gzip({file.begin(), half}) + gzip({half, file.end()});
    EXPECT_EQ(read_path(directory.write("two.gz", members)).datagrams.size(), 2U) << "members in a row are one file";
    EXPECT_EQ(read_path(directory.write("pad.gz", gzip(file) + hex("0000"))).datagrams.size(), 2U);
  }
}

TEST(Reader, ReadsAPipeOnStandardInput) {
  const OctetBuffer files[] = {pcap_file({}, {kFrame, kFrame}),
                               pcapng_file({}, {{.octets = kFrame}, {.octets = kFrame}}, std::string(300, 'x'))};
  for (const OctetBuffer& file : files)
    for (const OctetBuffer& octets : {file, gzip(file)}) {
      const StandardInput input(pipe_with(octets));
      const Reading reading = read_path("-");
      EXPECT_EQ(reading.refusal, "");
      EXPECT_EQ(reading.datagrams.size(), 2U);
      EXPECT_THAT(reading.problems, ElementsAre());
    }
}

TEST(Reader, ReadsAFileOnStandardInputFromWhereItStands) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("t", hex("ffffff") + pcapng_file({}, {{.octets = kFrame}}, "comment"));
  const int descriptor = open(path.c_str(), O_RDONLY);
  lseek(descriptor, 3, SEEK_SET);
  const StandardInput input(descriptor);
  auto reader = Reader::open("-");
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->section_comment(), "comment");
  Frame frame;
  EXPECT_TRUE(reader->next(frame));
  EXPECT_FALSE(reader->next(frame));
}

TEST(Reader, EmptyPipeIsAnEmptyFile) {
  const StandardInput input(pipe_with({}));
  EXPECT_EQ(read_path("-").refusal, "the file is empty; capture again");
}

TEST(Reader, ReadsANamedPipeLikeAnyFile) {
  const StandardInput input(pipe_with(pcap_file({}, {kFrame})));
  EXPECT_EQ(read_path("/dev/stdin").datagrams.size(), 1U);
}

TEST(Reader, GivesTheSectionComment) {
  const TemporaryDirectory directory;
  const OctetBuffer file = pcapng_file({}, {}, "iut=192.0.2.1:5000");
  for (const OctetBuffer& octets : {file, gzip(file)}) {
    const auto reader = Reader::open(directory.write("t", octets));
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->section_comment(), "iut=192.0.2.1:5000");
  }
  EXPECT_EQ(Reader::open(directory.write("t", pcap_file({}, {kFrame})))->section_comment(), std::nullopt);
}

TEST(Reader, CanBeMovedWhileItReads) {
  const TemporaryDirectory directory;
  auto first = Reader::open(directory.write("a.gz", gzip(pcap_file({}, {kFrame, hex("01")}))));
  auto second = Reader::open(directory.write("b.gz", gzip(pcap_file({}, {hex("02")}))));
  ASSERT_TRUE(first && second);
  Frame frame;
  ASSERT_TRUE(first->next(frame));
  *second = std::move(*first);
  ASSERT_TRUE(second->next(frame));
  EXPECT_EQ(frame.number, 2U);
  EXPECT_EQ(frame.octets[0], 0x01);
  EXPECT_EQ(second->frames(), 2U);
}

TEST(Reader, WireLengthIsNeverLessThanWhatWasCaptured) {
  const TemporaryDirectory directory;
  auto reader =
      Reader::open(directory.write("t", pcap_file({}, std::vector<Record>{{.octets = kFrame, .wire_length = 5}})));
  Frame frame;
  ASSERT_TRUE(reader->next(frame));
  EXPECT_EQ(frame.wire_length, kFrame.size());
}

TEST(Reader, TimesThatSixtyFourBitsDoNotHoldAreClamped) {
  const TemporaryDirectory directory;
  OctetBuffer file = pcapng_file({}, {{.octets = kFrame}});
  const std::size_t resolution = 28 + 16 + 4;
  ASSERT_EQ(file[resolution], 0x09);
  file[resolution] = 0;  // 10^0: whole seconds
  auto reader = Reader::open(directory.write("t", file));
  Frame frame;
  ASSERT_TRUE(reader && reader->next(frame));
  EXPECT_EQ(frame.time_ns, INT64_MAX);
}

TEST(Reader, SaysWhatIsWrongWithAFileAndWhatToDo) {
  EXPECT_EQ(refusal({}), "the file is empty; capture again");
  EXPECT_THAT(refusal(text("frame,time\n1,2\n")), HasSubstr("this is text, not a capture; give a pcap or pcapng file"));
  EXPECT_THAT(refusal(hex("7f454c46 02010100")), HasSubstr("this is not a pcap or pcapng capture; give"));
  EXPECT_THAT(refusal(hex("28b52ffd 00")), HasSubstr("zstd -d"));
  EXPECT_THAT(refusal(text("snoop") + hex("000000 00000002")), HasSubstr("editcap -F pcapng"));
  EXPECT_THAT(refusal(hex("a1b2c3d4 0002")), HasSubstr("truncated dump file"));
  EXPECT_THAT(refusal(gzip({})), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal(gzip(text("hello"))), HasSubstr("this is text"));
  EXPECT_THAT(refusal(hex("1f8b 00 00 00000000")), HasSubstr("the gzip stream is damaged"));
  EXPECT_THAT(refusal(hex("1f8b")), HasSubstr("the gzip stream ends before its end mark; copy or capture it again"));
}

TEST(Reader, SaysWhatIsWrongWithAPath) {
  const TemporaryDirectory directory;
  EXPECT_EQ(read_path(directory.path("none.pcap")).refusal, "there is no such file; check the name");
  EXPECT_EQ(read_path(directory.path("")).refusal, "this is a directory; name the capture files in it");
  const std::string file = directory.write("t", pcap_file({}, {kFrame}));
  EXPECT_EQ(read_path(file + "/t").refusal, "there is no such file; check the name");
  EXPECT_EQ(to_string(Reader::open("none.pcap").error()), "none.pcap: there is no such file; check the name");
  EXPECT_THAT(read_path(directory.path(std::string(300, 'x'))).refusal, HasSubstr("File name too long"));
}

TEST(Reader, SaysThatAFileMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const TemporaryDirectory directory;
  const std::string file = directory.write("t", pcap_file({}, {kFrame}));
  ASSERT_EQ(chmod(file.c_str(), 0), 0);
  EXPECT_EQ(read_path(file).refusal, "the file is not readable; check its permissions");
}

TEST(Reader, PcapngOfSeveralLinkTypesThatIsLeftToLibpcapEndsInAHint) {
  const OctetBuffer ethernet_only = pcapng_file({}, {{.octets = kFrame}});
  const OctetBuffer cooked_interface = hex("01000000 14000000 7100 0000 00000400 14000000");
  EXPECT_EQ(read_octets(ethernet_only + cooked_interface).problem_count, 0U);
  const OctetBuffer simple_packet = hex("03000000 10000000 00000000 10000000");
  const Reading late = read_octets(ethernet_only + cooked_interface + simple_packet);
  EXPECT_EQ(late.datagrams.size(), 1U) << "what is before it is read";
  ASSERT_EQ(late.problems.size(), 1U);
  EXPECT_THAT(late.problems[0], HasSubstr("nothing can be read after frame 1: an interface has a type 113 different"));
  EXPECT_THAT(late.problems[0], HasSubstr("tshark -r FILE"));
}

}  // namespace
}  // namespace wirelaw::pcap::testing

// SPDX-License-Identifier: Apache-2.0
// Packets of pcapng read without libpcap equal those read by libpcap, for complete and for damaged files.
#include "pcap/pcapng_records.h"

#include <gtest/gtest.h>

#include "pcap/same_as_libpcap.h"

namespace wirelaw::pcap::testing {
namespace {

constexpr std::size_t kEthernet = 1, kCooked = 113;

// A file under construction: draft-ietf-opsawg-pcapng, section 4.
class Pcapng {
 public:
  explicit Pcapng(bool big_endian) : big_endian_(big_endian) { section(); }

  OctetBuffer number(std::size_t value, std::size_t size = 4) const {
    OctetBuffer octets(size);
    for (std::size_t i = 0; i < size; ++i)
      octets[big_endian_ ? size - 1 - i : i] = static_cast<Octet>(value >> (8 * i));
    return octets;
  }
  OctetBuffer option(std::size_t code, const OctetBuffer& value) const {
    return number(code, 2) + number(value.size(), 2) + padded(value);
  }
  Pcapng& block(std::size_t type, const OctetBuffer& body) {
    const OctetBuffer length = number(body.size() + 12);
    octets_ = std::move(octets_) + number(type) + length + body + length;
    return *this;
  }
  Pcapng& section(std::size_t major = 1) {
    return block(0x0a0d0d0a, number(0x1a2b3c4d) + number(major, 2) + number(0, 2) + number(~std::size_t{0}, 8));
  }
  Pcapng& interface(const OctetBuffer& options = {}, std::size_t link = kEthernet, std::size_t snap_length = 1000) {
    return block(1, number(link, 2) + number(0, 2) + number(snap_length) + options);
  }
  // Sets if_tsresol, and if_tsoffset if `offset` is not 0.
  Pcapng& clock(Octet resolution, std::int64_t offset = 0) {
    OctetBuffer options = option(9, {resolution});
    if (offset != 0) options = options + option(14, number(static_cast<std::size_t>(offset), 8));
    return interface(options + option(0, {}));
  }
  Pcapng& packet(std::size_t interface, std::uint64_t stamp, const OctetBuffer& octets, std::size_t wire_length = 0,
                 const OctetBuffer& options = {}) {
    return block(6, number(interface) + number(stamp >> 32) + number(stamp & 0xffffffff) + number(octets.size()) +
                        number(wire_length == 0 ? octets.size() : wire_length) + padded(octets) + options);
  }
  Pcapng& obsolete_packet(std::size_t interface, std::uint64_t stamp, const OctetBuffer& octets) {
    return block(2, number(interface, 2) + number(0, 2) + number(stamp >> 32) + number(stamp & 0xffffffff) +
                        number(octets.size()) + number(octets.size()) + padded(octets));
  }
  Pcapng& simple_packet(const OctetBuffer& octets) { return block(3, number(octets.size()) + padded(octets)); }
  Pcapng& statistics() { return block(5, number(0) + number(0) + number(0) + option(7, number(0, 8))); }

  Pcapng& append(const OctetBuffer& octets) {
    octets_ = std::move(octets_) + octets;
    return *this;
  }

  const OctetBuffer& octets() const { return octets_; }

 private:
  static OctetBuffer padded(OctetBuffer octets) {
    octets.resize(pcapng::padded(octets.size()));
    return octets;
  }

  bool big_endian_;
  OctetBuffer octets_;
};

const OctetBuffer kSome = hex("00112233445566");

Pcapng plain(bool big_endian) {
  Pcapng file(big_endian);
  const OctetBuffer comment = file.option(1, hex("6869")) + file.option(0, {});
  return file.interface()
      .packet(0, 7'000'001, kSome)
      .packet(0, 7'000'002, {})
      .statistics()
      .packet(0, 5, kSome, 99, comment);
}

// Has blocks before the first interface, and blocks of kinds that are skipped.
Pcapng with_others(bool big_endian) {
  Pcapng file(big_endian);
  return file.block(4, file.number(0))
      .clock(9)
      .block(0x0bad, hex("01020304 05060708"))
      .packet(0, 1'600'000'000'000'000'001, kSome)
      .block(0x0bad, {})
      .packet(0, 1'600'000'000'000'000'002, kSome)
      .statistics();
}

Pcapng several_interfaces(bool big_endian) {
  constexpr Octet kBinary = 0x80;
  Pcapng file(big_endian);
  file.interface().clock(3, 1'600'000'000).clock(kBinary | 10).clock(12, -5).clock(kBinary | 40);
  for (std::size_t i = 0; i < 5; ++i) file.packet(i, 0x0000'0012'3456'789a, kSome);
  return file;
}

Pcapng several_sections(bool big_endian) {
  Pcapng file(big_endian);
  return file.clock(9)
      .packet(0, 1, kSome)
      .section()
      .clock(6)
      .clock(3)
      .packet(1, 2, kSome)
      .section()
      .packet(0, 3, kSome);
}

// Has packets that only libpcap reads; it must know the sections and interfaces that were read before.
Pcapng with_other_packets(bool big_endian) {
  Pcapng file(big_endian);
  return file.clock(9)
      .packet(0, 10, kSome)
      .section()
      .clock(6)
      .clock(3)
      .packet(1, 20, kSome)
      .obsolete_packet(1, 30, kSome)
      .simple_packet(kSome)
      .packet(1, 40, kSome);
}

Pcapng with_another_link(bool big_endian) {
  Pcapng file(big_endian);
  return file.interface().packet(0, 1, kSome).interface({}, kCooked).packet(0, 2, kSome);
}

Pcapng with_another_byte_order(bool big_endian) {
  Pcapng file(big_endian);
  return file.interface().packet(0, 1, kSome).append(Pcapng(!big_endian).interface().packet(0, 2, kSome).octets());
}

constexpr Pcapng (*kFiles[])(bool big_endian) = {plain,
                                                 with_others,
                                                 several_interfaces,
                                                 several_sections,
                                                 with_other_packets,
                                                 with_another_link,
                                                 with_another_byte_order};

class PcapngRecordsOf : public ::testing::TestWithParam<std::tuple<Pcapng (*)(bool), bool>> {
 protected:
  OctetBuffer file() const { return std::get<0>(GetParam())(std::get<1>(GetParam())).octets(); }
};

TEST_P(PcapngRecordsOf, AreThoseOfLibpcapWhereverTheFileEnds) {
  expect_same_wherever_it_ends(file());
}

TEST_P(PcapngRecordsOf, AreThoseOfLibpcapWhateverOneOctetIs) {
  expect_same_whatever_one_octet_is(file(), hex("00 04 ff"));
}

INSTANTIATE_TEST_SUITE_P(Each, PcapngRecordsOf, ::testing::Combine(::testing::ValuesIn(kFiles), ::testing::Bool()));

// The comparison with libpcap shows nothing if libpcap reads everything in both cases.
TEST(PcapngRecords, AreReadWithoutLibpcapAsFarAsTheyAreOfACommonKind) {
  for (const bool big_endian : {false, true}) {
    const OctetBuffer file = several_interfaces(big_endian).octets();
    const std::size_t head = pcapng_head_length(file);
    ASSERT_EQ(head, Pcapng(big_endian).interface().octets().size());
    EXPECT_TRUE(PcapngRecords::after(Octets(file).first(head), 1000));
    for (std::size_t size = 0; size < head; ++size) {
      EXPECT_GT(pcapng_head_length(Octets(file).first(size)), size) << "more is wanted";
      EXPECT_FALSE(PcapngRecords::after(Octets(file).first(size), 1000)) << size;
    }
  }
  EXPECT_EQ(pcapng_head_length(pcap_file({}, std::vector<Record>(1))), 0U);
  EXPECT_EQ(pcapng_head_length(Pcapng(false).simple_packet(kSome).octets()), 0U);
}

TEST(PcapngRecords, OfEveryResolutionHaveTheTimesOfLibpcap) {
  for (unsigned resolution = 0; resolution < 256; resolution += kWalkedStep)
    for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{1'600'000'000}, std::int64_t{-7}, INT64_MAX,
                                      INT64_MIN, std::int64_t{9'000'000'000}}) {
      Pcapng file(resolution % 3 == 0);
      file.clock(static_cast<Octet>(resolution), offset);
      for (const std::uint64_t stamp :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1'600'000'000'123'456'789}, std::uint64_t{1} << 52,
            std::uint64_t{1} << 62, (std::uint64_t{1} << 63) - 1, std::uint64_t{1} << 63, ~std::uint64_t{0}})
        file.packet(0, stamp, {});
      expect_same(file.octets(), std::to_string(resolution) + ", " + std::to_string(offset));
    }
}

TEST(PcapngRecords, LongerThanTheBufferAreReadAsWell) {
  OctetBuffer long_one(200'000);
  for (std::size_t i = 0; i < long_one.size(); ++i) long_one[i] = static_cast<Octet>(i * 7);
  Pcapng file(false);
  file.interface({}, kEthernet, 262144);
  for (std::size_t i = 0; i < 7; ++i)
    for (const std::size_t size : {std::size_t{60}, long_one.size() - i, 3 * i})
      file.packet(0, i, {long_one.begin(), long_one.begin() + static_cast<std::ptrdiff_t>(size)});
  const TemporaryDirectory directory;
  EXPECT_EQ(by_reader(directory.write("t", file.octets()), false).frames.size(), 21U);
  expect_same(file.octets(), "whole");
  file.block(0x0bad, OctetBuffer(std::size_t{3} << 20)).packet(0, 9, kSome);
  expect_same(file.octets(), "with a block that is left to libpcap");
}

TEST(PcapngRecords, MoreThanAreReadAtOnceComeInTheirOrder) {
  Pcapng file(false);
  file.interface().interface();
  for (std::size_t i = 0; i < 3000; ++i) file.packet(i % 2, i * 100, OctetBuffer(i % 150, static_cast<Octet>(i)));
  expect_same(file.octets(), "whole");
  const TemporaryDirectory directory;
  const std::string path = directory.write("t", file.octets()), gzipped = directory.write("t.gz", gzip(file.octets()));
  EXPECT_EQ(by_reader(gzipped, true).frames, by_libpcap(path, file.octets()).frames);
}

TEST(PcapngRecords, OfVeryManyInterfacesAreLeftToLibpcap) {
  Pcapng file(false);
  for (std::size_t i = 0; i < 4000; ++i) file.interface();
  file.packet(3999, 1, kSome).packet(4000, 1, kSome);
  expect_same(file.octets(), "4000 interfaces");
}

// Each frame gets the values of its own interface.
TEST(PcapngRecords, InterfacesMayDiffer) {
  for (const bool first_is_big : {false, true}) {
    const OctetBuffer datagram = udp(hex("c0ffee"));
    const OctetBuffer raw = ipv4({}, datagram), frame = ethernet("0800", raw);
    Pcapng first(first_is_big), second(!first_is_big);
    first.interface({}, kEthernet, 96).interface({}, 147, 262144).interface({}, 101, 65535).interface();
    first.packet(0, 1, frame).packet(1, 2, kSome).packet(2, 3, raw).packet(3, 4, frame);
    second.interface({}, 113, 0).packet(0, 5, hex("0000 0001 0006 020000000001 0000 0800") + raw);
    const Reading reading = read_octets(first.octets() + second.octets());
    EXPECT_EQ(reading.counts.frames, 5U);
    ASSERT_EQ(reading.datagrams.size(), 4U);
    for (const Received& one : reading.datagrams) EXPECT_EQ(one.payload, hex("c0ffee"));
    EXPECT_EQ(reading.datagrams.back().datagram.frame, 5U);
    EXPECT_EQ(reading.problem_count, 0U);
    EXPECT_EQ(reading.counts.unread.text(), "1 frame of link type 147");
  }
}

TEST(PcapngRecords, KeepTheFiltersOfAllInterfacesAndSections) {
  for (const bool first_is_big : {false, true}) {
    Pcapng first(first_is_big), second(!first_is_big);
    first.interface().packet(0, 1, kSome);
    first.interface(first.option(11, hex("00") + text("dst port 1")) + first.option(0, {})).packet(1, 2, kSome);
    second.interface(second.option(11, hex("00") + text("src port 2")) + second.option(0, {})).packet(0, 3, kSome);
    const TemporaryDirectory directory;
    auto reader = Reader::open(directory.write("t", first.octets() + second.octets()));
    ASSERT_TRUE(reader);
    Frame frame;
    while (reader->next(frame)) {
    }
    EXPECT_EQ(frame.number, 3U);
    EXPECT_EQ(reader->filters(), (std::vector<std::string>{"dst port 1", "src port 2"}));
  }
}

TEST(PcapngRecords, LeaveTheStatisticsOfTheFileToBeFound) {
  const TemporaryDirectory directory;
  const OctetBuffer file = with_others(false).octets();
  for (const OctetBuffer& octets : {file, gzip(file)}) {
    auto reader = Reader::open(directory.write("t", octets));
    ASSERT_TRUE(reader);
    Frame frame;
    while (reader->next(frame)) {
    }
    ASSERT_TRUE(reader->statistics());
    EXPECT_EQ(reader->statistics()->dropped, 0U);
  }
}

}  // namespace
}  // namespace wirelaw::pcap::testing

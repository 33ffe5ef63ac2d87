// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/deframer.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/mpa/framer.h"
#include "reference/octets/hex.h"

namespace wirelaw::mpa {
namespace {

// The fields of an FPDU that the tests compare, with a copy of its octets.
struct Kept {
  OctetBuffer octets;
  std::uint64_t position = 0;
  std::uint64_t end = 0;
  std::vector<std::array<std::uint64_t, 4>> markers;
  std::uint32_t crc = 0;
  std::uint32_t computed = 0;
  friend bool operator==(const Kept&, const Kept&) = default;
};

Kept keep(const Fpdu& fpdu) {
  Kept kept{.octets = {fpdu.octets.begin(), fpdu.octets.end()},
            .position = fpdu.position,
            .end = fpdu.end,
            .markers = {},
            .crc = fpdu.crc,
            .computed = fpdu.computed};
  for (const Marker& marker : fpdu.markers)
    kept.markers.push_back({marker.position, marker.reserved, marker.pointer, marker.expected});
  return kept;
}

void drain(Deframer& deframer, std::vector<Kept>& out) {
  while (const auto fpdu = deframer.next()) out.push_back(keep(*fpdu));
}

// Feeds `stream` in parts whose lengths `cut` returns. Each part has its own buffer, so that the sanitizers detect
// reads beyond it.
template <class Cut>
std::vector<Kept> deframed(Deframer& deframer, Octets stream, Cut cut) {
  std::vector<Kept> out;
  while (!stream.empty()) {
    const std::size_t length = std::clamp<std::size_t>(cut(), 1, stream.size());
    const OctetBuffer part(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(length));
    deframer.feed(part);
    drain(deframer, out);
    stream = stream.subspan(length);
  }
  return out;
}

std::vector<Kept> deframed_at_once(Deframer& deframer, Octets stream) {
  return deframed(deframer, stream, [&] { return stream.size(); });
}

struct Mode {
  bool markers;
  bool crc;
};
constexpr Mode kModes[] = {{false, false}, {false, true}, {true, false}, {true, true}};

OctetBuffer random_octets(std::mt19937& random, std::size_t count) {
  OctetBuffer octets(count);
  for (Octet& octet : octets) octet = static_cast<Octet>(random());
  return octets;
}

// Returns an interesting length: zero, around the pad, around the markers, or the maximum.
std::size_t any_length(std::mt19937& random) {
  static constexpr std::size_t kLengths[] = {0, 1, 2, 3, 14, 18, 46, 499, 500, 501, 502, 503, 504, 1008, 1454, 8954};
  return random() % 40 == 0 ? kMaxUlpdu - random() % 5 : kLengths[random() % std::size(kLengths)];
}

TEST(Deframer, ReadsTheExamplesOfTheSpecification) {
  const OctetBuffer stream = *from_hex(
      "00000000"
      "002a"
      "4143"
      "00000000"
      "00000000"
      "00000001"
      "00000000" +
      std::string(48, '0') + "52239983");
  Deframer deframer(true, true);
  deframer.feed(stream);
  const auto fpdu = deframer.next();
  ASSERT_TRUE(fpdu);
  EXPECT_TRUE(fpdu->crc_holds());
  EXPECT_EQ(fpdu->crc, 0x83992352u);
  EXPECT_EQ(fpdu->ulpdu_length(), 42u);
  EXPECT_EQ(to_hex(fpdu->ulpdu().first(6)), "414300000000");
  EXPECT_EQ(fpdu->pad().size(), 0u);
  EXPECT_EQ(fpdu->position, 4u);
  EXPECT_EQ(fpdu->end, 0x34u);
  ASSERT_EQ(fpdu->markers.size(), 1u);
  EXPECT_EQ(fpdu->markers[0].pointer, 0);
  EXPECT_EQ(fpdu->octets.data(), stream.data() + 4) << "it is given where it lies";
  EXPECT_FALSE(deframer.next());
  EXPECT_EQ(deframer.memory(), fpdu->markers.size() * sizeof(Marker));
}

TEST(Deframer, ReadsAMarkerInsideAnFpdu) {
  OctetBuffer stream;
  Framer framer(true, true);
  framer.frame(OctetBuffer(0x1ec - 10), stream);
  const OctetBuffer second = *from_hex(
      "002a"
      "4143"
      "00000000"
      "00000000"
      "00000002"
      "00000000"
      "00000014" +
      std::string(48, '0') + "84925898");
  stream.insert(stream.end(), second.begin(), second.end());
  Deframer deframer(true, true);
  const auto out = deframed_at_once(deframer, stream);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[1].crc, 0x98589284u);
  EXPECT_EQ(out[1].computed, 0x98589284u);
  EXPECT_EQ(out[1].octets.size(), fpdu_octets(42)) << "without the marker";
  EXPECT_EQ(out[1].markers, (decltype(Kept::markers){{0x200, 0, 0x14, 0x14}}));
}

TEST(Deframer, GivesFpdusWhereTheyLieAndTakesNoMemoryForThem) {
  OctetBuffer stream;
  Framer framer(false, true);
  for (std::size_t i = 0; i < 10; ++i) framer.frame(OctetBuffer(i * 100), stream);
  Deframer deframer(false, true);
  deframer.feed(stream);
  std::size_t at = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const auto fpdu = deframer.next();
    ASSERT_TRUE(fpdu);
    EXPECT_EQ(fpdu->octets.data(), stream.data() + at);
    EXPECT_TRUE(fpdu->crc_holds());
    at += fpdu->octets.size();
  }
  EXPECT_EQ(at, stream.size());
  EXPECT_EQ(deframer.memory(), 0u);
}

TEST(Deframer, ReadsWhatTheFramerWroteHoweverTheStreamIsCut) {
  std::mt19937 random(1);
  for (const Mode mode : kModes) {
    for (int round = 0; round < 20; ++round) {
      Framer framer(mode.markers, mode.crc);
      OctetBuffer stream;
      std::vector<OctetBuffer> ulpdus;
      for (int i = 0; i < 30; ++i) {
        ulpdus.push_back(random_octets(random, any_length(random)));
        framer.frame(ulpdus.back(), stream);
      }
      Deframer whole(mode.markers, mode.crc);
      const auto expected = deframed_at_once(whole, stream);
      ASSERT_EQ(expected.size(), ulpdus.size());
      for (std::size_t i = 0; i < ulpdus.size(); ++i) {
        const Fpdu fpdu{.octets = expected[i].octets};
        EXPECT_TRUE(std::ranges::equal(fpdu.ulpdu(), ulpdus[i]));
        EXPECT_TRUE(!mode.crc || expected[i].crc == expected[i].computed);
        for (const auto& marker : expected[i].markers) EXPECT_EQ(marker[2], marker[3]);
      }
      EXPECT_EQ(expected.back().end, stream.size());

      Deframer in_parts(mode.markers, mode.crc);
      const std::size_t most = std::size_t{1} << random() % 14;
      EXPECT_EQ(deframed(in_parts, stream, [&] { return random() % most + 1; }), expected);
      EXPECT_EQ(in_parts.pending(), 0u);
      EXPECT_EQ(in_parts.position(), stream.size());
    }
  }
}

TEST(Deframer, ReadsAStreamThatComesOctetByOctet) {
  for (const Mode mode : kModes) {
    Framer framer(mode.markers, mode.crc);
    OctetBuffer stream;
    for (const std::size_t length : {1000u, 0u, 1u, 498u, 3u, 2000u}) framer.frame(OctetBuffer(length, 9), stream);
    Deframer whole(mode.markers, mode.crc), in_octets(mode.markers, mode.crc);
    EXPECT_EQ(deframed(in_octets, stream, [] { return 1; }), deframed_at_once(whole, stream));
  }
}

TEST(Deframer, SaysWhatIsPending) {
  OctetBuffer stream;
  Framer framer(true, true);
  framer.frame(OctetBuffer(600, 1), stream);
  Deframer deframer(true, true);
  for (std::size_t at = 0; at + 1 < stream.size(); ++at) {
    deframer.feed(Octets(stream).subspan(at, 1));
    EXPECT_FALSE(deframer.next());
    EXPECT_EQ(deframer.pending(), at + 1);
  }
  deframer.feed(Octets(stream).last(1));
  EXPECT_TRUE(deframer.next());
  EXPECT_EQ(deframer.pending(), 0u);
}

TEST(Deframer, CopiesWhatIsPendingWithoutItsMarkers) {
  OctetBuffer ulpdu(600);
  for (std::size_t i = 0; i < ulpdu.size(); ++i) ulpdu[i] = static_cast<Octet>(i % 251 + 1);
  OctetBuffer plain, stream;
  Framer(false, true).frame(ulpdu, plain);
  Framer(true, true).frame(ulpdu, stream);
  Deframer deframer(true, true);
  for (std::size_t at = 0; at + 1 < stream.size(); ++at) {
    deframer.feed(Octets(stream).subspan(at, 1));
    EXPECT_FALSE(deframer.next());
    OctetBuffer out(20);
    out.resize(deframer.copy_pending(out));
    // The first marker is before the FPDU.
    EXPECT_EQ(out, OctetBuffer(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(
                                                                  at < 4 ? 0 : std::min<std::size_t>(at - 3, 20))));
  }
  OctetBuffer all(plain.size());
  ASSERT_EQ(deframer.copy_pending(all), plain.size() - 1) << "whatever markers are inside";
  EXPECT_TRUE(std::equal(all.begin(), all.end() - kCrcOctets, plain.begin())) << "but for the CRC, which covers them";
  deframer.skip_to(stream.size() + 100);
  EXPECT_EQ(deframer.copy_pending(all), 0u) << "what was lost is not begun";
}

TEST(Deframer, TellsWhatIsWrongAndGoesOnByTheLengths) {
  const FramingFaults faults[] = {{.crc_xor = 0x10}, {.pad_fill = 3}, {.marker_pointer_xor = 8, .marker_reserved = 5}};
  for (const FramingFaults& fault : faults) {
    OctetBuffer stream;
    Framer framer(true, true);
    framer.frame(OctetBuffer(1000, 1), stream);
    framer.frame(OctetBuffer(1000, 2), stream, fault);
    framer.frame(OctetBuffer(1000, 3), stream);
    Deframer deframer(true, true);
    const auto out = deframed_at_once(deframer, stream);
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(out[1].crc == out[1].computed, fault.crc_xor == 0);
    EXPECT_EQ(Fpdu{.octets = out[1].octets}.pad()[0], fault.pad_fill);
    ASSERT_EQ(out[1].markers.size(), 2u);
    for (const auto& [position, reserved, pointer, expected] : out[1].markers) {
      EXPECT_EQ(position % kMarkerInterval, 0u);
      EXPECT_EQ(reserved, fault.marker_reserved);
      EXPECT_EQ(pointer, expected ^ fault.marker_pointer_xor);
    }
    EXPECT_EQ(out[2].crc, out[2].computed);
    EXPECT_EQ(out[2].octets[2], 3);
  }
}

TEST(Deframer, IsTotalAndTakesAtMostAFewFpdusOfMemory) {
  std::mt19937 random(2);
  for (const Mode mode : kModes) {
    const OctetBuffer stream = random_octets(random, 1u << 20);
    Deframer whole(mode.markers, mode.crc), in_parts(mode.markers, mode.crc);
    const auto expected = deframed_at_once(whole, stream);
    EXPECT_EQ(deframed(in_parts, stream, [&] { return random() % 3000 + 1; }), expected);
    EXPECT_LT(in_parts.memory(), 4 * kMaxFpdu);
  }
}

}  // namespace
}  // namespace wirelaw::mpa

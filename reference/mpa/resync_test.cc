// SPDX-License-Identifier: Apache-2.0
// The stream resumes after a gap: the FPDUs that the deframer accepts.
#include "reference/mpa/resync.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reference/mpa/deframer.h"
#include "reference/mpa/framer.h"

namespace wirelaw::mpa {
namespace {

struct Place {
  std::uint64_t position;
  std::uint64_t end;
  friend bool operator==(const Place&, const Place&) = default;
};

// A stream of FPDUs of any length, and their places in it.
struct Stream {
  OctetBuffer octets;
  std::vector<Place> places;
};

Stream any_stream(bool markers, bool crc, std::mt19937& random, std::size_t most_octets, int fpdus) {
  Stream stream;
  Framer framer(markers, crc);
  for (int i = 0; i < fpdus; ++i) {
    OctetBuffer ulpdu(random() % most_octets);
    for (Octet& octet : ulpdu) octet = static_cast<Octet>(random());
    const std::uint64_t begin = framer.position();
    framer.frame(ulpdu, stream.octets);
    const std::uint64_t lead = markers && marker_at(begin) ? kMarkerOctets : 0;
    stream.places.push_back({begin + lead, framer.position()});
  }
  return stream;
}

std::vector<Place> rest_after(Deframer& deframer, const Stream& stream, std::size_t gap, std::size_t cut) {
  std::vector<Place> out;
  deframer.skip_to(gap);
  for (Octets rest = Octets(stream.octets).subspan(gap); !rest.empty();) {
    const OctetBuffer part(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(std::min(cut, rest.size())));
    deframer.feed(part);
    while (const auto fpdu = deframer.next()) out.push_back({fpdu->position, fpdu->end});
    rest = rest.subspan(part.size());
  }
  return out;
}

bool is_end_of(const std::vector<Place>& some, const std::vector<Place>& all) {
  return some.size() <= all.size() && std::equal(some.rbegin(), some.rend(), all.rbegin());
}

TEST(Resync, ByCrcGivesEveryFpduThatIsWholeBehindTheGap) {
  std::mt19937 random(3);
  for (const bool markers : {false, true})
    for (int round = 0; round < 60; ++round) {
      const Stream stream = any_stream(markers, true, random, 3000, 12);
      const std::size_t gap = random() % stream.octets.size();
      std::vector<Place> whole;
      for (const Place& place : stream.places)
        if (place.position - (markers && marker_at(place.position - kMarkerOctets) ? kMarkerOctets : 0) >= gap)
          whole.push_back(place);
      Deframer at_once(markers, true), in_parts(markers, true);
      EXPECT_EQ(rest_after(at_once, stream, gap, stream.octets.size()), whole) << gap;
      EXPECT_EQ(rest_after(in_parts, stream, gap, 1 + random() % 700), whole) << gap;
      EXPECT_EQ(at_once.lost(), whole.empty());
    }
}

TEST(Resync, ByCrcPassesOverAnFpduThatIsDamaged) {
  std::mt19937 random(4);
  Stream stream = any_stream(false, true, random, 500, 10);
  stream.octets[stream.places[5].position + kLengthOctets] ^= 1;
  Deframer deframer(false, true);
  const std::vector<Place> expected(stream.places.begin() + 6, stream.places.end());
  EXPECT_EQ(rest_after(deframer, stream, stream.places[4].end - 1, 100), expected);
}

TEST(Resync, ByMarkersFindsTheFirstFpduThatAMarkerPointsAt) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    const Stream stream = any_stream(true, false, random, 3000, 12);
    const std::size_t gap = random() % stream.octets.size();
    Deframer at_once(true, false), in_parts(true, false);
    const auto found = rest_after(at_once, stream, gap, stream.octets.size());
    EXPECT_TRUE(is_end_of(found, stream.places)) << gap;
    EXPECT_EQ(rest_after(in_parts, stream, gap, 1 + random() % 700), found);
    // Every FPDU is found that contains a marker and begins after the gap.
    for (const Place& place : stream.places) {
      const bool holds_marker = place.position / kMarkerInterval != (place.end - 1) / kMarkerInterval ||
                                marker_at(place.position - kMarkerOctets);
      if (place.position < gap + kMarkerOctets || !holds_marker) continue;
      EXPECT_NE(std::ranges::find(found, place), found.end()) << gap << " " << place.position;
    }
  }
}

TEST(Resync, ByMarkersDoesNotBelieveAMarkerThatTheOthersContradict) {
  Stream stream;
  Framer framer(true, false);
  for (int i = 0; i < 3; ++i) {
    framer.frame(OctetBuffer(2000, 0x11), stream.octets);
    stream.places.push_back({0, framer.position()});
  }
  // Changes the pointer of the second FPDU's first marker.
  const std::size_t marker = (stream.places[0].end / kMarkerInterval + 1) * kMarkerInterval;
  stream.octets[marker + 3] ^= 4;
  Deframer deframer(true, false);
  const auto found = rest_after(deframer, stream, stream.places[0].end, stream.octets.size());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].end, stream.places[2].end);
}

TEST(Resync, ByMarkersDoesNotBelieveAMarkerThatTheFpduItPointsAtDoesNotHold) {
  OctetBuffer stream(kMarkerInterval);  // zeros: every place looks like an FPDU of eight octets
  Writer(stream).big_endian<std::uint32_t>(256);
  stream.resize(3 * kMarkerInterval);
  stream[2 * kMarkerInterval + 3] = 8;
  Deframer deframer(true, false);
  deframer.skip_to(4);
  deframer.feed(Octets(stream).subspan(4));
  EXPECT_FALSE(deframer.next());
  EXPECT_TRUE(deframer.lost());
}

TEST(Resync, WithNeitherMarkersNorCrcsStaysLost) {
  std::mt19937 random(6);
  const Stream stream = any_stream(false, false, random, 3000, 12);
  Deframer deframer(false, false);
  EXPECT_TRUE(rest_after(deframer, stream, stream.places[3].position, 1460).empty());
  EXPECT_TRUE(deframer.lost());
  EXPECT_EQ(deframer.position(), stream.octets.size());
  EXPECT_EQ(deframer.memory(), 0u);
}

TEST(Resync, FindsTheLongestFpduBehindAnyAmountOfRubbish) {
  std::mt19937 random(7);
  for (const bool markers : {false, true}) {
    Framer framer(markers, true);
    OctetBuffer stream;
    while (stream.size() < 300000) framer.frame(OctetBuffer(kMaxUlpdu, 0), stream, {.crc_xor = 1});
    const std::uint64_t begin = framer.position();
    framer.frame(OctetBuffer(kMaxUlpdu, 5), stream);
    framer.frame(OctetBuffer(5, 5), stream);
    Deframer deframer(markers, true);
    const auto found = rest_after(deframer, {stream, {}}, 1000, 1460);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_LE(found[0].position - begin, kMarkerOctets);
    EXPECT_EQ(found[1].end, stream.size());
  }
}

TEST(Resync, IsTotalAndBoundedAndDoesNotMindHowItIsFed) {
  std::mt19937 random(8);
  constexpr struct { bool markers, crc; } kModes[] = {{false, true}, {true, false}, {true, true}};
  for (const auto& [markers, crc] : kModes) {
    Stream noise;
    noise.octets.resize(1u << 19);
    for (Octet& octet : noise.octets)
      octet = static_cast<Octet>(random() % 4);  // many short lengths among the long ones
    Deframer at_once(markers, crc), in_parts(markers, crc);
    const auto found = rest_after(at_once, noise, 5, noise.octets.size());
    EXPECT_EQ(rest_after(in_parts, noise, 5, 999), found);
    EXPECT_LT(at_once.memory(), 16 * kMaxFpdu);
    EXPECT_LT(in_parts.memory(), 16 * kMaxFpdu);
  }
}

TEST(Resync, FindsAStreamThatIsJoinedInTheMiddleByTryingTheFourAlignments) {
  std::mt19937 random(9);
  const Stream stream = any_stream(false, true, random, 3000, 6);
  // The position of the first octet is unknown: only one offset in four is a multiple of four from it.
  constexpr std::size_t kMissing = 1001;
  int found = 0;
  for (std::size_t phase = 0; phase < 4; ++phase) {
    Deframer deframer(false, true);
    deframer.skip_to(phase);
    deframer.feed(Octets(stream.octets).subspan(kMissing));
    if (!deframer.next()) continue;
    ++found;
    EXPECT_EQ(phase, kMissing % 4);
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace wirelaw::mpa

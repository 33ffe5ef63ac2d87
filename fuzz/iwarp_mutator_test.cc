// SPDX-License-Identifier: Apache-2.0
#include "fuzz/iwarp_mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "corpora/formats/records.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"

namespace wirelaw::fuzz {
namespace {

Ulpdus grown(Random& random) {
  Ulpdus ulpdus;
  for (int i = 0; i < 30; ++i) change_segments(ulpdus, random);
  return ulpdus;
}

// Inconsistencies between the segments; empty if there are none.
std::string flaw_in(const Ulpdus& ulpdus) {
  std::map<std::uint32_t, std::uint32_t> msn, mo;
  std::optional<std::pair<std::uint32_t, std::uint64_t>> open;
  for (const OctetBuffer& ulpdu : ulpdus) {
    const auto segment = ddp::decode(ulpdu);
    if (!segment) return "too short";
    const ddp::Header& header = segment->header;
    const rdmap::Control control = rdmap::decode_control(header.rsvd_ulp);
    const rdmap::OpcodeRow* const row = rdmap::find_opcode(control.opcode);
    if (row == nullptr || row->tagged != header.tagged) return "opcode";
    if (control.version != 1 || control.reserved != 0 || header.version != 1 || header.reserved != 0) return "bits";
    const bool first = header.tagged || header.mo == 0;
    if (first && segment->payload.size() < row->header_octets) return "header";
    if (header.tagged) {
      if (open && *open != std::pair(header.stag, header.to)) return "TO";
      open.reset();
      if (!header.last) open.emplace(header.stag, header.to + segment->payload.size());
      continue;
    }
    if (header.qn != row->queue) return "QN";
    if (header.msn != msn[header.qn] + 1) return "MSN";
    if (header.mo != mo[header.qn]) return "MO";
    mo[header.qn] = header.last ? 0 : header.mo + static_cast<std::uint32_t>(segment->payload.size());
    if (header.last) ++msn[header.qn];
  }
  return "";
}

TEST(IwarpMutator, MakesWhatSegmentsSayOfEachOtherRight) {
  Random random(1);
  std::size_t segments = 0;
  for (int round = 0; round < 200; ++round) {
    Ulpdus ulpdus = grown(random);
    make_consistent(ulpdus);
    EXPECT_EQ(flaw_in(ulpdus), "");
    const Ulpdus once = ulpdus;
    make_consistent(ulpdus);
    EXPECT_TRUE(ulpdus == once);
    segments += ulpdus.size();
  }
  EXPECT_GT(segments, 1000u);
}

TEST(IwarpMutator, BreaksOneSegmentOnly) {
  Random random(2);
  std::map<std::string, int> flaws;
  for (int round = 0; round < 2000; ++round) {
    Ulpdus ulpdus = grown(random);
    make_consistent(ulpdus);
    const Ulpdus before = ulpdus;
    break_one_segment(ulpdus, random);
    ASSERT_EQ(ulpdus.size(), before.size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < ulpdus.size(); ++i) changed += ulpdus[i] != before[i] ? 1 : 0;
    EXPECT_LE(changed, 1u);
    ++flaws[flaw_in(ulpdus)];
  }
  for (const char* flaw : {"too short", "opcode", "bits", "header", "TO", "QN", "MSN", "MO"})
    EXPECT_GT(flaws[flaw], 0) << flaw;
}

TEST(IwarpMutator, PutsTogetherWhatItTookApart) {
  const OctetBuffer data(3);
  Random random(3);
  for (const Framing framing : {Framing{}, Framing{.markers = true}, Framing{.crc = true}, Framing{true, true}}) {
    const IwarpStream stream{.start_frame = mpa::encode_start_frame({.private_data_length = 3, .private_data = data}),
                             .ulpdus = grown(random),
                             .rest = {0xff, 0xff, 0x01}};
    const OctetBuffer octets = put_together(stream, framing);
    const IwarpStream again = take_apart(octets, true, framing);
    EXPECT_TRUE(again.ulpdus == stream.ulpdus);
    EXPECT_TRUE(put_together(again, framing) == octets);
  }
}

TEST(IwarpMutator, FaultsOneFpduOnly) {
  Random random(4);
  const Framing framing{true, true};
  const IwarpStream stream{.start_frame = {}, .ulpdus = Ulpdus(5, OctetBuffer(700, 1)), .rest = {}};
  std::size_t wrong = 0;
  for (int round = 0; round < 100; ++round) {
    const FaultAt fault{.faulty = 2, .faults = any_framing_fault(random)};
    if (fault.faults.length_add != 0) continue;  // the FPDUs after it would differ
    mpa::Deframer deframer(true, true);
    const OctetBuffer octets = put_together(stream, framing, fault);
    deframer.feed(octets);
    for (std::size_t i = 0; i < stream.ulpdus.size(); ++i) {
      const auto fpdu = deframer.next();
      ASSERT_TRUE(fpdu);
      const bool right = fpdu->crc_holds() &&
                         std::ranges::all_of(fpdu->pad(), [](Octet octet) { return octet == 0; }) &&
                         std::ranges::all_of(fpdu->markers, [](const mpa::Marker& marker) {
                           return marker.reserved == 0 && marker.pointer == marker.expected;
                         });
      EXPECT_TRUE(right || i == fault.faulty);
      wrong += right ? 0 : 1;
    }
  }
  EXPECT_GT(wrong, 20u);
}

TEST(IwarpMutator, KeepsToTheRoomThereIsWhateverTheOctets) {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t room = 1 + random() % 3000;
    OctetBuffer buffer(room);
    for (Octet& octet : buffer) octet = static_cast<Octet>(random() % 5 == 0 ? random() : 0);
    const std::size_t size = random() % (room + 1);
    const auto seed = static_cast<std::uint32_t>(random());
    EXPECT_LE(mutate_mpa_stream(buffer, size, seed), room);
    EXPECT_LE(mutate_ulpdu(buffer, size, seed), room);
    EXPECT_LE(mutate_pieces(buffer, 1, size, seed), room);
  }
}

TEST(IwarpMutator, LeavesThePiecesThatAreNoUlpdusOfASideAsTheyAre) {
  namespace control = corpora::stream_control;
  Random random(6);
  OctetBuffer input{control::kCrc};
  corpora::append_record(input, control::kOpened, {});
  corpora::append_record(input, control::kUlpdu, OctetBuffer(30, 1));
  corpora::append_record(input, control::kGap | control::kSideB, OctetBuffer(3));
  corpora::append_record(input, control::kUlpdu | control::kSideB, OctetBuffer(30, 2));
  corpora::append_record(input, control::kClosed, {});
  const auto others = [](Octets octets) {
    std::vector<Octet> kinds;
    for (const corpora::Record& record : corpora::read_records(octets.subspan(1)))
      if ((record.control & control::kKind) != control::kUlpdu) kinds.push_back(record.control);
    return kinds;
  };
  std::size_t changed = 0;
  for (std::uint32_t seed = 1; seed < 200; ++seed) {
    OctetBuffer buffer = input;
    buffer.resize(8192);
    const std::size_t size = mutate_pieces(buffer, 1, input.size(), seed);
    const Octets out = Octets(buffer).first(size);
    EXPECT_EQ(others(out), others(input));
    changed += std::ranges::equal(out, input) ? 0 : 1;
  }
  EXPECT_GT(changed, 100u);
}

}  // namespace
}  // namespace wirelaw::fuzz

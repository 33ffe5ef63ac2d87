// SPDX-License-Identifier: Apache-2.0
// Captures of iWARP, and of SMB Direct over iWARP and over RoCE, that begin in the middle of a connection. Agreements
// from its start are unknown, and rules that depend on them are not judged.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "harness/check/packets_test.h"
#include "pcap/tcp_synthesis.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::SizeIs;
using Rules = std::set<std::string_view>;

const fs::path kCorpora = fs::path(WIRELAW_SOURCE_DIR) / "corpora";

Results judge(std::span<const Packet> packets, CheckOptions options = {}) {
  const Completeness completeness = options.complete ? Completeness::complete : Completeness::unknown;
  Checker checker(std::move(options));
  checker.begin_file({}, completeness);
  std::uint64_t frame = 0;
  for (const Packet& packet : packets) {
    std::visit(
        [&](auto header) {
          header.frame = ++frame;
          header.payload = packet.octets;
          checker.take(header);
        },
        packet.header);
  }
  checker.end_file(completeness);
  return checker.take_results();
}

CheckOptions as_iwarp() {
  CheckOptions options;
  for (const char* port : {"7174", "5445", "21200"})
    options.decode_as.push_back(*parse_decode_as(std::string("tcp.port=") + port + ",rdmap"));
  return options;
}
CheckOptions completely(CheckOptions options = {}) {
  options.complete = true;
  return options;
}

Rules failed_in(const Results& results) {
  Rules ids;
  for (const RuleResult& one : results.rules)
    if (one.failed > 0) ids.insert(one.rule->id);
  return ids;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& one : fs::directory_iterator(folder)) files.push_back(one.path());
  std::ranges::sort(files);
  return files;
}

// Returns the index after the start frames, or after the first frame if there are none.
std::size_t behind_start(const std::vector<Packet>& packets) {
  constexpr std::string_view kKey = "MPA ID ";
  std::size_t behind = 1;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const std::string octets(packets[i].octets.begin(), packets[i].octets.end());
    if (octets.find(kKey) != std::string::npos) behind = i + 1;
  }
  return behind;
}

// Tries every frame of a small capture as the first one, and as many in equal steps of a large one.
constexpr std::size_t kMostStarts = 48;
std::size_t step_of(std::size_t frames) {
  return std::max<std::size_t>(1, frames / kMostStarts);
}

// ------------------------------------------------------------------------------------------------------ conforming

class LateIwarp : public testing::TestWithParam<const char*> {};

// A capture that holds this many FPDUs that a user's word finds is recognised without it.
constexpr std::uint64_t kEnoughFpdus = 12;

TEST_P(LateIwarp, IsRecognisedOrHintedAndBreaksNoMustThatTheWholeDoesNot) {
  std::size_t enough = 0, recognised = 0;
  for (const fs::path& file : files_in(kCorpora / GetParam())) {
    const std::vector<Packet> packets = read_packets(file);
    const Rules whole = failed_in(judge(packets)), whole_complete = failed_in(judge(packets, completely()));
    for (std::size_t first = behind_start(packets); first < packets.size(); first += step_of(packets.size())) {
      SCOPED_TRACE(file.filename().string() + " from frame " + std::to_string(first + 1));
      const std::span<const Packet> late = std::span(packets).subspan(first);
      const Results declared = judge(late, as_iwarp());
      EXPECT_THAT(failed_in(declared), IsSubsetOf(whole));
      EXPECT_THAT(failed_in(judge(late, completely(as_iwarp()))), IsSubsetOf(whole_complete));
      const Results found = judge(late);
      EXPECT_THAT(failed_in(found), IsSubsetOf(whole));
      EXPECT_THAT(failed_in(judge(late, completely())), IsSubsetOf(whole_complete));
      for (const FlowResult& flow : found.flows)
        if (flow.protocol.empty()) {
          EXPECT_THAT(flow.note, HasSubstr("--decode-as"));
        }
      if (declared.flows.size() != 1 || found.flows.size() != 1) continue;
      if (declared.flows[0].messages < kEnoughFpdus) continue;
      ++enough;
      recognised += !found.flows[0].protocol.empty();
    }
  }
  EXPECT_GE(recognised * 100, enough * 90) << recognised << " of " << enough;
  std::cout << GetParam() << " " << recognised << " of " << enough << "\n";
}

INSTANTIATE_TEST_SUITE_P(Captures, LateIwarp,
                         testing::Values("rdmap/conforming", "rdmap/violating", "smbd/conforming", "smbd/violating",
                                         "captures/iwarp", "captures/smbd"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

// ------------------------------------------------------------------------------------------------------- violating

// The samples that break rules of these layers after the start frames, and for which the late capture shows the same.
// The others depend on what came before: an MSN that is no longer known to be wrong, a Read without a request, sizes
// that were negotiated. Most samples have one or two FPDUs, too few for recognition by content.
struct Kept {
  std::size_t samples = 0, found = 0;
};
Kept found_late(const fs::path& folder, std::span<const std::string_view> layers, const CheckOptions& options) {
  Kept kept;
  for (const fs::path& file : files_in(folder)) {
    const std::vector<Packet> packets = read_packets(file);
    const std::size_t first = behind_start(packets);
    Rules later;
    for (const Finding& one : judge(packets).findings) {
      const bool is_of_layer = std::ranges::any_of(
          layers, [&](std::string_view layer) { return one.rule->id.substr(0, layer.size()) == layer; });
      if (is_of_layer && one.severity == Severity::violation && !one.held_back && one.frame > first)
        later.insert(one.rule->id);
    }
    if (later.empty()) continue;
    ++kept.samples;
    kept.found += std::ranges::includes(failed_in(judge(std::span(packets).subspan(first), options)), later);
  }
  return kept;
}

TEST(LateFault, IsFound) {
  constexpr std::string_view kIwarp[] = {"RDMAP-", "DDP-"}, kSmbd[] = {"SMBD-"};
  const Kept iwarp = found_late(kCorpora / "rdmap/violating", kIwarp, as_iwarp());
  EXPECT_GE(iwarp.found * 100, iwarp.samples * 60) << iwarp.found << " of " << iwarp.samples;
  const Kept smbd = found_late(kCorpora / "smbd/violating", kSmbd, {});
  EXPECT_GE(smbd.found * 100, smbd.samples * 70) << smbd.found << " of " << smbd.samples;
}

// ------------------------------------------------------------------------------------------------- how it is found

// Traffic without CRCs, as siw sends it, at an unassigned port: recognised by content, and by --decode-as.
TEST(LateIwarp, WithoutCrcIsFoundByContent) {
  const std::vector<Packet> packets = read_packets(kCorpora / "captures/iwarp/siw_rping_C5_S1024.pcap");
  const Results results = judge(std::span(packets).subspan(behind_start(packets)));
  ASSERT_THAT(results.flows, SizeIs(1));
  EXPECT_EQ(results.flows[0].protocol, "rdmap");
  EXPECT_EQ(results.flows[0].state, FlowState::partial);
  EXPECT_THAT(results.flows[0].note, HasSubstr("how MPA was started is not known"));
  EXPECT_THAT(failed_in(results), IsEmpty());
  EXPECT_GE(results.flows[0].messages, 30u);
}

TEST(LateIwarp, WithCrcIsFoundByTwoFpdus) {
  const std::vector<Packet> packets = read_packets(kCorpora / "captures/iwarp/siwcrc_rping_C5_S1024.pcap");
  std::size_t with_octets = 0;
  std::size_t first = packets.size();
  while (with_octets < 4) with_octets += !packets[--first].octets.empty();
  const Results results = judge(std::span(packets).subspan(first));
  ASSERT_THAT(results.flows, SizeIs(1));
  EXPECT_EQ(results.flows[0].protocol, "rdmap") << results.flows[0].note;
}

// Only what the responder sends: its Reply reveals the protocol, and its Terminate has the faults of the whole capture.
TEST(OneDirection, OfAResponderIsRecognisedByItsReply) {
  std::vector<Packet> packets = read_packets(kCorpora / "captures/iwarp/siw_term_read-oob.pcap");
  std::erase_if(packets, [](const Packet& one) { return one.source().port != 7174; });
  const Results results = judge(packets);
  ASSERT_THAT(results.flows, SizeIs(1));
  EXPECT_EQ(results.flows[0].protocol, "rdmap") << results.flows[0].note;
  EXPECT_THAT(failed_in(results), testing::ElementsAre("RDMAP-4.8-2"));
}

// One complete FPDU is enough at the port assigned to SMB Direct, or if the user states the protocol.
TEST(LateIwarp, IsBelievedAtItsPortByOneFpdu) {
  const std::vector<Packet> packets = read_packets(kCorpora / "captures/iwarp/siw_rping_C5_S1024.pcap");
  const auto last =
      std::ranges::find_if(packets.rbegin(), packets.rend(), [](const Packet& one) { return !one.octets.empty(); });
  std::vector<Packet> one{*last};
  EXPECT_EQ(judge(one).flows[0].protocol, "");
  EXPECT_EQ(judge(one, as_iwarp()).flows[0].messages, 1u);
  auto& segment = std::get<pcap::Segment>(one[0].header);
  (segment.source.port == 7174 ? segment.source : segment.destination).port = 5445;
  EXPECT_EQ(judge(one).flows[0].protocol, "rdmap");
}

// ------------------------------------------------------------------------------------------------------- with markers

// Both sides ask for markers (RFC 5044, 7.1.1), and send Sends of many lengths. Each FPDU begins a segment.
std::vector<Packet> with_markers(bool crc) {
  std::vector<Packet> packets;
  pcap::TcpSynthesis headers(1);
  const auto add = [&](bool by_a, const pcap::TcpHeader& header, Octets octets) {
    const Octet a[] = {192, 0, 2, 1}, b[] = {192, 0, 2, 2};
    const pcap::Endpoint ends[] = {{pcap::Address::ipv4(a), 40000}, {pcap::Address::ipv4(b), 7174}};
    pcap::Segment segment;
    segment.time_ns = static_cast<std::int64_t>(packets.size()) * 1'000'000;
    segment.source = ends[by_a ? 0 : 1];
    segment.destination = ends[by_a ? 1 : 0];
    segment.seq = header.seq;
    segment.ack = header.ack;
    segment.flags = header.flags;
    segment.wire_length = static_cast<std::uint32_t>(octets.size());
    packets.push_back({segment, {octets.begin(), octets.end()}});
  };
  add(true, headers.syn(true), {});
  add(false, headers.syn(false), {});
  add(true, headers.acknowledge(true), {});
  for (const mpa::FrameKind kind : {mpa::FrameKind::request, mpa::FrameKind::reply}) {
    const bool by_a = kind == mpa::FrameKind::request;
    OctetBuffer frame;
    mpa::encode_start_frame({.key = mpa::key_of(kind), .markers = true, .crc = crc, .private_data = {}}, frame);
    add(by_a, headers.data(by_a, frame.size()), frame);
  }
  std::array<mpa::Framer, 2> framers{mpa::Framer(true, crc), mpa::Framer(true, crc)};
  for (std::uint32_t msn = 1; msn <= 40; ++msn)
    for (const bool by_a : {true, false}) {
      OctetBuffer ulpdu, octets;
      ddp::encode({.last = true, .rsvd_ulp = rdmap::encode_control(rdmap::control_of(rdmap::Opcode::send)), .msn = msn},
                  ulpdu);
      ulpdu.resize(ulpdu.size() + msn * (by_a ? 37 : 11) % 1200, Octet{0x5a});
      framers[by_a ? 0 : 1].frame(ulpdu, octets);
      constexpr std::size_t kSegment = 1448;
      EXPECT_LE(octets.size(), kSegment);
      add(by_a, headers.data(by_a, octets.size()), octets);
    }
  return packets;
}

// The Reply acknowledges a Request that the capture lacks.
TEST(OneDirection, OfAResponderThatOnlyRepliesBlamesNobody) {
  const std::vector<Packet> all = with_markers(true);  // SYN, SYN-ACK, ACK, Request, Reply
  const std::vector<std::size_t> kept_of[] = {{1, 4}, {0, 1, 4}, {0, 1, 2, 4}};
  for (const auto& kept : kept_of) {
    std::vector<Packet> packets;
    for (const std::size_t index : kept) packets.push_back(all[index]);
    const Results results = judge(packets);
    ASSERT_THAT(results.flows, SizeIs(1));
    EXPECT_EQ(results.flows[0].protocol, "rdmap") << kept.size();
    EXPECT_THAT(failed_in(results), IsEmpty()) << kept.size();
  }
}

TEST(LateIwarp, WithMarkersIsFoundByContentAndRead) {
  for (const bool crc : {false, true}) {
    const std::vector<Packet> packets = with_markers(crc);
    const std::size_t begin = behind_start(packets);
    ASSERT_THAT(failed_in(judge(packets, completely())), IsEmpty());
    for (std::size_t first = begin; first < packets.size(); ++first) {
      SCOPED_TRACE(fmt::format("{} CRCs, from frame {}", crc ? "with" : "without", first + 1));
      const std::size_t left = packets.size() - first;
      for (const CheckOptions& options : {CheckOptions{}, as_iwarp()}) {
        const Results results = judge(std::span(packets).subspan(first), completely(options));
        EXPECT_THAT(failed_in(results), IsEmpty());
        ASSERT_THAT(results.flows, SizeIs(1));
        if (left < 16) continue;
        EXPECT_EQ(results.flows[0].protocol, "rdmap") << results.flows[0].note;
        EXPECT_GE(results.flows[0].messages + 6, left) << results.flows[0].note;
      }
    }
  }
}

}  // namespace
}  // namespace wirelaw

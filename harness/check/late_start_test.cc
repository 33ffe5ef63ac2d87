// SPDX-License-Identifier: Apache-2.0
// Captures of iWARP, and of SMB Direct over it and over RoCE, that begin in the middle of a connection: what was agreed
// at its start is not known, and nothing that rests on it is judged.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "harness/check/packets_test.h"

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

// Behind the start frames, or the first frame if there are none.
std::size_t behind_start(const std::vector<Packet>& packets) {
  constexpr std::string_view kKey = "MPA ID ";
  std::size_t behind = 1;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const std::string octets(packets[i].octets.begin(), packets[i].octets.end());
    if (octets.find(kKey) != std::string::npos) behind = i + 1;
  }
  return behind;
}

// Every frame of a small capture; of a large one, as many in equal steps.
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
        if (flow.protocol.empty()) EXPECT_THAT(flow.note, HasSubstr("--decode-as"));
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

// Among the samples in which rules of these layers are broken after the start frames, those in which the late capture
// shows the same. The others rest on what came before: an MSN that is no longer known to be wrong, a Read that nobody
// has asked for, sizes that were negotiated. Most samples hold one or two FPDUs, too few for recognition by content.
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

// Without CRCs, as siw sends it: at an unassigned port by content, and by --decode-as.
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

// One whole FPDU is enough at the port that is assigned to SMB Direct, and where a user says what it is.
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

}  // namespace
}  // namespace wirelaw

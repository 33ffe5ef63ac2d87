// SPDX-License-Identifier: Apache-2.0
// The joined results of several processes or shards equal those of a single one, octet for octet.
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "harness/check/check_jobs.h"
#include "harness/check/flow_hash.h"
#include "harness/shard/share_json.h"
#include "pcap/synthesis.h"
#include "pcap/temporary_directory.h"
#include "reports/json.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

std::string text_of(const FileResults& run) {
  auto out = Output::to_memory();
  write_json({.results = run.results, .gate = {}, .version = "test"}, out);
  return out.text();
}

std::vector<FilePart> parts_of(std::span<const std::string> files, const Shard& part) {
  std::vector<FilePart> parts;
  for (std::size_t i = 0; i < files.size(); ++i) parts.push_back({.place = i, .part = part});
  return parts;
}

// Judges the parts one after the other, as separate processes would.
std::string by_parts(std::span<const std::string> files, std::uint64_t of, const CheckOptions& options = {}) {
  std::vector<Share> shares;
  for (std::uint64_t index = 0; index < of; ++index)
    shares.push_back(judge_parts(files, parts_of(files, {.index = index, .of = of}), options));
  const auto run = results_of_shares(std::move(shares), options);
  return run ? text_of(*run) : run.error();
}

const Rule* find_rule(std::string_view id) {
  return catalogue_for(nullptr).find(id);
}

// Joins the shards' files in any order, as `wirelaw merge` gets them.
std::string by_shards(std::span<const std::string> files, std::uint64_t of, const CheckOptions& options = {}) {
  std::vector<Share> shares;
  for (std::uint64_t index = of; index-- > 0;) {
    CheckOptions sharded = options;
    sharded.shard = {.index = index, .of = of};
    const FileResults run = check_files(files, sharded);
    const ShardNote note{.name = to_string(sharded.shard),
                         .object = shard_object(sharded.shard, {.command = "check", .version = "test"}, *run.share)};
    auto out = Output::to_memory();
    write_json({.results = run.results, .gate = {}, .version = "test", .shard = &note}, out);
    auto file = parse_shard_file("shard", out.text(), {.version = "test", .commit = "", .find = find_rule});
    if (!file) return file.error();
    shares.push_back(std::move(file->share));
  }
  const auto run = results_of_shares(std::move(shares), options);
  return run ? text_of(*run) : run.error();
}

std::vector<std::string> captures_in(const fs::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".pcap" || entry.path().extension() == ".pcapng") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class Corpora : public testing::TestWithParam<std::string> {};

// Few at a time in parts, and some as shards: results hold the whole catalogue, which takes longer than the files.
TEST_P(Corpora, AreJudgedByPartsAndShardsAsByOne) {
  constexpr std::size_t kAtATime = 48;
  const auto all = captures_in(fs::path(WIRELAW_SOURCE_DIR) / "corpora" / GetParam());
  ASSERT_FALSE(all.empty());
  const CheckOptions options{.protocol = find_protocol(GetParam())};
  for (std::size_t i = 0; i < all.size(); i += kAtATime) {
    const auto files = std::span(all).subspan(i, std::min(kAtATime, all.size() - i));
    const std::string expected = text_of(check_files(files, options));
    ASSERT_EQ(by_parts(files, 2, options), expected) << files.front();
    if (i % (4 * kAtATime) == 0) {
      ASSERT_EQ(by_shards(files, 3, options), expected) << files.front();
    }
  }
}

TEST_P(Corpora, AreJudgedTogetherByPartsAndShardsAsByOne) {
  const auto files = captures_in(fs::path(WIRELAW_SOURCE_DIR) / "corpora" / GetParam());
  for (const bool complete : {false, true}) {
    const CheckOptions options{.complete = complete};
    const std::string expected = text_of(check_files(files, options));
    EXPECT_TRUE(by_parts(files, 3, options) == expected);
    EXPECT_TRUE(by_shards(files, 2, options) == expected);
    EXPECT_TRUE(text_of(check_files_by(2, files, options)) == expected);
    EXPECT_TRUE(text_of(check_files_by(3, files, options)) == expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Corpora, testing::Values("captures", "ramcloud", "rdmap", "efa", "smbd", "umsp"),
                         [](const auto& one) { return one.param; });

// A capture of many flows, each of `packets` datagrams that are no protocol's, or the given octets.
class Flood {
 public:
  explicit Flood(std::string path) : out_(path, std::ios::binary), path_(std::move(path)) {
    const std::uint32_t head[] = {0xa1b2c3d4, 2u | 4u << 16, 0, 0, 262'144, 1};
    out_.write(reinterpret_cast<const char*>(head), sizeof head);
  }
  void datagram(unsigned flow, Octets payload) {
    const pcap::Endpoint from{pcap::parse_endpoint("192.0.2.1:1")->address, 10'000 + flow % 50'000};
    const pcap::Endpoint to{pcap::parse_endpoint("192.0.2.2:1")->address, 20'000 + flow / 50'000};
    OctetBuffer frame;
    ASSERT_TRUE(pcap::synthesise_datagram(from, to, payload, frame));
    const auto size = static_cast<std::uint32_t>(frame.size());
    const std::uint32_t record[] = {++time_ / 1'000'000, time_ % 1'000'000, size, size};
    out_.write(reinterpret_cast<const char*>(record), sizeof record);
    out_.write(reinterpret_cast<const char*>(frame.data()), static_cast<std::streamsize>(frame.size()));
  }
  std::string done() {
    out_.close();
    return path_;
  }

 private:
  std::ofstream out_;
  std::string path_;
  std::uint32_t time_ = 0;
};

// More flows at once than are followed, than are listed, and more findings than are kept: each bound is that of one.
TEST(Jobs, KeepTheBoundsOfOne) {
  const pcap::testing::TemporaryDirectory folder;
  Flood flood(folder.path("flood.pcap"));
  // Datagrams of RAMCloud's server, each of which breaks rules; some of no protocol; some that arrive late.
  const OctetBuffer junk(20, Octet{0xff});
  OctetBuffer wrong(33, Octet{0xee});
  for (unsigned flow = 0; flow < 14'000; ++flow) {
    flood.datagram(flow, flow % 5 == 0 ? junk : wrong);
    if (flow >= 4090 && flow % 3 == 0) flood.datagram(flow - 4090, wrong);
  }
  const std::vector<std::string> files{flood.done()};
  CheckOptions options{.limits = {.live_flows = 512, .listed_flows = 3000}};
  options.judge = {.findings_per_rule_and_flow = 2, .findings = 500};
  options.decode_as.push_back({.port = 20'000, .protocol = find_protocol("ramcloud")});
  const FileResults one = check_files(files, options);
  EXPECT_GT(one.results.findings_dropped, 0u);
  EXPECT_GT(one.results.flows_dropped, 0u);
  const std::string expected = text_of(one);
  EXPECT_TRUE(by_parts(files, 3, options) == expected);
  EXPECT_TRUE(by_shards(files, 4, options) == expected);
}

// If one process would have given up flows for lack of room, several processes would get another result.
TEST(Jobs, AreOneWhereTheirStateWouldNotFit) {
  const pcap::testing::TemporaryDirectory folder;
  Flood flood(folder.path("flood.pcap"));
  for (unsigned flow = 0; flow < 400; ++flow) flood.datagram(flow, OctetBuffer(33, Octet{0xee}));
  const std::vector<std::string> files{flood.done()};
  CheckOptions options{.limits = {.flow_octets = 20'000}};
  options.decode_as.push_back({.port = 20'000, .protocol = find_protocol("ramcloud")});
  const FileResults one = check_files(files, options);
  const auto gave_way = [](const FlowResult& flow) { return flow.note.find("to make room") != std::string::npos; };
  ASSERT_TRUE(std::ranges::any_of(one.results.flows, gave_way));
  EXPECT_TRUE(one.fits_one);
  EXPECT_TRUE(text_of(check_files_by(2, files, options)) == text_of(one));
  std::vector<Share> shares;
  for (std::uint64_t index = 0; index < 2; ++index)
    shares.push_back(judge_parts(files, parts_of(files, {.index = index, .of = 2}), options));
  EXPECT_FALSE(results_of_shares(std::move(shares), options)->fits_one);
}

TEST(Jobs, GiveTheSameForFilesThatCannotBeRead) {
  const std::vector<std::string> files = {"/nonexistent.pcap", std::string(WIRELAW_SOURCE_DIR) + "/README.md",
                                          captures_in(fs::path(WIRELAW_SOURCE_DIR) / "corpora/captures").front()};
  const FileResults one = check_files(files, {}), two = check_files_by(2, files, {});
  EXPECT_EQ(one.incomplete.size(), 2u);
  EXPECT_EQ(two.incomplete.size(), 2u);
  EXPECT_EQ(text_of(two), text_of(one));
}

// A name that is not valid text does not survive JSON, so one process judges.
TEST(Jobs, BearNamesThatAreNoText) {
  const pcap::testing::TemporaryDirectory folder;
  std::vector<std::string> files;
  for (const char* const name : {"a\xff.pcap", "b\xfe.pcap"}) {
    Flood flood(folder.path(name));
    flood.datagram(1, OctetBuffer(33, Octet{0xee}));
    files.push_back(flood.done());
  }
  const FileResults two = check_files_by(2, files, {});
  EXPECT_EQ(two.results.inputs[0].name, files[0]);
  EXPECT_EQ(two.results.inputs[1].name, files[1]);
}

TEST(Jobs, AShardOfNothingIsNoFailure) {
  const std::vector<std::string> files{
      captures_in(fs::path(WIRELAW_SOURCE_DIR) / "corpora/ramcloud/conforming").front()};
  std::size_t without = 0;
  for (std::uint64_t index = 0; index < 20; ++index) {
    const FileResults run = check_files(files, {.shard = {.index = index, .of = 20}});
    EXPECT_TRUE(run.incomplete.empty());
    without += run.share->judged == 0 ? 1 : 0;
  }
  EXPECT_GT(without, 0u);
}

std::uint64_t octets_of(const std::vector<FilePart>& parts, std::span<const std::uint64_t> octets) {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const FilePart& one) { return sum + octets[one.place] / one.part.of; });
}

TEST(Plan, SpreadsFilesEvenlyAndSplitsWhatIsTooBigForOne) {
  const std::vector<std::vector<std::uint64_t>> cases{
      {100}, {100, 100}, {100, 100, 100}, {1000, 1, 1}, {7, 9, 4, 3, 8, 2, 9, 9}, {0, 0, 0}};
  for (const auto& octets : cases)
    for (const std::uint64_t jobs : {2u, 3u, 8u}) {
      const auto plan = plan_of(jobs, octets);
      ASSERT_LE(plan.size(), jobs);
      std::vector<std::uint64_t> shares(octets.size());
      const std::uint64_t all = std::accumulate(octets.begin(), octets.end(), std::uint64_t{0});
      for (const auto& parts : plan) {
        EXPECT_TRUE(std::ranges::is_sorted(parts, {}, &FilePart::place));
        EXPECT_LE(octets_of(parts, octets), all / jobs + all / jobs / 10 + octets.size());
        for (const FilePart& one : parts) shares[one.place] += 1'000'000 / one.part.of;
      }
      for (const std::uint64_t one : shares) EXPECT_NEAR(static_cast<double>(one), 1e6, 10);
    }
}

TEST(FlowHash, IsTheSameForEitherDirection) {
  const auto one = *pcap::parse_endpoint("192.0.2.1:7"), other = *pcap::parse_endpoint("[2001:db8::1]:9");
  EXPECT_EQ(flow_hash(pcap::Transport::udp, one, other), flow_hash(pcap::Transport::udp, other, one));
  EXPECT_NE(flow_hash(pcap::Transport::udp, one, other), flow_hash(pcap::Transport::tcp, one, other));
  EXPECT_EQ(nodes_hash(one, other), nodes_hash(other, one));
  // Shards of one run may be judged by different builds: this number never changes.
  EXPECT_EQ(flow_hash(pcap::Transport::udp, one, other), 2529185319161624032u);
}

TEST(FlowHash, OfUmspIsThatOfItsNodes) {
  EXPECT_EQ(joined_flows(*find_protocol("umsp")), Joined::all);
  EXPECT_EQ(joined_flows(*find_protocol("ramcloud")), Joined::none);
  EXPECT_EQ(joined_flows(*find_protocol("rdmap")), Joined::none);
}

}  // namespace
}  // namespace wirelaw

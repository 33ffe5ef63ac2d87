// SPDX-License-Identifier: Apache-2.0
// Damaged captures: frames are missing, reordered or cut, one direction is missing, or the beginning. Whatever the
// damage, no honest peer is found to break a rule, as long as the capture is not known to be complete. If one of the
// peers is at fault, only that one is blamed. (traces_test requires that every fault is found in a complete capture.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>
#include <walked_part.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/check/packets_test.h"

namespace wirelaw {
namespace {

struct Capture {
  std::string name;
  const Protocol* protocol;
  std::vector<Packet> packets;
  bool is_faulty = false;                          // made to break a rule
  std::set<std::string_view> broken = {};          // rules that are found broken in it, whole and complete
  std::set<std::string, std::less<>> guilty = {};  // senders that break a rule, as name_of() returns them

  // A trace that breaks one rule may break others as a consequence, but never a rule of the other peer.
  bool excuses(const Finding& finding) const {
    return is_faulty ? guilty.contains(name_of(finding)) : broken.contains(finding.rule->id);
  }
  // Without its opening, a RoCE connection shows the sender's address, but not its queue pair.
  std::string name_of(const Finding& finding) const {
    const std::string sender(finding.sender);
    return are_roce(pointers(packets)) ? sender.substr(0, sender.rfind(':')) : sender;
  }
};

std::vector<const Packet*> all_of(const Capture& capture) {
  return pointers(capture.packets);
}

// A sample of long captures: every place would take too long.
std::vector<std::size_t> places(std::size_t count) {
  constexpr std::size_t kMost = 320 / kWalkedPart;
  std::vector<std::size_t> at;
  const std::size_t step = count / kMost + 1;
  for (std::size_t i = 0; i < count; i += step) at.push_back(i);
  return at;
}

using Folders = std::vector<std::filesystem::path>;

Folders honest_folders(const Protocol& protocol) {
  const std::filesystem::path corpora = WIRELAW_SOURCE_DIR "/corpora";
  const std::string_view captures = protocol.name == "rdmap" ? "iwarp" : protocol.name;
  return {corpora / protocol.name / "conforming", corpora / "captures" / captures};
}

Folders faulty_folders(const Protocol& protocol) {
  return {std::filesystem::path(WIRELAW_SOURCE_DIR "/corpora") / protocol.name / "violating"};
}

std::vector<Capture> captures_in(const Folders& folders, const Protocol& protocol, bool is_faulty) {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : folders) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) files.push_back(file.path());
  }
  std::ranges::sort(files);
  std::vector<Capture> captures;
  for (const auto& file : files) {
    Capture one{
        .name = file.filename().string(), .protocol = &protocol, .packets = read_packets(file), .is_faulty = is_faulty};
    const Results results = results_of(protocol, all_of(one), Completeness::complete);
    one.broken = broken_in(results);
    for (const Finding& finding : results.findings)
      if (finding.severity == Severity::violation) one.guilty.insert(one.name_of(finding));
    captures.push_back(std::move(one));
  }
  return captures;
}

// The senders that are blamed, and why; one line for each rule.
class Blames {
 public:
  void look(const Capture& capture, const std::vector<const Packet*>& packets, const std::string& damage,
            std::size_t cut = kUncut, Completeness completeness = Completeness::unknown) {
    ++variants_;
    std::set<std::string_view> blamed;
    for (const Finding& finding : results_of(*capture.protocol, packets, completeness, cut).findings)
      if (finding.severity == Severity::violation && !capture.excuses(finding)) blamed.insert(finding.rule->id);
    for (const std::string_view rule : blamed) {
      std::string& first = first_[rule];
      if (first.empty()) first = capture.name + ", " + damage;
      ++count_[rule];
    }
  }
  // Checks all of these lengths with one checker. Each length is checked separately only if something is found.
  void look_cut(const Capture& capture, std::size_t lengths) {
    const std::vector<const Packet*> packets = all_of(capture);
    Checker checker({.protocol = capture.protocol});
    for (std::size_t cut = 0; cut < lengths; ++cut)
      check(checker, *capture.protocol, packets, Completeness::unknown, cut);
    const Results results = checker.take_results();
    if (std::ranges::none_of(results.findings, [&](const Finding& one) {
          return one.severity == Severity::violation && !capture.excuses(one);
        })) {
      variants_ += lengths;
      return;
    }
    for (std::size_t cut = 0; cut < lengths; ++cut)
      look(capture, packets, fmt::format("cut to {} octets of payload", cut), cut);
  }
  std::string text() const {
    std::string text;
    for (const auto& [rule, count] : count_)
      text += fmt::format("{}: {} times, first in {}\n", rule, count, first_.at(rule));
    return text;
  }
  std::size_t variants() const { return variants_; }

 private:
  std::size_t variants_ = 0;
  std::map<std::string_view, std::size_t> count_;
  std::map<std::string_view, std::string> first_;
};

struct Walked {
  const Protocol* protocol;
  bool is_faulty;
};

std::vector<Walked> all_walked() {
  std::vector<Walked> all;
  for (const Protocol* protocol : protocols())
    for (const bool is_faulty : {false, true}) all.push_back({protocol, is_faulty});
  return all;
}

class DamagedCapture : public ::testing::TestWithParam<Walked> {
 protected:
  void TearDown() override {
    EXPECT_EQ(blames.text(), "");
    EXPECT_GT(blames.variants(), 0u);
    RecordProperty("variants", static_cast<int>(blames.variants()));
  }
  const Protocol& protocol = *GetParam().protocol;
  std::vector<Capture> captures = captures_in(
      GetParam().is_faulty ? faulty_folders(protocol) : honest_folders(protocol), protocol, GetParam().is_faulty);
  Blames blames;
};

TEST_P(DamagedCapture, WithoutAFrameBlamesNobody) {
  for (const Capture& one : captures)
    for (const std::size_t at : places(one.packets.size())) {
      std::vector<const Packet*> packets = all_of(one);
      packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(at));
      blames.look(one, packets, fmt::format("without packet {}", at + 1));
    }
}

TEST_P(DamagedCapture, WithoutSomeFramesBlamesNobody) {
  constexpr std::size_t kPhases = 7;
  for (const Capture& one : captures)
    for (std::size_t phase = 0; phase < kPhases; phase += kWalkedPart) {
      std::vector<const Packet*> packets;
      for (std::size_t at = 0; at < one.packets.size(); ++at)
        if (at % kPhases != phase) packets.push_back(&one.packets[at]);
      blames.look(one, packets, fmt::format("without every 7th packet from {}", phase + 1));
    }
}

TEST_P(DamagedCapture, WithNeighboursSwappedBlamesNobody) {
  for (const Capture& one : captures)
    for (const std::size_t at : places(one.packets.size())) {
      if (at + 1 >= one.packets.size()) continue;
      std::vector<const Packet*> packets = all_of(one);
      Packet earlier = one.packets[at + 1], later = one.packets[at];
      std::swap(earlier.time_ns(), later.time_ns());
      packets[at] = &earlier;
      packets[at + 1] = &later;
      blames.look(one, packets, fmt::format("with packets {} and {} swapped", at + 1, at + 2));
    }
}

// The order of frames with equal time stamps is unknown, though nothing is missing.
TEST_P(DamagedCapture, WithNeighboursOfOneTimeStampSwappedBlamesNobody) {
  for (const Capture& one : captures)
    for (const std::size_t at : places(one.packets.size())) {
      if (at + 1 >= one.packets.size()) continue;
      std::vector<const Packet*> packets = all_of(one);
      Packet earlier = one.packets[at + 1], later = one.packets[at];
      later.time_ns() = earlier.time_ns();
      earlier.order_unknown() = later.order_unknown() = true;
      packets[at] = &earlier;
      packets[at + 1] = &later;
      blames.look(one, packets, fmt::format("with packets {} and {} swapped, of one time stamp", at + 1, at + 2),
                  kUncut, Completeness::complete);
    }
}

TEST_P(DamagedCapture, OfOneDirectionBlamesNobody) {
  for (const Capture& one : captures) {
    std::set<std::pair<std::string, bool>> seen;
    for (const Packet& first : one.packets)
      for (const bool kept : {true, false}) {
        const pcap::Endpoint source = first.source();
        if (!seen.insert({to_string(source), kept}).second) continue;
        std::vector<const Packet*> packets;
        for (const Packet& packet : one.packets)
          if ((packet.source() == source) == kept) packets.push_back(&packet);
        blames.look(one, packets, fmt::format("{} what {} sent", kept ? "only" : "without", to_string(source)));
      }
  }
}

TEST_P(DamagedCapture, FromTheMiddleOnBlamesNobody) {
  for (const Capture& one : captures)
    for (const std::size_t at : places(one.packets.size())) {
      const std::vector<const Packet*> all = all_of(one);
      blames.look(one, {all.begin() + static_cast<std::ptrdiff_t>(at), all.end()},
                  fmt::format("from packet {} on", at + 1));
    }
}

TEST_P(DamagedCapture, UntilTheMiddleBlamesNobody) {
  for (const Capture& one : captures)
    for (const std::size_t at : places(one.packets.size())) {
      const std::vector<const Packet*> all = all_of(one);
      blames.look(one, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at)},
                  fmt::format("before packet {}", at + 1));
    }
}

TEST_P(DamagedCapture, CutBlamesNobody) {
  constexpr std::size_t kMost = 129;
  for (const Capture& one : captures) {
    // A snap length of the longest packet cuts nothing.
    std::size_t longest = 0;
    for (const Packet& packet : one.packets) longest = std::max(longest, packet.octets.size());
    blames.look_cut(one, std::min(longest, kMost));
  }
}

TEST_P(DamagedCapture, WithEveryFrameTwiceBlamesNobody) {
  for (const Capture& one : captures) {
    std::vector<const Packet*> packets;
    for (const Packet& packet : one.packets) packets.insert(packets.end(), 2, &packet);
    blames.look(one, packets, "every packet twice");
  }
}

TEST_P(DamagedCapture, WithoutOneSideFromTheMiddleOnBlamesNobody) {
  for (const Capture& one : captures)
    for (const std::size_t at : places(one.packets.size())) {
      const pcap::Endpoint lost = one.packets[at].source();
      std::vector<const Packet*> packets;
      for (std::size_t i = 0; i < one.packets.size(); ++i)
        if (i < at || !(one.packets[i].source() == lost)) packets.push_back(&one.packets[i]);
      blames.look(one, packets, fmt::format("without what {} sent from packet {} on", to_string(lost), at + 1));
    }
}

TEST_P(DamagedCapture, WithCoarseTimeStampsAndWithoutSomeFramesBlamesNobody) {
  constexpr std::size_t kPhases = 5;
  for (const Capture& one : captures)
    for (const std::int64_t resolution_ns : {1'000'000, 1'000'000'000}) {
      std::vector<Packet> coarse = one.packets;
      for (Packet& packet : coarse) packet.time_ns() -= packet.time_ns() % resolution_ns;
      for (std::size_t phase = 0; phase < kPhases; phase += kWalkedPart) {
        std::vector<const Packet*> packets;
        for (std::size_t at = 0; at < coarse.size(); ++at)
          if (at % kPhases != phase) packets.push_back(&coarse[at]);
        blames.look(one, packets,
                    fmt::format("in steps of {} ns without every 5th packet from {}", resolution_ns, phase + 1));
      }
    }
}

// Returns the capture as two taps with different clocks would make it, one for each direction: frames from `source` are
// later by this much.
std::vector<Packet> skewed(const Capture& capture, const pcap::Endpoint& source, std::int64_t skew_ns) {
  std::vector<Packet> packets = capture.packets;
  for (Packet& packet : packets)
    if (packet.source() == source) packet.time_ns() += skew_ns;
  std::ranges::stable_sort(packets, {}, [](const Packet& one) { return one.time_ns(); });
  return packets;
}
constexpr std::int64_t kSkews[] = {50'000, -50'000, 500'000, -500'000, 2'000'000, -2'000'000, 5'000'000, -5'000'000};

TEST_P(DamagedCapture, OfTwoClocksBlamesNobody) {
  for (const Capture& one : captures) {
    if (one.packets.empty()) continue;
    for (const std::int64_t skew_ns : kSkews) {
      const std::vector<Packet> packets = skewed(one, one.packets.front().source(), skew_ns);
      blames.look(one, pointers(packets), fmt::format("the first sender's clock being ahead by {} ns", skew_ns));
    }
  }
}

// TCP's numbers order what two clocks do not, so that nothing is lost either.
TEST_P(DamagedCapture, OfTwoClocksShowsTheSameOverTcp) {
  std::size_t looked_at = 0;
  for (const Capture& one : captures) {
    const bool is_tcp = !one.packets.empty() && std::ranges::all_of(one.packets, [](const Packet& packet) {
      return std::holds_alternative<pcap::Segment>(packet.header);
    });
    // A FIN after the other side's reset shows nothing. By another clock, it is a FIN before the reset.
    if (!is_tcp || one.name == "mpa-broken-off.pcapng") continue;
    for (const std::int64_t skew_ns : kSkews) {
      const std::vector<Packet> packets = skewed(one, one.packets.front().source(), skew_ns);
      EXPECT_EQ(broken_in(protocol, pointers(packets), Completeness::complete), one.broken)
          << one.name << ", the first sender's clock being ahead by " << skew_ns << " ns";
      ++looked_at;
    }
  }
  const bool has_tcp = protocol.name == "rdmap" || protocol.name == "umsp" || protocol.name == "smbd";
  EXPECT_EQ(looked_at > 0, has_tcp);
  blames.look(captures.front(), all_of(captures.front()), "nothing");
}

// RoCE's packet sequence numbers show the order, too, also if a side's packets come before the other side's message
// that opens the connection.
constexpr std::int64_t kRoceSkews[] = {50'000,     -50'000,    500'000,     -500'000,      5'000'000,
                                       -5'000'000, 50'000'000, -50'000'000, 1'000'000'000, -1'000'000'000};
TEST_P(DamagedCapture, OfTwoClocksShowsTheSameOverRoce) {
  std::size_t looked_at = 0;
  for (const Capture& one : captures) {
    if (!are_roce(all_of(one))) continue;
    for (const std::int64_t skew_ns : kRoceSkews) {
      const std::vector<Packet> packets = skewed(one, one.packets.front().source(), skew_ns);
      EXPECT_EQ(broken_in(protocol, pointers(packets), Completeness::complete), one.broken)
          << one.name << ", the first sender's clock being ahead by " << skew_ns << " ns";
      ++looked_at;
    }
  }
  EXPECT_EQ(looked_at > 0, protocol.name == "smbd");
  blames.look(captures.front(), all_of(captures.front()), "nothing");
}

INSTANTIATE_TEST_SUITE_P(Each, DamagedCapture, ::testing::ValuesIn(all_walked()), [](const auto& each) {
  return fmt::format("{}{}", each.param.protocol->name, each.param.is_faulty ? "_beside_a_faulty_peer" : "");
});

// --- a peer that cannot send has no duty to answer yet

// The requester of a read that is never answered announces this room, at this time after the request.
struct Room {
  std::chrono::seconds after;
  std::uint16_t window;
};

// The rules that are warned of then.
std::set<std::string_view> warned_with(const std::vector<Room>& said) {
  const Protocol& rdmap = *find_protocol("rdmap");
  const std::vector<Packet> packets =
      read_packets(WIRELAW_SOURCE_DIR "/corpora/rdmap/violating/RDMAP-5.2-1-never-answered.pcapng");
  const Packet& request = packets.at(packets.size() - 2);  // the last is another flow's, two minutes later
  std::vector<Packet> rooms;
  for (const Room& room : said) {
    auto segment = std::get<pcap::Segment>(request.header);
    segment.seq += segment.wire_length;
    segment.wire_length = 0;
    segment.time_ns += std::chrono::nanoseconds(room.after).count();
    segment.window = room.window;
    rooms.push_back({segment, {}});
  }
  std::vector<const Packet*> all = pointers(packets);
  for (const Packet& room : rooms) all.insert(all.end() - 1, &room);
  std::set<std::string_view> warned;
  const Results results = results_of(rdmap, all, Completeness::complete);
  for (const RuleResult& one : results.rules)
    if (one.warned > 0) warned.insert(one.rule->id);
  return warned;
}

TEST(ClosedWindow, HoldsWhatIsDueUntilItHasBeenOpenForTheGrace) {
  using namespace std::chrono_literals;
  const auto unanswered = testing::Contains("RDMAP-5.2-1");
  EXPECT_THAT(warned_with({}), unanswered);
  EXPECT_THAT(warned_with({{1s, 0}}), testing::Not(unanswered));
  EXPECT_THAT(warned_with({{1s, 0}, {60s, 8192}}), testing::Not(unanswered));
  EXPECT_THAT(warned_with({{1s, 0}, {15s, 8192}}), unanswered);
}

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Captures as they are: frames are missing, in another order, cut, of one direction, from the middle on. Whatever is
// done to the capture of honest peers, nobody is found to break a rule, as long as the capture is not known to be
// complete. (That in a complete one every fault is still found is what traces_test demands.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>
#include <walked_part.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <variant>

#include "harness/check/check.h"

namespace wirelaw {
namespace {

// A datagram or a segment, with its own octets.
struct Packet {
  std::variant<pcap::Datagram, pcap::Segment> header;
  OctetBuffer octets;
};

struct Capture {
  std::string name;
  const Protocol* protocol;
  std::vector<Packet> packets;
  std::set<std::string_view> broken;  // rules that are found broken in it, whole and complete
};

template <class Header>
Packet own(const Header& header) {
  return {header, {header.payload.begin(), header.payload.end()}};
}

std::vector<Packet> read(const std::filesystem::path& path) {
  std::vector<Packet> packets;
  auto reader = pcap::PacketReader::open(path.string(), {.in_time_order = true});
  EXPECT_TRUE(reader) << path;
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (pcap::Transport found; (found = reader->next(datagram, segment)) != pcap::Transport::none;) {
    if (found == pcap::Transport::tcp)
      packets.push_back(own(segment));
    else
      packets.push_back(own(datagram));
  }
  return packets;
}

constexpr std::size_t kUncut = static_cast<std::size_t>(-1);

void check(Checker& checker, const Protocol& protocol, const std::vector<const Packet*>& packets,
           Completeness completeness, std::size_t cut) {
  checker.begin_file({.protocol = &protocol}, completeness);
  std::uint64_t frame = 0;
  for (const Packet* packet : packets) {
    std::visit(
        [&](auto header) {
          header.frame = ++frame;
          header.payload = Octets(packet->octets).first(std::min(cut, packet->octets.size()));
          checker.take(header);
        },
        packet->header);
  }
  checker.end_file(completeness);
}

std::set<std::string_view> broken_in(Checker& checker) {
  std::set<std::string_view> broken;
  for (const RuleResult& one : checker.take_results().rules)
    if (one.failed > 0) broken.insert(one.rule->id);
  return broken;
}

std::set<std::string_view> broken_in(const Protocol& protocol, const std::vector<const Packet*>& packets,
                                     Completeness completeness, std::size_t cut = kUncut) {
  Checker checker({.protocol = &protocol});
  check(checker, protocol, packets, completeness, cut);
  return broken_in(checker);
}

std::vector<const Packet*> all_of(const Capture& capture) {
  std::vector<const Packet*> packets;
  for (const Packet& one : capture.packets) packets.push_back(&one);
  return packets;
}

// Of long captures a sample: every place would take too long.
std::vector<std::size_t> places(std::size_t count) {
  constexpr std::size_t kMost = 64 / kWalkedPart;
  std::vector<std::size_t> at;
  const std::size_t step = count / kMost + 1;
  for (std::size_t i = 0; i < count; i += step) at.push_back(i);
  return at;
}

std::vector<Capture> captures_of(const Protocol& protocol) {
  const std::filesystem::path corpora = WIRELAW_SOURCE_DIR "/corpora";
  const std::map<std::string_view, std::string_view> kCaptures{{"rdmap", "iwarp"}};
  const auto renamed = kCaptures.find(protocol.name);
  std::vector<std::filesystem::path> files;
  for (const auto& folder : {corpora / protocol.name / "conforming",
                             corpora / "captures" / (renamed == kCaptures.end() ? protocol.name : renamed->second)}) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) files.push_back(file.path());
  }
  std::ranges::sort(files);
  std::vector<Capture> captures;
  for (const auto& file : files) {
    Capture one{.name = file.filename().string(), .protocol = &protocol, .packets = read(file), .broken = {}};
    one.broken = broken_in(protocol, all_of(one), Completeness::complete);
    captures.push_back(std::move(one));
  }
  return captures;
}

// Who is blamed, and what was done; one line a rule.
class Blames {
 public:
  void look(const Capture& capture, const std::vector<const Packet*>& packets, const std::string& damage,
            std::size_t cut = kUncut) {
    ++variants_;
    for (const std::string_view rule : broken_in(*capture.protocol, packets, Completeness::unknown, cut)) {
      if (capture.broken.contains(rule)) continue;
      std::string& first = first_[rule];
      if (first.empty()) first = capture.name + ", " + damage;
      ++count_[rule];
    }
  }
  // The same with each of these lengths, by one checker: only where something is found is it asked which of them it
  // was.
  void look_cut(const Capture& capture, std::size_t lengths) {
    const std::vector<const Packet*> packets = all_of(capture);
    Checker checker({.protocol = capture.protocol});
    for (std::size_t cut = 0; cut < lengths; ++cut)
      check(checker, *capture.protocol, packets, Completeness::unknown, cut);
    if (std::ranges::includes(capture.broken, broken_in(checker))) {
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

class DamagedCapture : public ::testing::TestWithParam<const Protocol*> {
 protected:
  void TearDown() override {
    EXPECT_EQ(blames.text(), "");
    EXPECT_GT(blames.variants(), 0u);
  }
  std::vector<Capture> captures = captures_of(*GetParam());
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
      const auto time_of = [](Packet& packet) -> std::int64_t& {
        return std::visit([](auto& header) -> std::int64_t& { return header.time_ns; }, packet.header);
      };
      std::swap(time_of(earlier), time_of(later));
      packets[at] = &earlier;
      packets[at + 1] = &later;
      blames.look(one, packets, fmt::format("with packets {} and {} swapped", at + 1, at + 2));
    }
}

TEST_P(DamagedCapture, OfOneDirectionBlamesNobody) {
  for (const Capture& one : captures) {
    const auto source_of = [](const Packet& packet) {
      return std::visit([](const auto& header) { return header.source; }, packet.header);
    };
    std::set<std::pair<std::string, bool>> seen;
    for (const Packet& first : one.packets)
      for (const bool kept : {true, false}) {
        const pcap::Endpoint source = source_of(first);
        if (!seen.insert({to_string(source), kept}).second) continue;
        std::vector<const Packet*> packets;
        for (const Packet& packet : one.packets)
          if ((source_of(packet) == source) == kept) packets.push_back(&packet);
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
    // What is as long as the longest packet cuts nothing.
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

INSTANTIATE_TEST_SUITE_P(Each, DamagedCapture, ::testing::ValuesIn(protocols().begin(), protocols().end()),
                         [](const auto& each) { return std::string(each.param->name); });

// --- who cannot send owes nothing yet

// The requester of a read that is never answered says this of its room, so long after the request.
struct Room {
  std::chrono::seconds after;
  std::uint16_t window;
};

std::set<std::string_view> broken_with(const std::vector<Room>& said) {
  const Protocol& rdmap = *find_protocol("rdmap");
  const std::vector<Packet> packets =
      read(WIRELAW_SOURCE_DIR "/corpora/rdmap/violating/RDMAP-5.2-1-never-answered.pcapng");
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
  std::vector<const Packet*> all;
  for (const Packet& packet : packets) all.push_back(&packet);
  for (const Packet& room : rooms) all.insert(all.end() - 1, &room);
  return broken_in(rdmap, all, Completeness::complete);
}

TEST(ClosedWindow, HoldsWhatIsDueUntilItHasBeenOpenForTheGrace) {
  using namespace std::chrono_literals;
  const auto unanswered = testing::Contains("RDMAP-5.2-1");
  EXPECT_THAT(broken_with({}), unanswered);
  EXPECT_THAT(broken_with({{1s, 0}}), testing::Not(unanswered));
  EXPECT_THAT(broken_with({{1s, 0}, {60s, 8192}}), testing::Not(unanswered));
  EXPECT_THAT(broken_with({{1s, 0}, {15s, 8192}}), unanswered);
}

// --- what settles a breach though the capture may lack something

const Protocol& protocol(std::string_view name) {
  return *find_protocol(name);
}
std::vector<Packet> violating(std::string_view name, std::string_view file) {
  return read(fmt::format("{}/corpora/{}/violating/{}.pcapng", WIRELAW_SOURCE_DIR, name, file));
}
std::vector<const Packet*> pointers(const std::vector<Packet>& packets) {
  std::vector<const Packet*> all;
  for (const Packet& packet : packets) all.push_back(&packet);
  return all;
}

// The packets of one message contradict each other, and the other side's HANDSHAKE comes again behind them: it has the
// connid that it had before, or another one.
class ContradictoryMessage : public testing::TestWithParam<std::string_view> {
 protected:
  static std::vector<Packet> trace() { return violating("efa", GetParam()); }
  static bool is_broken(const std::vector<Packet>& packets) {
    const std::string_view rule = GetParam().substr(0, GetParam().find('-', GetParam().find('-', 4) + 1));
    return broken_in(protocol("efa"), pointers(packets), Completeness::unknown).contains(rule);
  }
  static Packet handshake_again(const std::vector<Packet>& packets) {
    Packet again = packets.at(1);
    std::get<pcap::Datagram>(again.header).time_ns = std::get<pcap::Datagram>(packets.back().header).time_ns + 1000;
    return again;
  }
};

TEST_P(ContradictoryMessage, IsHeldBackAsLongAsAnEndpointMayHaveBeenReplaced) {
  EXPECT_FALSE(is_broken(trace()));
}

TEST_P(ContradictoryMessage, FailsItsSenderOnceThePeerShowsThatItIsTheSame) {
  std::vector<Packet> packets = trace();
  packets.push_back(handshake_again(packets));
  EXPECT_TRUE(is_broken(packets));
}

TEST_P(ContradictoryMessage, IsHeldBackWhereThePeerIsAnotherOne) {
  std::vector<Packet> packets = trace();
  Packet another = handshake_again(packets);
  const Octet connid[] = {0xb3, 0xb2, 0xb1, 0xb0};
  const auto at = std::search(another.octets.begin(), another.octets.end(), std::begin(connid), std::end(connid));
  ASSERT_NE(at, another.octets.end());
  *at ^= 1;
  packets.push_back(another);
  EXPECT_FALSE(is_broken(packets));
}

INSTANTIATE_TEST_SUITE_P(Each, ContradictoryMessage,
                         testing::Values("EFA-3.2-44", "EFA-3.2-45", "EFA-4.5-4", "EFA-4.5-5", "EFA-4.5-6", "EFA-4.5-7",
                                         "EFA-4.5-10"),
                         [](const auto& each) {
                           std::string name(each.param);
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

// Sixteen million RPCs are not missing between two packets a millisecond apart, whatever else is.
TEST(MirroredRpcIds, FailWhereNoTimeWasForThoseBetween) {
  const auto is_broken = [](std::chrono::nanoseconds between) {
    std::vector<Packet> packets = violating("ramcloud", "RAMCLOUD-header-4");
    std::int64_t n = 0;
    for (Packet& packet : packets) std::get<pcap::Datagram>(packet.header).time_ns = n++ * between.count();
    return broken_in(protocol("ramcloud"), pointers(packets), Completeness::unknown).contains("RAMCLOUD-header-4");
  };
  EXPECT_TRUE(is_broken(std::chrono::milliseconds{1}));
  EXPECT_FALSE(is_broken(std::chrono::seconds{10}));
}

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Captures whose frames are put into tags and tunnels. They are judged like the plain ones, with the same octets and
// frames, in every carrier, and also if only some of the frames are carried. A damaged capture blames no side that the
// plain one with the same damage does not blame.
#include <gmock/gmock.h>
#include <test_paths.h>
#include <walked_part.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "harness/check/check_files.h"
#include "harness/check/packets_test.h"
#include "pcap/frame_builder.h"
#include "pcap/mpacket.h"
#include "pcap/mpacket_builder.h"
#include "pcap/reader.h"
#include "pcap/synthesis.h"
#include "pcap/temporary_directory.h"
#include "pcap/wrapping.h"
#include "reference/octets/hex.h"

namespace wirelaw {
namespace {

using pcap::testing::carries;
using pcap::testing::Record;
using pcap::testing::TemporaryDirectory;
using pcap::testing::Wrapping;
using pcap::testing::wrappings;
using ::testing::IsEmpty;
using Records = std::vector<Record>;

struct Source {
  std::string_view file;
  std::vector<std::string> decode_as = {};
};
void PrintTo(const Source& source, std::ostream* out) {
  *out << source.file;
}

// One capture of each protocol, and of each of its transports over IP. They are small, and most have a fault.
const std::vector<Source> kSources{
    {"captures/iwarp/siw_term_read-oob.pcap"},
    {"captures/found/smbd-credit-lost-behind-the-tap-iwarp.pcap"},
    {"captures/found/10f-control-far-starting-psns.pcap"},  // SMB Direct over RoCEv2
    {"captures/found/14d-roce-v1.pcap"},
    {"captures/efa/efa-1170-01-handshake.pcap", {"udp.port=53884,efa"}},
    {"efa/violating/EFA-1.3-1.pcapng"},
    {"captures/found/umsp-06-begin-sq-in-second-two-conns.pcap"},
    {"captures/ramcloud/ramcloud-cpp2016-open-single.pcap"},
    {"ramcloud/violating/RAMCLOUD-ack-1.pcapng"},
};
const std::vector<Source> kLongerSources{
    {"captures/iwarp/siw_ib_write_lat_n10.pcap"},
    {"captures/smbd/siw_smbd_mount_ls_small.pcap"},
    {"captures/ramcloud/ramcloud-cpp2016-channels.pcap", {"udp.port=21202,ramcloud"}},
};

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr int kEthernet = 1;  // LINKTYPE_ETHERNET

void add(Records& records, std::int64_t time_ns, OctetBuffer frame) {
  records.push_back({.octets = std::move(frame),
                     .seconds = static_cast<std::uint32_t>(time_ns / kSecond),
                     .fraction = static_cast<std::uint32_t>(time_ns % kSecond)});
}

// Ethernet frames. What a device carried without IP is put into UDP.
Records read(const Source& source) {
  Records records;
  const std::string path = WIRELAW_SOURCE_DIR "/corpora/" + std::string(source.file);
  auto reader = pcap::Reader::open(path);
  EXPECT_TRUE(reader) << path;
  if (reader->link_type() != kEthernet) {
    for (const Packet& packet : read_packets(path)) {
      const auto& datagram = std::get<pcap::Datagram>(packet.header);
      OctetBuffer frame;
      EXPECT_TRUE(pcap::synthesise_datagram(datagram.source, datagram.destination, packet.octets, frame));
      add(records, packet.time_ns(), std::move(frame));
    }
    return records;
  }
  for (pcap::Frame frame; reader->next(frame);) add(records, frame.time_ns, {frame.octets.begin(), frame.octets.end()});
  return records;
}

OctetBuffer pcap_of(const Records& records, int link_type = kEthernet) {
  return pcap::testing::pcap_file({.link_type = link_type, .nanoseconds = true}, records);
}

FileResults judge(const Records& records, const Source& source, int link_type = kEthernet) {
  CheckOptions options;
  for (const std::string& one : source.decode_as) options.decode_as.push_back(parse_decode_as(one).value());
  const TemporaryDirectory directory;
  const std::vector<std::string> files{directory.write("t.pcap", pcap_of(records, link_type))};
  return check_files(files, options);
}

// The octets of a frame that a finding is about.
std::string octets_at(const FindingPlace& place, const Records& records) {
  const Octets frame = records.at(place.frame - 1).octets;
  if (place.frame_offset + place.length > frame.size()) return "beyond its frame";
  return to_hex(frame.subspan(place.frame_offset, place.length));
}

// Everything that a report states about a capture, except for the positions of octets in frames.
std::vector<std::string> account(const FileResults& judged, const Records& records) {
  std::vector<std::string> lines;
  const Results& results = judged.results;
  for (const RuleResult& one : results.rules)
    if (one.verdict != Verdict::not_exercised && one.verdict != Verdict::not_applicable)
      lines.push_back(fmt::format("{} {} of {}: {} failed, {} warned, {} held back, {} inconclusive", one.rule->id,
                                  to_string(one.verdict), one.exercised, one.failed, one.warned, one.held_back,
                                  one.inconclusive));
  for (const Finding& one : results.findings) {
    lines.push_back(fmt::format("{} {} {} frame {}, message {} of {} by {}, {}+{} {}: {} {} {}",
                                to_string(one.severity), one.held_back ? "held back" : "", one.rule->id, one.frame,
                                one.message, one.flow, one.sender, one.offset, one.length, to_hex(one.octets),
                                one.expected, one.actual, one.explanation));
    for (const FindingPlace& place : one.places)
      lines.push_back(fmt::format("  in frame {}: {}", place.frame, octets_at(place, records)));
  }
  for (const FlowResult& one : results.flows)
    lines.push_back(fmt::format("{} {} {} {} messages, {} octets, {}, {} {}", one.id, one.protocol, one.above,
                                one.messages, one.octets, to_string(one.state), to_string(one.completeness),
                                one.missing));
  for (const InputProblem& one : results.problems)
    lines.push_back(fmt::format("problem: frame {}: {}", one.frame, one.message));
  for (const Input& one : results.inputs)
    lines.push_back(fmt::format("{} frames, {} {}", one.frames, to_string(one.completeness), one.why));
  return lines;
}

// Which frames are put into the carrier.
enum class Choice { all, every_second };

Records wrap(const Records& plain, const Wrapping& in, Choice choice = Choice::all) {
  Records wrapped = plain;
  for (std::size_t i = 0; i < wrapped.size(); i += choice == Choice::all ? 1 : 2)
    if (carries(in, wrapped[i].octets)) wrapped[i].octets = in.wrap(wrapped[i].octets);  // ARP stays where it is
  return wrapped;
}

class Plain {
 public:
  Plain(const Source& source) : Plain(source, read(source)) {}
  Plain(const Source& source, Records records) : source_(source), records_(std::move(records)) {}
  // Returns the lines that differ from those of other records.
  std::string difference(const Records& others) const {
    const std::vector<std::string> is = account(judge(others, source_), others);
    std::string text;
    for (const std::string& line : account_)
      if (std::ranges::find(is, line) == is.end()) text += "- " + line + "\n";
    for (const std::string& line : is)
      if (std::ranges::find(account_, line) == account_.end()) text += "+ " + line + "\n";
    return text.empty() && is != account_ ? "another order" : text;
  }
  const Records& records() const { return records_; }

 private:
  Source source_;
  Records records_;
  std::vector<std::string> account_ = account(judge(records_, source_), records_);
};

class EachSource : public ::testing::TestWithParam<Source> {
 protected:
  const Plain plain_{GetParam()};
};

TEST_P(EachSource, IsJudged) {
  const FileResults judged = judge(plain_.records(), GetParam());
  EXPECT_THAT(judged.results.problems, IsEmpty());
  EXPECT_TRUE(std::ranges::any_of(judged.results.rules, [](const RuleResult& one) { return one.exercised > 0; }));
}

TEST_P(EachSource, IsJudgedTheSameInEachCarrier) {
  for (const Wrapping& carrier : wrappings())
    EXPECT_EQ(plain_.difference(wrap(plain_.records(), carrier)), "") << carrier.name;
}

TEST_P(EachSource, IsJudgedTheSameWithEverySecondFrameInACarrier) {
  for (const Wrapping& carrier : wrappings())
    EXPECT_EQ(plain_.difference(wrap(plain_.records(), carrier, Choice::every_second)), "") << carrier.name;
}

// All pairs would take too long with each source: each has a share of them, and none is left out.
TEST(CarriersInCarriers, AreJudgedTheSame) {
  std::vector<Plain> sources(kSources.begin(), kSources.end());
  std::size_t pairs = 0;
  for (const Wrapping& inner : wrappings())
    for (const Wrapping& outer : wrappings()) {
      const Plain& plain = sources[pairs++ % sources.size()];
      const Records once = wrap(plain.records(), inner);
      if (carries(outer, once.front().octets))
        EXPECT_EQ(plain.difference(wrap(once, outer)), "") << inner.name << " in " << outer.name;
    }
}

// The octets at which the fragments of a frame end, except for the last. Every third frame is one mPacket.
std::vector<std::size_t> fragment_ends(std::size_t frame, std::size_t octets) {
  std::vector<std::size_t> ends;
  constexpr std::size_t kLeast = 60;
  const std::size_t each = kLeast + 4 * frame % 64;
  if (frame % 3 != 0)
    for (std::size_t end = each; end + kLeast <= octets && ends.size() < 5; end += each) ends.push_back(end);
  return ends;
}

// A port sends some frames in fragments, and express frames between these.
TEST_P(EachSource, IsJudgedTheSameInFragmentsOfPreemptableFrames) {
  using pcap::testing::express_mpacket, pcap::testing::mpacket_fragments;
  const OctetBuffer lldp = pcap::testing::ethernet("88cc", OctetBuffer(46));
  Records plain, fragmented;
  std::size_t number = 0;
  for (const Record& one : plain_.records()) {
    const auto keep = [&](Records& records, OctetBuffer octets) {
      records.push_back(one);
      records.back().octets = std::move(octets);
    };
    const auto ends = fragment_ends(number, one.octets.size());
    std::vector<OctetBuffer> parts = mpacket_fragments(one.octets, ends, number);
    if (ends.empty() && number % 2 == 0) parts = {express_mpacket(one.octets)};
    keep(fragmented, parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) keep(fragmented, express_mpacket(lldp)), keep(fragmented, parts[i]);
    // Both captures number the frames alike: the last fragment has the number of the plain frame.
    plain.resize(fragmented.size() - 1, {.octets = lldp, .seconds = one.seconds, .fraction = one.fraction});
    keep(plain, one.octets);
    ++number;
  }
  const auto judged = [](const Records& records, int link_type) {
    std::vector<std::string> lines = account(judge(records, GetParam(), link_type), records);
    // Which octets of a fragment are those of a finding is unknown.
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("  in frame "); });
    return lines;
  };
  EXPECT_EQ(judged(fragmented, pcap::kLinkTypeMpacket), judged(plain, kEthernet));
}

// The port of a tunnel belongs to no protocol: its content has its own ports.
TEST(DecodeAsInATunnel, IsForThePortsWithin) {
  const Source source{"captures/efa/efa-1170-01-handshake.pcap"};
  const Records plain = read(source);
  const auto protocols_in = [&](const Records& records, std::string decode_as) {
    std::set<std::string> all;
    for (const FlowResult& flow : judge(records, {source.file, {std::move(decode_as)}}).results.flows)
      all.insert(flow.protocol);
    return all;
  };
  for (const Wrapping& carrier : wrappings()) {
    const Records wrapped = wrap(plain, carrier);
    EXPECT_THAT(protocols_in(wrapped, "udp.port=53884,ramcloud"), ::testing::Contains("ramcloud")) << carrier.name;
    for (const std::string port : {"4789", "4790", "6081", "2152", "1701", "8472", "37008", "6635"})
      EXPECT_EQ(protocols_in(wrapped, "udp.port=" + port + ",ramcloud"),
                protocols_in(plain, "udp.port=" + port + ",ramcloud"))
          << carrier.name << " " << port;
  }
}

// --- damaged on its way, or at the capture point

struct Damage {
  std::string name;
  Records records;
};

// The sender of each frame; empty if it is no packet.
std::vector<std::string> senders_of(const Records& records) {
  const TemporaryDirectory directory;
  std::vector<std::string> senders(records.size());
  for (const Packet& packet : read_packets(directory.write("t.pcap", pcap_of(records))))
    senders.at(std::visit([](const auto& one) { return one.frame; }, packet.header) - 1) = to_string(packet.source());
  return senders;
}

std::vector<Damage> damages_of(const Records& whole) {
  std::vector<Damage> all;
  const auto keep = [&](std::string name, const auto& is_kept) {
    Damage& damage = all.emplace_back(Damage{std::move(name), {}});
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (is_kept(i)) damage.records.push_back(whole[i]);
  };
  const auto swap = [&](std::string name, std::size_t at, bool one_time_stamp) {
    Records& records = all.emplace_back(Damage{std::move(name), whole}).records;
    std::swap(records[at].octets, records[at + 1].octets);
    if (!one_time_stamp) return;
    records[at].seconds = records[at + 1].seconds;
    records[at].fraction = records[at + 1].fraction;
  };
  const std::vector<std::string> senders = senders_of(whole);
  for (std::size_t at = 0; at < whole.size(); at += kWalkedStep) {
    const std::size_t frame = at + 1;
    keep(fmt::format("without frame {}", frame), [&](std::size_t i) { return i != at; });
    keep(fmt::format("from frame {} on", frame), [&](std::size_t i) { return i >= at; });
    keep(fmt::format("before frame {}", frame), [&](std::size_t i) { return i < at; });
    keep(fmt::format("without the sender of frame {} from then on", frame),
         [&](std::size_t i) { return i < at || senders[i] != senders[at]; });
    keep(fmt::format("what the sender of frame {} sent alone", frame),
         [&](std::size_t i) { return senders[i] == senders[at]; });
    Records& doubled = all.emplace_back(Damage{fmt::format("with frame {} twice", frame), whole}).records;
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(at), whole[at]);
    if (frame == whole.size()) continue;
    swap(fmt::format("with frame {} after the next", frame), at, false);
    swap(fmt::format("with frame {} after the next, of one time stamp", frame), at, true);
  }
  return all;
}

class EachShortSource : public EachSource {};

// Each kind of damage in a different carrier, to all frames or to some.
TEST_P(EachShortSource, IsJudgedTheSameInACarrierIfBothAreDamaged) {
  std::size_t count = 0;
  for (const Damage& damage : damages_of(plain_.records())) {
    const Wrapping& carrier = wrappings()[count % wrappings().size()];
    const Choice choice = count++ % 3 == 0 ? Choice::every_second : Choice::all;
    EXPECT_EQ(Plain(GetParam(), damage.records).difference(wrap(damage.records, carrier, choice)), "")
        << damage.name << " in " << carrier.name;
  }
}

Records cut(const Records& whole, std::size_t snap_length) {
  Records records = whole;
  for (Record& record : records) {
    record.wire_length = static_cast<std::uint32_t>(record.octets.size());
    if (record.octets.size() > snap_length) record.octets.resize(snap_length);
  }
  return records;
}

std::set<std::string> violations_in(const Records& records, const Source& source) {
  std::set<std::string> all;
  for (const Finding& one : judge(records, source).results.findings)
    if (one.severity == Severity::violation) all.insert(fmt::format("{} in frame {}", one.rule->id, one.frame));
  return all;
}

// The same octets of each packet are captured, no matter how many headers precede them.
TEST_P(EachShortSource, IsFoundToBreakTheSameRulesInACarrierIfBothAreCut) {
  constexpr std::size_t kMost = 160, kStep = 3 * kWalkedStep;
  const Records& whole = plain_.records();
  const std::set<std::string> uncut = violations_in(whole, GetParam());
  std::size_t count = 0;
  for (std::size_t snap_length = 0; snap_length < kMost; snap_length += kStep) {
    const Wrapping& carrier = wrappings()[count++ % wrappings().size()];
    const Records wrapped = wrap(whole, carrier);
    const std::size_t added = wrapped.back().octets.size() - whole.back().octets.size();
    EXPECT_EQ(violations_in(cut(wrapped, snap_length + added), GetParam()),
              violations_in(cut(whole, snap_length), GetParam()))
        << "after " << snap_length << " octets in " << carrier.name;
    EXPECT_THAT(violations_in(cut(wrapped, snap_length), GetParam()), ::testing::IsSubsetOf(uncut))
        << "after " << snap_length << " octets of " << carrier.name;
  }
}

std::string name_of(const ::testing::TestParamInfo<Source>& info) {
  std::string name(info.param.file.substr(info.param.file.rfind('/') + 1));
  name.resize(name.rfind('.'));
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Wrapped, EachSource, ::testing::ValuesIn(kSources), name_of);
INSTANTIATE_TEST_SUITE_P(Damaged, EachShortSource, ::testing::ValuesIn(kSources), name_of);
INSTANTIATE_TEST_SUITE_P(WrappedLonger, EachSource, ::testing::ValuesIn(kLongerSources), name_of);

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Our decoders of EFA RDM and RAMCloud RPC agree with our Wireshark dissectors in every field and every summary. The
// inputs are real captures, all sample traces, packets of every type, and octets that are not packets.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <unordered_set>

#include "conformance/protocol.h"
#include "corpora/traces/trace.h"
#include "pcap/frame_builder.h"
#include "pcap/packet_reader.h"
#include "pcap/temporary_directory.h"
#include "pcap/tshark.h"
#include "pcap/writer.h"
#include "reference/efa/packet.h"
#include "reference/octets/hex.h"

namespace wirelaw::corpora {
namespace {

using pcap::testing::attribute;

using Lines = std::vector<std::string>;  // "frame field offset length value", in the order of the capture

const std::string kScripts = WIRELAW_SOURCE_DIR "/pcap/wireshark/";
constexpr std::size_t kShownOctets = 32;  // shown for a field of octets

const Protocol& efa() {
  return *find_protocol("efa");
}
const Protocol& ramcloud() {
  return *find_protocol("ramcloud");
}

// The dissector's name, with which its field names begin.
std::string_view prefix_of(const Protocol& protocol) {
  return &protocol == &efa() ? "efa_rdm" : "ramcloud";
}

// True for a bit of flags: the decoder knows its value, but not its octet.
bool is_bit(std::string_view name) {
  return name.find(".flags.") != std::string_view::npos || name.find(".extra_info.") != std::string_view::npos;
}

std::string line_of(std::uint64_t frame, std::string_view name, std::size_t offset, std::size_t length,
                    const std::string& value) {
  if (is_bit(name)) return fmt::format("{} {} {}", frame, name, value);
  return fmt::format("{} {} {}+{} {}", frame, name, offset, length, value);
}

// --- our fields, in Wireshark's form

std::string without(std::string value, std::string_view tail) {
  const std::size_t at = value.find(tail);
  return at == std::string::npos ? value : value.substr(0, at);
}

// Returns 42 for "0x0000002a (SEND)"; octets are unchanged.
std::string canonical(const Field& field) {
  if (field.name.ends_with(".payload") || field.name.ends_with(".gid")) return without(field.value, "…");
  return std::to_string(std::strtoull(field.value.c_str(), nullptr, 0));
}

// RAMCloud shows each flag as a word.
void list_words(std::uint64_t frame, const Field& field, Lines& lines) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {{"direction", "direction"},
                                                                      {"requestAck", "request_ack"},
                                                                      {"pleaseDrop", "please_drop"},
                                                                      {"reserved1", "reserved1"}};
  unsigned value = 0;
  Lines bits;
  for (unsigned i = 0; i < std::size(kWords); ++i) {
    const bool set = field.value.find(kWords[i].first) != std::string::npos;
    value |= unsigned{set} << i;
    bits.push_back(line_of(frame, fmt::format("{}.{}", field.name, kWords[i].second), 0, 0, set ? "1" : "0"));
  }
  lines.push_back(line_of(frame, field.name, field.offset, field.length, std::to_string(value)));
  lines.insert(lines.end(), bits.begin(), bits.end());
}

void list(const pcap::Datagram& datagram, const Protocol& protocol, Lines& lines) {
  const Decoded decoded = protocol.decode(datagram.payload);
  lines.push_back(fmt::format("{} summary {}", datagram.frame, decoded.summary));
  for (const wirelaw::Field& field : decoded.fields) {
    if (field.name == "ramcloud.flags")
      list_words(datagram.frame, field, lines);
    else
      lines.push_back(line_of(datagram.frame, field.name, field.offset, field.length, canonical(field)));
  }
  if (!decoded.error.empty()) lines.push_back(fmt::format("{} malformed {}", datagram.frame, decoded.error));
}

using ProtocolOf = std::function<const Protocol*(const pcap::Datagram&)>;

struct Listing {
  Lines lines;
  std::vector<std::size_t> offsets;  // offset of the payload in each frame, from frame 1
};

Listing ours(const std::string& path, const ProtocolOf& protocol_of) {
  Listing listing;
  auto reader = pcap::PacketReader::open(path);
  EXPECT_TRUE(reader);
  if (!reader) return listing;
  pcap::Datagram datagram;
  pcap::Segment segment;
  while (reader->next(datagram, segment) != pcap::Transport::none) {
    listing.offsets.resize(datagram.frame, 0);
    listing.offsets.back() = datagram.frame_offset;
    if (const Protocol* const protocol = protocol_of(datagram)) list(datagram, *protocol, listing.lines);
  }
  EXPECT_EQ(reader->problem_count(), 0u);
  return listing;
}

// --- Wireshark's fields

std::string tshark(const std::string& path, std::string_view options) {
  return pcap::testing::tshark(path, options, {kScripts + "efa_rdm.lua", kScripts + "ramcloud_rpc.lua"});
}

bool has_lua_error(const std::string& output) {
  return output.find("Lua Error") != std::string::npos || output.find("lua_script") != std::string::npos;
}

std::size_t number_in(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 0);
}

std::string value_of(const std::string& element, std::string_view name) {
  if (name.ends_with(".payload") || name.ends_with(".gid"))
    return attribute(element, "value").substr(0, 2 * kShownOctets);
  return std::to_string(number_in(attribute(element, "show")));
}

// Reads the output of `tshark -T pdml`, which prints one element per line.
Lines theirs(const std::string& path, const std::vector<std::size_t>& offsets, std::string_view options) {
  Lines lines;
  const std::string output = tshark(path, fmt::format("{} -T pdml", options));
  EXPECT_FALSE(has_lua_error(output)) << output.substr(output.find("Lua Error"), 1000);
  std::istringstream in(output);
  std::uint64_t frame = 0;
  std::string message;
  for (std::string line; std::getline(in, line);) {
    const std::string name = attribute(line, "name");
    if (name == "num" && line.find("<field ") != std::string::npos) frame = number_in(attribute(line, "show"));
    const bool is_ours = name.starts_with("efa_rdm") || name.starts_with("ramcloud");
    if (line.find("<proto ") != std::string::npos && is_ours) {
      const std::string label = attribute(line, "showname");
      lines.push_back(
          fmt::format("{} summary {}", frame, label.substr(std::min(label.find(", "), label.size() - 2) + 2)));
    }
    if (name == "_ws.expert.message" && line.find("<field ") != std::string::npos) message = attribute(line, "show");
    if (name.ends_with(".malformed") && is_ours) lines.push_back(fmt::format("{} malformed", frame));
    if (name == "_ws.expert.message" && !lines.empty() && lines.back() == fmt::format("{} malformed", frame))
      lines.back() += " " + message;
    if (line.find("<field ") == std::string::npos || !is_ours || attribute(line, "show").empty()) continue;
    if (name.find(".as_written.") != std::string::npos) continue;  // a second interpretation, which our decoder lacks
    EXPECT_LE(frame, offsets.size());
    if (frame > offsets.size()) return lines;
    lines.push_back(line_of(frame, name, number_in(attribute(line, "pos")) - offsets[frame - 1],
                            number_in(attribute(line, "size")), value_of(line, name)));
  }
  return lines;
}

// Reports the Info columns that differ from the summaries in `listing`.
void compare_info(const std::string& path, const Lines& listing, std::string_view options) {
  std::istringstream in(tshark(path, fmt::format("{} -T fields -e frame.number -e _ws.col.Info", options)));
  std::unordered_set<std::string> info;
  for (std::string line; std::getline(in, line); info.insert(line)) std::ranges::replace(line, '\t', ' ');
  for (const std::string& line : listing) {
    const std::size_t at = line.find(" summary ");
    if (at == std::string::npos) continue;
    EXPECT_TRUE(info.contains(line.substr(0, at + 1) + line.substr(at + 9))) << line;
  }
}

void compare(const std::string& path, const ProtocolOf& protocol_of, std::string_view options = {}) {
  const Listing we = ours(path, protocol_of);
  const Lines they = theirs(path, we.offsets, options);
  EXPECT_GT(they.size(), 20u) << "Wireshark finds the protocol in it";
  const auto [mine, other] = std::ranges::mismatch(we.lines, they);
  const auto rest = [](const Lines& lines, auto at) {
    std::string text;
    for (std::size_t i = 0; i < 5 && at != lines.end(); ++i, ++at) text += *at + '\n';
    return text;
  };
  EXPECT_TRUE(mine == we.lines.end() && other == they.end()) << "we say\n"
                                                             << rest(we.lines, mine) << "where the dissector says\n"
                                                             << rest(they, other);
  compare_info(path, we.lines, options);
}

// --- the specimens

const Protocol* by_name(const pcap::Datagram& datagram) {
  if (datagram.dissector == "efa_rdm") return &efa();
  return datagram.dissector == "ramcloud" ? &ramcloud() : nullptr;
}

struct Specimen {
  const Protocol* protocol;
  OctetBuffer octets;
};

// Writes the specimens as exported PDUs, which the dissector gets whatever they contain.
std::string write_pdus(const pcap::testing::TemporaryDirectory& directory, const std::vector<Specimen>& specimens) {
  const std::string path = directory.path("specimens.pcapng");
  const pcap::Endpoint a = *pcap::parse_endpoint("[fe80::1]:1"), b = *pcap::parse_endpoint("[fe80::2]:2");
  auto writer = pcap::Writer::create(path);
  EXPECT_TRUE(writer);
  for (const Specimen& one : specimens) EXPECT_TRUE(writer->write_pdu(prefix_of(*one.protocol), a, b, 0, one.octets));
  EXPECT_TRUE(writer->commit());
  return path;
}

void compare(const std::vector<Specimen>& specimens) {
  const pcap::testing::TemporaryDirectory directory;
  compare(write_pdus(directory, specimens), by_name);
}

class Dissectors : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = pcap::testing::reason_without_lua(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

class EfaCaptures : public Dissectors, public ::testing::WithParamInterface<const char*> {};
class RamcloudCaptures : public Dissectors, public ::testing::WithParamInterface<const char*> {};

std::string capture(std::string_view protocol, std::string_view name) {
  return fmt::format("{}/corpora/captures/{}/{}.pcap", WIRELAW_SOURCE_DIR, protocol, name);
}

TEST_P(EfaCaptures, AreDissectedAsWeDecodeThem) {
  compare(capture("efa", GetParam()), by_name);
}

TEST_P(RamcloudCaptures, AreDissectedAsWeDecodeThem) {
  compare(capture("ramcloud", GetParam()), [](const pcap::Datagram&) { return &ramcloud(); });
}

std::string test_name(const ::testing::TestParamInfo<const char*>& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Real, EfaCaptures,
                         ::testing::Values("efa-1170-01-handshake", "efa-1170-02-eager", "efa-1170-05-write"),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Real, RamcloudCaptures,
                         ::testing::Values("ramcloud-cpp2010-open-single", "ramcloud-cpp2016-channels",
                                           "ramcloud-cpp2016-loss-light-clientside", "ramcloud-cpp2016-open-single",
                                           "ramcloud-cpp2016-req100k"),
                         test_name);

TEST_F(Dissectors, ShowAllSampleTracesAsWeDecodeThem) {
  std::vector<Specimen> specimens;
  for (const TraceSet& set : {traces_of("efa"), traces_of("ramcloud")})
    for (const Trace& trace : set.traces)
      for (const TraceMessage& message : trace.messages)
        specimens.push_back({find_protocol(set.protocol), message.octets});
  EXPECT_GT(specimens.size(), 500u);
  compare(specimens);
}

// A packet of this type with all fields that its flags announce, and random values.
OctetBuffer efa_packet(std::uint8_t type, std::uint16_t flags, std::mt19937& random) {
  const auto some = [&](std::size_t count) {
    OctetBuffer octets(count);
    for (Octet& octet : octets) octet = static_cast<Octet>(random());
    return octets;
  };
  const auto few = [&] { return static_cast<std::uint32_t>(random() % 4); };
  efa::Packet packet{.type = type, .flags = flags};
  for (const efa::FieldInfo& info : efa::all_fields())
    if (info.field != efa::Field::type && info.field != efa::Field::version && info.field != efa::Field::flags)
      set(packet, info.field, std::uint64_t{random()} << 32 | random());
  packet.rma_iov_count = few();
  packet.read_iov_count = few();
  packet.nextra_p3 = few() + 2;
  packet.raw_address_size = std::array{32u, 36u, 0u, 17u}[random() % 4];
  const OctetBuffer rma = some(packet.rma_iov_count * efa::layout::kRmaIov);
  const OctetBuffer reads = some(packet.read_iov_count * efa::layout::kRmaIov);
  const OctetBuffer extra = some((packet.nextra_p3 > 3 ? packet.nextra_p3 - 3 : 0) * efa::layout::kExtraInfo);
  const OctetBuffer address = some(packet.raw_address_size), payload = some(random() % 3 * 20);
  packet.rma_iov = rma;
  packet.read_iov = reads;
  packet.extra_info = extra;
  packet.raw_address = address;
  packet.payload = payload;
  return encode(packet);
}

std::vector<Specimen> efa_packets_of_every_type() {
  std::mt19937 random(4);
  std::vector<Specimen> specimens;
  for (unsigned type = 0; type < 256; ++type) {
    const efa::Layout* const layout = efa::find_layout(static_cast<std::uint8_t>(type));
    const std::uint16_t allowed = layout ? layout->allowed : efa::flag::kConnid;
    for (const std::uint16_t flags : {std::uint16_t{0}, allowed, static_cast<std::uint16_t>(random())})
      specimens.push_back({&efa(), efa_packet(static_cast<std::uint8_t>(type), flags, random)});
  }
  return specimens;
}

TEST_F(Dissectors, ShowEveryPacketTypeOfEfaWithEveryHeaderAsWeDecodeThem) {
  compare(efa_packets_of_every_type());
}

TEST_F(Dissectors, ShowBothReadingsOfTheIdsOfAReadrsp) {
  efa::Packet packet = efa::packet_of(efa::PacketType::readrsp);
  packet.recv_id = 7;
  packet.send_id = 9;
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = write_pdus(directory, {{&efa(), encode(packet)}});
  EXPECT_NE(tshark(path,
                   "-T fields -E separator=' ' -e efa_rdm.recv_id -e efa_rdm.send_id -e efa_rdm.as_written.recv_id"
                   " -e efa_rdm.as_written.send_id")
                .find("7 9 9 7\n"),
            std::string::npos);
}

TEST_F(Dissectors, TakeWhatIsWrongForNoReasonToFail) {
  std::vector<Specimen> whole = efa_packets_of_every_type(), hostile;
  for (const TraceSet& set : {traces_of("efa"), traces_of("ramcloud")})
    for (const Trace& trace : set.traces) whole.push_back({find_protocol(set.protocol), trace.messages.front().octets});
  for (const char* name :
       {"efa/efa-1170-01-handshake", "efa/efa-1170-05-write", "ramcloud/ramcloud-cpp2016-open-single"}) {
    auto reader = pcap::PacketReader::open(capture("", name));
    ASSERT_TRUE(reader);
    pcap::Datagram datagram;
    pcap::Segment segment;
    while (reader->next(datagram, segment) != pcap::Transport::none)
      whole.push_back({std::string_view(name).starts_with("efa") ? &efa() : &ramcloud(),
                       {datagram.payload.begin(), datagram.payload.end()}});
  }
  std::mt19937 random(1170);
  for (const Specimen& one : whole)
    for (int copies = 0; copies < 2; ++copies) {
      Specimen damaged = one;
      OctetBuffer& octets = damaged.octets;
      if (octets.size() > 200) octets.resize(200);
      for (auto flips = random() % 4; flips > 0 && !octets.empty(); --flips)
        octets[random() % std::min<std::size_t>(octets.size(), 48)] ^= static_cast<Octet>(1u << random() % 8);
      if (random() % 2 == 0) octets.resize(random() % (octets.size() + 1));
      if (octets.empty()) octets.push_back(9);
      hostile.push_back(std::move(damaged));
    }
  EXPECT_GT(hostile.size(), 1500u);
  compare(hostile);
}

TEST_F(Dissectors, TakeAnEmptyPacketForNoReasonToFail) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string output = tshark(write_pdus(directory, {{&efa(), {}}, {&ramcloud(), {}}}), "-V");
  EXPECT_FALSE(has_lua_error(output)) << output;
  EXPECT_NE(output.find("Frame 2"), std::string::npos);
}

TEST_F(Dissectors, WouldNotHideAnErrorOfTheirs) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = write_pdus(directory, {{&efa(), {9, 4, 0, 0}}});
  std::ofstream(directory.path("broken.lua")) << "local p = Proto('broken', 'Broken')\n"
                                                 "function p.dissector(tvb) return tvb(0, 100):uint() end\n"
                                                 "register_postdissector(p)\n";
  EXPECT_TRUE(has_lua_error(tshark(path, "-V -X lua_script:" + directory.path("broken.lua"))));
}

// --- UDP

// Writes each specimen as a UDP conversation of its own.
std::string write_datagrams(const pcap::testing::TemporaryDirectory& directory,
                            const std::vector<Specimen>& specimens) {
  const std::string path = directory.path("specimens.pcapng");
  pcap::Endpoint a = *pcap::parse_endpoint("192.0.2.1:20000"), b = *pcap::parse_endpoint("192.0.2.2:40000");
  auto writer = pcap::Writer::create(path);
  EXPECT_TRUE(writer);
  for (const Specimen& one : specimens) {
    ++a.port;
    ++b.port;
    EXPECT_TRUE(writer->write_datagram(a, b, 0, one.octets));
  }
  EXPECT_TRUE(writer->commit());
  return path;
}

TEST_F(Dissectors, RecogniseInUdpWhatTheCheckerRecognises) {
  std::mt19937 random(7);
  std::vector<Specimen> specimens = efa_packets_of_every_type();
  for (const TraceSet& set : {traces_of("efa"), traces_of("ramcloud")})
    for (const Trace& trace : set.traces)
      for (const TraceMessage& message : trace.messages)
        if (random() % 8 == 0) specimens.push_back({find_protocol(set.protocol), message.octets});
  const pcap::testing::TemporaryDirectory directory;
  std::istringstream in(
      tshark(write_datagrams(directory, specimens),
             "-T fields -E separator=' ' -E header=y -e frame.number -e efa_rdm.type -e ramcloud.rpc_id"));
  std::string line;
  while (std::getline(in, line) && !line.starts_with("frame.number")) {
  }
  std::size_t recognised[2] = {};
  for (const Specimen& one : specimens) {
    ASSERT_TRUE(std::getline(in, line));
    const auto is = [&](const Protocol& protocol) {
      return protocol.datagrams->recognises({.octets = one.octets, .wire_length = one.octets.size()});
    };
    // The line is "12 9 " for a packet of EFA, "12 0" for one of RAMCloud, else "12 ".
    const std::size_t first = line.find(' ');
    ASSERT_NE(first, std::string::npos);
    const std::size_t second = line.find(' ', first + 1);
    ASSERT_NE(second, std::string::npos);
    EXPECT_EQ(second > first + 1, is(efa())) << line;
    EXPECT_EQ(second + 1 < line.size(), is(ramcloud())) << line;
    recognised[0] += is(efa());
    recognised[1] += is(ramcloud());
  }
  EXPECT_GT(recognised[0], 10u);
  EXPECT_GT(recognised[1], 3u);
}

TEST_F(Dissectors, KeepToAConversationThatTheyHaveRecognised) {
  const efa::Packet eor = efa::packet_of(efa::PacketType::eor);
  OctetBuffer info(8, 1);
  efa::Packet handshake = efa::packet_of(efa::PacketType::handshake);
  handshake.nextra_p3 = 4;
  handshake.extra_info = info;
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("t.pcapng");
  const pcap::Endpoint a = endpoint_of(Side::a), b = endpoint_of(Side::b);
  auto writer = pcap::Writer::create(path);
  ASSERT_TRUE(writer);
  for (const auto& [from, to, packet] : {std::tuple(a, b, eor), std::tuple(a, b, handshake), std::tuple(b, a, eor)})
    ASSERT_TRUE(writer->write_datagram(from, to, 0, encode(packet)));
  ASSERT_TRUE(writer->commit());
  const auto types = [&](std::string_view options) {
    const std::string output = tshark(path, fmt::format("{} -T fields -E header=y -e efa_rdm.type", options));
    return output.substr(output.find("efa_rdm.type\n") + 13);
  };
  EXPECT_EQ(types(""), "\n9\n7\n");
  EXPECT_EQ(types(fmt::format("-d udp.port=={},efa_rdm", b.port)), "7\n9\n7\n") << "Decode As";
  EXPECT_EQ(types("-o efa_rdm.heuristic:FALSE"), "\n\n\n");
}

}  // namespace
}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// Our decoder of UMSP agrees with our Wireshark dissector in every field and every line. The inputs are instructions of
// every code and invalid octets in UDP, and streams cut into TCP segments anywhere.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "conformance/umsp/decode.h"
#include "pcap/frame_builder.h"
#include "pcap/temporary_directory.h"
#include "pcap/tshark.h"
#include "pcap/writer.h"
#include "reference/octets/hex.h"
#include "reference/umsp/address.h"
#include "reference/umsp/example.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::corpora {
namespace {

using pcap::testing::attribute;

using Lines = std::vector<std::string>;  // "summary …", "field offset+length" with the value for headers, "error …"

const std::string kScript = WIRELAW_SOURCE_DIR "/pcap/wireshark/umsp.lua";

constexpr std::size_t kLabel = 200;  // octets of a line that are compared, because Wireshark truncates labels at 240

// A header field has a value to compare; an operand's value is compared by its octets.
bool has_value(std::string_view name) {
  static constexpr std::string_view kBehind[] = {
      "opcode",         "ask",          "pck",          "chn",        "ext",   "opr_length",
      "opr_length_ext", "chain_number", "instr_number", "session_id", "req_id"};
  if (name.starts_with("umsp.ext_header.")) return !name.ends_with(".data");
  return std::ranges::count(kBehind, name.substr(name.rfind('.') + 1)) != 0;
}

std::string line_of(std::string_view name, std::size_t offset, std::size_t length, const std::string& value) {
  const std::string line = fmt::format("{} {}+{}", name, offset, length);
  return has_value(name) ? fmt::format("{} {}", line, std::strtoull(value.c_str(), nullptr, 0)) : line;
}

Lines ours(const std::vector<OctetBuffer>& messages) {
  Lines lines;
  for (const OctetBuffer& octets : messages) {
    const Decoded decoded = umsp::decode_for_people(octets);
    lines.push_back("summary " + decoded.summary.substr(0, kLabel));
    for (const Field& field : decoded.fields)
      lines.push_back(line_of(field.name, field.offset, field.length, field.value));
    if (!decoded.error.empty()) lines.push_back("error " + decoded.error);
  }
  return lines;
}

std::string tshark(const std::string& path, std::string_view options) {
  return pcap::testing::tshark(path, options, {kScript});
}

// A bit of a profile, or an expert info item: the decoder shows them as words.
bool is_extra(std::string_view name) {
  const bool bit = std::ranges::count(name, '.') == 2 && !name.starts_with("umsp.ext_header.");
  return bit || name == "umsp.malformed" || name == "umsp.misfit" || name == "umsp.unassigned";
}

// Reads the output of `tshark -T pdml`. Offsets are relative to the protocol's item.
Lines theirs(const std::string& path) {
  Lines lines;
  const std::string output = tshark(path, "-T pdml");
  EXPECT_EQ(output.find("Lua Error"), std::string::npos) << output.substr(output.find("Lua Error"), 1000);
  std::istringstream in(output);
  std::size_t begin = 0;
  bool malformed = false;
  for (std::string line; std::getline(in, line);) {
    const std::string name = attribute(line, "name");
    const std::size_t at = std::strtoull(attribute(line, "pos").c_str(), nullptr, 0);
    if (name == "umsp" && line.find("<proto ") != std::string::npos) {
      const std::string label = attribute(line, "showname");
      lines.push_back("summary " + label.substr(label.find(", ") + 2, kLabel));
      begin = at;
    }
    if (line.find("<field ") == std::string::npos) continue;
    if (name == "umsp.malformed") malformed = true;
    if (name == "_ws.expert.message" && std::exchange(malformed, false))
      lines.push_back("error " + attribute(line, "show"));
    if (!name.starts_with("umsp.") || is_extra(name)) continue;
    lines.push_back(
        line_of(name, at - begin, std::strtoull(attribute(line, "size").c_str(), nullptr, 0), attribute(line, "show")));
  }
  return lines;
}

void compare(const Lines& we, const Lines& they) {
  const auto [mine, other] = std::ranges::mismatch(we, they);
  const auto some = [](const Lines& lines, auto at) {
    std::string text;
    if (at - lines.begin() >= 4) at -= 4;
    for (std::size_t i = 0; i < 8 && at != lines.end(); ++i, ++at) text += *at + '\n';
    return text;
  };
  EXPECT_TRUE(mine == we.end() && other == they.end()) << "we say\n"
                                                       << some(we, mine) << "where the dissector says\n"
                                                       << some(they, other);
}

const pcap::Endpoint kClient = *pcap::parse_endpoint("192.0.2.1:40000");
const pcap::Endpoint kServer = *pcap::parse_endpoint(fmt::format("192.0.2.2:{}", umsp::kPort));

void compare_datagrams(const std::vector<OctetBuffer>& messages) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("datagrams.pcapng");
  auto writer = pcap::Writer::create(path);
  ASSERT_TRUE(writer);
  for (const OctetBuffer& octets : messages) ASSERT_TRUE(writer->write_datagram(kClient, kServer, 0, octets));
  ASSERT_TRUE(writer->commit());
  compare(ours(messages), theirs(path));
}

// Compares the messages as a stream whose segments have `length(random)` octets.
template <class Length>
void compare_stream(const std::vector<OctetBuffer>& messages, Length length) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("stream.pcapng");
  auto writer = pcap::Writer::create(path);
  ASSERT_TRUE(writer);
  OctetBuffer stream;
  for (const OctetBuffer& octets : messages) stream.insert(stream.end(), octets.begin(), octets.end());
  using pcap::TcpFlags;
  const auto segment = [&](bool client, std::size_t seq, std::uint8_t flags, Octets payload) {
    const pcap::TcpHeader header{.seq = static_cast<std::uint32_t>(seq), .ack = client ? 500u : 100u, .flags = {flags}};
    return writer->write_segment(client ? kClient : kServer, client ? kServer : kClient, 0, header, payload);
  };
  ASSERT_TRUE(segment(true, 99, TcpFlags::kSyn, {}));
  ASSERT_TRUE(segment(false, 499, TcpFlags::kSyn | TcpFlags::kAck, {}));
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t octets = std::min<std::size_t>(length(), stream.size() - at);
    ASSERT_TRUE(segment(true, 100 + at, TcpFlags::kAck, Octets(stream).subspan(at, octets)));
    at += octets;
  }
  ASSERT_TRUE(writer->commit());
  compare(ours(messages), theirs(path));
}

std::vector<OctetBuffer> examples() {
  std::vector<OctetBuffer> messages;
  for (const umsp::Layout& layout : umsp::all_layouts())
    for (const umsp::ExampleShape shape : {umsp::ExampleShape::bare, umsp::ExampleShape::full})
      messages.push_back(example_instruction(layout, shape));
  for (const umsp::ExtensionLayout& layout : umsp::all_extensions()) messages.push_back(example_extension(layout));
  return messages;
}

class UmspDissector : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = pcap::testing::reason_without_lua(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_F(UmspDissector, ShowsEveryInstructionAsWeDecodeIt) {
  compare_datagrams(examples());
}

TEST_F(UmspDissector, ShowsADatagramOfSeveralInstructionsAsWeDecodeIt) {
  std::vector<OctetBuffer> messages(1);
  for (const OctetBuffer& octets : examples()) {
    OctetBuffer& last = messages.back();
    last.insert(last.end(), octets.begin(), octets.end());
    if (last.size() > 150) messages.emplace_back();
  }
  messages.push_back(*from_hex("9c70 0003 0000 00000007 9c50 9f50 9c20 9c00 9c20 9c50"));
  compare_datagrams(messages);
}

// For changed, cut and doubled octets, both still agree and the script does not fail.
TEST_F(UmspDissector, TakesWhatIsWrongForNoReasonToFail) {
  std::mt19937 random(3018);
  std::vector<OctetBuffer> messages;
  for (const OctetBuffer& example : examples())
    for (int copies = 0; copies < 8; ++copies) {
      OctetBuffer octets = example;
      for (auto flips = random() % 4; flips > 0; --flips)
        octets[random() % octets.size()] ^= static_cast<Octet>(1u << random() % 8);
      if (random() % 4 == 0) octets.resize(random() % octets.size() + 1);
      if (random() % 4 == 0) octets.insert(octets.end(), example.begin(), example.end());
      messages.push_back(std::move(octets));
    }
  compare_datagrams(messages);
}

TEST_F(UmspDissector, PutsInstructionsTogetherHoweverTcpHasCutThem) {
  std::mt19937 random(2110);
  compare_stream(examples(), [] { return 1000u; });
  compare_stream(examples(), [&] { return 1 + random() % 40; });
  std::vector<OctetBuffer> few = examples();
  few.resize(40);
  compare_stream(few, [] { return 1u; });
}

TEST_F(UmspDissector, PutsALongInstructionTogether) {
  OctetBuffer data(262'140, Octet{0x5a});
  compare_stream({encode(umsp::make_instruction(132, data)), *from_hex("9c00")}, [] { return 1460u; });
}

}  // namespace
}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// Our decoder of RoCEv2, and of SMB Direct over it, agrees with Wireshark's dissectors (infiniband, smb_direct): they
// show each of our fields under its name, with its value.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "conformance/roce/decode.h"
#include "conformance/smbd/decode.h"
#include "corpora/traces/roce_builder.h"
#include "corpora/traces/trace.h"
#include "pcap/frame_builder.h"
#include "pcap/temporary_directory.h"
#include "pcap/tshark.h"
#include "reference/roce/packet.h"

namespace wirelaw::corpora {
namespace {

using pcap::testing::attribute;

using Values = std::multimap<std::string, std::string>;  // by name, as Wireshark shows them

// Reads the output of `tshark -T pdml`, which prints one element per line. One element of the result per frame.
std::vector<Values> theirs(const std::string& path) {
  std::vector<Values> frames;
  std::istringstream in(pcap::testing::tshark(path, "-T pdml"));
  for (std::string line; std::getline(in, line);) {
    if (line.find("<packet") != std::string::npos) frames.emplace_back();
    if (line.find("<field name=\"infiniband.") == std::string::npos &&
        line.find("<field name=\"smb_direct.") == std::string::npos)
      continue;
    frames.back().emplace(attribute(line, "name"), attribute(line, "show"));
  }
  return frames;
}

// A number in decimal, or octets without separators.
std::string plain(std::string text, bool octets) {
  std::erase(text, ':');
  if (octets) return text;
  return std::to_string(std::strtoull(text.c_str(), nullptr, 0));
}

constexpr std::string_view kOctets[] = {"infiniband.immdt", "infiniband.ieth", "infiniband.payload"};

bool is_octets(std::string_view name) {
  return std::ranges::find(kOctets, name) != std::end(kOctets);
}

struct Comparison {
  std::set<std::string> names;  // names of the fields compared
  std::size_t values = 0;
};

void compare(const std::vector<Field>& ours, const Values& frame, Comparison& comparison) {
  for (const Field& field : ours) {
    const auto [begin, end] = frame.equal_range(field.name);
    // Wireshark does not show a payload that it has dissected further.
    if (begin == end && (field.name == "infiniband.payload" || field.name.starts_with("smb_direct."))) continue;
    const bool octets = is_octets(field.name);
    std::string value = field.value.substr(0, field.value.find(' '));
    const bool shortened = value.ends_with("…");
    if (shortened) value.resize(value.size() - std::string_view("…").size());
    const bool found = std::any_of(begin, end, [&](const auto& one) {
      const std::string shown = plain(one.second, octets);
      return shortened ? shown.starts_with(value) : shown == plain(value, octets);
    });
    EXPECT_TRUE(found) << field.name << " is " << field.value << " here, there "
                       << (begin == end ? "it is not" : begin->second);
    comparison.names.insert(field.name);
    ++comparison.values;
  }
}

void compare(const Trace& trace, Comparison& comparison) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("roce.pcapng");
  ASSERT_TRUE(write_trace(trace, path));
  const auto frames = theirs(path);
  ASSERT_GE(frames.size(), trace.messages.size());
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    SCOPED_TRACE(fmt::format("{} frame {}", trace.name, i + 1));
    const Octets octets = trace.messages[i].octets;
    std::vector<Field> ours = roce::decode_for_people(octets).fields;
    std::erase_if(ours, [](const Field& one) { return one.name == "infiniband.invariant.crc"; });  // not computed yet
    compare(ours, frames[i], comparison);
    const auto packet = roce::decode(octets);
    ASSERT_TRUE(packet);
    const bool whole = packet->is(roce::Kind::send) && packet->row->part == roce::Part::only;
    if (whole) compare(smbd::decode_for_people(packet->payload).fields, frames[i], comparison);
  }
}

class RoceFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pcap::testing::has_tshark()) GTEST_SKIP() << "tshark is not installed";
  }
  Comparison comparison_;
};

TEST_F(RoceFrames, OfTheConformingTracesAreDecodedAsWiresharkDecodesThem) {
  std::size_t traces = 0;
  for (const Trace& trace : traces_of("smbd").traces) {
    if (!trace.is_roce || !trace.violates.empty()) continue;
    ++traces;
    compare(trace, comparison_);
  }
  EXPECT_GT(traces, 8u);
  for (const char* name : {"infiniband.bth.psn", "infiniband.reth.dmalen", "infiniband.aeth.syndrome",
                           "infiniband.ieth", "infiniband.cm.req.localqpn", "infiniband.cm.rep.startpsn",
                           "smb_direct.credits.granted", "smb_direct.data_length"})
    EXPECT_TRUE(comparison_.names.contains(name)) << name << " was compared with nothing";
}

TEST_F(RoceFrames, OfEveryOpcodeAreDecodedAsWiresharkDecodesThem) {
  RoceTraceBuilder script;
  script.start();
  for (const roce::OpcodeRow& row : roce::opcodes()) {
    const OctetBuffer atomic(row.has(roce::Header::atomic) ? 28 : 8, 0x5a), payload(8, 0x61);
    roce::Packet one{.bth = {.opcode = row.opcode,
                             .solicited = true,
                             .partition_key = 0x8001,
                             .destination_qp = script.qpn(Side::b),
                             .ack_request = true,
                             .psn = 0xfedcba}};
    if (row.has(roce::Header::deth)) one.deth = roce::Deth{.queue_key = 0x01020304, .source_qp = 0x050607};
    if (row.has(roce::Header::reth)) one.reth = roce::Reth{0x0102030405060708, 0x090a0b0c, 8};
    if (row.has(roce::Header::aeth)) one.aeth = roce::Aeth{.syndrome = 0x62, .msn = 0x0a0b0c};
    if (row.has(roce::Header::atomic) || row.has(roce::Header::atomic_ack)) one.atomic = atomic;
    if (row.has(roce::Header::immediate)) one.immediate = 0xdeadbeef;
    if (row.has(roce::Header::ieth)) one.invalidated_key = 0x0badcafe;
    one.payload = payload;
    script.packet(Side::a, one);
  }
  compare({.name = "opcodes", .violates = {}, .purpose = {}, .messages = script.take(), .is_roce = true}, comparison_);
  EXPECT_GT(comparison_.values, 300u);
}

}  // namespace
}  // namespace wirelaw::corpora

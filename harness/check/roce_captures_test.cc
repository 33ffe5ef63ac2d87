// SPDX-License-Identifier: Apache-2.0
// RoCEv2 in capture files: flows of connections, what befalls packets on their way, and SMB Direct above them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "corpora/traces/roce_builder.h"
#include "corpora/traces/smbd_builder.h"
#include "corpora/traces/trace.h"
#include "harness/check/check_files.h"
#include "pcap/reader.h"
#include "pcap/roce_synthesis.h"
#include "pcap/temporary_directory.h"
#include "pcap/writer.h"

namespace wirelaw {
namespace {

using corpora::RoceTraceBuilder, corpora::SmbdTraceBuilder, corpora::Trace, corpora::TraceMessage;
using pcap::testing::TemporaryDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Packets = std::vector<TraceMessage>;

FileResults judge(const std::string& file, CheckOptions options = {}) {
  const std::string files[] = {file};
  options.judge.findings_per_rule_and_flow = JudgeLimits::kUnlimited;
  return check_files(files, options);
}

FileResults judge(Packets packets, const CheckOptions& options = {}) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("packets.pcapng");
  const Trace trace{.name = "roce", .violates = {}, .purpose = {}, .messages = std::move(packets), .is_roce = true};
  EXPECT_TRUE(corpora::write_trace(trace, path));
  return judge(path, options);
}

std::set<std::string> rules_of(const FileResults& judged) {
  std::set<std::string> ids;
  for (const Finding& finding : judged.results.findings) ids.emplace(finding.rule->id);
  return ids;
}

// The flows that carry another protocol.
std::vector<FlowResult> connections(const FileResults& judged) {
  std::vector<FlowResult> flows;
  for (const FlowResult& flow : judged.results.flows)
    if (!flow.above.empty()) flows.push_back(flow);
  return flows;
}

std::uint64_t exercised(const FileResults& judged, std::string_view id) {
  for (const RuleResult& rule : judged.results.rules)
    if (rule.rule->id == id) return rule.exercised;
  return 0;
}

// The same between hosts with IPv6.
FileResults judge_in_ipv6(const Packets& packets) {
  const pcap::Endpoint hosts[] = {*pcap::parse_endpoint("[2001:db8::1]:49152"),
                                  *pcap::parse_endpoint("[2001:db8::2]:49152")};
  const TemporaryDirectory directory;
  const std::string path = directory.path("packets.pcapng");
  auto writer = pcap::Writer::create(path);
  EXPECT_TRUE(writer);
  std::int64_t time = 1'700'000'000'000'000'000;
  for (const TraceMessage& one : packets) {
    const std::size_t from = one.sender == Side::a ? 0 : 1;
    pcap::Endpoint to = hosts[1 - from];
    to.port = roce::kPort;
    OctetBuffer frame;
    const Octets packet = Octets(one.octets).first(one.octets.size() - roce::kIcrcOctets);
    EXPECT_TRUE(pcap::synthesise_roce(hosts[from], to, packet, frame));
    const auto length = static_cast<std::uint32_t>(frame.size());
    EXPECT_TRUE(
        writer->write_frame({.time_ns = time += 1'000'000, .link_type = 1, .octets = frame, .wire_length = length}));
  }
  EXPECT_TRUE(writer->commit());
  return judge(path);
}

// A message that is known for what it is.
void send_smb(SmbdTraceBuilder& script, Side side, std::size_t octets) {
  script.data(side, octets, [](smbd::DataTransfer& data) {
    static constexpr auto kSmb = [] {
      std::array<Octet, SmbdTraceBuilder::kMost> all{0xfe, 'S', 'M', 'B'};
      return all;
    }();
    data.buffer = Octets(kSmb).first(data.data_length);
  });
}

// A connection of SMB Direct: the negotiation, a message of several packets each way, and the end. Packets 0 to 2 open
// the connection. After that, each message is followed by its acknowledgment.
Packets conversation() {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.establish();
  for (const std::uint32_t octets : {100u, SmbdTraceBuilder::kMost, 100u})
    for (const Side side : {Side::a, Side::b}) send_smb(script, side, octets);
  script.close();
  return script.take();
}

constexpr std::size_t kOpening = 3;  // packets that open the connection

std::uint32_t psn_of(const TraceMessage& packet) {
  return roce::decode(packet.octets)->bth.psn;
}
bool is(const TraceMessage& packet, roce::Kind kind) {
  return roce::decode(packet.octets)->is(kind);
}
// Returns the index, among the packets, of the `count`th Send of a side.
std::size_t find_send(const Packets& packets, Side side, std::size_t count) {
  for (std::size_t i = 0; i < packets.size(); ++i)
    if (packets[i].sender == side && is(packets[i], roce::Kind::send) && count-- == 0) return i;
  ADD_FAILURE() << "there is no such Send";
  return 0;
}

void expect_judged(const FileResults& judged, std::string_view note = {}) {
  EXPECT_THAT(judged.results.findings, IsEmpty()) << judged.results.findings[0].rule->id;
  const auto flows = connections(judged);
  ASSERT_THAT(flows, SizeIs(1));
  EXPECT_EQ(flows[0].protocol, "roce");
  EXPECT_EQ(flows[0].above, "smbd");
  EXPECT_EQ(flows[0].state, FlowState::judged) << flows[0].note;
  EXPECT_EQ(flows[0].note, note);
}

// -------------------------------------------------------------------------------------------------------- the traces

TEST(SmbdOverRoce, BreaksTheRulesThatItBreaksOverIwarpAndNoOther) {
  std::size_t judged_traces = 0;
  constexpr std::string_view kSuffix = "-roce";
  const TemporaryDirectory directory;
  const std::string path = directory.path("trace.pcapng"), twin_path = directory.path("twin.pcapng");
  const std::vector<Trace> traces = corpora::traces_of("smbd").traces;
  for (const Trace& trace : traces) {
    if (!trace.is_roce) continue;
    ++judged_traces;
    ASSERT_TRUE(corpora::write_trace(trace, path));
    const FileResults judged = judge(path);
    const std::string_view twin_name = std::string_view(trace.name).substr(0, trace.name.size() - kSuffix.size());
    const auto twin = std::ranges::find(traces, twin_name, &Trace::name);
    ASSERT_NE(twin, traces.end()) << trace.name;
    ASSERT_TRUE(corpora::write_trace(*twin, twin_path));
    EXPECT_EQ(rules_of(judged), rules_of(judge(twin_path))) << trace.name;
    EXPECT_EQ(rules_of(judged).empty(), trace.violates.empty()) << trace.name;
    EXPECT_EQ(rules_of(judged).contains(trace.violates), !trace.violates.empty()) << trace.name;
    // One connection carries nothing; the other carries no message that only SMB Direct would send.
    const bool unknown = trace.name == "smbd-no-request-roce" || trace.name == "smbd-begins-late-roce";
    EXPECT_THAT(connections(judged), SizeIs(unknown ? 0 : 1)) << trace.name;
    EXPECT_THAT(judged.results.problems, SizeIs(unknown ? 1 : 0)) << trace.name << ": nothing was judged";
  }
  EXPECT_GT(judged_traces, 70u);
}

TEST(SmbdOverRoce, IsAConnectionOfQueuePairsJudgedFromItsBeginning) {
  const FileResults judged = judge(conversation());
  expect_judged(judged);
  EXPECT_EQ(connections(judged)[0].id, "roce 192.0.2.1:17 - 192.0.2.2:33");
  for (const std::string_view id : {"SMBD-2.2.1-1", "SMBD-2.2.2-1", "SMBD-3.1.5.1-3", "SMBD-3.1.5.4-12"})
    EXPECT_GT(exercised(judged, id), 0u) << id;
}

TEST(SmbdOverRoce, IsTheSameInIpv6) {
  const FileResults judged = judge_in_ipv6(conversation());
  expect_judged(judged);
  EXPECT_EQ(connections(judged)[0].id, "roce [2001:db8::1]:17 - [2001:db8::2]:33");
}

// The packet sequence numbers of side a, which have 24 bits, wrap in every conversation.
TEST(SmbdOverRoce, HasPacketsWhoseNumbersGoRound) {
  const Packets packets = conversation();
  EXPECT_EQ(psn_of(packets[find_send(packets, Side::a, 0)]), 0xfffffeu);
  EXPECT_EQ(psn_of(packets[find_send(packets, Side::a, 3)]), 1u);
}

// Moves the packet sequence numbers of the two sides so that they begin here, and the Starting PSNs with them.
void begin_at(Packets& packets, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t was_a = 0xfffffe, was_b = 0x000500;
  for (TraceMessage& one : packets) {
    roce::Packet packet = *roce::decode(one.octets);
    OctetBuffer mad, moved;
    if (packet.bth.destination_qp == roce::kManagementQpn) {
      auto message = *roce::decode_cm(packet.payload);
      if (message.type == roce::CmType::request) message.starting_psn = b;
      if (message.type == roce::CmType::reply) message.starting_psn = a;
      roce::encode(message, mad);
      packet.payload = mad;
    } else {
      // An acknowledgment has a number of the other side.
      const bool is_of_a = (one.sender == Side::a) != is(one, roce::Kind::acknowledge);
      packet.bth.psn = (packet.bth.psn - (is_of_a ? was_a : was_b) + (is_of_a ? a : b)) & roce::kQpnMask;
    }
    roce::encode(packet, moved);
    one.octets = std::move(moved);
  }
}

// A Starting PSN is the number with which the other side begins. Numbers near each other must not hide which is which.
TEST(SmbdOverRoce, IsJudgedAlikeWhereverItsNumbersBegin) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.establish();
  for (const std::uint32_t octets : {100u, SmbdTraceBuilder::kMost, 100u})
    for (const Side side : {Side::a, Side::b}) send_smb(script, side, octets);
  script.data(Side::a, 100, [](smbd::DataTransfer& data) { data.reserved = 1; });
  script.close();
  const Packets faulty = script.take();
  const auto broken = rules_of(judge(faulty));
  EXPECT_FALSE(broken.empty());
  struct Beginning {
    std::uint32_t a, b;
  };
  for (const auto& [a, b] : {Beginning{7, 7},
                             {7, 8},
                             {8, 7},
                             {0xffffff, 0},
                             {0, 0xffffff},
                             {0x7ffffe, 0x800001},
                             {1000, 1064},
                             {1064, 1000},
                             {0, 0x800000}}) {
    SCOPED_TRACE(fmt::format("{:#x}, {:#x}", a, b));
    Packets honest = conversation();
    begin_at(honest, a, b);
    EXPECT_EQ(psn_of(honest[find_send(honest, Side::a, 0)]), a);
    EXPECT_EQ(psn_of(honest[find_send(honest, Side::b, 0)]), b);
    const FileResults judged = judge(honest);
    expect_judged(judged);
    EXPECT_EQ(exercised(judged, "SMBD-3.1.5.4-12"), exercised(judge(conversation()), "SMBD-3.1.5.4-12"));
    Packets packets = faulty;
    begin_at(packets, a, b);
    EXPECT_EQ(rules_of(judge(packets)), broken);
  }
}

// Nothing is judged in a connection that carries no message. That is not a pass.
TEST(RocePackets, OfConnectionsWithoutMessagesAreNoPass) {
  RoceTraceBuilder script;
  script.start();
  script.close(Side::a);
  script.close(Side::b);
  const Packets all = script.take();
  ASSERT_THAT(all, SizeIs(5));
  for (std::size_t count = 1; count <= all.size(); ++count) {
    SCOPED_TRACE(count);
    const FileResults judged = judge(Packets(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
    EXPECT_THAT(judged.results.findings, IsEmpty());
    EXPECT_FALSE(judged.incomplete.empty());
  }
  RoceTraceBuilder congested;
  congested.start();
  congested.notify_congestion(Side::b);
  congested.acknowledge(Side::a, 0x500);
  EXPECT_FALSE(judge(congested.take()).incomplete.empty());
}

TEST(SmbdOverRoce, HasFindingsThatNameFramesAndTheirOctets) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.establish();
  script.exchange();
  script.data(Side::a, SmbdTraceBuilder::kMost, [](smbd::DataTransfer& data) { data.flags = 2; });
  script.close();
  const FileResults judged = judge(script.take());
  ASSERT_THAT(judged.results.findings, SizeIs(1));
  const Finding& finding = judged.results.findings[0];
  EXPECT_EQ(finding.rule->id, "SMBD-2.2.3-4");
  EXPECT_EQ(finding.offset, 4u);
  ASSERT_THAT(finding.places, SizeIs(1));
  EXPECT_EQ(finding.places[0].frame, 12u);
  EXPECT_EQ(finding.places[0].frame_offset, 14u + 20 + 8 + 12 + 4);
}

// ----------------------------------------------------------------------------------------------- what befalls packets

TEST(RocePackets, ThatAreSentAgainAreJudgedOnce) {
  Packets packets = conversation();
  const std::size_t at = find_send(packets, Side::a, 1);
  packets.insert(packets.begin() + static_cast<std::ptrdiff_t>(at) + 1, {packets[at], packets[at]});
  expect_judged(judge(packets));
}

// The receiver of the second packet asks for the first, and gets both.
TEST(RocePackets, ThatAreLostOnTheWayAndSentAgainAreJudged) {
  Packets packets = conversation();
  const std::size_t at = find_send(packets, Side::a, 2);  // the first of two packets
  const TraceMessage first = packets[at], second = packets[at + 1];
  RoceTraceBuilder nak;
  nak.acknowledge(Side::b, psn_of(first), roce::kSequenceErrorNak);
  packets[at] = second;
  packets[at + 1] = nak.take().front();
  packets.insert(packets.begin() + static_cast<std::ptrdiff_t>(at) + 2, {first, second});
  expect_judged(judge(packets));
}

TEST(RocePackets, ThatWereAcknowledgedAndNotCapturedAreMissing) {
  for (const std::size_t which : {1u, 2u, 3u}) {
    SCOPED_TRACE(which);
    Packets packets = conversation();
    packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(find_send(packets, Side::a, which)));
    const FileResults judged = judge(packets);
    EXPECT_THAT(judged.results.findings, IsEmpty());
    const auto flows = connections(judged);
    ASSERT_THAT(flows, SizeIs(1));
    EXPECT_EQ(flows[0].state, FlowState::partial);
    EXPECT_THAT(flows[0].note, HasSubstr("packets are missing"));
    EXPECT_EQ(flows[0].completeness, Completeness::incomplete);
  }
}

// The capture holds a packet later than it was sent, after its acknowledgment and after what answers it.
TEST(RocePackets, ThatAreLateAreTakenInTheOrderOfTheirNumbers) {
  const Packets all = conversation();
  for (std::size_t at = kOpening; at < all.size(); ++at) {
    if (!is(all[at], roce::Kind::send)) continue;
    for (std::size_t late = 1; at + late < all.size(); ++late) {
      SCOPED_TRACE(fmt::format("packet {} is {} packets late", at, late));
      Packets packets = all;
      const auto from = packets.begin() + static_cast<std::ptrdiff_t>(at);
      std::rotate(from, from + 1, from + 1 + static_cast<std::ptrdiff_t>(late));
      expect_judged(judge(packets));
    }
  }
}

// One side's clock is ahead of the other's by the time in which some packets pass.
TEST(RocePackets, OfTwoClocksAreTakenInTheOrderOfTheirNumbers) {
  const Packets all = conversation();
  for (const Side early : {Side::a, Side::b})
    for (std::size_t by = 1; by < all.size(); by = by * 3 / 2 + 1) {
      SCOPED_TRACE(fmt::format("{} packets", by));
      std::vector<std::pair<std::size_t, TraceMessage>> timed;
      for (std::size_t i = kOpening; i < all.size(); ++i)
        timed.emplace_back(all[i].sender == early ? i : i + by, all[i]);
      std::ranges::stable_sort(timed, {}, [](const auto& one) { return one.first; });
      Packets packets(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kOpening));
      for (auto& [time, packet] : timed) packets.push_back(std::move(packet));
      expect_judged(judge(packets));
    }
}

// Then nothing waits any longer, and what follows is judged.
TEST(RocePackets, AreMissedOnceManyOthersHaveWaitedForThem) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.establish();
  for (int count = 0; count < 400; ++count)
    for (const Side side : {Side::a, Side::b}) send_smb(script, side, 100);
  script.close();
  Packets packets = script.take();
  const std::size_t messages = 2 * 400;
  packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(find_send(packets, Side::a, 3)));
  const FileResults judged = judge(packets);
  EXPECT_THAT(judged.results.findings, IsEmpty());
  const auto flows = connections(judged);
  ASSERT_THAT(flows, SizeIs(1));
  EXPECT_EQ(flows[0].state, FlowState::partial);
  EXPECT_GE(flows[0].messages, messages);
}

// If any single packet is missing, or too early, no side is blamed.
TEST(RocePackets, ThatTheCaptureLacksOrHasInAnotherOrderBlameNobody) {
  const Packets all = conversation();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Packets packets = all;
    packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_THAT(rules_of(judge(packets)), IsEmpty()) << "without packet " << i;
    if (i + 1 == all.size() || all[i].sender != all[i + 1].sender) continue;
    packets = all;
    std::swap(packets[i], packets[i + 1]);
    EXPECT_THAT(rules_of(judge(packets)), IsEmpty()) << "packet " << i << " after the next";
  }
}

// Captures that may lack frames.
TEST(RocePackets, OfACaptureWithAnyDamageBlameNobody) {
  const Packets all = conversation();
  std::mt19937 random(1);
  const auto one_in = [&](unsigned count) { return random() % count == 0; };
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    Packets packets;
    for (const TraceMessage& one : all) {
      if (!one_in(6)) packets.push_back(one);
      if (one_in(12)) packets.push_back(one);
      if (packets.size() > 1 && one_in(8)) std::swap(packets.back(), packets[packets.size() - 2]);
    }
    for (const Finding& finding : judge_in_ipv6(packets).results.findings)
      EXPECT_EQ(finding.severity, Severity::warning) << finding.rule->id << " " << finding.explanation;
  }
}

TEST(RocePackets, OfACaptureThatBeginsLateAreOneConnectionAndBlameNobody) {
  const Packets all = conversation();
  for (std::size_t i = 3; i + 4 < all.size(); ++i) {
    SCOPED_TRACE(i);
    const FileResults judged = judge(Packets(all.begin() + static_cast<std::ptrdiff_t>(i), all.end()));
    EXPECT_THAT(rules_of(judged), IsEmpty());
    EXPECT_THAT(connections(judged), SizeIs(1)) << "both directions are found to be of one connection";
  }
}

// The capture lacks the Communication Manager messages that name the service, and the first message alone does not look
// like a Negotiate Request. The response shows that it is one.
TEST(RocePackets, OfAFaultyRequestAreThoseOfAConnectionThatItsResponseNames) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.connect();
  script.request([](smbd::NegotiateRequest& request) { request.reserved = 1; });
  script.response();
  send_smb(script, Side::a, 100);
  script.close();
  const Packets all = script.take();
  const auto broken = rules_of(judge(all));
  EXPECT_FALSE(broken.empty());
  EXPECT_EQ(rules_of(judge(Packets(all.begin() + 3, all.end()))), broken);
}

TEST(RocePackets, OfTwoConnectionsBetweenTheSameHostsAreKeptApart) {
  std::array<RoceTraceBuilder, 2> scripts{RoceTraceBuilder(0), RoceTraceBuilder(1)};
  Packets packets;
  const OctetBuffer request = smbd::encode(smbd::NegotiateRequest{
      .credits_requested = 10, .preferred_send_size = 1364, .max_receive_size = 1364, .max_fragmented_size = 131'072});
  for (RoceTraceBuilder& script : scripts) {
    script.start();
    script.send(Side::a, request);
    script.close(Side::a);
    script.close(Side::b);
  }
  const Packets one = scripts[0].take(), other = scripts[1].take();
  for (std::size_t i = 0; i < one.size(); ++i) packets.insert(packets.end(), {one[i], other[i]});
  const auto flows = connections(judge(packets));
  ASSERT_THAT(flows, SizeIs(2));
  EXPECT_EQ(flows[0].id, "roce 192.0.2.1:17 - 192.0.2.2:33");
  EXPECT_EQ(flows[1].id, "roce 192.0.2.1:18 - 192.0.2.2:34");
}

TEST(RocePackets, OfCongestionOrOtherProtocolsDoNoHarm) {
  Packets packets = conversation();
  RoceTraceBuilder other;
  other.notify_congestion(Side::a);
  roce::Packet datagram{.bth = {.opcode = roce::opcode::kDatagramSendOnly, .destination_qp = 0x77}};
  datagram.deth = roce::Deth{.queue_key = 1, .source_qp = 0x78};
  other.packet(Side::b, datagram);
  roce::Packet unreliable{.bth = {.opcode = 0x24, .destination_qp = 0x21, .psn = 5}};
  other.packet(Side::a, unreliable);
  const Packets more = other.take();
  packets.insert(packets.begin() + 7, more.begin(), more.end());
  expect_judged(judge(packets));
}

// Memory that is written and read, in messages of several packets.
TEST(RocePackets, OfReadsTakeAsManyNumbersAsTheyHaveResponses) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.establish();
  script.exchange();
  script.lend(Side::a, 3000);
  Packets packets = script.take();
  RoceTraceBuilder rdma;
  while (rdma.psn(Side::b) != roce::psn_after(psn_of(packets[find_send(packets, Side::b, 1)])))
    rdma.send(Side::b, {});  // until its PSN is that of the connection
  rdma.take();
  rdma.read(Side::b, 3000, SmbdTraceBuilder::kToken, SmbdTraceBuilder::kAddress);
  rdma.write(Side::b, OctetBuffer(2500), SmbdTraceBuilder::kToken, SmbdTraceBuilder::kAddress);
  rdma.read(Side::b, 1024, SmbdTraceBuilder::kToken, SmbdTraceBuilder::kAddress);
  const Packets more = rdma.take();
  packets.insert(packets.end(), more.begin(), more.end());
  const FileResults judged = judge(packets);
  expect_judged(judged);
  EXPECT_EQ(exercised(judged, "SMBD-3.1.4.6-1"), 2u);
  EXPECT_EQ(exercised(judged, "SMBD-3.1.4.5-1"), 1u);
}

TEST(RocePackets, BehindAnErrorThatEndsTheConnectionAreNotOwed) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.connect();
  script.request();
  Packets packets = script.take();
  RoceTraceBuilder nak;
  nak.acknowledge(Side::b, psn_of(packets[find_send(packets, Side::a, 0)]), roce::kRemoteAccessNak);
  packets.back() = nak.take().front();
  RoceTraceBuilder late;
  late.notify_congestion(Side::b);
  packets.push_back(late.take().front());
  packets.back().pause_ns = 60 * SmbdTraceBuilder::kSecond;
  EXPECT_THAT(rules_of(judge(packets)), IsEmpty());
}

// ------------------------------------------------------------------------------------------------- the invariant CRC

// A capture file of the packets whose frames are changed.
FileResults judge_frames(
    const std::function<void(std::uint64_t number, OctetBuffer& frame, std::uint32_t& length)>& edit) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("packets.pcapng"), edited = directory.path("edited.pcapng");
  const Trace trace{.name = "roce", .violates = {}, .purpose = {}, .messages = conversation(), .is_roce = true};
  EXPECT_TRUE(corpora::write_trace(trace, path));
  auto reader = pcap::Reader::open(path);
  auto writer = pcap::Writer::create(edited);
  EXPECT_TRUE(reader && writer);
  for (pcap::Frame frame; reader->next(frame);) {
    OctetBuffer octets(frame.octets.begin(), frame.octets.end());
    edit(frame.number, octets, frame.wire_length);
    frame.octets = octets;
    EXPECT_TRUE(writer->write_frame(frame));
  }
  EXPECT_TRUE(writer->commit());
  return judge(edited);
}

TEST(InvariantCrc, ThatIsWrongMakesAPacketOneThatIsNotThere) {
  const FileResults judged = judge_frames([](std::uint64_t number, OctetBuffer& frame, std::uint32_t&) {
    if (number == 8) frame[frame.size() - 20] ^= 1;
  });
  EXPECT_THAT(rules_of(judged), IsEmpty());
  const auto flows = connections(judged);
  ASSERT_THAT(flows, SizeIs(1));
  EXPECT_THAT(flows[0].note, HasSubstr("1 packet with a wrong invariant CRC passed over"));
  EXPECT_THAT(flows[0].note, HasSubstr("packets are missing"));
}

TEST(InvariantCrc, ThatNoPacketHasIsSaidAndBlamesNobody) {
  const FileResults judged = judge_frames(
      [](std::uint64_t, OctetBuffer& frame, std::uint32_t&) { std::fill(frame.end() - 4, frame.end(), Octet{0}); });
  EXPECT_THAT(rules_of(judged), IsEmpty());
  const auto flows = connections(judged);
  ASSERT_THAT(flows, SizeIs(1));
  EXPECT_EQ(flows[0].state, FlowState::judged);
  EXPECT_THAT(flows[0].note, HasSubstr("without an invariant CRC that holds: none was checked"));
}

TEST(InvariantCrc, ThatTheCaptureCutIsSaidAndSoAreMessages) {
  const FileResults judged = judge_frames([](std::uint64_t, OctetBuffer& frame, std::uint32_t&) {
    if (frame.size() > 200) frame.resize(200);
  });
  EXPECT_THAT(rules_of(judged), IsEmpty());
  const auto flows = connections(judged);
  ASSERT_THAT(flows, SizeIs(1));
  EXPECT_THAT(flows[0].note, HasSubstr("invariant CRC was cut off"));
  EXPECT_THAT(flows[0].note, HasSubstr("messages are not whole"));
}

// ------------------------------------------------------------------------------------------------- what the user says

TEST(RoceFlows, AreWhatTheUserSaysTheyAre) {
  CheckOptions options;
  const auto as_smbd = parse_decode_as("udp.port=4791,smbd");
  ASSERT_TRUE(as_smbd) << as_smbd.error();
  options.decode_as = {*as_smbd};
  EXPECT_THAT(connections(judge(conversation(), options)), SizeIs(::testing::Ge(1u)));
  CheckOptions only;
  only.protocol = find_protocol("smbd");
  expect_judged(judge(conversation(), only));
}

}  // namespace
}  // namespace wirelaw

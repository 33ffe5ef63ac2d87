// SPDX-License-Identifier: Apache-2.0
// Storage and message passing that have the same carriers as our protocols: NVMe over RoCE and over TCP, NFS over RDMA,
// iSER, iSCSI, and the ping of libibverbs. The captures are made here, octet by octet, from the public specifications,
// because there is no device to record them with. The data that are read, written and sent contain the keys of our
// protocols. Nothing is recognised and nothing is found, at any port and with any packet as the first.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <string>
#include <utility>
#include <vector>

#include "corpora/traces/roce_builder.h"
#include "harness/check/packets_test.h"
#include "pcap/frame_builder.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw {
namespace {

using corpora::RoceTraceBuilder, corpora::TraceMessage;
using pcap::testing::be16, pcap::testing::be32, pcap::testing::hex, pcap::testing::text;
using pcap::testing::operator+;

OctetBuffer le32(std::uint32_t value) {
  return {static_cast<Octet>(value), static_cast<Octet>(value >> 8), static_cast<Octet>(value >> 16),
          static_cast<Octet>(value >> 24)};
}
OctetBuffer padded(OctetBuffer octets, std::size_t size) {
  octets.resize(size);
  return octets;
}

// Start frames of MPA, a negotiation of SMB Direct and a message of SMB2 in it, first packets of EFA and RAMCloud,
// instructions of UMSP, and FPDUs whose CRCs hold.
OctetBuffer keys() {
  OctetBuffer all = hex("0001 0001 0000 ff00 54050000 00200000 00000200") +
                    hex("ff00 0100 0000 0000 00000000 18000000 40000000 00000000 fe534d42 40000000") +
                    text("MPA ID Req Frame") + hex("40 01 0000") + text("MPA ID Rep Frame") + hex("40 01 0000") +
                    hex("09 04 0000") + OctetBuffer(28) + hex("01020000000101000102000000010100");
  static const std::vector<Packet> kIwarp =
      read_packets(WIRELAW_SOURCE_DIR "/corpora/captures/iwarp/siwcrc_rping_C5_S1024.pcap");
  for (const Packet& packet : kIwarp)
    if (packet.octets.size() < 200) all = all + packet.octets;
  return all;
}

// --- on RoCE

constexpr std::uint32_t kBlock = 4096;

OctetBuffer block() {
  return padded(keys(), kBlock);
}

// NVM Express over Fabrics 1.1a, 2.1 and 3.3: a capsule holds a command of 64 octets, with a keyed SGL, and its data.
OctetBuffer nvme_command(Octet opcode, std::uint32_t id, const OctetBuffer& rest, const OctetBuffer& data = {}) {
  const OctetBuffer head{opcode, 0x40, static_cast<Octet>(id), static_cast<Octet>(id >> 8)};
  const OctetBuffer keyed = hex("0010000000000000") + le32(kBlock) + le32(RoceTraceBuilder::kKey);
  return padded(padded(head + le32(1), 24) + keyed + rest, 64) + data;
}
OctetBuffer nvme_completion(std::uint32_t id, std::uint32_t result = 0) {
  return le32(result) + le32(0) + le32(id & 0xffU) + le32(id);
}

std::vector<TraceMessage> nvme_over_roce(RoceTraceBuilder script) {
  script.send(Side::a, nvme_command(0x7f, 0, hex("01000000"), padded(keys(), 1024)));  // Connect, with its data
  script.send(Side::b, nvme_completion(0, 0x0100));
  for (std::uint32_t id = 1; id < 6; ++id) {
    script.send(Side::a, nvme_command(0x02, id, le32(id)));  // Read
    script.write(Side::b, block());
    script.send(Side::b, nvme_completion(id), RoceTraceBuilder::kKey);
    script.send(Side::a, nvme_command(0x01, id, le32(id)));  // Write
    script.read(Side::b, kBlock);
    script.send(Side::b, nvme_completion(id));
    script.send(Side::a, nvme_command(0x01, id, le32(id), keys()));  // Write, with its data in the capsule
    script.send(Side::b, nvme_completion(id));
  }
  return script.take();
}

// RFC 8166, 4: XID, version, credits, kind of message, chunk lists; then RPC (RFC 5531) with NFS, whose WRITE has the
// data in line.
OctetBuffer rpc_over_rdma(std::uint32_t id, const OctetBuffer& chunks, const OctetBuffer& rpc) {
  return be32(id) + be32(1) + be32(32) + be32(0) + chunks + be32(id) + rpc;
}

std::vector<TraceMessage> nfs_over_rdma(RoceTraceBuilder script) {
  const OctetBuffer none = be32(0) + be32(0) + be32(0);
  const OctetBuffer segment = be32(1) + be32(1) + be32(RoceTraceBuilder::kKey) + be32(kBlock) + be32(0) + be32(0);
  const OctetBuffer call = be32(0) + be32(2) + be32(100003) + be32(4) + be32(1);
  for (std::uint32_t id = 0x01000001; id < 0x01000006; ++id) {
    script.send(Side::a, rpc_over_rdma(id, be32(0) + segment + be32(0) + be32(0), call));  // a list to write to
    script.write(Side::b, block());
    script.send(Side::b, rpc_over_rdma(id, none, be32(1) + OctetBuffer(40)));
    script.send(Side::a, rpc_over_rdma(id, none, call + keys()));
    script.send(Side::b, rpc_over_rdma(id, none, be32(1) + OctetBuffer(40)), RoceTraceBuilder::kKey);
  }
  return script.take();
}

// RFC 7145, 9.3: 28 octets with the keys of both buffers, then the PDU of iSCSI (RFC 7143, 11.2).
std::vector<TraceMessage> iser(RoceTraceBuilder script) {
  const auto pdu = [](Octet opcode, const OctetBuffer& data) {
    const OctetBuffer header =
        OctetBuffer{0x1c, 0, 0, 0} + be32(RoceTraceBuilder::kKey) + OctetBuffer(8) + be32(0) + OctetBuffer(8);
    return header + padded(OctetBuffer{opcode, 0x80, 0, 0, 0, 0} + be16(data.size()), 48) + data;
  };
  script.send(Side::a, pdu(0x43, text("InitiatorName=iqn.1993-08.org.debian") + keys()));  // Login Request
  script.send(Side::b, pdu(0x23, text("TargetPortalGroupTag=1")));
  for (int i = 0; i < 5; ++i) {
    script.send(Side::a, pdu(0x01, {}));
    script.write(Side::b, block());
    script.send(Side::b, pdu(0x21, {}));
    script.send(Side::a, pdu(0x01, keys()));  // immediate data
    script.read(Side::b, kBlock);
    script.send(Side::b, pdu(0x21, keys()), RoceTraceBuilder::kKey);
  }
  return script.take();
}

// The same message back and forth, with a number as in rping, or one repeated octet as in ibv_rc_pingpong.
std::vector<TraceMessage> ping(RoceTraceBuilder script) {
  for (const std::size_t size : {64U, 512U, 1024U, 4096U})
    for (const OctetBuffer& said :
         {padded(be32(size) + keys(), size), OctetBuffer(size, Octet{0x7b}), OctetBuffer(size)})
      for (const Side side : {Side::a, Side::b}) script.send(side, said);
  return script.take();
}

struct OnRoce {
  std::string_view name;
  std::vector<TraceMessage> (*make)(RoceTraceBuilder begun);
};

pcap::Endpoint end_of(Side side, std::uint16_t port) {
  const Octet octets[] = {192, 0, 2, static_cast<Octet>(side == Side::a ? 1 : 2)};
  return {pcap::Address::ipv4(octets), port};
}

Results judge_roce(std::span<const TraceMessage> packets, Completeness completeness) {
  Checker checker(CheckOptions{});
  checker.begin_file({}, completeness);
  std::uint64_t frame = 0;
  for (const TraceMessage& one : packets) {
    pcap::Datagram datagram;
    datagram.frame = ++frame;
    datagram.time_ns = static_cast<std::int64_t>(frame) * 1'000'000;
    datagram.source = end_of(one.sender, 49152);
    datagram.destination = end_of(other(one.sender), roce::kPort);
    datagram.payload = one.octets;
    datagram.wire_length = static_cast<std::uint32_t>(one.octets.size());
    checker.take(datagram);
  }
  checker.end_file(completeness);
  return checker.take_results();
}

// The report names RoCE, which carries the traffic.
void expect_nothing(const Results& results, const std::string& what) {
  EXPECT_THAT(results.findings, testing::IsEmpty()) << what;
  for (const FlowResult& flow : results.flows) {
    EXPECT_THAT(flow.protocol, testing::AnyOf("", "roce")) << what << " " << flow.id;
    EXPECT_EQ(flow.above, "") << what << " " << flow.id;
  }
}

class ForeignOnRoce : public testing::TestWithParam<OnRoce> {};

TEST_P(ForeignOnRoce, IsNotRecognisedWhateverServiceItIsNorFromAnyPacket) {
  // NVMe, NFS, iSCSI, SMB over TCP and over iWARP, and the port of the tests of libibverbs.
  constexpr std::uint16_t kServices[] = {4420, 20049, 3260, 445, 5445, 18515};
  for (const std::uint16_t service : kServices) {
    RoceTraceBuilder script;
    script.start(service);
    const std::vector<TraceMessage> packets = GetParam().make(std::move(script));
    ASSERT_GT(packets.size(), 20U);
    for (std::size_t first = 0; first < packets.size(); first += first < 4 ? 1 : 3)
      for (const Completeness completeness : {Completeness::unknown, Completeness::complete})
        expect_nothing(judge_roce(std::span(packets).subspan(first), completeness),
                       fmt::format("service {} from packet {}", service, first));
  }
}

INSTANTIATE_TEST_SUITE_P(Traffic, ForeignOnRoce,
                         testing::Values(OnRoce{"NvmeOverFabrics", nvme_over_roce},
                                         OnRoce{"NfsOverRdma", nfs_over_rdma}, OnRoce{"Iser", iser},
                                         OnRoce{"Ping", ping}),
                         [](const auto& info) { return std::string(info.param.name); });

// --- on TCP

using Talk = std::vector<std::pair<Side, OctetBuffer>>;

// NVM Express, TCP Transport 1.0, 3.6: type, flags, length of the header, offset of the data, length of all.
OctetBuffer nvme_pdu(Octet type, const OctetBuffer& header, const OctetBuffer& data = {}) {
  const auto length = static_cast<std::uint32_t>(8 + header.size());
  const auto offset = static_cast<Octet>(data.empty() ? 0 : length);
  return OctetBuffer{type, 0, static_cast<Octet>(length), offset} +
         le32(length + static_cast<std::uint32_t>(data.size())) + header + data;
}

Talk nvme_over_tcp() {
  Talk talk{{Side::a, nvme_pdu(0x00, OctetBuffer(120))},
            {Side::b, nvme_pdu(0x01, OctetBuffer(120))},
            {Side::a, nvme_pdu(0x04, nvme_command(0x7f, 0, hex("01000000")), padded(keys(), 1024))},
            {Side::b, nvme_pdu(0x05, nvme_completion(0, 0x0100))}};
  for (std::uint32_t id = 1; id < 8; ++id) {
    talk.emplace_back(Side::a, nvme_pdu(0x04, nvme_command(0x02, id, le32(id))));
    talk.emplace_back(Side::b, nvme_pdu(0x07, le32(id) + le32(0) + le32(kBlock) + le32(0), block()));
    talk.emplace_back(Side::b, nvme_pdu(0x05, nvme_completion(id)));
    talk.emplace_back(Side::a, nvme_pdu(0x04, nvme_command(0x01, id, le32(id))));
    talk.emplace_back(Side::b, nvme_pdu(0x09, le32(id << 16U | id) + le32(0) + le32(kBlock) + le32(0)));
    talk.emplace_back(Side::a, nvme_pdu(0x06, le32(id << 16U | id) + le32(0) + le32(kBlock) + le32(0), block()));
    talk.emplace_back(Side::b, nvme_pdu(0x05, nvme_completion(id)));
  }
  return talk;
}

// RFC 7143, 11.2 to 11.8: a header of 48 octets, then a data segment.
Talk iscsi() {
  const auto pdu = [](Octet opcode, const OctetBuffer& data) {
    return padded(OctetBuffer{opcode, 0x80, 0, 0, 0, 0} + be16(data.size()), 48) + data;
  };
  Talk talk{{Side::a, pdu(0x43, padded(text("InitiatorName=iqn.1993-08.org.debian"), 40))},
            {Side::b, pdu(0x23, padded(text("TargetPortalGroupTag=1"), 24))}};
  for (int i = 0; i < 8; ++i) {
    talk.emplace_back(Side::a, pdu(0x01, {}));
    talk.emplace_back(Side::b, pdu(0x25, block()));
    talk.emplace_back(Side::a, pdu(0x01, block()));
    talk.emplace_back(Side::b, pdu(0x31, {}));
    talk.emplace_back(Side::a, pdu(0x05, block()));
    talk.emplace_back(Side::b, pdu(0x21, {}));
  }
  return talk;
}

std::vector<Packet> segments_of(const Talk& talk, std::uint16_t server, std::size_t mss) {
  std::vector<Packet> segments;
  pcap::TcpSynthesis headers(1);
  const auto add = [&](Side side, const pcap::TcpHeader& header, Octets octets) {
    pcap::Segment segment;
    segment.time_ns = static_cast<std::int64_t>(segments.size()) * 1'000'000;
    segment.source = end_of(side, side == Side::a ? 40000 : server);
    segment.destination = end_of(other(side), side == Side::a ? server : 40000);
    segment.seq = header.seq;
    segment.ack = header.ack;
    segment.flags = header.flags;
    segment.wire_length = static_cast<std::uint32_t>(octets.size());
    segments.push_back({segment, {octets.begin(), octets.end()}});
  };
  add(Side::a, headers.syn(true), {});
  add(Side::b, headers.syn(false), {});
  add(Side::a, headers.acknowledge(true), {});
  for (const auto& [side, octets] : talk)
    for (std::size_t at = 0; at < octets.size(); at += mss) {
      const Octets piece = Octets(octets).subspan(at, std::min(mss, octets.size() - at));
      add(side, headers.data(side == Side::a, piece.size()), piece);
    }
  return segments;
}

Results judge_tcp(std::span<const Packet> packets, Completeness completeness) {
  Checker checker(CheckOptions{});
  checker.begin_file({}, completeness);
  std::uint64_t frame = 0;
  for (const Packet& packet : packets) {
    auto segment = std::get<pcap::Segment>(packet.header);
    segment.frame = ++frame;
    segment.payload = packet.octets;
    checker.take(segment);
  }
  checker.end_file(completeness);
  return checker.take_results();
}

TEST(ForeignOnTcp, IsNotRecognisedOnAnyPortNorFromAnySegment) {
  constexpr std::uint16_t kServers[] = {4420, 3260, 2110, 5445, 4791, 7471, 7174};
  for (const auto& [name, talk] : {std::pair("NVMe/TCP", nvme_over_tcp()), std::pair("iSCSI", iscsi())})
    for (const std::uint16_t server : kServers)
      for (const std::size_t mss : {536U, 1448U, 8948U}) {
        const std::vector<Packet> packets = segments_of(talk, server, mss);
        for (std::size_t first = 0; first < packets.size(); first += first < 8 ? 1 : 5)
          for (const Completeness completeness : {Completeness::unknown, Completeness::complete})
            expect_nothing(
                judge_tcp(std::span(packets).subspan(first), completeness),
                fmt::format("{} on port {}, {} octets a segment, from segment {}", name, server, mss, first));
      }
}

}  // namespace
}  // namespace wirelaw

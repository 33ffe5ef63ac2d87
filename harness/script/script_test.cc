// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "conformance/protocol.h"
#include "conformance/script/conversation.h"
#include "conformance/script/conversation_writer.h"
#include "conformance/script/languages.h"
#include "conformance/script/stream_lines.h"
#include "corpora/traces/trace.h"
#include "harness/script/script_capture.h"
#include "harness/script/script_file.h"
#include "harness/script/script_marks.h"
#include "harness/temporary_file.h"
#include "pcap/packet_reader.h"
#include "pcap/tcp_connection.h"
#include "reference/octets/hex.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/layout.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::string problem_of(std::string_view text) {
  const auto file = script_of(text, "x.wirelaw");
  if (!file) return file.error();
  const ScriptPart& part = file->parts.front();
  const auto spoken = script::speak(part.part, *part.language);
  return spoken ? "none" : one_line(spoken.error(), "x.wirelaw");
}

script::Conversation conversation_of(std::string_view text) {
  const auto file = script_of(text, "x.wirelaw");
  EXPECT_TRUE(file) << (file ? "" : file.error());
  if (!file) return {};
  const ScriptPart& part = file->parts.front();
  auto spoken = script::speak(part.part, *part.language);
  EXPECT_TRUE(spoken) << (spoken ? "" : one_line(spoken.error(), "x.wirelaw"));
  return spoken ? std::move(*spoken) : script::Conversation();
}

// The lines of a conversation as the protocol's decoder shows them.
std::vector<std::string> summaries_of(std::string_view protocol, std::string_view steps) {
  std::vector<std::string> lines;
  const Protocol* const one = find_protocol(protocol);
  for (const script::Spoken& spoken : conversation_of(fmt::format("protocol {}\nbare\n{}", protocol, steps)).spoken)
    lines.push_back(one->decode(spoken.octets).summary);
  return lines;
}

std::vector<std::string> differences_of(std::string_view text) {
  const auto file = script_of(text, "x.wirelaw");
  if (!file) return {file.error()};
  std::vector<std::string> all;
  for (const ScriptPart& part : file->parts) {
    const auto differences = differences_from_marks(*file, part);
    if (!differences) return {differences.error()};
    all.insert(all.end(), differences->begin(), differences->end());
  }
  return all;
}

TEST(Script, NamesLineColumnAndTheNearestName) {
  struct Row {
    std::string_view text, problem;
  };
  const Row rows[] = {
      {"", "x.wirelaw:1:1: the script has no step; say a message: a DATA"},
      {"a DATA", "x.wirelaw:1:1: the script does not name its protocol; begin with a line such as 'protocol ramcloud'"},
      {"protocol ramclout\na DATA", "x.wirelaw:1:10: there is no protocol 'ramclout'; did you mean 'ramcloud'?"},
      {"protocol iwarp\na Send",
       "x.wirelaw:1:10: there is no protocol 'iwarp'; there are ramcloud, efa, rdmap, smbd and umsp; iWARP is rdmap"},
      {"protocol ramcloud\na DATTA", "x.wirelaw:2:3: there is no message 'DATTA'; did you mean 'DATA'?"},
      {"protocol ramcloud\na DATA frag_nummer=1",
       "x.wirelaw:2:8: DATA has no field 'frag_nummer'; did you mean 'frag_number'?"},
      {"protocol ramcloud\na ACK first_missing=1",
       "x.wirelaw:2:7: ACK has no field 'first_missing'; did you mean 'first_missing_frag'?"},
      {"protocol ramcloud\na DATA frag_number=65536", "x.wirelaw:2:8: frag_number has 16 bits, too few for 65536"},
      {"protocol ramcloud\na DATA channel_id",
       "x.wirelaw:2:18: expected '=' after 'channel_id', not the end of the line; a field needs a value, and "
       "there is no such word without one"},
      {"protocol ramcloud\na DATA loose",
       "x.wirelaw:2:13: expected '=' after 'loose', not the end of the line; did you "
       "mean 'lose'?"},
      {"protocol efa\na LONGCTS_MSGRTM\nb CTS flags=0 connid=5",
       "x.wirelaw:3:15: CTS has no field 'connid' after the values before it in this line; name 'connid' first, or "
       "leave those values out"},
      {"protocol ramcloud\nc DATA",
       "x.wirelaw:2:1: 'c' is neither a sender nor a setting; a line begins with a or b, or with a setting such as "
       "protocol, iut, rule or bare"},
      {"protocol ramcloud\na DATA rpc_id=$m.rpc_id", "x.wirelaw:2:15: no message is named $m here"},
      {"protocol ramcloud\na DATA as $m\nb DATA rpc_id=$m.rpcidd",
       "x.wirelaw:3:15: $m has no field 'rpcidd'; did you mean 'rpc_id'?"},
      {"protocol ramcloud\npause 3", "x.wirelaw:2:7: a time needs a unit; write ns, us, ms or s"},
      {"protocol ramcloud\npause 3h", "x.wirelaw:2:8: 'h' is no unit; write ns, us, ms or s"},
      {"protocol ramcloud\na DATA ! RAMCLOUD-ak-5",
       "x.wirelaw:2:10: there is no rule 'RAMCLOUD-ak-5'; did you mean 'RAMCLOUD-ack-5'?"},
      {"protocol ramcloud\na raw hex:abc", "x.wirelaw:2:11: expected pairs of hexadecimal digits after 'hex:'"},
      {"protocol ramcloud\na DATA split 3", "x.wirelaw:2:8: split needs a stream; a datagram is one piece"},
      {"protocol ramcloud\na DATA size=99999999",
       "x.wirelaw:2:3: size: a datagram takes at most 65481 octets of payload"},
      {"protocol ramcloud\nfor $i in 1..262144: a DATA size=1 lose", "x.wirelaw:2:24: this conversation is too long"},
      {"protocol efa\nfeature rdma_reed\na CTS",
       "x.wirelaw:2:9: EFA RDM v4 has no feature 'rdma_reed'; did you mean 'rdma_read'?"},
      {"protocol ramcloud\na DATA / fpdu crc=1", "x.wirelaw:2:15: DATA has no layer 'fpdu'"},
      {"protocol ramcloud\na close", "x.wirelaw:2:3: a conversation of datagrams is neither opened nor closed"},
      {"protocol rdmap\na Sendd", "x.wirelaw:2:3: there is no message 'Sendd'; did you mean 'Send'?"},
      {"protocol rdmap\na Send / fpd crc^=1", "x.wirelaw:2:14: Send has no layer 'fpd'; did you mean 'fpdu'?"},
      {"protocol rdmap\na Send / fpdu crcc^=1", "x.wirelaw:2:15: fpdu has no field 'crcc'; did you mean 'crc'?"},
      {"protocol rdmap\na Send size=8 / ddp[2] mo=1", "x.wirelaw:2:24: Send has 1 segment"},
      {"protocol rdmap\na Send / ddp[0] mo=1", "x.wirelaw:2:14: the first of a layer has the number 1"},
      {"protocol rdmap\na Send lose", "x.wirelaw:2:8: no octet of a stream gets lost; write 'unseen' instead"},
      {"protocol rdmap\na Send more\na push 1000", "x.wirelaw:3:8: 40 octets are there, fewer than 1000"},
      {"protocol smbd\nover tcp\na DataTransfer",
       "x.wirelaw:2:6: scripts cannot say SMB Direct over 'tcp'; write iwarp"},
      {"protocol rdmap\na open mtu=3", "x.wirelaw:2:8: open takes nothing but mss; write mss=1460"},
      {"protocol rdmap\na Send size=9999999", "x.wirelaw:2:3: size: too many octets for one message"},
      {"protocol ramcloud\na#0 DATA", "x.wirelaw:2:3: a connection has a number from 1 to 64"},
      {"protocol ramcloud\niut b\nb DATA | b#65 DATA", "x.wirelaw:3:12: a connection has a number from 1 to 64"},
      {"protocol ramcloud\niut b\nb DATA | a#2 DATA", "x.wirelaw:3:10: the alternatives of a line have one sender"},
      {"protocol ramcloud\ntrace one\na DATA\ntrace one\na DATA", "x.wirelaw:4:1: the file has two parts named 'one'"},
  };
  for (const Row& row : rows) EXPECT_EQ(problem_of(row.text), row.problem) << row.text;
}

TEST(Script, RamcloudSaysWhatHonestSidesSayNext) {
  EXPECT_THAT(
      summaries_of("ramcloud",
                   "a SESSION_OPEN\n"
                   "b SESSION_OPEN\n"
                   "a DATA total_frags=3\n"
                   "a DATA frag_number=2 request_ack=1\n"
                   "b ACK\n"
                   "a DATA\n"
                   "b DATA\n"
                   "a DATA\n"
                   "a DATA channel_id=3\n"
                   "b DATA\n"),
      ElementsAre(
          "C>S SESSION_OPEN channel 0 rpc 0 payload 0", "S>C SESSION_OPEN channel 0 rpc 0 maxChannelId 7 payload 1",
          "C>S DATA channel 0 rpc 0 fragment 0/3 payload 12",
          "C>S DATA channel 0 rpc 0 fragment 2/3 requestAck payload 12",
          "S>C ACK channel 0 rpc 0 firstMissingFrag 1 stagingVector 0x00000001 payload 6",
          "C>S DATA channel 0 rpc 0 fragment 1/3 payload 12", "S>C DATA channel 0 rpc 0 fragment 0/1 payload 12",
          "C>S DATA channel 0 rpc 1 fragment 0/1 payload 12", "C>S DATA channel 3 rpc 0 fragment 0/1 payload 12",
          "S>C DATA channel 3 rpc 0 fragment 0/1 payload 12"));
}

TEST(Script, EfaSaysWhatHonestSidesSayNext) {
  EXPECT_THAT(summaries_of("efa",
                           "a EAGER_MSGRTM\n"
                           "b HANDSHAKE\n"
                           "a HANDSHAKE\n"
                           "a LONGCTS_MSGRTM msg_length=300 size=100 as $m\n"
                           "a LONGCTS_MSGRTM\n"
                           "b CTS recv_length=150 as $w\n"
                           "a CTSDATA\n"
                           "b CTS send_id=$m.send_id recv_length=50\n"
                           "a CTSDATA recv_id=$w.recv_id size=50\n"),
              ElementsAre(StartsWith("EAGER_MSGRTM msg_id 0 payload 16"), StartsWith("HANDSHAKE rdma_read"),
                          StartsWith("HANDSHAKE rdma_read"),
                          "LONGCTS_MSGRTM msg_id 1 send_id 1 msg_length 300 connid 0xa0a1a2a3 payload 100",
                          "LONGCTS_MSGRTM msg_id 2 send_id 2 msg_length 300 connid 0xa0a1a2a3 payload 100",
                          "CTS send_id 1 recv_id 1 recv_length 150 connid 0xb0b1b2b3 payload 0",
                          "CTSDATA recv_id 1 seg_length 200 seg_offset 100 connid 0xa0a1a2a3 payload 200",
                          "CTS send_id 1 recv_id 1 recv_length 50 connid 0xb0b1b2b3 payload 0",
                          "CTSDATA recv_id 1 seg_length 50 seg_offset 300 connid 0xa0a1a2a3 payload 50"));
}

// The messages of a conversation of streams, as the decoder shows them: one FPDU in each piece.
TEST(Script, RdmapSaysWhatHonestSidesSayNext) {
  std::vector<std::string> lines;
  for (const script::Spoken& one : conversation_of("protocol rdmap\n"
                                                   "a Send size=8\n"
                                                   "b Send size=3000\n"
                                                   "a ReadRequest rdmardsz=100\n"
                                                   "b ReadResponse\n"
                                                   "a Write last=0 size=4\n"
                                                   "a Write size=4\n"
                                                   "b Terminate layer=0 etype=1 errcode=1\n"
                                                   "b close\n")
                                       .spoken)
    lines.push_back(one.kind == script::Spoken::Kind::message
                        ? find_protocol("rdmap")->decode(one.octets).summary
                        : std::string(one.kind == script::Spoken::Kind::open ? "SYN" : "FIN"));
  EXPECT_THAT(lines, ElementsAre("SYN", "SYN", "MPA Request Frame revision 1 M=0 C=1 R=0 private data 0",
                                 "MPA Reply Frame revision 1 M=0 C=1 R=0 private data 0",
                                 "Send [last DDP segment] queue 0 MSN 1 MO 0 payload 8",
                                 "Send [more DDP segments] queue 0 MSN 1 MO 0 payload 1436",
                                 "Send [more DDP segments] queue 0 MSN 1 MO 1436 payload 1436",
                                 "Send [last DDP segment] queue 0 MSN 1 MO 2872 payload 128",
                                 StartsWith("Read Request [last DDP segment] queue 1 MSN 1 MO 0 100 octets"),
                                 "Read Response [last DDP segment] STag 0x55667788 TO 0x1000 payload 100",
                                 "Write [more DDP segments] STag 0x11223344 TO 0x0 payload 4",
                                 "Write [last DDP segment] STag 0x11223344 TO 0x4 payload 4",
                                 StartsWith("Terminate [last DDP segment] queue 2 MSN 1 MO 0 0/1/01"), "FIN"));
}

TEST(Script, SmbdSaysWhatHonestSidesSayNext) {
  std::vector<std::string> lines;
  for (const script::Spoken& one : conversation_of("protocol smbd\n"
                                                   "over iwarp\n"
                                                   "a DataTransfer size=40 remaining_length=60\n"
                                                   "a DataTransfer size=60\n"
                                                   "b DataTransfer size=8\n")
                                       .spoken) {
    constexpr std::size_t kSend = 2 + 18, kCrc = 4;
    if (one.octets.size() <= kSend + kCrc) continue;
    Octets message = one.octets;
    message = message.subspan(kSend, message.size() - kSend - kCrc);
    lines.push_back(find_protocol("smbd")->decode(message).summary);
  }
  EXPECT_THAT(lines, ElementsAre("Negotiate Request", "Negotiate Response status 0x00000000 credits granted 10",
                                 "Data Transfer credits requested 10 granted 10 data 40 remaining 60",
                                 "Data Transfer credits requested 10 granted 0 data 60",
                                 "Data Transfer credits requested 10 granted 2 data 8"));
  EXPECT_THAT(differences_of("protocol smbd\n"
                             "over iwarp\n"
                             "bare\n"
                             "a NegotiateRequest\n"
                             "b NegotiateResponse as $r\n"
                             "for $i in 1..$r.credits_granted: a DataTransfer size=1\n"
                             "a DataTransfer size=1\n"),
              testing::Contains(HasSubstr("x.wirelaw:7: a violation of SMBD-")));
}

TEST(Script, SmbdRefusesWithNothingElseInTheResponse) {
  const std::string text = "protocol smbd\nbare\ncloses a\na NegotiateRequest\nb NegotiateResponse status=0xc000009a\n";
  const auto& spoken = conversation_of(text).spoken;
  constexpr std::size_t kClosings = 2, kSend = 2 + 18;
  ASSERT_GT(spoken.size(), kClosings);
  const OctetBuffer& response = spoken[spoken.size() - kClosings - 1].octets;
  EXPECT_EQ(to_hex(Octets(response).subspan(kSend, 32)),
            "0001000100000000000000009a0000c000000000000000000000000000000000");
  EXPECT_THAT(differences_of(text), IsEmpty());
}

// An honest sender asks for no response with an instruction that forbids it.
TEST(Script, UmspSetsAskOnlyIfTheInstructionAllowsIt) {
  for (const std::string_view line :
       {"a CANCEL_TR", "a SESSION_REJECT", "a TASK_STATE", "a SND_CANCEL", "a RSP", "a REQ_BUF"})
    for (const script::Spoken& one : conversation_of(fmt::format("protocol umsp\nbare\n{}\n", line)).spoken) {
      if (one.kind != script::Spoken::Kind::message) continue;
      const auto instruction = umsp::decode(one.octets);
      ASSERT_TRUE(instruction) << line;
      const umsp::Layout* const layout = umsp::find_layout(instruction->opcode());
      ASSERT_NE(layout, nullptr) << line;
      EXPECT_TRUE(layout->allows_ask(instruction->header.ask)) << line;
    }
}

TEST(Script, UmspSaysWhatHonestSidesSayNext) {
  std::vector<std::string> lines;
  for (const script::Spoken& one : conversation_of("protocol umsp\n"
                                                   "a REQ_DATA as $q\n"
                                                   "b DATA\n"
                                                   "a NOP chain_number=3\n"
                                                   "a NOP extensions=hex:00ff\n"
                                                   "b RSP req_id=$q.req_id\n")
                                       .spoken)
    if (one.kind == script::Spoken::Kind::message) lines.push_back(find_protocol("umsp")->decode(one.octets).summary);
  EXPECT_THAT(lines, ElementsAre("SESSION_OPEN req 0x0a000001 operands 32",
                                 "SESSION_OPEN session 0x0a000001 req 0x0b000001 operands 32",
                                 "SESSION_ACCEPT session 0x0b000001 req 0x0a000001 operands 0",
                                 StartsWith("REQ_DATA session 0x0b000001 req 0x00001000"),
                                 StartsWith("DATA session 0x0a000001 req 0x00001000"),
                                 StartsWith("NOP session 0x0b000001 chain 3/0"), StartsWith("NOP session 0x0b000001"),
                                 StartsWith("RSP session 0x0a000001 req 0x00001000")));
}

TEST(Script, FramesAreRepairedAsNegotiated) {
  EXPECT_THAT(differences_of(R"(protocol rdmap
trace markers "A side that asks for markers gets them."
bare
a MpaRequest marker_flag=1
b MpaReply
a Send size=8
b Send size=1200
b Send size=1200
trace no-crc "Nobody wants CRCs: the field is zero."
bare
a MpaRequest crc_flag=0
b MpaReply crc_flag=0
a Send size=8
b Send size=8
)"),
              IsEmpty());
  EXPECT_THAT(differences_of("protocol rdmap\na Send size=8\na Send size=8 / fpdu crc^=1\n"),
              ElementsAre(HasSubstr("x.wirelaw:3: a violation of MPA-4.4-")));
}

TEST(Script, SaysPiecesOfStreamsAndSeveralConnections) {
  const auto spoken = conversation_of(
                          "protocol rdmap\n"
                          "a Send size=8 split 10, 3\n"
                          "a Send size=8 / tcp more\n"
                          "a Send size=8 more\n"
                          "a push 5\n"
                          "b Send size=1\n"
                          "a push\n"
                          "a#2 MpaRequest\n"
                          "a reset\n")
                          .spoken;
  std::vector<std::pair<std::uint32_t, std::size_t>> pieces;
  for (std::size_t i = 4; i < spoken.size(); ++i) pieces.emplace_back(spoken[i].connection, spoken[i].octets.size());
  const std::size_t fpdu = 2 + 18 + 8 + 4;
  using Piece = std::pair<std::uint32_t, std::size_t>;
  EXPECT_THAT(pieces, ElementsAre(Piece{1, 10}, Piece{1, 3}, Piece{1, fpdu - 13}, Piece{1, 5}, Piece{1, 28},
                                  Piece{1, 2 * fpdu - 5}, Piece{2, 0}, Piece{2, 0}, Piece{2, 20}, Piece{1, 0}));
}

TEST(Script, IsJudgedAsItIsMarked) {
  EXPECT_THAT(differences_of(R"(protocol ramcloud
trace lost-ack "An ACK is lost, and the client asks again."
a DATA total_frags=3 frag_number=0
a DATA total_frags=3 frag_number=2 request_ack=1 as $m
b ACK lose
pause retry_time
a again $m
b ACK
a DATA
b DATA
trace short "A packet of 25 octets."
a DATA
b DATA
a DATA cut 25      ! RAMCLOUD-header-1
)"),
              IsEmpty());
  EXPECT_THAT(differences_of("protocol ramcloud\na DATA cut 25\n"),
              ElementsAre(HasSubstr("x.wirelaw:2: a violation of RAMCLOUD-header-1 is found and not marked")));
  EXPECT_THAT(
      differences_of("protocol ramcloud\na DATA total_frags=3 frag_number=0\na DATA frag_number=2 request_ack=1\n"
                     "b ACK first_missing_frag=3 staging_vector=0\n"),
      ElementsAre("x.wirelaw:4: a violation of RAMCLOUD-ack-4 is found and not marked: in first_missing_frag, "
                  "expected at most 1, found 3"));
  EXPECT_THAT(
      differences_of("protocol rdmap\na Send / fpdu crc^=1\n"),
      ElementsAre(HasSubstr("a violation of MPA-4.4-6 is found and not marked: at octets 36 to 39, expected ")));
  EXPECT_THAT(differences_of("protocol ramcloud\na DATA ! RAMCLOUD-header-1\nb DATA\n"),
              ElementsAre("x.wirelaw:2:10: a violation of RAMCLOUD-header-1 is not found here"));
}

TEST(Script, EfaWindowsAreJudgedAsTheyAreMarked) {
  EXPECT_THAT(differences_of(R"(protocol efa
trace whole
a LONGCTS_MSGRTM msg_length=300 size=100
b CTS
a CTSDATA
trace early-window
a LONGCTS_MSGRTM msg_length=300 size=100
b CTS recv_length=150
b CTS recv_length=50                             ! EFA-3.2-104
a CTSDATA
)"),
              IsEmpty());
}

TEST(Script, EfaAtomicsHaveTheOperandsOfTheirOperation) {
  EXPECT_THAT(differences_of(R"(protocol efa
trace usual
a WRITE_RTA
a FETCH_RTA
b ATOMRSP
a COMPARE_RTA
b ATOMRSP
trace of-another-size
a WRITE_RTA size=24
a FETCH_RTA size=24
b ATOMRSP
a COMPARE_RTA size=48
b ATOMRSP
trace without-compare
a COMPARE_RTA size=16 rma_iov[0].len=16            ! EFA-3.3-108
)"),
              IsEmpty());
}

TEST(Script, ChangesBitsAndOctetsOfFields) {
  const auto spoken = conversation_of(
                          "protocol ramcloud\nbare\na DATA payload_type=5 reserved1=1 direction^=1 channel_id+=255 "
                          "session_token=0x1122334455667788 size=0 append hex:aabb insert 0,\"x\" twice")
                          .spoken;
  ASSERT_THAT(spoken, SizeIs(2));
  EXPECT_EQ(to_hex(spoken[0].octets),
            "7888776655443322110000000"
            "00d0c0b0a04030201000001"
            "00ff59aabb");
  EXPECT_EQ(spoken[0].octets, spoken[1].octets);
}

TEST(Script, LoopsAndVariables) {
  EXPECT_THAT(summaries_of("ramcloud", "let $n = 2\nfor $i in 1..$n, 5: a DATA channel_id=$i rpc_id=$i-1\n"),
              ElementsAre("C>S DATA channel 1 rpc 0 fragment 0/1 payload 12",
                          "C>S DATA channel 2 rpc 1 fragment 0/1 payload 12",
                          "C>S DATA channel 5 rpc 4 fragment 0/1 payload 12"));
}

TEST(Script, RefusesALoopBeforeItsFirstRoundIfItIsTooLong) {
  EXPECT_THAT(problem_of("protocol ramcloud\na DATA\nfor $i in 1, 1..999999999: a DATA channel_id=0\n"),
              HasSubstr("x.wirelaw:3:14: this line is repeated too often"));
  EXPECT_THAT(problem_of("protocol ramcloud\nfor $i in 1..0xffffffffffffffff: a DATA\n"),
              HasSubstr("x.wirelaw:2:11: this line is repeated too often"));
}

// The traffic of a conversation, as in a capture. Only the number counts of octets that a capture lacks.
struct Sent {
  StreamEvent event = StreamEvent::octets;
  Side sender = Side::a;
  OctetBuffer octets = {};
  std::uint64_t missing = 0;
  std::uint16_t mss = 0;
  std::int64_t time_ns = 0;
  bool from_start = true;
  friend bool operator==(const Sent&, const Sent&) = default;
};

std::ostream& operator<<(std::ostream& out, const Sent& one) {
  return out << (one.sender == Side::a ? "a " : "b ") << static_cast<int>(one.event) << " " << to_hex(one.octets)
             << " missing " << one.missing << " mss " << one.mss << " at " << one.time_ns;
}

// Makes times relative to the first message.
std::vector<Sent> from_zero(std::vector<Sent> sent) {
  const std::int64_t begin = sent.empty() ? 0 : sent.front().time_ns;
  for (Sent& one : sent) one.time_ns -= begin;
  return sent;
}

std::vector<Sent> sent_in(const script::Conversation& conversation) {
  std::vector<Sent> all;
  std::int64_t time = 0;
  for (const script::Spoken& one : conversation.spoken) {
    time += one.pause_ns;
    const bool is_gap = !one.is_captured && conversation.is_stream;
    Sent sent{.sender = one.sender, .mss = one.mss, .time_ns = time};
    sent.event = is_gap                                      ? StreamEvent::gap
                 : one.kind == script::Spoken::Kind::open    ? StreamEvent::opened
                 : one.kind == script::Spoken::Kind::close   ? StreamEvent::closed
                 : one.kind == script::Spoken::Kind::message ? StreamEvent::octets
                                                             : StreamEvent::reset;
    if (is_gap)
      sent.missing = one.octets.size();
    else
      sent.octets = one.octets;
    if (one.is_captured || is_gap) all.push_back(std::move(sent));
    time += conversation.step_ns;
  }
  return from_zero(std::move(all));
}

std::vector<Sent> sent_in(const corpora::Trace& trace) {
  std::vector<Sent> all;
  std::int64_t time = 0;
  for (const corpora::TraceMessage& one : trace.messages) {
    time += one.pause_ns;
    all.push_back({one.event, one.sender, one.octets, one.missing, one.mss, time});
    time += 1'000'000;
  }
  return from_zero(std::move(all));
}

// The share of a script that consists of names.
struct Words {
  std::uint64_t messages = 0, raw = 0;
};

std::string written(std::string_view protocol, const std::vector<Sent>& sent, Words* words = nullptr) {
  const script::Language& language = *script::language_of(*find_protocol(protocol));
  const script::Addresses at = script::sample_addresses();
  script::Heading heading{
      .protocol = protocol, .name = "flow-1", .purpose = "A conversation.", .ends = {at[0].endpoint, at[1].endpoint}};
  script::ConversationWriter writer(language, heading.ends);
  if (language.is_stream()) {
    script::StreamLines lines(language.framing());
    for (const Sent& one : sent)
      lines.add({.event = one.event,
                 .sender = one.sender,
                 .octets = one.octets,
                 .missing = one.missing,
                 .time_ns = one.time_ns,
                 .mss = one.mss,
                 .from_start = one.from_start});
    for (const script::StreamLine& line : lines.finish()) writer.add(line);
    heading.is_midstream = lines.begins_later();
  } else {
    for (const Sent& one : sent) writer.add(one.sender, one.octets, one.octets.size(), one.time_ns);
  }
  if (words != nullptr) words->messages += writer.messages(), words->raw += writer.raw_messages();
  return script::to_text(heading) + writer.steps();
}

struct Spoken {
  std::string_view protocol;
  std::size_t traces;        // minimum number of traces
  std::uint64_t one_raw_in;  // at most one message in this many, of all traces, has no words
};
class ScriptedTraces : public testing::TestWithParam<Spoken> {};
class ScriptedCaptures : public testing::TestWithParam<Spoken> {};

// Converts every sample trace to a script: it gives the same octets at the same times, and is written the same again.
TEST_P(ScriptedTraces, LoseNothing) {
  const Spoken& row = GetParam();
  const bool is_stream = script::language_of(*find_protocol(row.protocol))->is_stream();
  Words words;
  std::size_t traces = 0;
  for (const corpora::Trace& trace : corpora::traces_of(row.protocol).traces) {
    const std::vector<Sent> sent = sent_in(trace);
    if (trace.is_stream != is_stream || sent.empty()) continue;
    const std::string text = written(row.protocol, sent, &words);
    const std::vector<Sent> spoken = sent_in(conversation_of(text));
    ASSERT_EQ(spoken, sent) << trace.name << "\n" << text;
    ASSERT_EQ(written(row.protocol, spoken), text) << trace.name;
    ++traces;
  }
  EXPECT_GE(traces, row.traces);
  EXPECT_LT(words.raw * row.one_raw_in, words.messages) << words.raw << " of " << words.messages << " have no words";
  RecordProperty("traces", static_cast<int>(traces));
  RecordProperty("messages", static_cast<int>(words.messages));
  RecordProperty("raw", static_cast<int>(words.raw));
}
// The part of a connection that a capture holds.
std::vector<Sent> sent_in_capture(const std::string& path) {
  std::vector<Sent> all;
  const auto take = [&](const StreamPiece& piece) {
    all.push_back({piece.event, piece.sender, OctetBuffer(piece.octets.begin(), piece.octets.end()), piece.missing,
                   piece.event == StreamEvent::opened ? piece.mss : std::uint16_t{0}, piece.time_ns, piece.from_start});
  };
  auto reader = pcap::PacketReader::open(path);
  EXPECT_TRUE(reader) << path;
  if (!reader) return all;
  pcap::TcpConnection connection;
  pcap::Datagram datagram;
  pcap::Segment segment;
  const pcap::Endpoint a = corpora::endpoint_of(Side::a);
  for (pcap::Transport found; (found = reader->next(datagram, segment)) != pcap::Transport::none;)
    if (found == pcap::Transport::tcp) connection.take(segment, segment.source == a, take);
  connection.finish(take);
  return from_zero(std::move(all));
}

// The same from file to file, over TCP: directions, octets, pieces, ends and times are those of the capture.
TEST_P(ScriptedCaptures, LoseNothing) {
  const Spoken& row = GetParam();
  TemporaryFile before, after;
  ASSERT_TRUE(before.make() && after.make());
  std::size_t captures = 0;
  for (const corpora::Trace& trace : corpora::traces_of(row.protocol).traces) {
    if (!trace.is_stream) continue;
    ASSERT_TRUE(corpora::write_trace(trace, before.path()));
    const std::vector<Sent> sent = sent_in_capture(before.path());
    if (sent.empty()) continue;
    const std::string text = written(row.protocol, sent);
    const auto file = script_of(text, "x.wirelaw");
    ASSERT_TRUE(file) << file.error();
    ASSERT_TRUE(write_capture(conversation_of(text), file->parts.front(), after.path()));
    ASSERT_EQ(sent_in_capture(after.path()), sent) << trace.name << "\n" << text;
    ++captures;
  }
  EXPECT_GE(captures, row.traces);
}

constexpr Spoken kDatagrams[] = {{"ramcloud", 50, 20}, {"efa", 100, 20}};
constexpr Spoken kStreams[] = {{"rdmap", 300, 20}, {"smbd", 100, 20}, {"umsp", 400, 100}};
constexpr auto kNameOfProtocol = [](const auto& info) { return std::string(info.param.protocol); };
INSTANTIATE_TEST_SUITE_P(Datagrams, ScriptedTraces, testing::ValuesIn(kDatagrams), kNameOfProtocol);
INSTANTIATE_TEST_SUITE_P(Streams, ScriptedTraces, testing::ValuesIn(kStreams), kNameOfProtocol);
INSTANTIATE_TEST_SUITE_P(Streams, ScriptedCaptures, testing::ValuesIn(kStreams), kNameOfProtocol);

TEST(ScriptWriter, NamesOnlyWhatAnHonestSenderWouldNotSend) {
  const std::string text = written("ramcloud", sent_in(conversation_of("protocol ramcloud\n"
                                                                       "a DATA total_frags=2\n"
                                                                       "a DATA request_ack=1\n"
                                                                       "b ACK\n"
                                                                       "b DATA size=3\n"
                                                                       "a raw hex:00\n")));
  EXPECT_THAT(text, testing::EndsWith("bare\n"
                                      "step 0ms\n"
                                      "a SESSION_OPEN\n"
                                      "pause 1ms\n"
                                      "b SESSION_OPEN\n"
                                      "pause 1ms\n"
                                      "a DATA total_frags=2\n"
                                      "pause 1ms\n"
                                      "a DATA request_ack=1\n"
                                      "pause 1ms\n"
                                      "b ACK\n"
                                      "pause 1ms\n"
                                      "b DATA size=3\n"
                                      "pause 1ms\n"
                                      "a raw hex:00\n"));
}

}  // namespace
}  // namespace wirelaw

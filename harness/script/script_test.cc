// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/protocol.h"
#include "conformance/script/conversation.h"
#include "conformance/script/conversation_writer.h"
#include "conformance/script/languages.h"
#include "corpora/traces/trace.h"
#include "harness/script/script_file.h"
#include "harness/script/script_marks.h"
#include "reference/octets/hex.h"

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
      {"protocol ramcloud\na DATTA", "x.wirelaw:2:3: there is no message 'DATTA'; did you mean 'DATA'?"},
      {"protocol ramcloud\na DATA frag_nummer=1",
       "x.wirelaw:2:8: DATA has no field 'frag_nummer'; did you mean 'frag_number'?"},
      {"protocol ramcloud\na ACK first_missing=1",
       "x.wirelaw:2:7: ACK has no field 'first_missing'; did you mean 'first_missing_frag'?"},
      {"protocol ramcloud\na DATA frag_number=65536", "x.wirelaw:2:8: frag_number has 16 bits, too few for 65536"},
      {"protocol ramcloud\na DATA channel_id",
       "x.wirelaw:2:18: expected '=' after 'channel_id', not the end of the line"},
      {"protocol ramcloud\nc DATA",
       "x.wirelaw:2:1: 'c' is neither a sender nor a setting; a line begins with a or b, or with a setting such as "
       "protocol, iut, rule or bare"},
      {"protocol ramcloud\na DATA rpc_id=$m.rpc_id", "x.wirelaw:2:15: no message is named $m here"},
      {"protocol ramcloud\na DATA as $m\nb DATA rpc_id=$m.rpcid",
       "x.wirelaw:3:15: $m has no field 'rpcid'; did you mean 'rpc_id'?"},
      {"protocol ramcloud\npause 3", "x.wirelaw:2:7: a time needs a unit; write ns, us, ms or s"},
      {"protocol ramcloud\npause 3h", "x.wirelaw:2:8: 'h' is no unit; write ns, us, ms or s"},
      {"protocol ramcloud\na DATA ! RAMCLOUD-ak-5",
       "x.wirelaw:2:10: there is no rule 'RAMCLOUD-ak-5'; did you mean 'RAMCLOUD-ack-5'?"},
      {"protocol ramcloud\na raw hex:abc", "x.wirelaw:2:11: expected pairs of hexadecimal digits after 'hex:'"},
      {"protocol ramcloud\na DATA split 3", "x.wirelaw:2:8: split needs a stream; a datagram is one piece"},
      {"protocol ramcloud\na DATA size=99999999",
       "x.wirelaw:2:3: size: a datagram takes at most 65481 octets of payload"},
      {"protocol ramcloud\nfor $i in 1..9999999: a DATA size=1 lose", "x.wirelaw:2:25: this conversation is too long"},
      {"protocol umsp\na DATA",
       "x.wirelaw:1:10: scripts cannot say conversations of UMSP yet; they can say those of ramcloud and efa"},
      {"protocol efa\nfeature rdma_reed\na CTS",
       "x.wirelaw:2:9: EFA RDM v4 has no feature 'rdma_reed'; did you mean 'rdma_read'?"},
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

// What a conversation puts on the network, as a capture would hold it.
struct Sent {
  Side sender;
  OctetBuffer octets;
  std::int64_t time_ns;
  friend bool operator==(const Sent&, const Sent&) = default;
};

std::vector<Sent> sent_in(const script::Conversation& conversation) {
  std::vector<Sent> all;
  std::int64_t time = 0;
  for (const script::Spoken& one : conversation.spoken) {
    time += one.pause_ns;
    if (one.is_captured) all.push_back({one.sender, one.octets, time});
    time += conversation.step_ns;
  }
  return all;
}

std::string written(std::string_view protocol, const std::vector<Sent>& sent, std::uint64_t* raw = nullptr) {
  const Protocol& known = *find_protocol(protocol);
  const script::Addresses at = script::sample_addresses();
  const std::array<Endpoint, 2> ends{at[0].endpoint, at[1].endpoint};
  script::ConversationWriter writer(*script::language_of(known), ends);
  for (const Sent& one : sent) writer.add(one.sender, one.octets, one.octets.size(), one.time_ns);
  if (raw != nullptr) *raw += writer.raw_messages();
  return script::to_text({.protocol = protocol, .name = "flow-1", .purpose = "A conversation.", .ends = ends}) +
         writer.steps();
}

// Every sample trace as a script: the script gives the same octets at the same times, and is written the same again.
TEST(ScriptWriter, LosesNothingOfAnyTrace) {
  for (const std::string_view protocol : {"ramcloud", "efa"}) {
    std::uint64_t messages = 0, raw = 0;
    for (const corpora::Trace& trace : corpora::traces_of(protocol).traces) {
      if (trace.is_stream) continue;
      std::vector<Sent> sent;
      std::int64_t time = 0;
      for (const corpora::TraceMessage& one : trace.messages) {
        time += one.pause_ns;
        sent.push_back({one.sender, one.octets, time});
        time += 1'000'000;
      }
      if (sent.empty()) continue;
      const std::string text = written(protocol, sent, &raw);
      const script::Conversation conversation = conversation_of(text);
      ASSERT_EQ(sent_in(conversation), sent) << trace.name << "\n" << text;
      ASSERT_EQ(written(protocol, sent_in(conversation)), text) << trace.name;
      messages += sent.size();
    }
    EXPECT_GT(messages, 100u) << protocol;
    EXPECT_LT(raw * 20, messages) << protocol << ": more than one in twenty messages has no words";
  }
}

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

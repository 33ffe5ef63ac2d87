// SPDX-License-Identifier: Apache-2.0
// Effects of triggers on messages in transit. The messages are those of scripts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <optional>

#include "conformance/protocol.h"
#include "conformance/script/conversation.h"
#include "conformance/script/languages.h"
#include "conformance/script/triggers.h"
#include "harness/script/script_file.h"

namespace wirelaw {
namespace {

using script::Passing;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

script::Conversation said(const char* protocol, std::string_view steps) {
  const auto file = script_of(fmt::format("protocol {}\n{}", protocol, steps), "x.wirelaw");
  EXPECT_TRUE(file) << (file ? "" : file.error());
  auto spoken = script::speak(file->parts.front().part, *file->parts.front().language);
  EXPECT_TRUE(spoken) << (spoken ? "" : one_line(spoken.error(), "x.wirelaw"));
  return std::move(*spoken);
}

// Faults of a file, and a run of them over one connection.
class Faults {
 public:
  Faults(const char* protocol, std::string_view text) : language_(*script::language_of(*find_protocol(protocol))) {
    auto read = faults_of(text, "x.faults", *find_protocol(protocol));
    EXPECT_TRUE(read) << (read ? "" : read.error());
    if (read) triggers_ = std::move(*read);
    run_.emplace(triggers_, language_);
  }

  std::vector<Passing> pass(const script::Conversation& conversation) {
    std::vector<Passing> all;
    for (const script::Spoken& one : conversation.spoken) {
      if (one.kind != script::Spoken::Kind::message) continue;
      if (!conversation.is_stream) {
        all.push_back(run_->datagram(one.sender, one.octets));
        continue;
      }
      for (Passing& passing : run_->stream(one.sender, one.octets)) all.push_back(std::move(passing));
    }
    return all;
  }
  script::TriggerRun& run() { return *run_; }

 private:
  const script::Language& language_;
  std::vector<script::Trigger> triggers_;
  std::optional<script::TriggerRun> run_;
};

std::string refusal(const char* protocol, std::string_view text) {
  const auto read = faults_of(text, "x.faults", *find_protocol(protocol));
  return read ? "none" : read.error();
}

TEST(Triggers, LoseTheNthMessageOfASide) {
  Faults faults("ramcloud", "on a DATA nth 2: lose");
  const auto all = faults.pass(said("ramcloud",
                                    "a DATA total_frags=3 frag_number=0\na DATA total_frags=3 frag_number=1\n"
                                    "a DATA total_frags=3 frag_number=2\nb DATA\n"));
  std::vector<std::size_t> copies;
  for (const Passing& one : all) copies.push_back(one.copies.size());
  EXPECT_EQ(std::ranges::count(copies, 0u), 1);
  EXPECT_EQ(std::ranges::count(copies, 1u), static_cast<std::ptrdiff_t>(all.size()) - 1);
}

TEST(Triggers, EditAFieldOfEachMessageThatIsLikeTheLine) {
  Faults faults("ramcloud", "on a DATA frag_number=1: rpc_id^=1 twice delay 5ms");
  const auto conversation =
      said("ramcloud", "a DATA total_frags=2 frag_number=0\na DATA total_frags=2 frag_number=1\n");
  const auto all = faults.pass(conversation);
  const Passing& edited = all.back();
  ASSERT_THAT(edited.copies, SizeIs(2));
  EXPECT_EQ(edited.copies[0], edited.copies[1]);
  EXPECT_NE(edited.copies[0], conversation.spoken.back().octets);
  EXPECT_EQ(edited.delay_ns, 5'000'000);
  ASSERT_THAT(edited.played, SizeIs(1));
  EXPECT_EQ(edited.played[0].text, "the relay plays line 1 of the faults: rpc_id^= twice delay");
  for (std::size_t i = 0; i + 1 < all.size(); ++i) EXPECT_THAT(all[i].played, IsEmpty());
}

TEST(Triggers, ThatNameAFieldWhichTheMessageDoesNotHaveSayWhyTheyAreNotPlayed) {
  Faults faults("ramcloud", "on a DATA: no_such=1");
  const auto all = faults.pass(said("ramcloud", "a DATA\n"));
  ASSERT_THAT(all.back().played, SizeIs(1));
  EXPECT_FALSE(all.back().played[0].is_done);
  EXPECT_THAT(all.back().played[0].text, HasSubstr("no field 'no_such'"));
  EXPECT_THAT(all.back().copies, SizeIs(1));
}

TEST(Triggers, FindMessagesInAStreamHoweverItIsCut) {
  const auto conversation = said("rdmap", "a Send size=8\na Send size=9\na Send size=10\n");
  OctetBuffer stream;
  for (const script::Spoken& one : conversation.spoken)
    if (one.sender == Side::a && one.kind == script::Spoken::Kind::message)
      stream.insert(stream.end(), one.octets.begin(), one.octets.end());
  OctetBuffer reference;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, stream.size()}) {
    Faults faults("rdmap", "on a Send nth 2: lose");
    faults.pass({.spoken = {}, .marks = {}, .is_stream = true});
    OctetBuffer out;
    for (std::size_t at = 0; at < stream.size(); at += piece)
      for (const Passing& one :
           faults.run().stream(Side::a, Octets(stream).subspan(at, std::min(piece, stream.size() - at))))
        for (const OctetBuffer& copy : one.copies) out.insert(out.end(), copy.begin(), copy.end());
    EXPECT_LT(out.size(), stream.size());
    EXPECT_GT(out.size() + 60, stream.size());
    if (reference.empty()) reference = out;
    EXPECT_EQ(out, reference) << piece;
  }
}

TEST(Triggers, BreakTheCrcOfAnFpduAndSealWhatTheyEditAbove) {
  const auto conversation = said("rdmap", "a Send size=8\n");
  const OctetBuffer& sent = conversation.spoken.back().octets;
  Faults crc("rdmap", "on a FPDU: crc^=1");
  const Passing broken = crc.pass(conversation).back();
  ASSERT_THAT(broken.copies, SizeIs(1));
  ASSERT_EQ(broken.copies[0].size(), sent.size());
  EXPECT_TRUE(std::equal(sent.begin(), sent.end() - 4, broken.copies[0].begin()));
  EXPECT_NE(broken.copies[0], sent);

  Faults msn("rdmap", "on a Send: msn+=1");
  const Passing edited = msn.pass(conversation).back();
  ASSERT_THAT(edited.copies, SizeIs(1));
  EXPECT_NE(edited.copies[0], sent);
  EXPECT_FALSE(std::equal(sent.end() - 4, sent.end(), edited.copies[0].end() - 4)) << "the CRC is computed again";
}

TEST(Triggers, EndAConnectionAfterTheMessage) {
  Faults faults("rdmap", "on b MpaReply: close\n");
  const auto all = faults.pass(said("rdmap", "a Send size=8\n"));
  EXPECT_EQ(std::ranges::count(all, script::Trigger::End::closes, &Passing::end), 1);
}

TEST(Triggers, LetTheRestOfAStreamPassThatEndsInAMessage) {
  Faults faults("umsp", "on a any: lose");
  EXPECT_THAT(faults.run().stream(Side::a, OctetBuffer{0x20}), IsEmpty());
  EXPECT_EQ(faults.run().rest(Side::a), OctetBuffer{0x20});
  EXPECT_THAT(faults.run().rest(Side::a), IsEmpty());
}

TEST(Triggers, AreRefusedInOneLineIfTheyCannotHappen) {
  struct Row {
    const char *protocol, *text, *says;
  };
  for (const Row& row : {
           Row{"ramcloud", "on c DATA: lose",
               "x.faults:1:4: expected the side whose message it is, not 'c'; write on a for the initiator, on b for "
               "the responder"},
           Row{"ramcloud", "on DATA nth 2: lose", "x.faults:1:4: expected the side whose message it is, not 'DATA'"},
           Row{"ramcloud", "on 3: lose", "x.faults:1:4: expected the side whose message it is, not '3:'"},
           Row{"ramcloud", "on a DATTA: lose", "there is no message 'DATTA'; did you mean 'DATA'?"},
           Row{"ramcloud", "on a DATA nth 0: lose", "the first one is nth 1"},
           Row{"ramcloud", "on a DATA lose", "expected ':'"},
           Row{"ramcloud", "on a DATA:", "expected what the relay does"},
           Row{"ramcloud", "on a DATA: close", "neither closed nor reset"},
           Row{"ramcloud", "on a DATA: delay 5", "a time needs a unit"},
           Row{"ramcloud", "on a DATA: split 3", "a relay cannot do 'split'"},
           Row{"ramcloud", "on a DATA: size=3", "no field of a message that was sent"},
           Row{"ramcloud", "on a DATA: / fpdu crc=1", "no layer 'fpdu'"},
           Row{"ramcloud", "on a silence: lose", "a trigger names a message, or any"},
           Row{"ramcloud", "a DATA", "faults are triggers alone"},
           Row{"ramcloud", "protocol efa\non a CTS: lose", "the peers speak ramcloud"},
           Row{"rdmap", "on a Send: close reset", "a connection ends in one way"},
       })
    EXPECT_THAT(refusal(row.protocol, row.text), HasSubstr(row.says)) << row.text;
}

TEST(Triggers, AreNotReadFromACapture) {
  const auto read =
      read_faults(WIRELAW_SOURCE_DIR "/corpora/ramcloud/violating/RAMCLOUD-ack-5.pcapng", *find_protocol("ramcloud"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error(), HasSubstr("RAMCLOUD-ack-5.pcapng: is a capture, not a script; `wirelaw check "));
}

TEST(Triggers, AreForARelayAlone) {
  const auto file = script_of("protocol ramcloud\non a DATA: lose\n", "x.wirelaw");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr("only a relay plays triggers; give the file to `wirelaw relay --faults`"));
}

}  // namespace
}  // namespace wirelaw

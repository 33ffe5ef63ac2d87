// SPDX-License-Identifier: Apache-2.0
// Each check of facts is given one that keeps its rule, and one that breaks it.
#include "conformance/rdmap/tracker/facts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/judge.h"
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/mpa/checks.h"
#include "conformance/rdmap/rdmap.h"

namespace wirelaw::rdmap {
namespace {

using mpa::FrameKind;

constexpr Octet kOctets[30] = {};

// An FPDU with a Terminate that says that no indication of the Reply suits (RFC 6581, 8).
constexpr Octet kNegotiationTerminate[] = {0, 22, 0x41, 0x47, 0, 0, 0, 0, 0,    0, 0, 2,
                                           0, 0,  0,    1,    0, 0, 0, 0, 0x20, 7, 0, 0};

// Each row changes one thing in both start frames and the facts about them. Unchanged, they break no rule.
struct Given {
  mpa::StartFrame request{
      .key = mpa::key_of(FrameKind::request), .crc = true, .enhanced = true, .revision = mpa::kRevision2};
  mpa::StartFrame reply{
      .key = mpa::key_of(FrameKind::reply), .crc = true, .enhanced = true, .revision = mpa::kRevision2};
  mpa::EnhancedData asked{.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4};
  mpa::EnhancedData answered{.peer_to_peer = true, .rtr_send = true, .ird = 4, .ord = 4};
  std::optional<StartFrameBefore> before_request = {}, before_reply = StartFrameBefore{.kind = FrameKind::request};
  std::optional<NoStartFrameFact> no_start_frame = {};
  std::optional<CutStartFrameFact> cut = {};
  HeldFact held = {};
  std::optional<LoneReplyFact> lone_reply = {};
  ResponderOrderFact order = {};
  wirelaw::Role rejected = wirelaw::Role::initiator;
  bool is_silent_after_rejection = true;
  std::optional<SilenceFact> silence = {};
  std::size_t octets_after_end = 0;
  WholeFpdusFact whole_fpdus = {};
  AlignmentFact alignment{.fitting = 100, .astray = 50};
  LastMessageFact last_message = {};
  TeardownFact teardown{.is_reset_alone = false, .is_message_open = false, .unanswered_reads = 0};
};

// Both with their enhanced data, if they have S set.
void check_frames(Judge& judge, const Given& given) {
  StartFrames frames{.request = given.request, .reply = given.reply};
  std::array<Octet, mpa::layout::kEnhanced> asked{}, answered{};
  const auto put = [](mpa::StartFrame& frame, std::array<Octet, mpa::layout::kEnhanced>& to,
                      const mpa::EnhancedData& data) {
    if (!frame.enhanced) return;
    const std::uint32_t word = mpa::encode_enhanced(data);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<Octet>(word >> (24 - 8 * i));
    frame.private_data = to;
    if (frame.private_data_length == 0) frame.private_data_length = mpa::layout::kEnhanced;
  };
  put(frames.request, asked, given.asked);
  put(frames.reply, answered, given.answered);
  check_start_frame(judge, {.frame = frames.request, .is_from_start = true, .before = given.before_request});
  check_start_frame(judge, {.frame = frames.reply, .is_from_start = true, .before = given.before_reply});
  check_agreement(judge, {.frames = frames, .held = given.held});
}

void check_all(Judge& judge, const Given& given) {
  judge.at(message_of(kOctets, Side::a, 0));
  check_frames(judge, given);
  if (given.no_start_frame) check_wrong_key(judge, *given.no_start_frame);
  if (given.cut) check_cut_start_frame(judge, *given.cut);
  if (given.lone_reply) check_lone_reply(judge, *given.lone_reply);
  check_responder_order(judge, given.order);
  check_silent_after_rejection(judge, given.rejected, given.is_silent_after_rejection);
  if (given.silence) check_silence(judge, *given.silence);
  check_octets_after_end(judge, given.octets_after_end);
  check_whole_fpdus(judge, given.whole_fpdus);
  check_mpa_end(judge, {.is_closed = true, .alignment = given.alignment});
  check_end(judge, {.last_message = given.last_message, .teardown = given.teardown});
}

struct Row {
  std::string_view rule;
  Severity severity;
  void (*spoil)(Given& given);
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.rule;
}

constexpr Severity kFails = Severity::violation, kWarns = Severity::warning;
const Row kRows[] = {
    {"MPA-7.1-3", kWarns, [](Given& given) { given.before_request = StartFrameBefore{.kind = FrameKind::request}; }},
    {"MPA-7.1.1-1", kFails,
     [](Given& given) {
       given.no_start_frame = {DueKey::request, true};
     }},
    {"MPA-7.1.1-1", kWarns,
     [](Given& given) {
       given.no_start_frame = {DueKey::request_of_iwarp, false};
     }},
    {"MPA-7.1.1-3", kFails,
     [](Given& given) {
       given.no_start_frame = {DueKey::reply, true};
     }},
    {"MPA-7.1.1-7", kFails, [](Given& given) { given.request.rejected = true; }},
    {"MPA-7.1.1-8", kFails, [](Given& given) { given.request.reserved = 1; }},
    {"MPA-7.1.1-8", kFails, [](Given& given) { given.reply.reserved = 1; }},
    {"MPA-7.1.1-10", kFails, [](Given& given) { given.request.revision = 0; }},
    {"MPA-7.1.1-10", kWarns, [](Given& given) { given.reply.revision = 3; }},
    {"MPA-7.1.1-13", kFails, [](Given& given) { given.cut = {.declared = 10, .seen = 9, .end = CutEnd::proven}; }},
    {"MPA-7.1.1-13", kFails, [](Given& given) { given.cut = {.declared = 10, .seen = 9, .end = CutEnd::unproven}; }},
    {"MPA-7.1.1-14", kFails, [](Given& given) { given.cut = {.declared = 513, .seen = 9}; }},
    {"MPA-7.1.1-14", kFails, [](Given& given) { given.reply.private_data_length = 513; }},
    {"MPA-7.1.1-15", kFails, [](Given& given) { given.request.private_data_length = 513; }},
    {"MPA-7.1.2-2", kFails, [](Given& given) { given.before_reply->kind = FrameKind::reply; }},
    {"MPA-7.1.2-2", kFails, [](Given& given) { given.before_request = StartFrameBefore{.kind = FrameKind::reply}; }},
    {"MPA-7.1.2-2", kFails, [](Given& given) { given.lone_reply = LoneReplyFact{}; }},
    {"MPA-7.1.2-5", kWarns, [](Given& given) { given.silence = {.due = Due::reply}; }},
    {"MPA-7.1.2-6", kFails, [](Given& given) { given.held.message.octets = kOctets; }},
    {"MPA-7.1.2-8", kFails,
     [](Given& given) {
       given.rejected = wirelaw::Role::responder;
       given.is_silent_after_rejection = false;
     }},
    {"MPA-7.1.2-9", kFails, [](Given& given) { given.is_silent_after_rejection = false; }},
    {"MPA-7.1.2-12", kFails, [](Given& given) { given.order.early = SeenOctets{}; }},
    {"MPA-7.1.2-12", kWarns,
     [](Given& given) {
       given.order.is_enhanced = true;
       given.order.early = SeenOctets{.octets = {std::begin(kNegotiationTerminate), std::end(kNegotiationTerminate)}};
     }},
    {"ECE-6-1", kFails, [](Given& given) { given.reply.revision = mpa::kRevision1; }},
    {"ECE-6-3", kFails, [](Given& given) { given.request.private_data_length = 3; }},
    {"ECE-9.1-2", kFails, [](Given& given) { given.answered.ord = 5; }},
    {"ECE-9.1-2", kWarns, [](Given& given) { given.answered.ord = mpa::kNoNegotiation; }},
    {"ECE-9.1-3", kWarns, [](Given& given) { given.answered.ird = 0; }},
    {"ECE-9.1-8", kFails, [](Given& given) { given.asked.ord = mpa::kNoNegotiation; }},
    {"ECE-9.1-9", kFails, [](Given& given) { given.asked.ird = mpa::kNoNegotiation; }},
    {"ECE-9.2-1", kFails, [](Given& given) { given.asked.peer_to_peer = false; }},
    {"ECE-9.2-2", kFails, [](Given& given) { given.answered.peer_to_peer = false; }},
    {"ECE-9.2-3", kWarns, [](Given& given) { given.asked.rtr_send = false; }},
    {"ECE-9.2-4", kFails, [](Given& given) { given.answered.peer_to_peer = false; }},
    {"ECE-9.2-5", kFails, [](Given& given) { given.asked.peer_to_peer = false; }},
    {"ECE-9.2-7", kFails, [](Given& given) { given.answered.rtr_send = false; }},
    {"ECE-9.2-9", kWarns, [](Given& given) { given.silence = {.due = Due::indication}; }},
    {"ECE-10-1", kFails, [](Given& given) { given.reply.enhanced = false; }},
    {"ECE-10-2", kFails, [](Given& given) { given.request.enhanced = false; }},
    {"RDMAP-5.2-1", kWarns, [](Given& given) { given.silence = {.due = Due::read_response}; }},
    {"RDMAP-6.2.1-5", kFails, [](Given& given) { given.silence = {.due = Due::end_after_terminate}; }},
    {"MPA-4.1-1", kFails, [](Given& given) { given.whole_fpdus.octets_of_the_last = 1; }},
    {"MPA-5.1-3", kWarns, [](Given& given) { given.alignment.astray = 51; }},
    {"MPA-7.2-1", kFails, [](Given& given) { given.octets_after_end = 1; }},
    {"RDMAP-5.4-9", kFails, [](Given& given) { given.last_message.octets_after = 24; }},
    {"RDMAP-6.2-1", kFails, [](Given& given) { given.teardown.is_message_open = true; }},
    {"RDMAP-6.2-2", kWarns, [](Given& given) { given.teardown.unanswered_reads = 1; }},
    {"RDMAP-6.2.1-5", kFails, [](Given& given) { given.teardown.is_reset_alone = true; }},
};

using Broken = std::set<std::pair<std::string_view, Severity>>;
Broken broken_by(void (*spoil)(Given& given)) {
  Judge judge(kProtocol.catalogue());
  Given given;
  if (spoil != nullptr) spoil(given);
  check_all(judge, given);
  Broken rules;
  for (const Finding& finding : judge.findings()) rules.emplace(finding.rule->id, finding.severity);
  return rules;
}

class RdmapFact : public ::testing::TestWithParam<Row> {};

TEST_P(RdmapFact, BreaksItsRule) {
  EXPECT_TRUE(broken_by(GetParam().spoil).contains({GetParam().rule, GetParam().severity}));
}

INSTANTIATE_TEST_SUITE_P(Rows, RdmapFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(RdmapFacts, ThatHoldBreakNothing) {
  EXPECT_THAT(broken_by(nullptr), testing::IsEmpty());
}

// A fact from which nothing follows exercises no rule, so that nothing counts as judged.
TEST(RdmapFacts, ThatShowNothingExerciseNothing) {
  Judge judge(kProtocol.catalogue());
  judge.at(message_of(kOctets, Side::a, 0));
  check_wrong_key(judge, {.due = DueKey::none});
  check_cut_start_frame(judge, {.declared = 10, .seen = 9, .end = CutEnd::unsettled});
  for (const Rule* const one : kProtocol.catalogue().rules()) EXPECT_EQ(judge.exercised(*one), 0u) << one->id;
}

// MPA-7.1.1-5 is about the first FPDU.
TEST(RdmapFacts, BreakEveryRuleOfStartUpThatACaptureShows) {
  const std::set<std::string_view> others{"MPA-7.1.1-5"};
  std::set<std::string_view> missing;
  for (const Rule* const one : kProtocol.catalogue().rules()) {
    const bool is_of_start = std::ranges::any_of(
        std::initializer_list<std::string_view>{"MPA-7.1-", "MPA-7.1.1-", "MPA-7.1.2-", "ECE-6-", "ECE-9.", "ECE-10-"},
        [&](std::string_view prefix) { return one->id.starts_with(prefix); });
    if (is_of_start && one->observable == Observable::trace && !others.contains(one->id)) missing.insert(one->id);
  }
  EXPECT_GT(missing.size(), 20u);
  for (const Row& row : kRows) missing.erase(row.rule);
  EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::rdmap

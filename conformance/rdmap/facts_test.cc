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

namespace wirelaw::rdmap::facts {
namespace {

using mpa::FrameKind;

constexpr Octet kOctets[30] = {};

// An FPDU with a Terminate that rejects all indications of the Reply (RFC 6581, 8).
constexpr Octet kNegotiationTerminate[] = {0, 22, 0x41, 0x47, 0, 0, 0, 0, 0,    0, 0, 2,
                                           0, 0,  0,    1,    0, 0, 0, 0, 0x20, 7, 0, 0};

// An FPDU, and the tracker's facts about it.
struct GivenFpdu {
  GivenFpdu(Opcode opcode, std::size_t ulpdu) { put(opcode, ulpdu); }
  // Its ULPDU is a DDP segment of this many octets: a header, and zeros.
  void put(Opcode opcode, std::size_t ulpdu) {
    const OpcodeRow& row = *find_opcode(static_cast<std::uint8_t>(opcode));
    octets = {static_cast<Octet>(ulpdu >> 8), static_cast<Octet>(ulpdu)};
    ddp::encode({.tagged = row.tagged,
                 .last = true,
                 .rsvd_ulp = encode_control(control_of(opcode)),
                 .qn = row.tagged ? 0 : row.queue,
                 .msn = row.tagged ? 0u : 1u},
                octets);
    octets.resize(mpa::fpdu_octets(ulpdu));
  }
  void take_out_ulpdu() {
    octets.assign(mpa::fpdu_octets(0), 0);
    crc.reset();  // nothing more is judged about an FPDU without a ULPDU
    markers.clear();
  }
  void fail_crc(CrcFault fault) {
    crc->fault = fault;
    framed = Framed::misframed;
    markers.clear();
  }
  void check(Judge& judge) const {
    const mpa::Fpdu fpdu{.octets = octets,
                         .position = position,
                         .end = position + octets.size() + mpa::kMarkerOctets * markers_inside,
                         .markers = markers};
    judge.at(message_of(octets, Side::a, 0));
    check_fpdu(judge, {.fpdu = fpdu,
                       .framed = framed,
                       .is_read = is_read,
                       .crc = crc,
                       .markers = markers,
                       .mulpdu = mulpdu,
                       .offered = offered});
  }

  OctetBuffer octets = {};
  std::uint64_t position = 0;
  std::size_t markers_inside = 0;
  std::vector<mpa::Marker> markers = {};
  Framed framed = Framed::whole;
  bool is_read = true;
  std::optional<CrcFact> crc = CrcFact{};
  std::optional<MulpduFact> mulpdu = {};
  std::optional<mpa::EnhancedData> offered = {};
};

// The ready-to-receive indication of a stream with markers. The first of them is right before it.
GivenFpdu indication() {
  GivenFpdu fpdu(Opcode::send, ddp::layout::kUntagged);
  fpdu.position = mpa::kMarkerOctets;
  fpdu.markers = {{.position = 0}};
  fpdu.offered = mpa::EnhancedData{.peer_to_peer = true, .rtr_send = true};
  return fpdu;
}

constexpr std::size_t kMarkedUlpdu = 1013;  // leaves one pad octet

// An FPDU that follows a marker, holds another, and has a third between PAD and CRC.
GivenFpdu marked() {
  GivenFpdu fpdu(Opcode::send, kMarkedUlpdu);
  fpdu.position = 516;
  fpdu.markers_inside = 2;
  fpdu.markers = {{.position = 512},
                  {.position = 1024, .pointer = 508, .expected = 508},
                  {.position = 1536, .pointer = 1020, .expected = 1020}};
  fpdu.mulpdu = MulpduFact{.mss = 1460, .markers = true};
  return fpdu;
}

GivenFpdu unmarked() {
  GivenFpdu fpdu(Opcode::write, 1018);
  fpdu.mulpdu = MulpduFact{.mss = 1024, .markers = false};
  return fpdu;
}

// The objects that a row may modify: both start frames, FPDUs, and the facts about them. Unmodified, they break no
// rule.
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
  AfterRejectionFact after_rejection = {};
  std::optional<SilenceFact> silence = {};
  FirstOctetsFact first{.is_marker_due = true, .is_marker_there = true};
  FirstOctetsFact first_unmarked{.is_marker_due = false, .is_marker_there = false};
  GivenFpdu indication = facts::indication(), marked = facts::marked(), unmarked = facts::unmarked();
  std::size_t octets_after_end = 0;
  WholeFpdusFact whole_fpdus = {};
  AlignmentFact alignment{.fitting = 100, .split = 50};
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

// The octets agree with the fact.
void check_first(Judge& judge, FirstOctetsFact fact) {
  fact.octets = fact.is_marker_there ? Octets(kOctets) : Octets(kNegotiationTerminate);
  judge.at(message_of(fact.octets, Side::a, 0));
  check_first_octets(judge, fact);
}

void check_fpdus(Judge& judge, const Given& given) {
  check_first(judge, given.first);
  check_first(judge, given.first_unmarked);
  given.indication.check(judge);
  given.marked.check(judge);
  given.unmarked.check(judge);
}

void check_all(Judge& judge, const Given& given) {
  check_fpdus(judge, given);
  judge.at(message_of(kOctets, Side::a, 0));
  check_frames(judge, given);
  if (given.no_start_frame) check_wrong_key(judge, *given.no_start_frame);
  if (given.cut) check_cut_start_frame(judge, *given.cut);
  if (given.lone_reply) check_lone_reply(judge, *given.lone_reply);
  check_responder_order(judge, given.order);
  check_after_rejection(judge, given.after_rejection);
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
     [](Given& given) { given.after_rejection = {.sender = Role::responder, .is_silent = false}; }},
    {"MPA-7.1.2-9", kFails, [](Given& given) { given.after_rejection.is_silent = false; }},
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
    {"MPA-5.1-3", kWarns, [](Given& given) { given.alignment.split = 51; }},
    {"MPA-7.2-1", kFails, [](Given& given) { given.octets_after_end = 1; }},
    {"RDMAP-5.4-9", kFails, [](Given& given) { given.last_message.octets_after = 24; }},
    {"RDMAP-6.2-1", kFails, [](Given& given) { given.teardown.is_message_open = true; }},
    {"RDMAP-6.2-2", kWarns, [](Given& given) { given.teardown.unanswered_reads = 1; }},
    {"RDMAP-6.2.1-5", kFails, [](Given& given) { given.teardown.is_reset_alone = true; }},
    {"MPA-7.1.1-5", kFails, [](Given& given) { given.first_unmarked.is_marker_there = true; }},
    {"MPA-3-1", kFails, [](Given& given) { given.unmarked.take_out_ulpdu(); }},
    {"MPA-3-5", kFails, [](Given& given) { given.unmarked.put(Opcode::write, 64769); }},
    {"MPA-4.1-2", kFails, [](Given& given) { given.unmarked.fail_crc(CrcFault::ulpdu_length); }},
    {"MPA-4.1-3", kFails, [](Given& given) { given.marked.octets[mpa::kLengthOctets + kMarkedUlpdu] = 1; }},
    {"MPA-4.1-4", kFails, [](Given& given) { given.marked.fail_crc(CrcFault::pad_count); }},
    {"MPA-4.2-1", kFails, [](Given& given) { given.indication.markers[0].reserved = 1; }},
    {"MPA-4.2-1", kFails, [](Given& given) { given.marked.markers[2].reserved = 1; }},
    {"MPA-4.2-3", kFails, [](Given& given) { given.marked.markers[0].pointer = 1; }},
    {"MPA-4.2-3", kFails, [](Given& given) { given.marked.markers[2].pointer |= 2; }},
    {"MPA-4.3-1", kFails, [](Given& given) { given.first.is_marker_there = false; }},
    {"MPA-4.3-2", kFails,
     [](Given& given) {
       given.marked.markers = {{.position = 512, .reserved = 1, .pointer = 4}};
       given.marked.framed = Framed::unframed;
     }},
    {"MPA-4.3-2", kFails, [](Given& given) { given.marked.fail_crc(CrcFault::missing_marker); }},
    {"MPA-4.3-3", kFails,
     [](Given& given) {
       given.marked.markers[1].pointer = 512;
       given.marked.markers.pop_back();
     }},
    {"MPA-4.3-5", kFails, [](Given& given) { given.marked.markers[0].pointer = 4; }},
    {"MPA-4.3-6", kFails, [](Given& given) { given.indication.markers[0].pointer = 4; }},
    {"MPA-4.3-7", kFails, [](Given& given) { given.marked.markers[2].pointer = 508; }},
    {"MPA-4.4-5", kFails, [](Given& given) { given.unmarked.fail_crc(CrcFault::absent); }},
    {"MPA-4.4-6", kFails, [](Given& given) { given.unmarked.fail_crc(CrcFault::wrong); }},
    {"MPA-4.4-7", kFails, [](Given& given) { given.unmarked.fail_crc(CrcFault::octet_order); }},
    {"MPA-4.4-8", kFails, [](Given& given) { given.marked.fail_crc(CrcFault::all_markers); }},
    {"MPA-4.4-9", kFails, [](Given& given) { given.marked.fail_crc(CrcFault::marker_behind); }},
    {"MPA-4.4-10", kFails, [](Given& given) { given.marked.fail_crc(CrcFault::marker_before); }},
    {"MPA-4.5-1", kWarns, [](Given& given) { given.marked.mulpdu->mss = 1031; }},
    {"MPA-4.5-2", kWarns, [](Given& given) { given.unmarked.mulpdu->mss = 1023; }},
    {"ECE-5-1", kFails, [](Given& given) { given.indication.put(Opcode::send, ddp::layout::kUntagged + 1); }},
    {"ECE-5-1", kFails, [](Given& given) { given.indication.put(Opcode::write, ddp::layout::kTagged + 1); }},
    {"ECE-5-1", kFails, [](Given& given) { given.indication.put(Opcode::read_response, ddp::layout::kTagged); }},
    {"ECE-5-1", kFails,
     [](Given& given) {
       given.indication.put(Opcode::read_request, ddp::layout::kUntagged + layout::kReadRequest);
       given.indication.octets[mpa::kLengthOctets + ddp::layout::kUntagged + layout::kReadSize] = 1;
     }},
    {"ECE-9.2-9", kFails, [](Given& given) { given.indication.put(Opcode::write, ddp::layout::kTagged); }},
    {"ECE-9.2-9", kFails,
     [](Given& given) {
       given.indication.offered = mpa::EnhancedData{.peer_to_peer = true, .rtr_write = true, .rtr_read = true};
     }},
    {"ECE-9.2-9", kWarns, [](Given& given) { given.indication.offered->rtr_send = false; }},
    {"ECE-9.2-9", kWarns,
     [](Given& given) {
       given.indication.offered->rtr_send = false;
       given.indication.put(Opcode::write, ddp::layout::kTagged);
     }},
    {"ECE-9.2-9", kWarns,
     [](Given& given) {
       given.indication.offered->rtr_send = false;
       given.indication.put(Opcode::read_request, ddp::layout::kUntagged + layout::kReadRequest);
     }},
};

struct KeptRow {
  std::string_view rule;
  void (*change)(Given& given) = nullptr;
};
void PrintTo(const KeptRow& row, std::ostream* out) {
  *out << row.rule;
}

// Each rule about FPDUs, and an input that nearly breaks it, if there is one.
const KeptRow kKeptRows[] = {
    {"MPA-7.1.1-5"},
    {"MPA-3-1", [](Given& given) { given.unmarked.put(Opcode::write, ddp::layout::kTagged); }},
    {"MPA-3-5", [](Given& given) { given.unmarked.put(Opcode::write, 64768); }},
    {"MPA-4.1-2"},
    {"MPA-4.1-3", [](Given& given) { given.marked.octets[mpa::kLengthOctets + kMarkedUlpdu - 1] = 1; }},
    {"MPA-4.1-3", [](Given& given) { given.marked.octets[mpa::kLengthOctets + kMarkedUlpdu + 1] = 1; }},
    {"MPA-4.1-4"},
    {"MPA-4.2-1", [](Given& given) { given.marked.markers[0].pointer = 4; }},
    {"MPA-4.2-3", [](Given& given) { given.marked.markers[0].pointer = 4; }},
    {"MPA-4.3-1"},
    {"MPA-4.3-2", [](Given& given) { given.marked.markers[0].reserved = 1; }},
    {"MPA-4.3-2", [](Given& given) { given.marked.markers[0].pointer = 4; }},
    {"MPA-4.3-3", [](Given& given) { given.marked.markers[1].pointer |= 3; }},
    {"MPA-4.3-3", [](Given& given) { given.marked.markers[2].pointer = 508; }},
    {"MPA-4.3-5", [](Given& given) { given.marked.markers[0].pointer = 3; }},
    {"MPA-4.3-6", [](Given& given) { given.indication.markers[0].pointer = 3; }},
    {"MPA-4.3-7", [](Given& given) { given.marked.markers[2].pointer |= 3; }},
    {"MPA-4.4-5"},
    {"MPA-4.4-6"},
    {"MPA-4.4-7"},
    {"MPA-4.4-8"},
    {"MPA-4.4-9"},
    {"MPA-4.4-10"},
    {"MPA-4.5-1", [](Given& given) { given.marked.mulpdu->mss = 1032; }},
    {"MPA-4.5-2", [](Given& given) { given.unmarked.mulpdu->mss = 1024; }},
    {"ECE-5-1", [](Given& given) { given.indication.put(Opcode::write, ddp::layout::kTagged); }},
    {"ECE-5-1",
     [](Given& given) { given.indication.put(Opcode::read_request, ddp::layout::kUntagged + layout::kReadRequest); }},
    {"ECE-9.2-9", [](Given& given) { given.indication.put(Opcode::send_se, ddp::layout::kUntagged); }},
    {"ECE-9.2-9",
     [](Given& given) {
       given.indication.put(Opcode::write, ddp::layout::kTagged);
       given.indication.offered->rtr_write = true;
     }},
    {"ECE-9.2-9",
     [](Given& given) {
       given.indication.put(Opcode::read_request, ddp::layout::kUntagged + layout::kReadRequest);
       given.indication.offered->rtr_read = true;
     }},
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

class RdmapKeptFact : public ::testing::TestWithParam<KeptRow> {};

// If the check did not look at the fact, nothing would be broken either.
TEST_P(RdmapKeptFact, ExercisesItsRuleAndDoesNotBreakIt) {
  const Rule* const rule = kProtocol.catalogue().find(GetParam().rule);
  ASSERT_NE(rule, nullptr);
  Judge judge(kProtocol.catalogue());
  Given given;
  if (GetParam().change != nullptr) GetParam().change(given);
  check_fpdus(judge, given);
  EXPECT_GT(judge.exercised(*rule), 0u);
  for (const Finding& finding : judge.findings()) EXPECT_NE(finding.rule->id, rule->id);
}

INSTANTIATE_TEST_SUITE_P(Rows, RdmapKeptFact, ::testing::ValuesIn(kKeptRows),
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

// Its octets may be anything.
TEST(RdmapFacts, ThatSayThatNoFpduIsReadExerciseNothing) {
  Judge judge(kProtocol.catalogue());
  GivenFpdu fpdu = marked();
  fpdu.is_read = false;
  for (const Framed framed : {Framed::misframed, Framed::unframed}) {
    fpdu.framed = framed;
    fpdu.check(judge);
  }
  for (const Rule* const one : kProtocol.catalogue().rules()) EXPECT_EQ(judge.exercised(*one), 0u) << one->id;
}

TEST(RdmapFacts, AboutAnFpduThatIsNotTrustedExerciseNoRuleOfItsContents) {
  Judge judge(kProtocol.catalogue());
  GivenFpdu fpdu = indication();
  fpdu.mulpdu = MulpduFact{.mss = 1460, .markers = true};
  fpdu.framed = Framed::unframed;
  fpdu.check(judge);
  for (const std::string_view id : {"MPA-4.1-3", "MPA-4.5-1", "ECE-5-1", "ECE-9.2-9"})
    EXPECT_EQ(judge.exercised(*kProtocol.catalogue().find(id)), 0u) << id;
}

// A Terminate is right if no kind of indication can be agreed on. A broken segment breaks rules of DDP and RDMAP.
TEST(RdmapFacts, AboutATerminateOrABrokenSegmentExerciseNoRuleOfIndications) {
  Judge judge(kProtocol.catalogue());
  GivenFpdu fpdu = indication();
  fpdu.put(Opcode::terminate, ddp::layout::kUntagged + 4);
  fpdu.check(judge);
  fpdu.put(Opcode::send, ddp::layout::kUntagged);
  const OctetBuffer send = fpdu.octets;
  fpdu.octets[mpa::kLengthOctets + ddp::layout::kRsvdUlp] |= 0x0f;  // a reserved opcode
  fpdu.check(judge);
  fpdu.octets = send;
  fpdu.octets[mpa::kLengthOctets] |= 0x80;  // the tagged model
  fpdu.check(judge);
  fpdu.put(Opcode::send, ddp::layout::kUntagged - 1);  // an incomplete header
  fpdu.check(judge);
  for (const std::string_view id : {"ECE-5-1", "ECE-9.2-9"})
    EXPECT_EQ(judge.exercised(*kProtocol.catalogue().find(id)), 0u) << id;
}

// The rules that a trace can show, in the sections whose ids begin so.
std::set<std::string_view> rules_of(std::initializer_list<std::string_view> sections) {
  std::set<std::string_view> rules;
  for (const Rule* const one : kProtocol.catalogue().rules()) {
    const bool is_in = std::ranges::any_of(sections, [&](auto section) { return one->id.starts_with(section); });
    if (is_in && one->observable == Observable::trace) rules.insert(one->id);
  }
  return rules;
}

TEST(RdmapFacts, BreakEveryRuleOfStartUpAndFpdusThatACaptureShows) {
  std::set<std::string_view> missing =
      rules_of({"MPA-3-", "MPA-4.", "MPA-7.1-", "MPA-7.1.1-", "MPA-7.1.2-", "ECE-5-", "ECE-6-", "ECE-9.", "ECE-10-"});
  EXPECT_GT(missing.size(), 40u);
  for (const Row& row : kRows) missing.erase(row.rule);
  EXPECT_THAT(missing, testing::IsEmpty());
}

// MPA-4.1-1 is about the end of a stream.
TEST(RdmapFacts, KeepEveryRuleOfFpdusThatACaptureShows) {
  std::set<std::string_view> missing = rules_of({"MPA-3-", "MPA-4.", "MPA-7.1.1-5", "ECE-5-"});
  EXPECT_GT(missing.size(), 20u);
  missing.erase("MPA-4.1-1");
  for (const KeptRow& row : kKeptRows) missing.erase(row.rule);
  EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::rdmap::facts

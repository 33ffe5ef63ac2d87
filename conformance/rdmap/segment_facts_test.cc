// SPDX-License-Identifier: Apache-2.0
// Each check of segments and messages is given a fact that keeps its rule, and one that breaks it.
#include "conformance/rdmap/tracker/segment_facts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/judge.h"
#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/rdmap.h"

namespace wirelaw::rdmap::segment_facts {
namespace {

constexpr Octet kOctets[128] = {};
constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

// The first segment of a message of this opcode, which has no other.
SegmentFacts first(Opcode opcode, std::size_t payload) {
  SegmentFacts facts;
  facts.row = find_opcode(static_cast<std::uint8_t>(opcode));
  facts.control = control_of(opcode);
  facts.carriage = Carriage::right;
  facts.header = {.tagged = facts.row->tagged, .last = true, .rsvd_ulp = encode_control(facts.control)};
  if (!facts.row->tagged) facts.header.qn = facts.row->queue;
  facts.payload = Octets(kOctets).first(payload);
  facts.header_room = HeaderFact{
      .tagged = facts.header.tagged, .needed = facts.header.octets(), .octets = facts.header.octets() + payload};
  facts.version = {.before = ddp::kVersion, .is_agreed = true};
  facts.previous = PreviousFact{};
  facts.among = AmongFact{};
  facts.order = MessageOrderFact{.tagged = facts.header.tagged};
  facts.terms = TermsFact{.mpa_revision = 1};
  return facts;
}

// The first untagged message after another one of its queue.
SegmentFacts send() {
  SegmentFacts facts = first(Opcode::send, 8);
  facts.after_last = AfterLast::next_message;
  facts.msn = MsnFact{.msn = {.due = 2, .seen = 2}};
  facts.offset = Offset::start;
  facts.length = 8;
  return facts;
}

// The second and last segment of a message.
SegmentFacts second(Opcode opcode) {
  SegmentFacts facts = first(opcode, 8);
  facts.previous.reset();
  facts.among.reset();
  facts.terms.reset();
  facts.shared = SharedFact{};
  facts.offset = Offset::next;
  facts.length = 16;
  return facts;
}

SegmentFacts read_request() {
  SegmentFacts facts = first(Opcode::read_request, layout::kReadRequest);
  facts.read_request_octets = layout::kReadRequest;
  facts.is_read_request_whole = true;
  facts.outstanding = OutstandingFact{.limit = 4, .reads = 4, .all = 4};
  return facts;
}

SegmentFacts read_response(std::uint32_t size) {
  SegmentFacts facts = first(Opcode::read_response, size);
  facts.answer = AnswerFact{.due = 3, .request = {.size = size}};
  facts.response = ResponseFact{.size = size, .received = size};
  facts.read_after_atomics = ReadAfterAtomicsFact{.read = 3};
  return facts;
}

SegmentFacts extension(Opcode opcode) {
  SegmentFacts facts = first(opcode, find_opcode(static_cast<std::uint8_t>(opcode))->header_octets);
  facts.terms->has_extensions = true;
  facts.extension = ExtensionFact{.octets = facts.payload.size()};
  return facts;
}

SegmentFacts atomic_request(std::uint8_t opcode) {
  SegmentFacts facts = extension(Opcode::atomic_request);
  facts.extension->request = AtomicRequest{.reserved_and_opcode = opcode, .to = 8, .compare_mask = kAllOnes};
  return facts;
}

SegmentFacts atomic_response() {
  SegmentFacts facts = extension(Opcode::atomic_response);
  facts.atomic_answer = AtomicAnswerFact{
      .identifier = 7, .due = AtomicAnswerFact::Request{.index = 4, .identifier = 7}, .is_known = true};
  return facts;
}

// The order of a message with a segment that is not in its place.
MessageOrderFact strayed(MessageOrder order, bool tagged) {
  return {.order = order, .tagged = tagged, .stray = Stray{}};
}

// The facts that a row may modify. Unmodified, they break no rule.
struct Given {
  SegmentFacts send = segment_facts::send(), rest = second(Opcode::send), write = second(Opcode::write);
  SegmentFacts empty = first(Opcode::write, 0);
  SegmentFacts read_request = segment_facts::read_request();
  SegmentFacts response = read_response(8), empty_response = read_response(0);
  SegmentFacts immediate = extension(Opcode::immediate_data);
  SegmentFacts fetch_add = atomic_request(kFetchAdd), swap = atomic_request(kCmpSwap);
  SegmentFacts atomic_response = segment_facts::atomic_response();

  Given() { empty.segments = 1; }
};

void check_facts(Judge& judge, const SegmentFacts& facts) {
  judge.at(message_of(kOctets, Side::a, 0));
  check_ddp_header(judge, *facts.header_room);
  if (!facts.has_header()) return;
  check_ddp_segment(judge, facts);
  check_message(judge, facts);
}

void check_all(Judge& judge, const Given& given) {
  for (const SegmentFacts* const facts :
       {&given.send, &given.rest, &given.write, &given.empty, &given.read_request, &given.response,
        &given.empty_response, &given.immediate, &given.fetch_add, &given.swap, &given.atomic_response})
    check_facts(judge, *facts);
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
    {"DDP-4.1-3", kFails, [](Given& given) { given.send.previous->is_ended = false; }},
    {"DDP-4.1-3", kFails, [](Given& given) { given.empty.previous->is_ended = false; }},
    {"DDP-4.1-4", kFails, [](Given& given) { given.send.after_last = AfterLast::more; }},
    {"DDP-4.1-5", kFails, [](Given& given) { given.send.after_last = AfterLast::missing_part; }},
    {"DDP-4.1-6", kFails, [](Given& given) { given.send.order->order = MessageOrder::last_not_highest; }},
    {"DDP-4.1-10", kFails, [](Given& given) { given.write.header.reserved = 1; }},
    {"DDP-4.1-12", kFails,
     [](Given& given) {
       given.send.header.version = 2;
       given.send.version.before.reset();
     }},
    {"DDP-4.1-13", kFails, [](Given& given) { given.send.version.before = 2; }},
    {"DDP-4.2-1", kFails, [](Given& given) { given.write.header_room->octets = 13; }},
    {"DDP-4.2-4", kFails, [](Given& given) { given.write.shared->rsvd_ulp.seen = 1; }},
    {"DDP-4.2-8", kFails, [](Given& given) { given.write.shared->stag.seen = 1; }},
    {"DDP-4.3-1", kFails, [](Given& given) { given.send.header_room->octets = 17; }},
    {"DDP-4.3-4", kFails, [](Given& given) { given.rest.shared->rsvd_ulp.seen = 1; }},
    {"DDP-4.3-4", kFails, [](Given& given) { given.rest.shared->rsvd_ulp_rest.seen = 1; }},
    {"DDP-4.3-5", kFails, [](Given& given) { given.rest.shared->qn.seen = 1; }},
    {"DDP-4.3-7", kFails, [](Given& given) { given.send.msn->msn.seen = 3; }},
    {"DDP-4.3-8", kFails,
     [](Given& given) { given.send.msn = MsnFact{.msn = {.due = 1, .seen = 0}, .is_first = true}; }},
    {"DDP-4.3-9", kFails, [](Given& given) { given.send.msn->msn = {.due = 0, .seen = 1}; }},
    {"DDP-4.3-10", kFails, [](Given& given) { given.rest.shared->msn.seen = 1; }},
    {"DDP-4.3-11", kFails, [](Given& given) { given.send.given_up = strayed(MessageOrder::headless, false); }},
    {"DDP-5.2-3", kFails, [](Given& given) { given.send.length = 0x1'0000'0000; }},
    {"DDP-5.2-3", kFails, [](Given& given) { given.write.length = 0x1'0000'0000; }},
    {"DDP-5.2-6", kFails, [](Given& given) { given.send.given_up = strayed(MessageOrder::gap, false); }},
    {"DDP-5.2-7", kFails, [](Given& given) { given.write.order = strayed(MessageOrder::gap, true); }},
    {"DDP-5.2-9", kFails, [](Given& given) { given.empty.segments = 2; }},
    {"DDP-5.3-1", kWarns, [](Given& given) { given.send.among->open = 1; }},
    {"DDP-5.3-2", kFails, [](Given& given) { given.rest.order = strayed(MessageOrder::late, false); }},
    {"DDP-5.3-2", kFails, [](Given& given) { given.write.order = strayed(MessageOrder::late, true); }},
    {"RDMAP-4.1-4", kFails, [](Given& given) { given.send.control.version = 2; }},
    {"RDMAP-4.1-4", kFails, [](Given& given) { given.send.control.version = 0; }},
    {"RDMAP-4.1-5", kFails, [](Given& given) { given.send.control.reserved = 1; }},
    {"RDMAP-4.1-7", kFails,
     [](Given& given) {
       given.send.control.opcode = 12;
       given.send.row = nullptr;
     }},
    {"RDMAP-4.1-7", kWarns,
     [](Given& given) {
       given.send.control.opcode = 15;
       given.send.row = nullptr;
     }},
    {"RDMAP-4.1-7", kWarns, [](Given& given) { given.fetch_add.terms->has_extensions = false; }},
    {"RDMAP-4.2-1", kFails, [](Given& given) { given.read_request.read_request_octets = 27; }},
    {"RDMAP-4.2-2", kFails, [](Given& given) { given.read_request.read_request_octets = 29; }},
    {"RDMAP-4.4-1", kWarns, [](Given& given) { given.read_request.is_read_request_whole = false; }},
    {"RDMAP-4.4-3", kFails, [](Given& given) { given.response.answer->request.sink_stag = 1; }},
    {"RDMAP-4.4-3", kWarns, [](Given& given) { given.empty_response.answer->request.sink_stag = 1; }},
    {"RDMAP-4.4-4", kFails, [](Given& given) { given.response.answer->request.sink_to = 1; }},
    {"RDMAP-4.4-4", kWarns, [](Given& given) { given.empty_response.answer->request.sink_to = 1; }},
    {"RDMAP-4.4-5", kFails, [](Given& given) { given.response.response->received = 7; }},
    {"RDMAP-4.4-5", kFails, [](Given& given) { given.response.response->received = 9; }},
    {"RDMAP-5.2-1", kFails, [](Given& given) { given.response.answer->due.reset(); }},
    {"RDMAP-5.2.1-13", kFails, [](Given& given) { given.empty_response.response->received = 1; }},
    {"RDMAP-5.2.2-6", kFails, [](Given& given) { given.response.answer->instead = 4; }},
    {"RDMAP-6.1-6", kFails, [](Given& given) { given.read_request.outstanding->reads = 5; }},
    {"RDMAP-6.1-6", kWarns, [](Given& given) { given.read_request.outstanding->all = 5; }},
    {"RDMAP-7.2-12", kFails, [](Given& given) { given.response.answer->request.source_to = kAllOnes - 6; }},
    {"RDMAPX-4.1-3", kFails, [](Given& given) { given.immediate.header.rsvd_ulp_rest = 1; }},
    {"RDMAPX-5.1.1-1", kWarns, [](Given& given) { given.fetch_add.extension->request->to = 9; }},
    {"RDMAPX-5.1.2-1", kWarns, [](Given& given) { given.swap.extension->request->to = 9; }},
    {"RDMAPX-5.2.1-1", kFails, [](Given& given) { given.swap.extension->request->reserved_and_opcode |= 16; }},
    {"RDMAPX-5.2.1-3", kFails, [](Given& given) { given.swap.extension->request->reserved_and_opcode = 1; }},
    {"RDMAPX-5.2.1-7", kFails, [](Given& given) { given.fetch_add.extension->request->compare = 1; }},
    {"RDMAPX-5.2.1-8", kFails, [](Given& given) { given.fetch_add.extension->request->compare_mask = 1; }},
    {"RDMAPX-5.2.2-1", kFails, [](Given& given) { given.atomic_response.atomic_answer->due.reset(); }},
    {"RDMAPX-5.2.2-2", kFails, [](Given& given) { given.atomic_response.atomic_answer->is_known = false; }},
    {"RDMAPX-5.2.2-10", kFails, [](Given& given) { given.atomic_response.atomic_answer->due->identifier = 6; }},
    {"RDMAPX-7-8", kFails, [](Given& given) { given.response.read_after_atomics->earlier_atomic = 2; }},
    {"RDMAPX-7-12", kFails, [](Given& given) { given.atomic_response.atomic_answer->earlier_read = 2; }},
};

using Broken = std::set<std::pair<std::string_view, Severity>>;
Broken broken_by(const Judge& judge) {
  Broken rules;
  for (const Finding& finding : judge.findings()) rules.emplace(finding.rule->id, finding.severity);
  return rules;
}

class SegmentFact : public ::testing::TestWithParam<Row> {};

// ThatHoldBreakNothing judges the same facts, unspoiled.
TEST_P(SegmentFact, BreaksItsRule) {
  const Row& row = GetParam();
  Judge judge(kProtocol.catalogue());
  Given given;
  row.spoil(given);
  check_all(judge, given);
  EXPECT_TRUE(broken_by(judge).contains({row.rule, row.severity}));
}

INSTANTIATE_TEST_SUITE_P(Rows, SegmentFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(SegmentFacts, ThatHoldBreakNothing) {
  Judge judge(kProtocol.catalogue());
  check_all(judge, {});
  EXPECT_THAT(broken_by(judge), testing::IsEmpty());
}

// Two rules are about numbers that only the facts which break them have.
TEST(SegmentFacts, ThatHoldExerciseEachRule) {
  const std::set<std::string_view> kOnlyBroken{"DDP-4.3-8", "DDP-4.3-9"};
  Judge judge(kProtocol.catalogue());
  check_all(judge, {});
  for (const Row& row : kRows)
    if (!kOnlyBroken.contains(row.rule))
      EXPECT_GT(judge.exercised(*kProtocol.catalogue().find(row.rule)), 0u) << row.rule;
}

// Figure 4 of RFC 5040 and figure 2 of RFC 7306: each opcode has rules of its own.
std::set<std::string_view> broken_by_carriage() {
  std::set<std::string_view> broken;
  for (const OpcodeRow& row : opcodes()) {
    for (const Carriage carriage : {Carriage::wrong_model, Carriage::wrong_queue}) {
      SegmentFacts facts = row.extension ? extension(row.opcode) : first(row.opcode, 0);
      if (row.tagged && carriage == Carriage::wrong_queue) continue;
      facts.carriage = carriage;
      Judge judge(kProtocol.catalogue());
      check_facts(judge, facts);
      EXPECT_EQ(judge.findings().size(), 1u) << row.name;
      for (const Finding& finding : judge.findings()) broken.insert(finding.rule->id);
    }
  }
  return broken;
}

// The Invalidate STag of the messages that have none, and the length of the messages of RFC 7306.
std::set<std::string_view> broken_by_contents() {
  std::set<std::string_view> broken;
  const auto check = [&](const SegmentFacts& facts) {
    Judge judge(kProtocol.catalogue());
    check_facts(judge, facts);
    for (const Finding& finding : judge.findings()) broken.insert(finding.rule->id);
  };
  for (const OpcodeRow& row : opcodes()) {
    SegmentFacts facts = row.extension ? extension(row.opcode) : first(row.opcode, 0);
    if (!row.tagged && !row.invalidate_stag) facts.header.rsvd_ulp_rest = 1;
    check(facts);
    if (!row.extension) continue;
    for (const std::size_t octets : {row.header_octets - 1, row.header_octets + 1}) {
      facts.extension->octets = octets;
      check(facts);
    }
  }
  return broken;
}

TEST(SegmentFacts, BreakEveryRuleOfSegmentsAndMessagesThatACaptureShows) {
  std::set<std::string_view> missing;
  for (const Rule* const one : kProtocol.catalogue().rules()) {
    static constexpr std::string_view kSections[] = {"DDP-3-",     "DDP-4.",     "DDP-5.",    "RDMAP-4.1-",
                                                     "RDMAP-4.2-", "RDMAP-4.4-", "RDMAP-5.2", "RDMAP-6.1-",
                                                     "RDMAP-7.2-", "RDMAPX-4.",  "RDMAPX-5.", "RDMAPX-7-"};
    const bool is_in = std::ranges::any_of(kSections, [&](auto section) { return one->id.starts_with(section); });
    if (is_in && one->observable == Observable::trace) missing.insert(one->id);
  }
  EXPECT_GT(missing.size(), 80u);
  for (const Row& row : kRows) missing.erase(row.rule);
  for (const std::string_view rule : broken_by_carriage()) missing.erase(rule);
  for (const std::string_view rule : broken_by_contents()) missing.erase(rule);
  EXPECT_THAT(missing, testing::IsEmpty());
}

// A segment that ends within its DDP header is no segment of DDP.
TEST(SegmentFacts, OfAnIncompleteHeaderExerciseNothingElse) {
  Judge judge(kProtocol.catalogue());
  SegmentFacts facts = send();
  facts.header_room->octets = 1;
  check_facts(judge, facts);
  EXPECT_EQ(broken_by(judge), (Broken{{"DDP-4.3-1", kFails}}));
  EXPECT_EQ(judge.exercised(*kProtocol.catalogue().find("DDP-4.1-10")), 0u);
}

// If the segments before it were not seen, nothing is said about its place.
TEST(SegmentFacts, WithoutAMessageExerciseNoRuleOfMessages) {
  Judge judge(kProtocol.catalogue());
  SegmentFacts facts;
  facts.header_room = HeaderFact{.needed = 18, .octets = 18};
  check_facts(judge, facts);
  std::set<std::string_view> exercised;
  for (const Rule* const one : kProtocol.catalogue().rules())
    if (judge.exercised(*one) > 0) exercised.insert(one->id);
  EXPECT_EQ(exercised, (std::set<std::string_view>{"DDP-4.1-10", "DDP-4.3-1"}));
}

}  // namespace
}  // namespace wirelaw::rdmap::segment_facts

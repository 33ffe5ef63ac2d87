// SPDX-License-Identifier: Apache-2.0
// Each check of SMB Direct is given a message or a fact that keeps its rule, and one that breaks it.
#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "conformance/smbd/2.2-syntax/syntax.h"
#include "conformance/smbd/2.2.1-negotiate-request/negotiate_request.h"
#include "conformance/smbd/2.2.2-negotiate-response/negotiate_response.h"
#include "conformance/smbd/2.2.3-data-transfer/data_transfer.h"
#include "conformance/smbd/3.1.4.5-write/write.h"
#include "conformance/smbd/3.1.4.6-read/read.h"
#include "conformance/smbd/3.1.5.1-sending/sending.h"
#include "conformance/smbd/3.1.5.2-sending-request/sending_request.h"
#include "conformance/smbd/3.1.5.3-sending-response/sending_response.h"
#include "conformance/smbd/3.1.5.4-segments/segments.h"
#include "conformance/smbd/3.1.5.6-receiving-request/receiving_request.h"
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"
#include "conformance/smbd/3.1.5.9-credits/credits.h"
#include "conformance/smbd/3.1.7.2-arrival/arrival.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/promptness.h"
#include "conformance/smbd/smbd.h"

namespace wirelaw::smbd {
namespace {

constexpr Octet kZeros[4] = {};
constexpr Octet kPayload[8] = {};

// Each row changes one thing in a message of each type and the facts about it. Unchanged, they break no rule.
struct Given {
  NegotiateRequest request{.credits_requested = 10,
                           .preferred_send_size = 1024,
                           .max_receive_size = 1024,
                           .max_fragmented_size = kLeastMaxFragmentedSize};
  NegotiateResponse response{.negotiated_version = kVersion1,
                             .credits_requested = 10,
                             .credits_granted = 10,
                             .max_read_write_size = 65'536,
                             .preferred_send_size = 1024,
                             .max_receive_size = 1024,
                             .max_fragmented_size = kLeastMaxFragmentedSize};
  NegotiateResponse failure{.status = status::kNotSupported};
  ResponseFact answers{.is_asked_for = true, .request = RequestLimits{1024, 1024}};
  TransferFact transfer{
      .data = {.credits_requested = 10,
               .credits_granted = 1,
               .data_offset = kUsualDataOffset,
               .data_length = sizeof kPayload,
               .padding = kZeros,
               .buffer = kPayload},
      .segment =
          SegmentFact{.left = sizeof kPayload, .max_send_size = 1024, .max_fragmented_size = kLeastMaxFragmentedSize},
      .max_receive_size = 1024,
      .is_listener_granted = true,
      .credit = CreditFact{.was_granted = true, .credits = 1},
      .asking = AskingFact{},
      .grant = {.is_account_known = true,
                .credits = 0,
                .target = 10,
                .is_own_account_known = true,
                .own_credits = 2,
                .own_at_least = 2,
                .has_received_all = true}};
  DataTransfer empty{.credits_requested = 10};
  std::optional<std::uint64_t> left_before_empty = {};
  MoveFact move{.is_write = true,
                .remote = {.length = 100},
                .max_read_write_size = 65'536,
                .is_lent = true,
                .moved_before = 65'436};
  OwedFact owed{.is_in_time = true};
  Role sender = Role::initiator;
  std::optional<Refusal> refusal = {};
  // Facts that only the connection shows.
  bool begins_with_data = false, is_another_negotiation = false, is_established = true, goes_on_after_failure = false;
};

// A message of these octets, without the last `left_out` of them.
class Shown {
 public:
  Shown(Judge& judge, OctetBuffer octets, std::size_t left_out = 0) : octets_(std::move(octets)) {
    octets_.resize(octets_.size() - left_out);
    delivery_.message = message_of(octets_, Side::a, 0);
    judge.at(delivery_.message);
  }
  const Message& message() const { return delivery_.message; }
  Facts facts(Role sender) const {
    Facts facts(delivery_);
    facts.sender = sender;
    return facts;
  }

 private:
  OctetBuffer octets_;
  Delivery delivery_;
};

void check_request(Judge& judge, const Given& given) {
  const Shown shown(judge, encode(given.request));
  check_request_first(judge, given.begins_with_data);
  check_request_whole(judge, shown.message());
  check_version_order(judge, given.request.min_version, given.request.max_version);
  check_request_range(judge, given.request);
  check_request_versions(judge, given.request);
  check_request_reserved(judge, given.request);
  check_request_values(judge, given.request);
  check_trailing(judge, given.request.trailing, shown.message().octets.size());
}

void check_response(Judge& judge, const Given& given) {
  const Shown shown(judge, encode(given.response));
  check_response_first(judge, given.begins_with_data);
  check_response_answers(judge, given.answers);
  check_response_whole(judge, shown.message());
  check_response_range(judge, given.response);
  check_response_versions(judge, given.response);
  check_response_reserved(judge, given.response);
  check_response_values(judge, given.response, given.answers);
  check_negotiated_version(judge, given.response);
  check_response_limits(judge, given.response, given.answers);
  check_failure_fields(judge, given.failure);
  check_failure_status(judge, given.failure);
  check_failure_is_last(judge, !given.goes_on_after_failure);
  check_silent_after_failure(judge, !given.goes_on_after_failure);
}

void check_transfer(Judge& judge, const Given& given) {
  const Shown shown(judge, encode(given.transfer.data));
  const DataTransfer& data = given.transfer.data;
  check_negotiates_once(judge, given.is_another_negotiation);
  check_only_established(judge, given.is_established);
  check_data_order(judge, shown.message().octets);
  check_data_whole(judge, shown.message());
  check_data_fields(judge, data);
  check_data_place(judge, data, shown.message().wire_length);
  check_within_receive(judge, shown.facts(given.sender), given.transfer);
  check_segment(judge, data, *given.transfer.segment);
  check_fragments(judge, data, *given.transfer.segment);
  check_first_grant(judge, *given.transfer.is_listener_granted);
  check_send_credit(judge, data, *given.transfer.credit);
  check_flag_once(judge, data, *given.transfer.asking);
  check_grant(judge, data, given.transfer.grant);
}

void check_empty_transfer(Judge& judge, const Given& given) {
  const Shown shown(judge, encode(given.empty));
  check_length_of_none(judge, given.empty, describe(MessageType::data_transfer).octets);
  check_empty(judge, shown.facts(given.sender), {.data = given.empty, .left = given.left_before_empty});
}

void check_connection(Judge& judge, const Given& given) {
  const Shown shown(judge, encode(given.response));
  check_read_write_size(judge, given.move);
  check_write(judge, given.move);
  check_read(judge, given.move);
  check_owed(judge, given.owed);
  if (!given.refusal) return;
  if (*given.refusal <= Refusal::request_fragmented_size)
    check_request_refused(judge, *given.refusal);
  else
    check_response_refused(judge, *given.refusal);
}

void check_all(Judge& judge, const Given& given) {
  check_request(judge, given);
  check_response(judge, given);
  check_transfer(judge, given);
  check_empty_transfer(judge, given);
  check_connection(judge, given);
}

struct Row {
  std::string_view rule;
  void (*spoil)(Given& given);
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.rule;
}

constexpr Octet kNotZero[8] = {1};

const Row kRows[] = {
    {"SMBD-2.2-2", [](Given& given) { given.is_another_negotiation = true; }},
    {"SMBD-2.2-4", [](Given& given) { given.request.min_version = given.request.max_version = 1; }},
    {"SMBD-2.2-8", [](Given& given) { given.request.trailing = kNotZero; }},
    {"SMBD-2.2.1-1", [](Given& given) { given.begins_with_data = true; }},
    {"SMBD-2.2.1-4", [](Given& given) { given.request.max_version = 0; }},
    {"SMBD-2.2.1-6", [](Given& given) { given.request.credits_requested = 0; }},
    {"SMBD-2.2.1-8", [](Given& given) { given.request.max_receive_size = 127; }},
    {"SMBD-2.2.1-10", [](Given& given) { given.request.max_fragmented_size = 131'071; }},
    {"SMBD-2.2.1-9",
     [](Given& given) {
       given.sender = Role::responder;
       given.transfer.max_receive_size = kUsualDataOffset + sizeof kPayload;
       given.transfer.data.trailing = kPayload;
     }},
    {"SMBD-2.2.2-14",
     [](Given& given) {
       given.transfer.max_receive_size = kUsualDataOffset + sizeof kPayload;
       given.transfer.data.trailing = kPayload;
     }},
    {"SMBD-2.2.2-1", [](Given& given) { given.begins_with_data = true; }},
    {"SMBD-2.2.2-2", [](Given& given) { given.answers.is_asked_for = false; }},
    {"SMBD-2.2.2-5", [](Given& given) { given.response.max_version = 0; }},
    {"SMBD-2.2.2-9", [](Given& given) { given.response.credits_requested = 0; }},
    {"SMBD-2.2.2-12", [](Given& given) { given.move.max_read_write_size = 99; }},
    {"SMBD-2.2.2-21", [](Given& given) { given.move.moved_before = 65'437; }},
    {"SMBD-2.2.2-13", [](Given& given) { given.answers.request->max_receive_size = 1023; }},
    {"SMBD-2.2.2-15", [](Given& given) { given.response.max_receive_size = 127; }},
    {"SMBD-2.2.2-16", [](Given& given) { given.response.max_fragmented_size = 131'071; }},
    {"SMBD-2.2.3-3", [](Given& given) { given.transfer.data.credits_requested = 0; }},
    {"SMBD-2.2.3-4", [](Given& given) { given.transfer.data.flags = 2; }},
    {"SMBD-2.2.3-6", [](Given& given) { given.transfer.data.reserved = 1; }},
    {"SMBD-2.2.3-8", [](Given& given) { given.transfer.data.data_offset = 16; }},
    {"SMBD-2.2.3-12", [](Given& given) { given.transfer.data.data_length = 9; }},
    {"SMBD-3.1.4.5-1", [](Given& given) { given.move.is_lent = false; }},
    {"SMBD-3.1.4.5-1", [](Given& given) { given.move.use = Use::unnamed; }},
    {"SMBD-3.1.4.5-1", [](Given& given) { given.move.use = Use::undescribed; }},
    {"SMBD-3.1.4.5-1", [](Given& given) { given.move.use = Use::outside; }},
    {"SMBD-3.1.4.5-1", [](Given& given) { given.move.use = Use::backwards; }},
    {"SMBD-3.1.4.6-1", [](Given& given) { given.move.is_lent = false; }},
    {"SMBD-3.1.4.6-1", [](Given& given) { given.move.use = Use::too_much; }},
    {"SMBD-3.1.4.6-1", [](Given& given) { given.move.use = Use::over; }},
    {"SMBD-3.1.5.1-1", [](Given& given) { given.is_established = false; }},
    {"SMBD-3.1.5.1-3", [](Given& given) { given.transfer.credit->credits = 0; }},
    {"SMBD-3.1.5.1-6", [](Given& given) { given.transfer.data.credits_granted = 0; }},
    {"SMBD-3.1.5.1-11", [](Given& given) { *given.transfer.asking = {.asked_before = 3, .may_come = 2}; }},
    {"SMBD-3.1.5.1-11", [](Given& given) { *given.transfer.asking = {.asked_before = 2, .may_come = 2}; }},
    {"SMBD-3.1.5.2-1", [](Given& given) { given.request.min_version = 0; }},
    {"SMBD-3.1.5.2-2", [](Given& given) { given.request.max_version = 0x0200; }},
    {"SMBD-3.1.5.2-3", [](Given& given) { given.request.reserved = 1; }},
    {"SMBD-3.1.5.3-1", [](Given& given) { given.response.min_version = 0; }},
    {"SMBD-3.1.5.3-2", [](Given& given) { given.response.max_version = 0x0200; }},
    {"SMBD-3.1.5.3-3", [](Given& given) { given.response.reserved = 1; }},
    {"SMBD-3.1.5.3-6", [](Given& given) { given.failure.credits_granted = 1; }},
    {"SMBD-3.1.5.3-7", [](Given& given) { given.response.negotiated_version = 0x0200; }},
    {"SMBD-3.1.5.3-9", [](Given& given) { given.goes_on_after_failure = true; }},
    {"SMBD-3.1.5.7-9", [](Given& given) { given.goes_on_after_failure = true; }},
    {"SMBD-3.1.6-1",
     [](Given& given) {
       given.owed = {{Owed::end_without_request}, false};
     }},
    {"SMBD-3.1.5.6-19",
     [](Given& given) {
       given.owed = {{Owed::negotiate_response}, false};
     }},
    {"SMBD-3.1.5.3-8",
     [](Given& given) {
       given.owed = {{Owed::end_after_failure}, false};
     }},
    {"SMBD-3.1.5.8-12",
     [](Given& given) {
       given.owed = {{Owed::answer}, false};
     }},
    {"SMBD-3.1.5.4-2", [](Given& given) { given.transfer.segment->max_fragmented_size = 7; }},
    {"SMBD-3.1.5.4-3", [](Given& given) { given.empty.reserved = 1; }},
    {"SMBD-3.1.5.4-4", [](Given& given) { given.empty.remaining_data_length = 1; }},
    {"SMBD-3.1.5.4-5", [](Given& given) { given.empty.data_offset = 24; }},
    {"SMBD-3.1.5.4-6", [](Given& given) { given.empty.data_length = 1; }},
    {"SMBD-3.1.5.4-7", [](Given& given) { given.empty.trailing = kPayload; }},
    {"SMBD-3.1.5.4-9", [](Given& given) { given.transfer.data.data_offset = 20; }},
    {"SMBD-3.1.5.4-12", [](Given& given) { given.transfer.segment->max_send_size = 31; }},
    {"SMBD-3.1.5.4-13", [](Given& given) { given.transfer.data.data_offset = 32; }},
    {"SMBD-3.1.5.4-14", [](Given& given) { given.transfer.data.remaining_data_length = 8; }},
    {"SMBD-3.1.5.4-16", [](Given& given) { given.transfer.data.remaining_data_length = 8; }},
    {"SMBD-3.1.5.4-17", [](Given& given) { given.transfer.segment->left = 9; }},
    {"SMBD-3.1.5.4-19", [](Given& given) { given.transfer.data.padding = Octets(kNotZero).first(4); }},
    {"SMBD-3.1.5.4-21", [](Given& given) { given.transfer.segment->is_invalidated_again = true; }},
    {"SMBD-3.1.5.4-23", [](Given& given) { given.left_before_empty = 8; }},
    {"SMBD-3.1.5.6-9", [](Given& given) { given.answers.request->preferred_send_size = 1023; }},
    {"SMBD-3.1.5.6-10",
     [](Given& given) {
       given.answers.request->preferred_send_size = 127;
       given.response.max_receive_size = 127;
     }},
    {"SMBD-3.1.5.6-17", [](Given& given) { given.response.credits_granted = 0; }},
    {"SMBD-3.1.5.6-18", [](Given& given) { given.failure.status = 1; }},
    {"SMBD-3.1.5.6-3", [](Given& given) { given.refusal = Refusal::request_short; }},
    {"SMBD-3.1.5.6-5", [](Given& given) { given.refusal = Refusal::request_version; }},
    {"SMBD-3.1.5.6-7", [](Given& given) { given.refusal = Refusal::request_credits; }},
    {"SMBD-3.1.5.6-8", [](Given& given) { given.refusal = Refusal::request_receive_size; }},
    {"SMBD-3.1.5.6-11", [](Given& given) { given.refusal = Refusal::request_fragmented_size; }},
    {"SMBD-3.1.5.7-2", [](Given& given) { given.refusal = Refusal::response_version; }},
    {"SMBD-3.1.5.7-3", [](Given& given) { given.refusal = Refusal::response_receive_size; }},
    {"SMBD-3.1.5.7-4", [](Given& given) { given.refusal = Refusal::response_fragmented_size; }},
    {"SMBD-3.1.5.7-5", [](Given& given) { given.refusal = Refusal::response_granted; }},
    {"SMBD-3.1.5.7-6", [](Given& given) { given.refusal = Refusal::response_requested; }},
    {"SMBD-3.1.5.7-7", [](Given& given) { given.refusal = Refusal::response_send_size; }},
    {"SMBD-3.1.5.9-2", [](Given& given) { given.transfer.grant.credits = given.transfer.grant.target; }},
    {"SMBD-3.1.5.9-5", [](Given& given) { given.transfer.data.credits_granted = 0; }},
    {"SMBD-3.1.5.9-8", [](Given& given) { given.transfer.data.credits_granted = 11; }},
    {"SMBD-3.1.7.2-6", [](Given& given) { given.transfer.is_listener_granted = false; }},
};

std::set<std::string_view> broken_by(void (*spoil)(Given& given)) {
  Judge judge(kProtocol.catalogue());
  Given given;
  if (spoil != nullptr) spoil(given);
  check_all(judge, given);
  std::set<std::string_view> rules;
  for (const Finding& finding : judge.findings()) rules.insert(finding.rule->id);
  return rules;
}

class SmbdFact : public ::testing::TestWithParam<Row> {};

TEST_P(SmbdFact, BreaksItsRule) {
  EXPECT_TRUE(broken_by(GetParam().spoil).contains(GetParam().rule));
}

INSTANTIATE_TEST_SUITE_P(Rows, SmbdFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(SmbdFacts, ThatHoldBreakNothing) {
  EXPECT_THAT(broken_by(nullptr), testing::IsEmpty());
}

// A message that ends within its fields.
TEST(SmbdFacts, OfShortMessagesBreakTheirRules) {
  const Given given;
  const struct {
    std::string_view rule;
    OctetBuffer octets;
    bool (*check)(Judge& judge, const Message& message);
  } kShort[] = {{"SMBD-2.2.1-11", encode(given.request), check_request_whole},
                {"SMBD-2.2.2-17", encode(given.response), check_response_whole},
                {"SMBD-2.2.3-20", encode(given.empty), check_data_whole}};
  for (const auto& one : kShort) {
    Judge judge(kProtocol.catalogue());
    const Shown whole(judge, one.octets);
    EXPECT_TRUE(one.check(judge, whole.message())) << one.rule;
    const Shown cut(judge, one.octets, 1);
    EXPECT_FALSE(one.check(judge, cut.message())) << one.rule;
    ASSERT_EQ(judge.findings().size(), 1u);
    EXPECT_EQ(judge.findings().front().rule->id, one.rule);
  }
}

// Rules that a capture shows, and that no row breaks, do not exist.
TEST(SmbdFacts, BreakEveryRuleThatACaptureShows) {
  std::set<std::string_view> shown, broken{"SMBD-2.2.1-11", "SMBD-2.2.2-17", "SMBD-2.2.3-20"}, missing;
  for (const Rule* const one : kProtocol.catalogue().rules())
    if (one->observable == Observable::trace && one->protocol == kProtocol.name) shown.insert(one->id);
  for (const Row& row : kRows) broken.insert(row.rule);
  std::ranges::set_difference(shown, broken, std::inserter(missing, missing.end()));
  EXPECT_FALSE(shown.empty());
  EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace wirelaw::smbd

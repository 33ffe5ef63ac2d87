// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2: what all messages have in common.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/smbd/breaches.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 2.2"};
constexpr Section kStimulus = kSection.by(Observable::stimulus);
constexpr Section kNotJudged = kSection.by(Observable::none);

}  // namespace

constinit const Rule kTwoFirst = kStimulus.must(
    "SMBD-2.2-1", "Negotiate Request and Negotiate Response are the first two messages of a connection.",
    "who begins otherwise is judged by SMBD-2.2.1-1 and SMBD-2.2.2-1; what a receiver makes of it, by cases");
constinit const Rule kNegotiatesOnce =
    kSection.must("SMBD-2.2-2", "Each of the two negotiate messages is sent exactly once on a connection.");
constinit const Rule kDataBothWays = kStimulus.must(
    "SMBD-2.2-3", "Once negotiated, either side may send Data Transfer messages at any time that its credits allow.");
constinit const Rule kLittleEndian =
    kSection.must("SMBD-2.2-4", "Fields of several octets are sent with their least significant octet first.");
constinit const Rule kUnsigned =
    kStimulus.must("SMBD-2.2-5", "Numbers are unsigned: a length with its highest bit set is large, not negative.",
                   "S-03 of the known defects");
constinit const Rule kReservedIgnored =
    kStimulus.must("SMBD-2.2-6", "Whatever a Reserved field holds is ignored on receipt.", "SMBD/A3");
constinit const Rule kReservedNotUsed =
    kNotJudged.must_not("SMBD-2.2-7", "No implementation puts a meaning of its own into a Reserved field.",
                        "octets show that a field is not zero, not what was meant by it: SMBD-3.1.5.2-3, 3.1.5.3-3, "
                        "3.1.5.4-3 and 2.2.3-6 judge the value");
constinit const Rule kTrailingZero =
    kSection.should("SMBD-2.2-8", "Octets that are put in behind a message to align data are zero.",
                    "SMBD/A20 and SMBD/A21: such octets are accepted, and a breach is a warning, since what they are "
                    "for cannot be seen");
constinit const Rule kTrailingIgnored =
    kStimulus.must("SMBD-2.2-9", "Octets behind a message are ignored on receipt.", "SMBD/A20, SMBD/A21");
constinit const Rule kVariableLength = kStimulus.must(
    "SMBD-2.2-10", "A receiver takes the length of a message from the transport; it differs with type and payload.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kUnsigned, {lengths_signed, sizes_signed}),
    broken_by(kDataBothWays, {receives_small}, {.who = wirelaw::Role::responder}),
    broken_by(kDataBothWays, {fragment_missing}, {.who = wirelaw::Role::initiator}),
    broken_by(kTwoFirst, {data_before_response}, {.who = wirelaw::Role::initiator}),
    broken_by(kTwoFirst, {request_short, request_version_two, request_big_endian, request_twice, request_missing,
                          data_before_request, accepts_failure_status, bad_negotiation_ignored}),
    broken_by(kNegotiatesOnce, {request_twice, response_twice, response_behind_data, negotiates_again}),
    broken_by(kDataBothWays, kNoMessageArrives),
    broken_by(kDataBothWays,
              {response_credits_granted_unposted, response_big_endian, fragments_swapped, fragment_repeated,
               grants_unposted, grant_is_total, request_twice, data_before_response, response_twice, negotiates_again,
               delivers_fragments, fragments_left_behind, refuses_empty_messages, ignores_granted_credits,
               grant_replaces_credits, queue_not_restarted}),
    broken_by(kDataBothWays, {empty_length_set, remaining_at_end, remaining_zero_early, fragment_missing},
              {.who = wirelaw::Role::responder}),
    broken_by(kLittleEndian, {request_big_endian, response_big_endian, data_big_endian}),
    broken_by(kUnsigned, kNoMessageArrives),
    broken_by(kUnsigned, {response_short, response_status_not_zero, response_twice, response_missing,
                          response_behind_data, accepts_data_beyond, offset_not_checked, accepts_too_much_announced,
                          ignores_bad_messages, hangs_on_bad_message}),
    broken_by(kUnsigned, {remaining_at_end, negotiates_again, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kReservedIgnored, kNoMessageArrives),
    broken_by(kReservedIgnored, {response_short, response_status_not_zero, response_twice, response_missing,
                                 response_behind_data, refuses_reserved_bits}),
    broken_by(kReservedIgnored, {remaining_at_end, negotiates_again, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kTrailingZero,
              {request_trailing_not_zero, response_trailing_not_zero, data_length_short, trailing_not_zero},
              {.severity = Severity::warning}),
    broken_by(kTrailingIgnored, kNoMessageArrives),
    broken_by(kTrailingIgnored, {receives_small, data_before_response, response_twice, refuses_trailing_data}),
    broken_by(kTrailingIgnored, {refuses_trailing_octets, first_receive_small}, {.who = wirelaw::Role::initiator}),
    broken_by(kTrailingIgnored, {remaining_at_end, negotiates_again, ignores_granted_credits},
              {.who = wirelaw::Role::responder}),
    broken_by(kVariableLength, {receives_small, refuses_trailing_data, delivers_fragments}),
    broken_by(kVariableLength, kNoMessageArrives, {.who = wirelaw::Role::initiator}),
    broken_by(kVariableLength, {refuses_trailing_octets, first_receive_small}, {.who = wirelaw::Role::initiator}));

}  // namespace

SectionRules syntax_rules() {
  static constexpr const Rule* kRules[] = {&kTwoFirst,        &kNegotiatesOnce,  &kDataBothWays,    &kLittleEndian,
                                           &kUnsigned,        &kReservedIgnored, &kReservedNotUsed, &kTrailingZero,
                                           &kTrailingIgnored, &kVariableLength};
  return {.rules = kRules, .breaches = kBreaches};
}

bool judge_octet_order(Judge& judge, std::uint16_t min_version, std::uint16_t max_version) {
  constexpr auto kSwapped = static_cast<std::uint16_t>(kVersion1 >> 8);
  const bool swapped = min_version == kSwapped && max_version == kSwapped;
  return judge.require(kLittleEndian, !swapped, octets(0, 4), expected(hex(kVersion1)), actual(hex(min_version)),
                       "the octets of the versions are in network order");
}

bool judge_data_order(Judge& judge, Octets message) {
  const bool swapped = is_swapped_transfer(message);
  const std::size_t header = describe(MessageType::data_transfer).octets;
  return judge.require(kLittleEndian, !swapped, octets(0, header), expected("the least significant octet first"),
                       actual("the most significant first"),
                       "in the other order it is a Data Transfer without a fault");
}

void judge_trailing(Judge& judge, Octets trailing, std::size_t octets_of_message) {
  if (trailing.empty()) return;
  const bool zero = std::ranges::all_of(trailing, [](Octet one) { return one == 0; });
  judge.advise(kTrailingZero, zero, octets(octets_of_message - trailing.size(), trailing.size()),
               expected("zeros, if they are there to align data"), actual("other octets"));
}

// What is a negotiate message beyond doubt is one too many behind a Data Transfer as well.
bool judge_negotiates_once(Judge& judge, const Way& from, Octets message) {
  if (!from.negotiated && from.transfers == 0) return true;
  const OctetBuffer none;
  const OctetBuffer& before = from.negotiated ? from.negotiated->octets : none;
  const bool same =
      !before.empty() && message.size() >= before.size() && std::equal(before.begin(), before.end(), message.begin());
  const bool again = same || is_request(message) || is_response(message);
  return judge.require(kNegotiatesOnce, !again, octets(0, describe(MessageType::negotiate_request).octets),
                       expected("a Data Transfer"), actual("another negotiate message"));
}

}  // namespace wirelaw::smbd

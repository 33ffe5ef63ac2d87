// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2.1, 2.2.2, 3.1.5.3, 3.1.5.6 and 3.1.7.2: the negotiation of a listener.
#include <fmt/format.h>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.1-negotiate-request/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.5.3-sending-response/rules.h"
#include "conformance/smbd/3.1.5.5-receiving/rules.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.9-credits/rules.h"
#include "conformance/smbd/3.1.7.1-loss/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/rules.h"
#include "conformance/smbd/cases/turns.h"
#include "conformance/smbd/tracker/connection.h"

namespace wirelaw::smbd {
namespace {

using Request = NegotiateRequest;

// Expects a refusal. A good request is accepted on another connection before, so that a listener that refuses
// everything passes nothing.
bool shows_that_it_accepts(ListenerProbe& listener) {
  ListenerProbe good(listener.run());
  good.negotiate();
  good.show_alive();
  return good.ok();
}

// The message sent ends the connection, without an answer.
void expect_silent_end(ListenerProbe& listener, const Rule& ends, const Rule& no_response,
                       std::string_view explanation) {
  const Response response = listener.next();
  if (!listener.require(no_response, !response.is_message(), "no response", to_text(response), explanation)) return;
  listener.require(ends, response.ended(), "the connection's end", to_text(response), explanation);
  listener.expect_served_anew(ends, "a valid request on a new connection");
}

// --------------------------------------------------------------------------------------------- requests to be refused

struct Refused {
  std::string_view id;
  const Rule* ends;
  const Rule* no_response;
  std::string_view purpose;
  void (*spoil)(Request& request);
};
constexpr Refused kRefused[] = {
    {"negotiate/{}-refuses-no-credits", &rule<"SMBD-3.1.5.6-7">, &rule<"SMBD-3.1.5.6-12">,
     "The listener ends the connection after a request for no credits.",
     [](Request& one) { one.credits_requested = 0; }},
    {"negotiate/{}-refuses-a-receive-size-of-127", &rule<"SMBD-3.1.5.6-8">, &rule<"SMBD-3.1.5.6-12">,
     "The listener ends the connection after a MaxReceiveSize of 127.",
     [](Request& one) { one.max_receive_size = 127; }},
    {"negotiate/{}-refuses-a-receive-size-of-0", &rule<"SMBD-3.1.5.6-8">, &rule<"SMBD-3.1.5.6-12">,
     "The listener ends the connection after a MaxReceiveSize of 0.", [](Request& one) { one.max_receive_size = 0; }},
    {"negotiate/{}-refuses-a-fragmented-size-of-131071", &rule<"SMBD-3.1.5.6-11">, &rule<"SMBD-3.1.5.6-12">,
     "The listener ends the connection after a MaxFragmentedSize of 131,071.",
     [](Request& one) { one.max_fragmented_size = 131'071; }},
    {"negotiate/{}-refuses-a-fragmented-size-of-0", &rule<"SMBD-3.1.5.6-11">, &rule<"SMBD-3.1.5.6-12">,
     "The listener ends the connection after a MaxFragmentedSize of 0.",
     [](Request& one) { one.max_fragmented_size = 0; }},
};

void refuses(ListenerProbe& listener, const Refused& row) {
  if (!shows_that_it_accepts(listener)) return;
  Request request = ListenerProbe::good_request();
  row.spoil(request);
  listener.stimulates(*row.ends);
  listener.send_request(request);
  expect_silent_end(listener, *row.ends, *row.no_response, row.purpose);
}

// Requests that end before their fields do.
struct Short {
  std::string_view id;
  std::size_t octets;
};
constexpr Short kShort[] = {
    {"negotiate/{}-refuses-19-octets", 19}, {"negotiate/{}-refuses-8-octets", 8}, {"negotiate/{}-refuses-1-octet", 1}};

void refuses_short(ListenerProbe& listener, const Short& row) {
  if (!shows_that_it_accepts(listener)) return;
  OctetBuffer octets = encode(ListenerProbe::good_request());
  octets.resize(row.octets);
  listener.stimulates(rule<"SMBD-3.1.5.6-3">);
  listener.send(octets);
  const Response response = listener.next();
  const std::string why = fmt::format("a request of {} octets", row.octets);
  if (!listener.require(rule<"SMBD-3.1.5.6-2">, !response.is_message(), "no response", to_text(response), why)) return;
  listener.require_each({&rule<"SMBD-3.1.5.6-1">, &rule<"SMBD-3.1.5.6-3">}, response.ended(), "the connection's end",
                        to_text(response), why);
  listener.expect_served_anew(rule<"SMBD-3.1.5.6-3">, "a valid request on a new connection");
}

// ------------------------------------------------------------------------------------------------ ranges of versions

struct Range {
  std::string_view id;
  std::uint16_t min, max;
};
constexpr Range kOutside[] = {{"negotiate/{}-answers-versions-below", 0x0001, 0x00ff},
                              {"negotiate/{}-answers-versions-above", 0x0101, 0x0200},
                              {"negotiate/{}-answers-version-0x0000", 0x0000, 0x0000},
                              {"negotiate/{}-answers-version-0xffff", 0xffff, 0xffff},
                              {"negotiate/{}-answers-versions-in-the-wrong-order", 0x0200, 0x00ff}};

Response answer_to_range(ListenerProbe& listener, const Range& row) {
  Request request = ListenerProbe::good_request();
  request.min_version = row.min;
  request.max_version = row.max;
  listener.send_request(request);
  return listener.await_response();
}

void answers_range(ListenerProbe& listener, const Range& row) {
  if (!shows_that_it_accepts(listener)) return;
  const Response response = answer_to_range(listener, row);
  const std::string why = fmt::format("a request of versions 0x{:04x} to 0x{:04x}", row.min, row.max);
  const auto answer = decode_negotiate_response(response.octets);
  const bool answered = response.is_message() && answer.has_value();
  if (!listener.require_each({&rule<"SMBD-3.1.5.6-5">, &rule<"SMBD-3.1.5.3-16">}, answered, "a Negotiate Response",
                             to_text(response), why))
    return;
  listener.require(rule<"SMBD-3.1.5.6-4">, answer->status != status::kSuccess, "a failure",
                   fmt::format("0x{:08x}", answer->status), why);
  listener.require(rule<"SMBD-3.1.5.3-4">, answer->status == status::kNotSupported, "0xc00000bb, STATUS_NOT_SUPPORTED",
                   fmt::format("0x{:08x}", answer->status), why);
  listener.require(rule<"SMBD-3.1.5.6-5">, answer->status == status::kNotSupported, "0xc00000bb, STATUS_NOT_SUPPORTED",
                   fmt::format("0x{:08x}", answer->status), why);
  const Response end = listener.next(listener.in(std::chrono::seconds(6)));
  if (!listener.advise(rule<"SMBD-3.1.5.3-8">, end.ended(), "the connection's end", to_text(end),
                       "after the failure response"))
    return;
  listener.expect_served_anew(rule<"SMBD-3.1.5.6-5">, "a valid request on a new connection");
}

// Versions without 0x0100 are answered before other fields are checked (SMBD/A26), so also in a request with another
// fault.
struct TwoFaults {
  std::string_view id;
  std::string_view purpose;
  void (*spoil)(Request& request);
};
constexpr TwoFaults kTwoFaults[] = {
    {"negotiate/{}-looks-at-versions-before-credits",
     "The listener answers a request of version 0x0200 for no credits with STATUS_NOT_SUPPORTED.",
     [](Request& one) { one.credits_requested = 0; }},
    {"negotiate/{}-looks-at-versions-before-its-receive-size",
     "The listener answers a request of version 0x0200 whose MaxReceiveSize is 127 with STATUS_NOT_SUPPORTED.",
     [](Request& one) { one.max_receive_size = 127; }},
    {"negotiate/{}-looks-at-versions-before-its-fragmented-size",
     "The listener answers a request of version 0x0200 whose MaxFragmentedSize is 131,071 with STATUS_NOT_SUPPORTED.",
     [](Request& one) { one.max_fragmented_size = 131'071; }},
};

Response answer_to_version_2(ListenerProbe& listener, void (*spoil)(Request& request)) {
  Request request = ListenerProbe::good_request();
  request.min_version = request.max_version = 0x0200;
  if (spoil != nullptr) spoil(request);
  listener.send_request(request);
  return listener.await_response();
}

void looks_at_versions_first(ListenerProbe& listener, const TwoFaults& row) {
  if (!shows_that_it_accepts(listener)) return;
  {
    ListenerProbe of_one_fault(listener.run());
    const auto answer = decode_negotiate_response(answer_to_version_2(of_one_fault, nullptr).octets);
    if (!answer || answer->status != status::kNotSupported)
      return listener.inconclusive("a valid request of version 0x0200 was not answered with STATUS_NOT_SUPPORTED");
  }
  const Response response = answer_to_version_2(listener, row.spoil);
  const auto answer = decode_negotiate_response(response.octets);
  if (!listener.require(rule<"SMBD-3.1.5.6-5">, answer && answer->status == status::kNotSupported,
                        "0xc00000bb, STATUS_NOT_SUPPORTED",
                        answer ? fmt::format("0x{:08x}", answer->status) : to_text(response), row.purpose))
    return;
  listener.expect_served_anew(rule<"SMBD-3.1.5.6-5">, "a valid request on a new connection");
}

// SMBD/A25: the text has a listener pass them over, in the words of a SHOULD.
constexpr Range kAround[] = {{"negotiate/{}-takes-versions-that-begin-with-its-own", 0x0100, 0x0200},
                             {"negotiate/{}-takes-versions-that-end-with-its-own", 0x0000, 0x0100},
                             {"negotiate/{}-takes-versions-around-its-own", 0x0001, 0xffff}};

void takes_range(ListenerProbe& listener, const Range& row) {
  if (!shows_that_it_accepts(listener)) return;
  const Response response = answer_to_range(listener, row);
  const std::string why = fmt::format("a request of versions 0x{:04x} to 0x{:04x}", row.min, row.max);
  if (!listener.advise(
          rule<"SMBD-3.1.5.6-6">, listener.most_to_send() > 0, "a response of success",
          response.is_message() ? fmt::format("Status 0x{:08x}", listener.response().status) : to_text(response), why))
    return;
  listener.expect_alive(rule<"SMBD-3.1.5.6-6">, why);
}

// -------------------------------------------------------------------------------------------------- requests to be
// taken

struct Taken {
  std::string_view id;
  std::initializer_list<const Rule*> rules;  // rules in addition to those of a successful negotiation
  std::string_view purpose;
  void (*vary)(Request& request);
  std::initializer_list<const Rule*> refusal = {};  // additional rules broken by a refusal
};
constexpr Taken kTaken[] = {
    {"negotiate/{}-takes-the-least-sizes",
     {&rule<"SMBD-3.1.5.6-15">, &rule<"SMBD-3.1.5.6-16">, &rule<"SMBD-3.1.5.6-24">},
     "The listener accepts a request for the smallest sizes that are allowed, and honours them.",
     [](Request& one) {
       one.max_receive_size = kLeastMaxReceiveSize;
       one.max_fragmented_size = kLeastMaxFragmentedSize;
     }},
    {"negotiate/{}-takes-the-largest-sizes",
     {},
     "The listener reads sizes whose highest bit is set as large, not negative.",
     [](Request& one) { one.preferred_send_size = one.max_fragmented_size = 0xffffffff; },
     {&rule<"SMBD-2.2-5">}},
    {"negotiate/{}-takes-the-largest-fragmented-size",
     {},
     "The listener reads a MaxFragmentedSize of 0xffffffff as large, not negative.",
     [](Request& one) { one.max_fragmented_size = 0xffffffff; },
     {&rule<"SMBD-2.2-5">}},
    {"negotiate/{}-takes-the-largest-receive-size",
     {},
     "The listener reads a MaxReceiveSize of 0xffffffff as large, not negative, and sends messages of its own size.",
     [](Request& one) { one.max_receive_size = 0xffffffff; },
     {&rule<"SMBD-2.2-5">}},
    {"negotiate/{}-takes-a-preferred-size-of-0",
     {},
     "The listener accepts a PreferredSendSize of 0 (SMBD/A22).",
     [](Request& one) { one.preferred_send_size = 0; }},
    {"negotiate/{}-takes-a-preferred-size-of-127",
     {},
     "The listener accepts a PreferredSendSize below the smallest MaxReceiveSize.",
     [](Request& one) { one.preferred_send_size = kLeastMaxReceiveSize - 1; }},
    {"negotiate/{}-takes-a-request-for-one-credit",
     {&rule<"SMBD-3.1.5.6-14">},
     "The listener grants an initiator that requests one credit that credit.",
     [](Request& one) { one.credits_requested = 1; }},
    {"negotiate/{}-takes-a-request-for-65535-credits",
     {&rule<"SMBD-3.1.5.9-12">, &rule<"SMBD-2.2.2-10">},
     "The listener grants as many credits as it has to an initiator that requests the largest number.",
     [](Request& one) { one.credits_requested = 0xffff; }},
    {"negotiate/{}-ignores-reserved",
     {},
     "The listener ignores Reserved.",
     [](Request& one) { one.reserved = 0xffff; },
     {&rule<"SMBD-2.2.1-12">, &rule<"SMBD-2.2-6">}},
};

void takes(ListenerProbe& listener, const Taken& row) {
  Request request = ListenerProbe::good_request();
  row.vary(request);
  listener.send_request(request);
  const Response response = listener.await_response();
  const auto answer = decode_negotiate_response(response.octets);
  const bool answered = response.is_message() && answer && !is_transfer(response.octets);
  const std::string actual = answered ? fmt::format("Status 0x{:08x}", answer->status) : to_text(response);
  const bool succeeds = answered && answer->status == status::kSuccess;
  if (answered && is_error(answer->status) && request.preferred_send_size > ListenerProbe::kPreferredSize)
    return listener.skip(
        fmt::format("it has no receives of that size: {}, as a listener may answer (SMBD/A24)", actual));
  if (answered) listener.run().require(rule<"SMBD-2.2.2-11">, succeeds, "Status 0", actual, row.purpose);
  for (const Rule* const demand : row.refusal)
    listener.run().require(*demand, succeeds, "a response of success", actual, row.purpose);
  if (!listener.require_each({&rule<"SMBD-3.1.5.6-20">, &rule<"SMBD-3.1.5.3-17">}, succeeds, "a response of success",
                             actual, row.purpose))
    return;
  listener.require(rule<"SMBD-3.1.5.6-10">, listener.most_to_send() >= kLeastMaxReceiveSize,
                   "MaxReceiveSize 128 at least", fmt::format("{}", listener.most_to_send()), row.purpose);
  const RuleList shown = row.rules.size() > 0 ? list(row.rules) : list(row.refusal);
  shown.empty() ? listener.show_alive() : static_cast<void>(listener.expect_alive(shown, row.purpose));
}

void takes_512_octets(ListenerProbe& listener) {
  Request request = ListenerProbe::good_request();
  const OctetBuffer behind(kNegotiateReceive - describe(MessageType::negotiate_request).octets);
  request.trailing = behind;
  listener.send_request(request);
  const Response response = listener.await_response();
  constexpr std::string_view kWhy = "a request of 512 octets (SMBD/A21)";
  listener.require(rule<"SMBD-3.1.7.2-7">, listener.most_to_send() > 0, "a response of success", to_text(response),
                   kWhy);
  listener.expect_alive(rule<"SMBD-2.2-9">, kWhy);
}

// ------------------------------------------------------------------------------------------------- what the role
// expects

void takes_data_for_a_request(ListenerProbe& listener) {
  if (!shows_that_it_accepts(listener)) return;
  listener.stimulates(rule<"SMBD-3.1.5.5-1">);
  const OctetBuffer data(8, Octet{0x55});
  listener.send(encode(listener.segment(data)));
  const Response response = listener.next();
  const auto answer = decode_negotiate_response(response.octets);
  const bool refused = response.ended() || (response.is_message() && answer && answer->status != status::kSuccess);
  constexpr std::string_view kWhy = "a Data Transfer as the first message";
  listener.require_each(
      {&rule<"SMBD-3.1.5.5-1">, &rule<"SMBD-3.1.7.2-2">, &rule<"SMBD-2.2-1">, &rule<"SMBD-3.1.1.1-1">}, refused,
      "a refusal", to_text(response), kWhy);
  listener.expect_served_anew(rule<"SMBD-3.1.5.5-1">, "a valid request on a new connection");
}

void serves_two_connections(ReadyListener& listener) {
  listener.show_alive();
  ListenerProbe other(listener.run());
  Request small = ListenerProbe::good_request();
  small.max_receive_size = kSmallReceiveSize;
  other.negotiate(small);
  other.show_alive();
  if (!other.ok()) return;
  listener.expect_alive({&rule<"SMBD-3.1.7.2-1">, &rule<"SMBD-3.1.1.1-5">, &rule<"SMBD-3.1.7.2-5">},
                        "while another connection with other sizes exists");
  other.expect_alive(rule<"SMBD-3.1.7.2-1">, "while the first connection exists");
}

void serves_after_a_disconnect(ListenerProbe& listener) {
  listener.send_request(ListenerProbe::good_request());
  listener.below().close();
  listener.flush();
  listener.expect_served_anew(rule<"SMBD-3.1.7.1-4">, "after a connection that ended right after its request");
}

const CaseRow kRows[] = {
    {"negotiate/{}-takes-512-octets",
     {&rule<"SMBD-3.1.7.2-7">, &rule<"SMBD-2.2-9">, &rule<"SMBD-2.2-10">},
     "The listener accepts a request of 512 octets with octets after its fields.",
     with<takes_512_octets>()},
    {"negotiate/{}-takes-its-first-message-for-a-request",
     {&rule<"SMBD-3.1.5.5-1">, &rule<"SMBD-3.1.7.2-2">, &rule<"SMBD-2.2-1">, &rule<"SMBD-3.1.1.1-1">},
     "The listener reads a Data Transfer before the negotiation as a request, and refuses it.",
     with<takes_data_for_a_request>()},
    {"negotiate/{}-serves-two-connections",
     {&rule<"SMBD-3.1.7.2-1">, &rule<"SMBD-3.1.1.1-5">, &rule<"SMBD-3.1.7.2-5">},
     "The listener keeps separate sizes and credits for two concurrent connections.",
     with<serves_two_connections>()},
    {"negotiate/{}-survives-a-disconnect",
     {&rule<"SMBD-3.1.7.1-4">, &rule<"SMBD-3.1.7.1-3">},
     "The listener serves another connection after one that ended right after its request.",
     with<serves_after_a_disconnect>()},
};

template <class Row>
void add(std::vector<Case>& cases, const Row& row, std::vector<const Rule*> rules, std::string_view purpose,
         void (*body)(ListenerProbe&, const Row&)) {
  add_case(cases, {row.id, std::move(rules), purpose, with<ListenerProbe>([&row, body](ListenerProbe& probe) {
                     body(probe, row);
                   })},
           kRoleWords);
}

}  // namespace

std::vector<Case> listener_negotiation_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const Refused& row : kRefused) add(cases, row, {row.ends, row.no_response}, row.purpose, refuses);
  for (const Short& row : kShort)
    add(cases, row, {&rule<"SMBD-3.1.5.6-3">, &rule<"SMBD-3.1.5.6-2">, &rule<"SMBD-3.1.5.6-1">},
        kept(fmt::format("The listener ends the connection after a request of {} octets.", row.octets)), refuses_short);
  for (const Range& row : kOutside)
    add(cases, row,
        {&rule<"SMBD-3.1.5.6-5">, &rule<"SMBD-3.1.5.6-4">, &rule<"SMBD-3.1.5.3-4">, &rule<"SMBD-3.1.5.3-16">,
         &rule<"SMBD-3.1.5.3-8">},
        kept(fmt::format("The listener answers versions 0x{:04x} to 0x{:04x} with STATUS_NOT_SUPPORTED.", row.min,
                         row.max)),
        answers_range);
  for (const TwoFaults& row : kTwoFaults)
    add(cases, row, {&rule<"SMBD-3.1.5.6-5">}, row.purpose, looks_at_versions_first);
  for (const Range& row : kAround)
    add(cases, row, {&rule<"SMBD-3.1.5.6-6">},
        kept(
            fmt::format("The listener accepts versions 0x{:04x} to 0x{:04x}, which include 0x0100.", row.min, row.max)),
        takes_range);
  for (const Taken& row : kTaken) {
    std::vector<const Rule*> rules{&rule<"SMBD-3.1.5.6-20">, &rule<"SMBD-3.1.5.3-17">, &rule<"SMBD-2.2.2-11">,
                                   &rule<"SMBD-3.1.5.6-10">};
    for (const auto& more : {row.refusal, row.rules}) rules.insert(rules.begin(), more.begin(), more.end());
    add(cases, row, std::move(rules), row.purpose, takes);
  }
  return cases;
}

}  // namespace wirelaw::smbd

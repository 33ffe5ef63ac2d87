// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2.1, 2.2.2, 3.1.4.1, 3.1.5.2 and 3.1.5.7: the negotiation of an initiator.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/2.2.1-negotiate-request/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.4.1-connecting/rules.h"
#include "conformance/smbd/3.1.4.2-send/rules.h"
#include "conformance/smbd/3.1.5.2-sending-request/rules.h"
#include "conformance/smbd/3.1.5.5-receiving/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"
#include "conformance/smbd/cases/case_file.h"

namespace wirelaw::smbd {
namespace {

using Request = NegotiateRequest;
using Answer = NegotiateResponse;

// The initiator's application sends messages of these octets.
template <std::size_t kOctets>
struct Sending : InitiatorProbe {
  explicit Sending(CaseRun& run) : InitiatorProbe(run, {.octets = kOctets, .count = 4}) {}
};
struct Unread : InitiatorProbe {
  explicit Unread(CaseRun& run) : InitiatorProbe(run, kTrigger, InitiatorProbe::Unread{}) {}
};
constexpr std::size_t kLong = 20'000;

// A good response that fits the request.
Answer good_answer(const InitiatorProbe& initiator) {
  Answer answer = InitiatorProbe::good_response();
  answer.preferred_send_size = std::min(answer.preferred_send_size, initiator.request().max_receive_size);
  return answer;
}

// Expects that a good response is accepted on another connection than that of the faulty response, so that an initiator
// that ends every connection does not pass.
bool shows_that_it_accepts(InitiatorProbe& initiator) {
  InitiatorProbe good(initiator.run());
  good.negotiate();
  good.show_alive();
  return good.ok() && initiator.ok();
}

// The message sent instead of a correct response ends the connection.
void expect_end(InitiatorProbe& initiator, Probe::Rules rules, std::string_view explanation) {
  const Response response = initiator.next();
  initiator.require_each(rules, response.ended(), "the connection's end", to_text(response), explanation);
  initiator.expect_served_anew(**rules.begin(), "a valid response on a new connection");
}

// --------------------------------------------------------------------------------------------- responses to be refused

struct Refused {
  std::string_view id;
  const Rule* rule;
  std::string_view purpose;
  void (*spoil)(Answer& answer, const Request& request);
};
constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
constexpr Refused kRefused[] = {
    {"negotiate/{}-refuses-version-0x0000", &rule<"SMBD-3.1.5.7-2">,
     "The initiator ends the connection after NegotiatedVersion 0x0000.",
     [](Answer& one, const Request&) { one.negotiated_version = 0; }},
    {"negotiate/{}-refuses-version-0x00ff", &rule<"SMBD-3.1.5.7-2">,
     "The initiator ends the connection after NegotiatedVersion 0x00ff.",
     [](Answer& one, const Request&) { one.negotiated_version = 0x00ff; }},
    {"negotiate/{}-refuses-version-0x0200", &rule<"SMBD-3.1.5.7-2">,
     "The initiator ends the connection after NegotiatedVersion 0x0200.",
     [](Answer& one, const Request&) { one.negotiated_version = 0x0200; }},
    {"negotiate/{}-refuses-a-receive-size-of-127", &rule<"SMBD-3.1.5.7-3">,
     "The initiator ends the connection after a MaxReceiveSize of 127.",
     [](Answer& one, const Request&) { one.max_receive_size = 127; }},
    {"negotiate/{}-refuses-a-receive-size-of-0", &rule<"SMBD-3.1.5.7-3">,
     "The initiator ends the connection after a MaxReceiveSize of 0.",
     [](Answer& one, const Request&) { one.max_receive_size = 0; }},
    {"negotiate/{}-refuses-a-fragmented-size-of-131071", &rule<"SMBD-3.1.5.7-4">,
     "The initiator ends the connection after a MaxFragmentedSize of 131,071.",
     [](Answer& one, const Request&) { one.max_fragmented_size = 131'071; }},
    {"negotiate/{}-refuses-a-fragmented-size-of-0", &rule<"SMBD-3.1.5.7-4">,
     "The initiator ends the connection after a MaxFragmentedSize of 0.",
     [](Answer& one, const Request&) { one.max_fragmented_size = 0; }},
    {"negotiate/{}-refuses-a-grant-of-no-credits", &rule<"SMBD-3.1.5.7-5">,
     "The initiator ends the connection after CreditsGranted 0.",
     [](Answer& one, const Request&) { one.credits_granted = 0; }},
    {"negotiate/{}-refuses-no-credits", &rule<"SMBD-3.1.5.7-6">,
     "The initiator ends the connection after CreditsRequested 0.",
     [](Answer& one, const Request&) { one.credits_requested = 0; }},
    {"negotiate/{}-refuses-a-preferred-size-above-its-receive-size", &rule<"SMBD-3.1.5.7-7">,
     "The initiator ends the connection after a PreferredSendSize one above the request's MaxReceiveSize.",
     [](Answer& one, const Request& request) { one.preferred_send_size = request.max_receive_size + 1; }},
    {"negotiate/{}-refuses-the-largest-preferred-size", &rule<"SMBD-3.1.5.7-7">,
     "The initiator ends the connection after a PreferredSendSize of 4 GiB - 1.",
     [](Answer& one, const Request&) { one.preferred_send_size = kMost; }},
    {"negotiate/{}-refuses-a-failure", &rule<"SMBD-3.1.5.7-8">,
     "The initiator ends the connection after a failure response that is zero except for its versions and Status.",
     [](Answer& one, const Request&) { one = Answer{.status = status::kNotSupported}; }},
    {"negotiate/{}-refuses-a-status-of-failure", &rule<"SMBD-3.1.5.7-8">,
     "The initiator ends the connection after a failure Status in an otherwise valid response.",
     [](Answer& one, const Request&) { one.status = status::kInsufficientResources; }},
};

void refuses(InitiatorProbe& initiator, const Refused& row) {
  if (initiator.request().max_receive_size == kMost) return initiator.skip("no PreferredSendSize is above its sizes");
  if (!shows_that_it_accepts(initiator)) return;
  Answer answer = good_answer(initiator);
  row.spoil(answer, initiator.request());
  initiator.stimulates(*row.rule);
  initiator.send_response(answer);
  expect_end(initiator, {row.rule}, row.purpose);
}

struct Short {
  std::string_view id;
  std::size_t octets;
};
constexpr Short kShort[] = {{"negotiate/{}-refuses-31-octets", 31},
                            {"negotiate/{}-refuses-20-octets", 20},
                            {"negotiate/{}-refuses-8-octets", 8},
                            {"negotiate/{}-refuses-1-octet", 1}};

void refuses_short(InitiatorProbe& initiator, const Short& row) {
  if (!shows_that_it_accepts(initiator)) return;
  OctetBuffer octets = encode(good_answer(initiator));
  octets.resize(row.octets);
  initiator.stimulates(rule<"SMBD-3.1.5.7-1">);
  initiator.send(octets);
  expect_end(initiator, {&rule<"SMBD-3.1.5.7-1">}, fmt::format("a response of {} octets", row.octets));
}

void refuses_data(InitiatorProbe& initiator) {
  if (!shows_that_it_accepts(initiator)) return;
  const OctetBuffer data(8, Octet{0x55});
  initiator.stimulates(rule<"SMBD-3.1.5.5-2">);
  initiator.send(encode(initiator.segment(data)));
  expect_end(initiator,
             {&rule<"SMBD-3.1.5.5-2">, &rule<"SMBD-3.1.4.1-2">, &rule<"SMBD-3.1.1.1-1">, &rule<"SMBD-2.2-1">},
             "a Data Transfer in place of the response");
}

// ----------------------------------------------------------------------------------------------- responses to be taken

struct Taken {
  std::string_view id;
  std::initializer_list<const Rule*> rules;
  std::string_view purpose;
  void (*vary)(Answer& answer, const Request& request);
};
constexpr Taken kTaken[] = {
    {"negotiate/{}-ignores-reserved",
     {&rule<"SMBD-2.2.2-18">, &rule<"SMBD-2.2-6">},
     "The initiator ignores Reserved.",
     [](Answer& one, const Request&) { one.reserved = 0xffff; }},
    {"negotiate/{}-supports-the-highest-version-of-its-range",
     {&rule<"SMBD-2.2.1-5">, &rule<"SMBD-3.1.5.7-11">, &rule<"SMBD-3.1.5.7-24">},
     "The initiator accepts the MaxVersion of its request as the negotiated version.",
     [](Answer& one, const Request& request) { one.negotiated_version = request.max_version; }},
    {"negotiate/{}-supports-the-lowest-version-of-its-range",
     {&rule<"SMBD-2.2.1-5">, &rule<"SMBD-3.1.5.7-11">},
     "The initiator accepts the MinVersion of its request as the negotiated version.",
     [](Answer& one, const Request& request) { one.negotiated_version = request.min_version; }},
    {"negotiate/{}-takes-the-least-sizes",
     {&rule<"SMBD-3.1.5.7-15">, &rule<"SMBD-3.1.5.7-18">, &rule<"SMBD-3.1.5.7-3">, &rule<"SMBD-3.1.5.7-4">},
     "The initiator accepts the smallest sizes that are allowed.",
     [](Answer& one, const Request&) {
       one.max_receive_size = kLeastMaxReceiveSize;
       one.max_fragmented_size = kLeastMaxFragmentedSize;
     }},
    {"negotiate/{}-takes-the-largest-sizes",
     {&rule<"SMBD-2.2-5">, &rule<"SMBD-3.1.5.7-15">, &rule<"SMBD-3.1.5.7-18">},
     "The initiator reads sizes whose highest bit is set as large, not negative.",
     [](Answer& one, const Request&) {
       one.max_receive_size = one.max_fragmented_size = one.max_read_write_size = kMost;
     }},
    {"negotiate/{}-takes-a-preferred-size-of-its-receive-size",
     {&rule<"SMBD-3.1.5.7-7">, &rule<"SMBD-3.1.5.7-13">},
     "The initiator accepts a PreferredSendSize of the request's MaxReceiveSize.",
     [](Answer& one, const Request& request) { one.preferred_send_size = request.max_receive_size; }},
    {"negotiate/{}-takes-one-credit",
     {&rule<"SMBD-3.1.5.7-17">, &rule<"SMBD-3.1.5.7-12">, &rule<"SMBD-3.1.5.7-5">, &rule<"SMBD-3.1.5.7-6">},
     "The initiator exchanges messages with one credit in either direction.",
     [](Answer& one, const Request&) { one.credits_requested = one.credits_granted = 1; }},
    {"negotiate/{}-takes-a-request-for-65535-credits",
     {&rule<"SMBD-3.1.5.7-12">, &rule<"SMBD-3.1.5.7-19">},
     "The initiator grants as many credits as it has to a listener that requests the largest number.",
     [](Answer& one, const Request&) { one.credits_requested = 0xffff; }},
};

void takes(InitiatorProbe& initiator, const Taken& row) {
  Answer answer = good_answer(initiator);
  row.vary(answer, initiator.request());
  initiator.negotiate(answer);
  initiator.expect_alive(row.rules, row.purpose);
}

void takes_512_octets(InitiatorProbe& initiator) {
  Answer answer = good_answer(initiator);
  const OctetBuffer behind(kNegotiateReceive - encode(answer).size());
  answer.trailing = behind;
  initiator.negotiate(answer);
  initiator.expect_alive({&rule<"SMBD-3.1.4.1-16">, &rule<"SMBD-2.2-9">, &rule<"SMBD-2.2-10">},
                         "a response of 512 octets (SMBD/A21)");
}

// ------------------------------------------------------------------------------------------------ what it begins with

void begins_with_a_request(Unread& initiator) {
  const Response first = initiator.await_request();
  const Request& request = initiator.request();
  const bool is_request = first.is_message() && decode_negotiate_request(first.octets) &&
                          (request.min_version == kVersion1 || request.max_version == kVersion1);
  initiator.require_each(
      {&rule<"SMBD-3.1.4.1-19">, &rule<"SMBD-3.1.5.2-8">, &rule<"SMBD-3.1.4.1-17">, &rule<"SMBD-2.2-1">}, is_request,
      "a Negotiate Request", to_text(first), "once connected");
  const bool determined = request.credits_requested > 0 && request.max_receive_size >= kLeastMaxReceiveSize &&
                          request.max_fragmented_size >= kLeastMaxFragmentedSize;
  initiator.require(rule<"SMBD-3.1.4.1-4">, determined, "credits and sizes that a listener can accept",
                    fmt::format("CreditsRequested {}, MaxReceiveSize {}, MaxFragmentedSize {}",
                                request.credits_requested, request.max_receive_size, request.max_fragmented_size));
  const Response more = initiator.next(initiator.in(initiator.run().silence_time()));
  initiator.require(rule<"SMBD-3.1.4.1-8">, more.kind == Response::Kind::nothing, "silence until the response",
                    to_text(more));
  initiator.negotiate();
  initiator.expect_alive(rule<"SMBD-3.1.4.1-8">, "after the response");
}

// An initiator grants with its first message (SMBD/A41).
void grants_with_its_first_message(InitiatorProbe& initiator) {
  initiator.negotiate();
  const OctetBuffer message = initiator.begin_turn();
  initiator.require(rule<"SMBD-3.1.4.1-9">, initiator.credits() > 0, "credits with its first message", "none",
                    "the listener has no credits yet");
  for (std::uint32_t left = initiator.credits(); initiator.ok() && left > 1; --left) initiator.send(initiator.empty());
  initiator.send_message(message);
  initiator.expect_taken(rule<"SMBD-3.1.5.7-19">, "all granted credits are used at once");
}

void opens_a_connection_each_time(ReadyInitiator& initiator) {
  InitiatorProbe other(initiator.run());
  Answer small = good_answer(other);
  small.max_receive_size = kSmallReceiveSize;
  other.negotiate(small);
  other.expect_alive({&rule<"SMBD-3.1.4.1-1">, &rule<"SMBD-3.1.1.1-5">}, "while the first connection exists");
  if (!other.ok()) return;
  initiator.expect_alive({&rule<"SMBD-3.1.4.1-1">, &rule<"SMBD-3.1.1.1-5">},
                         "while another connection with other sizes exists");
}

// ------------------------------------------------------------------------------------------------------------- sizes

std::uint32_t longest_seen(const Probe& peer) {
  std::uint64_t longest = 0;
  for (const DataTransfer& one : peer.seen()) longest = std::max(longest, one.data_end());
  return static_cast<std::uint32_t>(longest);
}

void expect_none_above(InitiatorProbe& initiator, Probe::Rules rules, std::uint32_t most, std::string_view what) {
  const std::uint32_t longest = longest_seen(initiator);
  initiator.require_each(rules, longest <= most, fmt::format("messages of at most {} octets", most),
                         fmt::format("one of {}", longest), what);
}

void keeps_to_its_preferred_size(Sending<kLong>& initiator) {
  Answer answer = good_answer(initiator);
  answer.max_receive_size = std::max(answer.max_receive_size, initiator.request().preferred_send_size);
  initiator.negotiate(answer);
  initiator.take_turn(kLong);
  expect_none_above(initiator, {&rule<"SMBD-2.2.1-13">, &rule<"SMBD-3.1.5.2-5">},
                    std::max(initiator.request().preferred_send_size, 20u), "the PreferredSendSize of its request");
}

void keeps_to_the_receive_size(Sending<kLong>& initiator, std::uint32_t most) {
  Answer answer = good_answer(initiator);
  answer.max_receive_size = most;
  initiator.negotiate(answer);
  initiator.take_turn(kLong);
  expect_none_above(initiator, {&rule<"SMBD-3.1.5.7-15">, &rule<"SMBD-3.1.1.1-6">}, most,
                    "the MaxReceiveSize of the response");
}

// The first message is exactly `most` octets long; zeros follow its data if these are too short (SMBD/A20).
void send_filled(InitiatorProbe& initiator, const OctetBuffer& message, std::uint32_t most) {
  if (!initiator.ok()) return;
  const Octets data = Octets(message).first(std::min<std::size_t>(message.size(), most - kUsualDataOffset));
  const OctetBuffer zeros(most - kUsualDataOffset - data.size());
  if (!initiator.await_credits(1)) return;
  DataTransfer first = initiator.segment(data, static_cast<std::uint32_t>(message.size() - data.size()));
  first.trailing = zeros;
  initiator.send(first);
  initiator.send_message(Octets(message).subspan(data.size()));
}

void receives_its_largest(Sending<kLong>& initiator) {
  Answer answer = good_answer(initiator);
  answer.preferred_send_size = initiator.request().max_receive_size;
  initiator.negotiate(answer);
  for (int i = 0; i < 2; ++i) {
    send_filled(initiator, initiator.begin_turn(), initiator.most_to_send());
    initiator.expect_taken({&rule<"SMBD-2.2.1-14">, &rule<"SMBD-3.1.5.2-6">},
                           "a message of the MaxReceiveSize of its request");
  }
}

struct Preferred {
  std::string_view id;
  std::uint32_t octets;
  const Rule* rule;
};
constexpr Preferred kPreferred[] = {
    {"negotiate/{}-receives-128-octets-for-a-preferred-size-of-0", 0, &rule<"SMBD-3.1.5.7-14">},
    {"negotiate/{}-receives-128-octets-for-a-preferred-size-of-127", 127, &rule<"SMBD-3.1.5.7-14">},
    {"negotiate/{}-receives-128-octets-for-a-preferred-size-of-128", 128, &rule<"SMBD-3.1.5.7-13">},
    {"negotiate/{}-receives-600-octets-for-a-preferred-size-of-600", 600, &rule<"SMBD-3.1.5.7-13">},
};
void receives_preferred(Sending<kLong>& initiator, const Preferred& row) {
  Answer answer = good_answer(initiator);
  answer.preferred_send_size = row.octets;
  initiator.credits_are_due(*row.rule);
  initiator.negotiate(answer);
  send_filled(initiator, initiator.begin_turn(), initiator.most_to_send());
  initiator.expect_taken(*row.rule, fmt::format("a message of {} octets although PreferredSendSize is {}",
                                                initiator.most_to_send(), row.octets));
}

// The size is known from another connection, before the messages of this one are asked for.
void reassembles_its_largest(ReadyInitiator& initiator) {
  initiator.take_turn();
  const std::uint32_t most = initiator.most_fragmented();
  if (!initiator.ok()) return;
  if (most > Probe::kFragmentedSize) return initiator.skip("its MaxFragmentedSize is more than a case may send");
  InitiatorProbe other(initiator.run(), {.octets = most, .count = 3});
  other.negotiate();
  for (int i = 0; i < 2; ++i) {
    other.send_message(other.begin_turn());
    other.expect_taken({&rule<"SMBD-2.2.1-15">, &rule<"SMBD-3.1.5.2-7">},
                       "an upper-layer message of the MaxFragmentedSize of its request");
  }
}

void sends_the_largest_that_is_taken(Sending<kLeastMaxFragmentedSize>& initiator) {
  if (!initiator.sends_as_asked()) return;
  Answer answer = good_answer(initiator);
  answer.max_fragmented_size = kLeastMaxFragmentedSize;
  initiator.negotiate(answer);
  const OctetBuffer message = initiator.begin_turn();
  initiator.require(rule<"SMBD-3.1.5.7-18">, message.size() == kLeastMaxFragmentedSize, "a message of 131072 octets",
                    fmt::format("{} octets", message.size()));
}

void keeps_too_long_a_message(Sending<kLeastMaxFragmentedSize + 1>& initiator) {
  if (!initiator.sends_as_asked()) return;
  {
    Sending<kLeastMaxFragmentedSize + 1> good(initiator.run());
    good.negotiate();
    good.take_turn();
    if (!good.ok()) return;
  }
  Answer answer = good_answer(initiator);
  answer.max_fragmented_size = kLeastMaxFragmentedSize;
  initiator.negotiate(answer);
  const auto message = initiator.receive_message(initiator.in(initiator.run().silence_time()));
  initiator.require_each({&rule<"SMBD-3.1.5.7-18">, &rule<"SMBD-3.1.4.2-2">},
                         !message || message->size() <= kLeastMaxFragmentedSize,
                         "no message above the MaxFragmentedSize of the response",
                         fmt::format("a message of {} octets", message.value_or(OctetBuffer{}).size()));
  initiator.expect_served_anew(rule<"SMBD-3.1.5.7-18">, "a new connection with larger sizes");
}

const CaseRow kRows[] = {
    {"negotiate/{}-sends-a-request",
     {&rule<"SMBD-3.1.4.1-19">, &rule<"SMBD-3.1.5.2-8">, &rule<"SMBD-3.1.4.1-17">, &rule<"SMBD-2.2-1">,
      &rule<"SMBD-3.1.4.1-4">, &rule<"SMBD-3.1.4.1-8">},
     "The initiator sends a Negotiate Request once it is connected, and nothing more until the response.",
     with<begins_with_a_request>()},
    {"negotiate/{}-takes-its-first-message-for-a-response",
     {&rule<"SMBD-3.1.5.5-2">, &rule<"SMBD-3.1.4.1-2">, &rule<"SMBD-3.1.1.1-1">, &rule<"SMBD-2.2-1">},
     "The initiator reads a Data Transfer before the response as a response, and refuses it.",
     with<refuses_data>()},
    {"negotiate/{}-takes-512-octets",
     {&rule<"SMBD-3.1.4.1-16">, &rule<"SMBD-2.2-9">, &rule<"SMBD-2.2-10">},
     "The initiator accepts a response of 512 octets with octets after its fields.",
     with<takes_512_octets>()},
    {"negotiate/{}-grants-with-its-first-message",
     {&rule<"SMBD-3.1.4.1-9">, &rule<"SMBD-3.1.5.7-19">},
     "The initiator grants credits with its first message, and the listener can use all of them at once.",
     with<grants_with_its_first_message>()},
    {"negotiate/{}-opens-a-connection-each-time",
     {&rule<"SMBD-3.1.4.1-1">, &rule<"SMBD-3.1.1.1-5">},
     "The initiator opens a connection with its own sizes and credits each time it is triggered.",
     with<opens_a_connection_each_time>()},
    {"negotiate/{}-keeps-to-its-preferred-size",
     {&rule<"SMBD-2.2.1-13">, &rule<"SMBD-3.1.5.2-5">},
     "The initiator sends no message above the PreferredSendSize of its request.",
     with<keeps_to_its_preferred_size>()},
    {"negotiate/{}-keeps-to-a-receive-size-of-128",
     {&rule<"SMBD-3.1.5.7-15">, &rule<"SMBD-3.1.1.1-6">},
     "The initiator sends no message above a MaxReceiveSize of 128.",
     with<Sending<kLong>>([](Sending<kLong>& initiator) { keeps_to_the_receive_size(initiator, 128); })},
    {"negotiate/{}-keeps-to-a-receive-size-of-601",
     {&rule<"SMBD-3.1.5.7-15">, &rule<"SMBD-3.1.1.1-6">},
     "The initiator sends no message above a MaxReceiveSize of 601.",
     with<Sending<kLong>>([](Sending<kLong>& initiator) { keeps_to_the_receive_size(initiator, 601); })},
    {"negotiate/{}-receives-its-largest-message",
     {&rule<"SMBD-2.2.1-14">, &rule<"SMBD-3.1.5.2-6">},
     "The initiator accepts a message of the MaxReceiveSize of its request.",
     with<receives_its_largest>()},
    {"negotiate/{}-reassembles-its-largest-message",
     {&rule<"SMBD-2.2.1-15">, &rule<"SMBD-3.1.5.2-7">},
     "The initiator accepts an upper-layer message of the MaxFragmentedSize of its request.",
     with<reassembles_its_largest>()},
    {"negotiate/{}-sends-the-largest-message-that-is-taken",
     {&rule<"SMBD-3.1.5.7-18">},
     "The initiator sends an upper-layer message of the response's MaxFragmentedSize.",
     with<sends_the_largest_that_is_taken>()},
    {"negotiate/{}-keeps-too-long-a-message",
     {&rule<"SMBD-3.1.5.7-18">, &rule<"SMBD-3.1.4.2-2">},
     "The initiator sends no upper-layer message above the response's MaxFragmentedSize.",
     with<keeps_too_long_a_message>()},
};

template <class Probe, class Row>
void add(std::vector<Case>& cases, const Row& row, std::vector<const Rule*> rules, std::string_view purpose,
         void (*body)(Probe&, const Row&)) {
  add_case(cases, {row.id, std::move(rules), purpose, with<Probe>([&row, body](Probe& probe) { body(probe, row); })},
           kRoleWords);
}

}  // namespace

std::vector<Case> initiator_negotiation_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const Refused& row : kRefused) add(cases, row, {row.rule}, row.purpose, refuses);
  for (const Short& row : kShort)
    add(cases, row, {&rule<"SMBD-3.1.5.7-1">},
        kept(fmt::format("The initiator ends the connection after a response of {} octets.", row.octets)),
        refuses_short);
  for (const Taken& row : kTaken) add(cases, row, row.rules, row.purpose, takes);
  for (const Preferred& row : kPreferred)
    add(cases, row, {row.rule},
        kept(fmt::format(
            "The initiator accepts messages of {} octets, or of 128, if that is the listener's PreferredSendSize.",
            row.octets)),
        receives_preferred);
  return cases;
}

}  // namespace wirelaw::smbd

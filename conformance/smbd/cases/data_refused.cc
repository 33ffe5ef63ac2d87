// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 3.1.5.8: the Data Transfer messages that end a connection, each for one field. Sums of lengths do
// not wrap, and lengths are unsigned.
#include <fmt/format.h>

#include <limits>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.5.5-receiving/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/cases/turns.h"

namespace wirelaw::smbd {
namespace {

constexpr std::uint32_t kHighestBit = 0x80000000;

// The fault of a message that is otherwise correct.
struct Spoilt {
  std::string_view id;
  std::initializer_list<const Rule*> rules;
  std::string_view purpose;
  void (*spoil)(DataTransfer& message, const Probe& peer);
};

constexpr std::uint32_t aligned(std::size_t octets) {
  return static_cast<std::uint32_t>((octets + kDataAlignment - 1) / kDataAlignment * kDataAlignment);
}

// The data, and with them the end, begin elsewhere than at 24.
template <std::uint32_t kOffset>
void begin_at(DataTransfer& message, const Probe&) {
  static constexpr Octet kPadding[kOffset - 20 + 1] = {};
  message.data_offset = kOffset;
  message.padding = Octets(kPadding).first(kOffset - 20);
}

constexpr Spoilt kSpoilt[] = {
    {"data/{}-refuses-credits-requested-0",
     {&rule<"SMBD-3.1.5.8-2">},
     "The IUT ends the connection after a message that requests no credits.",
     [](DataTransfer& message, const Probe&) { message.credits_requested = 0; }},

    {"data/{}-refuses-data-at-offset-20",
     {&rule<"SMBD-3.1.5.8-3">},
     "The IUT ends the connection after data that begin right after the header, at octet 20.",
     begin_at<20>},
    {"data/{}-refuses-data-at-offset-25",
     {&rule<"SMBD-3.1.5.8-3">},
     "The IUT ends the connection after data that begin at octet 25.",
     begin_at<25>},
    {"data/{}-refuses-data-at-offset-28",
     {&rule<"SMBD-3.1.5.8-3">},
     "The IUT ends the connection after data that begin at octet 28, a multiple of 4.",
     begin_at<28>},

    {"data/{}-refuses-data-that-end-one-octet-behind-the-message",
     {&rule<"SMBD-3.1.5.8-5">},
     "The IUT ends the connection after a DataLength one octet longer than the data.",
     [](DataTransfer& message, const Probe&) { ++message.data_length; }},
    {"data/{}-refuses-a-data-length-above-its-receive-size",
     {&rule<"SMBD-3.1.5.8-5">},
     "The IUT ends the connection after a DataLength above MaxReceiveSize and beyond the message.",
     [](DataTransfer& message, const Probe& peer) { message.data_length = peer.most_to_send() + 1; }},
    {"data/{}-refuses-data-that-begin-behind-the-message",
     {&rule<"SMBD-3.1.5.8-5">},
     "The IUT ends the connection after a DataOffset after the end of the message.",
     [](DataTransfer& message, const Probe&) { message.data_offset = aligned(message.octets() + 1); }},
    {"data/{}-refuses-data-that-begin-8-octets-late",
     {&rule<"SMBD-3.1.5.8-5">},
     "The IUT ends the connection after a DataOffset inside the message with data that extend beyond its end.",
     [](DataTransfer& message, const Probe&) { message.data_offset += kDataAlignment; }},
    {"data/{}-refuses-a-data-offset-above-its-receive-size",
     {&rule<"SMBD-3.1.5.8-5">},
     "The IUT ends the connection after a DataOffset above MaxReceiveSize.",
     [](DataTransfer& message, const Probe& peer) { message.data_offset = aligned(peer.most_to_send() + 1); }},
    {"data/{}-refuses-a-data-offset-with-its-highest-bit",
     {&rule<"SMBD-3.1.5.8-5">, &rule<"SMBD-2.2-5">},
     "The IUT ends the connection after a DataOffset of 0x80000000, which is large and not negative.",
     [](DataTransfer& message, const Probe&) { message.data_offset = kHighestBit; }},
    {"data/{}-refuses-the-largest-data-length",
     {&rule<"SMBD-3.1.5.8-5">, &rule<"SMBD-2.2-5">},
     "The IUT ends the connection after a DataLength of 0xffffffff, whose end is small in 32 bits.",
     [](DataTransfer& message, const Probe&) { message.data_length = 0xffffffff; }},
    {"data/{}-refuses-a-data-length-with-its-highest-bit",
     {&rule<"SMBD-3.1.5.8-5">, &rule<"SMBD-2.2-5">},
     "The IUT ends the connection after a DataLength of 0x80000000, which is large and not negative.",
     [](DataTransfer& message, const Probe&) { message.data_length = kHighestBit; }},
    {"data/{}-refuses-an-end-that-wraps",
     {&rule<"SMBD-3.1.5.8-5">},
     "The IUT ends the connection after a DataOffset and DataLength whose sum is small in 32 bits.",
     [](DataTransfer& message, const Probe&) { message.data_offset = 0xfffffff8; }},

    {"data/{}-refuses-one-octet-above-its-fragmented-size",
     {&rule<"SMBD-3.1.5.8-6">},
     "The IUT ends the connection after a DataLength and RemainingDataLength that add up to MaxFragmentedSize plus "
     "one.",
     [](DataTransfer& message, const Probe& peer) {
       message.remaining_data_length = peer.most_fragmented() - message.data_length + 1;
     }},
    {"data/{}-refuses-a-remaining-length-with-its-highest-bit",
     {&rule<"SMBD-3.1.5.8-6">, &rule<"SMBD-2.2-5">},
     "The IUT ends the connection after a RemainingDataLength of 0x80000000, which is large and not negative.",
     [](DataTransfer& message, const Probe&) { message.remaining_data_length = kHighestBit; }},
    {"data/{}-refuses-an-announcement-that-wraps",
     {&rule<"SMBD-3.1.5.8-6">},
     "The IUT ends the connection after a DataLength and RemainingDataLength whose sum is small in 32 bits.",
     [](DataTransfer& message, const Probe&) {
       message.remaining_data_length = std::numeric_limits<std::uint32_t>::max() - message.data_length + 5;
     }},
};

// Returns true if the message has the intended fault: an IUT may accept the largest possible size.
bool announces_too_much(const DataTransfer& message, const Probe& peer) {
  return message.remaining_data_length == 0 || message.announced() > peer.most_fragmented();
}

template <class PeerProbe>
void refuses(PeerProbe& peer, const Spoilt& row) {
  show_unspoilt(peer);
  const EndingMessage unspoilt(peer);
  if (!peer.ok()) return;
  DataTransfer message = unspoilt.message();
  const bool whole = message.remaining_data_length == 0;
  const std::uint32_t remaining = message.remaining_data_length;
  row.spoil(message, peer);
  if (message.remaining_data_length != remaining && !announces_too_much(message, peer))
    return peer.skip("its MaxFragmentedSize allows that much");
  peer.stimulates(**row.rules.begin());
  send_one(peer, message);
  expect_end(peer, list(row.rules), whole && message.remaining_data_length == 0, row.purpose);
  peer.expect_served_anew(**row.rules.begin(), row.purpose);
}

template <class Row, class Body>
void add(std::vector<Case>& cases, const Row& row, std::vector<const Rule*> rules, std::string_view purpose,
         Body body) {
  add_case(cases, {row.id, std::move(rules), purpose, with_each([&row, body](auto& peer) { body(peer, row); })},
           kRoleWords);
}

// ------------------------------------------------------------------------------------------------- and by themselves

struct Short {
  std::string_view id;
  std::size_t octets;
};
constexpr Short kShort[] = {{"data/{}-refuses-19-octets", 19},
                            {"data/{}-refuses-8-octets", 8},
                            {"data/{}-refuses-1-octet", 1},
                            {"data/{}-refuses-0-octets", 0}};

template <class PeerProbe>
void refuses_short(PeerProbe& peer, const Short& row) {
  peer.show_alive();
  if (!peer.await_credits(1)) return;
  OctetBuffer octets = encode(peer.empty(flag::kResponseRequested));
  octets.resize(row.octets);
  peer.stimulates(rule<"SMBD-3.1.5.8-1">);
  peer.send(Octets(octets));
  const Rule* const rules[] = {&rule<"SMBD-3.1.5.8-1">};
  const std::string why = fmt::format("a message of {} octets", row.octets);
  expect_end(peer, rules, false, why);
  peer.expect_served_anew(rule<"SMBD-3.1.5.8-1">, why);
}

// Sends an empty message with the same fault.
template <class PeerProbe>
void refuses_empty_without_credits(PeerProbe& peer) {
  peer.show_alive();
  DataTransfer message = peer.empty(flag::kResponseRequested);
  message.credits_requested = 0;
  peer.stimulates(rule<"SMBD-3.1.5.8-2">);
  send_one(peer, message);
  const Rule* const rules[] = {&rule<"SMBD-3.1.5.8-2">};
  constexpr std::string_view kWhy = "a message without data that requests no credits";
  expect_end(peer, rules, false, kWhy);
  peer.expect_served_anew(rule<"SMBD-3.1.5.8-2">, kWhy);
}

// The negotiate message once more, which is no Data Transfer in order: its data would be beyond it.
template <class PeerProbe>
void takes_all_for_data(PeerProbe& peer) {
  peer.show_alive();
  if (!peer.await_credits(1)) return;
  peer.stimulates(rule<"SMBD-3.1.5.5-5">);
  peer.send(Octets(PeerProbe::kIut == Role::responder ? encode(peer.request()) : encode(peer.response())));
  const Rule* const rules[] = {&rule<"SMBD-3.1.5.5-5">, &rule<"SMBD-3.1.1.1-1">};
  constexpr std::string_view kWhy = "a negotiate message on an established connection is not a valid Data Transfer";
  expect_end(peer, rules, false, kWhy);
  peer.expect_served_anew(rule<"SMBD-3.1.5.5-5">, kWhy);
}

const CaseRow kRows[] = {
    {"data/{}-refuses-credits-requested-0-without-data",
     {&rule<"SMBD-3.1.5.8-2">},
     "The IUT ends the connection after a message without data that requests no credits.",
     with_each([](auto& peer) { refuses_empty_without_credits(peer); })},
    {"data/{}-takes-a-negotiate-message-for-data",
     {&rule<"SMBD-3.1.5.5-5">, &rule<"SMBD-3.1.1.1-1">},
     "The IUT reads a negotiate message on an established connection as a Data Transfer, and ends the connection.",
     with_each([](auto& peer) { takes_all_for_data(peer); })},
};

}  // namespace

std::vector<Case> data_refused_cases() {
  std::vector<Case> cases = cases_of(kRows, kRoleWords);
  for (const Spoilt& row : kSpoilt) {
    std::vector<const Rule*> rules = row.rules;
    rules.push_back(&rule<"SMBD-3.1.5.8-4">);
    add(cases, row, rules, row.purpose, [](auto& peer, const Spoilt& one) { refuses(peer, one); });
  }
  for (const Short& row : kShort)
    add(cases, row, {&rule<"SMBD-3.1.5.8-1">},
        kept(fmt::format("The IUT ends the connection after a message of {} octets.", row.octets)),
        [](auto& peer, const Short& one) { refuses_short(peer, one); });
  return cases;
}

}  // namespace wirelaw::smbd

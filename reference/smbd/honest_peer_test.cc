// SPDX-License-Identifier: Apache-2.0
// An honest endpoint whose peer deviates: it conforms whatever the peer does, ends the connection if it must, and
// tolerates the rest.
#include <gtest/gtest.h>

#include "reference/smbd/test_pair.h"

namespace wirelaw::smbd {
namespace {

using enum Deviation;

constexpr Options kOptions{.receive_credit_max = 8,
                           .send_credit_target = 8,
                           .max_send_size = 1024,
                           .max_receive_size = 1024,
                           .max_fragmented_recv_size = 131'072};

// A connection on which the end with this role commits the deviations.
struct Encounter {
  Encounter(const Deviations& deviations, Role deviant, unsigned seed = 1)
      : pair(kOptions, kOptions, seed, deviant == Role::initiator ? deviations : Deviations{},
             deviant == Role::responder ? deviations : Deviations{}),
        honest(pair.sides[deviant == Role::initiator ? 1 : 0]) {}

  void go_on(int steps) {
    for (int i = 0; i < steps && pair.now < seconds(400) && pair.step(); ++i) {
    }
  }
  // Both ends exchange messages; then, for some minutes, neither sends any.
  void run() {
    pair.establish();
    for (unsigned i = 0; i < 6; ++i)
      for (Side& side : pair.sides) {
        static_cast<void>(side.endpoint->send(pattern(i % 2 == 0 ? 2500 : 40, i)));
        pair.drain(side);
        go_on(3);
      }
    go_on(2000);
  }

  Pair pair;
  const Side& honest;
};

std::optional<Reason> reason_of(const Side& side) {
  for (const Event& event : side.events)
    if (const auto* one = std::get_if<Terminated>(&event)) return one->reason;
  return std::nullopt;
}

// The reason for which the honest end closes the connection, for each deviation.
struct Expected {
  Deviation deviation;
  Role deviant;
  Reason reason;
};

constexpr Expected kExpected[] = {
    {request_short, Role::initiator, Reason::request_too_short},
    {request_version_two, Role::initiator, Reason::version_not_supported},
    {request_max_below_min, Role::initiator, Reason::version_not_supported},
    {request_big_endian, Role::initiator, Reason::version_not_supported},
    {request_credits_zero, Role::initiator, Reason::no_credits_requested},
    {request_receive_size_low, Role::initiator, Reason::receive_size_too_small},
    {request_fragmented_size_low, Role::initiator, Reason::fragmented_size_too_small},
    {request_missing, Role::initiator, Reason::negotiation_timeout},
    {response_short, Role::responder, Reason::response_too_short},
    {response_negotiated_zero, Role::responder, Reason::wrong_version},
    {response_negotiated_two, Role::responder, Reason::wrong_version},
    {response_credits_requested_zero, Role::responder, Reason::no_credits_requested},
    {response_credits_granted_zero, Role::responder, Reason::no_credits_granted},
    {response_status_not_zero, Role::responder, Reason::negotiation_failed},
    {response_preferred_above_request, Role::responder, Reason::preferred_send_size_too_large},
    {response_receive_size_low, Role::responder, Reason::receive_size_too_small},
    {response_fragmented_size_low, Role::responder, Reason::fragmented_size_too_small},
    {response_missing, Role::responder, Reason::negotiation_timeout},
    {credits_requested_zero, Role::any, Reason::no_credits_requested},
    {data_big_endian, Role::any, Reason::data_beyond_message},
    {data_short, Role::any, Reason::message_too_short},
    {data_offset_unaligned, Role::any, Reason::data_not_aligned},
    {data_offset_beyond, Role::any, Reason::data_beyond_message},
    {data_length_beyond, Role::any, Reason::data_beyond_message},
    {data_sum_wraps, Role::any, Reason::data_beyond_message},
    {announces_too_much, Role::any, Reason::message_too_long_for_reassembly},
    {remaining_zero_early, Role::any, Reason::fragments_end_early},
    {fragment_missing, Role::any, Reason::fragments_end_early},
    {empty_between_fragments, Role::any, Reason::fragments_end_early},
};

TEST(HonestPeer, EndsTheConnectionForWhatItMust) {
  for (const Expected& expected : kExpected)
    for (const Role deviant : {Role::initiator, Role::responder}) {
      if (!includes(expected.deviant, deviant)) continue;
      Encounter encounter({expected.deviation}, deviant);
      encounter.run();
      EXPECT_EQ(reason_of(encounter.honest), expected.reason)
          << describe(expected.deviation).name << (deviant == Role::initiator ? ", initiator" : ", listener");
    }
}

TEST(HonestPeer, EndsTheConnectionOfAPeerThatHasGoneSilent) {
  for (const Role deviant : {Role::initiator, Role::responder}) {
    Encounter encounter({keepalive_unanswered, keepalive_not_sent}, deviant);
    encounter.run();
    EXPECT_EQ(reason_of(encounter.honest), Reason::keepalive_unanswered);
  }
}

// The pair checks every message from the honest end.
TEST(HonestPeer, KeepsToTheRulesWhateverThePeerDoes) {
  for (const DeviationInfo& info : all_deviations())
    for (const Role deviant : {Role::initiator, Role::responder}) {
      if (!includes(info.role, deviant)) continue;
      SCOPED_TRACE(std::string(info.name) + (deviant == Role::initiator ? ", initiator" : ", listener"));
      Encounter encounter({info.deviation}, deviant, 7);
      encounter.run();
      EXPECT_LE(encounter.honest.endpoint->octets_held(), 131'072u + 1024u);
    }
}

// A fault that a receiver ignores, or cannot detect, does not end the connection.
TEST(HonestPeer, BearsWhatItMay) {
  for (const Deviation deviation :
       {segment_reserved_set, empty_reserved_set, padding_not_zero, trailing_not_zero, flags_undefined, empty_padded,
        empty_offset_set, grants_above_target, invalidates_nothing, data_altered, fragment_without_data})
    for (const Role deviant : {Role::initiator, Role::responder}) {
      Encounter encounter({deviation}, deviant);
      encounter.run();
      EXPECT_EQ(reason_of(encounter.honest), std::nullopt) << describe(deviation).name;
      EXPECT_EQ(encounter.honest.endpoint->phase(), Phase::established) << describe(deviation).name;
    }
}

}  // namespace
}  // namespace wirelaw::smbd

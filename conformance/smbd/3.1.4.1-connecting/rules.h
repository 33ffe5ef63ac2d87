// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.1: how the initiator begins.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ConnectingRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.1-1", must, initiator, kSection, stimulus, octets,
       "Each request of the upper layer makes a connection of its own.", {}, {no_message_arrives}},
      {"SMBD-3.1.4.1-2", must, initiator, kSection, stimulus, octets,
       "The role is ACTIVE: a Negotiate Response is expected, and nothing else.", {},
       {{data_before_response, initiator}, request_twice, accepts_failure_status, bad_negotiation_ignored}},
      {"SMBD-3.1.4.1-3", must, initiator, kSection, api, octets,
       "An endpoint of the RDMA provider is made for the connection.", "seen at the verbs"},
      {"SMBD-3.1.4.1-4", must, initiator, kSection, stimulus, octets,
       "Credits to grant and to ask for, sizes and keep-alive interval have their initial values before the request "
       "is sent.", {}, {request_credits_zero, request_receive_size_low, request_fragmented_size_low}},
      {"SMBD-3.1.4.1-5", must, initiator, kSection, api, octets,
       "MaxReadWriteSize is 0 until the response says otherwise.", "3.1.4.7 returns it to the upper layer",
       {read_write_size_at_first, parameters_wrong}},
      {"SMBD-3.1.4.1-6", must, initiator, kSection, stimulus, octets,
       "KeepaliveRequested begins as NONE: the first message of the established connection does not ask for a "
       "response.", {}, {flag_without_cause}},
      {"SMBD-3.1.4.1-7", must, initiator, kSection, none, octets,
       "Connection.Protocol begins as 0.", "a value that nothing reads before it is set"},
      {"SMBD-3.1.4.1-8", must, initiator, kSection, stimulus, octets,
       "The initiator begins without send credits: nothing but the request is sent before credits are granted.",
       "in a trace: SMBD-3.1.5.1-1 and -3", {no_message_arrives, request_twice, data_before_response}},
      {"SMBD-3.1.4.1-9", must, initiator, kSection, stimulus, octets,
       "The initiator begins with no credit granted to its peer.", {}, {grants_nothing, data_before_response}},
      {"SMBD-3.1.4.1-10", must, initiator, kSection, stimulus, octets,
       "Nothing remains to be put together at the beginning.", {}, {no_message_arrives}},
      {"SMBD-3.1.4.1-11", must, initiator, kSection, stimulus, octets,
       "Nothing waits to be sent at the beginning.", {}, {begins_with_a_message}},
      {"SMBD-3.1.4.1-12", must, initiator, kSection, stimulus, octets,
       "The reassembly buffer begins empty.", {}, {no_message_arrives}},
      {"SMBD-3.1.4.1-13", must, initiator, kSection, api, octets,
       "No token counts as invalidated at the beginning.", "an upper layer sees it", {token_at_first}},
      {"SMBD-3.1.4.1-14", must, initiator, kSection, stimulus, octets,
       "Nothing is to be sent at once at the beginning.", {}, {begins_with_a_message}},
      {"SMBD-3.1.4.1-15", must, initiator, kSection, stimulus, octets,
       "The Negotiation Timer of the initiator runs for 120 seconds.", {},
       {no_message_arrives, {request_twice, warning}, {data_before_response, warning},
        {negotiation_never_times_out, warning}, {negotiation_times_out_early, warning}}},
      {"SMBD-3.1.4.1-16", must, initiator, kSection, stimulus, octets,
       "A receive of at least 512 octets is posted before the connection is requested.",
       "SMBD/A21: a response with octets behind it, up to 512, is taken",
       {no_message_arrives, refuses_trailing_octets, first_receive_small}},
      {"SMBD-3.1.4.1-17", must, initiator, kSection, stimulus, octets,
       "A connection to the given peer is requested.", {},
       {request_short, request_version_two, request_big_endian, request_missing, data_before_request}},
      {"SMBD-3.1.4.1-18", must, initiator, kSection, api, octets,
       "The error of a request that fails is returned to the upper layer.", "the upper layer sees it"},
      {"SMBD-3.1.4.1-19", must, initiator, kSection, stimulus, octets,
       "Once connected, the initiator sends a Negotiate Request.", {},
       {request_short, request_version_two, request_big_endian, request_missing, data_before_request}},
      {"SMBD-3.1.4.1-20", must, initiator, kSection, api, octets,
       "A successful negotiation returns the connection to the upper layer.", "the upper layer sees it",
       {arrival_not_reported}},
      {"SMBD-3.1.4.1-21", must, initiator, kSection, api, octets,
       "A failed negotiation returns an error to the upper layer.", "the upper layer sees it",
       {accepts_failure_status, bad_negotiation_ignored, end_not_reported}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ConnectingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ConnectingRules, I> {
};

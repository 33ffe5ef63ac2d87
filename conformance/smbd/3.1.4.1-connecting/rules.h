// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.1: the initiator connects.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ConnectingRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.1-1", must, initiator, kSection, stimulus, octets,
       "The initiator creates a new connection for each connect request of the upper layer.", {},
       {no_message_arrives}},
      {"SMBD-3.1.4.1-2", must, initiator, kSection, stimulus, octets,
       "The initiator starts in role ACTIVE: it accepts only a Negotiate Response.", {},
       {{data_before_response, initiator}, request_twice, accepts_failure_status, bad_negotiation_ignored}},
      {"SMBD-3.1.4.1-3", must, initiator, kSection, api, octets,
       "The initiator creates an endpoint of the RDMA provider for the connection.", "Seen at the verbs"},
      {"SMBD-3.1.4.1-4", must, initiator, kSection, stimulus, octets,
       "The initiator sets its credit limits, sizes and keep-alive interval before it sends the request.", {},
       {request_credits_zero, request_receive_size_low, request_fragmented_size_low}},
      {"SMBD-3.1.4.1-5", must, initiator, kSection, api, octets,
       "MaxReadWriteSize is 0 until the response sets it.", "3.1.4.7 returns it to the upper layer",
       {read_write_size_at_first, parameters_wrong}},
      {"SMBD-3.1.4.1-6", must, initiator, kSection, stimulus, octets,
       "KeepaliveRequested starts as NONE: the initiator's first Data Transfer does not request a response.", {},
       {flag_without_cause}},
      {"SMBD-3.1.4.1-7", must, initiator, kSection, none, octets,
       "The initiator starts with Connection.Protocol 0.", "Nothing reads the value before it is set"},
      {"SMBD-3.1.4.1-8", must, initiator, kSection, stimulus, octets,
       "The initiator starts with no send credit: it sends only the request until it has been granted credits.",
       "In a trace: SMBD-3.1.5.1-1 and -3", {no_message_arrives, request_twice, data_before_response}},
      {"SMBD-3.1.4.1-9", must, initiator, kSection, stimulus, octets,
       "The initiator starts with no credit granted to its peer.", {}, {grants_nothing, data_before_response}},
      {"SMBD-3.1.4.1-10", must, initiator, kSection, stimulus, octets,
       "The initiator starts with no octets left to reassemble.", {}, {no_message_arrives}},
      {"SMBD-3.1.4.1-11", must, initiator, kSection, stimulus, octets,
       "The initiator starts with an empty send queue.", {}, {begins_with_a_message}},
      {"SMBD-3.1.4.1-12", must, initiator, kSection, stimulus, octets,
       "The initiator starts with an empty reassembly buffer.", {}, {no_message_arrives}},
      {"SMBD-3.1.4.1-13", must, initiator, kSection, api, octets,
       "The initiator starts with no invalidated token.", "The upper layer sees it", {token_at_first}},
      {"SMBD-3.1.4.1-14", must, initiator, kSection, stimulus, octets,
       "The initiator starts with no message that must be sent immediately.", {}, {begins_with_a_message}},
      {"SMBD-3.1.4.1-15", must, initiator, kSection, stimulus, octets,
       "The initiator's Negotiation Timer runs for 120 seconds.", {},
       {no_message_arrives, {request_twice, warning}, {data_before_response, warning},
        {negotiation_never_times_out, warning}, {negotiation_times_out_early, warning}}},
      {"SMBD-3.1.4.1-16", must, initiator, kSection, stimulus, octets,
       "The initiator posts a receive of at least 512 octets before it requests the connection.",
       "SMBD/A21: the initiator accepts a response with extra octets up to 512",
       {no_message_arrives, refuses_trailing_octets, first_receive_small}},
      {"SMBD-3.1.4.1-17", must, initiator, kSection, stimulus, octets,
       "The initiator requests a connection to the peer that the upper layer names.", {},
       {request_short, request_version_two, request_big_endian, request_missing, data_before_request}},
      {"SMBD-3.1.4.1-18", must, initiator, kSection, api, octets,
       "If the connection request fails, the initiator returns the error to the upper layer.",
       "The upper layer sees it"},
      {"SMBD-3.1.4.1-19", must, initiator, kSection, stimulus, octets,
       "Once connected, the initiator sends a Negotiate Request.", {},
       {request_short, request_version_two, request_big_endian, request_missing, data_before_request}},
      {"SMBD-3.1.4.1-20", must, initiator, kSection, api, octets,
       "If the negotiation succeeds, the initiator returns the connection to the upper layer.",
       "The upper layer sees it", {arrival_not_reported}},
      {"SMBD-3.1.4.1-21", must, initiator, kSection, api, octets,
       "If the negotiation fails, the initiator returns an error to the upper layer.", "The upper layer sees it",
       {accepts_failure_status, bad_negotiation_ignored, end_not_reported}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ConnectingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ConnectingRules, I> {
};

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ReadRules : Words {
  static constexpr std::string_view kSection5_2 = "RFC 5040 5.2";
  static constexpr std::string_view kSection5_2_1 = "RFC 5040 5.2.1";
  static constexpr std::string_view kSection5_2_2 = "RFC 5040 5.2.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.2-1", must, any, kSection5_2, trace, absence,
       "To one RDMA Read Request there is one RDMA Read Response: none comes without a request, none fails to come.",
       "RDMAP/A-63 says when it has failed to come", {response_twice, response_unasked}},
      {"RDMAP-5.2.1-1", must, any, kSection5_2_1, none, octets,
       "A request is marked as untagged.", "judged by RDMAP-4.1-11"},
      {"RDMAP-5.2.1-2", must, any, kSection5_2_1, none, octets,
       "One request consumes one buffer of the request queue.",
       "seen in the answers to as many requests as were negotiated: RDMAP-5.2.2-2"},
      {"RDMAP-5.2.1-3", must, any, kSection5_2_1, stimulus, octets,
       "A Read Request is processed by RDMAP.", {}, {{response_missing, responder}}},
      {"RDMAP-5.2.1-4", must_not, any, kSection5_2_1, stimulus, octets,
       "A valid Read Request is not delivered to the ULP of the peer that receives it.", "RDMAP/A-12",
       {{send_lost, responder}}},
      {"RDMAP-5.2.1-5", must, any, kSection5_2_1, stimulus, octets,
       "An invalid Read Request that is delivered to RDMAP surfaces an error.",
       "one of another length than its header; RDMAP-7.2 judges what its fields say", {accepts_read_size}},
      {"RDMAP-5.2.1-6", must, any, kSection5_2_1, none, octets,
       "A request is on queue 1.", "judged by RDMAP-4.1-21"},
      {"RDMAP-5.2.1-7", must, any, kSection5_2_1, api, octets,
       "Requests are passed to DDP in the order in which the ULP submitted them.", "known to the user of the verbs",
       {{work_reordered, "verbs"}}},
      {"RDMAP-5.2.1-8", must, any, kSection5_2_1, none, octets,
       "Requests are processed in the order in which they were sent.",
       "RDMAP/A-13: only the order of the responses binds: judged by RDMAP-5.2.2-6"},
      {"RDMAP-5.2.1-9", must, any, kSection5_2_1, none, octets,
       "One request reads from one tagged buffer.", "its header names no more than one"},
      {"RDMAP-5.2.1-10", must, any, kSection5_2_1, stimulus, octets,
       "A valid Read Request is answered by a valid Read Response.",
       "how a stream ends with requests unanswered is judged by RDMAP-6.2-3",
       {{response_missing, "pair"}, response_short, response_opcode_write, {zero_length_read_unanswered, initiator}}},
      {"RDMAP-5.2.1-11", must, any, kSection5_2_1, none, octets,
       "Of a Read Request for at least one octet, Data Source STag and Tagged Offset are validated.",
       "judged by RDMAP-7.2-8 to -12"},
      {"RDMAP-5.2.1-12", must_not, any, kSection5_2_1, stimulus, octets,
       "Of a Read Request for no octets, Data Source STag and Tagged Offset are not validated.", "RDMAP/A-25",
       {zero_length_read_validated}},
      {"RDMAP-5.2.1-13", must, any, kSection5_2_1, trace, absence,
       "A request for no octets is answered by a response of no octets.", {}, {response_long}},
      {"RDMAP-5.2.2-1", must, any, kSection5_2_2, none, octets,
       "A response is marked as tagged.", "judged by RDMAP-4.1-12"},
      {"RDMAP-5.2.2-2", must, any, kSection5_2_2, stimulus, octets,
       "As many Read Requests as were negotiated find a buffer of the request queue.",
       "also RFC 5040, 6.1: RDMAP provides the inbound maximum that was negotiated", {{ird_off_by_one, "pair"}}},
      {"RDMAP-5.2.2-3", must, any, kSection5_2_2, api, octets,
       "A response is delivered to the requester's ULP.", "a completion of the verbs shows it",
       {{read_data_lost, "verbs pair"}}},
      {"RDMAP-5.2.2-4", must, any, kSection5_2_2, stimulus, octets,
       "An invalid Read Response that is delivered to RDMAP surfaces an error.",
       "which of the errors is not said; DDP's are right as well",
       {accepts_unasked_response, {accepts_response_wrap, initiator}, {accepts_response_size, initiator, warning}}},
      {"RDMAP-5.2.2-5", may, any, kSection5_2_2, stimulus, octets,
       "The Data Sink compares STag, Tagged Offset and length of a response with its request.",
       "without that, what was not asked for is placed wherever the sink's STag reaches: reported as a warning",
       {{accepts_response_size, initiator, warning}}},
      {"RDMAP-5.2.2-6", must, any, kSection5_2_2, trace, absence,
       "Responses are sent in the order in which the requests were received.",
       "seen where the sinks of the requests differ", {responses_reordered}},
      {"RDMAP-5.2.2-7", must, any, kSection5_2_2, none, octets,
       "One response writes to one tagged buffer.", "judged by DDP-4.2-8: one message has one STag"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ReadRules, I> {
};

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
       "A responder sends exactly one RDMA Read Response for each RDMA Read Request, and none without one.",
       "RDMAP/A-63 says when a response is missing", {response_twice, response_unasked}},
      {"RDMAP-5.2.1-1", must, any, kSection5_2_1, none, octets,
       "A requester marks a Read Request as untagged.", "Judged by RDMAP-4.1-11"},
      {"RDMAP-5.2.1-2", must, any, kSection5_2_1, none, octets,
       "One Read Request consumes one buffer of the request queue.",
       "Seen in the answers to as many requests as were negotiated: RDMAP-5.2.2-2"},
      {"RDMAP-5.2.1-3", must, any, kSection5_2_1, stimulus, octets,
       "RDMAP processes a Read Request.", {}, {{response_missing, responder}}},
      {"RDMAP-5.2.1-4", must_not, any, kSection5_2_1, stimulus, octets,
       "RDMAP does not deliver a valid Read Request to the ULP of the peer that receives it.", "RDMAP/A-12",
       {{send_lost, responder}}},
      {"RDMAP-5.2.1-5", must, any, kSection5_2_1, stimulus, octets,
       "RDMAP surfaces an error if DDP delivers an invalid Read Request.",
       "A request whose length is not that of its header; RDMAP-7.2 judges its fields", {accepts_read_size}},
      {"RDMAP-5.2.1-6", must, any, kSection5_2_1, none, octets,
       "A requester sends a Read Request on queue 1.", "Judged by RDMAP-4.1-21"},
      {"RDMAP-5.2.1-7", must, any, kSection5_2_1, api, octets,
       "RDMAP passes Read Requests to DDP in the order in which the ULP submitted them.",
       "Only the user of the verbs knows it", {{work_reordered, "verbs"}}},
      {"RDMAP-5.2.1-8", must, any, kSection5_2_1, none, octets,
       "A responder processes Read Requests in the order in which they were sent.",
       "RDMAP/A-13: only the order of the responses is binding: judged by RDMAP-5.2.2-6"},
      {"RDMAP-5.2.1-9", must, any, kSection5_2_1, none, octets,
       "One Read Request reads from one tagged buffer.", "Its header has room for one"},
      {"RDMAP-5.2.1-10", must, any, kSection5_2_1, stimulus, octets,
       "A responder answers a valid Read Request with a valid Read Response.",
       "RDMAP-6.2-3 judges how a stream ends with requests unanswered",
       {{response_missing, "pair"}, response_short, response_opcode_write, {zero_length_read_unanswered, initiator}}},
      {"RDMAP-5.2.1-11", must, any, kSection5_2_1, none, octets,
       "A responder validates Data Source STag and Tagged Offset of a Read Request for at least one octet.",
       "Judged by RDMAP-7.2-8 to -12"},
      {"RDMAP-5.2.1-12", must_not, any, kSection5_2_1, stimulus, octets,
       "A responder does not validate Data Source STag and Tagged Offset of a Read Request for zero octets.",
       "RDMAP/A-25", {zero_length_read_validated}},
      {"RDMAP-5.2.1-13", must, any, kSection5_2_1, trace, absence,
       "A responder answers a request for zero octets with a response of zero octets.", {}, {response_long}},
      {"RDMAP-5.2.2-1", must, any, kSection5_2_2, none, octets,
       "A responder marks a Read Response as tagged.", "Judged by RDMAP-4.1-12"},
      {"RDMAP-5.2.2-2", must, any, kSection5_2_2, stimulus, octets,
       "A responder has buffers on its request queue for as many Read Requests as were negotiated.",
       "Also RFC 5040, 6.1: RDMAP provides the inbound maximum that was negotiated", {{ird_off_by_one, "pair"}}},
      {"RDMAP-5.2.2-3", must, any, kSection5_2_2, api, octets,
       "RDMAP delivers a Read Response to the requester's ULP.", "A completion of the verbs shows it",
       {{read_data_lost, "verbs pair"}}},
      {"RDMAP-5.2.2-4", must, any, kSection5_2_2, stimulus, octets,
       "RDMAP surfaces an error if DDP delivers an invalid Read Response.",
       "The text does not say which error; DDP's are right as well",
       {accepts_unasked_response, {accepts_response_wrap, initiator}, {accepts_response_size, initiator, warning}}},
      {"RDMAP-5.2.2-5", may, any, kSection5_2_2, stimulus, octets,
       "The Data Sink compares STag, Tagged Offset and length of a response with its request.",
       "Without that, unrequested data is placed wherever the sink's STag reaches: reported as a warning",
       {{accepts_response_size, initiator, warning}}},
      {"RDMAP-5.2.2-6", must, any, kSection5_2_2, trace, absence,
       "A responder sends Read Responses in the order in which it received the requests.",
       "Seen if the requests have different sinks", {responses_reordered}},
      {"RDMAP-5.2.2-7", must, any, kSection5_2_2, none, octets,
       "One Read Response writes to one tagged buffer.", "Judged by DDP-4.2-8: one message has one STag"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ReadRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ReadRules, I> {
};

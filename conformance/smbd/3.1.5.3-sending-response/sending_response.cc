// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.3: the fields of a Negotiate Response.
#include "conformance/smbd/3.1.5.3-sending-response/sending_response.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/smbd/3.1.5.3-sending-response/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void check_response_versions(Judge& judge, const NegotiateResponse& response) {
  judge.require(rule<"SMBD-3.1.5.3-1">, response.min_version == kVersion1, in_response(Field::min_version),
                expected(hex(kVersion1)), actual(hex(response.min_version)));
  judge.require(rule<"SMBD-3.1.5.3-2">, response.max_version == kVersion1, in_response(Field::max_version),
                expected(hex(kVersion1)), actual(hex(response.max_version)));
}

void check_response_reserved(Judge& judge, const NegotiateResponse& response) {
  judge.require(rule<"SMBD-3.1.5.3-3">, response.reserved == 0, in_response(Field::reserved), expected(0),
                actual(hex(response.reserved)));
}

void check_failure_fields(Judge& judge, const NegotiateResponse& response) {
  const std::pair<Field, std::uint32_t> fields[] = {{Field::negotiated_version, response.negotiated_version},
                                                    {Field::credits_requested, response.credits_requested},
                                                    {Field::credits_granted, response.credits_granted},
                                                    {Field::max_read_write_size, response.max_read_write_size},
                                                    {Field::preferred_send_size, response.preferred_send_size},
                                                    {Field::max_receive_size, response.max_receive_size},
                                                    {Field::max_fragmented_size, response.max_fragmented_size}};
  const auto* const set = std::ranges::find_if(fields, [](const auto& one) { return one.second != 0; });
  const bool is_zero = set == std::end(fields);
  judge.require(rule<"SMBD-3.1.5.3-6">, is_zero, is_zero ? octets(0, 0) : in_response(set->first),
                expected([&] { return fmt::format("{} 0, as Status is not zero", describe(set->first).name); }),
                actual([&] { return fmt::format("{} {}", describe(set->first).name, set->second); }),
                "of a failure, all fields but the versions and Status are zero");
}

void check_negotiated_version(Judge& judge, const NegotiateResponse& response) {
  judge.require(rule<"SMBD-3.1.5.3-7">, response.negotiated_version == kVersion1,
                in_response(Field::negotiated_version), expected(hex(kVersion1)),
                actual(hex(response.negotiated_version)));
}

void check_failure_is_last(Judge& judge, bool is_last) {
  judge.require(rule<"SMBD-3.1.5.3-9">, is_last, octets(0, judge.message().octets.size()),
                expected("the end of the connection"), actual("another message"));
}

}  // namespace wirelaw::smbd

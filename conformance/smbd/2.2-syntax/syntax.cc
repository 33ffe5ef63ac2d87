// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2: the properties common to all messages.
#include "conformance/smbd/2.2-syntax/syntax.h"

#include <algorithm>

#include "conformance/smbd/2.2-syntax/rules.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/tracker/connection.h"

namespace wirelaw::smbd {
bool check_version_order(Judge& judge, std::uint16_t min_version, std::uint16_t max_version) {
  const bool swapped = has_swapped_versions(min_version, max_version);
  return judge.require(rule<"SMBD-2.2-4">, !swapped, octets(0, 4), expected(hex(kVersion1)), actual(hex(min_version)),
                       "the octets of the versions are in network order");
}

bool check_data_order(Judge& judge, Octets message) {
  const bool swapped = is_swapped_transfer(message);
  const std::size_t header = describe(MessageType::data_transfer).octets;
  return judge.require(rule<"SMBD-2.2-4">, !swapped, octets(0, header), expected("the least significant octet first"),
                       actual("the most significant first"),
                       "in the other order it is a Data Transfer without a fault");
}

void check_trailing(Judge& judge, Octets trailing, std::size_t octets_of_message) {
  if (trailing.empty()) return;
  const bool zero = std::ranges::all_of(trailing, [](Octet one) { return one == 0; });
  judge.advise(rule<"SMBD-2.2-8">, zero, octets(octets_of_message - trailing.size(), trailing.size()),
               expected("zeros, if they are there to align data"), actual("other octets"));
}

void check_negotiates_once(Judge& judge, bool is_again) {
  judge.require(rule<"SMBD-2.2-2">, !is_again, octets(0, describe(MessageType::negotiate_request).octets),
                expected("a Data Transfer"), actual("another negotiate message"));
}

}  // namespace wirelaw::smbd

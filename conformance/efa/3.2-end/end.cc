// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: what the end of a flow shows.
#include "conformance/efa/3.2-end/end.h"

#include "conformance/efa/3.2-end/rules.h"

namespace wirelaw::efa {

const ClaimRow kEndClaims[] = {
    {Claim::begins_with_id_0, &rule<"EFA-3.2-4">, "0", "{got}", "the lowest that was seen"},
    {Claim::wraps_to_id_0, &rule<"EFA-3.2-3">, "0 after 4294967295", "another ID", "no message has msg_id 0"},
    {Claim::uses_every_id, &rule<"EFA-3.2-2">, "every ID once", "{got} missing, the latest {due}",
     "this packet left IDs out that no later one has"},
    {Claim::uses_every_old_id, &rule<"EFA-3.2-2">, "every ID once", "{got} missing",
     "this packet left IDs out that no later one has"},
    {Claim::sends_whole_medium, &rule<"EFA-3.2-48">, "{due} octets in its segments", "{got}", "this began the message"},
    {Claim::sends_what_is_allowed, &rule<"EFA-3.2-148">, "{due} octets in all", "{got}",
     "this is the last of its data"},
    {Claim::allows_the_rest, &rule<"EFA-3.2-111">, "another CTS", "none",
     "{got} of {due} octets have come, and all that was allowed"},
};

}  // namespace wirelaw::efa

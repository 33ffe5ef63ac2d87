// SPDX-License-Identifier: Apache-2.0
// The role that deviates is any that can and that the rule binds, unless Breach::Where names one. Where a breach needs
// more than a peer that is set up as usual, Breach::Where::given names it, or each of several with a blank between:
// "no-crc", "markers", "needs-reads" and "extended" are settings of the reference peer, "rfc7306" is the feature that
// it declares, "verbs" a consumer above it while the tester speaks the wire, and "pair" consumers at both ends.
#pragma once

#include "conformance/section_rules.h"
#include "reference/rdmap/deviations.h"

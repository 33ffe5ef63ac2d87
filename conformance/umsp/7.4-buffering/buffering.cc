// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.4: the buffers of chains until they are complete.
#include "conformance/umsp/7.4-buffering/buffering.h"

#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/7.4-buffering/rules.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

constexpr InstructionRules kInstructions[] = {{.first = Opcode::req_buf,
                                               .ask = &rule<"UMSP-7.4-14">,
                                               .pck = &rule<"UMSP-7.4-15">,
                                               .chn = &rule<"UMSP-7.4-16">,
                                               .opr_length = &rule<"UMSP-7.4-18">}};

constexpr std::string_view kGranted = "a REQ_BUF that was granted before";
constexpr std::string_view kWindow = "{} octets of the window at most", kOpen = "{} of chains that are open";
constexpr ClaimRow kClaims[] = {
    {Claim::has_buffer, &rule<"UMSP-7.4-31">, kGranted, "none"},
    {Claim::has_untaken_buffer, &rule<"UMSP-7.4-31">, kGranted, "one that another chain has taken"},
    {Claim::has_buffer_of_all, &rule<"UMSP-7.4-31">, kGranted, "none on any connection"},
    {Claim::fits_window, &rule<"UMSP-7.4-12">, kWindow, "{}"},
    {Claim::open_chains_fit_window, &rule<"UMSP-7.4-10">, kWindow, kOpen},
    {Claim::open_chains_need_no_window, &rule<"UMSP-5.3.1-20">, kWindow, kOpen},
    {Claim::fills_buffer, &rule<"UMSP-7.4-20">, "{} octets, as REQ_BUF had it", "{}"},
};

}  // namespace

SectionTables buffering_tables() {
  return {.instructions = kInstructions, .claims = kClaims};
}

}  // namespace wirelaw::umsp

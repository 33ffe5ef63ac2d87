// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.4: the buffers of chains until they are complete.
#include "conformance/umsp/7.4-buffering/buffering.h"

#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/7.4-buffering/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"

namespace wirelaw::umsp {
namespace {

constexpr InstructionRules kInstructions[] = {{.first = Opcode::req_buf,
                                               .ask = &rule<"UMSP-7.4-14">,
                                               .pck = &rule<"UMSP-7.4-15">,
                                               .chn = &rule<"UMSP-7.4-16">,
                                               .opr_length = &rule<"UMSP-7.4-18">}};

std::string_view describe(GrantFact::Buffer buffer) {
  if (buffer == GrantFact::Buffer::taken) return "one that another chain has taken";
  return buffer == GrantFact::Buffer::none_elsewhere ? "none on any connection" : "none";
}

}  // namespace

void check_grant(Judge& judge, const SeenInstruction& seen, const GrantFact& fact) {
  require_if(judge, fact.is_certain, rule<"UMSP-7.4-31">, fact.buffer == GrantFact::Buffer::granted,
             octets(0, seen.instruction.header.octets()), expected("a REQ_BUF that was granted before"),
             actual(describe(fact.buffer)));
}

void check_window(Judge& judge, const WindowFact& fact) {
  const auto want = expected([&] { return fmt::format("{} octets of the window at most", fact.window); });
  if (fact.octets)
    require_if(judge, fact.is_certain, rule<"UMSP-7.4-12">, *fact.octets <= fact.window, octets(0, 2), want,
               actual(*fact.octets));
  // A warning: a chain in one segment needs no room, and how the sender has cut its stream is not known (UMSP/B24).
  if (fact.octets_of_open)
    judge.advise(fact.window == 0 ? rule<"UMSP-5.3.1-20"> : rule<"UMSP-7.4-10">, *fact.octets_of_open <= fact.window,
                 octets(0, 2), want,
                 actual([&] { return fmt::format("{} of chains that are open", *fact.octets_of_open); }));
}

void check_buffer_size(Judge& judge, const BufferSizeFact& fact) {
  require_if(judge, fact.is_certain, rule<"UMSP-7.4-20">, fact.octets == fact.granted, octets(0, 2),
             expected([&] { return fmt::format("{} octets, as REQ_BUF had it", fact.granted); }), actual(fact.octets));
}

SectionTables buffering_tables() {
  return {.instructions = kInstructions};
}

}  // namespace wirelaw::umsp

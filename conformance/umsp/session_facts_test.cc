// SPDX-License-Identifier: Apache-2.0
// Facts about responses, sessions and single fields: each check is given one that keeps its rule, and one that breaks
// it.
#include "conformance/umsp/3.1-header/header.h"
#include "conformance/umsp/4-responses/responses.h"
#include "conformance/umsp/5.3-session-opening/session_opening.h"
#include "conformance/umsp/5.3.4-profile/profile.h"
#include "conformance/umsp/facts_test.h"
#include "conformance/umsp/instruction_rules.h"

namespace wirelaw::umsp::facts::sessions {
namespace {

using Kind = ObservedChainKind;

constexpr std::uint16_t kVmType = 300;
constexpr std::uint8_t kUnassigned = 222;  // an OPCODE between VMs

// --- instructions that the facts are about
Identifier identifier(std::uint64_t task) {
  constexpr Octet kNode[] = {192, 0, 2, 3};
  return *make_identifier(kIpv4Memory32, kNode, task);
}
Draft in_session(Draft draft) {
  draft.session_id = 1;
  return draft;
}
Draft nop_in_session() {
  return in_session(nop());
}
Draft rsp() {
  return in_session(with_id(codes_draft(Opcode::rsp, {})));
}
Draft rsp_p() {
  return in_session(with_id(codes_draft(Opcode::rsp_p, {})));
}
Draft session_open() {
  return with_id(SessionOpen{.gjid = identifier(1)}.draft());
}
Draft syn() {
  return in_session(draft_of(Opcode::syn_4, OctetBuffer(8)));
}
Draft mvrun() {
  return draft_of(Opcode::mvrun, OctetBuffer(8));
}
Draft nop_with_life_time() {
  Draft draft = nop_in_session();
  draft.extensions.push_back({.head_code = HeadCode::life_time, .data = OctetBuffer(2)});
  return draft;
}
Draft vm_notif() {
  return with_id(VmNotif{.transport = 0x0100, .vms = {{kVmType, 1}}}.draft());
}

// --- facts
constexpr std::uint32_t kAll = 0xffffffff;  // a profile with all flags
constexpr std::uint32_t without(unsigned flag) {
  return kAll & ~(std::uint32_t{1} << (31 - flag));
}
template <class Check>
void with_before(const SeenInstruction& seen, FactsBefore before, const Check& check) {
  SeenInstruction known = seen;
  known.before = std::move(before);
  check(known);
}
ObservedRequest request_of(Opcode opcode, std::vector<std::uint16_t> vm_types = {}) {
  return {.opcode = static_cast<std::uint8_t>(opcode), .vm_types = std::move(vm_types)};
}
void check_notification(Judge& judge, const SeenInstruction& seen, const NotificationFact& fact) {
  with_before(seen, {.notification = fact}, [&](const SeenInstruction& known) { judge_instruction(judge, known); });
}
void check_life_time(Judge& judge, const SeenInstruction& seen, Kind chain) {
  with_before(seen, {.chain = chain}, [&](const SeenInstruction& known) { judge_extension_rows(judge, known); });
}

const Row kRows[] = {
    // --- 3.1: headers
    {"UMSP-3.1-49", kWarns, nop_in_session,
     [](Judge& judge, const Seen& seen, bool holds) {
       with_before(seen, {.has_own_name = !holds}, [&](const SeenInstruction& known) { judge_header(judge, known); });
     }},
    {"UMSP-3.1-18", kFails, nop_in_session,
     [](Judge& judge, const Seen& seen, bool holds) {
       const Membership membership{.flaw = ContextFlaw::no_previous};
       judge_header(judge, {.message = seen.message,
                            .instruction = seen.instruction,
                            .layout = seen.layout,
                            .operands = seen.operands,
                            .membership = membership,
                            .before = {.inherits = !holds}});
     },
     kOnlyBreach},
    // --- 4.1: responses
    {"UMSP-4.1-1", kFails, rsp_p,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_answered(judge, seen, {.opcode = static_cast<std::uint8_t>(Opcode::write_2), .is_chained = holds});
     }},
    {"UMSP-4.1-2", kFails, rsp,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_answered(judge, seen, {.opcode = static_cast<std::uint8_t>(Opcode::req_buf), .is_of_layer = !holds});
     }},
    {"UMSP-4.1-20", kWarns, rsp,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_answered(judge, seen, {.opcode = kUnassigned, .is_chained = holds});
     },
     kOnlyBreach},
    {"UMSP-7.5-8", kFails, rsp,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_answered(judge, seen,
                      {.opcode = static_cast<std::uint8_t>(Opcode::nop),
                       .is_chained = true,
                       .chain = Fact{.claim = Claim::answers_whole_chain, .holds = holds}});
     }},
    // --- 5.3: sessions
    {"UMSP-5.3.1-22", kFails, session_open,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_session_gjid(judge, seen, {.due = identifier(holds ? 1 : 2)});
     }},
    {"UMSP-5.3.4-8", kFails, syn,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_profile(judge, seen, {.profile = holds ? kAll : without(4)});
     }},
    {"UMSP-5.3.4-30", kFails, syn,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_profile(judge, seen, {.profile = holds ? kAll : without(27)});
     }},
    {"UMSP-5.3.4-21", kFails, syn,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_profile(judge, seen, {.profile = kAll, .have_border = !holds});
     },
     kOnlyBreach},
    {"UMSP-5.3.4-7", kWarns, mvrun,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_profile(judge, seen, {.profile = holds ? kAll : without(3), .is_of_zero_session = true});
     }},
    {"UMSP-5.3.4-34", kWarns, mvrun,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_profile(judge, seen, {.profile = holds ? kAll : without(30), .is_of_zero_session = true});
     }},
    // --- 8.5: _LIFE_TIME
    {"UMSP-8.5-14", kFails, nop_with_life_time,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_life_time(judge, seen, holds ? Kind::sequence : Kind::transaction);
     }},
    {"UMSP-8.5-15", kFails, nop_with_life_time,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_life_time(judge, seen, holds ? Kind::sequence : Kind::fragments);
     },
     kOnlyBreach},
    // --- 9: search
    {"UMSP-9.2-22", kWarns, vm_notif,
     [](Judge& judge, const Seen& seen, bool holds) {
       const ObservedRequest request = request_of(Opcode::vm_req);
       check_notification(judge, seen, {.has_request = holds, .request = &request});
     }},
    {"UMSP-9-20", kWarns, vm_notif,
     [](Judge& judge, const Seen& seen, bool holds) {
       const ObservedRequest request = request_of(Opcode::vm_req);
       check_notification(judge, seen, {true, &request, !holds});
     }},
    {"UMSP-9.2-21", kWarns, vm_notif,
     [](Judge& judge, const Seen& seen, bool holds) {
       const ObservedRequest request = request_of(holds ? Opcode::vm_req : Opcode::control_req);
       check_notification(judge, seen, {true, &request});
     }},
    {"UMSP-9.1-13", kFails, vm_notif,
     [](Judge& judge, const Seen& seen, bool holds) {
       const std::uint16_t asked = holds ? kVmType : kVmType + 1;
       const ObservedRequest request = request_of(Opcode::vm_req, {asked});
       check_notification(judge, seen, {true, &request});
     }},
};

class UmspSessionFact : public ::testing::TestWithParam<Row> {};

TEST_P(UmspSessionFact, ThatBreaksItsRuleIsReported) {
  expect_breach(GetParam());
}

TEST_P(UmspSessionFact, ThatHoldsExercisesItsRuleAndBreaksNothing) {
  expect_kept(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rows, UmspSessionFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

}  // namespace
}  // namespace wirelaw::umsp::facts::sessions

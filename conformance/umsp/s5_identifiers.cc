// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5: job management, and the identifiers of jobs and tasks.
#include "conformance/section.h"
#include "conformance/umsp/management_requests.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
using namespace management_notes;

constexpr Section kSection{"RFC 3018 5"};

constinit const Rule kManagementCodes =
    kSection.by(none).must("UMSP-5-1", "Jobs are managed by instructions with OPCODE 1 to 112.",
                           "a definition; UMSP-3.1-4 and the rules beside it judge the values");
constinit const Rule kOverTcp =
    kSection.by(none).must("UMSP-5-2", "Instructions with OPCODE 1 to 112 go over TCP, save VM_REQ and VM_NOTIF.",
                           "UMSP/B1; the same as UMSP-5-3");
constinit const Rule kNotOverUdp = kSection.must_not(
    "UMSP-5-3",
    "No instruction with OPCODE 1 to 112 goes over UDP, not even one that needs no response, save VM_REQ and VM_NOTIF.",
    "UMSP/B1");
constinit const Rule kDatagramIgnored = kSection.by(stimulus).must_not(
    "UMSP-5-4", "A management instruction that arrives in a datagram is not carried out, save VM_REQ and VM_NOTIF.",
    "UMSP/B1");
constinit const Rule kEndNotified = kSection.by(stimulus).must(
    "UMSP-5-5", "When a task ends before its job, all nodes of the job are notified.", kAllNodes);
constinit const Rule kNotBeforeAllKnow = kSection.by(stimulus).must_not(
    "UMSP-5-6",
    "A task is not initiated again on a node before all nodes received the notice that the first one ended.",
    kAllNodes);
constinit const Rule kPointersApart =
    kSection.by(api).must("UMSP-5-7", "The VM keeps 128-bit pointers in memory areas of their own.", kOwnAffair);
constinit const Rule kVmIsInformed =
    kSection.by(api).must("UMSP-5-8", "The protocol layer reports to the VM which nodes' tasks ended.", kOwnAffair);
constinit const Rule kPointersInvalid =
    kSection.by(api).must("UMSP-5-9", "The VM makes all pointers to an ended task invalid.", kOwnAffair);
constinit const Rule kOneJcp =
    kSection.by(none).must("UMSP-5-10", "Each job has one JCP.", "a definition; the GJID names one node");
constinit const Rule kJcpAnywhere =
    kSection.by(none).may("UMSP-5-11", "The JCP may be the node that starts the job, or another one.", "a permission");
constinit const Rule kTaskHasLtid = kSection.by(none).must("UMSP-5-12", "Every active task on a node has an LTID.",
                                                           "every instruction about a task has the field");
constinit const Rule kLtidLength =
    kSection.by(none).must("UMSP-5-13", "The length of an LTID is the local memory address length of its node.",
                           "a field may be longer than the LTID in it, so that its length is not seen");
constinit const Rule kLtidUnique =
    kSection.resting_on(Evidence::absence)
        .must_not("UMSP-5-14", "No LTID of a task that is active under the JCP is registered there for a second job.",
                  kElsewhere);
constinit const Rule kLtidAgain =
    kSection.by(stimulus).must("UMSP-5-15", "An LTID of a task that ended may be used again: a JCP accepts it.");
constinit const Rule kTaskHasCtid = kSection.by(none).must("UMSP-5-16", "The JCP assigns a CTID to each task of a job.",
                                                           "the confirmations of 5.1.2 and 5.2.2 have the field");
constinit const Rule kCtidLength =
    kSection.by(none).must("UMSP-5-17", "The length of a CTID is the local memory address length of the JCP.",
                           "UMSP/A22; UMSP-5.2.1-2 and UMSP-5.2.4-10 judge the fields");
constinit const Rule kCtidUnique =
    kSection.by(none).must_not("UMSP-5-18", "No two active tasks under one JCP have the same CTID.",
                               "UMSP-5.2.2-11 judges the confirmation that breaks it");
constinit const Rule kGtidForm = kSection.by(none).must(
    "UMSP-5-19",
    "A GTID has the form of a 128-bit address of the node, with the LTID in place of the local memory address.",
    "octets that break it fit no instruction, which UMSP-5.2.1-8 and UMSP-5.5.2-9 judge");
constinit const Rule kGjidForm =
    kSection.by(none).must("UMSP-5-20",
                           "A GJID has the form of a 128-bit address of the JCP's node, with the CTID of the job's "
                           "first task in place of the local memory address.",
                           "octets that break it fit no instruction, which UMSP-5.1.2-8 and UMSP-5.6.2-9 judge");
constinit const Rule kGjidFromJcp = kSection.by(stimulus).must(
    "UMSP-5-21", "GJIDs are assigned by JCPs alone: others repeat the GJID that they received.", kAllNodes);
constinit const Rule kGjidEndsInCtid =
    kSection.by(none).must("UMSP-5-22", "The GJID of a job ends in the CTID of its initial task.",
                           "a definition: what a GJID ends in is the CTID");
constinit const Rule kFindsJcp =
    kSection.by(stimulus).must("UMSP-5-23", "A node that gets SESSION_OPEN finds the JCP from the GJID.");
constinit const Rule kTaskFields =
    kSection.by(none).must("UMSP-5-24", "LTID and CTID are written in a field of 2, 4 or 8 octets.",
                           "the forms of the instructions have no other field");
constinit const Rule kTaskInLastOctets =
    kSection.by(none).must("UMSP-5-25", "An LTID or CTID that is shorter than its field is in the last octets of it.",
                           "UMSP-5-26 judges the octets in front of it");
constinit const Rule kTaskZerosInFront =
    kSection.must("UMSP-5-26", "The octets in front of a CTID that is shorter than its field are zero.",
                  "what the JCP's GJIDs say of its addresses");
constinit const Rule kTaskFilledUp = kSection.by(stimulus).must(
    "UMSP-5-27",
    "A received LTID or CTID that is shorter than the local memory address is filled up with zero octets in front.");
constinit const Rule kIdentifierField = kSection.by(none).must(
    "UMSP-5-28", "GTID and GJID are written in 4 to 16 octets.", "octets that break it fit no instruction");
constinit const Rule kNoFree =
    kSection.by(none).must("UMSP-5-29", "GTID and GJID have no FREE field.",
                           "a FREE field makes the instruction one with octets that belong to nothing");
constinit const Rule kFreeIsZero =
    kSection.by(none).must("UMSP-5-30", "For a receiver the FREE field of GTID and GJID is zero.",
                           "the field is absent: what a receiver takes it for shows in nothing that it sends");
constinit const Rule kIdentifierLength =
    kSection.by(none).must("UMSP-5-31",
                           "The length of GTID and GJID follows from their address header: 1, ADDR_LENGTH and the "
                           "length that ADDR_CODE names.",
                           "octets that break it fit no instruction");
constinit const Rule kUsesTimeout = kSection.by(api).must(
    "UMSP-5-32", "The sender of CONTROL_REQ, TASK_REG or SESSION_OPEN uses a timeout: it does not wait for ever.",
    "UMSP/B28; who gives up sends nothing");
constinit const Rule kTimeoutLength = kSection.by(none).must(
    "UMSP-5-33", "That timeout is longer than three times the transport's longest delivery time.",
    "UMSP/B28; the delivery time of a transport is not known");
constinit const Rule kQueueDoesNotCount = kSection.by(api).must_not(
    "UMSP-5-34", "Time in the queue to the transport does not count for that timeout.", kOwnAffair);

bool may_go_over_udp(std::uint8_t opcode) {
  return opcode == static_cast<std::uint8_t>(Opcode::vm_req) || opcode == static_cast<std::uint8_t>(Opcode::vm_notif);
}

bool is_registration(const Seen& seen) {
  return seen.is(Opcode::task_reg_2) || seen.is(Opcode::task_reg_4) || seen.is(Opcode::task_reg_8);
}

// A CTID of an instruction between a node and its JCP, whose GJIDs show how long its local addresses are.
void judge_ctid(Judge& judge, const Seen& seen) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (ctid == nullptr || !certain_value(seen, Operand::ctid)) return;
  const bool by_jcp = seen.is(Opcode::task_confirm);
  const Side node = by_jcp ? other(seen.message.sender) : seen.message.sender;
  const auto format = seen.connection.management.of(node).jcp_format;
  if (!format || ctid->length <= format->memory_octets()) return;
  const std::size_t in_front = ctid->length - format->memory_octets();
  const Octets field = umsp::octets_of(*ctid, seen.instruction.operands).first(in_front);
  const OctetRange where = octets(seen.at(*ctid).offset, in_front);
  judge.require(kTaskZerosInFront, number_of(field) == 0, where, expected(0), actual(number_of(field)),
                "the JCP's local addresses are shorter than the field");
}

// A task that is registered without word of a reload.
void judge_ltid(Judge& judge, const Seen& seen) {
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ltid = certain_value(seen, Operand::ltid);
  if (!ltid || find_inaction_time(seen) || !node.asked.empty()) return;
  const ManagedTask* const active = node.find_active(*ltid);
  require_if_all_seen(judge, seen, kLtidUnique,
                      active == nullptr || active->first_ctid == certain_value(seen, Operand::ctid),
                      seen.operand(Operand::ltid), expected("an LTID that no other active task has"),
                      actual(hex(*ltid)), "a task of another job was confirmed with it, and its end was not seen");
}

void note_time(const Seen& seen) {
  for (const Side side : {Side::a, Side::b})
    for_each_account(seen, side, [&](ManagedNode& node, bool) { node.latest_ns = seen.message.time_ns; });
}

}  // namespace

UmspSection management_rules() {
  static constexpr const Rule* kRules[] = {
      &kManagementCodes,  &kOverTcp,          &kNotOverUdp,      &kDatagramIgnored,  &kEndNotified, &kNotBeforeAllKnow,
      &kPointersApart,    &kVmIsInformed,     &kPointersInvalid, &kOneJcp,           &kJcpAnywhere, &kTaskHasLtid,
      &kLtidLength,       &kLtidUnique,       &kLtidAgain,       &kTaskHasCtid,      &kCtidLength,  &kCtidUnique,
      &kGtidForm,         &kGjidForm,         &kGjidFromJcp,     &kGjidEndsInCtid,   &kFindsJcp,    &kTaskFields,
      &kTaskInLastOctets, &kTaskZerosInFront, &kTaskFilledUp,    &kIdentifierField,  &kNoFree,      &kFreeIsZero,
      &kIdentifierLength, &kUsesTimeout,      &kTimeoutLength,   &kQueueDoesNotCount};
  return {.rules = {.rules = kRules}};
}

void judge_management(Judge& judge, const Seen& seen) {
  const std::uint8_t opcode = seen.instruction.opcode();
  if (class_of(opcode) == OpcodeClass::management)
    judge.require(kNotOverUdp, !seen.connection.datagrams || may_go_over_udp(opcode), octets(0, 1),
                  expected("an OPCODE of 128 to 223, VM_REQ or VM_NOTIF"), actual(opcode));
  if (seen.connection.datagrams) return;
  judge_ctid(judge, seen);
  if (is_registration(seen)) judge_ltid(judge, seen);
  judge_job(judge, seen);
  judge_task(judge, seen);
  judge_task_end(judge, seen);
  judge_job_end(judge, seen);
  judge_activity(judge, seen);
  note_time(seen);
}

}  // namespace wirelaw::umsp

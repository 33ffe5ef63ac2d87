// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.1: a job is put under the control of another node.
#include "conformance/section.h"
#include "conformance/umsp/management_requests.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/parties.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
using namespace management_notes;

constexpr Section kInitiation{"RFC 3018 5.1"};
constexpr Section kRequest{"RFC 3018 5.1.1"};
constexpr Section kConfirmation{"RFC 3018 5.1.2"};
constexpr Section kRejection{"RFC 3018 5.1.3"};

constinit const Rule kTaskWithJob = kInitiation.by(api).must(
    "UMSP-5.1-1", "A job's own task is initiated on the node together with the job.", kOwnAffair);
constinit const Rule kJobsTask =
    kInitiation.resting_on(Evidence::absence)
        .must("UMSP-5.1-2",
              "A session of a job that the node has put under the JCP is opened with the LTID of its CONTROL_REQ.",
              kElsewhere);
constinit const Rule kOwnJcp =
    kInitiation.by(none).may("UMSP-5.1-3", "How a job whose JCP is its own node is registered is outside the protocol.",
                             "it is no matter of the protocol");
constinit const Rule kRegistersFirst = kInitiation.by(stimulus).must(
    "UMSP-5.1-4",
    "A node that chose another node as JCP registers its job there by CONTROL_REQ before it opens sessions of the job.",
    "the registration may have gone on another connection");
constinit const Rule kControlReqToJcp = kRequest.by(stimulus).must(
    "UMSP-5.1.1-1", "CONTROL_REQ is sent by the node that initiates the job, to the JCP on another node.", kRoles);
constinit const Rule kControlReqPck = kRequest.must("UMSP-5.1.1-2", "CONTROL_REQ has PCK 00.");
constinit const Rule kControlReqChn = kRequest.by(none).must("UMSP-5.1.1-3", "CONTROL_REQ has CHN 0.", kChained);
constinit const Rule kControlReqAsk = kRequest.must("UMSP-5.1.1-4", "CONTROL_REQ has ASK 1.");
constinit const Rule kControlReqExt =
    kRequest.by(stimulus).must("UMSP-5.1.1-5", "A JCP takes CONTROL_REQ with and without extension headers.");
constinit const Rule kControlReqLength = kRequest.must("UMSP-5.1.1-6", "CONTROL_REQ has 2 or 3 words of operands.");
constinit const Rule kControlReqLtidFits = kRequest.by(none).must(
    "UMSP-5.1.1-7",
    "OPR_LENGTH of CONTROL_REQ fits the length of the LTID: 2 with a field of 4 octets, 3 with one of 8.",
    "the length is what says how long the LTID's field is");
constinit const Rule kControlReqId = kRequest.by(none).must(
    "UMSP-5.1.1-8", "REQ_ID of CONTROL_REQ is chosen by its sender; no two unanswered ones share it.",
    "UMSP-3.1-57 judges it of all requests");
constinit const Rule kProfileFirst = kRequest.by(none).must(
    "UMSP-5.1.1-9", "The first operand of CONTROL_REQ is the control parameters profile, 4 octets.", kForm);
constinit const Rule kJobLifeTime = kRequest.by(none).must(
    "UMSP-5.1.1-10", "JOB_LIFE_TIME is the first 2 octets of the profile, in seconds.", "every value is one");
constinit const Rule kNoLifeTime =
    kRequest.by(stimulus).must("UMSP-5.1.1-11", "JOB_LIFE_TIME 0: the JCP does not limit the life of the job.");
constinit const Rule kCmtZero = kRequest.must("UMSP-5.1.1-12", "CMT, reserved for later, is sent as 0.", "UMSP/A19");
constinit const Rule kCmtIgnored =
    kRequest.by(stimulus).must_not("UMSP-5.1.1-13", "The JCP does not look at CMT.", "UMSP/A19");
constinit const Rule kVersion = kRequest.must("UMSP-5.1.1-14", "VERSION in the control profile is 1.", "UMSP/A19");
constinit const Rule kReservedBits =
    kRequest.must("UMSP-5.1.1-15", "The 3 reserved bits behind CMT are 0.", "UMSP/A19");
constinit const Rule kReservedOctet =
    kRequest.must("UMSP-5.1.1-16", "The last 8 bits of the control profile are 0.", "UMSP/A19");
constinit const Rule kControlReqLtid = kRequest.by(none).must(
    "UMSP-5.1.1-17", "The second operand of CONTROL_REQ is the LTID of the job's task, in 4 or 8 octets.", kForm);
constinit const Rule kControlReqName = kRequest.by(stimulus).must(
    "UMSP-5.1.1-18", "A JCP takes a CONTROL_REQ with the job's name in a _NAME header.", "UMSP/A35");
constinit const Rule kNameStays =
    kRequest.by(stimulus).must_not("UMSP-5.1.1-19", "The name of a job, once given, does not change.", kAllNodes);
constinit const Rule kControlReqInaction =
    kRequest.by(stimulus).must("UMSP-5.1.1-20", "A JCP takes a CONTROL_REQ with an _INACTION_TIME header.", "UMSP/B18");
constinit const Rule kLtidLookedUp = kRequest.by(stimulus).must(
    "UMSP-5.1.1-21", "The JCP looks up the LTID of CONTROL_REQ among the active jobs of that node.");
constinit const Rule kOldJobNotified =
    kRequest.by(stimulus).must("UMSP-5.1.1-22",
                               "CONTROL_REQ with an LTID that is registered for that node: the JCP first notifies the "
                               "other nodes of the old job that it ended abnormally.",
                               "UMSP/A24, UMSP/B6");
constinit const Rule kNewJobAllowed = kRequest.by(stimulus).must(
    "UMSP-5.1.1-23", "CONTROL_REQ with an LTID that is registered: the JCP still allows the new job after the notice.",
    "UMSP/A24, UMSP/B6");
constinit const Rule kNoticeBeforeConfirm = kRequest.by(stimulus).must(
    "UMSP-5.1.1-24", "The notice of the old job's end goes out before the confirm of the new one.",
    "UMSP/A24; the notice goes to other nodes");
constinit const Rule kNewLtidAllowed = kRequest.by(stimulus).must(
    "UMSP-5.1.1-25",
    "CONTROL_REQ with an LTID that is not registered: the JCP allows the job without a notice to anybody.");
constinit const Rule kControlReqAnswered =
    kRequest.by(stimulus).must("UMSP-5.1.1-26", "The JCP answers CONTROL_REQ.", "UMSP/B28: no time is given for it");
constinit const Rule kControlReqAnswer =
    kRequest.must("UMSP-5.1.1-27",
                  "The JCP's answer to CONTROL_REQ is CONTROL_CONFIRM if it takes control, and CONTROL_REJECT if not.");
constinit const Rule kConfirmAnswers =
    kConfirmation.resting_on(Evidence::absence)
        .must("UMSP-5.1.2-1", "CONTROL_CONFIRM is sent once, and only in answer to CONTROL_REQ.", kElsewhere);
constinit const Rule kConfirmPck = kConfirmation.must("UMSP-5.1.2-2", "CONTROL_CONFIRM has PCK 00.");
constinit const Rule kConfirmChn = kConfirmation.by(none).must("UMSP-5.1.2-3", "CONTROL_CONFIRM has CHN 0.", kChained);
constinit const Rule kConfirmAsk = kConfirmation.must("UMSP-5.1.2-4", "CONTROL_CONFIRM has ASK 1.");
constinit const Rule kConfirmUnanswered =
    kConfirmation.by(stimulus).must_not("UMSP-5.1.2-5", "CONTROL_CONFIRM gets no response.");
constinit const Rule kConfirmExt = kConfirmation.by(stimulus).must(
    "UMSP-5.1.2-6", "The initiator takes CONTROL_CONFIRM with and without extension headers.");
constinit const Rule kConfirmLength =
    kConfirmation.must("UMSP-5.1.2-7", "CONTROL_CONFIRM has 1 to 4 words of operands.");
constinit const Rule kConfirmFitsGjid =
    kConfirmation.must("UMSP-5.1.2-8", "OPR_LENGTH of CONTROL_CONFIRM is that of the GJID, rounded up to words.");
constinit const Rule kConfirmReqId =
    kConfirmation.resting_on(Evidence::absence)
        .must("UMSP-5.1.2-9", "REQ_ID of CONTROL_CONFIRM is that of the CONTROL_REQ.", kElsewhere);
constinit const Rule kConfirmGjid = kConfirmation.by(none).must(
    "UMSP-5.1.2-10", "The operand of CONTROL_CONFIRM is the GJID of the job, 4 to 16 octets.",
    "UMSP-5.1.2-8 judges operands that are no GJID, and UMSP/A1 which of them are those of CONTROL_REJECT");
constinit const Rule kNoTaskReg =
    kConfirmation.by(stimulus).must("UMSP-5.1.2-11",
                                    "CONTROL_REQ asks for control and for the task's initiation at once: after its "
                                    "confirm no TASK_REG is needed for the initial task.",
                                    "UMSP/B3");
constinit const Rule kConfirmCtid = kConfirmation.by(none).must(
    "UMSP-5.1.2-12", "The CTID of the initial task is the local memory address part of the GJID.",
    "a definition: what a GJID ends in is the CTID");
constinit const Rule kRejectAnswers =
    kRejection.resting_on(Evidence::absence)
        .must("UMSP-5.1.3-1", "CONTROL_REJECT is sent once, and only in answer to CONTROL_REQ.", kElsewhere);
constinit const Rule kRejectCode =
    kRejection.by(none).must("UMSP-5.1.3-2", "CONTROL_REJECT has OPCODE 5, or 4 with operands that are no GJID.",
                             "UMSP/A1; operands that are no GJID are what makes OPCODE 4 a CONTROL_REJECT");
constinit const Rule kRejectCodesTaken = kRejection.by(stimulus).must(
    "UMSP-5.1.3-3", "The initiator takes OPCODE 5 for CONTROL_REJECT, and OPCODE 4 too if the operands are no GJID.",
    "UMSP/A1");
constinit const Rule kRejectPck = kRejection.must("UMSP-5.1.3-4", "CONTROL_REJECT has PCK 00.");
constinit const Rule kRejectChn = kRejection.by(none).must("UMSP-5.1.3-5", "CONTROL_REJECT has CHN 0.", kChained);
constinit const Rule kRejectAsk = kRejection.must("UMSP-5.1.3-6", "CONTROL_REJECT has ASK 1.");
constinit const Rule kRejectUnanswered =
    kRejection.by(stimulus).must_not("UMSP-5.1.3-7", "CONTROL_REJECT gets no response.");
constinit const Rule kRejectExt = kRejection.by(stimulus).must(
    "UMSP-5.1.3-8", "The initiator takes CONTROL_REJECT with and without extension headers.");
constinit const Rule kRejectLength = kRejection.must(
    "UMSP-5.1.3-9", "CONTROL_REJECT has 1 or 2 words of operands: 2 with the control profile, 1 without.");
constinit const Rule kRejectReqId =
    kRejection.resting_on(Evidence::absence)
        .must("UMSP-5.1.3-10", "REQ_ID of CONTROL_REJECT is that of the CONTROL_REQ.", kElsewhere);
constinit const Rule kRejectBasic =
    kRejection.must("UMSP-5.1.3-11", "The basic error code of CONTROL_REJECT is not 0.");
constinit const Rule kRejectAdditional = kRejection.by(none).must(
    "UMSP-5.1.3-12", "The second operand of CONTROL_REJECT is the additional error code, 2 octets.", kForm);
constinit const Rule kRejectProfile = kRejection.by(none).must(
    "UMSP-5.1.3-13",
    "The optional third operand of CONTROL_REJECT is the control profile that the JCP allows, in the form of 5.1.1.",
    kForm);
constinit const Rule kRejectReserved =
    kRejection.must("UMSP-5.1.3-14", "Reserved bits of the profile in CONTROL_REJECT are 0.");
constinit const Rule kRejectInaction = kRejection.by(stimulus).must(
    "UMSP-5.1.3-15", "The initiator takes a CONTROL_REJECT with an _INACTION_TIME header.", "UMSP/B18");
constinit const Rule kRejectMsg =
    kRejection.by(stimulus).must("UMSP-5.1.3-16", "The initiator takes a CONTROL_REJECT with a _MSG header.");

// ------------------------------------------------------------------------------------------------------------ profile
// The last two octets of the control profile: CMT, 3 reserved bits, VERSION; 8 reserved bits.
struct ProfileEnd {
  bool cmt;
  unsigned reserved, version, last;
  OctetRange flags, end;  // where they are
};

ProfileEnd profile_of(const Seen& seen) {
  const std::uint64_t value = seen.value(Operand::control_profile).value_or(0);
  const std::size_t at = seen.operand(Operand::control_profile).offset;
  return {.cmt = (value >> 15 & 1) != 0,
          .reserved = static_cast<unsigned>(value >> 12 & 7),
          .version = static_cast<unsigned>(value >> 8 & 15),
          .last = static_cast<unsigned>(value & 0xff),
          .flags = octets(at + 2, 1),
          .end = octets(at + 3, 1)};
}

void judge_control_req(Judge& judge, const Seen& seen) {
  const ProfileEnd profile = profile_of(seen);
  judge.advise(kCmtZero, !profile.cmt, profile.flags, expected(0), actual(profile.cmt));
  judge.require(kVersion, profile.version == 1, profile.flags, expected(1), actual(profile.version));
  judge.require(kReservedBits, profile.reserved == 0, profile.flags, expected(0), actual(profile.reserved));
  judge.require(kReservedOctet, profile.last == 0, profile.end, expected(0), actual(profile.last));
}

void judge_control_reject(Judge& judge, const Seen& seen) {
  const auto code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(kRejectBasic, code != 0, seen.operand(Operand::basic_error_code), expected("a code other than 0"),
                actual(code));
  if (seen.operands.find(Operand::control_profile) == nullptr) return;
  const ProfileEnd profile = profile_of(seen);
  const bool at_end = profile.reserved == 0;
  judge.require(kRejectReserved, at_end && profile.last == 0, at_end ? profile.end : profile.flags, expected(0),
                actual(at_end ? profile.last : profile.reserved));
}

// ---------------------------------------------------------------------------------------------------------- procedure
void take_confirmation(Judge& judge, const Seen& seen) {
  const ManagementRequest* const request =
      match_answer(judge, seen, true, {.in_answer = kConfirmAnswers, .req_id = kConfirmReqId});
  const auto gjid = certain_gjid(seen);
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  node.knows_ctids &= gjid.has_value();
  if (!gjid) return;
  node.jcp_format = gjid->format;
  if (request == nullptr || !request->ltid) {
    node.knows_ctids = false;
    return;
  }
  if (const auto parties = parties_of(seen)) {
    judge_unique_gjid(judge, seen, *parties, *gjid, *request);
    parties->jobs.note_job({parties->from, gjid->task}, parties->to, *request->ltid);
  }
  node.keep(*request->ltid, ManagedTask{.ctid = gjid->task, .first_ctid = gjid->task, .gjid = *gjid});
  if (request->period)
    for_each_account(seen, other(seen.message.sender), [&](ManagedNode& one, bool) { one.period = request->period; });
}

// The first task of a job, of which the GJID came with CONTROL_CONFIRM, is the one that CONTROL_REQ has named.
void judge_session_open(Judge& judge, const Seen& seen) {
  const auto ltid = certain_value(seen, Operand::ltid);
  const auto gjid = certain_gjid(seen);
  if (!gjid || !ltid) return;
  for (const auto& [known, task] : seen.connection.management.of(seen.message.sender).tasks) {
    if (task.ended || task.gjid != *gjid) continue;
    judge.advise(kJobsTask, *ltid == known, seen.operand(Operand::ltid), expected(hex(known)), actual(hex(*ltid)),
                 "the job was put under the JCP with that LTID");
    return;
  }
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::control_req,
     .ask = &kControlReqAsk,
     .pck = &kControlReqPck,
     .opr_length = &kControlReqLength,
     .judge = judge_control_req},
    {.first = Opcode::control_confirm,
     .ask = &kConfirmAsk,
     .pck = &kConfirmPck,
     .opr_length = &kConfirmLength,
     .operands = &kConfirmFitsGjid},
    {.first = Opcode::control_reject,
     .ask = &kRejectAsk,
     .pck = &kRejectPck,
     .opr_length = &kRejectLength,
     .judge = judge_control_reject},
};

}  // namespace

UmspSection job_rules() {
  static constexpr const Rule* kRules[] = {&kTaskWithJob,
                                           &kJobsTask,
                                           &kOwnJcp,
                                           &kRegistersFirst,
                                           &kControlReqToJcp,
                                           &kControlReqPck,
                                           &kControlReqChn,
                                           &kControlReqAsk,
                                           &kControlReqExt,
                                           &kControlReqLength,
                                           &kControlReqLtidFits,
                                           &kControlReqId,
                                           &kProfileFirst,
                                           &kJobLifeTime,
                                           &kNoLifeTime,
                                           &kCmtZero,
                                           &kCmtIgnored,
                                           &kVersion,
                                           &kReservedBits,
                                           &kReservedOctet,
                                           &kControlReqLtid,
                                           &kControlReqName,
                                           &kNameStays,
                                           &kControlReqInaction,
                                           &kLtidLookedUp,
                                           &kOldJobNotified,
                                           &kNewJobAllowed,
                                           &kNoticeBeforeConfirm,
                                           &kNewLtidAllowed,
                                           &kControlReqAnswered,
                                           &kControlReqAnswer,
                                           &kConfirmAnswers,
                                           &kConfirmPck,
                                           &kConfirmChn,
                                           &kConfirmAsk,
                                           &kConfirmUnanswered,
                                           &kConfirmExt,
                                           &kConfirmLength,
                                           &kConfirmFitsGjid,
                                           &kConfirmReqId,
                                           &kConfirmGjid,
                                           &kNoTaskReg,
                                           &kConfirmCtid,
                                           &kRejectAnswers,
                                           &kRejectCode,
                                           &kRejectCodesTaken,
                                           &kRejectPck,
                                           &kRejectChn,
                                           &kRejectAsk,
                                           &kRejectUnanswered,
                                           &kRejectExt,
                                           &kRejectLength,
                                           &kRejectReqId,
                                           &kRejectBasic,
                                           &kRejectAdditional,
                                           &kRejectProfile,
                                           &kRejectReserved,
                                           &kRejectInaction,
                                           &kRejectMsg};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

void judge_job(Judge& judge, const Seen& seen) {
  if (seen.layout == nullptr) return;
  switch (seen.layout->opcode) {
    case Opcode::control_req:
      return keep_request(seen, {.answer = &kControlReqAnswer, .for_control = true});
    case Opcode::control_confirm:
      return take_confirmation(judge, seen);
    case Opcode::control_reject:
      match_answer(judge, seen, true, {.in_answer = kRejectAnswers, .req_id = kRejectReqId});
      return;
    case Opcode::session_open:
      return judge_session_open(judge, seen);
    default:
      return;
  }
}

}  // namespace wirelaw::umsp

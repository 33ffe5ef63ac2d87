// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.6: a job ends.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/management_requests.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
using namespace management_notes;

constexpr Section kEnds{"RFC 3018 5.6"};
constexpr Section kEnd{"RFC 3018 5.6.1"};
constexpr Section kNotice{"RFC 3018 5.6.2"};

constinit const Rule kEndsWithApplication = kEnds.by(api).must(
    "UMSP-5.6-1",
    "The job ends when its application ends on the node that initiated it: that node sends JOB_COMPLETED.",
    "when an application ends is its own affair");
constinit const Rule kVmEndsJob =
    kEnds.by(api).must("UMSP-5.6-2", "A job is ended when the VM says so.", "what a VM decides is its own affair");
constinit const Rule kLifeTimeEnds =
    kEnds.by(stimulus).must("UMSP-5.6-3", "A job whose lifetime is over is ended by the JCP.");
constinit const Rule kJcpEndsJobs = kEnds.by(api).must("UMSP-5.6-4", "A JCP that ends its work ends its jobs.",
                                                       "a JCP ends its work when it is made to on its own node");
constinit const Rule kCompletedByInitiator =
    kEnd.resting_on(Evidence::absence)
        .must("UMSP-5.6.1-1",
              "JOB_COMPLETED is sent by the node that initiated the job, not by one that has registered a task of it.",
              kElsewhere);
constinit const Rule kCompletedPck = kEnd.must("UMSP-5.6.1-2", "JOB_COMPLETED has PCK 00.");
constinit const Rule kCompletedChn = kEnd.by(none).must("UMSP-5.6.1-3", "JOB_COMPLETED has CHN 0.", kChained);
constinit const Rule kCompletedAsk = kEnd.must("UMSP-5.6.1-4", "JOB_COMPLETED has ASK 0.");
constinit const Rule kCompletedExt =
    kEnd.by(stimulus).must("UMSP-5.6.1-5", "A JCP takes JOB_COMPLETED with and without extension headers.");
constinit const Rule kCompletedLength = kEnd.must("UMSP-5.6.1-6", "JOB_COMPLETED has 2 or 3 words of operands.");
constinit const Rule kCompletedFitsCtid =
    kEnd.by(none).must("UMSP-5.6.1-7", "OPR_LENGTH of JOB_COMPLETED fits the CTID: 2 with 4 octets, 3 with 8.",
                       "the length is what says how long the CTID's field is");
constinit const Rule kCompletedCodes = kEnd.by(none).must(
    "UMSP-5.6.1-8",
    "The first operands of JOB_COMPLETED are the basic and the additional completion code, 2 octets each.", kForm);
constinit const Rule kCompletedCtid =
    kEnd.resting_on(Evidence::absence)
        .must("UMSP-5.6.1-9",
              "The last operand of JOB_COMPLETED is the CTID of the job's first task, not that of another one.",
              kElsewhere);
constinit const Rule kCompletedMsg =
    kEnd.by(stimulus).must("UMSP-5.6.1-10", "A JCP takes a JOB_COMPLETED with a _MSG header.");
constinit const Rule kCompletedBeforeAbend = kEnd.by(stimulus).must(
    "UMSP-5.6.1-11", "After JOB_COMPLETED the node sends SESSION_ABEND on every session of the job.",
    "UMSP/B14; a session may end for other reasons before");
constinit const Rule kJobIsOver =
    kEnd.resting_on(Evidence::absence)
        .must("UMSP-5.6.1-12", "After JOB_COMPLETED the job is over: the node opens no session of it.", kElsewhere);
constinit const Rule kNodesNotified =
    kEnd.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.6.1-13", "After JOB_COMPLETED the JCP notifies the nodes of the job.", kAllNodes);
constinit const Rule kAllNotified =
    kEnd.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.6.1-14", "The JCP notifies all of the job's nodes of the job's end, leaving none out.",
              kAllNodes);
constinit const Rule kTaskInfoByItself = kEnd.by(none).may(
    "UMSP-5.6.1-15", "The JCP may send TASK_TERMINATE_INFO by itself when a task's node ended abnormally.",
    "a permission");
constinit const Rule kInfoFromJcp = kNotice.must(
    "UMSP-5.6.2-1", "JOB_COMPLETED_INFO is sent by the JCP: not by a node to the JCP that has assigned it the GJID.",
    "it shows where the GJID was assigned by the addressee");
constinit const Rule kInfoForEnd =
    kNotice.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.6.2-2",
              "JOB_COMPLETED_INFO is sent only where a job ended: after JOB_COMPLETED, at the end of "
              "its lifetime, of the JCP's work or of the initial task.",
              kAllNodes);
constinit const Rule kInfoPck = kNotice.must("UMSP-5.6.2-3", "JOB_COMPLETED_INFO has PCK 00.");
constinit const Rule kInfoChn = kNotice.by(none).must("UMSP-5.6.2-4", "JOB_COMPLETED_INFO has CHN 0.", kChained);
constinit const Rule kInfoAsk = kNotice.must("UMSP-5.6.2-5", "JOB_COMPLETED_INFO has ASK 0.");
constinit const Rule kInfoExt =
    kNotice.by(stimulus).must("UMSP-5.6.2-6", "A node takes JOB_COMPLETED_INFO with and without extension headers.");
constinit const Rule kInfoLength = kNotice.must(
    "UMSP-5.6.2-7", "JOB_COMPLETED_INFO has 1 to 5 words of operands: GJID, and codes if there are any.", "UMSP/A25");
constinit const Rule kInfoCodes =
    kNotice.by(none).must("UMSP-5.6.2-8",
                          "The codes of JOB_COMPLETED_INFO, if there are any, are the basic and the additional "
                          "completion code, 2 octets each, before the GJID.",
                          "UMSP/A25; operands without room for codes are the GJID alone");
constinit const Rule kInfoGjid =
    kNotice.must("UMSP-5.6.2-9", "The operands of JOB_COMPLETED_INFO end in the GJID of the job, of 4 to 16 octets.");
constinit const Rule kInfoMsg =
    kNotice.by(stimulus).must("UMSP-5.6.2-10", "A node takes a JOB_COMPLETED_INFO with a _MSG header.");
constinit const Rule kInfoBothForms =
    kNotice.by(stimulus).must("UMSP-5.6.2-11", "A node takes JOB_COMPLETED_INFO with and without codes.", "UMSP/A25");
constinit const Rule kInfoCodesRepeated =
    kNotice.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.6.2-12", "The codes of JOB_COMPLETED_INFO are those of JOB_COMPLETED.", kAllNodes);
constinit const Rule kSessionsRemoved =
    kNotice.by(stimulus).must("UMSP-5.6.2-13", "At JOB_COMPLETED_INFO a node removes all sessions of the task.");
constinit const Rule kNoAbendNeeded = kNotice.by(none).may(
    "UMSP-5.6.2-14", "Removing a session at JOB_COMPLETED_INFO needs no SESSION_ABEND.", "a permission");
constinit const Rule kTaskEnded = kNotice.by(stimulus).must(
    "UMSP-5.6.2-15", "At JOB_COMPLETED_INFO a node ends the job's task abnormally and frees its resources.");
constinit const Rule kJcpReports = kNotice.by(stimulus).must(
    "UMSP-5.6.2-16", "At the end of the lifetime or of its own work the JCP ends a job by JOB_COMPLETED_INFO.");
constinit const Rule kInitiatorFirst = kNotice.by(stimulus).must(
    "UMSP-5.6.2-17", "There the node that initiated the job is the first to get JOB_COMPLETED_INFO.", kAllNodes);
constinit const Rule kCompletedAfterAll =
    kNotice.by(api).must("UMSP-5.6.2-18", "The JCP takes the job for completed after it sent all JOB_COMPLETED_INFO.",
                         "when a JCP takes a job for completed is its own affair");

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::job_completed, .ask = &kCompletedAsk, .pck = &kCompletedPck, .opr_length = &kCompletedLength},
    {.first = Opcode::job_completed_info,
     .ask = &kInfoAsk,
     .pck = &kInfoPck,
     .opr_length = &kInfoLength,
     .operands = &kInfoGjid},
};

void take_job_completed(Judge& judge, const Seen& seen) {
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!ctid) return;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const OctetRange where = seen.operand(Operand::ctid);
  const bool own =
      std::ranges::any_of(node.tasks, [&](const auto& one) { return one.second.gjid && one.second.ctid == *ctid; });
  if (judge.advise(kCompletedByInitiator, own || !node.has_registered_for(*ctid), where,
                   expected("a job that the node has initiated"), actual(hex(*ctid)),
                   "the node has registered a task of that job, which another node has initiated"))
    if (judge.advise(kCompletedCtid, own || !node.has_registered(*ctid), where,
                     expected("the CTID of a job's first task"), actual(hex(*ctid)),
                     "it was assigned to another task than the first"))
      judge_unknown_ctid(judge, seen, kCompletedCtid);
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_job(*ctid, is_here); });
  if (const auto parties = parties_of(seen); parties && own)
    parties->jobs.end_job({parties->to, *ctid}, parties->from, end_codes_of(seen), seen.message.time_ns,
                          seen.message.frame);
}

// A notice of the JCP, against what the initiator has told it (jobs.h); codes may be left out (UMSP/A25).
void take_notice(Judge& judge, const Seen& seen, const Identifier& gjid) {
  const auto parties = parties_of(seen);
  const auto jcp = job_node_of(gjid);
  if (!parties || !jcp || *jcp != parties->from) return;
  const JobName job{*jcp, gjid.task};
  if (!parties->jobs.is_live() && !judge.advise(kInfoForEnd, parties->jobs.is_named(job), seen.operand(Operand::gjid),
                                                expected("the GJID of a job"), actual([&] { return to_string(gjid); }),
                                                "nothing has named that job, unless it was before the capture"))
    return;
  const auto codes = end_codes_of(seen), due = parties->jobs.completion(job);
  if (codes && due)
    judge.require(kInfoCodesRepeated, *codes == *due, seen.operand(Operand::basic_completion_code),
                  expected([&] { return to_string(*due); }), actual([&] { return to_string(*codes); }),
                  "as in the JOB_COMPLETED of the node that initiated the job");
  parties->jobs.notified_of_job(job, parties->to);
}

// A session of a job that the node has completed, which it opens at another node than its JCP.
void judge_open_of_completed(Judge& judge, const Seen& seen, const Identifier& gjid) {
  const auto parties = parties_of(seen);
  const auto jcp = job_node_of(gjid);
  if (!parties || !jcp || *jcp == parties->to || !parties->jobs.knows(*jcp) || parties->jobs.is_live()) return;
  if (seen.header().pck != Pck::no_session || seen.message.order_unknown) return;
  const auto completed = parties->jobs.completed_by(parties->from, {*jcp, gjid.task});
  // The two went over different connections, whose ways may differ by seconds (UMSP/B45).
  constexpr std::int64_t kTransitNs = 10'000'000'000;
  const auto want = expected("a job that has not ended");
  const auto got = actual([&] { return to_string(gjid); });
  if (completed && seen.message.time_ns - completed->time_ns < kTransitNs)
    judge.advise(kJobIsOver, false, seen.operand(Operand::gjid), want, got, [&] {
      return fmt::format("frame {} has its JOB_COMPLETED; or the session was opened before that, and came later",
                         completed->frame);
    });
  else
    judge.require(
        kJobIsOver, !completed, seen.operand(Operand::gjid), want, got,
        [&] { return fmt::format("frame {} has its JOB_COMPLETED", completed->frame); }, Evidence::order);
}

// A job that the node has put under the other one.
void judge_open_of_job(Judge& judge, const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid) return;
  judge_open_of_completed(judge, seen, *gjid);
  const auto& tasks = seen.connection.management.of(seen.message.sender).tasks;
  const auto own = std::ranges::find_if(tasks, [&](const auto& one) { return one.second.gjid == *gjid; });
  if (own == tasks.end() || own->second.job_reported) return;  // what the JCP has reported may not have arrived
  require_if_all_seen(judge, seen, kJobIsOver, !own->second.ended || own->second.ended_elsewhere,
                      seen.operand(Operand::gjid), expected("a job that has not ended"),
                      actual([&] { return to_string(*gjid); }), "JOB_COMPLETED went before it");
}

// A GJID that the other node has assigned to the sender names the other node as JCP.
void take_job_info(Judge& judge, const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid) return;
  ManagementAccount& account = seen.connection.management;
  const bool assigned_by_other = std::ranges::any_of(account.of(seen.message.sender).tasks,
                                                     [&](const auto& one) { return one.second.gjid == *gjid; });
  if (!judge.require(kInfoFromJcp, !assigned_by_other, seen.operand(Operand::gjid),
                     expected("a job of which the sender is the JCP"), actual([&] { return to_string(*gjid); }),
                     "the addressee has assigned this GJID to the sender's job"))
    return;
  ManagedNode& node = account.of(other(seen.message.sender));
  node.jcp_format = gjid->format;
  node.report_job(gjid->task);
  take_notice(judge, seen, *gjid);
  for_each_account(seen, other(seen.message.sender),
                   [&](ManagedNode& one, bool is_here) { one.end_job(gjid->task, is_here); });
}

}  // namespace

UmspSection job_end_rules() {
  static constexpr const Rule* kRules[] = {
      &kEndsWithApplication, &kVmEndsJob,        &kLifeTimeEnds,  &kJcpEndsJobs,      &kCompletedByInitiator,
      &kCompletedPck,        &kCompletedChn,     &kCompletedAsk,  &kCompletedExt,     &kCompletedLength,
      &kCompletedFitsCtid,   &kCompletedCodes,   &kCompletedCtid, &kCompletedMsg,     &kCompletedBeforeAbend,
      &kJobIsOver,           &kNodesNotified,    &kAllNotified,   &kTaskInfoByItself, &kInfoFromJcp,
      &kInfoForEnd,          &kInfoPck,          &kInfoChn,       &kInfoAsk,          &kInfoExt,
      &kInfoLength,          &kInfoCodes,        &kInfoGjid,      &kInfoMsg,          &kInfoBothForms,
      &kInfoCodesRepeated,   &kSessionsRemoved,  &kNoAbendNeeded, &kTaskEnded,        &kJcpReports,
      &kInitiatorFirst,      &kCompletedAfterAll};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

void judge_notices(Judge& judge, const Connection& connection) {
  constexpr std::int64_t kPatience = 30'000'000'000;  // ns; the document has no time for it
  if (connection.jobs == nullptr || !connection.is_all_seen()) return;
  if (!connection.jobs->knows(connection.nodes[0]) || !connection.jobs->knows(connection.nodes[1])) return;
  if (connection.jobs->is_live()) return;  // it may have come already
  // A notice may go over another connection, once this one has ended.
  if (connection.of(Side::a).ended || connection.of(Side::b).ended) return;
  for (const Side jcp : {Side::a, Side::b}) {
    const std::size_t from = jcp == Side::a ? 0 : 1;
    const JobNode &sender = connection.nodes[from], &to = connection.nodes[1 - from];
    const auto& latest = connection.latest[from];
    if (!latest || sender == to) continue;
    bool any = false;
    for (const JobNotice& notice : connection.jobs->notices(sender, to)) {
      if (judge.now_ns() - notice.since_ns < kPatience) continue;
      any = true;
      judge.at({.sender = jcp, .index = latest->index, .frame = latest->frame, .time_ns = latest->time_ns});
      if (notice.of)
        judge_task_notice(judge, notice);
      else
        judge.require(notice.others_were ? kAllNotified : kNodesNotified, false, octets(0, 0),
                      expected("JOB_COMPLETED_INFO to this node, as to all of the job"), actual("none"),
                      [&] { return fmt::format("frame {} has the JOB_COMPLETED of another node", notice.frame); });
    }
    if (any) connection.jobs->forget_notices(sender, to);
  }
}

void judge_job_end(Judge& judge, const Seen& seen) {
  if (seen.is(Opcode::job_completed)) take_job_completed(judge, seen);
  if (seen.is(Opcode::job_completed_info)) take_job_info(judge, seen);
  if (seen.is(Opcode::session_open)) judge_open_of_job(judge, seen);
}

}  // namespace wirelaw::umsp

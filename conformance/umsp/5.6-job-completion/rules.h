// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct JobCompletionRules : ManagementWords {
  static constexpr std::string_view kEnds = "RFC 3018 5.6";
  static constexpr std::string_view kEnd = "RFC 3018 5.6.1";
  static constexpr std::string_view kNotice = "RFC 3018 5.6.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.6-1", must, any, kEnds, api, octets,
       "When the application of a job ends on the node that initiated it, that node sends JOB_COMPLETED.",
       "When an application ends is not on the wire"},
      {"UMSP-5.6-2", must, any, kEnds, api, octets,
       "A node ends a job when the VM decides so.", "What a VM decides is not on the wire"},
      {"UMSP-5.6-3", must, any, kEnds, stimulus, octets,
       "The JCP ends a job whose lifetime is over.", {}, {{life_time_ignored, executor}}},
      {"UMSP-5.6-4", must, any, kEnds, api, octets,
       "A JCP that stops working ends its jobs.", "A JCP stops only for reasons on its own node"},
      {"UMSP-5.6.1-1", must, any, kEnd, trace, absence,
       "The node that initiated the job sends JOB_COMPLETED, not one that has registered a task of it.", kElsewhere},
      {"UMSP-5.6.1-2", must, any, kEnd, trace, octets,
       "JOB_COMPLETED has PCK 00."},
      {"UMSP-5.6.1-3", must, any, kEnd, none, octets,
       "JOB_COMPLETED has CHN 0.", kChained},
      {"UMSP-5.6.1-4", must, any, kEnd, trace, octets,
       "JOB_COMPLETED has ASK 0."},
      {"UMSP-5.6.1-5", must, any, kEnd, stimulus, octets,
       "A JCP accepts JOB_COMPLETED with and without extension headers.", {},
       {{completed_with_extension_ignored, executor}}},
      {"UMSP-5.6.1-6", must, any, kEnd, trace, octets,
       "JOB_COMPLETED has 2 or 3 words of operands."},
      {"UMSP-5.6.1-7", must, any, kEnd, none, octets,
       "OPR_LENGTH of JOB_COMPLETED is 2 if the CTID has 4 octets, and 3 if it has 8.",
       "OPR_LENGTH defines how long the CTID field is"},
      {"UMSP-5.6.1-8", must, any, kEnd, none, octets,
       "The first operands of JOB_COMPLETED are the basic and the additional completion code (2 octets each).", kForm},
      {"UMSP-5.6.1-9", must, any, kEnd, trace, absence,
       "The last operand of JOB_COMPLETED is the CTID of the job's first task, not that of another task.", kElsewhere},
      {"UMSP-5.6.1-10", must, any, kEnd, stimulus, octets,
       "A JCP accepts a JOB_COMPLETED with a _MSG header.", {}, {{completed_with_extension_ignored, executor}}},
      {"UMSP-5.6.1-11", must, any, kEnd, trace, absence,
       "After JOB_COMPLETED, the node sends SESSION_ABEND on every session of the job.",
       "UMSP/B14, UMSP/B57; judged of what the node still sends in them, and after 30 s",
       {{sessions_kept_after_job, initiator, "remote-jcp"}}},
      {"UMSP-5.6.1-12", must, any, kEnd, trace, absence,
       "After JOB_COMPLETED, the node opens no session of the job and does not complete it again.", kElsewhere},
      {"UMSP-5.6.1-13", must, any, kEnd, stimulus, absence,
       "After JOB_COMPLETED, the JCP notifies the nodes of the job.", kNodesShow,
       {{job_end_not_notified, executor}, {one_node_without_job_notice, executor}}},
      {"UMSP-5.6.1-14", must, any, kEnd, stimulus, absence,
       "The JCP notifies every node of the job when the job ends.", kNodesShow,
       {{job_end_not_notified, executor}, {one_node_without_job_notice, executor}}},
      {"UMSP-5.6.1-15", may, any, kEnd, none, octets,
       "The JCP may send TASK_TERMINATE_INFO itself if the node of a task ended abnormally.", "A permission"},
      {"UMSP-5.6.2-1", must, any, kNotice, trace, octets,
       "The JCP sends JOB_COMPLETED_INFO; a node does not send it to the JCP that assigned the GJID.",
       "Judged if the addressee assigned the GJID"},
      {"UMSP-5.6.2-2", must, any, kNotice, trace, absence,
       "The JCP sends JOB_COMPLETED_INFO only if a job ended: after JOB_COMPLETED, or at the end of its "
       "lifetime, of the JCP's work or of the initial task.", kAllNodes, {{job_notice_without_end, executor}}},
      {"UMSP-5.6.2-3", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO has PCK 00."},
      {"UMSP-5.6.2-4", must, any, kNotice, none, octets,
       "JOB_COMPLETED_INFO has CHN 0.", kChained},
      {"UMSP-5.6.2-5", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO has ASK 0."},
      {"UMSP-5.6.2-6", must, any, kNotice, stimulus, octets,
       "A node accepts JOB_COMPLETED_INFO with and without extension headers.", {},
       {{job_notice_ignored, executor}, {job_notice_with_extension_ignored, executor},
        {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-7", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO has 1 to 5 words of operands: optional codes and the GJID.", "UMSP/A25"},
      {"UMSP-5.6.2-8", must, any, kNotice, none, octets,
       "The optional codes of JOB_COMPLETED_INFO are the basic and the additional completion code (2 octets each), "
       "before the GJID.", "UMSP/A25; operands without room for codes are only the GJID"},
      {"UMSP-5.6.2-9", must, any, kNotice, trace, octets,
       "The last operand of JOB_COMPLETED_INFO is the GJID of the job (4 to 16 octets)."},
      {"UMSP-5.6.2-10", must, any, kNotice, stimulus, octets,
       "A node accepts a JOB_COMPLETED_INFO with a _MSG header.", {},
       {{job_notice_ignored, executor}, {job_notice_with_extension_ignored, executor},
        {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-11", must, any, kNotice, stimulus, octets,
       "A node accepts JOB_COMPLETED_INFO with and without codes.", "UMSP/A25",
       {{job_notice_ignored, executor}, {job_notice_without_codes_ignored, executor},
        {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-12", must, any, kNotice, stimulus, absence,
       "The JCP takes the codes of JOB_COMPLETED_INFO from JOB_COMPLETED.", kNodesShow,
       {{job_notice_codes_changed, executor}}},
      {"UMSP-5.6.2-13", must, any, kNotice, stimulus, octets,
       "On JOB_COMPLETED_INFO, a node removes all sessions of the task.",
       "UMSP/B57, UMSP/B60: a capture shows the later use of a session",
       {{job_notice_ignored, executor}, {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-14", may, any, kNotice, none, octets,
       "A node may remove a session on JOB_COMPLETED_INFO without SESSION_ABEND.", "A permission"},
      {"UMSP-5.6.2-15", must, any, kNotice, stimulus, octets,
       "On JOB_COMPLETED_INFO, a node ends the job's task abnormally and frees its resources.", {},
       {{job_notice_ignored, executor}, {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-16", must, any, kNotice, stimulus, octets,
       "At the end of a job's lifetime or of its own work, the JCP ends the job with JOB_COMPLETED_INFO.", {},
       {{life_time_ignored, executor}, {life_end_silent, executor}}},
      {"UMSP-5.6.2-17", must, any, kNotice, stimulus, octets,
       "A JCP that ends a job itself sends JOB_COMPLETED_INFO first to the node that initiated the job.", kAllNodes,
       {{initiator_notified_last, executor}}},
      {"UMSP-5.6.2-18", must, any, kNotice, api, octets,
       "The JCP considers the job completed after it has sent all JOB_COMPLETED_INFOs.",
       "When a JCP considers a job completed is not on the wire"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::JobCompletionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::JobCompletionRules, I> {
};

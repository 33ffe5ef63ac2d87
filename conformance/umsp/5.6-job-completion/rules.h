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
       "The job ends when its application ends on the node that initiated it: that node sends JOB_COMPLETED.",
       "when an application ends is its own affair"},
      {"UMSP-5.6-2", must, any, kEnds, api, octets,
       "A job is ended when the VM says so.", "what a VM decides is its own affair"},
      {"UMSP-5.6-3", must, any, kEnds, stimulus, octets,
       "A job whose lifetime is over is ended by the JCP.", {}, {{life_time_ignored, executor}}},
      {"UMSP-5.6-4", must, any, kEnds, api, octets,
       "A JCP that ends its work ends its jobs.", "a JCP ends its work when it is made to on its own node"},
      {"UMSP-5.6.1-1", must, any, kEnd, trace, absence,
       "JOB_COMPLETED is sent by the node that initiated the job, not by one that has registered a task of it.",
       kElsewhere},
      {"UMSP-5.6.1-2", must, any, kEnd, trace, octets,
       "JOB_COMPLETED has PCK 00."},
      {"UMSP-5.6.1-3", must, any, kEnd, none, octets,
       "JOB_COMPLETED has CHN 0.", kChained},
      {"UMSP-5.6.1-4", must, any, kEnd, trace, octets,
       "JOB_COMPLETED has ASK 0."},
      {"UMSP-5.6.1-5", must, any, kEnd, stimulus, octets,
       "A JCP takes JOB_COMPLETED with and without extension headers.", {},
       {{completed_with_extension_ignored, executor}}},
      {"UMSP-5.6.1-6", must, any, kEnd, trace, octets,
       "JOB_COMPLETED has 2 or 3 words of operands."},
      {"UMSP-5.6.1-7", must, any, kEnd, none, octets,
       "OPR_LENGTH of JOB_COMPLETED fits the CTID: 2 with 4 octets, 3 with 8.",
       "the length is what says how long the CTID's field is"},
      {"UMSP-5.6.1-8", must, any, kEnd, none, octets,
       "The first operands of JOB_COMPLETED are the basic and the additional completion code, 2 octets each.", kForm},
      {"UMSP-5.6.1-9", must, any, kEnd, trace, absence,
       "The last operand of JOB_COMPLETED is the CTID of the job's first task, not that of another one.", kElsewhere},
      {"UMSP-5.6.1-10", must, any, kEnd, stimulus, octets,
       "A JCP takes a JOB_COMPLETED with a _MSG header.", {}, {{completed_with_extension_ignored, executor}}},
      {"UMSP-5.6.1-11", must, any, kEnd, trace, absence,
       "After JOB_COMPLETED the node sends SESSION_ABEND on every session of the job.",
       "UMSP/B14, UMSP/B57; judged of what the node still sends in them",
       {{sessions_kept_after_job, initiator, "remote-jcp"}}},
      {"UMSP-5.6.1-12", must, any, kEnd, trace, absence,
       "After JOB_COMPLETED the job is over: the node opens no session of it, and does not complete it again.",
       kElsewhere},
      {"UMSP-5.6.1-13", must, any, kEnd, stimulus, absence,
       "After JOB_COMPLETED the JCP notifies the nodes of the job.", kNodesShow,
       {{job_end_not_notified, executor}, {one_node_without_job_notice, executor}}},
      {"UMSP-5.6.1-14", must, any, kEnd, stimulus, absence,
       "The JCP notifies all of the job's nodes of the job's end, leaving none out.", kNodesShow,
       {{job_end_not_notified, executor}, {one_node_without_job_notice, executor}}},
      {"UMSP-5.6.1-15", may, any, kEnd, none, octets,
       "The JCP may send TASK_TERMINATE_INFO by itself when a task's node ended abnormally.", "a permission"},
      {"UMSP-5.6.2-1", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO is sent by the JCP: not by a node to the JCP that has assigned it the GJID.",
       "it shows where the GJID was assigned by the addressee"},
      {"UMSP-5.6.2-2", must, any, kNotice, trace, absence,
       "JOB_COMPLETED_INFO is sent only where a job ended: after JOB_COMPLETED, at the end of its lifetime, of the "
       "JCP's work or of the initial task.", kAllNodes, {{job_notice_without_end, executor}}},
      {"UMSP-5.6.2-3", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO has PCK 00."},
      {"UMSP-5.6.2-4", must, any, kNotice, none, octets,
       "JOB_COMPLETED_INFO has CHN 0.", kChained},
      {"UMSP-5.6.2-5", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO has ASK 0."},
      {"UMSP-5.6.2-6", must, any, kNotice, stimulus, octets,
       "A node takes JOB_COMPLETED_INFO with and without extension headers.", {},
       {{job_notice_ignored, executor}, {job_notice_with_extension_ignored, executor},
        {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-7", must, any, kNotice, trace, octets,
       "JOB_COMPLETED_INFO has 1 to 5 words of operands: GJID, and codes if there are any.", "UMSP/A25"},
      {"UMSP-5.6.2-8", must, any, kNotice, none, octets,
       "The codes of JOB_COMPLETED_INFO, if there are any, are the basic and the additional completion code, 2 octets "
       "each, before the GJID.", "UMSP/A25; operands without room for codes are the GJID alone"},
      {"UMSP-5.6.2-9", must, any, kNotice, trace, octets,
       "The operands of JOB_COMPLETED_INFO end in the GJID of the job, of 4 to 16 octets."},
      {"UMSP-5.6.2-10", must, any, kNotice, stimulus, octets,
       "A node takes a JOB_COMPLETED_INFO with a _MSG header.", {},
       {{job_notice_ignored, executor}, {job_notice_with_extension_ignored, executor},
        {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-11", must, any, kNotice, stimulus, octets,
       "A node takes JOB_COMPLETED_INFO with and without codes.", "UMSP/A25",
       {{job_notice_ignored, executor}, {job_notice_without_codes_ignored, executor},
        {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-12", must, any, kNotice, stimulus, absence,
       "The codes of JOB_COMPLETED_INFO are those of JOB_COMPLETED.", kNodesShow,
       {{job_notice_codes_changed, executor}}},
      {"UMSP-5.6.2-13", must, any, kNotice, stimulus, octets,
       "At JOB_COMPLETED_INFO a node removes all sessions of the task.",
       "UMSP/B57: a capture shows the use of a session ten seconds later",
       {{job_notice_ignored, executor}, {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-14", may, any, kNotice, none, octets,
       "Removing a session at JOB_COMPLETED_INFO needs no SESSION_ABEND.", "a permission"},
      {"UMSP-5.6.2-15", must, any, kNotice, stimulus, octets,
       "At JOB_COMPLETED_INFO a node ends the job's task abnormally and frees its resources.", {},
       {{job_notice_ignored, executor}, {job_notice_with_codes_ignored, executor}}},
      {"UMSP-5.6.2-16", must, any, kNotice, stimulus, octets,
       "At the end of the lifetime or of its own work the JCP ends a job by JOB_COMPLETED_INFO.", {},
       {{life_time_ignored, executor}, {life_end_silent, executor}}},
      {"UMSP-5.6.2-17", must, any, kNotice, stimulus, octets,
       "There the node that initiated the job is the first to get JOB_COMPLETED_INFO.", kAllNodes,
       {{initiator_notified_last, executor}}},
      {"UMSP-5.6.2-18", must, any, kNotice, api, octets,
       "The JCP takes the job for completed after it sent all JOB_COMPLETED_INFO.",
       "when a JCP takes a job for completed is its own affair"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::JobCompletionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::JobCompletionRules, I> {
};

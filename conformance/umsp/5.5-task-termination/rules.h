// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct TaskTerminationRules : ManagementWords {
  static constexpr std::string_view kEnds = "RFC 3018 5.5";
  static constexpr std::string_view kEnd = "RFC 3018 5.5.1";
  static constexpr std::string_view kNotice = "RFC 3018 5.5.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5.5-1", must, any, kEnds, api, octets,
       "A node ends its task when the job ends.", "What a node runs is not on the wire"},
      {"UMSP-5.5-2", may, any, kEnds, none, octets,
       "A node may end a task before its job: without resources, at its own end, or when the VM decides so.",
       "A permission"},
      {"UMSP-5.5-3", must, any, kEnds, stimulus, octets,
       "If a task ends before its job, all nodes of the job are notified.", kAllNodes,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5-4", must, any, kEnds, api, octets,
       "A node that ends a task sends SESSION_ABEND on all sessions of that task.",
       "A node decides itself when to end a task; no input can make it do so"},
      {"UMSP-5.5.1-1", must, any, kEnd, api, octets,
       "The node of the ended task sends TASK_TERMINATE to the JCP.",
       "A node decides itself when to end a task; no input can make it do so"},
      {"UMSP-5.5.1-2", must, any, kEnd, api, octets,
       "A node that ends a task before the job sends TASK_TERMINATE.",
       "A node decides itself when to end a task; no input can make it do so"},
      {"UMSP-5.5.1-3", must, any, kEnd, trace, octets,
       "TASK_TERMINATE has PCK 00."},
      {"UMSP-5.5.1-4", must, any, kEnd, none, octets,
       "TASK_TERMINATE has CHN 0.", kChained},
      {"UMSP-5.5.1-5", must, any, kEnd, trace, octets,
       "TASK_TERMINATE has ASK 0."},
      {"UMSP-5.5.1-6", must, any, kEnd, stimulus, octets,
       "A JCP accepts TASK_TERMINATE with and without extension headers.", {},
       {{terminate_with_extension_ignored, executor}}},
      {"UMSP-5.5.1-7", must, any, kEnd, trace, octets,
       "TASK_TERMINATE has 2 or 3 words of operands."},
      {"UMSP-5.5.1-8", must, any, kEnd, none, octets,
       "OPR_LENGTH of TASK_TERMINATE is 2 if the CTID has 4 octets, and 3 if it has 8.",
       "OPR_LENGTH defines how long the CTID field is"},
      {"UMSP-5.5.1-9", must, any, kEnd, none, octets,
       "The first operands of TASK_TERMINATE are the basic and the additional termination code (2 octets each).",
       kForm},
      {"UMSP-5.5.1-10", must, any, kEnd, trace, absence,
       "The last operand of TASK_TERMINATE is the CTID that the JCP assigned to the task, not that of the job's first "
       "task or of an ended task.", kElsewhere},
      {"UMSP-5.5.1-11", must, any, kEnd, stimulus, octets,
       "A JCP accepts a TASK_TERMINATE with a _MSG header.", {}, {{terminate_with_extension_ignored, executor}}},
      {"UMSP-5.5.1-12", must, any, kEnd, trace, absence,
       "After TASK_TERMINATE, the node sends SESSION_ABEND on every session of the task.",
       "UMSP/B14, UMSP/B57: judged after 30 s; a warning if the node may be off"},
      {"UMSP-5.5.1-13", must, any, kEnd, trace, absence,
       "After TASK_TERMINATE and the SESSION_ABENDs, the node executes nothing more of the task.",
       "UMSP/B57; judged of what the node still sends in the task's sessions"},
      {"UMSP-5.5.1-14", may, any, kEnd, none, octets,
       "If the basic code of TASK_TERMINATE is 0, the JCP need not notify the other nodes.", "UMSP/B15; a permission"},
      {"UMSP-5.5.1-15", must, any, kEnd, stimulus, absence,
       "If the basic code of TASK_TERMINATE is not 0, the JCP notifies the other nodes of the job.", kNodesShow,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5.1-16", must, any, kEnd, stimulus, absence,
       "The JCP notifies every node of the job when a task ends.", kNodesShow,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5.2-1", must, any, kNotice, trace, absence,
       "The JCP sends TASK_TERMINATE_INFO to other nodes of the job.", kRoles,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5.2-2", must_not, any, kNotice, trace, octets,
       "The JCP does not send TASK_TERMINATE_INFO to the node whose task ended.",
       "One connection does not show which node a GTID names", {{ended_node_notified, executor}}},
      {"UMSP-5.5.2-3", must, any, kNotice, stimulus, octets,
       "The JCP sends TASK_TERMINATE_INFO only if a task ended: after its TASK_TERMINATE, its silence or the "
       "reload of its node.", "UMSP/B58: a task that was not confirmed is a warning in a capture",
       {{task_notice_without_end, executor}}},
      {"UMSP-5.5.2-4", must, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO has PCK 00."},
      {"UMSP-5.5.2-5", must, any, kNotice, none, octets,
       "TASK_TERMINATE_INFO has CHN 0.", kChained},
      {"UMSP-5.5.2-6", must, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO has ASK 0."},
      {"UMSP-5.5.2-7", must, any, kNotice, api, octets,
       "A node accepts TASK_TERMINATE_INFO with and without extension headers.",
       "A notice changes the VM's references, which do not show in what the node sends"},
      {"UMSP-5.5.2-8", must, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO has 2 to 5 words of operands."},
      {"UMSP-5.5.2-9", must, any, kNotice, trace, octets,
       "OPR_LENGTH of TASK_TERMINATE_INFO is the combined length of codes and GTID, rounded up to words."},
      {"UMSP-5.5.2-10", must, any, kNotice, none, octets,
       "The first operands of TASK_TERMINATE_INFO are the basic and the additional termination code (2 octets each).",
       kForm},
      {"UMSP-5.5.2-11", must, any, kNotice, none, octets,
       "The last operand of TASK_TERMINATE_INFO is the GTID of the ended task (4 to 16 octets).",
       "UMSP-5.5.2-9 judges operands without one"},
      {"UMSP-5.5.2-12", must, any, kNotice, stimulus, octets,
       "The JCP forms the GTID in TASK_TERMINATE_INFO from the transport address of the task and the LTID of its "
       "TASK_REG.", kAllNodes, {{task_notice_with_ctid, executor}}},
      {"UMSP-5.5.2-13", must, any, kNotice, api, octets,
       "A node accepts a TASK_TERMINATE_INFO with a _MSG header.",
       "A notice changes the VM's references, which do not show in what the node sends"},
      {"UMSP-5.5.2-14", must, any, kNotice, stimulus, absence,
       "The JCP takes the codes of TASK_TERMINATE_INFO from TASK_TERMINATE.", kNodesShow,
       {{task_notice_codes_changed, executor}}},
      {"UMSP-5.5.2-15", must, any, kNotice, api, octets,
       "On TASK_TERMINATE_INFO, the job invalidates all references to resources of the ended task's node.",
       "What a VM does with its references is not on the wire"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::TaskTerminationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::TaskTerminationRules, I> {
};

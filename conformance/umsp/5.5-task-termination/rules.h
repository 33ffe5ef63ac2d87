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
       "A task ends when its job ends.", "what a node runs is its own affair"},
      {"UMSP-5.5-2", may, any, kEnds, none, octets,
       "A task may end before its job: no resources, the node's end, or the VM's decision.", "a permission"},
      {"UMSP-5.5-3", must, any, kEnds, stimulus, octets,
       "All nodes of the job are notified when a task ends before its job.", kAllNodes,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5-4", must, any, kEnds, api, octets,
       "A node that ends a task sends SESSION_ABEND on all sessions of that task.",
       "when a node ends a task is its own affair, and nothing that is sent to it makes it do so"},
      {"UMSP-5.5.1-1", must, any, kEnd, api, octets,
       "TASK_TERMINATE is sent by the node of the ended task, to the JCP.",
       "when a node ends a task is its own affair, and nothing that is sent to it makes it do so"},
      {"UMSP-5.5.1-2", must, any, kEnd, api, octets,
       "A node that ends a task before the job sends TASK_TERMINATE.",
       "when a node ends a task is its own affair, and nothing that is sent to it makes it do so"},
      {"UMSP-5.5.1-3", must, any, kEnd, trace, octets,
       "TASK_TERMINATE has PCK 00."},
      {"UMSP-5.5.1-4", must, any, kEnd, none, octets,
       "TASK_TERMINATE has CHN 0.", kChained},
      {"UMSP-5.5.1-5", must, any, kEnd, trace, octets,
       "TASK_TERMINATE has ASK 0."},
      {"UMSP-5.5.1-6", must, any, kEnd, stimulus, octets,
       "A JCP takes TASK_TERMINATE with and without extension headers.", {},
       {{terminate_with_extension_ignored, executor}}},
      {"UMSP-5.5.1-7", must, any, kEnd, trace, octets,
       "TASK_TERMINATE has 2 or 3 words of operands."},
      {"UMSP-5.5.1-8", must, any, kEnd, none, octets,
       "OPR_LENGTH of TASK_TERMINATE fits the CTID: 2 with 4 octets, 3 with 8.",
       "the length is what says how long the CTID's field is"},
      {"UMSP-5.5.1-9", must, any, kEnd, none, octets,
       "The first operands of TASK_TERMINATE are the basic and the additional termination code, 2 octets each.", kForm},
      {"UMSP-5.5.1-10", must, any, kEnd, trace, absence,
       "The last operand of TASK_TERMINATE is the CTID that the JCP assigned to the task, not that of the job's first "
       "task, nor that of a task which is over.", kElsewhere},
      {"UMSP-5.5.1-11", must, any, kEnd, stimulus, octets,
       "A JCP takes a TASK_TERMINATE with a _MSG header.", {}, {{terminate_with_extension_ignored, executor}}},
      {"UMSP-5.5.1-12", must, any, kEnd, api, octets,
       "After TASK_TERMINATE the node sends SESSION_ABEND on every session of the task.",
       "when a node ends a task is its own affair, and nothing that is sent to it makes it do so; UMSP/B14"},
      {"UMSP-5.5.1-13", must, any, kEnd, trace, absence,
       "After TASK_TERMINATE and the SESSION_ABENDs the task is over: nothing of it is executed.",
       "UMSP/B57; judged of what the node still sends in the task's sessions"},
      {"UMSP-5.5.1-14", may, any, kEnd, none, octets,
       "With basic code 0 the JCP need not notify the other nodes.", "UMSP/B15; a permission"},
      {"UMSP-5.5.1-15", must, any, kEnd, stimulus, absence,
       "With a basic code other than 0 the JCP notifies the other nodes of the job after TASK_TERMINATE.", kNodesShow,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5.1-16", must, any, kEnd, stimulus, absence,
       "The JCP notifies all of the job's nodes of a task's end, leaving none out.", kNodesShow,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5.2-1", must, any, kNotice, trace, absence,
       "TASK_TERMINATE_INFO is sent by the JCP, to other nodes of the job.", kRoles,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5.5.2-2", must_not, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO is not sent to the node whose task ended.",
       "which node a GTID names is not seen on one connection", {{ended_node_notified, executor}}},
      {"UMSP-5.5.2-3", must, any, kNotice, stimulus, octets,
       "TASK_TERMINATE_INFO is sent only where a task ended: after its TASK_TERMINATE, its silence or the reload of "
       "its node.", "UMSP/B58: a task that was not confirmed is a warning in a capture",
       {{task_notice_without_end, executor}}},
      {"UMSP-5.5.2-4", must, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO has PCK 00."},
      {"UMSP-5.5.2-5", must, any, kNotice, none, octets,
       "TASK_TERMINATE_INFO has CHN 0.", kChained},
      {"UMSP-5.5.2-6", must, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO has ASK 0."},
      {"UMSP-5.5.2-7", must, any, kNotice, api, octets,
       "A node takes TASK_TERMINATE_INFO with and without extension headers.",
       "what a notice changes are the VM's references, which do not show in what the node sends"},
      {"UMSP-5.5.2-8", must, any, kNotice, trace, octets,
       "TASK_TERMINATE_INFO has 2 to 5 words of operands."},
      {"UMSP-5.5.2-9", must, any, kNotice, trace, octets,
       "OPR_LENGTH of TASK_TERMINATE_INFO is what codes and GTID take together, rounded up to words."},
      {"UMSP-5.5.2-10", must, any, kNotice, none, octets,
       "The first operands of TASK_TERMINATE_INFO are the basic and the additional termination code, 2 octets each.",
       kForm},
      {"UMSP-5.5.2-11", must, any, kNotice, none, octets,
       "The last operand of TASK_TERMINATE_INFO is the GTID of the ended task, 4 to 16 octets.",
       "UMSP-5.5.2-9 judges operands without one"},
      {"UMSP-5.5.2-12", must, any, kNotice, stimulus, octets,
       "That GTID is the LTID of the task's TASK_REG behind the task's transport address.", kAllNodes,
       {{task_notice_with_ctid, executor}}},
      {"UMSP-5.5.2-13", must, any, kNotice, api, octets,
       "A node takes a TASK_TERMINATE_INFO with a _MSG header.",
       "what a notice changes are the VM's references, which do not show in what the node sends"},
      {"UMSP-5.5.2-14", must, any, kNotice, stimulus, absence,
       "The codes of TASK_TERMINATE_INFO are those of TASK_TERMINATE.", kNodesShow,
       {{task_notice_codes_changed, executor}}},
      {"UMSP-5.5.2-15", must, any, kNotice, api, octets,
       "At TASK_TERMINATE_INFO the job makes all references to resources of the ended task's node invalid.",
       "what a VM does with its references is its own affair"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::TaskTerminationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::TaskTerminationRules, I> {
};

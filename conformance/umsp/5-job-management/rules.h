// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct JobManagementRules : ManagementWords {
  static constexpr std::string_view kSection = "RFC 3018 5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5-1", must, any, kSection, none, octets,
       "Jobs are managed by instructions with OPCODE 1 to 112.",
       "a definition; UMSP-3.1-4 and the rules beside it judge the values"},
      {"UMSP-5-2", must, any, kSection, none, octets,
       "Instructions with OPCODE 1 to 112 go over TCP, save VM_REQ and VM_NOTIF.", "UMSP/B1; the same as UMSP-5-3"},
      {"UMSP-5-3", must_not, any, kSection, trace, octets,
       "No instruction with OPCODE 1 to 112 goes over UDP, not even one that needs no response, save VM_REQ and "
       "VM_NOTIF.", "UMSP/B1"},
      {"UMSP-5-4", must_not, any, kSection, stimulus, octets,
       "A management instruction that arrives in a datagram is not carried out, save VM_REQ and VM_NOTIF.", "UMSP/B1",
       {{management_in_datagrams_taken, executor}}},
      {"UMSP-5-5", must, any, kSection, stimulus, octets,
       "When a task ends before its job, all nodes of the job are notified.", kAllNodes,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5-6", must_not, any, kSection, stimulus, octets,
       "A task is not initiated again on a node before all nodes received the notice that the first one ended.",
       kAllNodes, {{task_notice_held, executor}}},
      {"UMSP-5-7", must, any, kSection, api, octets,
       "The VM keeps 128-bit pointers in memory areas of their own.", kOwnAffair},
      {"UMSP-5-8", must, any, kSection, api, octets,
       "The protocol layer reports to the VM which nodes' tasks ended.", kOwnAffair},
      {"UMSP-5-9", must, any, kSection, api, octets,
       "The VM makes all pointers to an ended task invalid.", kOwnAffair},
      {"UMSP-5-10", must, any, kSection, none, octets,
       "Each job has one JCP.", "a definition; the GJID names one node"},
      {"UMSP-5-11", may, any, kSection, none, octets,
       "The JCP may be the node that starts the job, or another one.", "a permission"},
      {"UMSP-5-12", must, any, kSection, none, octets,
       "Every active task on a node has an LTID.", "every instruction about a task has the field"},
      {"UMSP-5-13", must, any, kSection, none, octets,
       "The length of an LTID is the local memory address length of its node.",
       "a field may be longer than the LTID in it, so that its length is not seen"},
      {"UMSP-5-14", must_not, any, kSection, trace, absence,
       "No LTID of a task that is active under the JCP is registered there for a second job.", kElsewhere},
      {"UMSP-5-15", must, any, kSection, stimulus, octets,
       "An LTID of a task that ended may be used again: a JCP accepts it.", {}, {{ltid_never_again, executor}}},
      {"UMSP-5-16", must, any, kSection, none, octets,
       "The JCP assigns a CTID to each task of a job.", "the confirmations of 5.1.2 and 5.2.2 have the field"},
      {"UMSP-5-17", must, any, kSection, none, octets,
       "The length of a CTID is the local memory address length of the JCP.",
       "UMSP/A22; UMSP-5.2.1-2 and UMSP-5.2.4-10 judge the fields"},
      {"UMSP-5-18", must_not, any, kSection, trace, absence,
       "No two active tasks under one JCP have the same CTID.",
       "UMSP-5.2.2-11 judges TASK_CONFIRM, this rule the GJID of CONTROL_CONFIRM; UMSP/B31: another connection may have "
       "the end of the task"},
      {"UMSP-5-19", must, any, kSection, none, octets,
       "A GTID has the form of a 128-bit address of the node, with the LTID in place of the local memory address.",
       "octets that break it fit no instruction, which UMSP-5.2.1-8 and UMSP-5.5.2-9 judge"},
      {"UMSP-5-20", must, any, kSection, none, octets,
       "A GJID has the form of a 128-bit address of the JCP's node, with the CTID of the job's first task in place of "
       "the local memory address.",
       "octets that break it fit no instruction, which UMSP-5.1.2-8 and UMSP-5.6.2-9 judge"},
      {"UMSP-5-21", must, any, kSection, stimulus, octets,
       "GJIDs are assigned by JCPs alone: others repeat the GJID that they received.", kAllNodes,
       {{opened_for_another_job, initiator, "remote-jcp"}}},
      {"UMSP-5-22", must, any, kSection, none, octets,
       "The GJID of a job ends in the CTID of its initial task.", "a definition: what a GJID ends in is the CTID"},
      {"UMSP-5-23", must, any, kSection, stimulus, octets,
       "A node that gets SESSION_OPEN finds the JCP from the GJID.", {}, {{registers_at_opener, executor}}},
      {"UMSP-5-24", must, any, kSection, none, octets,
       "LTID and CTID are written in a field of 2, 4 or 8 octets.",
       "the forms of the instructions have no other field"},
      {"UMSP-5-25", must, any, kSection, none, octets,
       "An LTID or CTID that is shorter than its field is in the last octets of it.",
       "UMSP-5-26 judges the octets in front of it"},
      {"UMSP-5-26", must, any, kSection, trace, octets,
       "The octets in front of a CTID that is shorter than its field are zero.",
       "what the JCP's GJIDs say of its addresses"},
      {"UMSP-5-27", must, any, kSection, stimulus, octets,
       "A received LTID or CTID that is shorter than the local memory address is filled up with zero octets in front.",
       {}, {{padded_ltid_unknown, executor}, {padded_ctid_unknown, executor}}},
      {"UMSP-5-28", must, any, kSection, none, octets,
       "GTID and GJID are written in 4 to 16 octets.", "octets that break it fit no instruction"},
      {"UMSP-5-29", must, any, kSection, none, octets,
       "GTID and GJID have no FREE field.",
       "a FREE field makes the instruction one with octets that belong to nothing"},
      {"UMSP-5-30", must, any, kSection, none, octets,
       "For a receiver the FREE field of GTID and GJID is zero.",
       "the field is absent: what a receiver takes it for shows in nothing that it sends"},
      {"UMSP-5-31", must, any, kSection, none, octets,
       "The length of GTID and GJID follows from their address header: 1, ADDR_LENGTH and the length that ADDR_CODE "
       "names.", "octets that break it fit no instruction"},
      {"UMSP-5-32", must, any, kSection, api, octets,
       "The sender of CONTROL_REQ, TASK_REG or SESSION_OPEN uses a timeout: it does not wait for ever.",
       "UMSP/B28; who gives up sends nothing"},
      {"UMSP-5-33", must, any, kSection, none, octets,
       "That timeout is longer than three times the transport's longest delivery time.",
       "UMSP/B28; the delivery time of a transport is not known"},
      {"UMSP-5-34", must_not, any, kSection, api, octets,
       "Time in the queue to the transport does not count for that timeout.", kOwnAffair},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::JobManagementRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::JobManagementRules, I> {
};

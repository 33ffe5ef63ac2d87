// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct JobManagementRules : ManagementWords {
  static constexpr std::string_view kSection = "RFC 3018 5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-5-1", must, any, kSection, none, octets,
       "Instructions with OPCODE 1 to 112 manage jobs.",
       "A definition; UMSP-3.1-4 and its neighbours judge the values"},
      {"UMSP-5-2", must, any, kSection, none, octets,
       "A sender sends instructions with OPCODE 1 to 112 over TCP, except VM_REQ and VM_NOTIF.",
       "UMSP/B1; the same as UMSP-5-3"},
      {"UMSP-5-3", must_not, any, kSection, trace, octets,
       "A sender does not send instructions with OPCODE 1 to 112 over UDP, even if they need no response, except "
       "VM_REQ and VM_NOTIF.", "UMSP/B1"},
      {"UMSP-5-4", must_not, any, kSection, stimulus, octets,
       "A receiver does not carry out a management instruction that arrives in a datagram, except VM_REQ and VM_NOTIF.",
       "UMSP/B1", {{management_in_datagrams_taken, executor}}},
      {"UMSP-5-5", must, any, kSection, stimulus, octets,
       "When a task ends before its job, all nodes of the job are notified.", kAllNodes,
       {{task_end_not_notified, executor}, {terminate_not_notified, executor},
        {one_node_without_task_notice, executor}}},
      {"UMSP-5-6", must_not, any, kSection, stimulus, octets,
       "A task of a job is not initiated again on a node before all nodes have been notified of the first task's end.",
       kAllNodes, {{task_notice_held, executor}}},
      {"UMSP-5-7", must, any, kSection, api, octets,
       "The VM keeps 128-bit pointers in separate memory areas.", kOwnAffair},
      {"UMSP-5-8", must, any, kSection, api, octets,
       "The protocol layer tells the VM on which nodes tasks have ended.", kOwnAffair},
      {"UMSP-5-9", must, any, kSection, api, octets,
       "The VM makes all pointers to an ended task invalid.", kOwnAffair},
      {"UMSP-5-10", must, any, kSection, none, octets,
       "Each job has one JCP.", "A definition; the GJID names one node"},
      {"UMSP-5-11", may, any, kSection, none, octets,
       "The JCP of a job may be the node that starts the job, or another node.", "A permission"},
      {"UMSP-5-12", must, any, kSection, none, octets,
       "Every active task on a node has an LTID.", "Every instruction about a task has the field"},
      {"UMSP-5-13", must, any, kSection, none, octets,
       "An LTID is as long as the local memory addresses of its node.",
       "A field may be longer than its LTID, so that the LTID's length is not seen"},
      {"UMSP-5-14", must_not, any, kSection, trace, absence,
       "A node does not register the LTID of an active task at the JCP for a second job.", kElsewhere},
      {"UMSP-5-15", must, any, kSection, stimulus, octets,
       "A JCP accepts an LTID that a task used which has ended.", {}, {{ltid_never_again, executor}}},
      {"UMSP-5-16", must, any, kSection, none, octets,
       "The JCP assigns a CTID to each task of a job.", "The confirmations in 5.1.2 and 5.2.2 have the field"},
      {"UMSP-5-17", must, any, kSection, none, octets,
       "A CTID is as long as the local memory addresses of the JCP.",
       "UMSP/A22; UMSP-5.2.1-2 and UMSP-5.2.4-10 judge the fields"},
      {"UMSP-5-18", must_not, any, kSection, trace, absence,
       "A JCP does not give two active tasks the same CTID.",
       "UMSP-5.2.2-11 judges TASK_CONFIRM, this rule the GJID of CONTROL_CONFIRM; UMSP/B31: another connection may "
       "have the end of the task"},
      {"UMSP-5-19", must, any, kSection, none, octets,
       "A GTID has the form of a 128-bit address of the node, with the LTID in place of the local memory address.",
       "Other octets fit no instruction, which UMSP-5.2.1-8 and UMSP-5.5.2-9 judge"},
      {"UMSP-5-20", must, any, kSection, none, octets,
       "A GJID has the form of a 128-bit address of the JCP, with the CTID of the job's first task in place of the "
       "local memory address.", "Other octets fit no instruction, which UMSP-5.1.2-8 and UMSP-5.6.2-9 judge"},
      {"UMSP-5-21", must, any, kSection, stimulus, octets,
       "Only JCPs assign GJIDs; other nodes repeat the GJID that they received.", kAllNodes,
       {{opened_for_another_job, initiator, "remote-jcp"}}},
      {"UMSP-5-22", must, any, kSection, none, octets,
       "The last part of a job's GJID is the CTID of its initial task.",
       "A definition: the last part of a GJID is the CTID"},
      {"UMSP-5-23", must, any, kSection, stimulus, octets,
       "A node that receives SESSION_OPEN finds the JCP by the GJID.", {}, {{registers_at_opener, executor}}},
      {"UMSP-5-24", must, any, kSection, none, octets,
       "A sender writes LTID and CTID in a field of 2, 4 or 8 octets.",
       "The formats of the instructions have no other field"},
      {"UMSP-5-25", must, any, kSection, none, octets,
       "A sender puts an LTID or CTID that is shorter than its field into the last octets of the field.",
       "UMSP-5-26 judges the octets before it"},
      {"UMSP-5-26", must, any, kSection, trace, octets,
       "A sender sets the octets before a CTID that is shorter than its field to zero.",
       "The JCP's GJIDs show how long its addresses are"},
      {"UMSP-5-27", must, any, kSection, stimulus, octets,
       "A receiver prepends zero octets to an LTID or CTID that is shorter than the local memory address.", {},
       {{padded_ltid_unknown, executor}, {padded_ctid_unknown, executor}}},
      {"UMSP-5-28", must, any, kSection, none, octets,
       "A sender writes GTID and GJID in 4 to 16 octets.", "Other octets fit no instruction"},
      {"UMSP-5-29", must, any, kSection, none, octets,
       "GTID and GJID have no FREE field.",
       "With a FREE field, the instruction would have octets that belong to no field"},
      {"UMSP-5-30", must, any, kSection, none, octets,
       "A receiver treats the FREE field of GTID and GJID as zero.",
       "The field is absent, and nothing that a receiver sends shows how it treats it"},
      {"UMSP-5-31", must, any, kSection, none, octets,
       "The length of GTID and GJID is 1 octet plus ADDR_LENGTH plus the length that ADDR_CODE names.",
       "Other octets fit no instruction"},
      {"UMSP-5-32", must, any, kSection, api, octets,
       "The sender of CONTROL_REQ, TASK_REG or SESSION_OPEN uses a timeout for the response.",
       "UMSP/B28; a sender that gives up sends nothing"},
      {"UMSP-5-33", must, any, kSection, none, octets,
       "The timeout for CONTROL_REQ, TASK_REG and SESSION_OPEN is longer than three times the maximum delivery time of "
       "the transport.", "UMSP/B28; the delivery time of a transport is not known"},
      {"UMSP-5-34", must_not, any, kSection, api, octets,
       "The timeout for CONTROL_REQ, TASK_REG and SESSION_OPEN does not count the time in the queue to the transport.",
       kOwnAffair},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::JobManagementRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::JobManagementRules, I> {
};

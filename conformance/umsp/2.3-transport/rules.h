// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct TransportRules : Words {
  static constexpr std::string_view kModel = "RFC 3018 2.2";
  static constexpr std::string_view kSection = "RFC 3018 2.3";
  static constexpr std::string_view kPermission = "a permission";
  static constexpr std::string_view kAllNodes = "needs the connections of all nodes of the job";
  static constexpr std::string_view kAboveTheWire = "what VMs and applications do is not on the wire";
  static constexpr std::string_view kReadsAsAnother = "octets of anything else read as instructions: 3.1 judges them";
  static constexpr std::string_view kOtherTransport = "of transports other than TCP, which are not judged here";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-2.2-1", may, any, kModel, none, octets,
       "One JCP controls several jobs at a time.", kPermission},
      {"UMSP-2.2-2", must, any, kModel, stimulus, octets,
       "A job has one task on a node at most.", kAllNodes, {{task_for_each_session, executor}}},
      {"UMSP-2.2-3", must, any, kModel, stimulus, octets,
       "At the end of a job its tasks end, on all nodes.", kAllNodes, {{job_notice_ignored, executor}}},
      {"UMSP-2.2-4", must, any, kModel, api, octets,
       "A transfer of control to another node begins a thread there.", kAboveTheWire},
      {"UMSP-2.2-5", must_not, any, kModel, api, octets,
       "A segment of code does not lie on several nodes.", kAboveTheWire},
      {"UMSP-2.2-6", must_not, any, kModel, api, octets,
       "An area of memory does not lie on several nodes.", kAboveTheWire},
      {"UMSP-2.2-7", may, any, kModel, none, octets,
       "Tasks of one node need not have separate memory.", kPermission},
      {"UMSP-2.2-8", may, any, kModel, none, octets,
       "A VM need not have several threads.", kPermission},
      {"UMSP-2.2-9", must, any, kModel, none, octets,
       "The JCP assigns the GJID of a job.", "CONTROL_CONFIRM carries it: 5.1.2"},
      {"UMSP-2.2-10", must, any, kModel, stimulus, absence,
       "No two jobs that are active at a time have the same GJID.", kNodesShow, {{one_gjid_for_all, executor}}},
      {"UMSP-2.2-11", must, any, kModel, api, octets,
       "The VMs of a group have one memory in common.", kAboveTheWire},
      {"UMSP-2.3-1", must, any, kSection, none, octets,
       "VM and protocol share one space of OPCODEs: the VM has no framing of its own.", kReadsAsAnother},
      {"UMSP-2.3-2", must, any, kSection, none, octets,
       "What VMs exchange has the form of instructions.", kReadsAsAnother},
      {"UMSP-2.3-3", may, any, kSection, none, octets,
       "The VMs of a node have their memory in common, or do not.", kPermission},
      {"UMSP-2.3-4", must, any, kSection, none, octets,
       "Instructions go over a transport with reliable delivery, TCP.", "what may go over UDP is judged in 5, 6 and 9"},
      {"UMSP-2.3-5", may, any, kSection, none, octets,
       "Data that need no acknowledgement may go over UDP.", "a permission; 5, 6 and 9 say where it ends"},
      {"UMSP-2.3-6", must, any, kSection, stimulus, absence,
       "A node has TCP: it accepts a connection.", {}, {{tcp_unserved, executor}}},
      {"UMSP-2.3-7", must, any, kSection, stimulus, octets,
       "A receiver serves instructions that come on several TCP connections of one peer at a time.", {},
       {{one_connection_of_node, executor}}},
      {"UMSP-2.3-8", must_not, any, kSection, stimulus, octets,
       "The end of a TCP connection alone ends neither session, task nor job.", {},
       {{connection_end_ends_sessions, executor}}},
      {"UMSP-2.3-9", must_not, any, kSection, none, octets,
       "No network address is put before an instruction.", kReadsAsAnother},
      {"UMSP-2.3-10", must, any, kSection, api, octets,
       "One UMSP address of a node is one transport address.",
       "which transport addresses a node has is not on the wire"},
      {"UMSP-2.3-11", must, any, kSection, api, octets,
       "The transport address of a node can be found from a 128-bit address.", kAboveTheWire},
      {"UMSP-2.3-12", must, any, kSection, none, octets,
       "The transport reports delivery, or that it is impossible.", kOtherTransport},
      {"UMSP-2.3-13", must, any, kSection, stimulus, octets,
       "A receiver copes with any order of what comes on different connections.", {}, {{overtaking_dropped, executor}}},
      {"UMSP-2.3-14", must_not, any, kSection, none, octets,
       "The transport delivers nothing twice.", kOtherTransport},
      {"UMSP-2.3-15", must, any, kSection, api, octets,
       "A node that was reloaded takes nothing from sessions before that for one of a new session.",
       "a run has no means of reloading a node"},
      {"UMSP-2.3-16", must, any, kSection, api, octets,
       "A VM turns instructions with a 128-bit address into instructions of UMSP.", kAboveTheWire},
      {"UMSP-2.3-17", must, any, kSection, none, octets,
       "A session belongs to one job.", "its SESSION_OPENs name the job: 5.3.1"},
      {"UMSP-2.3-18", must, any, kSection, stimulus, octets,
       "Two nodes may have several sessions, for several jobs, at a time.", {}, {{one_session_of_node, executor}}},
      {"UMSP-2.3-19", must, any, kSection, api, octets,
       "The VM keeps its instructions in the order it needs.", kAboveTheWire},
      {"UMSP-2.3-20", must, any, kSection, stimulus, octets,
       "A receiver takes an instruction from several segments, and several from one.", {},
       {{split_instructions_lost, executor}, {one_of_segment, executor}}},
      {"UMSP-2.3-21", must, any, kSection, stimulus, octets,
       "All instructions that come in one segment are executed.", {},
       {{one_of_segment, executor}, {one_of_datagram, executor}}},
      {"UMSP-2.3-22", must, any, kSection, none, octets,
       "Segments of the transport have 6 octets at least.", "TCP's are never so short"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::TransportRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::TransportRules, I> {
};

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct TransportRules : Words {
  static constexpr std::string_view kModel = "RFC 3018 2.2";
  static constexpr std::string_view kSection = "RFC 3018 2.3";
  static constexpr std::string_view kPermission = "A permission";
  static constexpr std::string_view kAllNodes = "Needs the connections of all nodes of the job";
  static constexpr std::string_view kAboveTheWire = "What VMs and applications do is not on the wire";
  static constexpr std::string_view kReadsAsAnother = "Any other octets read as instructions: 3.1 judges them";
  static constexpr std::string_view kOtherTransport = "About transports other than TCP, which are not judged here";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-2.2-1", may, any, kModel, none, octets,
       "A JCP may control several jobs at the same time.", kPermission},
      {"UMSP-2.2-2", must, any, kModel, stimulus, octets,
       "A node has at most one task of a job.", kAllNodes, {{task_for_each_session, executor}}},
      {"UMSP-2.2-3", must, any, kModel, stimulus, octets,
       "When a job ends, the tasks of the job end on all nodes.", kAllNodes, {{job_notice_ignored, executor}}},
      {"UMSP-2.2-4", must, any, kModel, api, octets,
       "A transfer of control to another node starts a new thread there.", kAboveTheWire},
      {"UMSP-2.2-5", must_not, any, kModel, api, octets,
       "A continuous code segment is not spread over several nodes.", kAboveTheWire},
      {"UMSP-2.2-6", must_not, any, kModel, api, octets,
       "A continuous memory area is not spread over several nodes.", kAboveTheWire},
      {"UMSP-2.2-7", may, any, kModel, none, octets,
       "The tasks of one node may share memory.", kPermission},
      {"UMSP-2.2-8", may, any, kModel, none, octets,
       "A VM may support only one thread.", kPermission},
      {"UMSP-2.2-9", must, any, kModel, none, octets,
       "The JCP assigns the GJID of a job.", "CONTROL_CONFIRM carries it: 5.1.2"},
      {"UMSP-2.2-10", must, any, kModel, stimulus, absence,
       "All jobs that are active at the same time have different GJIDs.", kNodesShow, {{one_gjid_for_all, executor}}},
      {"UMSP-2.2-11", must, any, kModel, api, octets,
       "The VMs of a group share one memory space.", kAboveTheWire},
      {"UMSP-2.3-1", must, any, kSection, none, octets,
       "The VM layer uses the OPCODEs and the framing of UMSP and has none of its own.", kReadsAsAnother},
      {"UMSP-2.3-2", must, any, kSection, none, octets,
       "VMs exchange data only in the form of UMSP instructions.", kReadsAsAnother},
      {"UMSP-2.3-3", may, any, kSection, none, octets,
       "The VMs of a node may share memory or keep it separate.", kPermission},
      {"UMSP-2.3-4", must, any, kSection, none, octets,
       "Senders use a transport with reliable delivery, which is TCP.", "Sections 5, 6 and 9 judge what may use UDP"},
      {"UMSP-2.3-5", may, any, kSection, none, octets,
       "A sender may send data that needs no acknowledgement over UDP.",
       "A permission, which sections 5, 6 and 9 limit"},
      {"UMSP-2.3-6", must, any, kSection, stimulus, absence,
       "A node supports TCP and accepts a connection.", {}, {{tcp_unserved, executor}}},
      {"UMSP-2.3-7", must, any, kSection, stimulus, octets,
       "A receiver executes instructions that arrive on several TCP connections from one peer at the same time.", {},
       {{one_connection_of_node, executor}}},
      {"UMSP-2.3-8", must_not, any, kSection, stimulus, octets,
       "A node does not end a session, task or job only because a TCP connection ends.", {},
       {{connection_end_ends_sessions, executor}}},
      {"UMSP-2.3-9", must_not, any, kSection, none, octets,
       "A sender does not put a network address in front of an instruction.", kReadsAsAnother},
      {"UMSP-2.3-10", must, any, kSection, api, octets,
       "Each UMSP address of a node corresponds to one transport address.",
       "Which transport addresses a node has is not on the wire"},
      {"UMSP-2.3-11", must, any, kSection, api, octets,
       "A node can derive the transport address of another node from a 128-bit address.", kAboveTheWire},
      {"UMSP-2.3-12", must, any, kSection, none, octets,
       "The transport reports whether it delivered the data or could not.", kOtherTransport},
      {"UMSP-2.3-13", must, any, kSection, stimulus, octets,
       "A receiver handles instructions that arrive on different connections in any order.", {},
       {{overtaking_dropped, executor}}},
      {"UMSP-2.3-14", must_not, any, kSection, none, octets,
       "The transport does not deliver a segment twice.", kOtherTransport},
      {"UMSP-2.3-15", must, any, kSection, api, octets,
       "A node that was reloaded does not take segments of earlier sessions for segments of a new one.",
       "A run has no means to reload a node"},
      {"UMSP-2.3-16", must, any, kSection, api, octets,
       "A VM translates program instructions with a 128-bit address into UMSP instructions.", kAboveTheWire},
      {"UMSP-2.3-17", must, any, kSection, none, octets,
       "A session belongs to one job.", "The SESSION_OPENs of a session name the job: 5.3.1"},
      {"UMSP-2.3-18", must, any, kSection, stimulus, octets,
       "A node keeps several sessions with the same peer at the same time, for different jobs.", {},
       {{one_session_of_node, executor}}},
      {"UMSP-2.3-19", must, any, kSection, api, octets,
       "The VM itself ensures the order of execution that it needs.", kAboveTheWire},
      {"UMSP-2.3-20", must, any, kSection, stimulus, octets,
       "A receiver accepts an instruction that spans several segments, and several instructions in one segment.", {},
       {{split_instructions_lost, executor}, {one_of_segment, executor}}},
      {"UMSP-2.3-21", must, any, kSection, stimulus, octets,
       "A receiver executes all instructions that arrive in one segment.", {},
       {{one_of_segment, executor}, {one_of_datagram, executor}}},
      {"UMSP-2.3-22", must, any, kSection, none, octets,
       "The transport can carry segments of at least 6 octets.", "TCP segments can always be longer"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::TransportRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::TransportRules, I> {
};

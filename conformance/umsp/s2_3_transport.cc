// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 2.2 and 2.3: jobs, tasks, and what is below and above the protocol. What a trace can show of them
// is demanded again, and judged, in the sections on instructions.
#include "conformance/section.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

constexpr std::string_view kAboveTheWire = "what VMs and applications do is not on the wire";
constexpr Section kModel{"RFC 3018 2.2"};
constexpr Section kModelJob = kModel.by(Observable::stimulus);
constexpr Section kModelInside = kModel.by(Observable::api);
constexpr Section kModelForm = kModel.by(Observable::none);
constexpr std::string_view kPermission = "a permission";
constexpr std::string_view kAllNodes = "needs the connections of all nodes of the job";

constinit const Rule kSeveralJobs =
    kModelForm.may("UMSP-2.2-1", "One JCP controls several jobs at a time.", kPermission);
constinit const Rule kOneTaskOfNode = kModelJob.must("UMSP-2.2-2", "A job has one task on a node at most.", kAllNodes);
constinit const Rule kJobEndsTasks =
    kModelJob.must("UMSP-2.2-3", "At the end of a job its tasks end, on all nodes.", kAllNodes);
constinit const Rule kTransferBeginsThread =
    kModelInside.must("UMSP-2.2-4", "A transfer of control to another node begins a thread there.", kAboveTheWire);
constinit const Rule kCodeOnOneNode =
    kModelInside.must_not("UMSP-2.2-5", "A segment of code does not lie on several nodes.", kAboveTheWire);
constinit const Rule kMemoryOnOneNode =
    kModelInside.must_not("UMSP-2.2-6", "An area of memory does not lie on several nodes.", kAboveTheWire);
constinit const Rule kMayShareMemory =
    kModelForm.may("UMSP-2.2-7", "Tasks of one node need not have separate memory.", kPermission);
constinit const Rule kMayLackThreads = kModelForm.may("UMSP-2.2-8", "A VM need not have several threads.", kPermission);
constinit const Rule kJcpAssigns =
    kModelForm.must("UMSP-2.2-9", "The JCP assigns the GJID of a job.", "CONTROL_CONFIRM carries it: 5.1.2");
constinit const Rule kGjidUnique =
    kModelJob.resting_on(Evidence::absence)
        .must("UMSP-2.2-10", "No two jobs that are active at a time have the same GJID.", kAllNodes);
constinit const Rule kGroupSharesMemory =
    kModelInside.must("UMSP-2.2-11", "The VMs of a group have one memory in common.", kAboveTheWire);

constexpr Section kSection{"RFC 3018 2.3"};
constexpr Section kReceiver = kSection.by(Observable::stimulus);
constexpr Section kInside = kSection.by(Observable::api);
constexpr Section kForm = kSection.by(Observable::none);
constexpr std::string_view kReadsAsAnother = "octets of anything else read as instructions: 3.1 judges them";
constexpr std::string_view kOtherTransport = "of transports other than TCP, which are not judged here";

constinit const Rule kOneSpaceOfCodes = kForm.must(
    "UMSP-2.3-1", "VM and protocol share one space of OPCODEs: the VM has no framing of its own.", kReadsAsAnother);
constinit const Rule kVmsUseInstructions =
    kForm.must("UMSP-2.3-2", "What VMs exchange has the form of instructions.", kReadsAsAnother);
constinit const Rule kVmsMayBeIsolated =
    kForm.may("UMSP-2.3-3", "The VMs of a node have their memory in common, or do not.", kPermission);
constinit const Rule kReliableTransport =
    kForm.must("UMSP-2.3-4", "Instructions go over a transport with reliable delivery, TCP.",
               "what may go over UDP is judged in 5, 6 and 9");
constinit const Rule kMayUseUdp = kForm.may("UMSP-2.3-5", "Data that need no acknowledgement may go over UDP.",
                                            "a permission; 5, 6 and 9 say where it ends");
constinit const Rule kHasTcp =
    kReceiver.resting_on(Evidence::absence).must("UMSP-2.3-6", "A node has TCP: it accepts a connection.");
constinit const Rule kSeveralConnections = kReceiver.must(
    "UMSP-2.3-7", "A receiver serves instructions that come on several TCP connections of one peer at a time.");
constinit const Rule kConnectionIsNoSession =
    kReceiver.must_not("UMSP-2.3-8", "The end of a TCP connection alone ends neither session, task nor job.");
constinit const Rule kNoNetworkAddress =
    kForm.must_not("UMSP-2.3-9", "No network address is put before an instruction.", kReadsAsAnother);
constinit const Rule kOneTransportAddress =
    kInside.must("UMSP-2.3-10", "One UMSP address of a node is one transport address.",
                 "which transport addresses a node has is not on the wire");
constinit const Rule kFindsTransportAddress =
    kInside.must("UMSP-2.3-11", "The transport address of a node can be found from a 128-bit address.", kAboveTheWire);
constinit const Rule kReportsDelivery =
    kForm.must("UMSP-2.3-12", "The transport reports delivery, or that it is impossible.", kOtherTransport);
constinit const Rule kAnyOrder =
    kReceiver.must("UMSP-2.3-13", "A receiver copes with any order of what comes on different connections.");
constinit const Rule kNoDuplicates =
    kForm.must_not("UMSP-2.3-14", "The transport delivers nothing twice.", kOtherTransport);
constinit const Rule kNothingFromBefore = kInside.must(
    "UMSP-2.3-15", "A node that was reloaded takes nothing from sessions before that for one of a new session.",
    "a run has no means of reloading a node");
constinit const Rule kVmTranslates = kInside.must(
    "UMSP-2.3-16", "A VM turns instructions with a 128-bit address into instructions of UMSP.", kAboveTheWire);
constinit const Rule kSessionOfOneJob =
    kForm.must("UMSP-2.3-17", "A session belongs to one job.", "its SESSION_OPENs name the job: 5.3.1");
constinit const Rule kSeveralSessions =
    kReceiver.must("UMSP-2.3-18", "Two nodes may have several sessions, for several jobs, at a time.");
constinit const Rule kVmKeepsOrder =
    kInside.must("UMSP-2.3-19", "The VM keeps its instructions in the order it needs.", kAboveTheWire);
constinit const Rule kAnySegments =
    kReceiver.must("UMSP-2.3-20", "A receiver takes an instruction from several segments, and several from one.");
constinit const Rule kAllOfSegment =
    kReceiver.must("UMSP-2.3-21", "All instructions that come in one segment are executed.");
constinit const Rule kLeastSegment =
    kForm.must("UMSP-2.3-22", "Segments of the transport have 6 octets at least.", "TCP's are never so short");

}  // namespace

UmspSection transport_rules() {
  static constexpr const Rule* kRules[] = {&kSeveralJobs,
                                           &kOneTaskOfNode,
                                           &kJobEndsTasks,
                                           &kTransferBeginsThread,
                                           &kCodeOnOneNode,
                                           &kMemoryOnOneNode,
                                           &kMayShareMemory,
                                           &kMayLackThreads,
                                           &kJcpAssigns,
                                           &kGjidUnique,
                                           &kGroupSharesMemory,
                                           &kOneSpaceOfCodes,
                                           &kVmsUseInstructions,
                                           &kVmsMayBeIsolated,
                                           &kReliableTransport,
                                           &kMayUseUdp,
                                           &kHasTcp,
                                           &kSeveralConnections,
                                           &kConnectionIsNoSession,
                                           &kNoNetworkAddress,
                                           &kOneTransportAddress,
                                           &kFindsTransportAddress,
                                           &kReportsDelivery,
                                           &kAnyOrder,
                                           &kNoDuplicates,
                                           &kNothingFromBefore,
                                           &kVmTranslates,
                                           &kSessionOfOneJob,
                                           &kSeveralSessions,
                                           &kVmKeepsOrder,
                                           &kAnySegments,
                                           &kAllOfSegment,
                                           &kLeastSegment};
  return {.rules = {.rules = kRules}};
}

void judge_unique_gjid(Judge& judge, const Seen& seen, const Parties& parties, const Identifier& gjid,
                       const ManagementRequest& request) {
  // The node itself has a job of that GJID, unless it was reloaded (5.7.1). A case judges that itself.
  const JobTask* const own = request.has_inaction_time || parties.jobs.is_live()
                                 ? nullptr
                                 : parties.jobs.active_job({parties.from, gjid.task}, parties.to, *request.ltid);
  if (!require_of_all(judge, parties.jobs, kGjidUnique, own == nullptr, seen.operand(Operand::gjid),
                      expected("a GJID that no active job has"), actual([&] { return to_string(gjid); }),
                      "it was given to another job of the node, whose end was not seen"))
    return;
  const JobTask* const taken = parties.jobs.active_elsewhere(parties.from, gjid.task, parties.to);
  require_of_all(judge, parties.jobs, kGjidUnique, taken == nullptr || !taken->is_first, seen.operand(Operand::gjid),
                 expected("a GJID that no active job has"), actual([&] { return to_string(gjid); }),
                 "it was given to another node's job, whose end was not seen");
}

}  // namespace wirelaw::umsp

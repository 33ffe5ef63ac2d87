// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/umsp.h"

#include "conformance/umsp/2.1-addresses/rules.h"
#include "conformance/umsp/2.3-transport/rules.h"
#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/3.2-extension-headers/rules.h"
#include "conformance/umsp/3.3-operands/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/5.2-task-initiation/rules.h"
#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/5.3.4-profile/rules.h"
#include "conformance/umsp/5.4-session-closing/rules.h"
#include "conformance/umsp/5.5-task-termination/rules.h"
#include "conformance/umsp/5.6-job-completion/rules.h"
#include "conformance/umsp/5.7-activity-control/rules.h"
#include "conformance/umsp/5.8-zero-session/rules.h"
#include "conformance/umsp/6-exchange/rules.h"
#include "conformance/umsp/6.1-memory/rules.h"
#include "conformance/umsp/6.3-control-transfer/rules.h"
#include "conformance/umsp/6.4-memory-control/rules.h"
#include "conformance/umsp/6.5-syn-and-nop/rules.h"
#include "conformance/umsp/6.6-objects/rules.h"
#include "conformance/umsp/6.6.1-object-data/rules.h"
#include "conformance/umsp/6.6.3-object-procedures/rules.h"
#include "conformance/umsp/7-chains/rules.h"
#include "conformance/umsp/7.2-transactions/rules.h"
#include "conformance/umsp/7.3-fragments/rules.h"
#include "conformance/umsp/7.4-buffering/rules.h"
#include "conformance/umsp/7.5-acknowledgement/rules.h"
#include "conformance/umsp/7.6-base/rules.h"
#include "conformance/umsp/8-common-extension-headers/rules.h"
#include "conformance/umsp/9-search/rules.h"
#include "conformance/umsp/cases.h"
#include "conformance/umsp/decode.h"
#include "conformance/umsp/dialect.h"
#include "conformance/umsp/observer.h"
#include "conformance/umsp/recognition.h"
#include "reference/umsp/address.h"

namespace wirelaw::umsp {
namespace {

const Catalogue& catalogue() {
  static constexpr RuleSheet kSheets[] = {
      AddressesRules::kRules,
      TransportRules::kRules,
      HeaderRules::kRules,
      ExtensionHeadersRules::kRules,
      OperandsRules::kRules,
      ResponsesRules::kRules,
      JobManagementRules::kRules,
      JobInitiationRules::kRules,
      TaskInitiationRules::kRules,
      SessionOpeningRules::kRules,
      ProfileRules::kRules,
      SessionClosingRules::kRules,
      TaskTerminationRules::kRules,
      JobCompletionRules::kRules,
      ActivityControlRules::kRules,
      ZeroSessionRules::kRules,
      ExchangeRules::kRules,
      MemoryRules::kRules,
      ControlTransferRules::kRules,
      MemoryControlRules::kRules,
      SynAndNopRules::kRules,
      ObjectsRules::kRules,
      ObjectDataRules::kRules,
      ObjectProceduresRules::kRules,
      ChainsRules::kRules,
      TransactionsRules::kRules,
      FragmentsRules::kRules,
      BufferingRules::kRules,
      AcknowledgementRules::kRules,
      BaseRules::kRules,
      CommonExtensionHeadersRules::kRules,
      SearchRules::kRules,
  };
  static const Catalogue kCatalogue("umsp", kSheets);
  return kCatalogue;
}

constexpr std::uint16_t kPorts[] = {kPort};  // TCP and UDP (3.4)

constexpr Feature kParameters[] = {
    {"address", "Length of the node's local addresses, in octets: 2, 3, 4 or 8 (default 4)"},
    {"memory", "Address of memory in each of its tasks that cases may read, write and compare"},
    {"octets", "Length of that memory, in octets"},
    {"vm", "Type of its virtual machine (default: the node chooses)"},
    {"vm_version", "Version of that virtual machine"},
    {"procedure", "The address of a procedure that returns its parameters"},
    {"object", "Number of an object in range III"},
    {"object_version", "Version of that object"},
    {"object_realization", "Realization of that object"},
    {"object_octets", "Length of that object's data, in octets, that cases may read, write and compare"},
    {"object_name", "Name of that object"},
    {"procedure_number", "Number of a procedure of that object that returns its parameters"},
    {"procedure_name", "Name of that procedure"},
    {"jcp", "'peer' if it initiates jobs whose control point is the node that it connects to"},
    {"object_data", "Data with which NEW and SYS_NEW make an object, hexadecimal (default: none)"},
    {"numbered_object", "Number of an object in range I or II, with a procedure of the same number"},
    {"allocation", "Octets that one MEM_ALLOC of a job can allocate"},
    {"move", "Code for MVCODE that returns its parameters when it is called, hexadecimal"},
    {"move_raising", "Code for MVCODE that ends with an exception when it is called, hexadecimal"},
    {"run", "Code for MVRUN that ends, hexadecimal"},
    {"pointer", "The address at which the code of ask_read, ask_compare and ask_call looks for a pointer"},
    {"ask_read", "Code for MVCODE that reads 8 octets through the pointer and returns them, hexadecimal"},
    {"ask_compare", "Code that compares 8 octets through the pointer, and returns 8 octets of 0 if they are equal"},
    {"ask_call", "Code that calls through the pointer with 8 octets of parameters, and returns in any case"},
    {"formatted", "The address of a procedure whose parameters depend on the format of VMs"},
    {"own_parameters", "Such parameters in the format of the IUT's VM, hexadecimal"},
    {"own_returned", "What the procedure returns for them, hexadecimal"},
    {"sender_vm", "The type of a VM with another format"},
    {"sender_vm_version", "Version of that VM"},
    {"sender_parameters", "Parameters in the format of that VM, hexadecimal"},
    {"sender_returned", "What the procedure returns for them, hexadecimal"},
};

// The second one is for an IUT that is given only by datagrams, which cannot open a session.
constexpr std::string_view kControls[] = {"session/is-answered", "search/vm-is-found",
                                          "session/initiator-uses-its-session"};

}  // namespace

constinit const Protocol kProtocol{
    .name = "umsp",
    .title = "UMSP",
    .initiator = "initiator",
    .responder = "executor",
    .transports = "tcp udp",
    .catalogue = catalogue,
    .cases = [] { return suite().cases(); },
    .observer = make_observer,
    .decode = decode_for_people,
    .datagrams =
        OnDatagrams{.ports = kPorts,
                    .plausible = [](const Message& first) { return is_plausible(first.octets) == Plausible::yes; },
                    .weigh = weigh},
    .streams = OnStreams{.begins_in = begins_in, .ports = kPorts, .weigh = weigh},
    .parameters = kParameters,
    .controls = kControls,
    .dialect = &kDialect};

}  // namespace wirelaw::umsp

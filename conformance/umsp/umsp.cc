// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/umsp.h"

#include <vector>

#include "conformance/umsp/cases.h"
#include "conformance/umsp/decode.h"
#include "conformance/umsp/dialect.h"
#include "conformance/umsp/observer.h"
#include "conformance/umsp/recognition.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = [] {
    std::vector<RuleList> lists;
    for (const UmspSection& section : sections()) lists.push_back(section.rules.rules);
    return Catalogue("umsp", std::span<const RuleList>(lists));
  }();
  return kCatalogue;
}

constexpr std::uint16_t kPorts[] = {kPort};  // of TCP and of UDP (3.4)

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

// The second one is for an IUT that was given with datagrams alone, where no session can be opened.
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

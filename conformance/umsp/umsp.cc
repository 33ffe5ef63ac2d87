// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/umsp.h"

#include <vector>

#include "conformance/settling.h"
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
    {"address", "Octets of the node's local addresses: 2, 3, 4 or 8; 4 where nothing is said"},
    {"memory", "The address of memory that each of its tasks has, to be read, written and compared"},
    {"octets", "How much of it there is"},
    {"vm", "The type of its virtual machine; it chooses where nothing is said"},
    {"vm_version", "The version of that"},
    {"procedure", "The address of a procedure that returns its parameters"},
    {"object", "The number of an object of the range III"},
    {"object_version", "Its version"},
    {"object_realization", "Its realization"},
    {"object_octets", "Octets of its data, to be read, written and compared"},
    {"object_name", "Its name"},
    {"procedure_number", "The number of its procedure that returns its parameters"},
    {"procedure_name", "The name of that"},
    {"jcp", "'peer' where it initiates jobs whose control point is the node that it connects to"},
    {"object_data", "Data with which NEW and SYS_NEW make an object, hexadecimal; none where nothing is said"},
    {"numbered_object", "The number of an object of the range I or II, with a procedure of the same number"},
    {"allocation", "Octets that MEM_ALLOC of a job gets at once"},
    {"move", "Code for MVCODE that returns its parameters where it is called, hexadecimal"},
    {"move_raising", "Code for MVCODE that ends by an exception where it is called, hexadecimal"},
    {"run", "Code for MVRUN that ends, hexadecimal"},
    {"pointer", "The address at which the code of ask_read, ask_compare and ask_call looks for a pointer"},
    {"ask_read", "Code for MVCODE that reads 8 octets by the pointer and returns them, hexadecimal"},
    {"ask_compare", "Code that compares 8 octets by the pointer, and returns 8 octets of 0 where they are equal"},
    {"ask_call", "Code that calls by the pointer with 8 octets of parameters, and returns in any case"},
    {"formatted", "The address of a procedure whose parameters depend on the format of VMs"},
    {"own_parameters", "Such parameters in the format of the IUT's VM, hexadecimal"},
    {"own_returned", "What the procedure returns for them, hexadecimal"},
    {"sender_vm", "The type of a VM with another format"},
    {"sender_vm_version", "Its version"},
    {"sender_parameters", "Parameters in the format of that VM, hexadecimal"},
    {"sender_returned", "What the procedure returns for them, hexadecimal"},
    kSettle,
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

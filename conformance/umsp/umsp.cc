// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/umsp.h"

#include <vector>

#include "conformance/umsp/decode.h"
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

}  // namespace

constinit const Protocol kProtocol{
    .name = "umsp",
    .title = "UMSP",
    .initiator = "initiator",
    .responder = "executor",
    .carriages = "",
    .catalogue = catalogue,
    .cases = [] { return std::span<const Case>(); },
    .observer = make_observer,
    .decode = decode_for_people,
    .datagrams =
        OnDatagrams{.ports = kPorts,
                    .plausible = [](const Message& first) { return is_plausible(first.octets) == Plausible::yes; }},
    .streams = OnStreams{.begins_in = begins_in, .ports = kPorts, .plausible = is_plausible}};

}  // namespace wirelaw::umsp

// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/efa.h"

#include <vector>

#include "conformance/efa/cases.h"
#include "conformance/efa/decode.h"
#include "conformance/efa/observer.h"
#include "conformance/efa/rules.h"

namespace wirelaw::efa {
namespace {

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = [] {
    std::vector<RuleList> lists;
    for (const auto some : {all_rules(), case_rules()}) lists.insert(lists.end(), some.begin(), some.end());
    return Catalogue(std::span<const RuleList>(lists));
  }();
  return kCatalogue;
}

}  // namespace

constinit const Protocol kProtocol{.name = "efa",
                                   .title = "EFA RDM v4",
                                   .initiator = "requester",
                                   .responder = "responder",
                                   .carriages = "udp",
                                   .catalogue = catalogue,
                                   .cases = all_cases,
                                   .observer = make_observer,
                                   .recognises = recognises,
                                   .decode = decode_for_people};

}  // namespace wirelaw::efa

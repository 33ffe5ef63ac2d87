// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.5: the rules of ordering that the answers of a peer show. RDMAP-5.5-<n> is rule n.
#include "conformance/rdmap/rdmap/5.5-ordering/rules.h"
#include "conformance/rdmap/rdmap/section_cases.h"

namespace wirelaw::rdmap {
namespace {

const CaseRow kRows[] = {
    {"rdmap/{}-reads-what-was-written",
     {&rule<"RDMAP-5.5-12">},
     "The IUT answers a Read Request right after a Write with the octets just written, eight times.",
     with_each([](auto& peer) {
       const auto buffer =
           need(peer, targets_of(peer.run(), peer.advertisement()).read_write, "may be read and written");
       if (!buffer) return;
       for (unsigned i = 0; i < 8 && peer.ok(); ++i) {
         const OctetBuffer data = sample_octets(200, i);
         peer.write(data, buffer->stag, buffer->to);
         const auto got = read_back(peer, read_of(*buffer, 0, 200));
         peer.require(rule<"RDMAP-5.5-12">, got && *got == data, octets_text(data), octets_text(got, peer.last()),
                      "a Read right after a Write of the same octets");
       }
     })},
};

}  // namespace

std::vector<Case> ordering_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap

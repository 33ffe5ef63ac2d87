// SPDX-License-Identifier: Apache-2.0
// RFC 5042, section 6: operations that a peer must not be able to do with an STag.
#include "conformance/rdmap/rdmap/terminate_cases.h"
#include "conformance/rdmap/rdmasec/6.1.1-stags/rules.h"

namespace wirelaw::rdmap {
namespace {

const CaseRow kRows[] = {
    {"rdmap/responder-refuses-stags-of-another-connection",
     {&rule<"RDMASEC-6.1.1-2">},
     "The IUT refuses an STag on a connection if it was offered on another.",
     with<ReadyResponder>([](auto& responder) {
       const auto first =
           need(responder, targets_of(responder.run(), responder.advertisement()).read_write, "may be read");
       if (!first) return;
       responder.connect_again();
       if (!responder.ok()) return;
       const auto second = targets_of(responder.run(), responder.advertisement()).read_write;
       if (second && second->stag == first->stag) return responder.skip("both connections are offered the same STag");
       responder.read_request(read_of(*first, 0, 64));
       expect_refusal_or_note(responder, rule<"RDMASEC-6.1.1-2">,
                              {terminates(error::kInvalidStag), terminates(error::kStagNotAssociated),
                               terminates(error::kAccessRights), noted(terminates())},
                              "the STag was offered on another connection");
     })},
};

}  // namespace

std::vector<Case> security_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::rdmap

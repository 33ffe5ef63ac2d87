// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.2, the requester's handling of a RECEIPT.
#include "conformance/efa/4.2-delivery-complete/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

bool asks_for_receipt(const Received& one) {
  return is_request(one) && one.packet.layout()->delivery_complete;
}

const CaseRow kRows[] = {
    {"delivery-complete/receipt-comes-again-to-requester",
     {&rule<"EFA-4.2-221">},
     "The requester continues after the RECEIPT for a message comes three more times, with its msg_id and with "
     "another.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::delivery_complete});
       requester.trigger({.octets = 100, .count = 1});
       const Received* const request = requester.serve_until(asks_for_receipt);
       if (request == nullptr) return requester.skip("the requester asks for no RECEIPT");
       Packet receipt = requester.answer(PacketType::receipt);
       receipt.send_id = request->packet.send_id;
       receipt.msg_id = request->packet.msg_id;
       for (unsigned i = 0; i < 2; ++i) requester.send(receipt);
       ++receipt.msg_id;
       requester.send(receipt);
       requester.settle();
       requester.expect_new_start(rule<"EFA-4.2-221">);
     })},
    {"delivery-complete/receipt-of-a-write-with-any-msg-id-to-requester",
     {&rule<"EFA-4.2-222">},
     "The requester accepts a RECEIPT for writes and atomics with a msg_id other than 0, which deployed responders "
     "send.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::delivery_complete});
       requester.intake().one_sided_receipt_msg_id = 0x7e57'7e57;
       requester.trigger({.octets = 100, .count = 1});
       const Received* const write = requester.serve_until(
           [](const Received& one) { return asks_for_receipt(one) && one.packet.layout()->purpose == Purpose::write; });
       if (write == nullptr) return requester.skip("the requester sends no write that asks for a RECEIPT");
       const std::size_t before = requester.requests();
       requester.await_until(requester.in(2 * requester.run().answer_time()),
                             [&] { return requester.requests() > before; });
       requester.require(rule<"EFA-4.2-222">, requester.requests() > before,
                         "the requester accepts the RECEIPT and continues", "no further request");
     })},
};

}  // namespace

std::vector<Case> receipt_to_requester_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa

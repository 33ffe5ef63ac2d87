// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3 and 4.6: the completions of writes at the application of a responder. An echoing application answers
// a write with CQ data by an empty message with the same CQ data (conformance/case.h), which shows the completion.
#include <fmt/format.h>

#include "conformance/efa/3.3-one-sided/rules.h"
#include "conformance/efa/4.6-direct-write/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kNeeded = 8'192;

// The message that reports a write with this CQ data.
void expect_told(ResponderProbe& responder, const Rule& rule, std::uint64_t cq_data, std::string_view explanation) {
  if (!responder.ok()) return;
  const auto message = responder.await_message();
  if (!responder.ok()) return;
  const std::string got = !message            ? "none"
                          : !message->cq_data ? "a message without CQ data"
                                              : fmt::format("CQ data {:#x}", *message->cq_data);
  responder.require(rule, message && message->cq_data == cq_data && message->octets.empty(),
                    fmt::format("an empty message with CQ data {:#x}", cq_data), got, explanation);
}

const CaseRow kRows[] = {
    {"write/cq-data-is-told",
     {&rule<"EFA-3.3-2">},
     "The responder gives its application the CQ data of an eager write and of a long-CTS write.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       responder.meet();
       const Rule& demand = rule<"EFA-3.3-2">;
       responder.write({responder.part(0, 64)}, sample_octets(64, 1), {.cq_data = 0x0102'0304});
       expect_told(responder, demand, 0x0102'0304, "EAGER_RTW");
       responder.write({responder.part(64, 4'000)}, sample_octets(4'000, 2),
                       {.transfer = Transfer::long_cts, .cq_data = 0x0506'0708});
       expect_told(responder, demand, 0x0506'0708, "LONGCTS_RTW");
     }),
     Service::echo},
    {"direct-write/cq-data-is-told",
     {&rule<"EFA-4.6-3">},
     "The responder gives its application the immediate data of an RDMA write, after the octets are in memory.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       if (responder.ok() && responder.rdma() == nullptr) return responder.skip("the transport has no RDMA");
       responder.need_memory(kNeeded);
       responder.handshake_by_hand();
       responder.meet();
       responder.announce_rdma_writes();
       if (!responder.ok()) return;
       if (!responder.peer_announces(Extra::rdma_write))
         return responder.skip("the responder does not announce RDMA write");
       constexpr std::uint32_t kCqData = 0x0102'0304;  // a device has 32 bits for it
       const OctetBuffer data = sample_octets(1'000, 3);
       const RmaIov to = responder.part(100, data.size());
       const auto written = responder.rdma()->write({to.addr, to.len, to.key}, data, kCqData,
                                                    responder.in(responder.run().answer_time()));
       if (!written || !*written) return responder.inconclusive("the device has not written");
       const Rule& demand = rule<"EFA-4.6-3">;
       expect_told(responder, demand, kCqData, "RDMA write with immediate data");
       responder.expect_memory(demand, 100, data);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> direct_write_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa

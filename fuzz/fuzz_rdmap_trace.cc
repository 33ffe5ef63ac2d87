// SPDX-License-Identifier: Apache-2.0
// Any two-way stream for the iWARP observer (fuzz/stream_trace.h).
#include "conformance/rdmap/observer.h"
#include "conformance/rdmap/tracker/deliveries.h"
#include "fuzz/stream_trace.h"

namespace wirelaw::fuzz {
namespace {

// Memory for delivered octets, which are kept for each side. A buffer's capacity may be twice its size.
constexpr std::size_t kMostDelivered =
    2 * (rdmap::Deliveries::kMostOctets + (rdmap::Deliveries::kMostPlaces + 2048) * sizeof(Place));
constexpr std::size_t kMostMemory = (std::size_t{1} << 20) + 2 * kMostDelivered;

const StreamSubject kSubject{
    .catalogue = rdmap::kProtocol.catalogue, .observer = rdmap::kProtocol.observer, .most_memory = kMostMemory};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::expect_what_holds_of_every_stream(wirelaw::fuzz::kSubject, {data, size});
  return 0;
}

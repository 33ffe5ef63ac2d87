// SPDX-License-Identifier: Apache-2.0
// Any two-way stream before the iWARP observer (fuzz/stream_trace.h).
#include "conformance/rdmap/tracker/deliveries.h"
#include "conformance/rdmap/tracker/observer.h"
#include "fuzz/stream_trace.h"

namespace wirelaw::fuzz {
namespace {

// A buffer may be twice as large as what is in it. What is delivered is kept for each side.
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

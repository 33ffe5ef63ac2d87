// SPDX-License-Identifier: Apache-2.0
// Any two-way stream for the observers of iWARP and of SMB Direct over it (fuzz/stream_trace.h).
#include "conformance/rdmap/tracker/deliveries.h"
#include "conformance/smbd/smbd.h"
#include "conformance/stack.h"
#include "fuzz/stream_trace.h"

namespace wirelaw::fuzz {
namespace {

// Computed as in fuzz_rdmap_trace. SMB Direct keeps no state whose length a peer chooses.
constexpr std::size_t kMostDelivered =
    2 * (rdmap::Deliveries::kMostOctets + (rdmap::Deliveries::kMostPlaces + 2048) * sizeof(Place));
constexpr std::size_t kMostMemory = (std::size_t{1} << 20) + 2 * kMostDelivered;

constexpr const Protocol* kKnown[] = {&rdmap::kProtocol, &smbd::kProtocol};

const Catalogue& catalogue() {
  static const Catalogue kCatalogue = catalogue_of_stack(smbd::kProtocol, kKnown);
  return kCatalogue;
}

const StreamSubject kSubject{.catalogue = catalogue,
                             .observer = [](const ObserverLimits& limits) -> std::unique_ptr<Observer> {
                               return std::make_unique<FlowObserver>(smbd::kProtocol, kKnown, limits);
                             },
                             .most_memory = kMostMemory};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::expect_what_holds_of_every_stream(wirelaw::fuzz::kSubject, {data, size});
  return 0;
}

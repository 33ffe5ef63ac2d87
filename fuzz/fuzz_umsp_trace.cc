// SPDX-License-Identifier: Apache-2.0
// Any two-way stream for the observer of UMSP (fuzz/stream_trace.h); fuzz_umsp_trace has datagrams.
#include "conformance/umsp/umsp.h"
#include "fuzz/stream_trace.h"

namespace wirelaw::fuzz {
namespace {

// An incomplete instruction for each direction; sessions, chains and requests, all limited in number.
constexpr std::size_t kMostMemory = std::size_t{8} << 20;

const StreamSubject kSubject{
    .catalogue = umsp::kProtocol.catalogue, .observer = umsp::kProtocol.observer, .most_memory = kMostMemory};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wirelaw::fuzz::expect_what_holds_of_every_stream(wirelaw::fuzz::kSubject, {data, size});
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Traces that continue after their last message, although a message is due (INTERPRETATIONS, RDMAP/A-63).
#include "corpora/traces/rdmap_connections.h"
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

using enum Side;
using namespace std::chrono_literals;

constexpr auto kTooLong = 120s, kNotTooLong = 90s;

constexpr RdmapSample kSamples[] = {
    {"RDMAP-5.2-1", "A Read Request that is never answered.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.read_request(a);
       s.silence(kTooLong);
     },
     "never-answered", Severity::warning},
    {"RDMAP-5.2-1", "A Read Response that stops in the middle.",
     [](RdmapTraceBuilder& s) {
       s.start();
       s.read_request(a);
       s.read_response(b, pattern(32), RdmapTraceBuilder::kRead, [](ddp::Header& header) { header.last = false; });
       s.silence(kTooLong);
     },
     "half-answered", Severity::warning},
    {"ECE-9.2-9", "Both sides have set A, and the initiator never says that it is ready.",
     [](RdmapTraceBuilder& s) {
       agree(s, kPeerToPeer, kPeerToPeer);
       s.silence(kTooLong);
     },
     "never-ready", Severity::warning},
    {"MPA-7.1.2-5",
     "A Request that is never answered.",
     [](RdmapTraceBuilder& s) {
       s.open();
       s.request();
       s.silence(kTooLong);
     },
     {},
     Severity::warning},
    {"RDMAP-6.2.1-5", "A Terminate, and nobody closes the connection.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.terminate(b, {.error = rdmap::error::kLocalCatastrophic});
       s.silence(kTooLong);
     },
     "left-open"},
    {{},
     "A Read Request that waits for its response, but not yet for too long.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.read_request(a);
       s.silence(kNotTooLong);
     },
     "silence-within-the-grace"},
    {{},
     "Two peers that have nothing to say.",
     [](RdmapTraceBuilder& s) {
       start_and_exchange(s);
       s.read(b);
       s.silence(kTooLong);
     },
     "silence-of-idle-peers"},
    {{},
     "A Read Request that a Terminate answers, and the end.",
     [](RdmapTraceBuilder& s) {
       s.start();
       s.read_request(a);
       s.terminate(b, s.blame_last(rdmap::error::kInvalidStag));
       part(s);
       s.silence(kTooLong);
     },
     "silence-behind-the-end"},
};

}  // namespace

std::span<const RdmapSample> silence_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

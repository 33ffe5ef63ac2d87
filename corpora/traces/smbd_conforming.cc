// SPDX-License-Identifier: Apache-2.0
// Traces that break no rule. Together they exercise every rule that a trace shows.
#include "corpora/traces/smbd_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = SmbdTraceBuilder;
using smbd::DataTransfer, smbd::NegotiateRequest, smbd::NegotiateResponse;

constexpr SmbdSample kSamples[] = {
    {{},
     "A connection is negotiated, carries a message each way, and is closed.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.close();
     },
     "smbd-exchange"},
    {{},
     "A message of 4,000 octets in three segments each way, the first invalidating a token.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       for (const Side side : {Side::a, Side::b}) {
         s.segment(side, Builder::kMost, 4'000 - Builder::kMost, {}, RdmapTraceBuilder::kStag);
         s.segment(side, Builder::kMost, 4'000 - 2 * Builder::kMost);
         s.segment(side, 4'000 - 2 * Builder::kMost, 0);
       }
       s.close();
     },
     "smbd-segments"},
    {{},
     "Each side answers a keep-alive, one with an empty message, one with the flag set (SMBD/A4).",
     [](Builder& s) {
       constexpr auto kAsks = [](DataTransfer& data) { data.flags = smbd::flag::kResponseRequested; };
       s.establish();
       s.exchange();
       s.pause(120 * Builder::kSecond);
       s.empty(Side::a, kAsks);
       s.empty(Side::b);
       s.pause(120 * Builder::kSecond);
       s.empty(Side::b, kAsks);
       s.empty(Side::a, kAsks);
       s.empty(Side::b);
       s.close();
     },
     "smbd-keep-alive"},
    {{},
     "All credits but one are spent; the last goes with a grant, and the exchange goes on.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       for (int i = 0; i < 9; ++i) s.data(Side::a, 10);
       s.pause(2 * Builder::kSecond);
       s.empty(Side::b);
       for (int i = 0; i < 9; ++i) s.data(Side::a, 10);
       s.data(Side::a, 10, [](DataTransfer& data) { data.credits_granted = 1; });
       s.pause(2 * Builder::kSecond);
       s.empty(Side::b);
       s.data(Side::a, 10, [](DataTransfer& data) { data.credits_granted = 0; });  // the listener has ten credits again
       s.close();
     },
     "smbd-last-credit"},
    {{},
     "A second passes, and the next message grants nothing, since its receiver has all that it wants.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.pause(2 * Builder::kSecond);
       s.data(Side::a, 10);
       s.pause(2 * Builder::kSecond);
       s.data(Side::a, 10);
       s.close();
     },
     "smbd-at-target"},
    {{},
     "The listener writes and reads memory that the initiator has lent, and invalidates its token.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.lend(Side::a);
       s.write(Side::b, 1'000);
       s.read(Side::b);
       s.segment(Side::b, 100, 0, {}, RdmapTraceBuilder::kStag);
       s.close();
     },
     "smbd-rdma"},
    {{},
     "A token is used again, and invalidated again, each time after its owner has lent it again.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       for (int i = 0; i < 3; ++i) {
         s.lend(Side::a);
         s.write(Side::b, 1'000);
         s.segment(Side::b, 100, 0, {}, Builder::kToken);
       }
       s.close();
     },
     "smbd-token-again"},
    {{},
     "SMB2 reads and writes through RDMA; one Write goes over two neighbouring buffers, and tokens are used again.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.smb2_read(Side::a,
                   {{Builder::kAddress, Builder::kToken, 600}, {Builder::kAddress + 600, Builder::kToken, 400}});
       s.write(Side::b, 500);
       s.write(Side::b, 500, Builder::kAddress + 500);
       s.smb2_respond(Side::b);
       s.smb2_write(Side::a, {{0x9000, Builder::kToken, 300}, {0x100, 0xcafe0001, 50}});
       s.read(Side::b, 50, 0x100, 0xcafe0001);
       s.read(Side::b, 300, 0x9000);
       s.smb2_respond(Side::b);
       s.smb2_read(Side::a, {{0x100, 0xcafe0001, 64}});
       s.write(Side::b, 10, 0x100, 0xcafe0001);
       s.smb2_respond(Side::b);
       s.close();
     },
     "smbd-smb2-rdma"},
    {{},
     "A payload that looks encrypted may name buffers that the judge cannot see.",
     [](Builder& s) {
       static constexpr std::array<Octet, 52> kTransformed{0xfd, 'S', 'M', 'B'};
       s.establish();
       s.exchange();
       s.payload(Side::a, kTransformed);
       s.write(Side::b, 100);
       s.read(Side::b);
       s.close();
     },
     "smbd-encrypted-rdma"},
    {{},
     "The listener refuses for lack of resources, and the connection is closed.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.failure();
       s.close();
     },
     "smbd-refused"},
    {{},
     "No request comes, and the listener closes the connection after five seconds.",
     [](Builder& s) {
       s.connect();
       s.pause(5 * Builder::kSecond);
       s.close();
     },
     "smbd-no-request"},
    {{},
     "The initiator sends no more than 64 octets at a time; the listener receives 128 all the same (SMBD/A22).",
     [](Builder& s) {
       s.connect();
       s.request([](NegotiateRequest& request) { request.preferred_send_size = 64; });
       s.response([](NegotiateResponse& response) { response.max_receive_size = 128; });
       s.data(Side::a, 40);
       s.data(Side::b, 100);
       s.close();
     },
     "smbd-small-sizes"},
    {{},
     "Zeros follow the request, the response and the data (SMBD/A20, SMBD/A21).",
     [](Builder& s) {
       static constexpr std::array<Octet, 492> kZeros{};
       s.connect();
       s.request([](NegotiateRequest& request) { request.trailing = kZeros; });
       s.response([](NegotiateResponse& response) { response.trailing = Octets(kZeros).first(480); });
       s.data(Side::a, 10, [](DataTransfer& data) { data.trailing = Octets(kZeros).first(6); });
       s.close();
     },
     "smbd-trailing-zeros"},
    {{},
     "The capture begins after the negotiation, with the last segment of a message.",
     [](Builder& s) {
       s.segment(Side::a, 500, 0);
       s.segment(Side::b, 1'000, 500);
       s.segment(Side::b, 500, 0);
       s.data(Side::a, 100);
       s.close();
     },
     "smbd-begins-late",
     Severity::violation,
     {},
     false},
};

}  // namespace

std::span<const SmbdSample> smbd_conforming_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

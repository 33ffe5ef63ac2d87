// SPDX-License-Identifier: Apache-2.0
// Traces with one fault each in the negotiation.
#include "corpora/traces/smbd_samples.h"

namespace wirelaw::corpora {
namespace {

using Builder = SmbdTraceBuilder;
using smbd::NegotiateRequest, smbd::NegotiateResponse;

// A request with one wrong field, and nothing after it: the response is not tested here.
void with_request(Builder& s, const Builder::RequestEdit& edit) {
  s.connect();
  s.request(edit);
  s.close();
}
void with_response(Builder& s, const Builder::ResponseEdit& edit) {
  s.connect();
  s.request();
  s.response(edit);
  s.close();
}
void with_failure(Builder& s, const Builder::ResponseEdit& edit) {
  s.connect();
  s.request();
  s.failure(edit);
  s.close();
}

constexpr Octet kNonsense[] = {1, 2, 3, 4};

constexpr SmbdSample kSamples[] = {
    // --- 2.2
    {"SMBD-2.2-2", "The initiator sends its Negotiate Request once more.",
     [](Builder& s) {
       s.establish();
       s.exchange();
       s.request();
       s.close();
     }},
    {"SMBD-2.2-4", "The fields of a Negotiate Request are in network order.",
     [](Builder& s) {
       constexpr Octet kBigEndian[] = {1, 0, 1, 0, 0, 0, 0, 10, 0, 0, 5, 0x54, 0, 0, 5, 0x54, 0, 2, 0, 0};
       s.connect();
       s.octets(Side::a, kBigEndian);
       s.close();
     }},
    {"SMBD-2.2-8",
     "Octets that are not zero follow a Negotiate Request.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.trailing = kNonsense; }); },
     {},
     Severity::warning},
    // --- 2.2.1
    {"SMBD-2.2.1-1", "The first message of the initiator is a Data Transfer.",
     [](Builder& s) {
       s.connect();
       s.data(Side::a, 100);
       s.close();
     }},
    {"SMBD-2.2.1-4", "The highest version is below the lowest.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.max_version = 0x00ff; }); }},
    {"SMBD-2.2.1-6", "No credit is requested.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.credits_requested = 0; }); }},
    {"SMBD-2.2.1-8", "The initiator can receive no more than 127 octets.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.max_receive_size = 127; }); }},
    {"SMBD-2.2.1-10", "The initiator can reassemble no more than 131,071 octets.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.max_fragmented_size = 131'071; }); }},
    {"SMBD-2.2.1-11", "The request ends one octet early.",
     [](Builder& s) {
       const OctetBuffer request = smbd::encode(NegotiateRequest{.credits_requested = Builder::kCredits,
                                                                 .preferred_send_size = Builder::kSize,
                                                                 .max_receive_size = Builder::kSize,
                                                                 .max_fragmented_size = 131'072});
       s.connect();
       s.octets(Side::a, Octets(request).first(19));
       s.close();
     }},
    // --- 2.2.2
    {"SMBD-2.2.2-1", "The first message of the listener is a Data Transfer.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.data(Side::b, 100);
       s.close();
     }},
    {"SMBD-2.2.2-2", "The listener sends a response before any request.",
     [](Builder& s) {
       s.connect();
       s.write(Side::a, 0);  // so that the listener may send first
       s.response();
       s.close();
     }},
    {"SMBD-2.2.2-5", "The highest version is below the lowest.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.max_version = 0x00ff; }); }},
    {"SMBD-2.2.2-9", "No credit is requested.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.credits_requested = 0; }); }},
    {"SMBD-2.2.2-13", "The listener's PreferredSendSize is above the initiator's MaxReceiveSize.",
     [](Builder& s) {
       with_response(s, [](NegotiateResponse& response) { response.preferred_send_size = Builder::kSize + 1; });
     }},
    {"SMBD-2.2.2-15", "The listener can receive no more than 127 octets.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.max_receive_size = 127; }); }},
    {"SMBD-2.2.2-16", "The listener can reassemble no more than 131,071 octets.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.max_fragmented_size = 131'071; }); }},
    {"SMBD-2.2.2-17", "The response ends one octet early.",
     [](Builder& s) {
       const OctetBuffer response = smbd::encode(NegotiateResponse{.negotiated_version = smbd::kVersion1});
       s.connect();
       s.request();
       s.octets(Side::b, Octets(response).first(31));
       s.close();
     }},
    // --- 3.1.5.2
    {"SMBD-3.1.5.2-1", "The lowest version is 0x00ff.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.min_version = 0x00ff; }); }},
    {"SMBD-3.1.5.2-2", "The highest version is 0x0200.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.max_version = 0x0200; }); }},
    {"SMBD-3.1.5.2-3", "Reserved is 1.",
     [](Builder& s) { with_request(s, [](NegotiateRequest& request) { request.reserved = 1; }); }},
    // --- 3.1.5.3
    {"SMBD-3.1.5.3-1", "The lowest version is 0x00ff.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.min_version = 0x00ff; }); }},
    {"SMBD-3.1.5.3-2", "The highest version is 0x0200.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.max_version = 0x0200; }); }},
    {"SMBD-3.1.5.3-3", "Reserved is 1.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.reserved = 1; }); }},
    {"SMBD-3.1.5.3-6", "A failure has a MaxReceiveSize.",
     [](Builder& s) {
       with_failure(s, [](NegotiateResponse& response) { response.max_receive_size = Builder::kSize; });
     }},
    {"SMBD-3.1.5.3-7", "The negotiated version is 0x0300.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.negotiated_version = 0x0300; }); }},
    {"SMBD-3.1.5.3-8",
     "Six seconds after a failure, the connection is still open.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.failure();
       s.pause(6 * Builder::kSecond);
       s.close();
     },
     {},
     Severity::warning},
    {"SMBD-3.1.5.3-9", "The listener sends a Data Transfer after a failure.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.failure();
       s.data(Side::b, 10);
       s.close();
     }},
    // --- 3.1.5.6, 3.1.5.7
    {"SMBD-3.1.5.6-9", "The listener's MaxReceiveSize is above what the initiator will send.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.max_receive_size = 8'192; }); }},
    {"SMBD-3.1.5.6-10", "The initiator sends 64 octets at most, and the listener makes room for no more.",
     [](Builder& s) {
       s.connect();
       s.request([](NegotiateRequest& request) { request.preferred_send_size = 64; });
       s.response([](NegotiateResponse& response) { response.max_receive_size = 64; });
       s.close();
     }},
    {"SMBD-3.1.5.6-17", "A success grants no credit.",
     [](Builder& s) { with_response(s, [](NegotiateResponse& response) { response.credits_granted = 0; }); }},
    {"SMBD-3.1.5.6-18", "The Status of a failure is a warning.",
     [](Builder& s) { with_failure(s, [](NegotiateResponse& response) { response.status = 0x8000'0005; }); }},
    {"SMBD-3.1.5.6-19",
     "A request is not answered for 70 seconds.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.pause(70 * Builder::kSecond);
       s.close();
     },
     {},
     Severity::warning},
    {"SMBD-3.1.5.7-9", "The initiator sends a Data Transfer after a failure.",
     [](Builder& s) {
       s.connect();
       s.request();
       s.failure();
       s.data(Side::a, 10);
       s.close();
     }},
};

}  // namespace

std::span<const SmbdSample> smbd_negotiate_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

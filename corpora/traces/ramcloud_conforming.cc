// SPDX-License-Identifier: Apache-2.0
// Conversations that break no rule, some of them with loss, repetition and reordering. Together they exercise every
// rule that a trace can break.
#include "corpora/traces/ramcloud_samples.h"

namespace wirelaw::corpora {
namespace {

using namespace std::chrono_literals;
using ramcloud::Header;
using Builder = RamcloudTraceBuilder;

const RamcloudSample kSamples[] = {
    {{},
     "Three RPCs of one fragment on each of two channels.",
     [](Builder& s) {
       s.open();
       for (const std::uint32_t rpc_id : {0u, 1u, 2u}) {
         s.exchange(rpc_id, 0);
         s.exchange(rpc_id, 7);
       }
     },
     "single-fragments"},
    {{},
     "ACKs overtake each other, and report fragments that came out of order.",
     [](Builder& s) {
       s.open();
       for (std::uint16_t i = 0; i < 8; ++i) s.request(0, {.number = i, .total = 8}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 3, .staging_vector = 0b101});
       s.server_ack(0, {.first_missing_frag = 1, .staging_vector = 0b1});
       s.server_ack(0, {.first_missing_frag = 5, .staging_vector = 0b1});
       s.server_ack(0, {.first_missing_frag = 3, .staging_vector = 0b1});
       s.response(0);
     },
     "acks-overtake"},
    {{},
     "The client's ACK of a response comes when its next RPC has begun, and again when the one after it has.",
     [](Builder& s) {
       s.open();
       s.request(0);
       for (std::uint16_t i = 0; i < 3; ++i)
         s.response(0, {.number = i, .total = 3}, i == 1 ? ask_for_ack : Builder::Edit{});
       s.request(1);
       s.client_ack(0, {.first_missing_frag = 2});
       s.response(1);
       s.request(2);
       s.client_ack(0, {.first_missing_frag = 2});
       s.response(2);
     },
     "old-client-ack"},
    {{},
     "The server's ACK of a request comes after its response, when the next RPC has begun.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 2}, ask_for_ack);
       s.request(0, {.number = 1, .total = 2});
       s.response(0);
       s.request(1);
       s.server_ack(0, {.first_missing_frag = 1});
       s.response(1);
     },
     "old-server-ack"},
    {{},
     "An ACK of a response of one fragment comes when the next RPC has begun.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {}, ask_for_ack);
       s.request(1);
       s.client_ack(0, {.first_missing_frag = 1});
       s.response(1);
     },
     "old-ack-of-one-fragment"},
    {{},
     "BAD_SESSION for a packet that crossed it; the server serves the session, and a new RPC begins a minute later.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.bad_session();
       s.response(0);
       s.exchange(0, 1);
       s.last().pause_ns = 60'000'000'000;
       s.exchange(1);
     },
     "bad-session-of-another"},
    {{},
     "A request and a response of twelve fragments with ACKs as they are asked for.",
     [](Builder& s) {
       constexpr std::uint16_t kTotal = 12, kAskEvery = 5;
       s.open();
       for (std::uint16_t i = 0; i < kTotal; ++i) {
         const bool ask = i % kAskEvery == kAskEvery - 1;
         s.request(0, {.number = i, .total = kTotal}, ask ? ask_for_ack : Builder::Edit{});
         if (ask) s.server_ack(0, {.first_missing_frag = static_cast<std::uint16_t>(i + 1)});
       }
       for (std::uint16_t i = 0; i < kTotal; ++i) {
         const bool ask = i % kAskEvery == kAskEvery - 1;
         s.response(0, {.number = i, .total = kTotal}, ask ? ask_for_ack : Builder::Edit{});
         if (ask) s.client_ack(0, {.first_missing_frag = static_cast<std::uint16_t>(i + 1)});
       }
       s.exchange(1);
     },
     "many-fragments"},
    {{},
     "Fragments 1 and 3 of five are lost, reported missing, and sent again.",
     [](Builder& s) {
       s.open();
       for (std::uint16_t i = 0; i < 5; ++i)
         s.request(0, {.number = i, .total = 5}, i == 4 ? ask_for_ack : Builder::Edit{});
       s.server_ack(0, {.first_missing_frag = 1, .staging_vector = 0b101});
       s.request(0, {.number = 1, .total = 5}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 3, .staging_vector = 0b1});
       s.request(0, {.number = 3, .total = 5}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 5});
       s.response(0);
     },
     "lost-fragments"},
    {{},
     "Requests, responses and ACKs overtake each other and come twice.",
     [](Builder& s) {
       s.open();
       s.open_response();
       s.request(0, {.number = 1, .total = 2}, ask_for_ack);
       s.request(0, {.number = 0, .total = 2});
       s.request(0, {.number = 1, .total = 2}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 2});
       s.server_ack(0, {.first_missing_frag = 0, .staging_vector = 1});
       s.response(0, {.number = 1, .total = 2});
       s.response(0, {.number = 0, .total = 2});
       s.request(1);
       s.response(0, {.number = 1, .total = 2});
       s.request(0, {.number = 0, .total = 2});
       s.server_ack(0, {.first_missing_frag = 2});
       s.response(1);
     },
     "reordered-and-doubled"},
    {{},
     "A lost response: the request is repeated, and the stored response comes again.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.request(0, {}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1});
       s.response(0);
       s.response(0);
       s.exchange(1);
     },
     "lost-response"},
    {{},
     "Half of a response is lost; the client asks for it with an ACK of its own accord.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {.number = 0, .total = 2});
       s.client_ack(0, {.first_missing_frag = 1});
       s.response(0, {.number = 1, .total = 2}, ask_for_ack);
       s.client_ack(0, {.first_missing_frag = 2});
     },
     "partial-response"},
    {{},
     "A session is called bad, opened anew under the same hint, and counts from 0 again.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.bad_session([](Header& h) { h.rpc_id = 1; });
       s.use_token(Builder::kOtherToken);
       s.open();
       s.exchange(0);
       s.exchange(1);
     },
     "bad-session"},
    {{},
     "The first open response is late: the request is repeated, and the server opens two sessions.",
     [](Builder& s) {
       s.open_request();
       s.open_request();
       s.open_response();
       s.open_response([](Header& h) { h.session_token = Builder::kOtherToken, h.server_session_hint = 2; });
       s.exchange(0);
     },
     "opened-twice"},
    {{},
     "Two RPCs, of which one was asked twice, and a minute without a packet.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(0, {.channel = 7});
       s.request(0, {.channel = 7});
       s.response(0, {.channel = 7});
       s.later(60s);
     },
     "silence-afterwards"},
    {{},
     "A session is called bad amid an RPC, and the client opens another: nothing more is due in it.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.bad_session();
       s.use_token(Builder::kOtherToken);
       s.open();
       s.later(60s);
     },
     "silence-after-bad-session"},
    {{},
     "A capture that begins in the middle of a session.",
     [](Builder& s) {
       s.request(41, {.number = 3, .total = 9, .channel = 2});
       s.server_ack(41, {.first_missing_frag = 2, .staging_vector = 1}, [](Header& h) { h.channel_id = 2; });
       s.response(41, {.channel = 2});
       s.exchange(42, 2);
       s.response(7, {.channel = 5});
     },
     "mid-stream"},
};

}  // namespace

std::span<const RamcloudSample> ramcloud_conforming_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

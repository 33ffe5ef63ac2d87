// SPDX-License-Identifier: Apache-2.0
// For each rule of RAMCloud RPC that a trace can break: a conversation that breaks it, and no other rule.
#include "corpora/traces/ramcloud_samples.h"

namespace wirelaw::corpora {
namespace {

using namespace std::chrono_literals;
using ramcloud::Header;
using ramcloud::PayloadType;
using Builder = RamcloudTraceBuilder;

constexpr std::uint32_t swapped(std::uint32_t value) {
  return __builtin_bswap32(value);
}

OctetBuffer swap_nibbles(OctetBuffer octets) {
  Octet& flags = octets[ramcloud::layout::kFlags];
  flags = static_cast<Octet>(flags << 4 | flags >> 4);
  return octets;
}

constexpr Severity kWarning = Severity::warning;

const RamcloudSample kSamples[] = {
    {"RAMCLOUD-transport-1", "A request whose IPv4 header carries four octets of options.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.last().ip_option_octets = 4;
       s.response(0);
     }},
    {"RAMCLOUD-session-1", "A client sends a request before the open response has come.",
     [](Builder& s) {
       s.open_request();
       s.request(0, {}, [](Header& h) { h.session_token = 0xcccccccccccccccc, h.server_session_hint = 0xcccccccc; });
     }},
    {"RAMCLOUD-session-6", "A second RPC begins on a channel whose first has half of its response.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {.number = 0, .total = 2});
       s.request(1);
     }},
    {"RAMCLOUD-session-6",
     "A client repeats a request, receives nothing, and begins the next RPC: it may have given up.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.request(0);
       s.request(1);
     },
     "given-up", kWarning},
    {"RAMCLOUD-session-9",
     "Two open requests are not answered in a minute.",
     [](Builder& s) {
       s.open_request([](Header& h) { ++h.client_session_hint; });
       s.open_request([](Header& h) { ++h.client_session_hint; });
       s.open();
       s.later(60s);
     },
     {},
     kWarning},
    {"RAMCLOUD-session-9", "A request that is sent twice is not answered in a minute.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.request(0, {}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1});
       s.request(0);
       s.later(60s);
     },
     "request", kWarning},
    {"RAMCLOUD-old-23", "A client whose request was acknowledged waits for the response, and never asks for it.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, ask_for_ack);
       s.request(0, {}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1});
       s.later(60s);
     }},
    {"RAMCLOUD-old-23", "A client whose request is not answered does not send it again.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.later(60s);
     },
     "no-answer"},
    {"RAMCLOUD-old-23", "A client that has half of its response does not ask for the rest.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {.number = 0, .total = 2});
       s.later(60s);
     },
     "half-a-response"},
    {"RAMCLOUD-header-1", "A packet of 25 octets.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.last().octets.resize(25);
     }},
    {"RAMCLOUD-header-2", "An open request with its payload type in the low nibble.",
     [](Builder& s) {
       s.open_request();
       s.last().octets = swap_nibbles(s.last().octets);
     }},
    {"RAMCLOUD-header-3", "An open response with its flags in the high nibble.",
     [](Builder& s) {
       s.open();
       s.last().octets = swap_nibbles(s.last().octets);
     }},
    {"RAMCLOUD-header-4", "The second RPC's id in network order.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(swapped(1));
     }},
    {"RAMCLOUD-header-4", "The response to RPC 1 with its id in network order.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.response(swapped(1));
     },
     "response"},
    {"RAMCLOUD-header-4", "Three fragments numbered and counted in network order.",
     [](Builder& s) {
       s.open();
       for (std::uint16_t number = 0; number < 0x0300; number += 0x0100)
         s.request(0, {.number = number, .total = 0x0300});
     },
     "fragments"},
    {"RAMCLOUD-payloadType-1", "A packet of payload type 3.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, [](Header& h) { h.payload_type = static_cast<PayloadType>(3); });
     }},
    {"RAMCLOUD-sessionToken-2", "The client's second request carries another token.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1, {}, [](Header& h) { h.session_token = Builder::kOtherToken; });
     }},
    {"RAMCLOUD-sessionToken-2", "After BAD_SESSION, requests carry the old token and the hints of the new session.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.bad_session();
       s.open_request();
       s.open_response([](Header& h) { h.session_token = Builder::kOtherToken, ++h.server_session_hint; });
       s.request(0, {}, [](Header& h) { ++h.server_session_hint; });
     },
     "after-bad-session"},
    {"RAMCLOUD-sessionToken-2", "Likewise, and the server answers.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.bad_session();
       s.open_request();
       s.open_response([](Header& h) { h.session_token = Builder::kOtherToken, ++h.server_session_hint; });
       s.request(0, {}, [](Header& h) { ++h.server_session_hint; });
       s.response(0, {}, [](Header& h) { h.session_token = Builder::kOtherToken, ++h.server_session_hint; });
     },
     "after-bad-session-answered"},
    {"RAMCLOUD-sessionToken-3", "The server's response carries another token.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {}, [](Header& h) { h.session_token = Builder::kOtherToken; });
     }},
    {"RAMCLOUD-sessionToken-4", "Two open requests are answered with one token under two server hints.",
     [](Builder& s) {
       s.open();
       s.open_request([](Header& h) { h.client_session_hint = 5; });
       s.open_response([](Header& h) { h.client_session_hint = 5, h.server_session_hint = 6; });
     }},
    {"RAMCLOUD-sessionToken-4", "The open response of one session comes twice, with different bounds.",
     [](Builder& s) {
       s.open();
       s.open_request();
       s.open_response({}, OctetBuffer{3});
       s.exchange(0);
     },
     "bounds"},
    {"RAMCLOUD-clientSessionHint-1", "The client's hint changes after the opening.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, [](Header& h) { ++h.client_session_hint; });
       s.response(0);
     }},
    {"RAMCLOUD-clientSessionHint-2", "The open response carries a hint that the client did not send.",
     [](Builder& s) {
       s.open_request();
       s.open_response([](Header& h) { h.client_session_hint = 0; });
     }},
    {"RAMCLOUD-clientSessionHint-3", "The server's response carries a hint that the client did not choose.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {}, [](Header& h) { h.client_session_hint = 0; });
       s.request(1);
     }},
    {"RAMCLOUD-serverSessionHint-1", "The server's hint changes after the open response.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {}, [](Header& h) { ++h.server_session_hint; });
       s.request(1);
     }},
    {"RAMCLOUD-serverSessionHint-2", "The client goes on with the hint of its open request.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, [](Header& h) { h.server_session_hint = 0xcccccccc; });
       s.response(0);
     }},
    {"RAMCLOUD-channelId-1", "A request on channel 8 where 7 is the largest.",
     [](Builder& s) {
       s.open();
       s.request(0, {.channel = 8});
     }},
    {"RAMCLOUD-channelId-2", "A request on channel 0 is answered on channel 1.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {.channel = 1});
     }},
    {"RAMCLOUD-rpcId-1", "The first RPC on channel 1 has rpcId 1.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1, {.channel = 1});
     }},
    {"RAMCLOUD-rpcId-2", "An rpcId is left out.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(2);
     }},
    {"RAMCLOUD-rpcId-4", "The response carries the rpcId after the request's.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(1);
     }},
    {"RAMCLOUD-rpcId-7", "After the session is opened anew the client goes on counting.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(1);
       s.bad_session([](Header& h) { h.rpc_id = 1; });
       s.use_token(Builder::kOtherToken);
       s.open();
       s.request(1);
     }},
    {"RAMCLOUD-fragNumber-1", "Two fragments, numbered 1 and 2.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 1, .total = 2});
       s.request(0, {.number = 2, .total = 2});
     }},
    {"RAMCLOUD-fragNumber-1", "A fragment beyond the end, which the ACK reports truthfully.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 3});
       s.request(0, {.number = 3, .total = 3}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1, .staging_vector = 0b10});
     },
     "reported"},
    {"RAMCLOUD-fragNumber-5", "The response to a repeated request has other data.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.request(0);
       s.response(0);
       s.last().octets.back() ^= 0xff;
     }},
    {"RAMCLOUD-totalFrags-1", "A request of no fragments.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 0});
     }},
    {"RAMCLOUD-totalFrags-2", "A fragment has another total than the one before it.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 2});
       s.request(0, {.number = 1, .total = 3});
     }},
    {"RAMCLOUD-totalFrags-3", "A response after one of two request fragments.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 2});
       s.response(0);
     }},
    {"RAMCLOUD-direction-1", "A response without the direction flag.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {}, [](Header& h) { h.flags.direction = false; });
     }},
    {"RAMCLOUD-direction-1", "An open response without the direction flag.",
     [](Builder& s) {
       s.open_request();
       s.open_response([](Header& h) { h.flags.direction = false; });
     },
     "open-response"},
    {"RAMCLOUD-direction-1", "A response without the direction flag, which the client answers as a server would.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {}, [](Header& h) { h.flags.direction = false; });
       s.send(Side::a,
              {.session_token = Builder::kToken,
               .client_session_hint = Builder::kClientHint,
               .server_session_hint = Builder::kServerHint,
               .payload_type = PayloadType::bad_session,
               .flags = {.direction = true}},
              {}, {});
     },
     "answered-with-bad-session"},
    {"RAMCLOUD-direction-2", "A request with the direction flag.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, [](Header& h) { h.flags.direction = true; });
       s.response(0);
     }},
    {"RAMCLOUD-direction-2", "An open request with the direction flag.",
     [](Builder& s) { s.open_request([](Header& h) { h.flags.direction = true; }); }, "open-request"},
    {"RAMCLOUD-requestAck-4",
     "An ACK that asks for an ACK.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1}, ask_for_ack);
     },
     {},
     kWarning},
    {"RAMCLOUD-pleaseDrop-3",
     "A request that asks to be dropped.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, [](Header& h) { h.flags.please_drop = true; });
     },
     {},
     kWarning},
    {"RAMCLOUD-reserved1-1", "A request with the reserved flag.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, [](Header& h) { h.flags.reserved1 = true; });
     }},
    {"RAMCLOUD-openRequest-1", "An open request with a payload.",
     [](Builder& s) {
       s.open_request({}, OctetBuffer{1, 2, 3});
     }},
    {"RAMCLOUD-openResponse-1", "An open response without a payload.",
     [](Builder& s) {
       s.open_request();
       s.open_response({}, {});
     }},
    {"RAMCLOUD-openResponse-2", "An open response of two octets.",
     [](Builder& s) {
       s.open_request();
       s.open_response({}, {7, 0});
     }},
    {"RAMCLOUD-openResponse-4", "The client of a flow sends an open response to its server, which asked for none.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.send(Side::a,
              {.session_token = Builder::kOtherToken,
               .client_session_hint = 9,
               .server_session_hint = 9,
               .payload_type = PayloadType::session_open,
               .flags = {.direction = true}},
              {}, OctetBuffer{7});
     }},
    {"RAMCLOUD-badSession-7", "A server answers a request in a session that it has called bad before.",
     [](Builder& s) {
       s.open();
       s.exchange(0);
       s.later(20s);
       s.request(1);
       s.bad_session();
       s.request(0, {.channel = 1});
       s.response(0, {.channel = 1});
     }},
    {"RAMCLOUD-badSession-1", "BAD_SESSION with a payload.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.bad_session({}, OctetBuffer{0});
     }},
    {"RAMCLOUD-badSession-2", "A client calls its server's session bad.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.send(Side::a,
              {.session_token = Builder::kToken,
               .client_session_hint = Builder::kClientHint,
               .server_session_hint = Builder::kServerHint,
               .payload_type = PayloadType::bad_session},
              {}, {});
     }},
    {"RAMCLOUD-badSession-3", "BAD_SESSION for a hint that no packet of the client carried.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.bad_session([](Header& h) { ++h.client_session_hint; });
     }},
    {"RAMCLOUD-ack-1", "An ACK of five octets.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1});
       s.last().octets.pop_back();
     }},
    {"RAMCLOUD-ack-2", "An ACK of eight octets.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1});
       s.last().octets.insert(s.last().octets.end(), {0, 0});
     }},
    {"RAMCLOUD-ack-3", "firstMissingFrag 3 of a request of two fragments.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 2});
       s.request(0, {.number = 1, .total = 2}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 3});
     }},
    {"RAMCLOUD-ack-4", "firstMissingFrag 2 where only fragment 0 of three has been sent.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 3}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 2});
     }},
    {"RAMCLOUD-ack-5", "stagingVector counted from firstMissingFrag: bit 1 for fragment 2 of 0 and 2.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 4});
       s.request(0, {.number = 2, .total = 4}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1, .staging_vector = 0b10});
     }},
    {"RAMCLOUD-ack-5", "A client reports a response fragment that was not sent.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.response(0, {.number = 0, .total = 4}, ask_for_ack);
       s.client_ack(0, {.first_missing_frag = 1, .staging_vector = 1u << 1});
     },
     "client"},
    {"RAMCLOUD-ack-6", "Two ACKs of a request: each reports a fragment that the other one reports as missing.",
     [](Builder& s) {
       s.open();
       for (std::uint16_t number = 0; number < 6; ++number) s.request(0, {.number = number, .total = 6}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 3, .staging_vector = 0b10});
       s.server_ack(0, {.first_missing_frag = 4, .staging_vector = 0});
       s.response(0);
     }},
    {"RAMCLOUD-ack-6", "Two ACKs with one firstMissingFrag, and stagingVectors that contradict each other.",
     [](Builder& s) {
       s.open();
       for (std::uint16_t number = 0; number < 6; ++number) s.request(0, {.number = number, .total = 6}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 3, .staging_vector = 0b01});
       s.server_ack(0, {.first_missing_frag = 3, .staging_vector = 0b10});
       s.response(0);
     },
     "staging"},
    {"RAMCLOUD-ack-7", "An ACK of a request reports no fragment, though one has come.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 3});
       s.request(0, {.number = 2, .total = 3}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 0, .staging_vector = 0});
       s.request(0, {.number = 1, .total = 3});
       s.response(0);
     }},
    {"RAMCLOUD-ack-14", "Two ACKs of a response: each reports a fragment that the other one reports as missing.",
     [](Builder& s) {
       s.open();
       s.request(0);
       for (std::uint16_t number = 0; number < 6; ++number) s.response(0, {.number = number, .total = 6}, ask_for_ack);
       s.client_ack(0, {.first_missing_frag = 5, .staging_vector = 0});
       s.client_ack(0, {.first_missing_frag = 2, .staging_vector = 0b100});
     }},
    {"RAMCLOUD-ack-8", "stagingVector reports a fragment beyond the last.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 3});
       s.request(0, {.number = 2, .total = 3}, ask_for_ack);
       s.server_ack(0, {.first_missing_frag = 1, .staging_vector = 0b11});
     }},
    {"RAMCLOUD-ack-9", "An ACK for an rpcId that was not asked.",
     [](Builder& s) {
       s.open();
       s.request(0, {}, ask_for_ack);
       s.server_ack(1, {.first_missing_frag = 1});
     }},
    {"RAMCLOUD-ack-9", "A client asks, by an ACK, after a response of which nothing has been sent.",
     [](Builder& s) {
       s.open();
       s.request(0);
       s.client_ack(0, {});
     },
     "client", kWarning},
    {"RAMCLOUD-ack-13",
     "A server's ACK for a fragment that did not ask.",
     [](Builder& s) {
       s.open();
       s.request(0, {.number = 0, .total = 2});
       s.server_ack(0, {.first_missing_frag = 1});
     },
     {},
     kWarning},
};

}  // namespace

std::span<const RamcloudSample> ramcloud_violating_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

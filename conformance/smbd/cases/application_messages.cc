// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 3.1.4.2, 3.1.4.7 and 3.1.7: the reports to the upper layer about a connection, its limits and its messages,
// and the tokens sent with messages.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/smbd/3.1.1.1-connection/rules.h"
#include "conformance/smbd/3.1.4.1-connecting/rules.h"
#include "conformance/smbd/3.1.4.2-send/rules.h"
#include "conformance/smbd/3.1.4.7-query/rules.h"
#include "conformance/smbd/3.1.5.1-sending/rules.h"
#include "conformance/smbd/3.1.5.4-segments/rules.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/3.1.6-timer-events/rules.h"
#include "conformance/smbd/3.1.7.1-loss/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/rules.h"
#include "conformance/smbd/cases/driven.h"

namespace wirelaw::smbd {
namespace {

using std::chrono::seconds;

const CaseRow kRows[] = {
    {"application/{}-reports-the-connection",
     {&rule<"SMBD-3.1.7.2-15">, &rule<"SMBD-3.1.5.6-21">, &rule<"SMBD-3.1.4.1-20">, &rule<"SMBD-3.1.5.7-25">},
     "The IUT notifies its upper layer of the connection.",
     {.responder =
          [](CaseRun& run) {
            DrivenListener listener(run);
            listener.negotiate();
            const bool told = listener.await<Established>().has_value();
            listener.require_each({&rule<"SMBD-3.1.7.2-15">, &rule<"SMBD-3.1.5.6-21">}, told,
                                  "the connection is reported", "nothing");
          },
      .initiator =
          [](CaseRun& run) {
            DrivenInitiator initiator(run);
            initiator.negotiate();
            const bool told = initiator.await<Established>().has_value();
            initiator.require_each({&rule<"SMBD-3.1.4.1-20">, &rule<"SMBD-3.1.5.7-25">}, told,
                                   "the connection is reported", "nothing");
          }}},
    {"application/initiator-reports-a-failed-negotiation",
     {&rule<"SMBD-3.1.4.1-21">, &rule<"SMBD-3.1.5.7-10">},
     "The IUT returns a response that refuses the connection as an error.",
     with<DrivenInitiator>([](DrivenInitiator& initiator) {
       NegotiateResponse response = InitiatorProbe::good_response();
       response.status = status::kInsufficientResources;
       initiator.send_response(response);
       const bool told = initiator.await<Terminated>().has_value();
       initiator.require_each({&rule<"SMBD-3.1.4.1-21">, &rule<"SMBD-3.1.5.7-10">}, told, "the failure is reported",
                              "nothing");
     })},
    {"application/{}-knows-its-limits",
     {&rule<"SMBD-3.1.4.7-1">, &rule<"SMBD-3.1.4.7-2">, &rule<"SMBD-3.1.4.7-3">, &rule<"SMBD-3.1.4.7-4">,
      &rule<"SMBD-3.1.4.7-5">},
     "The IUT reports the parameters of the connection as negotiated.",
     with_driven([](auto& peer) {
       const auto limits = peer.upper().query();
       if (!limits) return peer.inconclusive("the query of the parameters was refused: " + limits.error().message);
       constexpr bool kListens = std::is_same_v<decltype(peer), DrivenListener&>;
       const auto [own_send, own_receive] =
           kListens ? std::pair(peer.response().preferred_send_size, peer.response().max_receive_size)
                    : std::pair(peer.request().preferred_send_size, peer.request().max_receive_size);
       const auto [far_send, far_receive] =
           kListens ? std::pair(peer.request().preferred_send_size, peer.request().max_receive_size)
                    : std::pair(peer.response().preferred_send_size, peer.response().max_receive_size);
       const auto is = [&](const Rule& rule, std::uint64_t expected, std::uint64_t actual) {
         peer.require(rule, expected == actual, std::to_string(expected), std::to_string(actual));
       };
       is(rule<"SMBD-3.1.4.7-1">, std::min(own_send, far_receive), limits->max_send_size);
       is(rule<"SMBD-3.1.4.7-2">, kLeastMaxFragmentedSize, limits->max_fragmented_send_size);
       is(rule<"SMBD-3.1.4.7-3">,
          kListens ? own_receive
                   : std::max(std::min(own_receive, far_send), std::min(own_receive, kLeastMaxReceiveSize)),
          limits->max_receive_size);
       peer.require(rule<"SMBD-3.1.4.7-4">, limits->max_read_write_size <= peer.response().max_read_write_size,
                    fmt::format("at most {}, as negotiated", peer.response().max_read_write_size),
                    std::to_string(limits->max_read_write_size));
       peer.require(rule<"SMBD-3.1.4.7-5">, limits->keepalive_interval > Instant{0}, "a non-zero interval",
                    std::to_string(limits->keepalive_interval.count()));
     })},
    {"application/{}-returns-what-is-too-long",
     {&rule<"SMBD-3.1.4.2-3">, &rule<"SMBD-3.1.5.4-11">, &rule<"SMBD-3.1.4.2-1">, &rule<"SMBD-3.1.4.2-2">},
     "The IUT reports an error for a message above MaxFragmentedSendSize and sends no part of it, and sends one of "
     "exactly that size.",
     with_driven([](auto& peer) {
       const auto longest = peer.upper().send(OctetBuffer(kLeastMaxFragmentedSize, Octet{0x11}));
       if (!longest)
         return peer.inconclusive("a message of MaxFragmentedSendSize was refused: " + longest.error().message);
       if (!peer.template await<Sent>()) return peer.inconclusive("a message of MaxFragmentedSendSize was not sent");
       const auto beyond = peer.upper().send(OctetBuffer(kLeastMaxFragmentedSize + 1, Octet{0x22}));
       peer.require_each({&rule<"SMBD-3.1.4.2-3">, &rule<"SMBD-3.1.5.4-11">, &rule<"SMBD-3.1.4.2-1">}, !beyond,
                         "an error", "the message is accepted", "one octet above MaxFragmentedSendSize");
       if (!peer.ok()) return;
       static_cast<void>(peer.upper().send(OctetBuffer(50, Octet{0x33})));
       for (Response next = peer.message(); peer.ok(); next = peer.message()) {
         const auto transfer = next.transfer();
         if (!transfer || transfer->buffer.empty()) return peer.inconclusive("the next message was not sent");
         if (transfer->buffer.front() == 0x33)
           return static_cast<void>(peer.require(rule<"SMBD-3.1.4.2-2">, true, {}, {}));
         if (!peer.require(rule<"SMBD-3.1.4.2-2">, transfer->buffer.front() == 0x11, "no part of it", "a part of it"))
           return;
       }
     })},
    {"application/{}-reports-what-was-sent",
     {&rule<"SMBD-3.1.4.2-6">, &rule<"SMBD-3.1.5.4-26">},
     "The IUT reports the result of a Send to its upper layer.",
     with_driven([](auto& peer) {
       const auto id = peer.upper().send(OctetBuffer(100, Octet{0x44}));
       if (!id) return peer.inconclusive("a message was refused: " + id.error().message);
       const auto sent = peer.template await<Sent>();
       peer.require_each({&rule<"SMBD-3.1.4.2-6">, &rule<"SMBD-3.1.5.4-26">}, sent && sent->id == *id && sent->ok,
                         "the message was sent", sent ? "another result" : "nothing");
     })},
    {"application/{}-invalidates-what-it-is-given",
     {&rule<"SMBD-3.1.4.2-7">, &rule<"SMBD-3.1.5.1-14">},
     "The IUT invalidates a token at the peer that is sent with a message of several segments.",
     with_driven([](auto& peer) {
       OctetBuffer& memory = peer.memory(OctetBuffer(64));
       const auto lent = peer.lend(memory, {.read = true});
       // Sent in two segments, so that one of them must carry it.
       const std::size_t octets =
           std::min<std::size_t>(kLeastMaxFragmentedSize, peer.request().max_receive_size + 5000u);
       static_cast<void>(peer.upper().send(OctetBuffer(octets, Octet{0x55}), lent.token));
       std::optional<Token> invalidated;
       for (Response next = peer.message(); next.is_message(); next = peer.message()) {
         if (next.invalidated) invalidated = next.invalidated;
         const auto transfer = next.transfer();
         if (!transfer || transfer->remaining_data_length == 0) break;
       }
       const std::string actual = invalidated ? fmt::format("token 0x{:08x}", *invalidated) : "none";
       const std::string expected = fmt::format("token 0x{:08x}", lent.token);
       peer.advise(rule<"SMBD-3.1.5.1-14">, invalidated == lent.token, expected, actual);
       peer.require(rule<"SMBD-3.1.4.2-7">, invalidated == lent.token, expected, actual);
     })},
    {"application/{}-keeps-the-token-of-what-waits",
     {&rule<"SMBD-3.1.1.1-3">},
     "The IUT invalidates a token at the peer that is sent with a message that waits for credits.",
     with_driven([](auto& peer) {
       constexpr Octet kWithToken = 0x56;
       OctetBuffer& memory = peer.memory(OctetBuffer(64));
       const auto lent = peer.lend(memory, {.read = true});
       peer.grant_nothing();
       for (std::uint32_t i = 0; i < 2u * Probe::kTarget; ++i) static_cast<void>(peer.upper().send(OctetBuffer(8)));
       while (peer.message().is_message()) continue;
       if (!peer.ok() || peer.ended()) return peer.inconclusive("messages that wait for credits end the connection");
       static_cast<void>(peer.upper().send(OctetBuffer(40, kWithToken), lent.token));
       if (!peer.await_credits(1)) return;
       const OctetBuffer word(8);
       DataTransfer grant = peer.segment(word);
       grant.credits_granted = 3 * Probe::kTarget;
       peer.send(grant);
       for (Response next = peer.message(); peer.ok(); next = peer.message()) {
         const auto transfer = next.transfer();
         // This includes a provider that ended the connection because of another's token, which cannot be shown.
         if (!transfer) return peer.inconclusive("a message that waited for credits was not sent");
         if (transfer->buffer.empty() || transfer->buffer.front() != kWithToken) continue;
         const std::string actual = next.invalidated ? fmt::format("token 0x{:08x}", *next.invalidated) : "none";
         peer.require(rule<"SMBD-3.1.1.1-3">, next.invalidated == lent.token, fmt::format("token 0x{:08x}", lent.token),
                      actual);
         return;
       }
     })},
    {"application/{}-reports-the-latest-token",
     {&rule<"SMBD-3.1.5.8-23">},
     "The IUT reports the later of two tokens that are invalidated with the segments of one message.",
     with_driven([](auto& peer) {
       const auto lent = peer.upper().register_buffer({OctetBuffer(64), OctetBuffer(64)}, {.read = true});
       if (!lent || lent->size() < 2) return peer.inconclusive("two buffers cannot be registered");
       const OctetBuffer data(40, Octet{0x66});
       if (!peer.await_credits(1)) return;
       peer.send(peer.segment(data, static_cast<std::uint32_t>(data.size())), lent->front().token);
       if (!peer.await_credits(1)) return;
       peer.send(peer.segment(data), lent->back().token);
       const auto told = peer.template await<Invalidated>();
       peer.require(rule<"SMBD-3.1.5.8-23">, told && told->token == lent->back().token,
                    fmt::format("token 0x{:08x}", lent->back().token),
                    told ? fmt::format("token 0x{:08x}", told->token) : "nothing");
     })},
    {"application/initiator-begins-without-a-token",
     {&rule<"SMBD-3.1.4.1-13">},
     "The IUT reports no token with the first message, because none was invalidated.",
     with<DrivenInitiator>([](DrivenInitiator& initiator) {
       initiator.connect_both();
       if (!initiator.await_credits(1)) return;
       initiator.send(initiator.segment(OctetBuffer(40, Octet{0x67})));
       const auto told = initiator.await<Invalidated>(initiator.run().silence_time());
       initiator.require(rule<"SMBD-3.1.4.1-13">, !told, "no token",
                         told ? fmt::format("token 0x{:08x}", told->token) : std::string());
     })},
    {"application/initiator-knows-no-read-write-size-at-first",
     {&rule<"SMBD-3.1.4.1-5">},
     "The IUT reports a MaxReadWriteSize of 0 for the connection until it has received the listener's.",
     with<DrivenInitiator>([](DrivenInitiator& initiator) {
       const auto limits = initiator.upper().query();
       if (!limits) return initiator.inconclusive("the query of the parameters was refused: " + limits.error().message);
       initiator.require(rule<"SMBD-3.1.4.1-5">, limits->max_read_write_size == 0, "0",
                         std::to_string(limits->max_read_write_size));
     })},
    {"application/{}-reports-what-was-invalidated",
     {&rule<"SMBD-3.1.5.8-18">, &rule<"SMBD-3.1.5.8-19">, &rule<"SMBD-3.1.5.8-20">},
     "The IUT reports a token that the peer invalidates to its upper layer with the message, and once.",
     with_driven([](auto& peer) {
       const auto lent = peer.upper().register_buffer({OctetBuffer(64)}, {.read = true});
       if (!lent) return peer.inconclusive("a buffer cannot be registered: " + lent.error().message);
       const OctetBuffer data(40, Octet{0x66});
       if (!peer.await_credits(1)) return;
       peer.send(peer.segment(data), lent->front().token);
       const auto told = peer.template await<Invalidated>();
       const std::string actual = told ? fmt::format("token 0x{:08x}", told->token) : "nothing";
       peer.require_each({&rule<"SMBD-3.1.5.8-18">, &rule<"SMBD-3.1.5.8-19">},
                         told && told->token == lent->front().token,
                         fmt::format("token 0x{:08x} is now invalid", lent->front().token), actual);
       if (!peer.ok()) return;
       if (!peer.template await<Received>()) return peer.inconclusive("the message was not delivered");
       if (!peer.await_credits(1)) return;
       peer.send(peer.segment(data));
       const auto first = peer.template await_any<Received, Invalidated>();
       if (!first) return peer.inconclusive("the next message was not delivered");
       const bool again = std::holds_alternative<Invalidated>(*first) ||
                          peer.template await<Invalidated>(std::chrono::milliseconds(1)).has_value();
       peer.require(rule<"SMBD-3.1.5.8-20">, !again, "no token", "a token again");
     })},
    {"application/{}-reports-the-end",
     {&rule<"SMBD-3.1.7.1-1">, &rule<"SMBD-3.1.7.1-2">},
     "The IUT notifies its upper layer that the connection is lost.",
     with_driven([](auto& peer) {
       peer.below().close();
       peer.flush();
       const bool told = peer.template await<Disconnected>().has_value();
       peer.require_each({&rule<"SMBD-3.1.7.1-1">, &rule<"SMBD-3.1.7.1-2">}, told, "the loss is reported", "nothing");
     })},
    {"application/{}-reports-a-terminated-stream",
     {&rule<"SMBD-3.1.7.1-1">},
     "The IUT notifies its upper layer that the connection was terminated.",
     with_driven([](auto& peer) {
       peer.below().terminate();
       peer.flush();
       peer.require(rule<"SMBD-3.1.7.1-1">, peer.template await<Disconnected>().has_value(), "the loss is reported",
                    "nothing");
     })},
    {"application/{}-reports-the-end-by-the-idle-timer",
     {&rule<"SMBD-3.1.6-6">},
     "The IUT reports that the idle timer ended the connection.",
     with_driven([](auto& peer) {
       const auto limits = peer.upper().query();
       if (!limits) return peer.inconclusive("the query of the parameters was refused: " + limits.error().message);
       peer.leave_keepalives_alone();
       const bool told = peer.template await<Disconnected>(limits->keepalive_interval + seconds{10}).has_value();
       if (!told && !peer.ended()) return peer.inconclusive("the idle timer did not end the connection");
       peer.require(rule<"SMBD-3.1.6-6">, told, "the loss is reported", "nothing");
     })},
    {"application/listener-reports-a-negotiation-that-never-came",
     {&rule<"SMBD-3.1.6-3">},
     "The IUT reports that the Negotiation Timer ended the connection.",
     with<DrivenListener>([](DrivenListener& listener) {
       const bool told = listener.await<Disconnected>(seconds{8}).has_value();
       if (!told && !listener.ended()) return listener.inconclusive("the Negotiation Timer did not end the connection");
       listener.require(rule<"SMBD-3.1.6-3">, told, "the loss is reported", "nothing");
     })},
};

}  // namespace

std::vector<Case> application_message_cases() {
  return cases_of(kRows, kRoleWords);
}

}  // namespace wirelaw::smbd

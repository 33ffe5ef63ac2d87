// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.1 and 3.2: messages of an application as seen on the wire, and its receives of messages from others.
#include <fmt/format.h>

#include "conformance/efa/3.1-req/rules.h"
#include "conformance/efa/3.2-cts/rules.h"
#include "conformance/efa/3.2-eager/rules.h"
#include "conformance/efa/3.2-longcts/rules.h"
#include "conformance/efa/3.2-medium/rules.h"
#include "conformance/efa/probes/driven.h"

namespace wirelaw::efa {
namespace {

using fabric::Receive;
using fabric::Send;

constexpr std::size_t kEager = 100, kMedium = 40'000, kLong = 200'000;
constexpr std::uint64_t kTag = 0x8877'6655'4433'2211, kCqData = 0x0000'0000'0a0b'0c0d;

std::string tag_text(const std::optional<std::uint64_t>& tag) {
  return tag ? fmt::format("tag {:#x}", *tag) : std::string("no tag");
}
std::string cq_text(const std::optional<std::uint64_t>& cq_data) {
  return cq_data ? fmt::format("CQ data {:#x}", *cq_data) : std::string("no CQ data");
}

// The message that this call sends on the wire. The case is inconclusive if none comes.
std::optional<WholeMessage> sent(DrivenRequester& peer, Send call) {
  peer.app.post(call);
  if (!peer.ok()) return std::nullopt;
  peer.intake().expected_octets = call.data.size();
  auto message = peer.take_message();
  if (!message) peer.inconclusive(fmt::format("a message of {} octets did not arrive completely", call.data.size()));
  return message;
}

void tags_as_it_is_called(DrivenRequester& peer) {
  peer.meet();
  fabric::Context context = 0;
  for (const std::size_t octets : {kEager, kMedium, kLong}) {
    for (const auto tag : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(kTag)}) {
      const auto message = sent(peer, {.context = ++context, .data = sample_octets(octets), .tag = tag});
      if (!message) return;
      peer.require(rule<"EFA-3.1-17">, message->tag == tag && message->request->tagged == tag.has_value(),
                   tag_text(tag), fmt::format("{} with {}", message->request->name, tag_text(message->tag)),
                   fmt::format("{} of {} octets", tag ? "fi_tsend" : "fi_send", octets));
    }
  }
}

void gives_cq_data(DrivenRequester& peer) {
  const Rule& demand = rule<"EFA-3.1-18">;
  peer.announce({});
  peer.meet();
  fabric::Context context = 0;
  for (const std::size_t octets : {kEager, kMedium, kLong}) {
    for (const auto cq_data : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(kCqData)}) {
      const auto message = sent(peer, {.context = ++context, .data = sample_octets(octets), .cq_data = cq_data});
      if (!message) return;
      peer.require(demand, message->cq_data == cq_data, cq_text(cq_data), cq_text(message->cq_data),
                   fmt::format("{} of {} octets", cq_data ? "fi_senddata" : "fi_send", octets));
    }
  }
  peer.app.post(fabric::Write{
      .context = 100, .data = sample_octets(kEager), .to = {kLent.addr, kEager, kLent.key}, .cq_data = kCqData});
  auto& reported = peer.intake().remote_cq_data();
  peer.await_until(peer.in(peer.run().answer_time()), [&] { return !reported.empty(); });
  peer.require(demand, !reported.empty() && reported.front() == kCqData, cq_text(kCqData),
               cq_text(reported.empty() ? std::nullopt : std::optional(reported.front())), "fi_writedata");
}

void eager_is_whole(DrivenRequester& peer) {
  peer.meet();
  fabric::Context context = 0;
  for (const std::size_t octets : {0u, 1u, 100u, 4'000u}) {
    const OctetBuffer data = sample_octets(octets, 5);
    const auto message = sent(peer, {.context = ++context, .data = data});
    if (!message) return;
    if (message->request->transfer != Transfer::eager) continue;
    peer.require(rule<"EFA-3.2-20">, message->octets == data, size_of(data), difference(data, message->octets),
                 fmt::format("{} carries a message of {} octets", message->request->name, octets));
  }
}

void goes_on_when_the_queue_has_room(DrivenRequester& peer) {
  peer.meet();
  peer.app.trouble({.packets = 1});
  const OctetBuffer data = sample_octets(kMedium);
  peer.app.post(Send{.context = 1, .data = data});
  peer.listen();
  if (!peer.ok()) return;
  const Received* const first = peer.find(peer.now(), [](const Received& one) {
    return is_request(one) && one.packet.layout()->transfer == Transfer::medium;
  });
  if (first == nullptr) return peer.skip("the application's provider sends no medium message of 40,000 octets");
  peer.app.trouble({});
  if (!peer.ok()) return;
  peer.intake().expected_octets = data.size();
  const auto message = peer.take_message();
  const auto completion = peer.app.completion_of(1);
  peer.require(rule<"EFA-3.2-49">, message && message->octets == data, size_of(data),
               message ? difference(data, message->octets) : "a part of it; " + to_text(completion),
               "after the first segment the device's queue was full for a while");
}

void cancels_what_cannot_be_sent(DrivenRequester& peer) {
  const Rule& demand = rule<"EFA-3.2-74">;
  fabric::Context context = 0;
  for (const std::size_t octets : {kEager, kLong}) {
    peer.app.trouble({.reaches = false});
    const auto completion = peer.app.outcome_of(Send{.context = ++context, .data = sample_octets(octets)});
    if (!peer.ok()) return;
    const std::string what = fmt::format("fi_send of {} octets, whose first packet could not be sent", octets);
    peer.require(demand, completion && !completion->ok(), "an error", to_text(completion), what);
    peer.app.trouble({});
    peer.expect_none(
        demand, [](const Received& one) { return is_request(one); }, "nothing of the message", what);
  }
}

void sends_cts_with_the_receive(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-3.2-112">;
  peer.meet();
  if (!peer.ok()) return;
  const std::uint32_t send_id = peer.fresh_id();
  const OctetBuffer data = sample_octets(kLong);
  for (const OctetBuffer& packet :
       peer.message_packets(peer.next_msg_id(), data, {.transfer = Transfer::long_cts, .in_request = 1'000}, send_id))
    peer.send_octets(packet);
  peer.expect_none(
      demand, [](const Received& one) { return one.is(PacketType::cts); },
      "no CTS before the application calls for a receive");
  peer.app.post(Receive{.context = 1, .octets = kLong});
  if (!peer.ok()) return;
  const Received* const cts = peer.await(PacketType::cts);
  if (peer.ok())
    peer.require(demand, cts != nullptr && cts->packet.send_id == send_id, "a CTS after fi_recv", to_text(cts));
}

void gets_cq_data(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-3.1-19">;
  peer.meet();
  fabric::Context context = 0;
  for (const Transfer transfer : {Transfer::eager, Transfer::medium, Transfer::long_cts}) {
    const OctetBuffer data = sample_octets(transfer == Transfer::eager ? kEager : kMedium);
    for (const auto cq_data : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(kCqData)}) {
      peer.app.post(Receive{.context = ++context, .octets = data.size()});
      peer.send_message(data, {.transfer = transfer, .cq_data = cq_data});
      if (!peer.ok()) return;
      const auto completion = peer.app.completion_of(context);
      if (!peer.ok()) return;
      if (!completion || !completion->ok()) return peer.inconclusive("a message was not received");
      const auto given = completion->has(fabric::cq::kRemoteCqData) ? completion->cq_data : std::nullopt;
      peer.require(demand, given == cq_data, cq_text(cq_data), cq_text(given),
                   fmt::format("a message of {} octets", data.size()));
    }
  }
}

const CaseRow kRows[] = {
    driven_case("application/requester/tags", rule<"EFA-3.1-17">,
                "The requester sends TAGRTM packets with the tag for fi_tsend, and MSGRTM packets for fi_send.",
                tags_as_it_is_called),
    driven_case("application/requester/cq-data", rule<"EFA-3.1-18">,
                "The requester puts the CQ data of fi_senddata and fi_writedata in the header, and none if the "
                "application gave none.",
                gives_cq_data),
    driven_case("application/requester/eager-is-whole", rule<"EFA-3.2-20">,
                "The requester sends eager packets that carry exactly the octets that were sent.", eager_is_whole),
    driven_case("application/requester/queue-full-amid-a-message", rule<"EFA-3.2-49">,
                "The requester sends the segments of a medium message when the device has room for them again.",
                goes_on_when_the_queue_has_room),
    driven_case(
        "application/requester/message-unsent", rule<"EFA-3.2-74">,
        "The requester reports an error for a message whose request could not be sent, and sends nothing of it later.",
        cancels_what_cannot_be_sent),
    driven_case("application/responder/told-of-cq-data-of-messages", rule<"EFA-3.1-19">,
                "The responder reports the CQ data of eager, medium and long-CTS messages in the completion of the "
                "receive, and none if there was none.",
                gets_cq_data),
    driven_case("application/responder/cts-with-the-receive", rule<"EFA-3.2-112">,
                "The responder sends the first CTS for a long-CTS message when the application has posted a receive "
                "for it, not before.",
                sends_cts_with_the_receive),
};

}  // namespace

std::vector<Case> application_message_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa

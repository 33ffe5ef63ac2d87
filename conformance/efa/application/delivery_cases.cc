// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.2: delivery complete, as the applications of both sides see it.
#include <fmt/format.h>

#include "conformance/efa/4.2-delivery-complete/rules.h"
#include "conformance/efa/probes/driven.h"

namespace wirelaw::efa {
namespace {

using fabric::Receive;
using fabric::Send;

constexpr std::size_t kEager = 100, kMedium = 40'000, kLong = 200'000;

bool asks_for_receipt(const Received& one) {
  return is_request(one) && one.packet.layout()->delivery_complete;
}

// Meets a peer whose application can request delivery complete. Returns false if the case cannot continue.
bool meet_with_delivery_complete(DrivenRequester& peer, std::initializer_list<Extra> extras) {
  if (!peer.app.abilities().delivery_complete) {
    peer.skip("the provider has no delivery complete");
    return false;
  }
  peer.announce(extras);
  peer.meet();
  return peer.ok();
}

void completes_with_the_receipt(DrivenRequester& peer) {
  const Rule& demand = rule<"EFA-4.2-20">;
  peer.leave(asks_for_receipt);
  if (!meet_with_delivery_complete(peer, {Extra::delivery_complete})) return;
  for (const bool writes : {false, true}) {
    const fabric::Context context = writes ? 2 : 1;
    const OctetBuffer data = sample_octets(kEager);
    if (writes)
      peer.app.post(fabric::Write{
          .context = context, .data = data, .to = {kLent.addr, kEager, kLent.key}, .delivery_complete = true});
    else
      peer.app.post(Send{.context = context, .data = data, .delivery_complete = true});
    const Received* const request = peer.await(asks_for_receipt);
    if (!peer.ok()) return;
    if (request == nullptr) return peer.inconclusive("no packet that asks for a RECEIPT came");
    const std::string what = request->packet.layout()->name.data();
    peer.app.expect_silence(demand, what + " has come, and is not answered yet");
    Packet receipt = peer.answer(PacketType::receipt);
    receipt.send_id = request->packet.send_id;
    receipt.msg_id = writes ? 0 : request->packet.msg_id;
    peer.send(receipt);
    peer.app.expect_completion(demand, context, "the RECEIPT was sent");
  }
}

void has_the_data_with_the_receipt(DrivenResponder& peer) {
  const Rule& demand = rule<"EFA-4.2-21">;
  peer.meet();
  if (!peer.ok()) return;
  if (!peer.peer_announces(Extra::delivery_complete))
    return peer.skip("the responder does not announce delivery complete");
  fabric::Context context = 0;
  for (const Transfer transfer : {Transfer::eager, Transfer::medium, Transfer::long_cts}) {
    const OctetBuffer data = sample_octets(transfer == Transfer::eager ? kEager : kMedium, 3);
    peer.app.post(Receive{.context = ++context, .octets = data.size()});
    if (!peer.send_message(data, {.transfer = transfer, .delivery_complete = true}) && peer.ok())
      return peer.inconclusive("no RECEIPT came");
    const OctetBuffer buffer = peer.app.buffer(context);
    if (!peer.ok()) return;
    peer.require(demand, buffer == data, size_of(data), difference(data, buffer),
                 "the buffer of the receive when the RECEIPT arrives");
  }
  const RmaIov region = peer.app.region(OctetBuffer(kMedium));
  const OctetBuffer data = sample_octets(kMedium, 4);
  if (peer.ok() && !peer.write({region}, data, {.transfer = Transfer::long_cts, .delivery_complete = true}))
    return peer.inconclusive("no RECEIPT for a write came");
  const OctetBuffer memory = peer.app.memory(region.key);
  if (!peer.ok()) return;
  peer.require(demand, memory == data, size_of(data), difference(data, memory),
               "the written memory when the RECEIPT arrives");
}

void is_refused_delivery_complete(DrivenRequester& peer) {
  if (!meet_with_delivery_complete(peer, {})) return;
  const auto completion =
      peer.app.outcome_of(Send{.context = 1, .data = sample_octets(kEager), .delivery_complete = true});
  if (!peer.ok()) return;
  peer.require(rule<"EFA-4.2-22">, completion && !completion->ok(), "an error from fi_sendmsg or in the completion",
               to_text(completion), "FI_DELIVERY_COMPLETE, which the peer's HANDSHAKE does not announce");
}

// A long read is as good: its EOR shows the same.
void asks_for_receipts(DrivenRequester& peer) {
  const Rule& demand = rule<"EFA-4.2-23">;
  if (!meet_with_delivery_complete(peer, {Extra::delivery_complete})) return;
  fabric::Context context = 0;
  const auto judge = [&](Purpose purpose, std::size_t octets) {
    const Received* const request = peer.await(
        [purpose](const Received& one) { return is_request(one) && one.packet.layout()->purpose == purpose; });
    if (!peer.ok()) return;
    peer.require(demand,
                 request != nullptr && (request->packet.layout()->delivery_complete ||
                                        request->packet.layout()->transfer == Transfer::long_read),
                 "a DC packet", to_text(request), fmt::format("{} octets with FI_DELIVERY_COMPLETE", octets));
  };
  peer.leave(is_request);
  for (const std::size_t octets : {kEager, kLong}) {
    peer.app.post(Send{.context = ++context, .data = sample_octets(octets), .delivery_complete = true});
    judge(Purpose::message, octets);
    peer.app.post(fabric::Write{.context = ++context,
                                .data = sample_octets(octets),
                                .to = {kLent.addr, octets, kLent.key},
                                .delivery_complete = true});
    judge(Purpose::write, octets);
  }
}

const CaseRow kRows[] = {
    driven_case(
        "application/requester/completes-with-the-receipt", rule<"EFA-4.2-20">,
        "The requester completes a send and a write with delivery complete when the RECEIPT arrives, not before.",
        completes_with_the_receipt),
    driven_case(
        "application/responder/data-with-the-receipt", rule<"EFA-4.2-21">,
        "The responder has the data of messages and writes in the application's buffer when it sends the RECEIPT.",
        has_the_data_with_the_receipt),
    driven_case("application/requester/delivery-complete-refused", rule<"EFA-4.2-22">,
                "The requester reports an error for a send with delivery complete to a peer that has not announced it.",
                is_refused_delivery_complete),
    driven_case("application/requester/asks-for-receipts", rule<"EFA-4.2-23">,
                "The requester sends DC packets for sends and writes with delivery complete, short and long.",
                asks_for_receipts),
};

}  // namespace

std::vector<Case> application_delivery_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa

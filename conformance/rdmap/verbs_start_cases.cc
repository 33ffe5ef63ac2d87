// SPDX-License-Identifier: Apache-2.0
// What a consumer of verbs sees of the start of a stream (RFC 5044, 7.1; RFC 6581, 9.1).
#include <algorithm>

#include "conformance/rdmap/driven.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

// Octets behind it are padding of the connection manager.
bool begins_with(Octets whole, Octets wanted) {
  return whole.size() >= wanted.size() && std::ranges::equal(whole.first(wanted.size()), wanted);
}

std::string depths_text(const std::optional<CmEvent>& event) {
  if (!event) return "no event";
  return fmt::format("responder_resources {}, initiator_depth {}", event->responder_resources, event->initiator_depth);
}

// Whichever way round the device tells them: librdmacm's words are read in both.
bool tells(const std::optional<CmEvent>& event, unsigned one, unsigned other) {
  return event && ((event->responder_resources == one && event->initiator_depth == other) ||
                   (event->responder_resources == other && event->initiator_depth == one));
}

void responder_gets_private_data(DrivenResponder& peer) {
  const OctetBuffer data = data_of(24);
  peer.request({.private_data = data});
  const auto event = peer.app.await_cm({CmEventType::connect_request});
  peer.app.require({"MPA-7.1.1-17"}, event && begins_with(event->private_data, data), octets_text(data),
                   event ? octets_text(event->private_data) : "no RDMA_CM_EVENT_CONNECT_REQUEST",
                   "the private data of the Request, as RDMA_CM_EVENT_CONNECT_REQUEST tells it");
}

void initiator_gets_private_data(DrivenInitiator& peer) {
  const OctetBuffer data = data_of(24);
  static_cast<void>(peer.app.device().connect({}));
  peer.next_request();
  StartOptions reply = peer.good_reply();
  reply.private_data = data;
  peer.accept(reply);
  const auto event = peer.app.await_cm({CmEventType::established});
  peer.app.require({"MPA-7.1.1-17"}, event && begins_with(event->private_data, data), octets_text(data),
                   event ? octets_text(event->private_data) : "no RDMA_CM_EVENT_ESTABLISHED",
                   "the private data of the Reply, as RDMA_CM_EVENT_ESTABLISHED tells it");
}

constexpr std::uint16_t kIrd = 3, kOrd = 5;

void responder_gets_depths(DrivenResponder& peer) {
  peer.request({.enhanced = mpa::EnhancedData{.ird = kIrd, .ord = kOrd}});
  const auto event = peer.app.await_cm({CmEventType::connect_request});
  peer.app.require({"ECE-9.1-1"}, tells(event, kIrd, kOrd), "an IRD of 3 and an ORD of 5, as the Request has them",
                   depths_text(event));
}

void initiator_gets_depths(DrivenInitiator& peer) {
  static_cast<void>(peer.app.device().connect({}));
  peer.next_request();
  StartOptions reply = peer.good_reply();
  if (peer.ok() && !reply.enhanced) return peer.skip("the device asks for no enhanced set-up (RFC 6581)");
  if (!peer.ok()) return;
  reply.enhanced->ird = std::min(reply.enhanced->ird, kIrd);
  reply.enhanced->ord = std::min(reply.enhanced->ord, kOrd);
  peer.accept(reply);
  const auto event = peer.app.await_cm({CmEventType::established});
  peer.app.require(
      {"ECE-9.1-12"}, tells(event, reply.enhanced->ird, reply.enhanced->ord),
      fmt::format("an IRD of {} and an ORD of {}, as the Reply has them", reply.enhanced->ird, reply.enhanced->ord),
      depths_text(event));
}

void responder_rejects(DrivenResponder& peer) {
  peer.request();
  if (!peer.app.await_cm({CmEventType::connect_request}))
    return peer.inconclusive("no RDMA_CM_EVENT_CONNECT_REQUEST came");
  if (const auto rejected = peer.app.device().reject(data_of(8)); !rejected)
    return peer.inconclusive("rdma_reject has failed: " + rejected.error().message);
  peer.judge(rule_of("MPA-7.1.2-4"), peer.next(), {rejects()}, "the application has called rdma_reject");
}

void initiator_reports_a_bad_reply(DrivenInitiator& peer) {
  static_cast<void>(peer.app.device().connect({}));
  peer.next_request();
  mpa::StartFrame reply = frame_of(mpa::FrameKind::reply, {});
  reply.key.back() ^= 1;
  peer.send_start(reply);
  const auto event = peer.app.await_cm({CmEventType::connect_error, CmEventType::unreachable, CmEventType::rejected,
                                        CmEventType::disconnected, CmEventType::established});
  peer.app.require({"MPA-7.1.1-18"}, event && event->type != CmEventType::established,
                   "an event that tells of the failure, as RDMA_CM_EVENT_CONNECT_ERROR",
                   event ? verbs::to_string(event->type) : "no event",
                   "the Reply has another key than the one assigned");
}

constexpr auto binds_its_queue_pair = [](auto& peer) {
  if (!peer.open()) return;
  const auto info = peer.app.device().query_qp();
  if (info && info->state != QpState::reset && info->state != QpState::unknown) {
    peer.app.require({"MPA-7.1-2"}, info->state == QpState::rts, "IBV_QPS_RTS", verbs::to_string(info->state));
    return;
  }
  // The driver reports no state (V-11): where the work of the queue pair goes shows what it is bound to.
  const OctetBuffer data = data_of(32);
  peer.app.post(Driver::send_of(1, peer.app.region_of(data)));
  const auto sent = peer.message(Opcode::send);
  peer.app.require({"MPA-7.1-2"}, sent == data, octets_text(data), octets_text(sent, peer.last()),
                   "a Send that is posted to the queue pair, on the connection that has been set up");
};

}  // namespace

void add_verbs_start_cases(std::vector<Case>& cases) {
  cases.push_back({.id = "verbs/responder/passes-private-data-on",
                   .iut = Role::responder,
                   .rules = rules_of({"MPA-7.1.1-17"}),
                   .purpose = "The application is told the private data of the Request.",
                   .run = driven<DrivenResponder>([](auto& peer) { responder_gets_private_data(peer); })});
  cases.push_back({.id = "verbs/initiator/passes-private-data-on",
                   .iut = Role::initiator,
                   .rules = rules_of({"MPA-7.1.1-17"}),
                   .purpose = "The application is told the private data of the Reply.",
                   .run = driven<DrivenInitiator>([](auto& peer) { initiator_gets_private_data(peer); })});
  cases.push_back({.id = "verbs/responder/passes-depths-on",
                   .iut = Role::responder,
                   .rules = rules_of({"ECE-9.1-1"}),
                   .purpose = "The application is told the IRD and ORD of the Request.",
                   .run = driven<DrivenResponder>([](auto& peer) { responder_gets_depths(peer); })});
  cases.push_back({.id = "verbs/initiator/passes-depths-on",
                   .iut = Role::initiator,
                   .rules = rules_of({"ECE-9.1-12"}),
                   .purpose = "The application is told the IRD and ORD of the Reply.",
                   .run = driven<DrivenInitiator>([](auto& peer) { initiator_gets_depths(peer); })});
  cases.push_back({.id = "verbs/responder/rejects-by-a-reply",
                   .iut = Role::responder,
                   .rules = rules_of({"MPA-7.1.2-4"}),
                   .purpose = "What the application rejects is answered by a Reply with R.",
                   .run = driven<DrivenResponder>([](auto& peer) { responder_rejects(peer); })});
  cases.push_back({.id = "verbs/initiator/reports-a-bad-reply",
                   .iut = Role::initiator,
                   .rules = rules_of({"MPA-7.1.1-18"}),
                   .purpose = "The application is told that the start has failed by a Reply that is none.",
                   .run = driven<DrivenInitiator>([](auto& peer) { initiator_reports_a_bad_reply(peer); })});
  add_driven(cases,
             {.ids = {"verbs/responder/binds-its-queue-pair", "verbs/initiator/binds-its-queue-pair"},
              .rules = {"MPA-7.1-2"},
              .purpose = "The queue pair is connected when Full Operation has begun."},
             binds_its_queue_pair);
}

}  // namespace wirelaw::rdmap

// SPDX-License-Identifier: Apache-2.0
// Cases for the events that a consumer of verbs gets when a stream starts (RFC 5044, 7.1; RFC 6581, 9.1).
#include <algorithm>

#include "conformance/rdmap/ece/9.1-ird-and-ord/rules.h"
#include "conformance/rdmap/mpa/7.1-setup/rules.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/mpa/7.1.2-startup/rules.h"
#include "conformance/rdmap/probes/driven.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

// Octets after it are padding of the connection manager.
bool begins_with(Octets whole, Octets wanted) {
  return whole.size() >= wanted.size() && std::ranges::equal(whole.first(wanted.size()), wanted);
}

std::string depths_text(const std::optional<CmEvent>& event) {
  if (!event) return "no event";
  return fmt::format("responder_resources {}, initiator_depth {}", event->responder_resources, event->initiator_depth);
}

// Whichever way round the device reports them: librdmacm's words are read in both.
bool has_depths(const std::optional<CmEvent>& event, unsigned one, unsigned other) {
  return event && ((event->responder_resources == one && event->initiator_depth == other) ||
                   (event->responder_resources == other && event->initiator_depth == one));
}

void responder_gets_private_data(DrivenResponder& responder) {
  const OctetBuffer data = sample_octets(24);
  responder.request({.private_data = data});
  const auto event = responder.app.await_cm({CmEventType::connect_request});
  responder.app.require({&rule<"MPA-7.1.1-17">}, event && begins_with(event->private_data, data), octets_text(data),
                        event ? octets_text(event->private_data) : "no RDMA_CM_EVENT_CONNECT_REQUEST",
                        "the private data of the Request, in RDMA_CM_EVENT_CONNECT_REQUEST");
}

void initiator_gets_private_data(DrivenInitiator& initiator) {
  const OctetBuffer data = sample_octets(24);
  static_cast<void>(initiator.app.device().connect({}));
  initiator.next_request();
  StartOptions reply = initiator.good_reply();
  reply.private_data = data;
  initiator.accept(reply);
  const auto event = initiator.app.await_cm({CmEventType::established});
  initiator.app.require({&rule<"MPA-7.1.1-17">}, event && begins_with(event->private_data, data), octets_text(data),
                        event ? octets_text(event->private_data) : "no RDMA_CM_EVENT_ESTABLISHED",
                        "the private data of the Reply, in RDMA_CM_EVENT_ESTABLISHED");
}

constexpr std::uint16_t kIrd = 3, kOrd = 5;

void responder_gets_depths(DrivenResponder& responder) {
  responder.request({.enhanced = mpa::EnhancedData{.ird = kIrd, .ord = kOrd}});
  const auto event = responder.app.await_cm({CmEventType::connect_request});
  responder.app.require({&rule<"ECE-9.1-1">}, has_depths(event, kIrd, kOrd),
                        "an IRD of 3 and an ORD of 5, as in the Request", depths_text(event));
}

void initiator_gets_depths(DrivenInitiator& initiator) {
  static_cast<void>(initiator.app.device().connect({}));
  initiator.next_request();
  StartOptions reply = initiator.good_reply();
  if (initiator.ok() && !reply.enhanced)
    return initiator.skip("the device does not request enhanced set-up (RFC 6581)");
  if (!initiator.ok()) return;
  reply.enhanced->ird = std::min(reply.enhanced->ird, kIrd);
  reply.enhanced->ord = std::min(reply.enhanced->ord, kOrd);
  initiator.accept(reply);
  const auto event = initiator.app.await_cm({CmEventType::established});
  initiator.app.require(
      {&rule<"ECE-9.1-12">}, has_depths(event, reply.enhanced->ird, reply.enhanced->ord),
      fmt::format("an IRD of {} and an ORD of {}, as in the Reply", reply.enhanced->ird, reply.enhanced->ord),
      depths_text(event));
}

void responder_rejects(DrivenResponder& responder) {
  responder.request();
  if (!responder.app.await_cm({CmEventType::connect_request}))
    return responder.inconclusive("no RDMA_CM_EVENT_CONNECT_REQUEST came");
  if (const auto rejected = responder.app.device().reject(sample_octets(8)); !rejected)
    return responder.inconclusive("rdma_reject failed: " + rejected.error().message);
  responder.judge(rule<"MPA-7.1.2-4">, responder.next(), {rejects()}, "the application has called rdma_reject");
}

void initiator_reports_a_bad_reply(DrivenInitiator& initiator) {
  static_cast<void>(initiator.app.device().connect({}));
  initiator.next_request();
  mpa::StartFrame reply = frame_of(mpa::FrameKind::reply, {});
  reply.key.back() ^= 1;
  initiator.send_start(reply);
  const auto event =
      initiator.app.await_cm({CmEventType::connect_error, CmEventType::unreachable, CmEventType::rejected,
                              CmEventType::disconnected, CmEventType::established});
  initiator.app.require({&rule<"MPA-7.1.1-18">}, event && event->type != CmEventType::established,
                        "an event that reports the failure, such as RDMA_CM_EVENT_CONNECT_ERROR",
                        event ? verbs::to_string(event->type) : "no event",
                        "the Reply has a key other than the assigned one");
}

constexpr auto binds_its_queue_pair = [](auto& peer) {
  if (!peer.open()) return;
  const auto info = peer.app.device().query_qp();
  if (info && info->state != QpState::reset && info->state != QpState::unknown) {
    peer.app.require({&rule<"MPA-7.1-2">}, info->state == QpState::rts, "IBV_QPS_RTS", verbs::to_string(info->state));
    return;
  }
  // The driver reports no state (RDMAP/V-11): so the destination of its work shows the binding of the queue pair.
  const OctetBuffer data = sample_octets(32);
  peer.app.post(Driver::send_of(1, peer.app.region_of(data)));
  const auto sent = peer.message(Opcode::send);
  peer.app.require({&rule<"MPA-7.1-2">}, sent == data, octets_text(data), octets_text(sent, peer.last()),
                   "a Send that is posted to the queue pair on the established connection");
};

const CaseRow kRows[] = {
    {"verbs/responder/passes-private-data-on",
     {&rule<"MPA-7.1.1-17">},
     "The IUT gives its application the private data of the Request.",
     with<responder_gets_private_data>()},
    {"verbs/initiator/passes-private-data-on",
     {&rule<"MPA-7.1.1-17">},
     "The IUT gives its application the private data of the Reply.",
     with<initiator_gets_private_data>()},
    {"verbs/responder/passes-depths-on",
     {&rule<"ECE-9.1-1">},
     "The IUT gives its application the IRD and ORD of the Request.",
     with<responder_gets_depths>()},
    {"verbs/initiator/passes-depths-on",
     {&rule<"ECE-9.1-12">},
     "The IUT gives its application the IRD and ORD of the Reply.",
     with<initiator_gets_depths>()},
    {"verbs/responder/rejects-by-a-reply",
     {&rule<"MPA-7.1.2-4">},
     "The IUT sends a Reply with R set when its application rejects.",
     with<responder_rejects>()},
    {"verbs/initiator/reports-a-bad-reply",
     {&rule<"MPA-7.1.1-18">},
     "The IUT reports to its application that an invalid Reply has made the start fail.",
     with<initiator_reports_a_bad_reply>()},
    {"verbs/{}/binds-its-queue-pair",
     {&rule<"MPA-7.1-2">},
     "The IUT connects the queue pair when Full Operation has begun.",
     with_driven(binds_its_queue_pair)},
};

}  // namespace

void add_verbs_start_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap

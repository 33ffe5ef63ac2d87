// SPDX-License-Identifier: Apache-2.0
// A consumer of verbs is notified of errors and of the end, and its outstanding work is completed or flushed (RFC 5040,
// 5.4, 6.2 and 7; RFC 5041, 6.2 and 7; RFC 5044, 7.2 and 8).
#include <algorithm>

#include "conformance/rdmap/ddp/3-lower-layer/rules.h"
#include "conformance/rdmap/ddp/6-streams/rules.h"
#include "conformance/rdmap/ddp/8-security/rules.h"
#include "conformance/rdmap/mpa/7.2-teardown/rules.h"
#include "conformance/rdmap/mpa/8-errors/rules.h"
#include "conformance/rdmap/probes/driven.h"
#include "conformance/rdmap/rdmap/4.1-control-field/rules.h"
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/rdmap/6.2-teardown/rules.h"
#include "conformance/rdmap/rdmap/7.1-error-surfacing/rules.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

// Posts two Reads, of which only one may be sent at a time, then a Send; and two receives.
template <class Peer>
bool post_what_waits(Peer& peer) {
  const Region sink = peer.app.region(32, kSink), data = peer.app.region_of(sample_octets(32));
  peer.app.post_recv(11, peer.app.region(64));
  peer.app.post_recv(12, peer.app.region(64));
  peer.app.post(Driver::read_of(1, sink, kFar));
  peer.app.post(Driver::read_of(2, sink, {kFar.stag, kFar.to + 64}));
  peer.app.post(Driver::send_of(3, data));
  if (peer.ok() && !peer.await_read()) peer.inconclusive("no Read Request came");
  return peer.ok();
}

template <class Peer>
void expect_reported(Peer& peer, std::initializer_list<const Rule*> rules, std::string_view explanation) {
  const std::string reported = peer.app.reported_end();
  peer.app.require(
      rules, !reported.empty(),
      "the application is notified by the state of the queue pair, a connection event or an asynchronous event",
      reported.empty() ? "nothing is reported" : reported, explanation);
}

constexpr auto reports_a_terminate = [](auto& peer) {
  if (!peer.open({.initiator_depth = 1}) || !post_what_waits(peer)) return;
  send_terminate(peer, Terminate{.error = error::kLocalCatastrophic});
  expect_reported(peer, {&rule<"RDMAP-5.4-6">}, "the wire has sent a Terminate");
  peer.app.expect_flushed({&rule<"RDMAP-5.4-8">, &rule<"RDMAP-6.2.1-3">}, Cq::send, {1, 2, 3},
                          "two Reads without a response, followed by a Send");
  peer.app.expect_flushed({&rule<"RDMAP-6.2.1-3">}, Cq::receive, {11, 12}, "receives that no message has arrived for");
};

constexpr auto reports_a_terminate_with_an_stag = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = peer.app.region(64);
  send_terminate(peer, Terminate{.error = error::kLocalCatastrophic},
                 [&](ddp::Header& header) { header.rsvd_ulp_rest = region.rkey; });
  expect_reported(peer, {&rule<"RDMAP-4.1-38">},
                  "a Terminate whose Invalidate STag, which is ignored on reception, is not zero");
};

constexpr auto reports_a_terminate_that_is_cut = [](auto& peer) {
  if (!peer.open()) return;
  send_terminate(peer, OctetBuffer{0, 0});
  expect_reported(peer, {&rule<"RDMAP-5.4-7">}, "a Terminate of two octets (RDMAP/A-43)");
};

constexpr auto reports_an_error = [](auto& peer) {
  if (!peer.open({.initiator_depth = 1}) || !post_what_waits(peer)) return;
  peer.write(sample_octets(16), kNobodysStag, 0);
  expect_reported(peer, {&rule<"RDMAP-7.1-1">, &rule<"DDP-8.3-4">}, "a Write to an STag that was not advertised");
  peer.app.expect_flushed({&rule<"RDMAP-5.4-8">}, Cq::send, {1, 2, 3},
                          "what had not been sent when the IUT terminated");
};

constexpr auto reports_its_own_error = [](auto& peer) {
  if (!peer.open()) return;
  const Region gone = peer.app.region(64);
  static_cast<void>(peer.app.device().dereg_mr(gone));
  if (!peer.app.device().post_send(Driver::send_of(1, gone)))
    return peer.skip("the device refuses the work request itself");
  const auto wc = peer.app.completion(Cq::send);
  peer.app.require({&rule<"RDMAP-7.1-1">}, wc && wc->status != WcStatus::success, "a completion in error", to_text(wc),
                   "a Send from memory that is no longer registered");
  const Response answer =
      peer.await(peer.in(peer.run().answer_time()), [](const Response& one) { return one.is(Opcode::terminate); });
  const auto terminate = answer.terminate();
  peer.app.require({&rule<"RDMAP-7.1-3">}, terminate && !terminate->has_ddp_header && !terminate->has_rdma_header,
                   "a Terminate without headers", to_text(answer),
                   "the Send cannot be sent because its local buffer is gone (7.1, case 1)");
};

constexpr auto reports_a_reset = [](auto& peer) {
  if (!peer.open({.initiator_depth = 1}) || !post_what_waits(peer)) return;
  peer.end(Ending::reset);
  expect_reported(peer,
                  {&rule<"DDP-3-3">, &rule<"DDP-6.2.2-1">, &rule<"DDP-6.2.2-2">, &rule<"DDP-7-1">, &rule<"MPA-8-1">},
                  "the connection was reset");
  peer.app.expect_flushed({&rule<"DDP-3-3">, &rule<"DDP-6.2.2-4">}, Cq::send, {1, 2, 3},
                          "two Reads without a response, followed by a Send");
  peer.app.expect_flushed({&rule<"DDP-6.2.2-4">}, Cq::receive, {11, 12}, "receives that no message has arrived for");
};

constexpr auto reports_a_close = [](auto& peer) {
  if (!peer.open()) return;
  peer.end(Ending::closed);
  expect_reported(peer, {&rule<"DDP-3-9">, &rule<"MPA-7.2-2">},
                  "the wire has closed its direction in order, with no operation outstanding");
  if (!peer.ok()) return;
  static_cast<void>(peer.app.device().disconnect());
  const Response answer = peer.await(peer.in(peer.run().answer_time()), [](const Response&) { return false; });
  peer.judge(rule<"DDP-6.2.1-5">, answer, {closes()}, "the application has called rdma_disconnect");
};

constexpr auto takes_nothing_after_its_end = [](auto& peer) {
  if (!peer.open()) return;
  const Region data = peer.app.region_of(sample_octets(32));
  if (const auto ended = peer.app.device().disconnect(); !ended)
    return peer.inconclusive("rdma_disconnect failed: " + ended.error().message);
  const Response answer = peer.await(peer.in(peer.run().answer_time()), [](const Response&) { return false; });
  if (!peer.ok()) return;
  const auto posted = peer.app.device().post_send(Driver::send_of(1, data));
  const auto wc = posted ? peer.app.completion(Cq::send) : std::nullopt;
  peer.app.require({&rule<"DDP-6.2.1-2">}, !posted || (wc && wc->status != WcStatus::success),
                   "an error from ibv_post_send or in the completion", to_text(wc),
                   fmt::format("a Send after rdma_disconnect, of which the wire has received: {}", to_text(answer)));
};

const CaseRow kRows[] = {
    {"verbs/{}/tells-of-a-terminate",
     {&rule<"RDMAP-5.4-6">, &rule<"RDMAP-5.4-8">, &rule<"RDMAP-6.2.1-3">},
     "The IUT reports a Terminate to the application, and completes its posted work in error.",
     with_driven(reports_a_terminate)},
    {"verbs/{}/tells-of-a-terminate-with-an-stag",
     {&rule<"RDMAP-4.1-38">},
     "The IUT accepts a Terminate whatever its Invalidate STag.",
     with_driven(reports_a_terminate_with_an_stag)},
    {"verbs/{}/tells-of-a-cut-terminate",
     {&rule<"RDMAP-5.4-7">},
     "The IUT reports an invalid Terminate to the application as an error.",
     with_driven(reports_a_terminate_that_is_cut)},
    {"verbs/{}/tells-of-an-error",
     {&rule<"RDMAP-5.4-8">, &rule<"RDMAP-7.1-1">, &rule<"DDP-8.3-4">},
     "The IUT reports an error of the peer to the application, and fails work that it had not sent.",
     with_driven(reports_an_error)},
    {"verbs/{}/tells-of-its-own-error",
     {&rule<"RDMAP-7.1-1">, &rule<"RDMAP-7.1-3">},
     "The IUT completes a Send whose local buffer is gone in error, and sends a Terminate instead.",
     with_driven(reports_its_own_error)},
    {"verbs/{}/tells-of-a-reset",
     {&rule<"DDP-3-3">, &rule<"DDP-6.2.2-1">, &rule<"DDP-6.2.2-2">, &rule<"DDP-6.2.2-4">, &rule<"DDP-7-1">,
      &rule<"MPA-8-1">},
     "The IUT reports the loss of the connection to the application, and fails its work.",
     with_driven(reports_a_reset)},
    {"verbs/{}/tells-of-a-close",
     {&rule<"DDP-3-9">, &rule<"DDP-6.2.1-5">, &rule<"MPA-7.2-2">},
     "The IUT reports that the peer has closed to the application, which then closes too.",
     with_driven(reports_a_close)},
    {"verbs/{}/takes-nothing-after-its-end",
     {&rule<"DDP-6.2.1-2">},
     "The IUT reports an error for work that is posted after the application has ended the stream.",
     with_driven(takes_nothing_after_its_end)},
};

}  // namespace

void add_verbs_error_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap

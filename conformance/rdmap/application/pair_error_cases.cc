// SPDX-License-Identifier: Apache-2.0
// Two consumers are notified of errors and of the end, and their outstanding work is completed or flushed (RFC 5040,
// 5.4, 6.2 and 7; RFC 5041, 6.2 and 7.1).
#include <algorithm>

#include "conformance/rdmap/ddp/3-lower-layer/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/6-streams/rules.h"
#include "conformance/rdmap/ddp/7.1-validation/rules.h"
#include "conformance/rdmap/mpa/7.1-setup/rules.h"
#include "conformance/rdmap/mpa/7.1.1-start-frames/rules.h"
#include "conformance/rdmap/probes/pair.h"
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/rdmap/5.5-ordering/rules.h"
#include "conformance/rdmap/rdmap/6.2-teardown/rules.h"
#include "conformance/rdmap/rdmap/7.1-error-surfacing/rules.h"

namespace wirelaw::rdmap {
namespace {

using namespace verbs;

void expect_reported(PairProbe& peer, std::initializer_list<const Rule*> rules, std::string_view explanation) {
  const std::string reported = peer.app.reported_end();
  peer.app.require(
      rules, !reported.empty(),
      "the application is notified by the state of the queue pair, a connection event or an asynchronous event",
      reported.empty() ? "nothing is reported" : reported, explanation);
}

void post_receives(PairProbe& peer) {
  for (const std::uint64_t i : {11u, 12u}) peer.app.post_recv(i, peer.app.region(64));
}

// Memory that the far end has withdrawn: it must refuse the IUT's requests for it.
Region nobodys(PairProbe& peer, Octets octets) {
  const Region region = peer.far.region_of(octets);
  static_cast<void>(peer.far.device().dereg_mr(region));
  return region;
}

// A far end that fails to refuse proves nothing about the IUT. Another case judges that if the far end is the IUT.
constexpr std::string_view kNotRefused = "the far end does what it must refuse";

constexpr auto is_notified_of_a_refused_write = [](auto& peer) {
  if (!peer.open()) return;
  constexpr std::string_view kWhy = "a Write to memory that the far end has deregistered";
  const Region region = nobodys(peer, OctetBuffer(64));
  const OctetBuffer before = copy_of(region);
  post_receives(peer);
  peer.app.post(Driver::write_of(1, peer.app.region_of(sample_octets(16)), at(region)));
  if (!peer.ok()) return;
  const std::string reported = reported_refusal(peer.app);
  if (copy_of(region) != before) return peer.inconclusive(kNotRefused);
  peer.app.require({&rule<"RDMAP-5.4-6">}, !reported.empty(), "the application is notified of an error",
                   "nothing is reported", kWhy);
  peer.app.expect_flushed({&rule<"RDMAP-6.2.1-3">}, Cq::receive, {11, 12}, "receives that no message has arrived for");
};

constexpr auto is_notified_of_a_refused_read = [](auto& peer) {
  if (!peer.open()) return;
  const Region region = nobodys(peer, sample_octets(64)), sink = peer.app.region(64, kSink);
  peer.app.post(Driver::read_of(1, sink, at(region)));
  const auto wc = peer.app.completion(Cq::send);
  if (peer.ok() && copy_of(sink) == copy_of(region)) return peer.inconclusive(kNotRefused);
  peer.app.require({&rule<"RDMAP-5.4-8">, &rule<"RDMAP-5.5-19">}, wc && wc->status != WcStatus::success,
                   "a completion of the Read in error", to_text(wc),
                   "a Read of memory that the far end has deregistered");
};

constexpr auto refuses_a_send_without_a_receive = [](auto& peer) {
  if (!peer.open()) return;
  const Region data = peer.far.region_of(sample_octets(32));
  const Region buffer = peer.app.region(64);
  peer.far.post(Driver::send_of(1, data));
  if (!peer.ok()) return;
  if (peer.is_iwarp())
    return expect_reported(peer, {&rule<"RDMAP-7.1-1">}, "a Send has arrived, and no receive is posted");
  // Receiver not ready: the sender retries without limit, as set by rnr_retry_count, and the Send arrives once.
  const auto early = peer.far.completion_in_silence(Cq::send);
  peer.app.require({&rule<"DDP-7.1-2">}, !early, "no completion of the Send", to_text(early), "no receive is posted");
  peer.app.post_recv(1, buffer);
  const auto wc = peer.app.completion(Cq::receive);
  peer.app.require({&rule<"DDP-5.2-5">},
                   wc && wc->status == WcStatus::success && std::ranges::equal(buffer.memory.first(32), data.memory),
                   "success, with the octets of the Send", to_text(wc), "a receive was then posted");
};

constexpr auto refuses_a_send_that_is_too_long = [](auto& peer) {
  if (!peer.open()) return;
  const Region buffer = peer.app.region(64);
  RecvWr wr{.wr_id = 1, .sge = Driver::all_of(buffer)};
  wr.sge.length = 16;
  if (const auto posted = peer.app.device().post_recv(wr); !posted)
    return peer.inconclusive("ibv_post_recv failed: " + posted.error().message);
  peer.far.post(Driver::send_of(1, peer.far.region_of(sample_octets(48))));
  const auto wc = peer.app.completion(Cq::receive);
  peer.app.require({&rule<"DDP-7.1-4">}, !wc || wc->status != WcStatus::success,
                   "no successful completion of the receive", to_text(wc), "a Send of 48 octets, and a receive of 16");
  const bool clean = std::ranges::all_of(buffer.memory.subspan(16), [](Octet one) { return one == 0; });
  peer.app.require({&rule<"DDP-7.1-4">}, clean, "nothing after the buffer", octets_text(buffer.memory.subspan(16)),
                   "a Send of 48 octets, and a receive of 16");
  expect_reported(peer, {&rule<"RDMAP-7.1-1">}, "a Send of 48 octets, and a receive of 16");
};

constexpr auto is_notified_of_its_own_error = [](auto& peer) {
  if (!peer.open()) return;
  const Region gone = peer.app.region(64);
  static_cast<void>(peer.app.device().dereg_mr(gone));
  if (peer.ok() && !peer.app.device().post_send(Driver::send_of(1, gone)))
    return peer.skip("the device refuses the work request itself");
  const auto wc = peer.app.completion(Cq::send);
  peer.app.require({&rule<"RDMAP-7.1-1">}, wc && wc->status != WcStatus::success, "a completion in error", to_text(wc),
                   "a Send from memory that is no longer registered");
};

// RFC 5040 covers operations that are outstanding when the stream fails. Work posted later fails in the verbs of all
// transports; a device whose driver drops it gets a warning.
void advise_that_no_more_is_taken(PairProbe& peer, const Rule& rule, const Region& data, std::string_view explanation) {
  if (!peer.ok()) return;
  const auto posted = peer.app.device().post_send(Driver::send_of(3, data));
  const auto wc = posted ? peer.app.completion(Cq::send) : std::nullopt;
  peer.app.advise(rule, !posted || (wc && wc->status != WcStatus::success),
                  "an error from ibv_post_send or in the completion", to_text(wc), explanation);
}

constexpr auto flushes_at_an_error = [](auto& peer) {
  if (!peer.open()) return;
  post_receives(peer);
  const Region region = nobodys(peer, sample_octets(64)), sink = peer.app.region(64, kSink), data = peer.app.region(64);
  // The fence holds the second back until the first completes, so it is never sent.
  peer.app.post(Driver::read_of(1, sink, at(region)));
  SendWr fenced = Driver::send_of(2, data);
  fenced.fence = true;
  peer.app.post(fenced);
  const std::vector<Wc> list = peer.app.completions(Cq::send, 2);
  if (peer.ok() && copy_of(sink) == copy_of(region)) return peer.inconclusive(kNotRefused);
  // The Read may have been refused before the Send was posted; then nothing demands that the Send completes
  // (RDMAP/V-12).
  const bool read_alone = list.size() == 1 && list.front().wr_id == 1 && list.front().status != WcStatus::success;
  if (read_alone)
    peer.app.advise(rule<"RDMAP-5.4-8">, false, "a completion of the Send in error", to_text(list),
                    "it may have been posted after the Read was refused");
  else
    peer.app.expect_all_flushed({&rule<"RDMAP-5.4-8">, &rule<"RDMAP-6.2.1-3">}, list, {1, 2},
                                "a Read of memory that the far end has deregistered, followed by a fenced Send");
  peer.app.expect_flushed({&rule<"RDMAP-6.2.1-3">}, Cq::receive, {11, 12}, "receives that no message has arrived for");
  expect_reported(peer, {&rule<"RDMAP-5.4-6">}, "a Read was refused");
  advise_that_no_more_is_taken(peer, rule<"RDMAP-5.4-8">, data, "a Send that is posted after a Read was refused");
};

constexpr auto flushes_when_ordered_to = [](auto& peer) {
  if (!peer.open()) return;
  post_receives(peer);
  if (const auto changed = peer.app.device().modify_qp_to_err(); !changed)
    return peer.skip("ibv_modify_qp to IBV_QPS_ERR was refused: " + changed.error().message);
  peer.app.expect_flushed({&rule<"DDP-6.2.2-4">}, Cq::receive, {11, 12}, "the queue pair was moved to IBV_QPS_ERR");
  advise_that_no_more_is_taken(peer, rule<"DDP-6.2.2-4">, peer.app.region(16), "a Send that is posted in IBV_QPS_ERR");
};

constexpr auto is_notified_of_a_close = [](auto& peer) {
  if (!peer.open()) return;
  if (const auto ended = peer.far.device().disconnect(); !ended)
    return peer.inconclusive("rdma_disconnect at the far end failed: " + ended.error().message);
  const auto event = peer.app.await_cm({CmEventType::disconnected});
  peer.app.require({&rule<"DDP-3-9">}, event.has_value(), "RDMA_CM_EVENT_DISCONNECTED", "no such event",
                   "the far end has called rdma_disconnect");
};

constexpr auto takes_nothing_after_its_end = [](auto& peer) {
  if (!peer.open()) return;
  post_receives(peer);
  const Region data = peer.app.region_of(sample_octets(32));
  if (const auto ended = peer.app.device().disconnect(); !ended)
    return peer.inconclusive("rdma_disconnect failed: " + ended.error().message);
  static_cast<void>(peer.far.reported_end());
  if (!peer.ok()) return;
  const auto posted = peer.app.device().post_send(Driver::send_of(1, data));
  const auto wc = posted ? peer.app.completion(Cq::send) : std::nullopt;
  peer.app.require({&rule<"DDP-6.2.1-2">}, !posted || (wc && wc->status != WcStatus::success),
                   "an error from ibv_post_send or in the completion", to_text(wc), "a Send after rdma_disconnect");
};

constexpr auto is_connected = [](auto& peer) {
  if (!peer.open()) return;
  const auto info = peer.app.device().query_qp();
  if (info && info->state != QpState::reset && info->state != QpState::unknown) {
    peer.app.require({&rule<"MPA-7.1-2">}, info->state == QpState::rts, "IBV_QPS_RTS", verbs::to_string(info->state),
                     "both ends have received RDMA_CM_EVENT_ESTABLISHED");
    return;
  }
  // The driver reports no state (RDMAP/V-11): so the destination of its work shows the binding of the queue pair.
  const Region data = peer.app.region_of(sample_octets(32)), buffer = peer.far.region(32);
  peer.far.post_recv(1, buffer);
  peer.app.post(Driver::send_of(1, data));
  const auto wc = peer.far.completion(Cq::receive);
  peer.app.require({&rule<"MPA-7.1-2">}, wc && copy_of(buffer) == copy_of(data), octets_text(data.memory),
                   octets_text(buffer.memory), "a Send that is posted, at the far end: " + to_text(wc));
};

// MPA's private data, with its own bounds; other transports have theirs.
constexpr auto passes_private_data_on = [](auto& peer) {
  if (!peer.ok()) return;
  if (!peer.is_iwarp()) return peer.skip("only iWARP has MPA start frames");
  const OctetBuffer data = sample_octets(24);
  const auto event = peer.reported_private_data(data);
  const bool right = event && event->private_data.size() >= data.size() &&
                     std::ranges::equal(Octets(event->private_data).first(data.size()), data);
  peer.app.require({&rule<"MPA-7.1.1-17">}, right, octets_text(data),
                   event ? octets_text(event->private_data) : "no event",
                   "the private data that the far end gave to librdmacm");
};

const CaseRow kRows[] = {
    {"pair/{}/is-connected",
     {&rule<"MPA-7.1-2">},
     "The IUT can send on its queue pair once both ends are notified of the connection.",
     with_pair(is_connected)},
    {"pair/{}/passes-private-data-on",
     {&rule<"MPA-7.1.1-17">},
     "The IUT gives its application the private data of the far end.",
     with_pair(passes_private_data_on)},
    {"pair/{}/is-told-of-a-refused-write",
     {&rule<"RDMAP-5.4-6">, &rule<"RDMAP-6.2.1-3">},
     "The IUT reports that the far end refused a Write, and completes the posted work in error.",
     with_pair(is_notified_of_a_refused_write)},
    {"pair/{}/is-told-of-a-refused-read",
     {&rule<"RDMAP-5.4-8">, &rule<"RDMAP-5.5-19">},
     "The IUT completes a Read that the far end refuses in error.",
     with_pair(is_notified_of_a_refused_read)},
    {"pair/{}/has-no-receive-posted",
     {&rule<"DDP-5.2-5">, &rule<"DDP-7.1-2">, &rule<"RDMAP-7.1-1">},
     "The IUT ends an iWARP stream on a Send without a receive and reports it; on other devices, the Send waits for a "
     "receive.",
     with_pair(refuses_a_send_without_a_receive)},
    {"pair/{}/refuses-what-is-too-long",
     {&rule<"DDP-7.1-4">, &rule<"RDMAP-7.1-1">},
     "The IUT reports an error for a Send that is longer than its receive, and places nothing after the buffer.",
     with_pair(refuses_a_send_that_is_too_long)},
    {"pair/{}/is-told-of-its-own-error",
     {&rule<"RDMAP-7.1-1">},
     "The IUT completes a Send whose local buffer is gone in error.",
     with_pair(is_notified_of_its_own_error)},
    {"pair/{}/flushes-at-an-error",
     {&rule<"RDMAP-5.4-6">, &rule<"RDMAP-5.4-8">, &rule<"RDMAP-6.2.1-3">},
     "After an error, the IUT completes all posted work in error and accepts no more.",
     with_pair(flushes_at_an_error)},
    {"pair/{}/flushes-when-told-to",
     {&rule<"DDP-6.2.2-4">},
     "The IUT completes the work of a queue pair that is moved to the error state in error.",
     with_pair(flushes_when_ordered_to)},
    {"pair/{}/is-told-of-a-close",
     {&rule<"DDP-3-9">},
     "The IUT reports that the far end has disconnected.",
     with_pair(is_notified_of_a_close)},
    {"pair/{}/takes-nothing-after-its-end",
     {&rule<"DDP-6.2.1-2">},
     "The IUT reports an error for work that is posted after the application has disconnected.",
     with_pair(takes_nothing_after_its_end)},
};

}  // namespace

void add_pair_error_cases(std::vector<Case>& cases) {
  add_cases(cases, kRows);
}

}  // namespace wirelaw::rdmap

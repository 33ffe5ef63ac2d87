// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/pair.h"

namespace wirelaw::rdmap {

using namespace verbs;

PairProbe::PairProbe(CaseRun& run, bool initiates)
    : CaseProbe(run),
      app(*this, ok() ? consumer_of(transport()) : nullptr),
      far(*this, ok() ? far_consumer_of(transport()) : nullptr),
      initiates_(initiates) {
  if (!app.there() || !far.there()) skip("needs two consumers, and nobody on the wire: verbs://HOST:PORT?far=HOST");
}

PairProbe::Events PairProbe::connect(const ConnParam& ours, const ConnParam& far_one) {
  Events events;
  if (!ok()) return events;
  Driver& asking = initiates_ ? app : far;
  Driver& answering = initiates_ ? far : app;
  if (const auto asked = asking.device().connect(initiates_ ? ours : far_one); !asked)
    inconclusive("rdma_connect failed: " + asked.error().message);
  events.request = answering.await_cm({CmEventType::connect_request});
  if (ok() && !events.request) inconclusive("no RDMA_CM_EVENT_CONNECT_REQUEST came, so the case could not begin");
  answering.post_recv(kOpeningWr, answering.region(4));
  if (!ok()) return events;
  if (const auto accepted = answering.device().accept(initiates_ ? far_one : ours); !accepted)
    inconclusive("rdma_accept failed: " + accepted.error().message);
  events.established = asking.await_cm({CmEventType::established});
  if (ok() && (!events.established || !answering.await_cm({CmEventType::established})))
    inconclusive("no RDMA_CM_EVENT_ESTABLISHED came, so the case could not begin");
  return events;
}

std::optional<CmEvent> PairProbe::reported_private_data(Octets private_data) {
  const Events events = connect({}, {.private_data = OctetBuffer(private_data.begin(), private_data.end())});
  return initiates_ ? events.established : events.request;
}

// The first message is the initiator's (RFC 5044, 7.1.2, rule 4); on other transports it does no harm.
bool PairProbe::open(const ConnParam& ours, const ConnParam& far_one) {
  connect(ours, far_one);
  Driver& asking = initiates_ ? app : far;
  Driver& answering = initiates_ ? far : app;
  asking.post(Driver::send_of(kOpeningWr, asking.region_of(sample_octets(4))));
  const auto received = answering.completion(Cq::receive), sent = asking.completion(Cq::send);
  if (ok() && (!sent || sent->status != WcStatus::success))
    inconclusive("the first Send did not complete: " + to_text(sent));
  // A late completion may be the subject of a case.
  if (ok() && received && received->status != WcStatus::success)
    inconclusive("the receive of the first Send did not complete: " + to_text(received));
  return ok();
}

bool PairProbe::has_atomics() {
  if (ok() && !(app.device().device().atomics && far.device().device().atomics))
    skip("the device does not support atomic operations");
  return ok();
}

bool PairProbe::has_immediates() {
  if (ok() && !(app.device().device().write_with_imm && far.device().device().write_with_imm))
    skip("the device does not support immediate data");
  return ok();
}

std::string reported_refusal(Driver& requester) {
  const auto wc = requester.completion(Cq::send);
  if (wc && wc->status != WcStatus::success) return to_text(wc);
  return requester.reported_end();
}

}  // namespace wirelaw::rdmap

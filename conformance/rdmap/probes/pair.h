// SPDX-License-Identifier: Apache-2.0
// An IUT that is driven through verbs at one end of a connection, and a consumer at the other, of another device or of
// the same. The tester does not speak the wire protocol, so any RDMA transport will do. The rules that all of them
// share are judged; the case of a rule that only iWARP has is skipped on others.
//
// PairResponder and PairInitiator have the same functions; they differ in the role of the IUT at the start.
#pragma once

#include "conformance/rdmap/probes/driven.h"

namespace wirelaw::rdmap {

class PairProbe : public CaseProbe {
 public:
  PairProbe(CaseRun& run, bool initiates);

  // A connection on which both may send. The case is inconclusive if this fails.
  bool open(const verbs::ConnParam& ours = {}, const verbs::ConnParam& far_one = {});
  // The event that the IUT's application gets for a connection with this private data of the far end.
  std::optional<verbs::CmEvent> reported_private_data(Octets private_data);

  bool is_iwarp() const { return app.device().device().iwarp; }
  bool has_atomics();  // skips the case if the device has none
  bool has_immediates();

  Driver app;  // above the IUT
  Driver far;  // above the other end, which is not judged

 private:
  // The events that notified each end of the other's private data.
  struct Events {
    std::optional<verbs::CmEvent> request, established;  // seen by the responder, and by the initiator
  };
  Events connect(const verbs::ConnParam& ours, const verbs::ConnParam& far_one);

  bool initiates_;
};

class PairResponder : public PairProbe {
 public:
  explicit PairResponder(CaseRun& run) : PairProbe(run, false) {}
};
class PairInitiator : public PairProbe {
 public:
  explicit PairInitiator(CaseRun& run) : PairProbe(run, true) {}
};

inline BufferAt at(const verbs::Region& region, std::uint64_t offset = 0) {
  return {region.rkey, region.addr + offset};
}
inline OctetBuffer copy_of(const verbs::Region& region) {
  return {region.memory.begin(), region.memory.end()};
}

// The report to a requester whose request its peer had to refuse: a completion in error or, if the request completed
// when it was sent, the end of the stream. Empty if nothing was reported.
std::string reported_refusal(Driver& requester);

// --- cases of both roles: "pair/{}/NAME"
template <class Body>
RoleRuns with_pair(Body body) {
  return with_each<PairResponder, PairInitiator>(body);
}

}  // namespace wirelaw::rdmap

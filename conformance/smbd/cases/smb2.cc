// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD] 2.2.3.1, 3.1.4.3 and 3.1.5.8, of an initiator whose application is a client of SMB2 and has data moved by
// RDMA (SMB2_CHANNEL_RDMA_V1 and _INVALIDATE): memory that it lends is read and written, and invalidated with a
// message.
#include "conformance/smbd/2.2.3.1-buffer-descriptor/rules.h"
#include "conformance/smbd/3.1.4.3-register/rules.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/cases/turns.h"

namespace wirelaw::smbd {
namespace {

constexpr int kTurnsForData = 400;  // turns of a mount before its command reads or writes

class DataInitiator : public InitiatorProbe {
 public:
  explicit DataInitiator(CaseRun& run) : InitiatorProbe(run, {.octets = 20'000, .count = 6}) {
    if (!serves_smb2()) skip("needs an initiator whose application is smb2");
    negotiate();
  }

  // Answers its requests until `counted` has reached `count`; the case itself handles the next turn.
  OctetBuffer serve_until(std::size_t Moved::*counted, std::size_t count, std::string_view what) {
    for (int i = 0; ok() && i < kTurnsForData; ++i) {
      OctetBuffer turn = begin_turn();
      if (moved().*counted >= count) return turn;
      send_message(turn);
    }
    has_had_none(what);
    return {};
  }
  // Same, until a response has invalidated the lent memory. The case judges if the client accepts it.
  void serve_until_invalidated() {
    for (int i = 0; ok() && i < kTurnsForData && moved().invalidations == 0; ++i) send_message(begin_turn());
    if (moved().invalidations == 0) has_had_none("invalidated");
  }

 private:
  void has_had_none(std::string_view what) {
    inconclusive("its application has had no data " + std::string(what) +
                 " by RDMA: let the trigger's command write and read files of some length");
  }
};

const Rule* const kOfLent[] = {&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-2.2.3.1-2">, &rule<"SMBD-2.2.3.1-1">};

const CaseRow kRows[] = {
    {"smb2/initiator-lends-what-is-read",
     {&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-2.2.3.1-2">, &rule<"SMBD-2.2.3.1-1">},
     "The initiator lets the listener read what the descriptors of a WRITE request name by RDMA, and accepts the "
     "response.",
     with<DataInitiator>([](DataInitiator& peer) {
       peer.reads_are_due(kOfLent);
       const OctetBuffer turn = peer.serve_until(&Probe::Moved::reads, 1, "read");
       peer.send_message(turn);
       peer.expect_taken(kOfLent, "the response comes after RDMA Reads of the registered buffers");
     })},
    {"smb2/initiator-lends-what-is-written",
     {&rule<"SMBD-3.1.4.3-1">, &rule<"SMBD-2.2.3.1-2">, &rule<"SMBD-2.2.3.1-1">},
     "The initiator lets the listener write what the descriptors of a READ request name by RDMA, and accepts the "
     "response.",
     with<DataInitiator>([](DataInitiator& peer) {
       peer.reads_are_due(kOfLent);
       const OctetBuffer turn = peer.serve_until(&Probe::Moved::writes, 1, "written");
       peer.send_message(turn);
       peer.expect_taken(kOfLent, "the response comes after RDMA Writes to the registered buffers");
     })},
    {"smb2/initiator-takes-an-invalidation",
     {&rule<"SMBD-3.1.5.8-18">, &rule<"SMBD-3.1.5.8-19">},
     "The initiator moves data by RDMA again after a response that has invalidated its buffers.",
     with<DataInitiator>([](DataInitiator& peer) {
       peer.serve_until_invalidated();
       const std::size_t before = peer.moved().reads + peer.moved().writes;
       for (unsigned i = 0; i < kTurns && peer.moved().reads + peer.moved().writes == before; ++i)
         if (!peer.expect_alive({&rule<"SMBD-3.1.5.8-18">, &rule<"SMBD-3.1.5.8-19">}, "after a token was invalidated"))
           return;
     })},
};

}  // namespace

std::vector<Case> smb2_cases() {
  return cases_of(kRows, kRoleWords);
}

}  // namespace wirelaw::smbd

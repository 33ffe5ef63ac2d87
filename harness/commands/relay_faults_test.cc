// SPDX-License-Identifier: Apache-2.0
// `wirelaw relay --faults`: no peer is blamed for the relay's changes to messages. A peer that deviates is still
// blamed.
#include "harness/commands/relay_test.h"

namespace wirelaw {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class RelayFaults : public RelayCommand {
 protected:
  // The peers give up in this time.
  Judged play(const Pair& pair, const std::string& faults, const std::string& initiator = {}) const {
    write_file(file_, faults);
    return relay(pair, {}, initiator, {"--faults", file_, "--for", "4s"});
  }

  const std::string file_ = folder_ + "/x.faults";
};

TEST_F(RelayFaults, AreNeverHeldAgainstAPeer) {
  struct Row {
    const Pair& pair;
    const char* faults;
  };
  for (const Row& row : {
           Row{kRamcloud, "on b DATA nth 2: lose"},
           Row{kRamcloud, "on a DATA nth 2: twice\non b DATA nth 1: delay 30ms"},
           Row{kRamcloud, "on b DATA nth 3: rpc_id^=64"},
           Row{kRamcloud, "on a any nth 3: cut 5"},
           Row{kEfa, "on a any nth 3: lose"},
           Row{kEfa, "on b any nth 1: twice"},
           Row{kRdmap, "on a FPDU nth 2: crc^=1"},
           Row{kRdmap, "on b Send nth 2: lose"},
           Row{kRdmap, "on a Send nth 2: msn+=1"},
           Row{kRdmap, "on b Send nth 1: delay 20ms"},
           Row{kRdmap, "on a Send nth 2: twice"},
           Row{kRdmap, "on a MpaRequest: close"},
           Row{kRdmap, "on b Send nth 1: reset"},
           Row{kSmbd, "on b NegotiateResponse: max_receive_size=1"},
           Row{kSmbd, "on a DataTransfer nth 2: credits_granted=0"},
           Row{kSmbd, "on a FPDU nth 3: crc^=1"},
           Row{kUmsp, "on b any nth 2: lose"},
           Row{kUmsp, "on a any nth 3: twice"},
       }) {
    const std::string what = fmt::format("{}: {}", name_of(row.pair), row.faults);
    const Judged judged = play(row.pair, row.faults);
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.live["findings"], json::array()) << what;
    EXPECT_THAT(read_file(recording_), HasSubstr("the relay plays line 1 of the faults: ")) << what << judged.run.err;
    EXPECT_THAT(judged.live["input"]["sources"][0]["why"].get<std::string>(), HasSubstr("played line 1 of the faults"))
        << what;
  }
}

TEST_F(RelayFaults, DoNotHideWhatAPeerDoesWrong) {
  struct Row {
    const Pair& pair;
    const char *faults, *deviation;
  };
  for (const Row& row : {Row{kRamcloud, "on b DATA nth 2: lose", "reserved1-sent"},
                         Row{kRamcloud, "on b DATA nth 1: twice", "total-frags-changes"},
                         Row{kRdmap, "on b Send nth 1: delay 5ms", "start-reserved-set"},
                         Row{kSmbd, "on b DataTransfer nth 1: delay 5ms", "request-min-version-zero"}}) {
    const std::string what = fmt::format("{} {}", name_of(row.pair), row.deviation);
    const Judged judged = play(row.pair, row.faults, fmt::format("--deviate {}", row.deviation));
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.blamed(), std::set<std::string>{"initiator"}) << what;
  }
}

// A receiver of a Send with a wrong MSN has to send a Terminate. It does, and that is judged.
TEST_F(RelayFaults, LeaveTheReceiverItsDuty) {
  const auto verdict_on_terminate = [&](const std::string& faults) -> json {
    const Judged judged = play(kRdmap, faults);
    for (const json& one : judged.live["rules"])
      if (one["id"] == "RDMAP-4.8-1") return one["verdict"];
    return "no such rule";
  };
  EXPECT_EQ(verdict_on_terminate("on a Send nth 2: msn+=0\n"), "not-exercised");
  EXPECT_EQ(verdict_on_terminate("on a Send nth 2: msn+=1\n"), "pass");
}

TEST_F(RelayFaults, ThatAreNotPlayedAreSaid) {
  const Judged never = play(kRamcloud, "on b BAD_SESSION: lose\non a DATA nth 1: no_such=1\n");
  EXPECT_THAT(never.run.err, HasSubstr("line 1 of the faults was not played: its message did not come"));
  EXPECT_THAT(never.run.err, HasSubstr("cannot play line 2 of the faults: DATA has no field 'no_such'"));
}

TEST_F(RelayFaults, AreRefusedBeforeAnythingIsStarted) {
  write_file(file_, "on a DATTA: lose\n");
  const auto run = run_wirelaw({"relay", "ramcloud", "--to", "udp://127.0.0.1:1", "--faults", file_});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("--faults: " + file_ + ":1:6: there is no message 'DATTA'"));
}

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/started_iut.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "harness/transports/live_iut.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const Case kOne{.id = "one", .iut = Role::responder, .rules = {}, .purpose = "", .run = [](CaseRun&) {}};
const Case kTwo{.id = "two", .iut = Role::responder, .rules = {}, .purpose = "", .run = [](CaseRun&) {}};

class StartedIut : public testing::Test {
 protected:
  std::unique_ptr<Iut> make(const std::string& command, std::chrono::nanoseconds time = std::chrono::seconds(30)) {
    return make_started_iut(make_listening_iut({.scheme = "udp", .place = host_and_port("127.0.0.1", 9)}).value(),
                            command, time);
  }
  std::unique_ptr<Iut> make(const std::string& command, Starts* starts) {
    return make_started_iut(make_listening_iut({.scheme = "udp", .place = host_and_port("127.0.0.1", 9)}).value(),
                            command, std::chrono::seconds(30), nullptr, starts);
  }
  std::string file(const std::string& name) const { return directory_.path(name); }
  static std::string contents(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  pcap::testing::TemporaryDirectory directory_;
};

TEST_F(StartedIut, IsStartedForEachCaseAndEndedBeforeTheNext) {
  const std::string log = file("log");
  const auto iut =
      make("trap 'echo end $WIRELAW_CASE >> " + log + "; exit' TERM; echo $WIRELAW_CASE at $WIRELAW_URI >> " + log +
           "; echo listening; while :; do sleep 1000 & wait; done");
  ASSERT_TRUE(iut->begin(kOne));
  ASSERT_TRUE(iut->begin(kTwo));
  EXPECT_EQ(contents(log), "one at udp://127.0.0.1:9\nend one\ntwo at udp://127.0.0.1:9\n");
}

TEST_F(StartedIut, IsReadyOnlyOnceItHasWrittenALine) {
  const std::string log = file("log");
  const auto iut = make("printf half; echo before >> " + log + "; echo; exec sleep 1000");
  ASSERT_TRUE(iut->begin(kOne));
  EXPECT_EQ(contents(log), "before\n");
}

TEST_F(StartedIut, ThatEndsBeforeItListensIsToldWithItsCommand) {
  const auto iut = make("exit 3");
  const auto begun = iut->begin(kOne);
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error().message, HasSubstr("'exit 3' ended before it said that it listens"));
}

TEST_F(StartedIut, ThatNeverSaysThatItListensIsToldWhatItHasToDo) {
  const auto iut = make("exec sleep 1000", std::chrono::milliseconds(1));
  const auto begun = iut->begin(kOne);
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error().hint, HasSubstr("write a line"));
}

TEST_F(StartedIut, MaySayParametersInTheUriOfItsFirstLine) {
  const auto iut = make(
      "echo 'ready at udp://127.0.0.1:9, which is iut=udp://127.0.0.1:9?addr=0x7f&key=5 version=3'; "
      "exec sleep 1000");
  const auto environment = iut->begin(kOne);
  ASSERT_TRUE(environment);
  EXPECT_THAT((*environment)->parameters(), ElementsAre(Pair("addr", "0x7f"), Pair("key", "5")));
}

TEST_F(StartedIut, WhoseFirstLineHasNoParametersHasNone) {
  const auto iut = make("echo 'listening at tcp://127.0.0.1:9?addr=1'; exec sleep 1000");
  const auto environment = iut->begin(kOne);
  ASSERT_TRUE(environment);
  EXPECT_THAT((*environment)->parameters(), IsEmpty());
}

TEST_F(StartedIut, ThatDiesIsToldWithHowItDied) {
  for (const auto& [command, how] :
       {std::pair{"kill -ABRT $$", "killed by signal 6 (Aborted)"},
        std::pair{"sh -c 'kill -SEGV $$'; exit", "killed by signal 11"}, std::pair{"exit 3", "ended with status 3"},
        std::pair{"exit 0", "ended with status 0"}, std::pair{"kill -PIPE $$", "killed by signal 13"}}) {
    const auto iut = make(std::string("echo listening; ") + command);
    const auto environment = iut->begin(kOne);
    ASSERT_TRUE(environment);
    const auto death = (*environment)->death(true);
    ASSERT_TRUE(death) << how;
    EXPECT_THAT(death->how, HasSubstr(how));
    EXPECT_EQ(death->is_failure, command != std::string_view("exit 0") && command != std::string_view("kill -PIPE $$"));
  }
}

TEST_F(StartedIut, ThatCrashesWhereItIsAskedToEndIsToldSo) {
  const auto iut = make("trap 'kill -SEGV $$' TERM; echo listening; while :; do sleep 1000 & wait; done");
  const auto crashing = iut->begin(kOne);
  ASSERT_TRUE(crashing);
  EXPECT_FALSE((*crashing)->death(false));
  EXPECT_EQ((*crashing)->stop(), (Death{.how = "killed by signal 11 (Segmentation fault) as it was asked to end"}));
}

TEST_F(StartedIut, ThatEndsWhereItIsAskedToHasNotCrashed) {
  for (const char* const how : {"exec sleep 1000", "trap exit TERM; while :; do sleep 1000 & wait; done"}) {
    const auto iut = make(std::string("echo listening; ") + how);
    const auto ending = iut->begin(kOne);
    ASSERT_TRUE(ending);
    EXPECT_FALSE((*ending)->stop()) << how;
  }
}

TEST_F(StartedIut, ThatServesOnIsNotAskedToEnd) {
  Starts starts{.every = 2};
  const auto iut = make("trap 'kill -SEGV $$' TERM; echo listening; while :; do sleep 1000 & wait; done", &starts);
  const auto serving = iut->begin(kOne);
  ASSERT_TRUE(serving);
  EXPECT_FALSE((*serving)->stop());
  EXPECT_FALSE((*serving)->death(false));
}

TEST_F(StartedIut, ThatLivesHasNotDied) {
  const auto iut = make("echo listening; exec sleep 1000");
  const auto environment = iut->begin(kOne);
  ASSERT_TRUE(environment);
  EXPECT_EQ((*environment)->death(false), std::nullopt);
}

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// Cases drive libfabric's application over the soft device, with RDMA. Its reports agree with the traffic on the wire.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <string>

#include "harness/lab/process.h"

namespace wirelaw::lab {
namespace {

using ::testing::HasSubstr;

const std::string kWirelaw = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
const std::string kPeer = WIRELAW_FABRIC_PEER;

class DrivenLibfabric : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kPeer.empty() || *WIRELAW_SOFT_EFA_LIBRARY == '\0')
      GTEST_SKIP() << "libfabric-dev or libibverbs-dev is missing";
  }
  // The cases `application/ROLE/NAME`, which pass.
  static void expect_passed(std::vector<std::string> words, const std::string& role,
                            const std::vector<std::string>& names) {
    words.insert(words.begin(), {kWirelaw, "test", "efa", "--answer-time", "10"});
    for (const std::string& name : names) words.insert(words.end(), {"--case", "application/" + role + "/" + name});
    Process run(words, {{"LD_PRELOAD", WIRELAW_SOFT_EFA_LIBRARY},
                        {"WIRELAW_SOFT_EFA_RDMA", "write"},
                        {"FI_PROVIDER", "efa"},
                        {"FI_EFA_USE_DEVICE_RDMA", "1"},
                        {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"}});
    EXPECT_EQ(run.wait(), 0) << run.output();
    EXPECT_THAT(run.output(), HasSubstr("cases     " + std::to_string(names.size()) + ": " +
                                        std::to_string(names.size()) + " pass\n"))
        << run.output();
  }
};

TEST_F(DrivenLibfabric, IsAResponderThatPasses) {
  expect_passed({"srd://", "--start", kPeer + " serve --rdma"}, "responder",
                {"learns-its-sender", "connid-is-random", "handshake-unsent", "cts-with-the-receive",
                 "serves-without-a-call", "told-of-cq-data", "told-of-nothing-else", "keeps-its-receive",
                 "data-with-the-receipt", "is-read-directly", "not-told-of-a-long-write"});
}

TEST_F(DrivenLibfabric, IsARequesterThatPasses) {
  expect_passed({"--listen", "srd://", "--trigger", kPeer + " walk"}, "requester",
                {"lacks-what-the-call-needs", "tags", "cq-data", "eager-is-whole", "message-unsent", "told-of-the-end",
                 "names-the-key", "completes-with-the-receipt", "delivery-complete-refused", "asks-for-receipts",
                 "reads-directly", "reads-what-was-announced", "finds-another-way"});
}

}  // namespace
}  // namespace wirelaw::lab

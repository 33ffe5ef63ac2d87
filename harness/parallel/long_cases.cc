// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/long_cases.h"

#include <algorithm>

namespace wirelaw {
namespace {

constexpr LongCase kLongCases[] = {
    {"ramcloud", "old/server-resends-what-is-missing", 5.0},
    {"ramcloud", "badSession/client-does-not-reopen-for-ever", 8.0},
    {"ramcloud", "old/client-gives-up-a-request", 8.5},
    {"ramcloud", "old/client-gives-up-a-long-request", 8.5},
    {"ramcloud", "old/client-gives-up-a-partial-response", 8.5},
    {"rdmap", "mpa/responder-gives-up-without-a-request", 10.0},
    {"rdmap", "mpa/responder-gives-up-on-half-a-request", 10.0},
    {"rdmap", "mpa/initiator-gives-up-without-a-reply", 10.0},
    {"rdmap", "mpa/initiator-gives-up-on-half-a-reply", 10.0},
    {"efa", "packet/cut-at-every-length", 3.7},
    {"efa", "packet/flags-that-are-not-defined", 3.7},
    {"efa", "packet/counts-beyond-the-packet", 3.6},
    {"efa", "packet/octets-behind", 3.6},
    {"efa", "packet/half-of-a-connid", 3.6},
    {"smbd", "idle/listener-ends-without-a-request", 5.0},
    {"smbd", "idle/listener-waits-for-a-request", 4.0},
    {"smbd", "idle/listener-outlives-the-negotiation", 10.5},
    {"umsp", "closing/thirty-seconds", 30.5},
    {"umsp", "task/takes-job-completed-with-and-without-codes", 4.0},
    {"umsp", "task/takes-job-completed-with-extension-headers", 4.0},
    {"umsp", "jcp/asks-for-the-state-of-nodes", 4.0},
    {"umsp", "jcp/looks-at-no-reserved-octets", 4.5},
    {"umsp", "jcp/waits-a-period-for-an-answer", 3.5},
    {"umsp", "jcp/silent-node-is-off", 4.0},
    {"umsp", "jcp/new-task-is-no-answer", 4.0},
    {"umsp", "jcp/silent-initiator-ends-its-job", 4.0},
    {"umsp", "jcp/asks-older-tasks-after-node-reload", 4.0},
    {"umsp", "jcp/waits-after-node-reload", 5.5},
    {"umsp", "jcp/asks-later-tasks-after-node-reload", 6.0},
    {"umsp", "transaction/obligatory-when-time-is-over", 6.0},
    {"umsp", "transaction/cancelled-when-time-is-over", 4.0},
    {"umsp", "transaction/time-begins-at-its-end", 9.0},
    {"umsp", "transaction/time-zero-is-unlimited", 6.0},
    {"umsp", "life-time/assembly-counts", 6.0},
    {"umsp", "life-time/over-without-answer", 3.5},
    {"umsp", "closing/initiator-waits-for-the-answer", 6.0},
};

}  // namespace

std::span<const LongCase> long_cases() {
  return kLongCases;
}

double seconds_of(const Protocol& protocol, const Case& one) {
  const auto found = std::ranges::find_if(
      kLongCases, [&](const LongCase& some) { return some.protocol == protocol.name && some.id == one.id; });
  return found == std::end(kLongCases) ? 0 : found->seconds;
}

}  // namespace wirelaw

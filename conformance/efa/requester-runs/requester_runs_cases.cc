// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4: full runs of requesters with a correct responder, while the trace is judged. Runs in which RDMA is
// announced, or refused, are in 4.1-long-read and 4.7-read-nack.
#include <fmt/format.h>

#include "conformance/efa/3.2-eager/rules.h"
#include "conformance/efa/3.3-one-sided/rules.h"
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::size_t kLong = 90'000;  // deployed senders use long-CTS above 65536 octets

// The features, windows and segments of the responder, and the request to the requester.
struct Surroundings {
  std::vector<Extra> extras = {};
  std::optional<std::uint64_t> window = {};
  std::size_t segment = 0;
  TriggerRequest request = {};
};

CaseRow everything(std::string_view id, std::vector<const Rule*> rules, std::string_view purpose,
                   const Surroundings& surroundings) {
  return {id, std::move(rules), purpose, with<RequesterProbe>([surroundings](RequesterProbe& requester) {
            requester.announce(surroundings.extras);
            if (surroundings.window) requester.intake().window = *surroundings.window;
            requester.intake().segment = surroundings.segment;
            requester.trigger(surroundings.request);
            requester.serve_to_the_end();
          })};
}

// Exchanges messages slowly, so that the requester must have reacted to the earlier packets (EFA/A-40).
void go_slowly(RequesterProbe& requester, const TriggerRequest& request, std::optional<Transfer> transfer = {}) {
  WholeMessage message = requester.first_message(request);
  for (unsigned i = 0; i < request.count && requester.ok(); ++i) {
    requester.require(rule<"EFA-3.2-20">, message.octets.size() == request.octets,
                      fmt::format("{} octets, as the trigger requested", request.octets),
                      fmt::format("{}", message.octets.size()));
    requester.settle();
    Intake::MessageOut echo = requester.answer_to(message);
    echo.transfer = transfer;
    requester.intake().send_message(echo);
    requester.await_until(requester.in(requester.run().answer_time()),
                          [&] { return !requester.intake().messages().empty(); });
    if (requester.intake().messages().empty()) return;
    message = std::move(requester.intake().messages().front());
    requester.intake().messages().pop_front();
  }
}

constexpr TriggerRequest kSmallMessages{.octets = 100, .count = 20};

// If a busy machine delays a HANDSHAKE, the time limits of a slow network apply (EFA/A-85), and no packet counts as
// long past. Therefore the case uses several flows.
void go_slowly_with_long_messages(CaseRun& run) {
  constexpr TriggerRequest kTwoSmall{.octets = 100, .count = 2}, kFourLong{.octets = kLong, .count = 4};
  for (const unsigned identity : {1u, 2u, 3u, 4u}) {
    RequesterProbe requester(run, identity);
    requester.announce({Extra::connid_header});
    go_slowly(requester, identity == 1 ? kTwoSmall : kFourLong, Transfer::long_cts);
    if (!requester.ok()) return;
  }
}

std::vector<const Rule*> rules_and(std::vector<const Rule*> rules, const Rule& another) {
  rules.push_back(&another);
  return rules;
}

void name_declared_memory(RequesterProbe& requester) {
  const CaseRun& run = requester.run();
  const auto addr = number_of(run.parameter("addr")), key = number_of(run.parameter("key")),
             length = number_of(run.parameter("length"));
  if (!addr || !key || !length)
    return requester.skip("the memory that the requester may use is not declared (?addr=…&key=…&length=…)");
  requester.announce({Extra::delivery_complete});
  requester.trigger({.octets = 64, .count = 1});
  requester.serve_to_the_end();
  std::size_t named = 0;
  static_cast<void>(requester.count([&](const Received& one) {
    for (std::size_t i = 0; i < rma_iov_count(one.packet.rma_iov); ++i) {
      const RmaIov iov = rma_iov_at(one.packet.rma_iov, i);
      ++named;
      requester.require(rule<"EFA-3.3-6">,
                        iov.key == *key && iov.addr >= *addr && iov.addr - *addr <= *length &&
                            iov.len <= *length - (iov.addr - *addr),
                        fmt::format("key 0x{:x}, within {} octets at 0x{:x}", *key, *length, *addr),
                        fmt::format("key 0x{:x}, {} octets at 0x{:x}", iov.key, iov.len, iov.addr));
    }
    return false;
  }));
  if (named == 0) requester.skip("the requester sends no one-sided operation");
}

const CaseRow kRows[] = {
    everything("walk/peer-announces-nothing", trace_rules({"EFA-1.*", "EFA-2.*", "EFA-3.*", "EFA-4.4-*"}),
               "The requester sends valid packets to a responder that announces nothing.",
               {.request = {.octets = 100, .count = 3}}),
    everything("walk/peer-announces-all-but-rdma", trace_rules({"EFA-*"}),
               "The requester sends valid packets to a responder that announces delivery complete, connid, runting "
               "read and read nack.",
               {.extras = {Extra::delivery_complete, Extra::connid_header, Extra::runting_read, Extra::read_nack},
                .request = {.octets = 100, .count = 3}}),
    everything(
        "walk/peer-wants-constant-header", trace_rules({"EFA-4.3-*", "EFA-3.1-*", "EFA-2.2-*"}),
        "The requester sends valid packets to a responder that requests a constant header length.",
        {.extras = {Extra::constant_header_length, Extra::connid_header}, .request = {.octets = 100, .count = 6}}),
    everything("walk/small-windows", trace_rules({"EFA-3.2-1*"}),
               "The requester sends valid packets to a responder with windows of 5000 octets and segments of 1000.",
               {.extras = {Extra::delivery_complete},
                .window = 5'000,
                .segment = 1'000,
                .request = {.octets = kLong, .count = 1}}),
    everything("walk/many-messages-at-once", trace_rules({"EFA-3.2-1", "EFA-3.2-2", "EFA-3.2-4", "EFA-2.2-*"}),
               "The requester sends sixteen messages at once.",
               {.request = {.octets = 200, .count = 16, .parallel = true}}),
    everything("walk/long-messages-at-once", trace_rules({"EFA-3.2-72", "EFA-3.2-14*", "EFA-3.2-1*"}),
               "The requester sends four long messages at once and accepts their echoes.",
               {.window = 20'000, .request = {.octets = kLong, .count = 4, .parallel = true}}),
    {"walk/slow", trace_rules({"EFA-2.2-*", "EFA-4.4-*"}),
     "The requester sends twenty messages one after the other, each echoed some time after it arrives.",
     with<RequesterProbe>([](RequesterProbe& requester) { go_slowly(requester, kSmallMessages); })},
    {"walk/slow-with-connid", rules_and(trace_rules({"EFA-3.1-14", "EFA-4.4-*"}), rule<"EFA-3.2-20">),
     "The requester sends messages of exactly the requested length to a responder that requests connid.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       requester.announce({Extra::connid_header});
       go_slowly(requester, kSmallMessages);
     })},
    {"walk/slow-with-connid-and-long-messages",
     {&rule<"EFA-4.4-4">, &rule<"EFA-4.4-5">, &rule<"EFA-4.4-6">, &rule<"EFA-3.2-20">},
     "The requester sends small and long messages to successive responders that request connid and send a CTS before "
     "each long echo.",
     {.initiator = go_slowly_with_long_messages}},
    {"walk/memory-that-it-was-told",
     {&rule<"EFA-3.3-6">},
     "The requester names only declared keys and addresses in writes, reads and atomics (parameters).",
     with<RequesterProbe>(name_declared_memory)},
};

}  // namespace

std::vector<Case> requester_runs_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa

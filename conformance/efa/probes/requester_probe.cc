// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/requester_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/introduction.h"
#include "reference/octets/hex.h"

namespace wirelaw::efa {

bool is_request(const Received& packet) {
  const Layout* const layout = packet.packet.layout();
  return layout != nullptr && layout->is_request();
}

// -------------------------------------------------------------------------------------------------------- beginning

void RequesterProbe::trigger(const TriggerRequest& request) {
  if (!ok()) return;
  OctetBuffer address;
  encode(identity().address, address);
  introduce(transport(), "CONNID", fmt::format("{:#010x}", connid()));
  introduce(transport(), "RAW_ADDRESS", to_hex(address));
  if (const auto started = run().trigger(request); !started) {
    run().broken(started.error());
    stop();
  }
}

WholeMessage RequesterProbe::first_message(const TriggerRequest& request) {
  hold();
  trigger(request);
  await_until(in(4 * run().answer_time()), [this] { return !intake_.messages().empty(); });
  if (intake_.messages().empty()) {
    inconclusive("the requester sent no message, so the case could not begin");
    return {};
  }
  WholeMessage message = std::move(intake_.messages().front());
  intake_.messages().pop_front();
  return message;
}

// ---------------------------------------------------------------------------------------------------------- serving

Intake::MessageOut RequesterProbe::answer_to(const WholeMessage& message) {
  return {.msg_id = next_msg_id(), .octets = message.octets, .tag = message.tag, .cq_data = message.cq_data};
}

bool RequesterProbe::serve(const Received& packet) {
  if (is_request(packet)) ++requests_;
  const bool taken = intake_.take(packet);
  if (echoes_) resume();
  return taken;
}

void RequesterProbe::resume() {
  echoes_ = true;
  while (ok() && !intake_.messages().empty()) {
    const WholeMessage message = std::move(intake_.messages().front());
    intake_.messages().pop_front();
    echo(message);
  }
  while (ok() && !intake_.remote_cq_data().empty()) {
    const std::uint64_t cq_data = intake_.remote_cq_data().front();
    intake_.remote_cq_data().pop_front();
    intake_.send_message({.msg_id = next_msg_id(), .cq_data = cq_data});
  }
}

const Received* RequesterProbe::serve_until(const std::function<bool(const Received&)>& seen) {
  resume();
  return find(in(run().answer_time()), seen);
}

bool RequesterProbe::serve_to_the_end() {
  await_until(in(4 * run().answer_time()), [this] { return requests_ > 0; });
  const Instant latest = in(4 * run().answer_time());
  while (pump(std::min(latest, in(run().silence_time()))))
    if (now() >= latest) return false;
  return ok() && now() < latest;
}

const Received* RequesterProbe::need(PacketType type) {
  const Received* const packet = serve_until([type](const Received& one) { return one.is(type); });
  if (packet == nullptr && ok()) skip("the requester sends no " + std::string(describe(type).name));
  return packet;
}

// ------------------------------------------------------------------------------------------------------ what must hold

bool RequesterProbe::expect_to_go_on(const Rule& rule, const WholeMessage& message, std::string_view explanation) {
  if (!ok()) return false;
  const std::size_t before = requests_;
  echo(message);
  await_until(in(2 * run().answer_time()), [&] { return requests_ > before; });
  return require(rule, requests_ > before, "the requester accepts the correct echo and continues", "no further request",
                 explanation);
}

bool RequesterProbe::expect_new_start(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  RequesterProbe other(run(), 99);
  other.trigger({.octets = 32, .count = 1});
  other.await_until(other.in(2 * run().answer_time()), [&] { return other.requests_ > 0; });
  if (!other.ok()) {
    stop();
    return false;
  }
  return require(rule, other.requests_ > 0, "the requester continues, or begins with another responder",
                 "it does neither", explanation);
}

bool RequesterProbe::expect_alive(const Rule& rule, const WholeMessage& message, std::string_view explanation) {
  if (!ok()) return false;
  settle();
  const std::size_t before = requests_;
  echo(message);
  await_until(in(run().answer_time()), [&] { return requests_ > before; });
  if (!ok()) return false;
  if (requests_ > before) return require(rule, true, {}, {});
  return expect_new_start(rule, explanation);
}

bool RequesterProbe::expect_alive(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  const std::size_t before = requests_;
  resume();
  await_until(in(run().answer_time()), [&] { return requests_ > before; });
  if (!ok()) return false;
  if (requests_ > before) return require(rule, true, {}, {});
  return expect_new_start(rule, explanation);
}

bool RequesterProbe::expect_no_request(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  const std::size_t before = requests_;
  listen();
  return ok() && require(rule, requests_ == before, "no further request before a correct answer", "another request",
                         explanation);
}

}  // namespace wirelaw::efa

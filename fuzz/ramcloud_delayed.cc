// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ramcloud_delayed.h"

#include <algorithm>
#include <utility>

#include "conformance/ramcloud/ramcloud.h"
#include "reference/ramcloud/client.h"
#include "reference/ramcloud/server.h"

namespace wirelaw::fuzz {
namespace {

using namespace std::chrono_literals;

class Conversation {
 public:
  explicit Conversation(const RamcloudDelayed& said)
      : said_(said),
        capture_(ramcloud::kProtocol, ramcloud::kProtocol, said.skipped, {.may_double = true}),
        packets_(
            queue_, said.path, [this](Side from, Octets packet) { capture_.see(from, packet, queue_.now()); },
            [this](Side to, Octets packet) { arrive(to, packet); }),
        options_(options()),
        client_(options_, 1),
        server_(options_, 2) {}

  DelayedOutcome run() {
    for (const Octet step : said_.steps) {
      pass(std::int64_t{step & 0x0f} * 400'000'000);
      client_.call(OctetBuffer(std::size_t{1} + (step >> 4) * 30u, step), now());
      settle();
    }
    pass(120'000'000'000);
    DelayedOutcome outcome = capture_.finish(queue_.now());
    outcome.messages = results_;
    return outcome;
  }

 private:
  static constexpr unsigned kMostEvents = 100'000;

  ramcloud::Options options() const {
    ramcloud::Options options = corpora::options_of(said_.settings);
    options.interval = std::max<Instant>(options.interval, 500ms);
    options.silent_intervals = 10'000;
    options.session_expiry = 24h;  // a server that forgets a session may execute its last requests again (RAMCLOUD/R36)
    return options;
  }
  Instant now() const { return Instant(queue_.now()); }

  void arrive(Side to, Octets packet) {
    if (to == Side::a)
      client_.receive(packet, now());
    else
      server_.receive(1, packet, now());
    settle();
  }
  void settle() {
    for (ramcloud::Request request; server_.next_request(request);) {
      OctetBuffer response(request.payload.rbegin(), request.payload.rend());
      server_.respond(request.handle, std::move(response), now());
    }
    for (Outgoing out; client_.next_datagram(out);) packets_.send(Side::a, std::move(out.octets));
    for (Outgoing out; server_.next_datagram(out);) packets_.send(Side::b, std::move(out.octets));
    for (ramcloud::CallResult result; client_.next_result(result);) results_ += result.response ? 1 : 0;
  }

  void pass(std::int64_t ns) {
    const std::int64_t until = queue_.now() + ns;
    for (unsigned i = 0; i < kMostEvents; ++i) {
      const auto arrival = queue_.next();
      const auto timer = client_.deadline();
      if (arrival && *arrival <= until && (!timer || *arrival <= timer->count())) {
        queue_.run_next();
        continue;
      }
      if (!timer || timer->count() > until) break;
      queue_.pass_to(timer->count());
      client_.advance(now());
      settle();
    }
    queue_.pass_to(until);
  }

  RamcloudDelayed said_;
  EventQueue queue_;
  DelayedCapture capture_;
  DelayedDatagrams packets_;
  ramcloud::Options options_;
  ramcloud::Client client_;
  ramcloud::Server server_;
  std::uint64_t results_ = 0;
};

}  // namespace

DelayedOutcome run_ramcloud_delayed(const RamcloudDelayed& conversation) {
  return Conversation(conversation).run();
}

}  // namespace wirelaw::fuzz

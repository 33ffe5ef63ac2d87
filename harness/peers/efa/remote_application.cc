// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa/remote_application.h"

#include <thread>

#include "harness/peers/efa/application_lines.h"

namespace wirelaw::efa {

using control::Line;

namespace {

using Clock = std::chrono::steady_clock;
using fabric::CallError;

// An application that takes calls connects when it starts. A call is answered when it has been made, not when it is
// done.
constexpr std::chrono::seconds kConnects{2};
constexpr std::chrono::seconds kAnswers{10};
constexpr std::chrono::milliseconds kAskAgain{1};

std::string_view name_of(AtomicCall call) {
  return call == AtomicCall::write ? "write" : call == AtomicCall::compare ? "compare" : "fetch";
}

Line call_of(std::string_view word, fabric::Context context) {
  return Line(word).put("context", context);
}

}  // namespace

const fabric::Abilities* RemoteApplication::begin(const RawAddress& far) {
  socket_ = listener_.accept(ignored_ ? Clock::now() : Clock::now() + kConnects);
  ignored_ = !socket_;
  if (ignored_) return nullptr;
  OctetBuffer peer;
  encode(far, peer);
  const auto taken = ask(Line("take").put_octets("peer", peer));
  abilities_ = taken ? abilities_of(*taken) : std::nullopt;
  return abilities_ ? &*abilities_ : nullptr;
}

RemoteApplication::Outcome<Line> RemoteApplication::ask(const Line& call) {
  if (!socket_) return tl::unexpected(CallError{"the application has not connected"});
  if (const auto sent = socket_->send(call.text(), Clock::now() + kAnswers); !sent)
    return tl::unexpected(CallError{"the application does not take calls: " + sent.error()});
  const auto reply = socket_->receive(Clock::now() + kAnswers);
  if (!reply) return tl::unexpected(CallError{"the application has gone: " + reply.error()});
  if (!*reply) return tl::unexpected(CallError{"the application does not answer"});
  return Line::parse(**reply);
}

RemoteApplication::Outcome<void> RemoteApplication::done(const Line& call) {
  const auto reply = ask(call);
  if (!reply) return tl::unexpected(reply.error());
  if (reply->word() != "ok")
    return tl::unexpected(CallError{std::string(reply->value("error").value_or("no answer that is known"))});
  return {};
}

RemoteApplication::Outcome<RawAddress> RemoteApplication::address_of(std::string_view word) {
  const auto reply = ask(Line(word));
  if (!reply) return tl::unexpected(reply.error());
  const auto address = decode_raw_address(reply->octets("address").value_or(OctetBuffer()));
  if (!address) return tl::unexpected(CallError{std::string(reply->value("error").value_or("no raw address"))});
  return *address;
}

RemoteApplication::Outcome<OctetBuffer> RemoteApplication::octets_of(const Line& call) {
  const auto reply = ask(call);
  if (!reply) return tl::unexpected(reply.error());
  auto octets = reply->octets("octets");
  if (!octets) return tl::unexpected(CallError{std::string(reply->value("error").value_or("no octets"))});
  return std::move(*octets);
}

RemoteApplication::Outcome<void> RemoteApplication::close(Instant) {
  return done(Line("close"));
}

RemoteApplication::Outcome<void> RemoteApplication::trouble(const fabric::Trouble& trouble) {
  Line call("trouble");
  call.put("registers", std::uint64_t{trouble.registers}).put("reaches", std::uint64_t{trouble.reaches});
  if (trouble.packets) call.put("packets", std::uint64_t{*trouble.packets});
  return done(call);
}

RemoteApplication::Outcome<RmaIov> RemoteApplication::register_memory(Octets initial) {
  const auto reply = ask(Line("register").put_octets("octets", initial));
  if (!reply) return tl::unexpected(reply.error());
  const auto addr = reply->number("addr"), len = reply->number("len"), key = reply->number("key");
  if (!addr || !len || !key) return tl::unexpected(CallError{std::string(reply->value("error").value_or("no memory"))});
  return RmaIov{*addr, *len, *key};
}

RemoteApplication::Outcome<void> RemoteApplication::withdraw(std::uint64_t key) {
  return done(Line("withdraw").put("key", key));
}

RemoteApplication::Outcome<OctetBuffer> RemoteApplication::memory(std::uint64_t key) {
  return octets_of(Line("memory").put("key", key));
}

RemoteApplication::Outcome<void> RemoteApplication::post(const fabric::Receive& call) {
  return done(call_of("recv", call.context).put("octets", std::uint64_t{call.octets}).put("tag", call.tag));
}

RemoteApplication::Outcome<void> RemoteApplication::post(const fabric::Send& call) {
  return done(call_of("send", call.context)
                  .put_octets("data", call.data)
                  .put("tag", call.tag)
                  .put("cq_data", call.cq_data)
                  .put("delivery_complete", std::uint64_t{call.delivery_complete})
                  .put("to", call.to));
}

RemoteApplication::Outcome<void> RemoteApplication::post(const fabric::Write& call) {
  return done(call_of("write", call.context)
                  .put_octets("data", call.data)
                  .put("addr", call.to.addr)
                  .put("key", call.to.key)
                  .put("cq_data", call.cq_data)
                  .put("delivery_complete", std::uint64_t{call.delivery_complete}));
}

RemoteApplication::Outcome<void> RemoteApplication::post(const fabric::Read& call) {
  return done(
      call_of("read", call.context).put("addr", call.from.addr).put("len", call.from.len).put("key", call.from.key));
}

RemoteApplication::Outcome<void> RemoteApplication::post(const fabric::Atomic& call) {
  return done(call_of("atomic", call.context)
                  .put("call", std::string(name_of(call.call)))
                  .put("op", static_cast<std::uint64_t>(call.op))
                  .put("operand", call.operand)
                  .put("compare", call.compare)
                  .put("addr", call.on.addr)
                  .put("key", call.on.key));
}

RemoteApplication::Outcome<OctetBuffer> RemoteApplication::buffer(fabric::Context context) {
  return octets_of(call_of("buffer", context));
}

RemoteApplication::Awaited<fabric::Completion> RemoteApplication::completion(Instant deadline) {
  while (true) {
    const auto reply = ask(Line("completion"));
    if (!reply)
      return tl::unexpected(
          TransportError{reply.error().message, "look at what the peer has written: it may have died"});
    if (reply->word() != "ok") return std::nullopt;
    if (auto next = completion_of(*reply)) return next;
    if (now() >= deadline) return std::nullopt;
    std::this_thread::sleep_for(kAskAgain);
  }
}

std::unique_ptr<control::Remote> make_remote_application(control::Listener& listener, bool& ignored) {
  return std::make_unique<RemoteApplication>(listener, ignored);
}

}  // namespace wirelaw::efa

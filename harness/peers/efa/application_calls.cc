// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa/application_calls.h"

#include <algorithm>

#include "harness/control/socket.h"
#include "harness/peers/efa/application_lines.h"

namespace wirelaw::efa {

using control::failure;
using control::Line;

namespace {

using fabric::Application;

constexpr std::chrono::seconds kPatience{10};

Line done(const Application::Outcome<void>& outcome) {
  return outcome ? Line("ok") : failure(outcome.error().message);
}

Line named(const Application::Outcome<RawAddress>& name) {
  if (!name) return failure(name.error().message);
  OctetBuffer octets;
  encode(*name, octets);
  return Line("ok").put_octets("address", octets);
}

Line with_octets(const Application::Outcome<OctetBuffer>& octets) {
  return octets ? Line("ok").put_octets("octets", *octets) : failure(octets.error().message);
}

RmaIov iov_of(const Line& call, std::uint64_t octets) {
  return {call.number("addr").value_or(0), octets, call.number("key").value_or(0)};
}

fabric::Context context_of(const Line& call) {
  return call.number("context").value_or(0);
}

Line register_memory(const Line& call, Application& application) {
  const auto region = application.register_memory(call.octets("octets").value_or(OctetBuffer()));
  if (!region) return failure(region.error().message);
  return Line("ok").put("addr", region->addr).put("len", region->len).put("key", region->key);
}

Line receive(const Line& call, Application& application) {
  const std::uint64_t octets = call.number("octets").value_or(0);
  if (octets > control::Socket::kMostLine) return failure("the buffer is too long");
  return done(application.post(fabric::Receive{
      .context = context_of(call), .octets = static_cast<std::size_t>(octets), .tag = call.number("tag")}));
}

Line send(const Line& call, Application& application) {
  return done(application.post(fabric::Send{.context = context_of(call),
                                            .data = call.octets("data").value_or(OctetBuffer()),
                                            .tag = call.number("tag"),
                                            .cq_data = call.number("cq_data"),
                                            .delivery_complete = call.flag("delivery_complete"),
                                            .to = call.number("to")}));
}

Line write(const Line& call, Application& application) {
  fabric::Write write{.context = context_of(call),
                      .data = call.octets("data").value_or(OctetBuffer()),
                      .cq_data = call.number("cq_data"),
                      .delivery_complete = call.flag("delivery_complete")};
  write.to = iov_of(call, write.data.size());
  return done(application.post(write));
}

Line read(const Line& call, Application& application) {
  const std::uint64_t octets = call.number("len").value_or(0);
  if (octets > control::Socket::kMostLine) return failure("the buffer is too long");
  return done(application.post(fabric::Read{.context = context_of(call), .from = iov_of(call, octets)}));
}

Line atomic(const Line& call, Application& application) {
  using enum AtomicCall;
  const std::string_view kind = call.value("call").value_or("fetch");
  return done(application.post(fabric::Atomic{.context = context_of(call),
                                              .call = kind == "write"     ? write
                                                      : kind == "compare" ? compare
                                                                          : fetch,
                                              .op = static_cast<AtomicOp>(call.number("op").value_or(0)),
                                              .operand = call.number("operand").value_or(0),
                                              .compare = call.number("compare").value_or(0),
                                              .on = iov_of(call, sizeof(std::uint64_t))}));
}

Line trouble(const Line& call, Application& application) {
  fabric::Trouble trouble{.registers = call.number("registers") != 0, .reaches = call.number("reaches") != 0};
  if (const auto packets = call.number("packets")) trouble.packets = static_cast<std::size_t>(*packets);
  return done(application.trouble(trouble));
}

Line next_completion(const Line&, Application& application) {
  const auto next = application.completion(application.now());
  return next ? line_of(*next) : failure(next.error().message);
}

struct Row {
  std::string_view word;
  Line (*run)(const Line& call, Application& application);
};
constexpr Row kCalls[] = {
    {"name", [](const Line&, Application& application) { return named(application.name()); }},
    {"another", [](const Line&, Application& application) { return named(application.name_of_another()); }},
    {"close",
     [](const Line&, Application& application) { return done(application.close(application.now() + kPatience)); }},
    {"trouble", trouble},
    {"register", register_memory},
    {"withdraw", [](const Line& call,
                    Application& application) { return done(application.withdraw(call.number("key").value_or(0))); }},
    {"memory",
     [](const Line& call, Application& application) {
       return with_octets(application.memory(call.number("key").value_or(0)));
     }},
    {"recv", receive},
    {"send", send},
    {"write", write},
    {"read", read},
    {"atomic", atomic},
    {"buffer",
     [](const Line& call, Application& application) { return with_octets(application.buffer(context_of(call))); }},
    {"completion", next_completion},
};

}  // namespace

Line answer(const Line& call, fabric::Application& application) {
  const auto row = std::ranges::find(kCalls, std::string_view(call.word()), &Row::word);
  return row == std::end(kCalls) ? failure("there is no such call") : row->run(call, application);
}

Line ApplicationCalls::take(const Line& call) {
  const auto far = decode_raw_address(call.octets("peer").value_or(OctetBuffer()));
  if (!far) return failure("take needs peer=…, a raw address");
  application_ = take_(*far);
  const fabric::Abilities* const abilities = application_ == nullptr ? nullptr : application_->begin(*far);
  return abilities == nullptr ? failure("no application takes calls") : line_of(*abilities);
}

Line ApplicationCalls::answer(const Line& call) {
  if (call.word() == "take") return take(call);
  return application_ == nullptr ? failure("take comes first") : efa::answer(call, *application_);
}

}  // namespace wirelaw::efa

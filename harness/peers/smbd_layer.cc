// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/smbd_layer.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace wirelaw::smbd {

std::optional<RemoteBuffer> StreamRegistrar::register_memory(std::span<Octet> memory, Access access) {
  if (left_ == 0) return std::nullopt;
  const auto lent = below_->lend(memory, next_base_, {.read = access.read, .write = access.write});
  if (!lent) return std::nullopt;
  next_base_ += kFirstBase;
  --left_;
  ++registered_;
  return RemoteBuffer{.token = lent->stag, .offset = lent->to};
}

bool StreamRegistrar::deregister_memory(Token token) {
  if (!below_->deregister(token)) return false;
  --registered_;
  return true;
}

Layer::Layer(Role role, const Options& options, const Deviations& deviations, std::unique_ptr<Application> application)
    : may_leave_open_(deviations.has(Deviation::endpoint_left_open)),
      endpoint_(make_endpoint(role, options, registrar_, deviations)),
      application_(std::move(application)) {}

OctetBuffer Layer::begin(rdmap::Endpoint& below, Instant now) {
  registrar_.bind(below);
  endpoint_->begin(now);
  proceed(below, now);
  return {};
}

void Layer::take(rdmap::Event& event, rdmap::Endpoint& below, Instant now) {
  if (std::holds_alternative<rdmap::ConnectionRequest>(event)) {
    static_cast<void>(below.accept());
  } else if (std::holds_alternative<rdmap::Established>(event)) {
    endpoint_->connected(now);
  } else if (auto* const received = std::get_if<rdmap::Received>(&event)) {
    endpoint_->receive(received->data, received->invalidated, now);
  } else if (const auto* const completed = std::get_if<rdmap::Completed>(&event)) {
    if (auto done = posted_.extract(completed->id)) {
      if (done.mapped().sink) below.deregister(*done.mapped().sink);
      endpoint_->completed(done.mapped().id, completed->ok, now);
    }
  } else {
    lose(below, now);
  }
  proceed(below, now);
}

// Ends the connection, for any reason and from either side.
void Layer::lose(rdmap::Endpoint& below, Instant now) {
  leaves_open_ = may_leave_open_;
  endpoint_->disconnected(now);
  below.close();
}

void Layer::advance(rdmap::Endpoint& below, Instant now) {
  endpoint_->advance(now);
  application_->advance(*endpoint_, now);
  proceed(below, now);
}

std::optional<Instant> Layer::deadline() const {
  const auto endpoint = endpoint_->deadline(), application = application_->deadline();
  return endpoint && application ? std::min(*endpoint, *application) : endpoint ? endpoint : application;
}

void Layer::proceed(rdmap::Endpoint& below, Instant now) {
  for (bool moved = true; moved;) {
    moved = false;
    for (Work work; endpoint_->next_work(work); moved = true)
      std::visit([&](auto& one) { perform(one, below, now); }, work);
    for (Event event; endpoint_->next_event(event); moved = true) application_->take(event, *endpoint_, now);
  }
}

void Layer::keep(tl::expected<rdmap::WorkId, rdmap::PostError> posted, Posted what, Instant now) {
  if (posted)
    posted_.emplace(*posted, what);
  else
    endpoint_->completed(what.id, false, now);
}

void Layer::perform(PostReceive& work, rdmap::Endpoint& below, Instant) {
  static_cast<void>(below.post_receive(work.octets));
}

void Layer::perform(PostSend& work, rdmap::Endpoint& below, Instant now) {
  const auto form = work.invalidate ? rdmap::SendForm::invalidate : rdmap::SendForm::plain;
  keep(below.post_send(std::move(work.octets), form, work.invalidate.value_or(0)), {work.id}, now);
}

void Layer::perform(PostWrite& work, rdmap::Endpoint& below, Instant now) {
  keep(below.post_write(std::move(work.octets), {work.to.token, work.to.offset}), {work.id}, now);
}

void Layer::perform(PostRead& work, rdmap::Endpoint& below, Instant now) {
  const auto sink = below.register_buffer(work.into, 0, {});
  if (!sink) return endpoint_->completed(work.id, false, now);
  const auto posted =
      below.post_read({*sink, 0}, {work.from.token, work.from.offset}, static_cast<std::uint32_t>(work.into.size()));
  if (!posted) below.deregister(*sink);
  keep(posted, {work.id, *sink}, now);
}

void Layer::perform(Disconnect& work, rdmap::Endpoint& below, Instant) {
  may_leave_open_ = false;  // the layer itself has ended the connection
  work.abortive ? below.terminate() : below.close();
}

}  // namespace wirelaw::smbd

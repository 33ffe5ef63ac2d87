// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/channel.h"

#include <fmt/format.h>

#include "conformance/script/composer.h"

namespace wirelaw::script {

Channel::Channel(CaseRun& run, Speaker& speaker, std::uint32_t number, Side iut)
    : CaseProbe(run), speaker_(speaker), number_(number), iut_(iut) {
  begin();
}

void Channel::begin() {
  if (connected() && transport().is_stream() != is_stream())
    skip(is_stream() ? "the script is over a stream, and the IUT was given with datagrams only"
                     : "the script is over datagrams, and the IUT was given with a stream");
  if (speaker_.language().joins_connections) avoid_address_of_iut();
  if (ok()) speaker_.begin(number_, addresses_of(transport(), other(iut_)));
}

void Channel::reopen() {
  connect();
  begin();
  drop_waiting();
  inbox_.clear();
  held_.clear();
  ended_ = Ending::none;
}

void Channel::give_up(const TransportError& error) {
  run().broken(error);
  stop();
}

// --- sending

void Channel::send(Octets frame) {
  if (is_stream()) {
    held_.insert(held_.end(), frame.begin(), frame.end());
    return;
  }
  send_octets(frame);
  stale_ = waiting_.size();
}

Result<void> Channel::push(const std::vector<Value>& sizes) {
  if (sizes.empty()) release();
  for (const Value& value : sizes) {
    const auto size = speaker_.number(value);
    if (!size) return tl::unexpected(size.error());
    if (*size > held_.size()) return problem(value.at, fmt::format("only {} octets are there", held_.size()));
    flush(static_cast<std::size_t>(*size));
  }
  return {};
}

void Channel::release() {
  flush(held_.size());
}

void Channel::flush(std::size_t octets) {
  if (octets == 0) return;
  const OctetBuffer piece(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(octets));
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(octets));
  send_octets(piece);
  stale_ = waiting_.size();
}

void Channel::end(Ending ending) {
  release();
  if (ok()) transport().end(ending);
}

// --- receiving

std::optional<Arrival> Channel::next(Instant deadline) {
  if (waiting_.empty()) return receive(deadline);
  Arrival first = std::move(waiting_.front());
  waiting_.pop_front();
  first.is_stale = stale_ > 0;
  if (first.is_stale) --stale_;
  return first;
}

void Channel::watch(Instant until) {
  while (auto arrival = receive(until))
    if (waiting_.size() < kMostWaiting) waiting_.push_back(std::move(*arrival));
}

void Channel::put_back(Arrival arrival) {
  stale_ += arrival.is_stale ? 1 : 0;
  waiting_.push_front(std::move(arrival));
}

void Channel::drop_waiting() {
  waiting_.clear();
  stale_ = 0;
}

std::optional<Arrival> Channel::receive(Instant deadline) {
  for (;;) {
    if (auto unit = take_unit()) return unit;
    auto octets = receive_octets(deadline);
    if (!octets) return take_end();
    if (is_stream()) {
      inbox_.insert(inbox_.end(), octets->begin(), octets->end());
      continue;
    }
    speaker_.speech(number_).heard(iut_, *octets);
    return Arrival{.octets = std::move(*octets), .connection = number_};
  }
}

// The next message in the octets of the stream so far.
std::optional<Arrival> Channel::take_unit() {
  if (inbox_.empty()) return std::nullopt;
  Framing& framing = speaker_.framing(number_);
  auto unit = framing.next(iut_, inbox_);
  if (!unit) return std::nullopt;
  const OctetBuffer octets(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(unit->length));
  inbox_.erase(inbox_.begin(), inbox_.begin() + static_cast<std::ptrdiff_t>(unit->length));
  framing.passed(iut_, octets, unit->message ? Octets(*unit->message) : Octets());
  if (!unit->message) return Arrival{.kind = What::Kind::raw, .octets = octets, .connection = number_};
  speaker_.speech(number_).heard(iut_, *unit->message);
  speaker_.speech(number_).passed(iut_, *unit->message);
  return Arrival{.octets = std::move(*unit->message), .connection = number_};
}

// The end of the stream is reported once.
std::optional<Arrival> Channel::take_end() {
  if (!ok() || !is_stream() || ended_ != Ending::none) return std::nullopt;
  ended_ = transport().ending();
  if (ended_ == Ending::none) return std::nullopt;
  return Arrival{.kind = ended_ == Ending::closed ? What::Kind::close : What::Kind::reset, .connection = number_};
}

}  // namespace wirelaw::script

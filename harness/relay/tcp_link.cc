// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/tcp_link.h"

#include <fmt/format.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "harness/transports/asio_address.h"
#include "harness/transports/tcp/tcp_connect.h"

namespace wirelaw {
namespace {

using asio::ip::tcp;

// Before a reset, a leg may send what was written: the relay checks it at this interval, at most kLooks times.
constexpr std::chrono::milliseconds kLookEvery{10};
constexpr unsigned kLooks = 500;
// The time for the peers to close after the relay has closed both legs.
constexpr std::chrono::seconds kClosing{5};

bool is_transient(const asio::error_code& code) {
  return code == asio::error::would_block || code == asio::error::try_again || code == asio::error::interrupted;
}

// Returns the number of octets that were written to the socket and that the other end has not acknowledged.
std::size_t unsent(tcp::socket& socket) {
  int octets = 0;
  return ::ioctl(socket.native_handle(), SIOCOUTQ, &octets) == 0 ? static_cast<std::size_t>(octets) : 0;
}

pcap::Endpoint local_of(const tcp::socket& socket) {
  asio::error_code ignored;
  return endpoint_of(socket.local_endpoint(ignored));
}

void make_ready(tcp::socket& socket) {
  asio::error_code ignored;
  socket.non_blocking(true, ignored);
  socket.set_option(tcp::no_delay(true), ignored);
}

}  // namespace

TcpLink::TcpLink(TcpLinkContext& shared, Socket near, const pcap::Endpoint& initiator, std::uint64_t number,
                 std::function<void()> over)
    : shared_(shared),
      number_(number),
      near_(std::move(near)),
      far_(shared.context),
      near_leg_(shared.recording, initiator, local_of(near_)),
      ways_{{shared, seed_of(shared.seed, number, false)}, {shared, seed_of(shared.seed, number, true)}},
      faults_(shared.faults.run()),
      timer_(shared.context),
      over_(std::move(over)) {
  make_ready(near_);
}

void TcpLink::start() {
  near_leg_.remark(fmt::format("connection {}, leg of the initiator", number_));
  near_leg_.open();
  near_leg_.stops_reading(true);
  far_.async_connect(asio_endpoint<tcp>(shared_.to),
                     [self = shared_from_this()](const Code& code) { self->dialled(code); });
  timer_.expires_after(kConnectTime);
  timer_.async_wait([self = shared_from_this()](const Code& code) {
    Code ignored;
    if (!code && !self->far_leg_) self->far_.close(ignored);  // makes the dial fail
  });
}

void TcpLink::dialled(const Code& code) {
  timer_.cancel();
  if (is_over_) return;
  if (code) return refuse(code == asio::error::operation_aborted ? "it does not answer" : code.message());
  ++shared_.counts.reached;
  make_ready(far_);
  far_leg_.emplace(shared_.recording, local_of(far_), shared_.to);
  far_leg_->remark(fmt::format("connection {}, leg of the responder", number_));
  far_leg_->open();
  await_octets(true);
  await_octets(false);
}

void TcpLink::refuse(const std::string& why) {
  shared_.counts.unreachable = fmt::format("{}: {}", pcap::to_string(shared_.to), why);
  near_leg_.remark(fmt::format("the relay could not reach the responder at {}", shared_.counts.unreachable));
  abort(near_);
  near_leg_.reset(false);
  finish();
}

// ------------------------------------------------------------------------------------------------------------- octets

void TcpLink::await_octets(bool w) {
  Code ignored;
  arrival(w).reads_on(w, sender(w).available(ignored));
  sender(w).async_wait(tcp::socket::wait_read, [self = shared_from_this(), w](const Code& code) {
    if (!code) self->read(w);
  });
}

void TcpLink::read(bool w) {
  if (is_over_ || is_ending_) return;
  Code code;
  const std::size_t length = sender(w).read_some(asio::buffer(shared_.buffer), code);
  if (is_transient(code)) return await_octets(w);
  if (code) {
    const bool closed = code == asio::error::eof && !ways_[w].sender_has_reset;
    if (!closed) return sender_ended(w, Ending::reset);
    ways_[w].is_ending = true;
    if (faults_) ways_[w].steps.push_back({.copies = {faults_->rest(w ? Side::a : Side::b)}});
    return go_on(w);
  }
  const Octets octets = Octets(shared_.buffer).first(length);
  if (!w && !std::exchange(has_answered_, true)) ++shared_.counts.answered;
  arrival(w).carried(w, octets);
  arrival(w).stops_reading(w);
  if (shared_.plan.delays())
    delay(w, octets);
  else
    pass(w, octets);
}

void TcpLink::delay(bool w, Octets octets) {
  Way& way = ways_[w];
  way.held.assign(octets.begin(), octets.end());
  way.timer.expires_after(way.dice.draw_delay(shared_.plan.network_faults));
  way.timer.async_wait([self = shared_from_this(), w](const Code& code) {
    if (!code) self->pass_held(w);
  });
}

void TcpLink::pass_held(bool w) {
  if (is_over_ || is_ending_) return;
  const OctetBuffer octets = std::exchange(ways_[w].held, {});
  pass(w, octets);
}

// Passes on octets that arrive at the relay now, after any delay.
void TcpLink::pass(bool w, Octets octets) {
  if (faults_) std::ranges::move(faults_->stream(w ? Side::a : Side::b, octets), std::back_inserter(ways_[w].steps));
  if (faults_ || write(w, octets)) go_on(w);
}

void TcpLink::write_held(bool w) {
  if (is_over_ || is_ending_) return;
  const OctetBuffer octets = std::exchange(ways_[w].held, {});
  if (write(w, octets)) go_on(w);
}

// Writes what was read, and then reads more.
void TcpLink::go_on(bool w) {
  Way& way = ways_[w];
  while (!way.steps.empty() && !discards_)
    if (!play_step(w)) return;
  way.steps.clear();
  if (way.is_ending) return sender_ended(w, Ending::closed);
  await_octets(w);
}

// Returns false if the rest of the way is played later, or if the way is over.
bool TcpLink::play_step(bool w) {
  Way& way = ways_[w];
  script::Passing& step = way.steps.front();
  if (const auto delay = std::exchange(step.delay_ns, 0); delay > 0) {
    way.timer.expires_after(std::chrono::nanoseconds(delay));
    way.timer.async_wait([self = shared_from_this(), w](const Code& code) {
      if (!code && !self->is_over_ && !self->is_ending_) self->go_on(w);
    });
    return false;
  }
  for (std::string& one : take_played(step, shared_.counts)) departure(w).remark(std::move(one));
  step.played.clear();
  if (!step.copies.empty()) {
    const OctetBuffer octets = std::move(step.copies.front());
    step.copies.erase(step.copies.begin());
    return write(w, octets);
  }
  const script::Trigger::End end = step.end;
  way.steps.pop_front();
  if (end == script::Trigger::End::none) return true;
  play_end(w, end == script::Trigger::End::closes);
  return false;
}

// Returns the length of the next write. It ends with the piece that the dice have chosen, or with the octet after which
// the relay ends the connection.
std::size_t TcpLink::next_piece(Way& way, std::size_t most) {
  if (shared_.plan.cuts() && way.until_cut == 0) {
    const auto cut = static_cast<double>(shared_.plan.network_faults.cut);
    way.until_cut = 1 + std::min(shared_.plan.network_faults.cut - 1, static_cast<std::size_t>(way.dice.draw() * cut));
  }
  if (shared_.plan.cuts()) most = std::min(most, way.until_cut);
  for (const auto& end : {shared_.plan.close_after, shared_.plan.reset_after})
    if (end) most = static_cast<std::size_t>(std::min<std::uint64_t>(most, *end - passed_));
  return most;
}

// Returns false if some octets wait until the receiver takes more, or if the way is over.
bool TcpLink::write(bool w, Octets octets) {
  Way& way = ways_[w];
  while (!octets.empty() && !discards_) {
    const std::size_t piece = next_piece(way, octets.size());
    Code code;
    const std::size_t taken = receiver(w).write_some(asio::buffer(octets.data(), piece), code);
    if (code && !is_transient(code)) {
      receiver_is_gone(w, octets.size());
      return false;
    }
    if (taken > 0) departure(w).carried(w, octets.first(taken));
    octets = octets.subspan(taken);
    passed_ += taken;
    way.until_cut -= std::min(way.until_cut, taken);
    if (is_end_due()) {
      play_end(w, shared_.plan.close_after.has_value());
      return false;
    }
    if (taken < piece) {
      way.held.assign(octets.begin(), octets.end());
      receiver(w).async_wait(tcp::socket::wait_write, [self = shared_from_this(), w](const Code& error) {
        if (!error) self->write_held(w);
      });
      return false;
    }
  }
  return true;
}

// --------------------------------------------------------------------------------------------------------------- ends

// All its octets have been passed on, since the relay reads more only when it holds nothing.
void TcpLink::sender_ended(bool w, Ending how) {
  if (how == Ending::closed) {
    arrival(w).closed(w);
    return close_way(w);
  }
  arrival(w).reset(w);
  reset_legs(!w, w);
}

// A write to a side that has reset fails before the relay has read all that this side sent.
void TcpLink::receiver_is_gone(bool w, std::size_t lost) {
  departure(w).remark(fmt::format("{} octets that the relay had received were not taken", lost));
  ways_[w].is_over = true;
  ways_[!w].sender_has_reset = true;
  if (ways_[!w].is_over) sender_ended(!w, Ending::reset);  // no later read would show the reset
}

void TcpLink::close_way(bool w) {
  Code ignored;
  if (!discards_) {
    receiver(w).shutdown(Socket::shutdown_send, ignored);
    departure(w).closed(w);
  }
  ways_[w].is_over = true;
  if (ways_[!w].is_over) finish();
}

bool TcpLink::is_end_due() const {
  return (shared_.plan.close_after && passed_ >= *shared_.plan.close_after) ||
         (shared_.plan.reset_after && passed_ >= *shared_.plan.reset_after);
}

// Ends both legs while octets still pass on way `w`.
void TcpLink::play_end(bool w, bool closes) {
  ++shared_.counts.cut;
  ++shared_.counts.faulted;
  for (StreamLeg* const leg : {&near_leg_, &*far_leg_})
    leg->remark(fmt::format("the relay {} both legs after {} octets", closes ? "closes" : "resets", passed_));
  if (!closes) return reset_legs(true, true);
  discards_ = true;
  Code ignored;
  near_.shutdown(Socket::shutdown_send, ignored);
  near_leg_.closed(false);
  far_.shutdown(Socket::shutdown_send, ignored);
  far_leg_->closed(true);
  timer_.expires_after(kClosing);
  timer_.async_wait([self = shared_from_this()](const Code& code) {
    if (!code) self->cut("the peers did not close");
  });
  await_octets(w);
}

// Resets the legs once the peer has taken all that was written to it, or after a bounded time.
void TcpLink::reset_legs(bool near, bool far) {
  is_ending_ = true;
  resets_near_ = near;
  resets_far_ = far;
  look_whether_sent(kLooks);
}

void TcpLink::look_whether_sent(unsigned tries) {
  if (is_over_) return;
  const std::size_t waits = (resets_near_ ? unsent(near_) : 0) + (resets_far_ ? unsent(far_) : 0);
  if (waits > 0 && tries > 0) {
    timer_.expires_after(kLookEvery);
    timer_.async_wait([self = shared_from_this(), tries](const Code& code) {
      if (!code) self->look_whether_sent(tries - 1);
    });
    return;
  }
  if (waits > 0) {
    const std::string lost = fmt::format("the reset discarded {} octets that the peer had not acknowledged", waits);
    (resets_near_ ? near_leg_ : *far_leg_).remark(lost);
  }
  if (resets_near_) {
    abort(near_);
    near_leg_.reset(false);
  }
  if (resets_far_) {
    abort(far_);
    far_leg_->reset(true);
  }
  finish();
}

void TcpLink::cut(std::string_view why) {
  if (is_over_) return;
  ++shared_.counts.cut;
  abort(near_);
  near_leg_.remark(fmt::format("the relay cut the connection: {}", why));
  near_leg_.reset(false);
  abort(far_);
  if (far_leg_) {
    far_leg_->remark(fmt::format("the relay cut the connection: {}", why));
    far_leg_->reset(true);
  }
  finish();
}

void TcpLink::abort(Socket& socket) {
  Code ignored;
  socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

void TcpLink::finish() {
  if (std::exchange(is_over_, true)) return;
  Code ignored;
  near_.close(ignored);
  far_.close(ignored);
  timer_.cancel();
  for (Way& way : ways_) way.timer.cancel();
  over_();
}

}  // namespace wirelaw

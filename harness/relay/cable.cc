// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/cable.h"

#include <asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <optional>
#include <utility>

#include "harness/relay/datagram_socket.h"

namespace wirelaw {
namespace {

using asio::ip::udp;
using Code = asio::error_code;

constexpr std::size_t kLongestFrame = 128 * 1024;
constexpr unsigned kAtOnce = 64;  // frames that are read from one end before the other end

class TapCable final : public Cable {
 public:
  TapCable(asio::io_context& context, const std::array<PeerNetwork, 2>& networks)
      : networks_(networks), taps_{Tap(context, networks[0].tap()), Tap(context, networks[1].tap())} {}

  void start(Arrived arrived) override {
    arrived_ = std::move(arrived);
    for (const bool of_initiator : {true, false}) await(of_initiator);
  }
  Code send(bool to_initiator, Octets frame) override {
    const ssize_t written = ::write(tap(to_initiator).native_handle(), frame.data(), frame.size());
    return written < 0 ? Code(errno, asio::error::get_system_category()) : Code();
  }
  std::uint64_t dropped() const override { return networks_[0].dropped() + networks_[1].dropped(); }

 private:
  // Leaves the descriptor to its owner.
  struct Tap : asio::posix::stream_descriptor {
    Tap(asio::io_context& context, int number) : asio::posix::stream_descriptor(context, number) {}
    Tap(Tap&&) = default;
    ~Tap() {
      if (is_open()) release();
    }
  };
  Tap& tap(bool of_initiator) { return taps_[of_initiator ? 0 : 1]; }

  void await(bool of_initiator) {
    tap(of_initiator).async_wait(Tap::wait_read, [this, of_initiator](const Code& code) {
      if (!code && receive(of_initiator)) await(of_initiator);
    });
  }
  // False if no more frames will come: a peer may have deleted its TAP.
  bool receive(bool of_initiator) {
    for (unsigned i = 0; i < kAtOnce; ++i) {
      const ssize_t length = ::read(tap(of_initiator).native_handle(), buffer_.data(), buffer_.size());
      if (length < 0) return errno == EAGAIN || errno == EINTR;
      arrived_(of_initiator, Octets(buffer_).first(static_cast<std::size_t>(length)));
    }
    return true;
  }

  const std::array<PeerNetwork, 2>& networks_;
  std::array<Tap, 2> taps_;
  Arrived arrived_;
  OctetBuffer buffer_ = OctetBuffer(kLongestFrame);
};

class GuestCable final : public Cable {
 public:
  GuestCable(udp::socket& socket, const udp::endpoint& responder) : socket_(socket), responder_(responder) {
    make_ready(socket_);
  }

  void start(Arrived arrived) override {
    arrived_ = std::move(arrived);
    await();
  }
  Code send(bool to_initiator, Octets frame) override {
    if (to_initiator && !initiator_) return asio::error::not_connected;
    Code code;
    socket_.send_to(asio::buffer(frame.data(), frame.size()), to_initiator ? *initiator_ : responder_, 0, code);
    return code;
  }
  std::uint64_t dropped() const override { return dropped_; }

 private:
  void await() {
    socket_.async_wait(udp::socket::wait_read, [this](const Code& code) {
      if (code) return;
      receive();
      await();
    });
  }
  void receive() {
    for (unsigned i = 0; i < kAtOnce; ++i) {
      Code code;
      const ReceivedDatagram one = receive_datagram(socket_, buffer_, dropped_, code);
      if (code) return;
      dropped_ = one.dropped;
      const bool from_initiator = one.from != responder_;
      if (from_initiator && !initiator_) initiator_ = one.from;
      if (from_initiator && one.from != *initiator_) continue;
      arrived_(from_initiator, Octets(buffer_).first(one.length));
    }
  }

  udp::socket& socket_;
  const udp::endpoint responder_;
  std::optional<udp::endpoint> initiator_;  // once it has sent a frame
  Arrived arrived_;
  OctetBuffer buffer_ = OctetBuffer(kLongestFrame);
  std::uint32_t dropped_ = 0;
};

}  // namespace

std::unique_ptr<Cable> cable_between(asio::io_context& context, const std::array<PeerNetwork, 2>& networks) {
  return std::make_unique<TapCable>(context, networks);
}

std::unique_ptr<Cable> cable_between_guests(udp::socket& socket, const udp::endpoint& responder) {
  return std::make_unique<GuestCable>(socket, responder);
}

}  // namespace wirelaw

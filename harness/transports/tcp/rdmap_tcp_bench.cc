// SPDX-License-Identifier: Apache-2.0
// RDMA Writes between two endpoints in two threads over TCP on this machine, with CRCs. For comparison, it measures TCP
// alone with octets that are not examined, in pieces of the same size.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kMessage = 65'536;
constexpr std::size_t kRead = std::size_t{512} << 10;
constexpr std::size_t kBatch = 64;  // Writes, and a read of nothing that shows that they have arrived
constexpr unsigned kAhead = 4;      // batches in flight

// Two connected sockets of this machine.
struct Sockets {
  Sockets() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t length = sizeof address;
    auto* const at = reinterpret_cast<sockaddr*>(&address);
    a = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, at, length) != 0 || listen(listener, 1) != 0 || getsockname(listener, at, &length) != 0 ||
        connect(a, at, length) != 0)
      throw std::runtime_error("no connection over the loopback interface");
    b = accept(listener, nullptr, nullptr);
    close(listener);
    const int on = 1;
    for (const int one : {a, b}) setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  ~Sockets() {
    close(a);
    close(b);
  }
  int a = -1;
  int b = -1;
};

void send_all(int socket, Octets octets) {
  while (!octets.empty()) {
    const ssize_t sent = send(socket, octets.data(), octets.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    octets = octets.subspan(static_cast<std::size_t>(sent));
  }
}

// An endpoint and its end of the connection.
class Side {
 public:
  Side(Role role, const Options& options, int socket)
      : buffers_(static_cast<std::uint64_t>(role)), endpoint(role, options, buffers_), socket_(socket) {
    stag = *endpoint.register_buffer(memory_, 0, {.read = true, .write = true});
    endpoint.connected(Instant{0});
    flush();
  }
  // Waits for octets. False if the peer has ended.
  bool take() {
    const ssize_t got = recv(socket_, read_.data(), read_.size(), 0);
    if (got <= 0) return false;
    endpoint.receive(Octets(read_).first(static_cast<std::size_t>(got)), Instant{0});
    for (Event event; endpoint.next_event(event);) {
      if (std::holds_alternative<ConnectionRequest>(event)) static_cast<void>(endpoint.accept());
      if (const auto* done = std::get_if<Completed>(&event)) fences += done->opcode == Opcode::read_request ? 1 : 0;
    }
    return true;
  }
  void flush() {
    while (endpoint.next_octets(out_)) send_all(socket_, out_);
  }

 private:
  Buffers buffers_;
  OctetBuffer memory_ = OctetBuffer(16 * kMessage);
  OctetBuffer read_ = OctetBuffer(kRead);
  OctetBuffer out_;

 public:
  Endpoint endpoint;
  Stag stag = 0;
  unsigned fences = 0;

 private:
  int socket_;
};

void BM_WritesOverTcp(benchmark::State& state) {
  const Options options{.mulpdu = static_cast<std::size_t>(state.range(0))};
  Sockets sockets;
  Side responder(Role::responder, options, sockets.b);
  std::thread thread([&] {
    while (responder.take()) responder.flush();
  });
  Side initiator(Role::initiator, options, sockets.a);
  while (initiator.endpoint.phase() != Phase::operating && initiator.take()) {
  }
  const OctetBuffer data(kMessage, 0x5a);
  unsigned posted = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kBatch; ++i)
      static_cast<void>(initiator.endpoint.post_write(Octets(data), {responder.stag, i % 16 * kMessage}));
    static_cast<void>(initiator.endpoint.post_read({0, 0}, {0, 0}, 0));
    ++posted;
    initiator.flush();
    while (posted - initiator.fences > kAhead && initiator.take()) {
    }
  }
  while (initiator.fences < posted && initiator.take()) {
  }
  if (initiator.fences != posted) state.SkipWithError("the stream has failed");
  shutdown(sockets.a, SHUT_RDWR);
  thread.join();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBatch * kMessage));
}
BENCHMARK(BM_WritesOverTcp)->Arg(1454)->Arg(8954)->Arg(static_cast<std::int64_t>(kMaxMulpdu))->UseRealTime();

void BM_TcpAlone(benchmark::State& state) {
  Sockets sockets;
  std::thread thread([&] {
    OctetBuffer read(kRead);
    while (recv(sockets.b, read.data(), read.size(), 0) > 0) {
    }
  });
  const OctetBuffer data(kMessage, 0x5a);
  for (auto _ : state)
    for (std::size_t i = 0; i < kBatch; ++i) send_all(sockets.a, data);
  shutdown(sockets.a, SHUT_RDWR);
  thread.join();
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kBatch * kMessage));
}
BENCHMARK(BM_TcpAlone)->UseRealTime();

}  // namespace
}  // namespace wirelaw::rdmap

BENCHMARK_MAIN();

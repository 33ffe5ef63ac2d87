// SPDX-License-Identifier: Apache-2.0
// A complete job with three UMSP nodes over TCP, on the loopback interface of a separate network namespace. Its traffic
// is captured, and the capture is judged.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "conformance/umsp/umsp.h"
#include "harness/capture/own_network.h"
#include "harness/check/check_files.h"
#include "harness/umsp_job.h"
#include "pcap/live_capture.h"
#include "pcap/temporary_directory.h"
#include "pcap/writer.h"

namespace wirelaw::umsp {
namespace {

using ::testing::IsEmpty;
using Clock = std::chrono::steady_clock;

constexpr NodeAddress kInitiator{{127, 0, 0, 1}}, kExecutor{{127, 0, 0, 2}}, kControl{{127, 0, 0, 3}};

sockaddr_in place_of(NodeAddress node, std::uint16_t port) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  std::memcpy(&place.sin_addr, node.ip.data(), node.ip.size());
  return place;
}

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {
    const int one = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  }
  Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }
  bool bind_to(NodeAddress node, std::uint16_t port) const {
    const int one = 1;
    ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    const sockaddr_in place = place_of(node, port);
    return ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
  }
  bool connect_to(NodeAddress node) const {
    const sockaddr_in place = place_of(node, kPort);
    return ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
  }

 private:
  int descriptor_;
};

// Three nodes, each with a listener and its ends of connections. The seed decides how their octets are cut.
class TcpWorld {
 public:
  TcpWorld(std::size_t cut, std::uint64_t seed) : cut_(cut), random_(seed) {
    for (const NodeAddress one : {kInitiator, kExecutor, kControl}) {
      Party& party = parties_.emplace_back(one, Socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
      ok_ = ok_ && party.listener.bind_to(one, kPort) && ::listen(party.listener.get(), SOMAXCONN) == 0;
    }
  }
  bool ok() const { return ok_; }
  Node& node(NodeAddress address) { return *party(address).node; }
  Instant now() const { return Clock::now() - begun_; }

  // Runs until it is done. `on` gets what each node's application learns; `look` is called after every event.
  template <class Done, class On, class Look>
  void run(const Done& done, const On& on, const Look& look) {
    while (!done()) {
      for (Party& one : parties_) serve(one, on);
      look();
      wait();
      for (Party& one : parties_) {
        accept_at(one);
        for (End& end : one.ends) read_from(one, end);
        one.node->advance(now());
      }
    }
    look();
  }

 private:
  struct End {
    LinkId id;
    Socket socket;
    bool over = false;
  };
  struct Party {
    Party(NodeAddress self, Socket listening)
        : address(self), node(std::make_unique<Node>(NodeOptions{.address = self})), listener(std::move(listening)) {}
    NodeAddress address;
    std::unique_ptr<Node> node;
    Socket listener;
    std::deque<End> ends;
  };

  Party& party(NodeAddress address) {
    return *std::ranges::find_if(parties_, [&](const Party& one) { return one.address == address; });
  }
  End& add(Party& to, Socket socket, NodeAddress remote) {
    End& end = to.ends.emplace_back(End{links_++, std::move(socket)});
    to.node->linked(end.id, remote, false, now());
    return end;
  }
  template <class On>
  void serve(Party& one, const On& on) {
    for (bool moved = true; moved;) {
      moved = false;
      for (NodeEvent event; one.node->next_event(event); moved = true) on(one.address, *one.node, event);
      while (const auto to = one.node->next_dial()) {
        moved = true;
        dial(one, *to);
      }
      for (Outgoing out; one.node->next_output(out); moved = true) send(one, out);
    }
  }
  void dial(Party& from, NodeAddress to) {
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.bind_to(from.address, 0) || !socket.connect_to(to)) return from.node->not_reached(to, now());
    add(from, std::move(socket), to);
  }
  void send(Party& from, const Outgoing& out) {
    const auto end = std::ranges::find(from.ends, static_cast<LinkId>(out.to), &End::id);
    ASSERT_NE(end, from.ends.end());
    for (Octets rest = out.octets; !rest.empty();) {
      const std::size_t length = std::min(rest.size(), 1 + random_() % cut_);
      const ssize_t sent = ::send(end->socket.get(), rest.data(), length, MSG_NOSIGNAL);
      ASSERT_GT(sent, 0) << std::strerror(errno);
      rest = rest.subspan(static_cast<std::size_t>(sent));
    }
  }
  void wait() {
    std::vector<pollfd> all;
    std::optional<Instant> due;
    for (const Party& one : parties_) {
      all.push_back({.fd = one.listener.get(), .events = POLLIN, .revents = 0});
      for (const End& end : one.ends)
        if (!end.over) all.push_back({.fd = end.socket.get(), .events = POLLIN, .revents = 0});
      if (const auto next = one.node->deadline(); next && (!due || *next < *due)) due = next;
    }
    using std::chrono::milliseconds;
    const auto rest =
        due ? std::chrono::duration_cast<milliseconds>(*due - now()) + milliseconds(1) : milliseconds(1000);
    ::poll(all.data(), all.size(), std::max(0, static_cast<int>(rest.count())));
  }
  void accept_at(Party& one) {
    pollfd waiting{.fd = one.listener.get(), .events = POLLIN, .revents = 0};
    while (::poll(&waiting, 1, 0) == 1) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      Socket socket(::accept4(one.listener.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC));
      NodeAddress remote;
      std::memcpy(remote.ip.data(), &from.sin_addr, remote.ip.size());
      add(one, std::move(socket), remote);
    }
  }
  void read_from(Party& one, End& end) {
    std::array<Octet, 4096> octets{};
    for (ssize_t got = 1; got > 0 && !end.over;) {
      got = ::recv(end.socket.get(), octets.data(), octets.size(), MSG_DONTWAIT);
      if (got > 0) one.node->receive(end.id, Octets(octets).first(static_cast<std::size_t>(got)), now());
      if (got == 0) one.node->ended(end.id, now());
      end.over = got == 0;
    }
  }

  const Clock::time_point begun_ = Clock::now();
  std::size_t cut_;
  std::mt19937_64 random_;
  std::deque<Party> parties_;
  LinkId links_ = 0;
  bool ok_ = true;
};

// Captures the interface into a file.
class Recorded {
 public:
  explicit Recorded(const std::string& path)
      : path_(path), capture_(pcap::LiveCapture::open("lo", "tcp port 2110")), writer_(pcap::Writer::create(path)) {}
  std::string trouble() const {
    if (!capture_) return pcap::to_string(capture_.error());
    return writer_ ? std::string() : pcap::to_string(writer_.error());
  }
  void drain() {
    for (pcap::Frame frame; capture_->next(frame);) ASSERT_TRUE(writer_->write_frame(frame));
  }
  void close() {
    drain();
    writer_->say_dropped(capture_->lost());
    ASSERT_TRUE(writer_->commit());
  }

 private:
  std::string path_;
  tl::expected<pcap::LiveCapture, pcap::Problem> capture_;
  tl::expected<pcap::Writer, pcap::Problem> writer_;
};

class UmspTcpJob : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Cuts, UmspTcpJob, testing::Values(7u, 100u, 65'536u),
                         [](const auto& cut) { return std::to_string(cut.param); });

TEST_P(UmspTcpJob, IsWholeAndItsCaptureIsClean) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  const pcap::testing::TemporaryDirectory folder;
  const std::string file = folder.path("job.pcapng");
  Recorded recorded(file);
  if (const std::string why = recorded.trouble(); !why.empty()) GTEST_SKIP() << why;
  TcpWorld world(GetParam(), GetParam());
  ASSERT_TRUE(world.ok());
  Application application(kExecutor);
  bool task_is_over = false;  // the notices of the control point to the executor
  ASSERT_TRUE(world.node(kInitiator).begin_job(kControl, 0, "whole", world.now()));
  world.run([&] { return application.ended && task_is_over; },
            [&](NodeAddress address, Node& node, const NodeEvent& event) {
              if (address == kInitiator) application.on(node, event, world.now());
              if (address == kExecutor) task_is_over |= std::holds_alternative<TaskEnded>(event);
            },
            [&] { recorded.drain(); });
  recorded.close();
  expect_whole(application, "over TCP");

  const std::string files[] = {file};
  const FileResults checked = check_files(files, {});
  std::vector<std::string> findings;
  for (const Finding& one : checked.results.findings)
    findings.push_back(
        fmt::format("{}: frame {}: expected {}, got {}", one.rule->id, one.frame, one.expected, one.actual));
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_EQ(checked.results.inputs.at(0).completeness, Completeness::complete);
  EXPECT_GE(checked.results.flows.size(), 3u) << "each node has one with each other";
  for (const FlowResult& one : checked.results.flows) {
    EXPECT_EQ(one.protocol, kProtocol.name);
    EXPECT_EQ(one.state, FlowState::judged) << one.note;
  }
}

}  // namespace
}  // namespace wirelaw::umsp

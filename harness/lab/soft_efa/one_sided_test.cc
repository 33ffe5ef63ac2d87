// SPDX-License-Identifier: Apache-2.0
// RDMA reads and writes between two soft devices; the responder's program does nothing meanwhile.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "harness/lab/soft_efa/frame.h"
#include "harness/lab/soft_efa/test_device.h"

namespace wirelaw::soft_efa {
namespace {

using testing::kQkey;
using testing::Node;
using testing::Region;
using testing::Seen;

constexpr std::size_t kLong = 1000003;  // no multiple of a segment

void scribble(std::vector<std::uint8_t>& octets) {
  std::minstd_rand chance(7);
  std::ranges::generate(octets, [&] { return static_cast<std::uint8_t>(chance() >> 8); });
}

TEST(OneSided, ReadsBringTheRemoteOctets) {
  Node a, b;
  Region local(a.pd, kLong), remote(b.pd, kLong);
  scribble(remote.octets);
  ASSERT_EQ(a.rdma({IBV_WR_RDMA_READ, remote.mr->rkey, remote.address()}, a.handle(), b.port(), local.sge(0, kLong), 4),
            0);
  const Seen seen = a.wait();
  EXPECT_EQ(seen.wr_id, 4u);
  EXPECT_EQ(seen.status, IBV_WC_SUCCESS);
  EXPECT_EQ(seen.opcode, IBV_WC_RDMA_READ);
  EXPECT_EQ(local.octets, remote.octets);
}

TEST(OneSided, WritesPlaceTheLocalOctets) {
  Node a, b;
  Region local(a.pd, kLong), remote(b.pd, kLong + 10);
  scribble(local.octets);
  ASSERT_EQ(a.rdma({IBV_WR_RDMA_WRITE, remote.mr->rkey, remote.address(5)}, a.handle(), b.port(), local.sge(0, kLong)),
            0);
  const Seen seen = a.wait();
  EXPECT_EQ(seen.status, IBV_WC_SUCCESS);
  EXPECT_EQ(seen.opcode, IBV_WC_RDMA_WRITE);
  EXPECT_TRUE(std::equal(local.octets.begin(), local.octets.end(), remote.octets.begin() + 5));
  EXPECT_EQ(remote.octets[4], 0);
  EXPECT_EQ(remote.octets[kLong + 5], 0);
}

TEST(OneSided, WritesWithImmediateDataCompleteAReceiveOnce) {
  Node a, b;
  Region local(a.pd, kLong), remote(b.pd, kLong);
  scribble(local.octets);
  b.post_receive(remote.sge(0, 0), 8);
  b.post_receive(remote.sge(0, 0), 9);
  a.rdma({IBV_WR_RDMA_WRITE_WITH_IMM, remote.mr->rkey, remote.address(), kQkey, 0xabcdef01}, a.handle(), b.port(),
         local.sge(0, kLong));
  const Seen received = b.wait({&a});
  EXPECT_EQ(received.wr_id, 8u);
  EXPECT_EQ(received.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
  EXPECT_EQ(received.immediate, 0xabcdef01u);
  EXPECT_EQ(received.byte_len, kLong);
  EXPECT_EQ(received.src_qp, a.port());
  EXPECT_EQ(local.octets, remote.octets) << "the octets are there before the receive completes";
  EXPECT_FALSE(b.poll());
}

TEST(OneSided, OfNoOctetsComplete) {
  Node a, b;
  Region local(a.pd, 8), remote(b.pd, 8);
  a.rdma({IBV_WR_RDMA_READ, remote.mr->rkey, remote.address()}, a.handle(), b.port(), local.sge(0, 0));
  EXPECT_EQ(a.wait().status, IBV_WC_SUCCESS);
}

TEST(OneSided, SeveralAtOnceCompleteEach) {
  Node a, b;
  Region local(a.pd, 100 * 10000), remote(b.pd, 10000);
  scribble(remote.octets);
  ibv_ah* handle = a.handle();
  for (std::size_t i = 0; i < 100; ++i)
    ASSERT_EQ(
        a.rdma({IBV_WR_RDMA_READ, remote.mr->rkey, remote.address()}, handle, b.port(), local.sge(i * 10000, 10000), i),
        0);
  std::vector<bool> seen(100);
  for (int i = 0; i < 100; ++i) {
    const Seen one = a.wait();
    EXPECT_EQ(one.status, IBV_WC_SUCCESS);
    EXPECT_FALSE(seen.at(one.wr_id));
    seen.at(one.wr_id) = true;
  }
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_TRUE(std::equal(remote.octets.begin(), remote.octets.end(),
                           local.octets.begin() + static_cast<std::ptrdiff_t>(i * 10000)));
}

TEST(OneSided, AreRefusedWhereTheKeyTheBoundsOrTheAccessAreWrong) {
  Node a, b;
  Region local(a.pd, 100), remote(b.pd, 100), closed(b.pd, 100, IBV_ACCESS_LOCAL_WRITE);
  scribble(local.octets);
  ibv_ah* handle = a.handle();
  const auto refused = [&](const Node::Rdma& what) {
    a.rdma(what, handle, b.port(), local.sge(0, 100));
    const Seen seen = a.wait();
    EXPECT_EQ(seen.status, IBV_WC_REM_ACCESS_ERR);
    EXPECT_EQ(seen.vendor_err, 7u);
  };
  for (const ibv_wr_opcode opcode : {IBV_WR_RDMA_READ, IBV_WR_RDMA_WRITE}) {
    refused({opcode, remote.mr->rkey + 77, remote.address()});
    refused({opcode, remote.mr->rkey, remote.address(1)});
    refused({opcode, remote.mr->rkey, remote.address() - 1});
    refused({opcode, remote.mr->rkey, UINT64_MAX - 10});
    refused({opcode, closed.mr->rkey, closed.address()});
  }
  EXPECT_EQ(remote.octets, std::vector<std::uint8_t>(100));
  EXPECT_EQ(closed.octets, std::vector<std::uint8_t>(100));
}

TEST(OneSided, WritesAreNotForDevicesThatOnlyRead) {
  Settings reads = testing::settings();
  reads.rdma = Rdma::read;
  Node a, b(reads);
  Region local(a.pd, 100), remote(b.pd, 100);
  scribble(local.octets);
  a.rdma({IBV_WR_RDMA_WRITE, remote.mr->rkey, remote.address()}, a.handle(), b.port(), local.sge(0, 100));
  EXPECT_EQ(a.wait().status, IBV_WC_REM_ACCESS_ERR);
  EXPECT_EQ(remote.octets, std::vector<std::uint8_t>(100));
  EXPECT_EQ(b.rdma({IBV_WR_RDMA_WRITE, 1, 0}, b.handle(), a.port(), remote.sge(0, 100)), EOPNOTSUPP);
  Settings none = testing::settings();
  none.rdma = Rdma::off;
  Node c(none);
  EXPECT_EQ(c.rdma({IBV_WR_RDMA_READ, 1, 0}, c.handle(), a.port(), remote.sge(0, 100)), EINVAL);
}

TEST(OneSided, OfAPeerThatHasGoneFail) {
  Node a;
  auto gone = std::make_unique<Node>();
  const std::uint16_t port = gone->port();
  gone.reset();
  Region local(a.pd, 100);
  a.rdma({IBV_WR_RDMA_READ, 1, 0}, a.handle(), port, local.sge(0, 100));
  EXPECT_EQ(a.wait().status, IBV_WC_RESP_TIMEOUT_ERR);
}

TEST(OneSided, LocalMemoryHasToBeRegisteredForWriting) {
  Node a, b;
  Region local(a.pd, 100, 0), remote(b.pd, 100);
  a.rdma({IBV_WR_RDMA_READ, remote.mr->rkey, remote.address()}, a.handle(), b.port(), local.sge(0, 100));
  EXPECT_EQ(a.wait().status, IBV_WC_LOC_PROT_ERR);
}

// Sends octets to a port, as any process on this machine can.
class Stranger {
 public:
  void send(std::uint16_t port, std::span<const std::uint8_t> octets) {
    const iovec part{const_cast<std::uint8_t*>(octets.data()), octets.size()};
    socket_.send({testing::settings().gid, port}, {&part, 1});
  }
  void send(std::uint16_t port, const Frame& frame) {
    std::vector<std::uint8_t> octets(kFrameHeader);
    encode(frame, std::span<std::uint8_t, kFrameHeader>(octets.data(), kFrameHeader));
    octets.insert(octets.end(), frame.data.begin(), frame.data.end());
    send(port, octets);
  }
  std::optional<Socket::Received> receive() {
    const iovec part{buffer_.data(), buffer_.size()};
    return socket_.receive({&part, 1});
  }

 private:
  Socket socket_ = *Socket::bind(testing::settings().gid, 0);
  std::array<std::uint8_t, 65536> buffer_;
};

// The stranger's frames have been handled once a read that was posted after them is complete.
void settle(Node& a, Node& b, ibv_ah* handle, Region& local, const Region& remote) {
  a.rdma({IBV_WR_RDMA_READ, remote.mr->rkey, remote.address()}, handle, b.port(), local.sge(0, 8), 1000);
  while (a.wait().wr_id != 1000) {
  }
}

TEST(Hostile, FramesChangeNoMemoryThatTheirKeyDoesNotCover) {
  Node a, b;
  Region local(a.pd, 8), remote(b.pd, 4096), secret(b.pd, 4096, IBV_ACCESS_LOCAL_WRITE);
  ibv_ah* handle = a.handle();
  Stranger stranger;
  const auto frames_port = static_cast<std::uint16_t>(b.port() + 1);
  std::minstd_rand chance(3);
  std::vector<std::uint8_t> data(kSegment);
  for (int i = 0; i < 3000; ++i) {
    const std::array<std::uint64_t, 5> addresses{remote.address(4090), secret.address(), 0, UINT64_MAX, chance()};
    const std::array<std::uint32_t, 4> keys{secret.mr->rkey, remote.mr->rkey, 0, static_cast<std::uint32_t>(chance())};
    Frame frame;
    frame.kind = static_cast<FrameKind>(1 + chance() % 5);
    frame.flags = static_cast<std::uint8_t>(chance());
    frame.qkey = chance() % 4 == 0 ? 1 : kQkey;
    frame.token = chance() % 8;
    frame.address = addresses[chance() % addresses.size()];
    frame.offset = chance() % 3 == 0 ? 0 : chance();
    frame.key = keys[chance() % keys.size()];
    frame.length = 7 + static_cast<std::uint32_t>(chance() % (kSegment - 6));
    if (frame.kind == FrameKind::read_data || frame.kind == FrameKind::write_data)
      frame.data = std::span(data).first(frame.length);
    stranger.send(frames_port, frame);
    std::vector<std::uint8_t> noise(chance() % 200);
    scribble(noise);
    stranger.send(frames_port, noise);
    if (i % 50 == 0) settle(a, b, handle, local, remote);
  }
  settle(a, b, handle, local, remote);
  EXPECT_EQ(remote.octets, std::vector<std::uint8_t>(4096));
  EXPECT_EQ(secret.octets, std::vector<std::uint8_t>(4096));
}

TEST(Hostile, FramesWithAnotherQkeyAreNotAnswered) {
  Node a, b;
  Region local(a.pd, 8), remote(b.pd, 100);
  Stranger stranger;
  const auto frames_port = static_cast<std::uint16_t>(b.port() + 1);
  Frame read{
      .kind = FrameKind::read, .qkey = kQkey + 1, .address = remote.address(), .key = remote.mr->rkey, .length = 100};
  stranger.send(frames_port, read);
  settle(a, b, a.handle(), local, remote);
  EXPECT_FALSE(stranger.receive());
  read.qkey = kQkey;
  stranger.send(frames_port, read);
  settle(a, b, a.handle(), local, remote);
  const auto answer = stranger.receive();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->octets, kFrameHeader + 100);
}

TEST(Hostile, PacketsOfAnyLengthAndContentAreDeliveredOrPassedOver) {
  Node b;
  Region to(b.pd, 10000);
  Stranger stranger;
  std::vector<std::uint8_t> noise(60000);
  scribble(noise);
  for (const std::size_t length : {0u, 1u, 3u, 4u, 8928u, 8929u, 60000u, 17u}) {
    stranger.send(b.port(), std::span(noise).first(length));
    b.post_receive(to.sge(0, 10000));
    if (length > 8928) continue;
    EXPECT_EQ(b.wait().byte_len, length);
  }
}

}  // namespace
}  // namespace wirelaw::soft_efa

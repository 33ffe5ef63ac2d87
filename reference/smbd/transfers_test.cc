// SPDX-License-Identifier: Apache-2.0
// Sections 3.1.4.3 to 3.1.4.6.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/smbd/test_endpoint.h"

namespace wirelaw::smbd {
namespace {

using testing::ElementsAre;

const std::vector<BufferDescriptorV1> kRemote{{0x1000, 1, 10}, {0x2000, 2, 0}, {0x3000, 3, 20}, {0x4000, 4, 5}};

TEST(Plan, CutsTheFirstAndTheLastDescriptor) {
  const auto pieces = plan_transfer(kRemote, 4, 28);
  ASSERT_TRUE(pieces);
  EXPECT_THAT(*pieces, ElementsAre(Piece{{1, 0x1004}, 0, 6}, Piece{{3, 0x3000}, 6, 20}, Piece{{4, 0x4000}, 26, 2}));
}

TEST(Plan, PassesOverDescriptorsBeforeTheOffset) {
  EXPECT_THAT(*plan_transfer(kRemote, 10, 1), ElementsAre(Piece{{3, 0x3000}, 0, 1}));
  EXPECT_THAT(*plan_transfer(kRemote, 12, 3), ElementsAre(Piece{{3, 0x3002}, 0, 3}));
  EXPECT_THAT(*plan_transfer(kRemote, 34, 1), ElementsAre(Piece{{4, 0x4004}, 0, 1}));
}

TEST(Plan, StaysInsideWhatIsDescribed) {
  EXPECT_TRUE(plan_transfer(kRemote, 0, 35));
  EXPECT_EQ(plan_transfer(kRemote, 0, 36).error(), TransferError::outside);
  EXPECT_EQ(plan_transfer(kRemote, 35, 1).error(), TransferError::outside);
  EXPECT_EQ(plan_transfer(kRemote, ~std::uint64_t{0}, 1).error(), TransferError::outside);
  EXPECT_EQ(plan_transfer({}, 0, 1).error(), TransferError::outside);
  EXPECT_TRUE(plan_transfer({}, 0, 0)->empty());
}

TEST(Plan, RefusesADescriptorThatWraps) {
  const std::vector<BufferDescriptorV1> wrapping{{~std::uint64_t{0} - 3, 1, 10}};
  EXPECT_EQ(plan_transfer(wrapping, 0, 1).error(), TransferError::wraps);
}

TEST(Transfer, WritesEveryPieceAndCompletesWithTheLast) {
  Rig rig(Role::responder);
  rig.negotiate();
  const auto id = rig.endpoint->write(pattern(12), kRemote, 5);
  ASSERT_TRUE(id);
  rig.drain();
  ASSERT_EQ(rig.writes.size(), 2u);
  EXPECT_EQ(rig.writes[0].to, (RemoteBuffer{1, 0x1005}));
  EXPECT_EQ(rig.writes[1].to, (RemoteBuffer{3, 0x3000}));
  OctetBuffer together = rig.writes[0].octets;
  together.insert(together.end(), rig.writes[1].octets.begin(), rig.writes[1].octets.end());
  EXPECT_EQ(together, pattern(12));
  rig.endpoint->completed(rig.writes[0].id, true, rig.now);
  rig.drain();
  EXPECT_TRUE(rig.all<Transferred>().empty());
  rig.endpoint->completed(rig.writes[1].id, true, rig.now);
  rig.drain();
  ASSERT_EQ(rig.all<Transferred>().size(), 1u);
  EXPECT_EQ(rig.all<Transferred>()[0].id, *id);
  EXPECT_EQ(rig.endpoint->transfers(), 0u);
}

TEST(Transfer, ReadsIntoTheMemoryOfTheUpperLayer) {
  Rig rig(Role::responder);
  rig.negotiate();
  OctetBuffer into(12);
  ASSERT_TRUE(rig.endpoint->read(into, kRemote, 5));
  rig.drain();
  ASSERT_EQ(rig.reads.size(), 2u);
  EXPECT_EQ(rig.reads[0].from, (RemoteBuffer{1, 0x1005}));
  EXPECT_EQ(rig.reads[0].into.data(), into.data());
  EXPECT_EQ(rig.reads[1].into.data(), into.data() + 5);
  EXPECT_EQ(rig.reads[1].into.size(), 7u);
}

TEST(Transfer, IsNoLongerThanWasAgreed) {
  Rig rig(Role::initiator);
  rig.negotiate();
  const std::vector<BufferDescriptorV1> large{{0, 1, 0x7fffffff}};
  EXPECT_EQ(rig.endpoint->write(OctetBuffer(1'048'577), large).error(), TransferError::too_long);
  EXPECT_TRUE(rig.endpoint->write(OctetBuffer(1'048'576), large));
}

TEST(Transfer, OfNothingIsCompleteAtOnce) {
  Rig rig(Role::initiator);
  rig.negotiate();
  EXPECT_TRUE(rig.endpoint->write({}, kRemote));
  rig.drain();
  EXPECT_EQ(rig.all<Transferred>().size(), 1u);
}

TEST(Transfer, ThatFailsEndsTheConnection) {
  Rig rig(Role::initiator);
  rig.negotiate();
  ASSERT_TRUE(rig.endpoint->write(pattern(12), kRemote, 5));
  rig.drain();
  rig.endpoint->completed(rig.writes[0].id, false, rig.now);
  rig.endpoint->disconnected(rig.now);
  rig.drain();
  EXPECT_EQ(rig.reason(), Reason::transfer_failed);
  ASSERT_EQ(rig.all<Transferred>().size(), 1u);
  EXPECT_FALSE(rig.all<Transferred>()[0].ok);
}

TEST(Transfer, IsBoundedInNumber) {
  Rig rig(Role::initiator, {.max_transfers = 2});
  rig.negotiate();
  EXPECT_TRUE(rig.endpoint->write(pattern(1), kRemote));
  EXPECT_TRUE(rig.endpoint->write(pattern(1), kRemote));
  EXPECT_EQ(rig.endpoint->write(pattern(1), kRemote).error(), TransferError::too_many);
}

TEST(Transfer, KeepsTheConnectionOpenUntilItIsDone) {
  Rig rig(Role::initiator);
  rig.negotiate();
  ASSERT_TRUE(rig.endpoint->write(pattern(1), kRemote));
  rig.drain();
  rig.endpoint->close(rig.now);
  rig.drain();
  EXPECT_FALSE(rig.ended);
  rig.endpoint->completed(rig.writes[0].id, true, rig.now);
  rig.drain();
  EXPECT_TRUE(rig.ended);
}

TEST(Register, DescribesEveryPartOfTheBuffer) {
  Rig rig(Role::initiator);
  rig.registrar.most = 8;
  OctetBuffer first(20), second(3);
  const std::span<Octet> parts[] = {first, second};
  const auto descriptors = rig.endpoint->register_buffer(parts, {.read = true});
  ASSERT_TRUE(descriptors);
  std::vector<std::uint32_t> lengths;
  for (const BufferDescriptorV1& one : *descriptors) lengths.push_back(one.length);
  EXPECT_THAT(lengths, ElementsAre(8u, 8u, 4u, 3u));
  EXPECT_EQ(rig.registrar.look({(*descriptors)[2].token, (*descriptors)[2].offset}, 4, false)->data(),
            first.data() + 16);
  EXPECT_FALSE(rig.registrar.look({(*descriptors)[2].token, (*descriptors)[2].offset}, 4, true));
  EXPECT_TRUE(rig.endpoint->deregister_buffer(*descriptors));
  EXPECT_TRUE(rig.registrar.regions.empty());
  EXPECT_FALSE(rig.endpoint->deregister_buffer(*descriptors)) << "the provider knows none of them any more";
}

TEST(Register, LeavesNothingRegisteredWhereTheProviderRefuses) {
  Rig rig(Role::initiator);
  rig.registrar.most = 8;
  rig.registrar.most_regions = 2;
  OctetBuffer memory(20);
  const std::span<Octet> parts[] = {memory};
  EXPECT_FALSE(rig.endpoint->register_buffer(parts, {.write = true}));
  EXPECT_TRUE(rig.registrar.regions.empty());
}

}  // namespace
}  // namespace wirelaw::smbd

// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/buffers.h"

#include <gtest/gtest.h>

#include <set>

namespace wirelaw::rdmap {
namespace {

constexpr Access kAll{.read = true, .write = true, .atomic = true};
constexpr std::uint64_t kMax = ~std::uint64_t{0};

class BuffersTest : public testing::Test {
 protected:
  BufferFault look(Stag stag, std::uint64_t to, std::uint64_t size, Use use = Use::remote_write) const {
    return buffers_.look(stag, stream_, to, size, use).fault;
  }

  Buffers buffers_{1};
  StreamId stream_ = buffers_.open_stream();
  OctetBuffer memory_ = OctetBuffer(100);
};

TEST_F(BuffersTest, GivesTheRangeThatWasAskedFor) {
  const Stag stag = buffers_.add(stream_, memory_, 1000, kAll).value();
  const auto range = buffers_.look(stag, stream_, 1010, 20, Use::remote_write);
  EXPECT_EQ(range.fault, BufferFault::none);
  EXPECT_EQ(range.memory.data(), memory_.data() + 10);
  EXPECT_EQ(range.memory.size(), 20u);
}

TEST_F(BuffersTest, HoldsTheBoundsToTheOctet) {
  const Stag stag = buffers_.add(stream_, memory_, 1000, kAll).value();
  EXPECT_EQ(look(stag, 1000, 100), BufferFault::none);
  EXPECT_EQ(look(stag, 1099, 1), BufferFault::none);
  EXPECT_EQ(look(stag, 1100, 0), BufferFault::none);
  EXPECT_EQ(look(stag, 999, 1), BufferFault::bounds);
  EXPECT_EQ(look(stag, 1000, 101), BufferFault::bounds);
  EXPECT_EQ(look(stag, 1100, 1), BufferFault::bounds);
  EXPECT_EQ(look(stag, 1101, 0), BufferFault::bounds);
  EXPECT_EQ(look(stag, kMax, 1), BufferFault::wrap);
  EXPECT_EQ(look(stag, 1000, kMax), BufferFault::wrap);
  EXPECT_EQ(look(stag, 1000, kMax - 1000), BufferFault::bounds);
}

TEST_F(BuffersTest, PermitsNothingInABufferOfNoOctets) {
  const Stag stag = buffers_.add(stream_, {}, 0, kAll).value();
  EXPECT_EQ(look(stag, 0, 1), BufferFault::bounds);
  EXPECT_EQ(look(stag, 0, 0), BufferFault::none);
}

TEST_F(BuffersTest, PermitsWhatTheRightsSayAndTheSinkAlways) {
  const Stag read = buffers_.add(stream_, memory_, 0, {.read = true}).value();
  EXPECT_EQ(look(read, 0, 1, Use::remote_read), BufferFault::none);
  EXPECT_EQ(look(read, 0, 1, Use::remote_write), BufferFault::access);
  EXPECT_EQ(look(read, 0, 1, Use::remote_atomic), BufferFault::access);
  EXPECT_EQ(look(read, 0, 1, Use::sink), BufferFault::none);
  const Stag write = buffers_.add(stream_, memory_, 0, {.write = true}).value();
  EXPECT_EQ(look(write, 0, 1, Use::remote_read), BufferFault::access);
}

TEST_F(BuffersTest, KeepsStreamsApartUnlessTheBufferIsForEveryOne) {
  const StreamId other = buffers_.open_stream();
  const Stag foreign = buffers_.add(other, memory_, 0, kAll).value();
  const Stag shared = buffers_.add(kEveryStream, memory_, 0, kAll).value();
  EXPECT_EQ(look(foreign, 0, 1), BufferFault::not_associated);
  EXPECT_EQ(look(shared, 0, 1), BufferFault::none);
  EXPECT_EQ(buffers_.look(foreign, kEveryStream, 0, 1, Use::remote_read).fault, BufferFault::none);
  EXPECT_FALSE(buffers_.invalidate_remotely(foreign, stream_));
  EXPECT_FALSE(buffers_.invalidate_remotely(shared, stream_));
  EXPECT_TRUE(buffers_.invalidate_remotely(foreign, other));
}

TEST_F(BuffersTest, ForgetsWhatIsInvalidatedRemovedOrLeftByItsStream) {
  const Stag first = buffers_.add(stream_, memory_, 0, kAll).value();
  const Stag second = buffers_.add(stream_, memory_, 0, kAll).value();
  EXPECT_TRUE(buffers_.valid(first));
  EXPECT_TRUE(buffers_.invalidate(first));
  EXPECT_FALSE(buffers_.invalidate(first));
  EXPECT_FALSE(buffers_.valid(first));
  EXPECT_EQ(look(first, 0, 1), BufferFault::invalid_stag);
  EXPECT_TRUE(buffers_.remove(first));
  EXPECT_FALSE(buffers_.remove(first));
  EXPECT_FALSE(buffers_.invalidate(first));
  buffers_.close_stream(stream_);
  EXPECT_EQ(look(second, 0, 1), BufferFault::invalid_stag);
  EXPECT_EQ(buffers_.size(), 0u);
}

TEST_F(BuffersTest, RefusesRangesThatWrapAndMoreThanItsLimit) {
  EXPECT_EQ(buffers_.add(stream_, memory_, kMax - 99, kAll).error(), RegisterError::wraps);
  EXPECT_TRUE(buffers_.add(stream_, memory_, kMax - 100, kAll));
  Buffers few(1, 2);
  EXPECT_TRUE(few.add(1, memory_, 0, kAll));
  EXPECT_TRUE(few.add(1, memory_, 0, kAll));
  EXPECT_EQ(few.add(1, memory_, 0, kAll).error(), RegisterError::too_many);
}

TEST_F(BuffersTest, DrawsStagsFromTheWholeRange) {
  std::set<Stag> stags;
  std::set<Stag> high;
  for (int i = 0; i < 1000; ++i) {
    const Stag stag = buffers_.add(stream_, memory_, 0, kAll).value();
    stags.insert(stag);
    high.insert(stag >> 28);
  }
  EXPECT_EQ(stags.size(), 1000u);
  EXPECT_EQ(high.size(), 16u);
}

}  // namespace
}  // namespace wirelaw::rdmap

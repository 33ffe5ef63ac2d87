// SPDX-License-Identifier: Apache-2.0
// The parts of the device that need no peer.
#include <gmock/gmock.h>
#include <infiniband/verbs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "harness/lab/soft_efa/address_handles.h"
#include "harness/lab/soft_efa/frame.h"
#include "harness/lab/soft_efa/gid.h"
#include "harness/lab/soft_efa/memory.h"
#include "harness/lab/soft_efa/record.h"
#include "harness/lab/soft_efa/settings.h"
#include "harness/lab/soft_efa/sysfs.h"

namespace wirelaw::soft_efa {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Folder {
 public:
  Folder() { path = ::mkdtemp(name_.data()); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;

 private:
  std::string name_ = ::testing::TempDir() + "soft_efa_XXXXXX";
};

TEST(Gid, IsTheAddressOfTheSocket) {
  const auto four = parse_gid("127.0.0.2");
  ASSERT_TRUE(four);
  EXPECT_EQ(*four, (Gid{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 2}));
  EXPECT_TRUE(is_ipv4(*four));
  EXPECT_TRUE(is_loopback(*four));
  const auto six = parse_gid("::1");
  ASSERT_TRUE(six);
  EXPECT_FALSE(is_ipv4(*six));
  EXPECT_TRUE(is_loopback(*six));
  EXPECT_FALSE(is_loopback(*parse_gid("192.0.2.127")));
  EXPECT_FALSE(is_loopback(*parse_gid("2001:db8::1")));
  EXPECT_FALSE(parse_gid("localhost"));
  for (const Gid& gid : {*four, *six}) {
    const SocketAddress address = to_socket(gid, 4711);
    EXPECT_EQ(gid_of(address.storage), gid);
    EXPECT_EQ(port_of(address.storage), 4711);
  }
}

tl::expected<Settings, std::string> read(const std::map<std::string, std::string>& environment) {
  return read_settings([&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(SettingsTest, HaveTheDocumentedDefaults) {
  const auto settings = read({});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->gid, *parse_gid("127.0.0.1"));
  EXPECT_EQ(settings->mtu, 8928u);
  EXPECT_EQ(settings->inline_octets, 32);
  EXPECT_EQ(settings->rdma, Rdma::read);
  EXPECT_EQ(settings->reorder_depth, 0u);
  EXPECT_FALSE(settings->refuses(1));
}

TEST(SettingsTest, AreReadFromTheEnvironment) {
  const auto settings = read({{"WIRELAW_SOFT_EFA_ADDRESS", "127.1.2.3"},
                              {"WIRELAW_SOFT_EFA_PORT", "40000"},
                              {"WIRELAW_SOFT_EFA_MTU", "4096"},
                              {"WIRELAW_SOFT_EFA_INLINE", "64"},
                              {"WIRELAW_SOFT_EFA_RDMA", "write"},
                              {"WIRELAW_SOFT_EFA_REORDER", "8:42"},
                              {"WIRELAW_SOFT_EFA_REFUSE_REGISTRATION", "1000-2000"},
                              {"WIRELAW_SOFT_EFA_IDLE", "0"},
                              {"WIRELAW_SOFT_EFA_RECORD", "/tmp/x"},
                              {"WIRELAW_SOFT_EFA_SYSFS", "/tmp/y"}});
  ASSERT_TRUE(settings) << settings.error();
  EXPECT_EQ(settings->gid, *parse_gid("127.1.2.3"));
  EXPECT_EQ(settings->port, 40000);
  EXPECT_EQ(settings->mtu, 4096u);
  EXPECT_EQ(settings->inline_octets, 64);
  EXPECT_EQ(settings->rdma, Rdma::write);
  EXPECT_EQ(settings->reorder_depth, 8u);
  EXPECT_EQ(settings->reorder_seed, 42u);
  EXPECT_TRUE(settings->refuses(1000));
  EXPECT_TRUE(settings->refuses(2000));
  EXPECT_FALSE(settings->refuses(2001));
  EXPECT_EQ(settings->idle_us, 0u);
  EXPECT_EQ(settings->record, "/tmp/x");
  EXPECT_EQ(settings->sysfs, "/tmp/y");
}

TEST(SettingsTest, ThatAreWrongAreNamed) {
  for (const auto& [name, value] : std::multimap<std::string, std::string>{{"ADDRESS", "localhost"},
                                                                           {"ANY_NETWORK", "yes"},
                                                                           {"PORT", "65535"},
                                                                           {"MTU", "100"},
                                                                           {"MTU", "9000x"},
                                                                           {"INLINE", "257"},
                                                                           {"RDMA", "on"},
                                                                           {"REORDER",
                                                                            "8:"
                                                                            "x"},
                                                                           {"REORDER", "5000"},
                                                                           {"REFUSE_REGISTRATION", "0"},
                                                                           {"REFUSE_REGISTRATION", "20-10"},
                                                                           {"IDLE", "-1"},
                                                                           {"SYSFS", "relative"}}) {
    const auto settings = read({{"WIRELAW_SOFT_EFA_" + name, value}});
    ASSERT_FALSE(settings) << name << "=" << value;
    EXPECT_THAT(settings.error(), HasSubstr(name));
    EXPECT_THAT(settings.error(), HasSubstr(value));
  }
}

TEST(SettingsTest, LeaveLoopbackOnlyWhenToldTwice) {
  EXPECT_FALSE(read({{"WIRELAW_SOFT_EFA_ADDRESS", "192.0.2.1"}}));
  EXPECT_TRUE(read({{"WIRELAW_SOFT_EFA_ADDRESS", "192.0.2.1"}, {"WIRELAW_SOFT_EFA_ANY_NETWORK", "1"}}));
}

TEST(MemoryTest, IsFoundWithinItsBoundsAndAccess) {
  std::array<std::uint8_t, 100> bytes;
  Memory memory;
  const std::uint32_t key = memory.add(bytes.data(), 5000, 100, IBV_ACCESS_REMOTE_READ);
  EXPECT_EQ(memory.find(key, 5000, 100, IBV_ACCESS_REMOTE_READ).bytes, bytes.data());
  EXPECT_EQ(memory.find(key, 5099, 1, 0).bytes, bytes.data() + 99);
  EXPECT_EQ(memory.find(key, 5100, 0, 0).reach, Reach::there);
  EXPECT_EQ(memory.find(key, 5100, 1, 0).reach, Reach::out_of_bounds);
  EXPECT_EQ(memory.find(key, 4999, 1, 0).reach, Reach::out_of_bounds);
  EXPECT_EQ(memory.find(key, 5001, 100, 0).reach, Reach::out_of_bounds);
  EXPECT_EQ(memory.find(key, 5050, UINT64_MAX, 0).reach, Reach::out_of_bounds);
  EXPECT_EQ(memory.find(key, UINT64_MAX, 2, 0).reach, Reach::out_of_bounds);
  EXPECT_EQ(memory.find(key, 5000, 1, IBV_ACCESS_REMOTE_WRITE).reach, Reach::no_access);
  EXPECT_EQ(memory.find(key + 1, 5000, 1, 0).reach, Reach::bad_key);
  memory.remove(key);
  EXPECT_EQ(memory.find(key, 5000, 1, 0).reach, Reach::bad_key);
}

TEST(AddressHandlesTest, HaveOneNumberForOneGid) {
  AddressHandles handles;
  const Gid a = *parse_gid("127.0.0.1"), b = *parse_gid("127.0.0.2");
  const auto first = handles.add(a);
  EXPECT_EQ(handles.add(a), first);
  EXPECT_NE(handles.add(b), first);
  EXPECT_EQ(handles.ahn(a), first);
  handles.remove(a);
  EXPECT_EQ(handles.ahn(a), first);
  handles.remove(a);
  EXPECT_EQ(handles.ahn(a), kNoAhn);
  handles.remove(a);
}

TEST(AddressHandlesTest, RunOutAtTheNumberThatMeansNone) {
  AddressHandles handles;
  const auto gid = [](std::uint32_t i) {
    Gid made = *parse_gid("::1");
    made[0] = static_cast<std::uint8_t>(i >> 8);
    made[1] = static_cast<std::uint8_t>(i);
    return made;
  };
  for (std::uint32_t i = 0; i < kNoAhn; ++i) ASSERT_TRUE(handles.add(gid(i)));
  EXPECT_FALSE(handles.add(gid(kNoAhn)));
  handles.remove(gid(4));
  EXPECT_TRUE(handles.add(gid(kNoAhn)));
}

TEST(FrameTest, ComesBackAsItWas) {
  const std::array<std::uint8_t, 5> data{1, 2, 3, 4, 5};
  const Frame frame{.kind = FrameKind::write_data,
                    .reason = Reach::bad_key,
                    .flags = kHasImmediate | kLastSegment,
                    .qkey = 0x01020304,
                    .reply_qkey = 0x05060708,
                    .token = 9,
                    .address = 0x1122334455667788,
                    .offset = 0x99aabbccddeeff00,
                    .key = 77,
                    .length = 5,
                    .total = 99,
                    .immediate = 0xdeadbeef,
                    .data = data};
  std::vector<std::uint8_t> octets(kFrameHeader);
  encode(frame, std::span<std::uint8_t, kFrameHeader>(octets.data(), kFrameHeader));
  octets.insert(octets.end(), data.begin(), data.end());
  const auto back = decode(octets);
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, frame);
  for (std::size_t size = 0; size < octets.size(); ++size) EXPECT_FALSE(decode(std::span(octets).first(size))) << size;
  octets.push_back(0);
  EXPECT_FALSE(decode(octets));
}

TEST(FrameTest, IsNotMadeOfOtherOctets) {
  std::vector<std::uint8_t> octets(kFrameHeader);
  encode({.kind = FrameKind::read, .length = kSegment},
         std::span<std::uint8_t, kFrameHeader>(octets.data(), kFrameHeader));
  ASSERT_TRUE(decode(octets));
  for (const auto& [at, value] :
       std::multimap<std::size_t, std::uint8_t>{{0, 'w'}, {7, '2'}, {8, 0}, {8, 6}, {9, 4}, {45, 0x21}, {47, 0xff}}) {
    std::vector<std::uint8_t> changed = octets;
    changed[at] = value;
    EXPECT_FALSE(decode(changed)) << at;
  }
  std::minstd_rand chance(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint8_t> noise(chance() % 200);
    for (std::size_t j = 0; j < noise.size(); ++j) noise[j] = static_cast<std::uint8_t>(chance());
    std::copy_n(octets.begin(), std::min<std::size_t>(8, noise.size()), noise.begin());
    const auto frame = decode(noise);
    EXPECT_LE(frame ? frame->data.size() : 0, noise.size());
  }
}

TEST(RecordTest, HoldsEachPacketWithItsAddresses) {
  Folder folder;
  const std::string name = folder.path / "packets-%p.pcap";
  {
    Record record(name);
    ASSERT_TRUE(record.ok());
    std::array<std::uint8_t, 6> octets{1, 2, 3, 4, 5, 6};
    const std::array<iovec, 2> parts{iovec{octets.data(), 2}, iovec{octets.data() + 2, 4}};
    record.packet({*parse_gid("127.0.0.1"), 0x1234}, {*parse_gid("::1"), 0x5678}, parts, 5);
  }
  std::ifstream in(folder.path / ("packets-" + std::to_string(getpid()) + ".pcap"), std::ios::binary);
  const std::vector<std::uint8_t> file{std::istreambuf_iterator<char>(in), {}};
  ASSERT_EQ(file.size(), 24 + 16 + 72 + 5u);
  EXPECT_EQ(file[20], 252);
  EXPECT_EQ(file[32], 77);
  const std::vector<std::uint8_t> expected{
      0, 12, 0, 8,  'e', 'f', 'a',  '_',  'r', 'd', 'm', 0,                                  // dissector
      0, 22, 0, 16, 0,   0,   0,    0,    0,   0,   0,   0, 0, 0, 0xff, 0xff, 127, 0, 0, 1,  // from
      0, 23, 0, 16, 0,   0,   0,    0,    0,   0,   0,   0, 0, 0, 0,    0,    0,   0, 0, 1,  // to
      0, 25, 0, 4,  0,   0,   0x12, 0x34, 0,   26,  0,   4, 0, 0, 0x56, 0x78, 0,   0, 0, 0,
      1, 2,  3, 4,  5  // ports, packet
  };
  EXPECT_EQ((std::vector<std::uint8_t>(file.begin() + 40, file.end())), expected);
}

TEST(RecordTest, SaysWhenItsFileCannotBeMade) {
  EXPECT_FALSE(Record("/nowhere/packets.pcap").ok());
  EXPECT_TRUE(Record("").ok());
}

TEST(SysfsTest, HasWhatAProviderReads) {
  Folder folder;
  Settings settings;
  settings.sysfs = folder.path / "sys";
  for (int i = 0; i < 2; ++i) {  // the second time it is there already
    const auto root = make_sysfs(settings);
    ASSERT_TRUE(root) << root.error();
    EXPECT_EQ(fs::canonical(device_folder(*root) + "/device").filename(), "0000:00:1e.0");
    EXPECT_EQ(fs::canonical(device_folder(*root) + "/device/driver").filename(), "efa");
    EXPECT_TRUE(fs::exists(*root + "/class/infiniband_verbs/abi_version"));
  }
}

TEST(SysfsTest, IsNotMadeWhereOthersMayWrite) {
  Folder folder;
  Settings settings;
  settings.sysfs = folder.path;
  fs::permissions(folder.path, fs::perms::all);
  const auto root = make_sysfs(settings);
  ASSERT_FALSE(root);
  EXPECT_THAT(root.error(), HasSubstr("WIRELAW_SOFT_EFA_SYSFS"));
}

}  // namespace
}  // namespace wirelaw::soft_efa

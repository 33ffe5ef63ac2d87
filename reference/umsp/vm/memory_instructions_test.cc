// SPDX-License-Identifier: Apache-2.0
// RFC 3018 6.1, 6.2, 6.4, 6.5 and the addresses of 6, in one task.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/umsp/vm/test_vm.h"

namespace wirelaw::umsp {
namespace {

using offered::kPointersAddress, offered::kRegionAddress, offered::kRegionOctets, offered::pattern;
using testing::ElementsAre;
using enum Opcode;
constexpr std::uint64_t kAt = kRegionAddress;

TEST(VmMemory, IsReadByEachLengthOfAddress) {
  TestVm vm;
  const OctetBuffer kFour{pattern(4), pattern(5), pattern(6), pattern(7)};
  EXPECT_EQ(vm.ask(req_data_2, numbers({{4, 2}, {kAt + 4, 2}})).operands, kFour);
  EXPECT_EQ(vm.ask(req_data_2, numbers({{4, 2}, {kAt + 4, 4}})).operands, kFour);
  EXPECT_EQ(vm.ask(req_data_4, numbers({{4, 4}, {kAt + 4, 4}})).operands, kFour);
  const auto complete = make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, 1}, kAt + 4);
  EXPECT_EQ(vm.ask(req_data_4, numbers({{4, 4}}, complete->octets)).operands, kFour);
  EXPECT_EQ(vm.ask(req_data_4, numbers({{4, 4}, {kAt + 4, 8}})).code(), ReturnCode::bad_address) << "UMSP/B27";
}

TEST(VmMemory, DataArePaddedWithZeros) {
  TestVm vm;
  const Said said = vm.ask(req_data_4, numbers({{3, 4}, {kAt + 1, 4}}));
  EXPECT_TRUE(said.is(Opcode::data));
  EXPECT_EQ(said.req_id, kTestReqId);
  EXPECT_THAT(said.operands, ElementsAre(pattern(1), pattern(2), pattern(3), 0));
}

TEST(VmMemory, WhatIsNotThereIsRefused) {
  TestVm vm;
  const struct {
    std::uint64_t octets, address;
  } kRows[] = {
      {1, kAt - 1}, {kRegionOctets + 1, kAt},  {2, kAt + kRegionOctets - 1}, {0xffff'ffff, kAt}, {2, 0xffff'ffff},
      {1, 0},       {0xffff'ffff, 0xffff'ffff}};
  for (const auto& row : kRows) {
    const Said said = vm.ask(req_data_4, numbers({{row.octets, 4}, {row.address, 4}}));
    EXPECT_EQ(said.code(), ReturnCode::bad_address) << row.address;
    EXPECT_FALSE(vm.could());
  }
}

TEST(VmMemory, DataTooLongForOperandsAreInAHeader) {
  TestVm vm;
  constexpr std::uint32_t kLong = 262144;
  const std::uint64_t at = vm.allocate(kLong);
  const Said said = vm.ask(req_data_4, numbers({{kLong, 4}, {at, 4}}));
  EXPECT_TRUE(said.operands.empty());
  EXPECT_EQ(said.data_header->size(), kLong);
}

TEST(VmMemory, IsWrittenByEachLengthOfAddress) {
  TestVm vm;
  EXPECT_TRUE(vm.ask(write_2, numbers({{kAt, 2}, {0xa1a2, 2}})).is_positive());
  EXPECT_TRUE(vm.ask(write_4, numbers({{kAt + 4, 4}, {0xb1b2b3b4, 4}})).is_positive());
  const auto complete = make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, 1}, kAt + 8);
  OctetBuffer operands(complete->octets.begin(), complete->octets.end());
  operands.insert(operands.end(), {1, 2, 3, 4});
  EXPECT_TRUE(vm.ask(write_16, operands).is_positive());
  EXPECT_THAT(vm.read(kAt, 12), ElementsAre(0xa1, 0xa2, pattern(2), pattern(3), 0xb1, 0xb2, 0xb3, 0xb4, 1, 2, 3, 4));
  EXPECT_TRUE(vm.ask(with_header(TestVm::make(write_4, numbers({{kAt, 4}})), HeadCode::data, "ab")).is_positive());
  EXPECT_THAT(vm.read(kAt, 4), ElementsAre('a', 'b', pattern(2), pattern(3)));
}

TEST(VmMemory, WriteExtWritesNoPadding) {
  TestVm vm;
  EXPECT_TRUE(vm.ask(write_ext, numbers({{1, 4}, {0xff000000, 4}, {kAt, 4}})).is_positive());
  EXPECT_THAT(vm.read(kAt, 4), ElementsAre(0xff, pattern(1), pattern(2), pattern(3)));
}

TEST(VmMemory, WrongWritesChangeNothing) {
  TestVm vm;
  const Draft both = with_header(TestVm::make(write_4, numbers({{kAt, 4}, {1, 4}})), HeadCode::data, "ab");
  EXPECT_EQ(vm.ask(both).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(write_4, numbers({{kAt, 4}})).code(), ReturnCode::malformed) << "no data";
  EXPECT_EQ(vm.ask(write_ext, numbers({{0, 4}, {kAt, 4}})).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(write_ext, numbers({{0x0100'0004, 4}, {1, 4}, {kAt, 4}})).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(write_ext, numbers({{0xff'ffff, 4}, {1, 4}, {kAt, 4}})).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(write_4, numbers({{offered::kEchoAddress, 4}, {1, 4}})).code(), ReturnCode::protected_memory);
  EXPECT_EQ(vm.ask(write_4, numbers({{kAt + kRegionOctets - 2, 4}, {1, 4}})).code(), ReturnCode::bad_address);
  const Draft in_cmp = with_header(TestVm::make(cmp_4, numbers({{kAt, 4}})), HeadCode::data, "ab");
  EXPECT_EQ(vm.ask(in_cmp).code(), ReturnCode::malformed) << "CMP has no _DATA";
  EXPECT_EQ(vm.read(kAt, kRegionOctets), offered::region());
}

TEST(VmMemory, IsComparedAsUnsignedOctets) {
  TestVm vm;
  vm.ask(write_4, numbers({{kAt, 4}, {0x80000000, 4}}));
  EXPECT_EQ(vm.ask(cmp_4, numbers({{kAt, 4}, {0x80000001, 4}})).additional(), 0xffff);
  EXPECT_EQ(vm.ask(cmp_4, numbers({{kAt, 4}, {0x7fffffff, 4}})).additional(), 1);
  const Said equal = vm.ask(cmp_2, numbers({{kAt, 2}, {0x8000, 2}}));
  EXPECT_TRUE(equal.is_positive());
  EXPECT_TRUE(equal.operands.empty());
  EXPECT_EQ(vm.ask(cmp_ext, numbers({{1, 4}, {0x80ffffff, 4}, {kAt, 4}})).additional(), 0) << "no padding";
  EXPECT_EQ(vm.ask(cmp_4, numbers({{0, 4}, {1, 4}})).code(), ReturnCode::bad_address);
}

TEST(VmMemory, ShortAddressesInChainsAreDisplacements) {
  TestVm vm;
  Circumstances at = TestVm::in(kTestTask);
  at.chained = true;
  const OctetBuffer operands = numbers({{1, 2}, {0x10, 2}});
  EXPECT_EQ(vm.ask(req_data_2, operands, at).code(), ReturnCode::bad_address) << "no base";
  at.base = kAt;
  EXPECT_EQ(vm.ask(req_data_2, operands, at).operands[0], pattern(0x10));
  at.base = 0xffff'fff1;
  EXPECT_EQ(vm.ask(req_data_2, operands, at).code(), ReturnCode::bad_address) << "beyond 2^32";
  EXPECT_EQ(vm.ask(req_data_2, numbers({{1, 2}, {kAt, 4}}), at).operands[0], pattern(0)) << "complete";
}

TEST(VmMemory, CompleteAddressesAreOfThisNode) {
  VmOptions options;
  options.node = OctetBuffer{10, 0, 0, 1};
  TestVm vm(options);
  const auto read = [&](AddressFormat format, OctetBuffer node, OctetBuffer free) {
    return vm.ask(req_data_4, numbers({{4, 4}}, make_address(format, node, kAt, free)->octets));
  };
  EXPECT_TRUE(read(kIpv4Memory32, {10, 0, 0, 1}, {}).is(Opcode::data));
  EXPECT_EQ(read(kIpv4Memory32, {10, 0, 0, 2}, {}).code(), ReturnCode::bad_address);
  EXPECT_EQ(read(kIpv4Memory32, {10, 0, 0, 1}, {1}).code(), ReturnCode::bad_address) << "FREE";
  EXPECT_EQ(read(kIpv4Memory24, {10, 0, 0, 1}, {}).code(), ReturnCode::bad_address);
}

struct Border {
  AddressFormat format;
  std::size_t field;  // octets that an address takes
  std::uint64_t last;
};
class VmBorder : public testing::TestWithParam<Border> {};
INSTANTIATE_TEST_SUITE_P(Formats, VmBorder,
                         testing::Values(Border{kIpv4Memory16, 4, 0xffff}, Border{kIpv4Memory24, 4, 0xff'ffff},
                                         Border{kIpv4Memory32, 4, 0xffff'ffff},
                                         Border{{4, 0, 3}, 8, ~std::uint64_t{0}}));

TEST_P(VmBorder, TheLastAddressIsTheEnd) {
  const AddressFormat format = GetParam().format;
  const std::size_t field = GetParam().field;
  const std::uint64_t last = GetParam().last;
  VmOptions options;
  options.format = format;
  options.region_address = last - (kRegionOctets - 1);
  TestVm vm(options);
  const auto read = [&](std::uint64_t octets, std::uint64_t address) {
    return vm.ask(req_data_4, numbers({{octets, 4}, {address, field}}));
  };
  EXPECT_EQ(read(1, last).operands[0], pattern(kRegionOctets - 1));
  EXPECT_EQ(read(2, last).code(), ReturnCode::bad_address);
  EXPECT_EQ(read(0xffff'ffff, last).code(), ReturnCode::bad_address);
  const auto written = vm.ask(field == 8 ? write_8 : write_4, numbers({{last - 3, field}, {0xa1a2a3a4, 4}}));
  EXPECT_TRUE(written.is_positive());
  EXPECT_EQ(read(1, last).operands[0], 0xa4);
  EXPECT_TRUE(vm.ask(field == 8 ? write_8 : write_4, numbers({{last, field}, {0, 4}})).is_negative());
  EXPECT_TRUE(vm.ask(write_ext, numbers({{2, 4}, {0, 4}, {last, field}})).is_negative());
}

// The octets before an address that is shorter than its field (6).
TEST_P(VmBorder, ZerosAreInFrontOfTheAddress) {
  const AddressFormat format = GetParam().format;
  const std::size_t field = GetParam().field;
  const std::uint64_t last = GetParam().last;
  VmOptions options;
  options.format = format;
  TestVm vm(options);
  EXPECT_TRUE(vm.ask(req_data_4, numbers({{1, 4}, {kAt, field}})).is(Opcode::data));
  EXPECT_TRUE(vm.ask(req_data_2, numbers({{1, 2}, {kAt, 2}})).is(Opcode::data));
  if (last >= 0xffff'ffff) return;
  EXPECT_EQ(vm.ask(req_data_4, numbers({{1, 4}, {(last + 1) | kAt, field}})).code(), ReturnCode::bad_address);
}

TEST_P(VmBorder, AllocatesWithinTheAddressSpace) {
  const AddressFormat format = GetParam().format;
  const std::size_t field = GetParam().field;
  const std::uint64_t last = GetParam().last;
  VmOptions options;
  options.format = format;
  options.heap_address = last - 0x1f;
  TestVm vm(options);
  const Said said = vm.ask(mem_alloc, numbers({{0x10, 4}}));
  EXPECT_EQ(said.operands.size(), field);
  EXPECT_EQ(said.address(), last - 0x1f);
  EXPECT_TRUE(vm.ask(mem_alloc, numbers({{0x11, 4}})).is_negative());
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{0x10, 4}})).address(), last - 0xf);
  EXPECT_TRUE(vm.ask(mem_alloc, numbers({{1, 4}})).is_negative());
}

// ---------------------------------------------------------------------------------------------- allocating and freeing

TEST(VmAllocation, ServesReadingWritingComparingAndWatching) {
  TestVm vm;
  const std::uint64_t at = vm.allocate(8);
  EXPECT_THAT(vm.read(at, 8), testing::Each(0));
  EXPECT_TRUE(vm.ask(write_4, numbers({{at + 4, 4}, {5, 4}})).is_positive());
  EXPECT_EQ(vm.ask(cmp_4, numbers({{at, 4}, {0, 4}, {5, 4}})).additional(), 0);
  EXPECT_EQ(vm.ask(syn_4, numbers({{at, 4}, {0, 4}, {0xffff'ffff, 4}})).opcode, 0);
  EXPECT_TRUE(vm.ask(Opcode::free, numbers({{at, 4}})).is_positive());
  EXPECT_TRUE(vm.ask(Opcode::free, numbers({{at, 4}})).is_negative());
  EXPECT_TRUE(vm.read(at, 8).empty());
  EXPECT_EQ(vm.next().code(), ReturnCode::bad_address) << "what was watched is gone";
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmAllocation, FreesWhatWasAllocatedAlone) {
  TestVm vm;
  const std::uint64_t at = vm.allocate(64);
  EXPECT_EQ(vm.ask(Opcode::free, numbers({{at + 16, 4}})).code(), ReturnCode::bad_address);
  for (const std::uint64_t permanent : {offered::kEchoAddress, kAt, kPointersAddress})
    EXPECT_EQ(vm.ask(Opcode::free, numbers({{permanent, 4}})).code(), ReturnCode::protected_memory);
  EXPECT_EQ(vm.ask(Opcode::free, numbers({{at, 4}}), kOtherTask).code(), ReturnCode::bad_address);
}

TEST(VmAllocation, KeepsToItsQuotas) {
  VmOptions options;
  options.task_octets = 100;
  options.all_octets = 150;
  options.allocations = 3;
  TestVm vm(options);
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{0, 4}})).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{0xffff'ffff, 4}})).code(), ReturnCode::no_memory);
  EXPECT_NE(vm.allocate(100), 0u);
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{1, 4}})).code(), ReturnCode::no_memory) << "of the task";
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{51, 4}}), kOtherTask).code(), ReturnCode::no_memory) << "of all";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(vm.ask(mem_alloc, numbers({{1, 4}}), kOtherTask).is(Opcode::address));
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{1, 4}}), kOtherTask).code(), ReturnCode::no_memory) << "too many";
  vm->end_task(kTestTask);
  vm->end_task(kOtherTask);
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmAllocation, NeedsASession) {
  TestVm vm;
  EXPECT_EQ(vm.ask(mem_alloc, numbers({{4, 4}}), Circumstances{}).code(), ReturnCode::zero_session);
  EXPECT_EQ(vm.ask(mvcode, numbers({{offered::kVmType, 2}, {3, 2}}, offered::echo_image()), Circumstances{}).code(),
            ReturnCode::zero_session);
  EXPECT_TRUE(vm.ask(req_data_4, numbers({{4, 4}, {kAt, 4}}), Circumstances{}).is(Opcode::data));
}

TEST(VmTasks, HaveAMemoryEach) {
  TestVm vm;
  vm.ask(write_4, numbers({{kAt, 4}, {0xffff'ffff, 4}}));
  EXPECT_THAT(vm.read(kAt, 4, kOtherTask), ElementsAre(pattern(0), pattern(1), pattern(2), pattern(3)));
  EXPECT_EQ(vm.ask(req_data_4, numbers({{4, 4}, {kAt, 4}}), std::uint64_t{99}).code(), ReturnCode::no_task);
  vm->end_task(kTestTask);
  EXPECT_EQ(vm.ask(req_data_4, numbers({{4, 4}, {kAt, 4}})).code(), ReturnCode::no_task);
  vm->begin_task(kTestTask);
  EXPECT_EQ(vm.read(kAt, kRegionOctets), offered::region());
}

TEST(VmTasks, PointersToANodeThatIsGoneAreWiped) {
  TestVm vm;
  const auto pointer = [](Octet last) { return make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, last}, 5)->octets; };
  for (const Octet slot : {Octet{0}, Octet{1}})
    vm.ask(write_4, numbers({{kPointersAddress + slot * 16u, 4}}, pointer(slot)));
  vm->forget_node(kTestTask, OctetBuffer{10, 0, 0, 1});
  EXPECT_THAT(vm.read(kPointersAddress, 16), testing::ElementsAreArray(pointer(0)));
  EXPECT_THAT(vm.read(kPointersAddress + 16, 16), testing::Each(0));
  vm->forget_node(99, OctetBuffer{10, 0, 0, 1});
}

// ------------------------------------------------------------------------------------------------------------ watching

TEST(VmWatch, ReportsAChangeOnce) {
  TestVm vm;
  const OctetBuffer first{pattern(0), pattern(1), pattern(2), pattern(3)};
  EXPECT_EQ(vm.execute(TestVm::make(syn_4, numbers({{kAt, 4}, {number_of(first), 4}, {0xffff'ffff, 4}}))).kind,
            Execution::Kind::under_way);
  vm.ask(write_4, numbers({{kAt + 4, 4}, {1, 4}}));
  vm.ask(write_4, numbers({{kAt, 4}, {number_of(first), 4}}));
  EXPECT_EQ(vm.next().opcode, 0) << "nothing has changed";
  vm.ask(write_2, numbers({{kAt + 2, 2}, {0x5566, 2}}));
  vm.ask(write_2, numbers({{kAt, 2}, {0, 2}}));
  const Said said = vm.next();
  EXPECT_TRUE(said.is(Opcode::data));
  EXPECT_EQ(said.req_id, kTestReqId);
  EXPECT_THAT(said.operands, ElementsAre(pattern(0), pattern(1), 0x55, 0x66));
  EXPECT_EQ(vm.next().opcode, 0);
  EXPECT_EQ(vm->watches(), 0u);
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmWatch, ComparesWithTheInitialDataUnderTheMask) {
  TestVm vm;
  vm.ask(write_4, numbers({{kAt, 4}, {0x01020304, 4}}));
  EXPECT_THAT(vm.ask(syn_4, numbers({{kAt, 4}, {0, 4}, {0xff, 4}})).operands, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(vm.ask(syn_4, numbers({{kAt, 4}, {4, 4}, {0xff, 4}})).opcode, 0);
  vm.ask(write_4, numbers({{kAt, 4}, {0xffff'ff04, 4}}));
  EXPECT_EQ(vm.next().opcode, 0) << "bits that are 0 in the mask";
  vm.ask(write_4, numbers({{kAt, 4}, {5, 4}}));
  EXPECT_THAT(vm.next().operands, ElementsAre(0, 0, 0, 5));
}

TEST(VmWatch, IsRefusedWhereItCannotBe) {
  VmOptions options;
  options.pending = 2;
  TestVm vm(options);
  const Draft draft = TestVm::make(syn_4, numbers({{kAt, 4}, {0, 4}, {0, 4}}));
  EXPECT_EQ(vm.ask(syn_4, numbers({{0, 4}, {0, 4}, {0, 4}})).code(), ReturnCode::bad_address);
  EXPECT_EQ(vm.ask(syn_4, numbers({{kAt, 4}, {}})).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(draft).opcode, 0);
  EXPECT_EQ(vm.ask(draft).opcode, 0);
  EXPECT_EQ(vm.ask(draft).code(), ReturnCode::too_many);
  vm->end_task(kTestTask);
  EXPECT_EQ(vm->watches(), 0u);
}

// -------------------------------------------------------------------------------------------------- arbitrary operands

TEST(VmInstructions, AreAnsweredWhereAResponseIsWanted) {
  TestVm vm;
  Draft draft = draft_of(write_4, numbers({{kAt, 4}, {1, 4}}));
  EXPECT_FALSE(vm.execute(draft).response);
  EXPECT_THAT(vm.read(kAt, 4), ElementsAre(0, 0, 0, 1));
  draft.operands.resize(4);
  const Execution refused = vm.execute(draft);
  EXPECT_EQ(refused.kind, Execution::Kind::refused);
  EXPECT_FALSE(refused.response);
  EXPECT_EQ(vm.execute(TestVm::make(nop, OctetBuffer(400))).kind, Execution::Kind::executed);
  EXPECT_FALSE(vm.execute(TestVm::make(Opcode::data, {})).response) << "a response gets none";
  EXPECT_EQ(vm.ask(exec_tr, {}).code(), ReturnCode::unsupported);
  EXPECT_EQ(vm.ask(static_cast<Opcode>(223), {}).code(), ReturnCode::unsupported);
}

TEST(VmInstructions, RefusalsMayHaveASentence) {
  VmOptions options;
  options.messages = true;
  TestVm vm(options);
  const Execution refused = vm.execute(TestVm::make(Opcode::free, numbers({{5, 4}})));
  ASSERT_EQ(refused.response->extensions.size(), 1u);
  EXPECT_EQ(refused.response->extensions[0].head_code, HeadCode::msg);
}

// Every instruction with operands of every small length, of zeros, ones and small numbers: none is a hazard.
TEST(VmInstructions, OfAnyLengthEndWell) {
  TestVm vm;
  for (const Layout& layout : all_layouts())
    for (const Octet filling : OctetBuffer{0x00, 0x01, 0x10, 0xff})
      for (std::size_t octets = 0; octets <= 40; octets += 4) {
        const Draft draft = TestVm::make(layout.opcode, OctetBuffer(octets, filling));
        const Execution done = vm.execute(draft);
        EXPECT_EQ(done.kind == Execution::Kind::refused, !vm.could()) << layout.name << ' ' << octets;
        vm.run();
      }
  EXPECT_EQ(vm->threads(), 0u);
}

TEST(VmBuffers, AreGrantedWithinTheQuota) {
  TestVm vm;
  const std::uint32_t most = vm->options().buffer_octets;
  EXPECT_TRUE(vm->grants_buffer(most, TestVm::in(kTestTask)));
  EXPECT_FALSE(vm->grants_buffer(most + 1, TestVm::in(kTestTask)));
  EXPECT_FALSE(vm->grants_buffer(1, TestVm::in(99)));
}

}  // namespace
}  // namespace wirelaw::umsp

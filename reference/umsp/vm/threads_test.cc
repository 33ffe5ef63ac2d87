// SPDX-License-Identifier: Apache-2.0
// RFC 3018 6.3, 6.4.2, 6.4.5: code is moved, called and run, and asks other nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/umsp/vm/test_vm.h"

namespace wirelaw::umsp {
namespace {

using namespace offered;
using testing::ElementsAre;
using Op = Operation;
using enum Opcode;

constexpr std::uint64_t kAt = kRegionAddress;

OctetBuffer call_of(std::uint64_t address, Octets parameters = {}) {
  return numbers({{address, 4}, {parameters.size() / 4, 2}}, parameters);
}
OctetBuffer vm_call_of(std::uint16_t type, std::uint16_t version, std::uint64_t address, Octets parameters) {
  return numbers({{type, 2}, {version, 2}, {address, 4}, {parameters.size() / 4, 2}}, parameters);
}
std::uint16_t cause(ReturnCode code) {
  return static_cast<std::uint16_t>(code);
}

TEST(VmThread, ReturnsItsParameters) {
  TestVm vm;
  const OctetBuffer parameters{1, 2, 3, 4, 5, 6, 7, 8};
  const Execution begun = vm.execute(TestVm::make(Opcode::call, call_of(kEchoAddress, parameters)));
  EXPECT_EQ(begun.kind, Execution::Kind::under_way);
  EXPECT_FALSE(begun.response) << "scheduled only (7.4)";
  EXPECT_EQ(vm->threads(), 1u);
  vm.run();
  const Said said = vm.next();
  EXPECT_TRUE(said.is(return_control));
  EXPECT_EQ(said.req_id, kTestReqId);
  EXPECT_EQ(said.operands, parameters);
  EXPECT_EQ(vm->octets_allocated(), 0u);
  EXPECT_EQ(vm->octets_queued(), 0u);
  EXPECT_TRUE(vm.call(Opcode::call, call_of(kEchoAddress)).operands.empty());
}

TEST(VmThread, ParametersHaveTheFormatOfTheSendersVm) {
  TestVm vm;
  const OctetBuffer big{0, 0, 1, 2, 0, 0, 3, 4}, little{2, 1, 0, 0, 4, 3, 0, 0};
  EXPECT_THAT(vm.call(Opcode::call, call_of(kSumAddress, big)).operands, ElementsAre(0, 0, 4, 6));
  EXPECT_THAT(vm.call(call_vm, vm_call_of(kVmType, 2, kSumAddress, big)).operands, ElementsAre(0, 0, 4, 6));
  EXPECT_THAT(vm.call(call_vm, vm_call_of(kVmType, 1, kSumAddress, little)).operands, ElementsAre(6, 4, 0, 0));
  EXPECT_EQ(vm.call(call_vm, vm_call_of(5, 1, kSumAddress, big)).code(), ReturnCode::wrong_vm);
  EXPECT_EQ(vm.call(call_vm, vm_call_of(kVmType, kVmVersion + 1, kSumAddress, big)).code(), ReturnCode::wrong_vm);
  EXPECT_EQ(vm.call(Opcode::call, call_of(kSumAddress, OctetBuffer{0, 0, 0, 1})).code(), ReturnCode::exception);
}

TEST(VmThread, JumpIsAnsweredAtOnce) {
  TestVm vm;
  EXPECT_TRUE(vm.ask(jump, call_of(kEchoAddress)).is_positive());
  EXPECT_EQ(vm->threads(), 1u);
  vm.run();
  EXPECT_EQ(vm.next().opcode, 0) << "nobody waits for RETURN";
  EXPECT_TRUE(vm.ask(jump_vm, vm_call_of(kVmType, 3, kEchoAddress, {})).is_positive());
}

TEST(VmThread, BeginsInCodeAlone) {
  TestVm vm;
  for (const Opcode opcode : {jump, Opcode::call})
    for (const std::uint64_t address : {std::uint64_t{0}, kAt, kPointersAddress, kEchoAddress + 0x100})
      EXPECT_EQ(vm.ask(opcode, call_of(address)).code(), ReturnCode::bad_address);
  EXPECT_EQ(vm.ask(Opcode::call, numbers({{kEchoAddress, 4}, {9, 2}, {0, 2}})).code(), ReturnCode::malformed);
  EXPECT_EQ(vm->threads(), 0u);
}

TEST(VmThread, AnExceptionIsRefusedInPlaceOfReturn) {
  TestVm vm;
  const Said said = vm.call(vm.run_draft(raising_code()));
  EXPECT_EQ(said.code(), ReturnCode::exception);
  EXPECT_EQ(said.additional(), kRaised);
  EXPECT_EQ(said.req_id, kTestReqId);
}

TEST(VmThread, MovedCodeIsCalledReadAndFreed) {
  TestVm vm;
  const std::uint64_t at = vm.move_code(echo_code());
  ASSERT_NE(at, 0u);
  EXPECT_EQ(vm.read(at, 4), echo_code()) << "code and data have one address space";
  EXPECT_THAT(vm.call(Opcode::call, call_of(at, OctetBuffer{1, 2, 3, 4})).operands, ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(vm.ask(Opcode::free, numbers({{at, 4}})).is_positive());
  EXPECT_EQ(vm.ask(Opcode::call, call_of(at)).code(), ReturnCode::bad_address);
}

TEST(VmThread, CodeIsForThisVmAndItsVersions) {
  TestVm vm;
  const auto move = [&](std::uint16_t type, std::uint16_t version, Octets image) {
    return vm.ask(mvcode, numbers({{type, 2}, {version, 2}}, image));
  };
  for (std::uint16_t version = 1; version <= kVmVersion; ++version)
    EXPECT_TRUE(move(kVmType, version, echo_image()).is(Opcode::address));
  EXPECT_EQ(move(kVmType, kVmVersion + 1, echo_image()).code(), ReturnCode::wrong_vm);
  EXPECT_EQ(move(kVmType, 0, echo_image()).code(), ReturnCode::wrong_vm);
  EXPECT_EQ(move(kVmType + 1, 1, echo_image()).code(), ReturnCode::wrong_vm);
  EXPECT_EQ(move(kVmType, 1, {}).code(), ReturnCode::malformed);
  EXPECT_EQ(move(kVmType, 1, OctetBuffer(8)).code(), ReturnCode::bad_code) << "no code";
  EXPECT_EQ(move(kVmType, 1, numbers({{0xffff'fffc, 4}, {8, 4}, {0, 8}})).code(), ReturnCode::bad_code);
  EXPECT_EQ(move(kVmType, 1, echo_image(OctetBuffer(4))).code(), ReturnCode::bad_code) << "parameters are MVRUN's";
  const OctetBuffer image = echo_image();
  const Draft header = with_header(TestVm::make(mvcode, numbers({{kVmType, 2}, {1, 2}})), HeadCode::data,
                                   std::string(image.begin(), image.end()));
  EXPECT_TRUE(vm.ask(header).is(Opcode::address));
}

TEST(VmThread, CodeThatIsMovedAndRunGoesByItself) {
  TestVm vm;
  const Said said = vm.call(vm.run_draft(echo_code(), OctetBuffer{9, 8, 7}));
  EXPECT_TRUE(said.is(return_control));
  EXPECT_THAT(said.operands, ElementsAre(9, 8, 7, 0));
  EXPECT_EQ(vm->octets_allocated(), 0u);
  EXPECT_TRUE(vm.call(vm.run_draft(echo_code()), Circumstances{}).is(return_control)) << "5.8: save MVRUN";
}

TEST(VmThread, OperationsDoWhatTheirTableSays) {
  TestVm vm;
  const auto returns = [&](OctetBuffer code) { return vm.call(vm.run_draft(code)).operands; };
  // Counts from 0 to 5, and stores the sum of what it has counted.
  EXPECT_THAT(returns(assemble({{.operation = Op::set, .a = 2, .constant = 1},
                                {.operation = Op::set, .a = 3, .constant = 5},
                                {Op::equal, 4, 3, 4},
                                {Op::add, 4, 4, 2},
                                {Op::add, 5, 5, 4},
                                {Op::yield},
                                {Op::jump, 0, 0xff, 0xec},
                                {.operation = Op::set, .a = 6, .constant = kAt},
                                {Op::store, 5, 6, 2},
                                {.operation = Op::set, .a = 7, .constant = 2},
                                {Op::return_data, 6, 7}})),
              ElementsAre(0, 15, 0, 0));
  EXPECT_THAT(vm.read(kAt, 4), ElementsAre(0, 15, pattern(2), pattern(3)));
  // 0 - 1 is not less than 1; what is copied is the same.
  EXPECT_THAT(returns(assemble({{.operation = Op::set, .a = 2, .constant = 1},
                                {Op::subtract, 3, 4, 2},
                                {Op::less, 3, 2, 3},
                                {Op::copy, 5, 3},
                                {Op::equal, 5, 3, 1},
                                {Op::raise, 0, 0, 1},
                                {Op::raise, 0, 0, 2}})),
              ElementsAre(0, 16, 0, 2));
}

TEST(VmThread, WrongCodeRaisesExceptions) {
  TestVm vm;
  const auto raises = [&](OctetBuffer code) { return vm.call(vm.run_draft(code)).additional(); };
  EXPECT_EQ(raises({kOperations, 0, 0, 0}), cause(ReturnCode::bad_code));
  EXPECT_EQ(raises({2, 8, 0, 0}), cause(ReturnCode::bad_code)) << "no such register";
  EXPECT_EQ(raises({5, 0, 0, 3}), cause(ReturnCode::bad_code)) << "three octets";
  EXPECT_EQ(raises({1, 0, 0, 0}), cause(ReturnCode::bad_code)) << "no constant";
  EXPECT_EQ(raises({2, 0}), cause(ReturnCode::bad_address)) << "half an operation";
  EXPECT_EQ(raises(assemble({{Op::copy, 0, 0}})), cause(ReturnCode::bad_address)) << "runs out of code";
  EXPECT_EQ(raises(assemble({{Op::jump, 0, 0x80, 0}})), cause(ReturnCode::bad_address));
  EXPECT_EQ(raises(assemble({{Op::load, 2, 3, 8}})), cause(ReturnCode::bad_address));
  EXPECT_EQ(raises(assemble({{.operation = Op::set, .a = 2, .constant = ~std::uint64_t{0}}, {Op::store, 2, 2, 8}})),
            cause(ReturnCode::bad_address));
  EXPECT_EQ(raises(assemble({{.operation = Op::set, .a = 2, .constant = kEchoAddress}, {Op::store, 2, 2, 4}})),
            cause(ReturnCode::bad_address))
      << "permanent code";
  EXPECT_EQ(raises(assemble({{.operation = Op::set, .a = 2, .constant = ~std::uint64_t{0}}, {Op::return_data, 2, 2}})),
            cause(ReturnCode::bad_address));
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmThread, WithoutAnEndIsEnded) {
  VmOptions options;
  options.operations_of_thread = 10'000;
  TestVm vm(options);
  vm.execute(vm.run_draft(endless_code()));
  vm->advance({});
  EXPECT_EQ(vm->threads(), 1u) << "so many operations in a row";
  EXPECT_EQ(vm->deadline(), Instant{}) << "it goes on at once";
  EXPECT_TRUE(vm.ask(req_data_4, numbers({{4, 4}, {kAt, 4}})).is(Opcode::data)) << "nobody waits for it";
  vm.run();
  const Said said = vm.next();
  EXPECT_EQ(said.additional(), cause(ReturnCode::out_of_steps));
  EXPECT_FALSE(vm->deadline());
}

TEST(VmThread, AThousandRunInTurns) {
  VmOptions options;
  options.pending = 1001;
  options.operations_of_thread = 1000;
  TestVm vm(options);
  for (int i = 0; i < 1000; ++i) vm.execute(vm.run_draft(endless_code()));
  vm.execute(vm.run_draft(echo_code(), OctetBuffer{1, 2, 3, 4}));
  EXPECT_EQ(vm.ask(vm.run_draft(echo_code())).code(), ReturnCode::too_many);
  for (int i = 0; i < 9; ++i) vm->advance({});
  EXPECT_TRUE(vm.next().is(return_control)) << "long before the others end";
  EXPECT_EQ(vm->threads(), 1000u);
  EXPECT_EQ(vm.ask(vm.run_draft(echo_code())).opcode, 0) << "there is room again";
  vm.run();
  for (int i = 0; i < 1001; ++i) EXPECT_NE(vm.next().opcode, 0);
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmThread, ResponsesThatNobodyFetchesCount) {
  VmOptions options;
  options.pending = 2;
  options.queued_octets = 6;
  TestVm vm(options);
  const OctetBuffer parameters{1, 2, 3, 4};
  for (int i = 0; i < 2; ++i) vm.execute(TestVm::make(Opcode::call, call_of(kEchoAddress, parameters)));
  vm.run();
  EXPECT_EQ(vm.ask(Opcode::call, call_of(kEchoAddress)).code(), ReturnCode::too_many);
  EXPECT_TRUE(vm.next().is(return_control));
  EXPECT_EQ(vm.next().additional(), cause(ReturnCode::no_memory));
}

TEST(VmThread, EndsWithItsTask) {
  TestVm vm;
  vm.execute(vm.run_draft(endless_code()));
  vm->end_task(kTestTask);
  EXPECT_EQ(vm->threads(), 0u);
  EXPECT_EQ(vm->octets_allocated(), 0u);
  vm.run();
  EXPECT_EQ(vm.next().opcode, 0);
}

// ------------------------------------------------------------------------------------------------------- other nodes

constexpr std::uint64_t kRemote = 0x1'2340;

// Does one remote operation with eight octets of the region, and returns sixteen octets: those, and the result.
OctetBuffer remote_code(Operation operation, std::uint64_t octets = 8) {
  return assemble({{.operation = Op::set, .a = 2, .constant = kAt},
                   {.operation = Op::set, .a = 3, .constant = kPointersAddress},
                   {.operation = Op::set, .a = 4, .constant = octets},
                   {Op::copy, 5, 2},
                   {operation, 5, 3, 4},
                   {Op::copy, 6, 5},
                   {.operation = Op::set, .a = 7, .constant = operation == Op::call ? 1u : 0u},
                   {Op::equal, 7, 1, 1},
                   {Op::copy, 6, 4},
                   {.operation = Op::set, .a = 7, .constant = kAt + 8},
                   {Op::store, 6, 7, 8},
                   {.operation = Op::set, .a = 7, .constant = 16},
                   {Op::return_data, 2, 7}});
}

class VmRemote : public testing::Test {
 protected:
  VmRemote() {
    const auto pointer = make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, 9}, kRemote);
    vm.ask(write_4, numbers({{kPointersAddress, 4}}, pointer->octets));
  }
  // The request that the code makes.
  std::optional<FromVm> begin(Operation operation, std::uint64_t octets = 8) {
    vm.execute(vm.run_draft(remote_code(operation, octets)));
    vm.run();
    return vm.request();
  }
  Said respond(Opcode opcode, OctetBuffer operands, std::uint32_t req_id) {
    vm.respond(draft_of(opcode, std::move(operands)), req_id);
    vm.run();
    return vm.next();
  }
  TestVm vm;
};

TEST_F(VmRemote, ReadsByReqData) {
  const auto request = begin(Op::read);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->session, kTestTask);
  EXPECT_TRUE(request->instruction.is(req_data_4));
  EXPECT_EQ(request->instruction.operands, numbers({{8, 4}, {kRemote, 4}}));
  const Said said =
      respond(Opcode::data, OctetBuffer{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0}, *request->instruction.req_id);
  EXPECT_TRUE(said.is(return_control));
  EXPECT_EQ(said.number(0, 8), 0x0102030405060708u);
}

TEST_F(VmRemote, WritesByWriteExt) {
  const auto request = begin(Op::write, 7);
  EXPECT_TRUE(request->instruction.is(write_ext));
  EXPECT_EQ(request->instruction.operands, numbers({{7, 4}, {0x00010203, 4}, {0x04050600, 4}, {kRemote, 4}}));
  EXPECT_TRUE(respond(rsp, {}, *request->instruction.req_id).is(return_control));
}

TEST_F(VmRemote, ComparesByCmpExt) {
  const struct {
    OctetBuffer codes;
    std::uint64_t result;
  } kRows[] = {{{}, 0}, {{0, 0, 0, 0}, 0}, {{0, 0, 0, 1}, 1}, {{0, 0, 0xff, 0xff}, ~std::uint64_t{0}}};
  for (const auto& row : kRows) {
    const auto request = begin(Op::compare);
    EXPECT_TRUE(request->instruction.is(cmp_ext));
    EXPECT_EQ(respond(rsp, row.codes, *request->instruction.req_id).number(8, 8), row.result);
  }
}

TEST_F(VmRemote, CallsAndTakesAnyNumberOfReturnedValues) {
  for (const std::size_t returned : {0u, 4u, 8u, 262140u}) {
    const auto request = begin(Op::call);
    EXPECT_TRUE(request->instruction.is(Opcode::call));
    EXPECT_EQ(number_of(Octets(request->instruction.operands).first(6)), kRemote << 16 | 2);
    const Said said = respond(return_control, OctetBuffer(returned, 0xee), *request->instruction.req_id);
    EXPECT_EQ(said.number(8, 8), returned);
  }
}

TEST_F(VmRemote, ARefusalIsAnException) {
  const auto request = begin(Op::read);
  EXPECT_EQ(respond(rsp, {0, 5, 0, 0}, *request->instruction.req_id).additional(), cause(ReturnCode::remote));
  const auto again = begin(Op::read);
  EXPECT_EQ(respond(Opcode::data, {1, 2, 3, 4}, *again->instruction.req_id).additional(), cause(ReturnCode::remote));
}

TEST_F(VmRemote, OtherResponsesArePassedOver) {
  const auto request = begin(Op::write);
  const std::uint32_t req_id = *request->instruction.req_id;
  EXPECT_EQ(respond(rsp, {}, req_id + 1).opcode, 0);
  vm.respond(draft_of(rsp), req_id, TestVm::in(kOtherTask));
  EXPECT_EQ(vm->threads(), 1u);
  EXPECT_TRUE(respond(rsp, {}, req_id).is(return_control));
  EXPECT_EQ(respond(rsp, {}, req_id).opcode, 0);
}

TEST_F(VmRemote, TheVmDecidesHowLongItWaits) {
  begin(Op::read);
  EXPECT_EQ(vm->deadline(), vm->options().patience);
  vm.pass(vm->options().patience - Instant(1));
  EXPECT_EQ(vm.next().opcode, 0);
  vm.pass(Instant(1));
  EXPECT_EQ(vm.next().additional(), cause(ReturnCode::no_answer));
}

TEST_F(VmRemote, WhoWaitsForANodeThatIsGoneIsEnded) {
  begin(Op::read);
  vm->forget_node(kTestTask, OctetBuffer{10, 0, 0, 9});
  EXPECT_EQ(vm.next().additional(), cause(ReturnCode::bad_pointer));
  EXPECT_FALSE(begin(Op::read));
  EXPECT_EQ(vm.next().additional(), cause(ReturnCode::bad_pointer)) << "its pointers are invalid";
}

TEST_F(VmRemote, LifetimeIsGivenOn) {
  Circumstances at = TestVm::in(kTestTask);
  at.life_time = 0x1'0000;
  vm.execute(vm.run_draft(remote_code(Op::read)), at);
  vm.run();
  const auto request = vm.request();
  ASSERT_EQ(request->instruction.extensions.size(), 1u);
  EXPECT_EQ(request->instruction.extensions[0].head_code, HeadCode::life_time);
  EXPECT_THAT(request->instruction.extensions[0].data, ElementsAre(0, 1, 0, 0));
}

TEST_F(VmRemote, WithoutASessionThereAreNoPointers) {
  vm.execute(vm.run_draft(remote_code(Op::read)), Circumstances{});
  vm.run();
  EXPECT_FALSE(vm.request());
  EXPECT_EQ(vm.next().additional(), cause(ReturnCode::zero_session));
}

}  // namespace
}  // namespace wirelaw::umsp

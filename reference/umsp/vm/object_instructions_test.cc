// SPDX-License-Identifier: Apache-2.0
// RFC 3018 6.6: objects and their procedures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/umsp/vm/test_vm.h"

namespace wirelaw::umsp {
namespace {

using namespace offered;
using testing::ElementsAre;
using enum Opcode;

constexpr Number kVersion{kObjectVersion, 2}, kRealization{kObjectRealization, 2}, kAnyVersion{0, 2};

OctetBuffer of(std::uint32_t number, std::initializer_list<Number> rest, Octets behind = {}) {
  OctetBuffer out = numbers({{number, 4}, kAnyVersion, kAnyVersion});
  const OctetBuffer more = numbers(rest, behind);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}
Draft named(Opcode opcode, OctetBuffer operands, std::string_view name) {
  return with_header(TestVm::make(opcode, std::move(operands)), HeadCode::name, name);
}
OctetBuffer new_of(Octets data, Number version = kAnyVersion, Number realization = kAnyVersion) {
  return numbers({{kVmType, 2}, {kVmVersion, 2}, version, realization}, data);
}
std::uint32_t made(const Said& said) {
  return said.is(Opcode::object) ? static_cast<std::uint32_t>(said.number(0, 4)) : 0;
}

TEST(VmObject, DataAreOneSegmentFromZero) {
  TestVm vm;
  EXPECT_EQ(vm.ask(obj_req_data_2, of(kObject, {{3, 2}, {1, 2}})).operands,
            (OctetBuffer{pattern(1), pattern(2), pattern(3), 0}));
  EXPECT_EQ(vm.ask(obj_req_data_4, of(kObject, {{kObjectOctets, 4}, {0, 4}})).operands.size(), kObjectOctets);
  EXPECT_EQ(vm.ask(obj_req_data_4, of(kObject, {{1, 4}, {kObjectOctets, 4}})).code(), ReturnCode::bad_address);
  EXPECT_EQ(vm.ask(obj_req_data_4, of(kObject, {{0xffff'ffff, 4}, {0xffff'ffff, 4}})).code(), ReturnCode::bad_address);
  EXPECT_EQ(vm.ask(obj_req_data_4, of(kObject, {{1, 4}, {0, 8}})).code(), ReturnCode::bad_address) << "too long";
}

TEST(VmObject, IsWrittenAndComparedForAllJobs) {
  TestVm vm;
  EXPECT_TRUE(vm.ask(obj_write_2, of(kObject, {{0, 2}, {0xaabb, 2}})).is_positive());
  EXPECT_TRUE(vm.ask(obj_write_4, of(kObject, {{4, 4}, {0x01020304, 4}})).is_positive());
  EXPECT_TRUE(vm.ask(obj_write_ext, of(kObject, {{1, 4}, {0xcc00'0000, 4}, {8, 4}})).is_positive());
  const OctetBuffer expected{0xaa, 0xbb, 2, 3, 1, 2, 3, 4, 0xcc, 9, 10, 11};
  for (const std::uint64_t task : {kTestTask, kOtherTask, std::uint64_t{0}})
    EXPECT_EQ(vm.ask(obj_req_data_4, of(kObject, {{12, 4}, {0, 4}}), task).operands, expected);
  EXPECT_EQ(vm.ask(obj_data_cmp_2, of(kObject, {{0, 2}, {0xaabc, 2}})).additional(), 0xffff);
  EXPECT_EQ(vm.ask(obj_data_cmp_4, of(kObject, {{0, 4}, {0xaabb0203, 4}})).additional(), 0);
  EXPECT_EQ(vm.ask(obj_data_cmp_ext, of(kObject, {{1, 4}, {0xcbff'ffff, 4}, {8, 4}})).additional(), 1);
  EXPECT_TRUE(vm.ask(obj_write_4, of(kObject, {{kObjectOctets - 2, 4}, {1, 4}})).is_negative());
  EXPECT_TRUE(vm.ask(obj_data_cmp_4, of(kObject, {{kObjectOctets, 4}, {1, 4}})).is_negative());
  EXPECT_EQ(vm.ask(obj_write_4, of(kObject, {{0, 4}})).code(), ReturnCode::malformed) << "no data";
}

TEST(VmObject, IsFoundByVersionsThatItHas) {
  TestVm vm;
  const auto read = [&](std::uint16_t version, std::uint16_t realization) {
    return vm.ask(obj_req_data_4, numbers({{kObject, 4}, {version, 2}, {realization, 2}, {4, 4}, {0, 4}}));
  };
  EXPECT_TRUE(read(0, 0).is(Opcode::data));
  EXPECT_TRUE(read(kObjectVersion, 0).is(Opcode::data));
  for (std::uint16_t realization = 1; realization <= kObjectRealization; ++realization)
    EXPECT_TRUE(read(kObjectVersion, realization).is(Opcode::data)) << "compatible from below";
  EXPECT_EQ(read(kObjectVersion, kObjectRealization + 1).code(), ReturnCode::no_object);
  EXPECT_EQ(read(kObjectVersion + 1, 0).code(), ReturnCode::no_object);
  EXPECT_EQ(read(0, 1).code(), ReturnCode::malformed);
  EXPECT_EQ(vm.ask(obj_req_data_4, of(0xe000'0000, {{4, 4}, {0, 4}})).code(), ReturnCode::no_object);
}

TEST(VmObject, ProceduresAreCalledByNumberAndName) {
  TestVm vm;
  EXPECT_THAT(vm.call(call_bnum, of(kObject, {{kEchoNumber, 4}, {0x01020304, 4}})).operands, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(vm.call(call_bnum, of(kNumberedObject, {{kSumNumber, 4}, {1, 4}, {2, 4}})).operands,
              ElementsAre(0, 0, 0, 3));
  EXPECT_THAT(vm.call(named(call_bname, of(kObject, {{5, 4}, {6, 4}}), "sum\0")).operands, ElementsAre(0, 0, 0, 11));
  OctetBuffer with_vm = numbers({{kVmType, 2}, {1, 2}});
  const OctetBuffer rest = of(kObject, {{kSumNumber, 4}, {0x01000000, 4}, {0x02000000, 4}});
  with_vm.insert(with_vm.end(), rest.begin(), rest.end());
  EXPECT_THAT(vm.call(call_bnum_vm, with_vm).operands, ElementsAre(3, 0, 0, 0));
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmObject, ProceduresThatAreNotThereAreRefused) {
  TestVm vm;
  EXPECT_EQ(vm.ask(call_bnum, of(kObject, {{9, 4}, {1, 4}})).code(), ReturnCode::no_procedure);
  EXPECT_EQ(vm.ask(call_bnum, of(0x3000'0099, {{1, 4}, {1, 4}})).code(), ReturnCode::no_object);
  EXPECT_EQ(vm.ask(named(call_bname, of(kObject, {{1, 4}}), "nobody")).code(), ReturnCode::no_procedure);
  EXPECT_EQ(vm.ask(call_bname, of(kObject, {{1, 4}})).code(), ReturnCode::no_procedure) << "no _NAME";
  EXPECT_EQ(vm.ask(named(call_bname, of(kNumberedObject, {{1, 4}}), kEchoName)).code(), ReturnCode::no_procedure)
      << "range II";
  EXPECT_EQ(vm.ask(named(get_num_proc, of(kNumberedObject, {}), kEchoName)).code(), ReturnCode::no_procedure);
  const Said number = vm.ask(named(get_num_proc, of(kObject, {}), kSumName));
  EXPECT_TRUE(number.is(proc_num));
  EXPECT_EQ(number.operands, numbers({{kObject, 4}, {kObjectVersion, 2}, {kObjectRealization, 2}, {kSumNumber, 4}}));
}

TEST(VmObject, OfNewIsOfItsJobAlone) {
  TestVm vm;
  const std::uint32_t number = made(vm.ask(create, new_of(OctetBuffer{1, 2, 3, 4})));
  EXPECT_EQ(range_of(number), ObjectRange::transient);
  const OctetBuffer read = of(number, {{4, 4}, {0, 4}});
  EXPECT_THAT(vm.ask(obj_req_data_4, read).operands, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(vm.ask(obj_req_data_4, read, kOtherTask).code(), ReturnCode::no_object);
  EXPECT_EQ(vm.ask(obj_req_data_4, read, std::uint64_t{0}).code(), ReturnCode::no_object);
  EXPECT_EQ(vm.ask(destroy, numbers({{number, 4}}), kOtherTask).code(), ReturnCode::no_object);
  EXPECT_TRUE(vm.ask(destroy, numbers({{number, 4}})).is_positive());
  EXPECT_EQ(vm.ask(destroy, numbers({{number, 4}})).code(), ReturnCode::no_object);
  EXPECT_NE(made(vm.ask(create, new_of(OctetBuffer(4)))), number) << "a number is not used again at once";
}

TEST(VmObject, OfSysNewIsOfAllJobsAndEndsWithItsMaker) {
  TestVm vm;
  const Said said = vm.ask(named(sys_new, new_of(OctetBuffer{1, 2, 3, 4}, {5, 2}, {6, 2}), "things"));
  const std::uint32_t number = made(said);
  EXPECT_EQ(range_of(number), ObjectRange::free);
  EXPECT_EQ(said.number(4, 4), 0x0005'0006u);
  const OctetBuffer read = of(number, {{4, 4}, {0, 4}});
  for (const std::uint64_t task : {kOtherTask, std::uint64_t{0}})
    EXPECT_TRUE(vm.ask(obj_req_data_4, read, task).is(Opcode::data));
  EXPECT_EQ(vm.ask(destroy, numbers({{number, 4}}), kOtherTask).code(), ReturnCode::not_owner);
  EXPECT_EQ(vm.ask(destroy, numbers({{kObject, 4}})).code(), ReturnCode::not_owner);
  EXPECT_EQ(vm.ask(named(obj_seek, {}, "things"), Circumstances{}).number(0, 4), number);
  vm->end_task(kTestTask);
  EXPECT_EQ(vm.ask(obj_req_data_4, read, kOtherTask).code(), ReturnCode::no_object);
  EXPECT_EQ(vm->octets_allocated(), 0u);
}

TEST(VmObject, IsMadeWithoutVersionDataOrName) {
  TestVm vm;
  const std::uint32_t number = made(vm.ask(create, new_of({})));
  EXPECT_TRUE(vm.ask(obj_req_data_4, numbers({{number, 4}, {1, 2}, {0, 2}, {0, 4}, {0, 4}})).is_negative())
      << "it has no version 1";
  EXPECT_TRUE(vm.ask(obj_req_data_4, of(number, {{0, 4}, {0, 4}})).is(Opcode::data));
  EXPECT_EQ(vm.ask(obj_get_name, numbers({{number, 4}})).code(), ReturnCode::no_name);
  EXPECT_EQ(vm.ask(create, new_of({}, {0, 2}, {1, 2})).code(), ReturnCode::malformed);
  const Draft header = with_header(TestVm::make(create, new_of({})), HeadCode::data, "data");
  const std::uint32_t other = made(vm.ask(header));
  EXPECT_THAT(vm.ask(obj_req_data_4, of(other, {{4, 4}, {0, 4}})).operands, ElementsAre('d', 'a', 't', 'a'));
}

TEST(VmObject, IsNotMadeWhereItMayNotBe) {
  VmOptions options;
  options.objects_made = 2;
  options.task_octets = 8;
  TestVm vm(options);
  EXPECT_EQ(vm.ask(create, new_of({}), std::uint64_t{0}).code(), ReturnCode::zero_session);
  EXPECT_EQ(vm.ask(sys_new, new_of({}), std::uint64_t{0}).code(), ReturnCode::zero_session);
  EXPECT_EQ(vm.ask(create, numbers({{kVmType + 1, 2}, {1, 2}, {0, 4}})).code(), ReturnCode::wrong_vm);
  EXPECT_EQ(vm.ask(create, new_of(OctetBuffer(12))).code(), ReturnCode::no_memory);
  EXPECT_NE(made(vm.ask(create, new_of(OctetBuffer(8)))), 0u);
  EXPECT_EQ(vm.ask(create, new_of(OctetBuffer(4))).code(), ReturnCode::no_memory);
  EXPECT_NE(made(vm.ask(sys_new, new_of({}))), 0u);
  EXPECT_EQ(vm.ask(create, new_of({})).code(), ReturnCode::no_memory) << "too many";
}

TEST(VmObject, NamesAreOfOneObject) {
  TestVm vm;
  const auto make = [&](Opcode opcode, std::string_view name, std::uint64_t task = kTestTask) {
    return vm.ask(named(opcode, new_of({}), name), TestVm::in(task));
  };
  EXPECT_NE(made(make(create, "thing")), 0u);
  EXPECT_EQ(make(create, "thing").code(), ReturnCode::name_taken);
  EXPECT_NE(made(make(create, "thing", kOtherTask)), 0u) << "another job";
  EXPECT_EQ(make(sys_new, "thing").code(), ReturnCode::name_taken) << "it would be of both jobs";
  EXPECT_EQ(make(create, kObjectName).code(), ReturnCode::name_taken);
  for (const std::string_view wrong : {"abc", "abc\x80", "   "})
    EXPECT_EQ(make(create, wrong).code(), ReturnCode::no_name);
  EXPECT_EQ(vm.ask(named(obj_seek, {}, "thing"), Circumstances{}).code(), ReturnCode::no_object) << "range IV";
}

TEST(VmObject, NumberAndNameLeadToEachOther) {
  TestVm vm;
  const Said found = vm.ask(named(obj_seek, {}, kObjectName));
  EXPECT_TRUE(found.is(Opcode::object));
  EXPECT_EQ(found.operands, numbers({{kObject, 4}, kVersion, kRealization}));
  const Said name = vm.ask(obj_get_name, numbers({{kObject, 4}}));
  EXPECT_TRUE(name.is(Opcode::object));
  EXPECT_EQ(name.name, std::string(kObjectName));
  EXPECT_EQ(vm.ask(named(obj_seek, {}, "nothing")).code(), ReturnCode::no_object);
  EXPECT_EQ(vm.ask(obj_seek, {}).code(), ReturnCode::no_object) << "no _NAME";
  EXPECT_EQ(vm.ask(obj_get_name, numbers({{kNumberedObject, 4}})).code(), ReturnCode::no_name);
  EXPECT_EQ(vm.ask(obj_get_name, numbers({{5, 4}})).code(), ReturnCode::no_object);
}

TEST(VmObject, PermanentObjectsKeepToTheRules) {
  VmOptions options;
  options.objects = {{.number = 5, .name = "standard"},
                     {.number = 0x3000'0002, .name = "same"},
                     {.number = 0x3000'0003, .name = "same"},
                     {.number = 0xe000'0001, .name = "reserved"}};
  TestVm vm(options);
  EXPECT_TRUE(vm.ask(named(obj_seek, {}, "standard")).is_negative());
  EXPECT_EQ(vm.ask(named(obj_seek, {}, "same")).number(0, 4), 0x3000'0002u);
  EXPECT_TRUE(vm.ask(obj_get_name, numbers({{0x3000'0003, 4}})).is_negative());
  EXPECT_TRUE(vm.ask(named(obj_seek, {}, "reserved")).is_negative());
}

}  // namespace
}  // namespace wirelaw::umsp

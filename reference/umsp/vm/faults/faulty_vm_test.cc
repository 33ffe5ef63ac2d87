// SPDX-License-Identifier: Apache-2.0
// Each deviation changes the VM's responses or requests, compared with the honest VM in the same scripts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <walked_part.h>

#include <set>
#include <string>

#include "reference/octets/hex.h"
#include "reference/umsp/make_parts.h"
#include "reference/umsp/vm/test_vm.h"

namespace wirelaw::umsp {
namespace {

using namespace offered;
using enum Opcode;
using Op = Operation;

constexpr std::uint64_t kAt = kRegionAddress;

// A VM, and all that it has said.
class Scene {
 public:
  explicit Scene(std::unique_ptr<VirtualMachine> made) : vm(std::move(made)) {}

  void add(const std::string& text) { transcript += '\n' + text; }
  Said note(const Said& said) {
    add(std::to_string(said.opcode) + ' ' + std::to_string(said.req_id) + ' ' + to_hex(said.operands) + ' ' +
        said.name.value_or(""));
    return said;
  }
  Said ask(const Draft& draft, const Circumstances& at = TestVm::in(kTestTask)) { return note(vm.call(draft, at)); }
  Said ask(Opcode opcode, OctetBuffer operands, const Circumstances& at = TestVm::in(kTestTask)) {
    return ask(TestVm::make(opcode, std::move(operands)), at);
  }
  Said named(Opcode opcode, OctetBuffer operands, std::string_view name,
             const Circumstances& at = TestVm::in(kTestTask)) {
    return ask(with_header(TestVm::make(opcode, std::move(operands)), HeadCode::name, name), at);
  }
  Said read(std::uint64_t address, const Circumstances& at = TestVm::in(kTestTask)) {
    return ask(req_data_4, numbers({{8, 4}, {address, 4}}), at);
  }
  void drain() {
    vm.run();
    for (Said said = vm.next(); said.opcode != 0; said = vm.next()) note(said);
  }

  TestVm vm;
  std::string transcript;
};

const Circumstances kOther = TestVm::in(kOtherTask), kNone = {};

OctetBuffer of(std::uint32_t number, std::initializer_list<Number> rest, Number version = {0, 2},
               Number realization = {0, 2}) {
  OctetBuffer out = numbers({{number, 4}, version, realization});
  const OctetBuffer more = numbers(rest);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}
OctetBuffer new_of(Octets data, std::uint16_t type = kVmType, std::uint16_t version = 0) {
  return numbers({{type, 2}, {kVmVersion, 2}, {version, 2}, {0, 2}}, data);
}

// ------------------------------------------------------------------------------------------------------------ scripts

void exchange(Scene& scene) {
  for (std::uint32_t req_id : {5u, 4u}) {
    Draft draft = TestVm::make(cmp_2, numbers({{kAt, 2}, {1, 2}}));
    draft.req_id = req_id;
    scene.ask(draft);
  }
  scene.ask(Opcode::data, OctetBuffer(4));
  scene.ask(nop, {});
  scene.ask(nop, OctetBuffer(8));
  scene.ask(with_header(TestVm::make(nop, {}), HeadCode::msg, "text"));
}

void addresses(Scene& scene) {
  scene.ask(req_data_4, numbers({{4, 4}}, make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, 1}, kAt)->octets));
  scene.ask(req_data_2, numbers({{4, 2}, {kAt, 2}}));
  scene.ask(req_data_4, numbers({{4, 4}, {kAt, 8}}));
  Circumstances chain = TestVm::in(kTestTask);
  chain.chained = true;
  scene.ask(req_data_2, numbers({{4, 2}, {kAt, 2}}), chain);
  chain.base = kAt;
  scene.ask(req_data_2, numbers({{4, 2}, {8, 2}}), chain);
  scene.ask(req_data_4, numbers({{2, 4}, {kAt + 1, 4}}));
}

void short_addresses(Scene& scene) {
  scene.ask(req_data_4, numbers({{4, 4}, {kAt, 4}}));
  scene.ask(req_data_4, numbers({{4, 4}, {0x0100'0000 | kAt, 4}}));
  scene.ask(req_data_4, numbers({{4, 4}, {kAt << 8, 4}}));
  scene.ask(create, new_of(OctetBuffer(0x1'0004)));
}

void memory(Scene& scene) {
  scene.read(0);
  scene.ask(write_4, numbers({{kAt, 4}, {0x01020304, 4}}));
  scene.ask(write_4, numbers({{0, 4}, {0x01020304, 4}}));
  scene.ask(write_ext, numbers({{1, 4}, {0x05060708, 4}, {kAt + 8, 4}}));
  scene.ask(write_ext, numbers({{1, 4}, {0, 4}, {0, 4}}));
  scene.read(kAt);
  scene.read(kAt + 8);
  for (const std::uint64_t value : {0x01020303u, 0x01020304u, 0x01020305u})
    scene.ask(cmp_4, numbers({{kAt, 4}, {value, 4}}));
  scene.ask(cmp_ext, numbers({{1, 4}, {0x01ffffff, 4}, {kAt, 4}}));
  scene.ask(cmp_4, numbers({{0, 4}, {0, 4}}));
}

void allocation(Scene& scene) {
  const std::uint64_t at = scene.ask(mem_alloc, numbers({{16, 4}})).address();
  scene.read(at);
  scene.ask(Opcode::free, numbers({{at, 4}}));
  scene.read(at);
  scene.ask(mem_alloc, numbers({{16, 4}}), kNone);
}

void tasks(Scene& scene) {
  scene.ask(write_4, numbers({{kAt, 4}, {7, 4}}));
  scene.read(kAt, kOther);
  scene.ask(write_4, numbers({{kAt, 4}, {8, 4}}), kOther);
  scene.read(kAt);
  const std::uint64_t at = scene.ask(mem_alloc, numbers({{16, 4}})).address();
  const auto object = static_cast<std::uint32_t>(scene.named(sys_new, new_of(OctetBuffer(4)), "mine").number(0, 4));
  scene.vm->end_task(kTestTask);
  scene.vm->begin_task(kTestTask);
  scene.read(at);
  scene.ask(obj_req_data_4, of(object, {{4, 4}, {0, 4}}));
  const auto pointer = make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, 9}, 5);
  scene.ask(write_4, numbers({{kPointersAddress, 4}}, pointer->octets));
  scene.vm->forget_node(kTestTask, OctetBuffer{10, 0, 0, 9});
  scene.read(kPointersAddress);
}

void control(Scene& scene) {
  const OctetBuffer parameters{0, 0, 0, 1, 0, 0, 0, 2};
  const auto call_with = [&](std::uint64_t address) { return numbers({{address, 4}, {2, 2}}, parameters); };
  const auto vm_call = [&](std::uint16_t type, std::uint16_t version) {
    return numbers({{type, 2}, {version, 2}, {kSumAddress, 4}, {2, 2}}, parameters);
  };
  scene.ask(Opcode::call, call_with(kSumAddress));
  scene.ask(Opcode::call, call_with(0));
  scene.ask(jump, call_with(0));
  scene.ask(jump, call_with(kEchoAddress));
  scene.drain();
  scene.ask(call_vm, vm_call(kVmType, 1));
  scene.ask(call_vm, vm_call(5, 1));
  scene.ask(scene.vm.run_draft(raising_code()));
  scene.ask(scene.vm.run_draft(echo_code(), OctetBuffer{0xff}));
  const auto moved = [&](std::uint16_t type, std::uint16_t version, Octets code) {
    return scene.ask(mvcode, numbers({{type, 2}, {version, 2}}, encode_image(code))).address();
  };
  const std::uint64_t at = moved(kVmType, kVmVersion, echo_code());
  scene.read(at - 8 + 8);
  scene.ask(req_data_4, numbers({{4, 4}, {at, 4}}));
  scene.ask(Opcode::call, call_with(at));
  moved(kVmType, 1, echo_code());
  moved(5, 1, echo_code());
  moved(kVmType, kVmVersion, OctetBuffer{0xff, 0, 0, 0});
}

void watching(Scene& scene) {
  const auto watch = [&](std::uint64_t address, std::uint64_t mask) {
    scene.note(scene.vm.ask(syn_4, numbers({{address, 4}, {0x00010203, 4}, {mask, 4}})));
  };
  scene.ask(syn_4, numbers({{0, 4}, {0, 4}, {0, 4}}));
  scene.ask(syn_4, numbers({{kAt, 4}, {0xffff'ffff, 4}, {0xffff'ffff, 4}}));
  watch(kAt, 0xff);
  scene.ask(write_4, numbers({{kAt, 4}, {0x55010203, 4}}));
  scene.drain();
  scene.ask(write_4, numbers({{kAt, 4}, {0x55010255, 4}}));
  scene.drain();
  scene.ask(write_4, numbers({{kAt, 4}, {0x55010256, 4}}));
  scene.drain();
  scene.ask(write_4, numbers({{kAt, 4}, {0x00010203, 4}}));
  scene.drain();
  watch(kAt, 0xff);
  scene.vm.pass(VmOptions{}.patience);
  scene.drain();
}

void objects(Scene& scene) {
  for (const Circumstances& at : {TestVm::in(kTestTask), kNone}) {
    scene.ask(obj_req_data_4, of(kObject, {{8, 4}, {0, 4}}), at);
    scene.named(obj_seek, {}, kObjectName, at);
    scene.named(obj_seek, {}, "missing", at);
  }
  scene.ask(obj_req_data_4, of(kObject, {{4, 4}, {0, 4}}, {kObjectVersion, 2}, {kObjectRealization, 2}));
  scene.ask(obj_req_data_4, of(kObject, {{4, 4}, {0, 4}}, {kObjectVersion, 2}, {1, 2}));
  scene.ask(obj_req_data_4, of(kObject + 1, {{4, 4}, {0, 4}}));
  scene.ask(obj_write_4, of(kObject, {{0, 4}, {1, 4}}));
  scene.ask(obj_write_4, of(kObject, {{kObjectOctets, 4}, {1, 4}}));
  scene.ask(obj_write_ext, of(kObject, {{1, 4}, {0x05060708, 4}, {4, 4}}));
  scene.ask(obj_write_ext, of(kObject, {{1, 4}, {0, 4}, {kObjectOctets, 4}}));
  scene.ask(obj_req_data_4, of(kObject, {{8, 4}, {0, 4}}));
  scene.ask(obj_data_cmp_ext, of(kObject, {{1, 4}, {0x05ffffff, 4}, {4, 4}}));
  scene.ask(obj_data_cmp_4, of(kObject, {{kObjectOctets, 4}, {1, 4}}));
  for (const std::uint32_t number : {kObject, kNumberedObject, kObject + 1}) {
    scene.ask(obj_get_name, numbers({{number, 4}}));
    for (const std::uint32_t procedure : {kEchoNumber, 9u}) scene.ask(call_bnum, of(number, {{procedure, 4}, {1, 4}}));
    scene.named(call_bname, of(number, {{1, 4}}), kEchoName);
    scene.named(get_num_proc, of(number, {}), kEchoName);
  }
}

void made_objects(Scene& scene) {
  const OctetBuffer contents{1, 2, 3, 0xff};
  const auto number_in = [](const Said& said) { return static_cast<std::uint32_t>(said.number(0, 4)); };
  const auto own = number_in(scene.ask(create, new_of({})));
  scene.ask(create, new_of(contents));
  const auto named = number_in(scene.named(create, new_of({}, kVmType, 4), "named"));
  scene.named(create, new_of({}), "named");
  scene.named(sys_new, new_of({}), "named", kOther);
  const auto common = number_in(scene.named(sys_new, new_of({}), "common"));
  scene.ask(create, new_of({}, 5));
  scene.ask(create, new_of({}), kNone);
  for (const Circumstances& at : {TestVm::in(kTestTask), kOther, kNone}) {
    for (const std::uint32_t number : {own, named, common}) scene.ask(obj_req_data_4, of(number, {{0, 4}, {0, 4}}), at);
    scene.named(obj_seek, {}, "named", at);
    scene.named(obj_seek, {}, "common", at);
  }
  scene.ask(destroy, numbers({{common, 4}}), kOther);
  scene.ask(destroy, numbers({{common, 4}}));
  scene.ask(create, new_of(OctetBuffer(0x20'0000)));
}

void requests(Scene& scene) {
  const auto pointer = make_address(kIpv4Memory32, OctetBuffer{10, 0, 0, 9}, 0x40);
  scene.ask(write_4, numbers({{kPointersAddress, 4}}, pointer->octets));
  const struct {
    Op operation;
    Opcode opcode;
    std::size_t octets;
  } kRows[] = {{Op::read, Opcode::data, 12},
               {Op::compare, rsp, 0},
               {Op::call, return_control, 0},
               {Op::call, return_control, 16},
               {Op::write, rsp, 0}};
  for (const auto& row : kRows) {
    scene.vm.execute(scene.vm.run_draft(assemble({{.operation = Op::set, .a = 2, .constant = kAt},
                                                  {.operation = Op::set, .a = 3, .constant = kPointersAddress},
                                                  {.operation = Op::set, .a = 4, .constant = 8},
                                                  {row.operation, 2, 3, 4},
                                                  {.operation = Op::set, .a = 5, .constant = kAt + 8},
                                                  {Op::store, 2, 5, 8},
                                                  {.operation = Op::set, .a = 4, .constant = 8},
                                                  {Op::return_data, 5, 4}})));
    scene.vm.run();
    std::uint32_t req_id = 0;
    for (auto request = scene.vm.request(); request; request = scene.vm.request()) {
      scene.add("asks " + to_hex(write(request->instruction)));
      req_id = *request->instruction.req_id;
    }
    if (row.operation == Op::write) scene.vm.pass(VmOptions{}.patience);
    scene.vm.respond(draft_of(row.opcode, OctetBuffer(row.octets, 1)), req_id);
    scene.drain();
  }
}

using Stage = void (*)(Scene&);
constexpr Stage kScripts[] = {exchange, addresses, memory,  allocation,   tasks,
                              control,  watching,  objects, made_objects, requests};

using Maker = std::unique_ptr<VirtualMachine> (*)(VmOptions, const VmDeviations&);
std::string play(const VmDeviations& deviations, Maker make = make_vm) {
  std::string all;
  for (const Stage script : kScripts) {
    Scene scene(make({}, deviations));
    script(scene);
    all += scene.transcript;
    if (script == control) all += "\nheld " + std::to_string(scene.vm->octets_allocated());
  }
  for (const AddressFormat format : {kIpv4Memory24, kIpv4Memory16}) {
    VmOptions options;
    options.format = format;
    Scene scene(make(options, deviations));
    short_addresses(scene);
    all += scene.transcript;
  }
  return all;
}

TEST(FaultyVm, EachDeviationShows) {
  const std::string honest = play({});
  EXPECT_EQ(play({}), honest);
  std::set<std::string> seen{honest};
  for (const VmDeviationInfo& one : all_vm_deviations()) {
    const std::string faulty = play({one.deviation});
    EXPECT_NE(faulty, honest) << one.name;
    EXPECT_TRUE(seen.insert(faulty).second) << one.name << " does the same as another one";
  }
}

TEST(FaultyVm, IsHonestWhereItDoesNotDeviate) {
  const Maker faulty = [](VmOptions options, const VmDeviations& none) -> std::unique_ptr<VirtualMachine> {
    return make_faulty_vm(std::move(options), none);
  };
  EXPECT_EQ(play({}, faulty), play({}));
  EXPECT_EQ(VmDeviations::named("syn-mask-ignored"), VmDeviation::syn_mask_ignored);
  EXPECT_FALSE(VmDeviations::named("syn_mask_ignored"));
}

// Fed with everything of every small length: nothing is a hazard.
TEST(FaultyVm, AllDeviationsEndWell) {
  for (const AddressFormat format : {kIpv4Memory16, kIpv4Memory24, kIpv4Memory32, AddressFormat{4, 0, 3}}) {
    VmOptions options;
    options.format = format;
    for (const VmDeviationInfo& one : all_vm_deviations()) {
      if (static_cast<unsigned>(one.deviation) % kWalkedPart != 0) continue;
      TestVm vm(make_vm(options, {one.deviation}));
      for (const Layout& layout : all_layouts())
        for (const Octet filling : OctetBuffer{0x00, 0x01, 0x10, 0xff})
          for (std::size_t octets = 0; octets <= 24; octets += 8) {
            vm.execute(TestVm::make(layout.opcode, OctetBuffer(octets, filling)), octets == 8 ? kNone : kOther);
            vm->advance({});
          }
      vm->end_task(kOtherTask);
      vm->end_task(kOtherTask);
      EXPECT_LE(vm->octets_allocated(), vm->options().all_octets) << one.name;
    }
  }
}

}  // namespace
}  // namespace wirelaw::umsp

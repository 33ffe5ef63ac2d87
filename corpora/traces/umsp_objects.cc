// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, section 6.6: some break it, some conform.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Opcode;

using Extensions = std::vector<UmspExtension>;

constexpr std::uint32_t kObject = 0x5000'0001;          // in range IV
constexpr std::uint32_t kSystemObject = 0x3000'0001;    // in range III
constexpr std::uint32_t kStandardObject = 0x0000'0001;  // in range I
constexpr std::uint32_t kNoObject = 0xe000'0000;
constexpr std::uint32_t kWord = 0x0102'0304;
constexpr std::uint16_t kVm = 49'200;

UmspOctets object(std::uint32_t number = kObject) {
  return UmspOctets().u32(number).u16(1).u16(2);  // its version and realization
}
UmspOctets vm() {
  return UmspOctets().u16(kVm).u16(1);
}
// by_number(): the object, the procedure and its parameters. by_name(): the object and the parameters.
OctetBuffer by_number() {
  return object().u32(7).u32(kWord);
}
OctetBuffer by_name() {
  return object().u32(kWord);
}
// A count of five, five octets with their padding, and an offset.
OctetBuffer five_octets(std::uint8_t zero = 0, std::uint32_t count = 5) {
  return object().u8(zero).u24(count).text("Hello").u24(0).u32(16);
}
// A count of zero, and an offset of eight octets.
OctetBuffer no_octets() {
  return object().u32(0).u64(16);
}
OctetBuffer create() {
  return vm().u16(1).u16(2).u32(kWord);
}
OctetBuffer refusal() {
  return UmspOctets().u16(1).u16(2);
}
Extensions name(std::string_view text = "clock") {
  return {{HeadCode::name, UmspOctets().text(text), false}};
}
Extensions data_header() {
  return {{HeadCode::data, UmspOctets().u32(kWord)}};
}

// Opens a session and sends one instruction without ASK.
void one(UmspTraceBuilder& builder, Opcode opcode, OctetBuffer operands, Extensions extensions = {}) {
  builder.open_session();
  builder.notify(Side::a, opcode, std::move(operands), std::move(extensions));
}

struct Said {
  Opcode opcode;
  OctetBuffer operands = {};
  Extensions extensions = {};
};

// A request and its response, in a session.
struct Exchange {
  Said request;
  Said answer;
};
void exchange(UmspTraceBuilder& builder, std::vector<Exchange> all) {
  builder.open_session();
  std::uint32_t req_id = UmspTraceBuilder::kReqId;
  for (Exchange& one : all) {
    builder.request(Side::a, one.request.opcode, one.request.operands, one.request.extensions, req_id);
    builder.request(Side::b, one.answer.opcode, one.answer.operands, one.answer.extensions, req_id++);
  }
}
void pair(UmspTraceBuilder& builder, Said request, Said answer) {
  exchange(builder, {{std::move(request), std::move(answer)}});
}

constexpr UmspSample kSamples[] = {
    // 6.6
    {"UMSP-6.6-4", "SYS_NEW makes an object of range IV.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::sys_new, create()}, {Opcode::object, object(kObject)});
     }},
    {"UMSP-6.6-5", "NEW makes an object of range III.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::create, create()}, {Opcode::object, object(kSystemObject)});
     }},
    {"UMSP-6.6-6", "The object that OBJ_GET_NAME asks about has a reserved number.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_get_name, UmspOctets().u32(kNoObject)); }},
    {"UMSP-6.6-6", "NEW makes an object with a reserved number.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::create, create()}, {Opcode::object, object(kNoObject)});
     },
     "made"},
    {"UMSP-6.6-21", "GET_NUM_PROC asks for realization 2 of version 0.",
     [](UmspTraceBuilder& builder) {
       one(builder, Opcode::get_num_proc, UmspOctets().u32(kObject).u16(0).u16(2), name());
     }},

    // 6.6.1
    {"UMSP-6.6.1.1-3", "OBJ_REQ_DATA with a length of two octets has four words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_req_data_2, object().u16(4).u16(16).u32(0)); }},
    {"UMSP-6.6.1.1-9", "OBJ_REQ_DATA is answered by ADDRESS.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_req_data_2, object().u16(4).u16(16)}, {Opcode::address, UmspOctets().u32(16)});
     }},
    {"UMSP-6.6.1.1-9", "Four octets of an object were asked for, and DATA has eight.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_req_data_2, object().u16(4).u16(16)},
            {Opcode::data, UmspOctets().u32(kWord).u32(kWord)});
     },
     "more"},
    {"UMSP-6.6.1.1-9", "Eight octets of an object were asked for, and DATA has four.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_req_data_4, object().u32(8).u32(16)}, {Opcode::data, UmspOctets().u32(kWord)});
     },
     "fewer", Severity::warning},
    {"UMSP-6.6.4-8", "OBJECT gives the name of an object of range I.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_get_name, UmspOctets().u32(7)}, {Opcode::object, object(7), name()});
     }},
    {"UMSP-6.6.4-8", "OBJECT gives the name of an object of range II, which was sought.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_seek, {}, name()}, {Opcode::object, object(0x2000'0000), name()});
     },
     "sought"},
    {"UMSP-6.6.1.1-10", "OBJ_REQ_DATA is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_req_data_2, object().u16(4).u16(16)}, {Opcode::rsp});
     }},
    {"UMSP-6.6.1.2-2", "OBJ_WRITE with an offset of eight octets has three words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_8, object().u32(16), data_header()); }},
    {"UMSP-6.6.1.2-6", "OBJ_WRITE has data in its operands and a _DATA header.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_4, object().u32(16).u32(kWord), data_header()); }},
    {"UMSP-6.6.1.2-7", "OBJ_WRITE has no data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_4, object().u32(16)); }},
    {"UMSP-6.6.1.2-8", "OBJ_WRITE with an offset of two octets has six octets of data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_2, object().u16(16).u16(1).u32(kWord)); }},
    {"UMSP-6.6.1.2-11", "OBJ_WRITE is answered by DATA.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_write_2, object().u16(16).u16(1)}, {Opcode::data, UmspOctets().u32(kWord)});
     }},
    {"UMSP-6.6.1.3-2", "OBJ_WRITE_EXT has four words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_ext, object().u32(0).u32(16)); }},
    {"UMSP-6.6.1.3-4", "The octet behind the realization is one.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_ext, five_octets(1)); }},
    {"UMSP-6.6.1.3-6", "OBJ_WRITE_EXT writes no octets.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_ext, no_octets()); }},
    {"UMSP-6.6.1.3-9", "OBJ_WRITE_EXT counts nine octets, and has eight and an offset.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_write_ext, five_octets(0, 9)); }},
    {"UMSP-6.6.1.3-12", "OBJ_WRITE_EXT is answered by OBJECT.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_write_ext, five_octets()}, {Opcode::object, object()});
     }},

    // 6.6.2
    {"UMSP-6.6.2.1-5", "OBJ_DATA_CMP has no data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_data_cmp_4, object().u32(16)); }},
    {"UMSP-6.6.2.1-6", "OBJ_DATA_CMP with an offset of two octets has six octets of data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_data_cmp_2, object().u16(16).u16(1).u32(kWord)); }},
    {"UMSP-6.6.2.1-8", "OBJ_DATA_CMP is answered by DATA.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_data_cmp_2, object().u16(16).u16(1)}, {Opcode::data, UmspOctets().u32(kWord)});
     }},
    {"UMSP-6.6.2.2-2", "OBJ_DATA_CMP_EXT has four words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_data_cmp_ext, object().u32(0).u32(16)); }},
    {"UMSP-6.6.2.2-4", "The octet behind the realization is one.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_data_cmp_ext, five_octets(1)); }},
    {"UMSP-6.6.2.2-6", "OBJ_DATA_CMP_EXT compares no octets.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_data_cmp_ext, no_octets()); }},
    {"UMSP-6.6.2.2-9", "OBJ_DATA_CMP_EXT counts nine octets, and has eight and an offset.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_data_cmp_ext, five_octets(0, 9)); }},
    {"UMSP-6.6.2.2-12", "OBJ_DATA_CMP_EXT is answered by OBJECT.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_data_cmp_ext, five_octets()}, {Opcode::object, object()});
     }},
    {"UMSP-6.2.3-4", "The outcome of OBJ_DATA_CMP is 2.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_data_cmp_2, object().u16(16).u16(1)}, {Opcode::rsp, UmspOctets().u16(0).u16(2)});
     },
     "of-objects"},
    {"", "The data of an object are read, written and compared in all forms.",
     [](UmspTraceBuilder& builder) {
       exchange(builder,
                {{{Opcode::obj_req_data_2, object().u16(4).u16(16)}, {Opcode::data, UmspOctets().u32(kWord)}},
                 {{Opcode::obj_req_data_4, object().u32(5).u32(16)}, {Opcode::data, UmspOctets().text("Hello")}},
                 {{Opcode::obj_req_data_4, object().u32(5).u64(16)}, {Opcode::rsp, refusal()}},
                 {{Opcode::obj_write_2, object().u16(16).u16(1)}, {Opcode::rsp}},
                 {{Opcode::obj_write_4, object().u32(16).u32(kWord)}, {Opcode::rsp}},
                 {{Opcode::obj_write_8, object().u64(16), data_header()}, {Opcode::rsp, refusal()}},
                 {{Opcode::obj_write_ext, five_octets()}, {Opcode::rsp}},
                 {{Opcode::obj_data_cmp_2, object().u16(16).u16(1)}, {Opcode::rsp}},
                 {{Opcode::obj_data_cmp_4, object().u32(16).u32(kWord)}, {Opcode::rsp, UmspOctets().u16(0).u16(1)}},
                 {{Opcode::obj_data_cmp_ext, five_octets()}, {Opcode::rsp, UmspOctets().u16(0).u16(0xffff)}}});
     },
     "umsp-data-of-objects"},

    // 6.6.3
    {"UMSP-6.6.3.1-2", "CALL_BNUM has no parameters.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::call_bnum, object().u32(7)); }},
    {"UMSP-6.6.3.1-3", "CALL_BNUM with the sender's VM has no parameters.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::call_bnum_vm, vm().octets(OctetBuffer(object())).u32(7)); }},
    {"UMSP-6.6.3.1-9", "CALL_BNUM is answered by DATA.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::call_bnum, by_number()}, {Opcode::data, UmspOctets().u32(kWord)});
     }},
    {"UMSP-6.6.3.1-9", "CALL_BNUM is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::call_bnum, by_number()}, {Opcode::rsp});
     },
     "rsp"},
    {"UMSP-6.6.3.2-2", "CALL_BNAME with the sender's VM has no parameters.",
     [](UmspTraceBuilder& builder) {
       one(builder, Opcode::call_bname_vm, vm().octets(OctetBuffer(object())), name("run"));
     }},
    {"UMSP-6.6.3.2-7", "CALL_BNAME has no name.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::call_bname, by_name()); }},
    {"UMSP-6.6.3.2-8", "CALL_BNAME is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::call_bname, by_name(), name("run")}, {Opcode::rsp});
     }},
    {"UMSP-6.6.3.2-10", "CALL_BNAME calls a standard object.",
     [](UmspTraceBuilder& builder) {
       one(builder, Opcode::call_bname, object(kStandardObject).u32(kWord), name("run"));
     }},
    {"UMSP-6.6.3.3-1", "GET_NUM_PROC asks for a standard object.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::get_num_proc, object(kStandardObject), name("run")); }},
    {"UMSP-6.6.3.3-2", "GET_NUM_PROC has three words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::get_num_proc, object().u32(kWord), name("run")); }},
    {"UMSP-6.6.3.3-4", "GET_NUM_PROC has no name.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::get_num_proc, object()); }},
    {"UMSP-6.6.3.3-5", "GET_NUM_PROC is answered by OBJECT.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::get_num_proc, object(), name("run")}, {Opcode::object, object()});
     }},
    {"UMSP-6.6.3.3-6", "GET_NUM_PROC is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::get_num_proc, object(), name("run")}, {Opcode::rsp});
     }},
    {"UMSP-6.6.3.4-1", "OBJ_SEEK is answered by PROC_NUM.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_seek, {}, name()}, {Opcode::proc_num, object().u32(7)});
     }},
    {"UMSP-6.6.3.4-2", "PROC_NUM names no procedure.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::get_num_proc, object(), name("run")}, {Opcode::proc_num, object()});
     }},
    {"UMSP-6.6.3.4-4", "PROC_NUM names another object than GET_NUM_PROC.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::get_num_proc, object(), name("run")}, {Opcode::proc_num, object(kObject + 1).u32(7)});
     }},
    {"", "Procedures are called by number and by name.",
     [](UmspTraceBuilder& builder) {
       exchange(builder,
                {{{Opcode::get_num_proc, object(), name("run")}, {Opcode::proc_num, object().u32(7)}},
                 {{Opcode::call_bnum, by_number()}, {Opcode::return_control}},
                 {{Opcode::call_bnum_vm, vm().octets(by_number())}, {Opcode::return_control, UmspOctets().u32(kWord)}},
                 {{Opcode::call_bname, by_name(), name("run")}, {Opcode::return_control}},
                 {{Opcode::call_bname_vm, vm().octets(by_name()), name("run")}, {Opcode::rsp, refusal()}},
                 {{Opcode::get_num_proc, object(), name("fly")}, {Opcode::rsp, refusal()}}});
     },
     "umsp-procedures-are-called"},

    // 6.6.4
    {"UMSP-6.6.4.1-3", "NEW has one word of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::create, vm(), data_header()); }},
    {"UMSP-6.6.4.1-7", "NEW has data in its operands and a _DATA header.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::create, create(), data_header()); }},
    {"UMSP-6.6.4.1-11", "NEW is answered by ADDRESS.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::create, create()}, {Opcode::address, UmspOctets().u32(kObject)});
     }},
    {"UMSP-6.6.4.1-13", "SYS_NEW is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::sys_new, create()}, {Opcode::rsp});
     }},
    {"UMSP-6.6.4.2-1", "FREE is answered by OBJECT.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::free, UmspOctets().u32(16)}, {Opcode::object, object()});
     }},
    {"UMSP-6.6.4.2-2", "OBJECT has three words of operands.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::create, create()}, {Opcode::object, object().u32(kWord)});
     }},
    {"UMSP-6.6.4.3-1", "DELETE names a standard object.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::destroy, UmspOctets().u32(kStandardObject)); }},
    {"UMSP-6.6.4.3-2", "DELETE has two words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::destroy, object()); }},
    {"UMSP-6.6.4.3-5", "DELETE is answered by OBJECT.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::destroy, UmspOctets().u32(kObject)}, {Opcode::object, object()});
     }},
    {"", "Objects are made and deleted.",
     [](UmspTraceBuilder& builder) {
       exchange(builder,
                {{{Opcode::create, create()}, {Opcode::object, object()}},
                 {{Opcode::sys_new, create(), name()}, {Opcode::object, object(kSystemObject), name()}},
                 {{Opcode::create, vm().u32(0), data_header()}, {Opcode::object, UmspOctets().u32(kObject + 1).u32(0)}},
                 {{Opcode::create, create()}, {Opcode::rsp, refusal()}},
                 {{Opcode::destroy, UmspOctets().u32(kObject)}, {Opcode::rsp}}});
     },
     "umsp-objects-are-made"},

    // 6.6.5
    {"UMSP-6.6.5-1", "The name of a new object has two octets.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::create, create(), name("no")); }},
    {"UMSP-6.6.5.1-1", "OBJ_SEEK has operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_seek, UmspOctets().u32(kObject), name()); }},
    {"UMSP-6.6.5.1-2", "OBJ_SEEK has no name.", [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_seek, {}); }},
    {"UMSP-6.6.5.1-5", "OBJ_SEEK is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_seek, {}, name()}, {Opcode::rsp});
     }},
    {"UMSP-6.6.5.2-1", "OBJ_GET_NAME has no operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::obj_get_name, {}); }},
    {"UMSP-6.6.5.2-4", "OBJECT in answer to OBJ_GET_NAME has no name.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_get_name, UmspOctets().u32(kObject)}, {Opcode::object, object()});
     }},
    {"UMSP-6.6.5.2-5", "OBJECT in answer to OBJ_GET_NAME is another object.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_get_name, UmspOctets().u32(kObject)}, {Opcode::object, object(kObject + 1), name()});
     }},
    {"UMSP-6.6.5.2-7", "OBJ_GET_NAME is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) {
       pair(builder, {Opcode::obj_get_name, UmspOctets().u32(kObject)}, {Opcode::rsp});
     }},
    {"", "Objects are found by name, and names by number.",
     [](UmspTraceBuilder& builder) {
       exchange(builder, {{{Opcode::obj_seek, {}, name()}, {Opcode::object, object(kSystemObject)}},
                          {{Opcode::obj_seek, {}, name("alarm")}, {Opcode::rsp, refusal()}},
                          {{Opcode::obj_get_name, UmspOctets().u32(kSystemObject)},
                           {Opcode::object, object(kSystemObject), name()}},
                          {{Opcode::obj_get_name, UmspOctets().u32(kObject)}, {Opcode::rsp, refusal()}}});
     },
     "umsp-objects-are-found"},
};

}  // namespace

std::span<const UmspSample> umsp_object_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

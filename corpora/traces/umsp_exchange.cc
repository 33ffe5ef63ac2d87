// SPDX-License-Identifier: Apache-2.0
// Traces for RFC 3018, sections 6 to 6.5: some break it, some conform.
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {
namespace {

using umsp::HeadCode;
using umsp::Instruction;
using umsp::Opcode;

using Extensions = std::vector<UmspExtension>;

constexpr std::uint32_t kMemory = 0x0000'1000;  // an address in b's memory
constexpr std::uint32_t kWord = 0x0102'0304;
constexpr std::uint16_t kVm = 49'200;

// Opens a session and sends one instruction without ASK.
void one(UmspTraceBuilder& builder, Opcode opcode, OctetBuffer operands, Extensions extensions = {}) {
  builder.open_session();
  builder.notify(Side::a, opcode, std::move(operands), std::move(extensions));
}

// Opens a session and sends a request and its response.
void pair(UmspTraceBuilder& builder, Opcode request, OctetBuffer operands, Opcode response, OctetBuffer answer = {}) {
  builder.open_session();
  builder.request(Side::a, request, std::move(operands));
  builder.respond(Side::b, response, std::move(answer));
}

UmspOctets memory() {
  return UmspOctets().u32(kMemory);
}
UmspOctets memory_and_word() {
  return memory().u32(kWord);
}
UmspOctets vm() {
  return UmspOctets().u16(kVm).u16(1);
}
UmspOctets vm_and_code() {
  return vm().u32(kWord);
}
// Operands of REQ_DATA (code 130) with an address of four octets.
OctetBuffer req_data(std::uint16_t length) {
  return UmspOctets().u16(length).u32(kMemory);
}
// A count of five, five octets with their padding, and an address.
OctetBuffer five_octets(std::uint8_t zero = 0, std::uint32_t count = 5) {
  return UmspOctets().u8(zero).u24(count).text("Hello").u24(0).u32(kMemory);
}
// A count of zero, and an address of eight octets.
OctetBuffer no_octets() {
  return UmspOctets().u32(0).u64(kMemory);
}
OctetBuffer call_operands(std::uint16_t words = 1) {
  return memory().u16(words).u32(kWord);
}
Extensions data_header() {
  return {{HeadCode::data, UmspOctets().u32(kWord)}};
}
// The address 192.0.2.2 with its free octets, and its memory.
OctetBuffer complete(std::initializer_list<Octet> free) {
  constexpr Octet kNode[] = {192, 0, 2, 2};
  const auto address =
      umsp::make_address(umsp::kIpv4Memory32, kNode, kMemory, Octets(std::data(free), std::size(free)));
  return UmspOctets().octets(address->octets);
}
// The additional return code of a positive response.
OctetBuffer outcome(std::uint16_t code) {
  return UmspOctets().u16(0).u16(code);
}
OctetBuffer refusal() {
  return UmspOctets().u16(1).u16(2);
}

// Many requests and their responses in one session.
class Exchanges {
 public:
  explicit Exchanges(UmspTraceBuilder& builder) : builder_(builder) { builder_.open_session(); }
  Exchanges& pair(Opcode request, OctetBuffer operands, Opcode response, OctetBuffer answer = {},
                  Extensions extensions = {}) {
    builder_.request(Side::a, request, std::move(operands), std::move(extensions), req_id_);
    builder_.respond(Side::b, response, std::move(answer), req_id_++);
    return *this;
  }

 private:
  UmspTraceBuilder& builder_;
  std::uint32_t req_id_ = UmspTraceBuilder::kReqId;
};

constexpr UmspSample kSamples[] = {
    // 6
    {"UMSP-6-10", "DATA in answer to REQ_DATA has ASK 0.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::req_data_2, req_data(4));
       builder.notify(Side::b, Opcode::data, UmspOctets().u32(kWord));
     }},
    {.violates = "UMSP-6-11",
     .purpose = "DATA has a REQ_ID that no request has.",
     .build =
         [](UmspTraceBuilder& builder) {
           builder.open_session();
           builder.request(Side::a, Opcode::req_data_2, req_data(4));
           builder.respond(Side::b, Opcode::data, UmspOctets().u32(kWord), UmspTraceBuilder::kReqId + 1);
         },
     .severity = Severity::warning},
    {"UMSP-6-32", "WRITE has a complete address, the FREE of which is zero.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_16, UmspOctets().octets(complete({})).u32(kWord)); }},
    {"", "Data are read, a length of two octets and one of four, and an answer is refused.",
     [](UmspTraceBuilder& builder) {
       Exchanges(builder)
           .pair(Opcode::req_data_2, req_data(4), Opcode::data, UmspOctets().u32(kWord))
           .pair(Opcode::req_data_2, req_data(5), Opcode::data, UmspOctets().text("Hello"))
           .pair(Opcode::req_data_4, UmspOctets().u32(0).u32(kMemory), Opcode::data)
           .pair(Opcode::req_data_4, UmspOctets().u32(4).octets(complete({1})), Opcode::data, UmspOctets().u32(kWord))
           .pair(Opcode::req_data_2, req_data(4), Opcode::rsp, refusal())
           .pair(Opcode::syn_4, memory_and_word().u32(~0u), Opcode::data, UmspOctets().u32(kWord + 1));
     },
     "umsp-data-are-read"},
    {"", "Data that were asked for come in a _DATA header.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::req_data_2, req_data(5));
       builder.request(Side::b, Opcode::data, {}, {{HeadCode::data, UmspOctets().text("Hello")}});
     },
     "umsp-data-in-a-header"},
    {"", "A request of a chain may be answered by whatever answers the chain.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.chained(Side::a, Opcode::req_data_2, {1, 0}, req_data(4), {{HeadCode::begin_sq}, {HeadCode::end_chain}},
                       [](Instruction& first) {
                         first.header.ask = true;
                         first.header.req_id = UmspTraceBuilder::kReqId;
                       });
       builder.respond(Side::b);
     },
     "umsp-chain-is-answered"},
    {"", "Requests of both sides have one REQ_ID.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::syn_4, memory_and_word().u32(~0u));
       builder.request(Side::b, Opcode::mem_alloc, UmspOctets().u32(64));
       builder.respond(Side::a, Opcode::address, memory());
       builder.respond(Side::b, Opcode::rsp, refusal());
     },
     "umsp-requests-of-both-sides"},

    // 6.1.1, 6.1.2
    {"UMSP-6.1.1-2", "REQ_DATA has four words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::req_data_4, UmspOctets().u32(4).u64(0).u32(kMemory)); }},
    {"UMSP-6.1.1-2", "REQ_DATA with a length of four octets has one word of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::req_data_4, UmspOctets().u32(4)); }, "one-word"},
    {"UMSP-6.1.1-7", "REQ_DATA is answered by ADDRESS.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::req_data_2, req_data(4), Opcode::address, memory()); }},
    {"UMSP-6.1.1-8", "Eight octets were asked for, and DATA has four.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::req_data_2, req_data(8), Opcode::data, UmspOctets().u32(kWord));
     }},
    {"UMSP-6.1.1-8", "Four octets were asked for, and DATA has eight.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::req_data_4, UmspOctets().u32(4).u32(kMemory), Opcode::data, UmspOctets().u64(kWord));
     },
     "more"},
    {"UMSP-6.1.1-9", "REQ_DATA is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::req_data_2, req_data(4), Opcode::rsp); }},
    {"UMSP-6.1.2-1", "FREE is answered by DATA.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::free, memory(), Opcode::data, UmspOctets().u32(kWord)); }},
    {"UMSP-6.1.2-5", "DATA has operands and a _DATA header.",
     [](UmspTraceBuilder& builder) {
       builder.open_session();
       builder.request(Side::a, Opcode::req_data_2, req_data(4));
       builder.request(Side::b, Opcode::data, UmspOctets().u32(kWord), data_header());
     }},
    {"UMSP-6.1.2-8", "Behind the three octets that were asked for DATA has another one.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::req_data_2, req_data(3), Opcode::data, UmspOctets().u32(kWord));
     }},

    // 6.1.3, 6.1.4
    {"UMSP-6.1.3-4", "WRITE with an address of eight octets has one word of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_8, memory(), data_header()); }},
    {"UMSP-6.1.3-6", "WRITE has data in its operands and a _DATA header.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_4, memory_and_word(), data_header()); }},
    {"UMSP-6.1.3-6", "WRITE with an address of two octets has a _DATA header.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_2, UmspOctets().u16(16).u16(1), data_header()); },
     "short-address"},
    {.violates = "UMSP-6.1.3-7",
     .purpose = "WRITE has an address and nothing else.",
     .build = [](UmspTraceBuilder& builder) { one(builder, Opcode::write_4, memory()); },
     .severity = Severity::warning},
    {"UMSP-6.1.3-8", "WRITE with an address of two octets has six octets of data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_2, UmspOctets().u16(16).u16(1).u32(kWord)); }},
    {"UMSP-6.1.3-11", "WRITE is answered by DATA.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::write_4, memory_and_word(), Opcode::data, UmspOctets().u32(kWord));
     }},
    {"UMSP-6.1.4-2", "WRITE_EXT has two words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_ext, UmspOctets().u32(0).u32(kMemory)); }},
    {"UMSP-6.1.4-3", "The first octet of WRITE_EXT is one.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_ext, five_octets(1)); }},
    {"UMSP-6.1.4-5", "WRITE_EXT writes no octets.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_ext, no_octets()); }},
    {"UMSP-6.1.4-9", "WRITE_EXT counts nine octets, and has eight and an address.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::write_ext, five_octets(0, 9)); }},
    {"UMSP-6.1.4-12", "WRITE_EXT is answered by ADDRESS.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::write_ext, five_octets(), Opcode::address, memory()); }},
    {"", "Data are written in all forms.",
     [](UmspTraceBuilder& builder) {
       Exchanges(builder)
           .pair(Opcode::write_2, UmspOctets().u16(16).u16(1), Opcode::rsp)
           .pair(Opcode::write_4, memory_and_word(), Opcode::rsp, outcome(0))
           .pair(Opcode::write_4, memory(), Opcode::rsp, {}, data_header())
           .pair(Opcode::write_16, UmspOctets().octets(complete({1})).u32(kWord), Opcode::rsp, refusal())
           .pair(Opcode::write_ext, five_octets(), Opcode::rsp);
     },
     "umsp-data-are-written"},

    // 6.2
    {"UMSP-6.2.1-4", "CMP has an address and no data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::cmp_4, memory()); }},
    {"UMSP-6.2.1-7", "CMP with an address of two octets has six octets of data.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::cmp_2, UmspOctets().u16(16).u16(1).u32(kWord)); }},
    {"UMSP-6.2.2-2", "CMP_EXT has two words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::cmp_ext, UmspOctets().u32(0).u32(kMemory)); }},
    {"UMSP-6.2.2-3", "The first octet of CMP_EXT is one.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::cmp_ext, five_octets(1)); }},
    {"UMSP-6.2.2-5", "CMP_EXT compares no octets.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::cmp_ext, no_octets()); }},
    {"UMSP-6.2.2-9", "CMP_EXT counts nine octets, and has eight and an address.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::cmp_ext, five_octets(0, 9)); }},
    {"UMSP-6.2.3-1", "CMP is answered by DATA.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::cmp_4, memory_and_word(), Opcode::data, UmspOctets().u32(kWord));
     }},
    {"UMSP-6.2.3-4", "The outcome of CMP is 2.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::cmp_4, memory_and_word(), Opcode::rsp, outcome(2)); }},
    {"", "Data are compared: less, equal, more, and not at all.",
     [](UmspTraceBuilder& builder) {
       Exchanges(builder)
           .pair(Opcode::cmp_4, memory_and_word(), Opcode::rsp, outcome(0xffff))
           .pair(Opcode::cmp_2, UmspOctets().u16(16).u16(1), Opcode::rsp)
           .pair(Opcode::cmp_ext, five_octets(), Opcode::rsp, outcome(1))
           .pair(Opcode::cmp_ext, five_octets(), Opcode::rsp, refusal());
     },
     "umsp-data-are-compared"},

    // 6.3
    {"UMSP-6.3.1-4", "JUMP with the sender's VM has two words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::jump_vm, vm().u32(kMemory)); }},
    {"UMSP-6.3.1-7", "The sender of CALL has a VM of version 0.",
     [](UmspTraceBuilder& builder) {
       one(builder, Opcode::call_vm, UmspOctets().u16(kVm).u16(0).octets(call_operands()));
     }},
    {"UMSP-6.3.1-10", "CALL counts nine words of parameters, and has one.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::call, call_operands(9)); }},
    {"UMSP-6.3.1-15", "JUMP is answered by RETURN.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::jump, call_operands(), Opcode::return_control); }},
    {"UMSP-6.3.1-17", "CALL is answered by DATA.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::call, call_operands(), Opcode::data, UmspOctets().u32(kWord));
     }},
    {"UMSP-6.3.1-18", "CALL is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::call, call_operands(), Opcode::rsp); }},
    {"UMSP-6.3.2-1", "NOP is answered by RETURN.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::nop, {}, Opcode::return_control); }},
    {"", "Control is transferred, and comes back.",
     [](UmspTraceBuilder& builder) {
       Exchanges(builder)
           .pair(Opcode::jump, call_operands(), Opcode::rsp)
           .pair(Opcode::jump_vm, vm().octets(call_operands()), Opcode::rsp, refusal())
           .pair(Opcode::call, call_operands(), Opcode::return_control, UmspOctets().u32(kWord))
           .pair(Opcode::call_vm, vm().octets(call_operands()), Opcode::rsp, refusal());
     },
     "umsp-control-is-transferred"},

    // 6.4
    {"UMSP-6.4.1-1", "MEM_ALLOC has two words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::mem_alloc, UmspOctets().u64(64)); }},
    {"UMSP-6.4.1-3", "MEM_ALLOC is answered by DATA.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::mem_alloc, UmspOctets().u32(64), Opcode::data, memory()); }},
    {"UMSP-6.4.1-4", "MEM_ALLOC is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::mem_alloc, UmspOctets().u32(64), Opcode::rsp); }},
    {"UMSP-6.4.2-1", "MVCODE has no operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::mvcode, {}, data_header()); }},
    {"UMSP-6.4.2-4", "MVCODE has code in its operands and a _DATA header.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::mvcode, vm_and_code(), data_header()); }},
    {.violates = "UMSP-6.4.2-5",
     .purpose = "MVCODE has no code.",
     .build = [](UmspTraceBuilder& builder) { one(builder, Opcode::mvcode, vm()); },
     .severity = Severity::warning},
    {"UMSP-6.4.2-10", "MVCODE is answered by RETURN.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::mvcode, vm_and_code(), Opcode::return_control); }},
    {"UMSP-6.4.2-11", "MVCODE is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::mvcode, vm_and_code(), Opcode::rsp); }},
    {"UMSP-6.4.3-1", "FREE is answered by ADDRESS.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::free, memory(), Opcode::address, memory()); }},
    {"UMSP-6.4.3-2", "ADDRESS has three words of operands.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::mem_alloc, UmspOctets().u32(64), Opcode::address, UmspOctets().u64(0).u32(kMemory));
     }},
    {"UMSP-6.4.4-2", "FREE has three words of operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::free, UmspOctets().u64(0).u32(kMemory)); }},
    {"UMSP-6.4.5-1", "MVRUN has no operands.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::mvrun, {}, data_header()); }},
    {"UMSP-6.4.5-4", "MVRUN has code in its operands and a _DATA header.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::mvrun, vm_and_code(), data_header()); }},
    {"UMSP-6.4.5-5", "MVRUN has no code.", [](UmspTraceBuilder& builder) { one(builder, Opcode::mvrun, vm()); }},
    {"UMSP-6.4.5-9", "MVRUN is answered by ADDRESS.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::mvrun, vm_and_code(), Opcode::address, memory()); }},
    {"UMSP-6.4.5-9", "MVRUN is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::mvrun, vm_and_code(), Opcode::rsp); }, "rsp"},
    {"", "Memory is allocated and freed, and code is moved and run.",
     [](UmspTraceBuilder& builder) {
       Exchanges(builder)
           .pair(Opcode::mem_alloc, UmspOctets().u32(64), Opcode::address, memory())
           .pair(Opcode::free, memory(), Opcode::rsp)
           .pair(Opcode::mem_alloc, UmspOctets().u32(~0u), Opcode::rsp, refusal())
           .pair(Opcode::mvcode, vm_and_code(), Opcode::address, memory())
           .pair(Opcode::mvcode, vm(), Opcode::address, memory(), data_header())
           .pair(Opcode::mvcode, vm_and_code(), Opcode::rsp, refusal())
           .pair(Opcode::mvrun, vm_and_code(), Opcode::return_control)
           .pair(Opcode::mvrun, vm(), Opcode::rsp, refusal(), data_header());
     },
     "umsp-memory-is-controlled"},

    // 6.5
    {"UMSP-6.5.1-3", "SYN has an address and nothing else.",
     [](UmspTraceBuilder& builder) { one(builder, Opcode::syn_4, memory()); }},
    {"UMSP-6.5.1-12", "SYN is answered by a positive RSP.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::syn_4, memory_and_word().u32(~0u), Opcode::rsp, {}); }},
    {"UMSP-6.5.1-12", "SYN is answered by an RSP with codes of 0.",
     [](UmspTraceBuilder& builder) {
       pair(builder, Opcode::syn_4, memory_and_word().u32(~0u), Opcode::rsp, UmspOctets().u32(0));
     },
     "codes"},
    {.violates = "UMSP-6.5.2-5",
     .purpose = "NOP of no chain has operands.",
     .build = [](UmspTraceBuilder& builder) { one(builder, Opcode::nop, UmspOctets().u32(kWord)); },
     .severity = Severity::warning},
    {"", "NOP asks whether the other side is there.",
     [](UmspTraceBuilder& builder) { pair(builder, Opcode::nop, {}, Opcode::rsp); }, "umsp-nop-is-answered"},
};

}  // namespace

std::span<const UmspSample> umsp_exchange_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora

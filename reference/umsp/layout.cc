// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/layout.h"

#include <algorithm>
#include <array>

#include "reference/umsp/layout_forms.h"

namespace wirelaw::umsp {
namespace {

using namespace layout_forms;
using namespace values;

constexpr std::uint32_t kMostWords = 65535;
constexpr LengthRange kAsRuled{1, 0};  // value of `printed`: the document prints what the operands need

constexpr HeadCode kMsg[] = {HeadCode::msg};
constexpr HeadCode kNames[] = {HeadCode::name};
constexpr HeadCode kDataHeader[] = {HeadCode::data};
constexpr HeadCode kDataAndName[] = {HeadCode::data, HeadCode::name};
constexpr HeadCode kInaction[] = {HeadCode::inaction_time};
constexpr HeadCode kInactionMsg[] = {HeadCode::inaction_time, HeadCode::msg};
constexpr HeadCode kNameInaction[] = {HeadCode::name, HeadCode::inaction_time};  // _JOB_NAME is _NAME (UMSP/A35)
constexpr HeadCode kAll[] = {HeadCode::inaction_time, HeadCode::begin_sq,  HeadCode::begin_tr,  HeadCode::begin_frg,
                             HeadCode::end_chain,     HeadCode::set_mbase, HeadCode::alignment, HeadCode::msg,
                             HeadCode::name,          HeadCode::data,      HeadCode::life_time};

// ------------------------------------------------------------------------------------------------- making rows
constexpr Layout row(Opcode opcode, std::string_view name, std::string_view variant, std::string_view section,
                     LengthRange length, std::span<const FormRow> forms, LengthRange printed = kAsRuled) {
  return {.opcode = opcode,
          .name = name,
          .variant = variant,
          .section = section,
          .length = length,
          .printed = printed == kAsRuled ? length : printed,
          .forms = forms};
}

constexpr Layout with(Layout layout, std::uint8_t ask, std::uint8_t pck, std::uint8_t chn, std::uint8_t ext) {
  layout.ask = ask;
  layout.pck = pck;
  layout.chn = chn;
  layout.ext = ext;
  return layout;
}
// A request between nodes, outside of sessions.
constexpr Layout node(Layout layout, std::uint8_t ask, std::span<const HeadCode> extensions = {}) {
  layout.extensions = extensions;
  return with(layout, ask, kPck00, kZero, kAny);
}
// Instructions in a session and outside of chains.
constexpr Layout session(Layout layout, std::uint8_t ask, std::uint8_t pck, std::span<const HeadCode> extensions = {}) {
  layout.extensions = extensions;
  return with(layout, ask, pck, kZero, kAny);
}
// Instructions about a chain.
constexpr Layout chain(Layout layout, std::uint8_t ask, std::span<const HeadCode> extensions = {}) {
  layout.extensions = extensions;
  return with(layout, ask, kPck01 | kPck10 | kPck11, kOne, kAny);
}
// Instructions between VMs: the document prints only their operands (6).
constexpr Layout between(Layout layout, std::span<const HeadCode> extensions = {}) {
  layout.extensions = extensions;
  return layout;
}
constexpr Layout answer(Layout layout) {
  layout.response = true;
  return layout;
}
constexpr Layout answer_between(Layout layout, std::span<const HeadCode> extensions = {}) {
  layout.ask = kOne;
  return answer(between(layout, extensions));
}
constexpr Layout without_extensions(Layout layout) {
  layout.ext = kZero;
  return layout;
}

// ------------------------------------------------------------------------------------------------------- the table
using enum Opcode;
constexpr std::uint8_t kPck0111 = kPck01 | kPck11;
constexpr std::span<const FormRow> kSame = kOnly<kData>;

constexpr Layout kManagement[] = {
    answer(session(row(rsp_p, "RSP_P", "", "4.1", {0, 1}, kNoneOr<kReturnCodes>), kOne, kPck0111, kMsg)),
    chain(row(snd_cancel, "SND_CANCEL", "", "4.2", {1, 1}, kOnly<kReturnCodes>), kZero, kMsg),
    node(row(control_req, "CONTROL_REQ", "", "5.1.1", {2, 3}, kOnly<kControlReq>), kOne, kNameInaction),
    answer(node(row(control_confirm, "CONTROL_CONFIRM", "", "5.1.2", {1, 4}, kOnly<kGjid>), kOne)),
    answer(node(row(control_reject, "CONTROL_REJECT", "", "5.1.3", {1, 2}, kEither<kErrorCodes, kErrorProfile>), kOne,
                kInactionMsg)),
    node(row(task_reg_2, "TASK_REG", "CTID of 2 octets", "5.2.1", {2, 7}, kOnly<kTaskReg2>, {2, 8}), kOne, kInaction),
    node(row(task_reg_4, "TASK_REG", "CTID of 4 octets", "5.2.1", {3, 7}, kOnly<kTaskReg4>, {2, 8}), kOne, kInaction),
    node(row(task_reg_8, "TASK_REG", "CTID of 8 octets", "5.2.1", {4, 8}, kOnly<kTaskReg8>, {2, 8}), kOne, kInaction),
    answer(node(row(task_confirm, "TASK_CONFIRM", "", "5.2.2", {1, 2}, kOnly<kCtid>), kOne, kNameInaction)),
    answer(node(row(task_reject, "TASK_REJECT", "", "5.2.3", {1, 1}, kOnly<kErrorCodes>), kOne, kInactionMsg)),
    node(row(task_chk, "TASK_CHK", "", "5.2.4", {2, 8}, kOnly<kTaskChk>), kOne, kInaction),
    session(row(session_open, "SESSION_OPEN", "", "5.3.1", {7, 11}, kOnly<kSessionOpen>, {6, 10}), kOne,
            kPck00 | kPck11),
    answer(session(row(session_accept, "SESSION_ACCEPT", "", "5.3.2", {0, 0}, kNone), kOne, kPck11)),
    answer(
        session(row(session_reject, "SESSION_REJECT", "", "5.3.3", {1, 1}, kOnly<kErrorCodes>), kZero, kPck11, kMsg)),
    session(row(session_close, "SESSION_CLOSE", "", "5.4.1", {0, 1}, kNoneOr<kTerminationCodes>), kZero, kPck0111,
            kMsg),
    session(row(session_abend, "SESSION_ABEND", "", "5.4.2", {0, 1}, kNoneOr<kTerminationCodes>), kZero, kPck0111,
            kMsg),
    node(row(task_terminate, "TASK_TERMINATE", "", "5.5.1", {2, 3}, kOnly<kTaskTerminate>), kZero, kMsg),
    node(row(task_terminate_info, "TASK_TERMINATE_INFO", "", "5.5.2", {2, 5}, kOnly<kTaskTerminateInfo>), kZero, kMsg),
    node(row(job_completed, "JOB_COMPLETED", "", "5.6.1", {2, 3}, kOnly<kJobCompleted>), kZero, kMsg),
    node(row(job_completed_info, "JOB_COMPLETED_INFO", "", "5.6.2", {1, 5}, kEither<kGjid, kJobCompletedInfo>, {2, 5}),
         kZero, kMsg),
    without_extensions(node(row(state_req, "STATE_REQ", "", "5.7.2", {1, 2}, kOnly<kLtid>), kZero)),
    answer(without_extensions(
        node(row(task_state, "TASK_STATE", "", "5.7.3", {1, 3}, kEither<kTaskStateShort, kTaskState>), kZero))),
    answer(without_extensions(node(row(node_reload, "NODE_RELOAD", "", "5.7.4", {1, 2}, kOnly<kLtid>), kZero))),
    session(row(req_buf, "REQ_BUF", "", "7.4", {1, 1}, kOnly<kBufferSize>), kOne, kPck0111),
    node(row(vm_req, "VM_REQ", "", "9.1", {0, 65534}, kOnly<kVmReq>), kAny, kNames),
    node(row(vm_notif, "VM_NOTIF", "", "9.2", {2, 65534}, kOnly<kVmNotif>, {1, 65534}), kAny, kNames),
};

constexpr std::string_view kAddress2Of = "address of 2 octets", kAddress4Of = "address of 4 octets",
                           kAddress8Of = "address of 8 octets", kAddress16Of = "address of 16 octets",
                           kOffset2Of = "offset of 2 octets", kOffset4Of = "offset of 4 octets",
                           kOffset8Of = "offset of 8 octets", kLength2Of = "length of 2 octets",
                           kLength4Of = "length of 4 octets", kVmOf = "with the sender's VM", kPlain = "without VM";
constexpr LengthRange kFromOne{1, kMostWords}, kFromThree{3, kMostWords};

constexpr Layout kExchange[] = {
    answer(session(row(rsp, "RSP", "", "4.1", {0, 1}, kNoneOr<kReturnCodes>), kOne, kPck0111, kMsg)),
    between(row(req_data_2, "REQ_DATA", kLength2Of, "6.1.1", {1, 5}, kOnly<kReqData2>)),
    between(row(req_data_4, "REQ_DATA", kLength4Of, "6.1.1", {2, 5}, kOnly<kReqData4>, {1, 5})),
    answer_between(row(data, "DATA", "", "6.1.2", {0, kMostWords}, kSame), kDataHeader),
    between(row(write_2, "WRITE", kAddress2Of, "6.1.3", {1, 1}, kOnly<kAddressData2>, kFromOne)),
    between(row(write_4, "WRITE", kAddress4Of, "6.1.3", kFromOne, kOnly<kAddressData4>), kDataHeader),
    between(row(write_8, "WRITE", kAddress8Of, "6.1.3", {2, kMostWords}, kOnly<kAddressData8>, kFromOne), kDataHeader),
    between(row(write_16, "WRITE", kAddress16Of, "6.1.3", {4, kMostWords}, kOnly<kAddressData16>, kFromOne),
            kDataHeader),
    between(row(write_ext, "WRITE_EXT", "", "6.1.4", kFromThree, kOnly<kDataExt>)),
    between(row(cmp_2, "CMP", kAddress2Of, "6.2.1", {1, 1}, kOnly<kAddressData2>, kFromOne)),
    between(row(cmp_4, "CMP", kAddress4Of, "6.2.1", {2, kMostWords}, kOnly<kAddressData4>, kFromOne)),
    between(row(cmp_8, "CMP", kAddress8Of, "6.2.1", kFromThree, kOnly<kAddressData8>, kFromOne)),
    between(row(cmp_16, "CMP", kAddress16Of, "6.2.1", {5, kMostWords}, kOnly<kAddressData16>, kFromOne)),
    between(row(cmp_ext, "CMP_EXT", "", "6.2.2", kFromThree, kOnly<kDataExt>)),
    between(row(jump, "JUMP", kPlain, "6.3.1", {2, kMostWords}, kOnly<kJump>)),
    between(row(jump_vm, "JUMP", kVmOf, "6.3.1", kFromThree, kOnly<kJumpVm>, {2, kMostWords})),
    between(row(call, "CALL", kPlain, "6.3.1", {2, kMostWords}, kOnly<kJump>)),
    between(row(call_vm, "CALL", kVmOf, "6.3.1", kFromThree, kOnly<kJumpVm>, {2, kMostWords})),
    answer_between(row(return_control, "RETURN", "", "6.3.2", {0, kMostWords}, kSame)),
    between(row(mem_alloc, "MEM_ALLOC", "", "6.4.1", {1, 1}, kOnly<kMemorySize>)),
    between(row(mvcode, "MVCODE", "", "6.4.2", kFromOne, kOnly<kCode>), kDataHeader),
    answer_between(row(address, "ADDRESS", "", "6.4.3", {1, 4}, kOnly<kAddress>)),
    between(row(free, "FREE", "", "6.4.4", {1, 4}, kOnly<kAddress>)),
    between(row(mvrun, "MVRUN", "", "6.4.5", kFromOne, kOnly<kCode>), kDataHeader),
    between(row(syn_4, "SYN", kAddress4Of, "6.5.1", {2, kMostWords}, kOnly<kSyn4>)),
    between(row(syn_8, "SYN", kAddress8Of, "6.5.1", kFromThree, kOnly<kSyn8>, {2, kMostWords})),
    between(row(syn_16, "SYN", kAddress16Of, "6.5.1", {5, kMostWords}, kOnly<kSyn16>, {2, kMostWords})),
    between(row(nop, "NOP", "", "6.5.2", {0, kMostWords}, kSame), kAll),
    chain(row(exec_tr, "EXEC_TR", "", "7.2.2", {0, 0}, kNone), kOne),
    chain(row(cancel_tr, "CANCEL_TR", "", "7.2.3", {0, 0}, kNone), kZero),

    between(row(obj_req_data_2, "OBJ_REQ_DATA", kLength2Of, "6.6.1.1", {3, 3}, kOnly<kObjReqData2>, {3, 5})),
    between(row(obj_req_data_4, "OBJ_REQ_DATA", kLength4Of, "6.6.1.1", {4, 5}, kOnly<kObjReqData4>, {3, 5})),
    between(row(obj_write_2, "OBJ_WRITE", kOffset2Of, "6.6.1.2", {3, 3}, kOnly<kOffsetData2>, kFromThree)),
    between(row(obj_write_4, "OBJ_WRITE", kOffset4Of, "6.6.1.2", kFromThree, kOnly<kOffsetData4>), kDataHeader),
    between(row(obj_write_8, "OBJ_WRITE", kOffset8Of, "6.6.1.2", {4, kMostWords}, kOnly<kOffsetData8>, kFromThree),
            kDataHeader),
    between(row(obj_write_ext, "OBJ_WRITE_EXT", "", "6.6.1.3", {5, kMostWords}, kOnly<kObjectDataExt>, kFromThree)),
    between(row(obj_data_cmp_2, "OBJ_DATA_CMP", kOffset2Of, "6.6.2.1", {3, 3}, kOnly<kOffsetData2>, kFromThree)),
    between(
        row(obj_data_cmp_4, "OBJ_DATA_CMP", kOffset4Of, "6.6.2.1", {4, kMostWords}, kOnly<kOffsetData4>, kFromThree)),
    between(
        row(obj_data_cmp_8, "OBJ_DATA_CMP", kOffset8Of, "6.6.2.1", {5, kMostWords}, kOnly<kOffsetData8>, kFromThree)),
    between(row(obj_data_cmp_ext, "OBJ_DATA_CMP_EXT", "", "6.6.2.2", {5, kMostWords}, kOnly<kObjectDataExt>)),
    between(row(call_bnum, "CALL_BNUM", kPlain, "6.6.3.1", {4, kMostWords}, kOnly<kCallBnum>)),
    between(row(call_bnum_vm, "CALL_BNUM", kVmOf, "6.6.3.1", {5, kMostWords}, kOnly<kCallBnumVm>, {4, kMostWords})),
    between(row(call_bname, "CALL_BNAME", kPlain, "6.6.3.2", kFromThree, kOnly<kCallBname>), kNames),
    between(row(call_bname_vm, "CALL_BNAME", kVmOf, "6.6.3.2", {4, kMostWords}, kOnly<kCallBnameVm>, kFromThree),
            kNames),
    between(row(get_num_proc, "GET_NUM_PROC", "", "6.6.3.3", {2, 2}, kOnly<kObject>), kNames),
    answer_between(row(proc_num, "PROC_NUM", "", "6.6.3.4", {3, 3}, kOnly<kProcNum>)),
    between(row(create, "NEW", "", "6.6.4.1", {2, kMostWords}, kOnly<kNew>, {3, 3}), kDataAndName),
    between(row(sys_new, "SYS_NEW", "", "6.6.4.1", {2, kMostWords}, kOnly<kNew>, {3, 3}), kDataAndName),
    answer_between(row(object, "OBJECT", "", "6.6.4.2", {2, 2}, kOnly<kObject>), kNames),
    between(row(destroy, "DELETE", "", "6.6.4.3", {1, 1}, kOnly<kObjectNumber>)),
    between(row(obj_seek, "OBJ_SEEK", "", "6.6.5.1", {0, 0}, kNone), kNames),
    between(row(obj_get_name, "OBJ_GET_NAME", "", "6.6.5.2", {1, 1}, kOnly<kObjectNumber>)),
};

constexpr auto kLayouts = [] {
  std::array<Layout, std::size(kManagement) + std::size(kExchange)> all{};
  std::ranges::copy(kExchange, std::ranges::copy(kManagement, all.begin()).out);
  return all;
}();
static_assert(std::ranges::is_sorted(kLayouts, std::ranges::less_equal(), &Layout::opcode), "by code, each once");

constexpr std::uint32_t kMostHeadWords = 0x7fff'ffff;
constexpr ExtensionLayout kExtensions[] = {
    {HeadCode::inaction_time, "_INACTION_TIME", "5.7.1", true, {1, 1}, kOnly<kInactionTime>},
    {HeadCode::begin_sq, "_BEGIN_SQ", "7.1", true, {0, 0}, kNone, true},
    {HeadCode::begin_tr, "_BEGIN_TR", "7.2.1", true, {1, 1}, kOnly<kBeginTr>, true},
    {HeadCode::begin_frg, "_BEGIN_FRG", "7.3", true, {0, 2}, kNoneOr<kBeginFrg>, true},
    {HeadCode::end_chain, "_END_CHAIN", "7", true, {0, 0}, kNone},
    {HeadCode::set_mbase, "_SET_MBASE", "7.6", true, {2, 8}, kOnly<kSetMbase>},
    {HeadCode::alignment, "_ALIGNMENT", "8.1", false, {1, 7}, kOnly<kAlignment>},
    {HeadCode::msg, "_MSG", "8.2", false, {1, 127}, kOnly<kText>},
    {HeadCode::name, "_NAME", "8.3", false, {1, 127}, kOnly<kName>},
    {HeadCode::data, "_DATA", "8.4", true, {1, kMostHeadWords}, kOnly<kData>},
    {HeadCode::life_time, "_LIFE_TIME", "8.5", true, {1, 2}, kEither<kLifeTime2, kLifeTime4>},
};

constexpr FieldInfo kHeaderFields[] = {{"opcode", 8, "operation code"},
                                       {"ask", 1, "a response is needed; REQ_ID is there"},
                                       {"pck", 2, "what the header inherits from the instruction before"},
                                       {"chn", 1, "of a chain"},
                                       {"ext", 1, "extension headers follow"},
                                       {"opr_length", 3, "words of operands; 7: in opr_length_ext"},
                                       {"opr_length_ext", 16, "words of operands"},
                                       {"chain_number", 16, "of the chain"},
                                       {"instr_number", 16, "in the chain"},
                                       {"session_id", 32, "given by the receiver"},
                                       {"req_id", 32, "of the request"}};
constexpr FieldInfo kExtensionFields[] = {{"hxt", 1, "the extended form"},
                                          {"head_length", 31, "words of two octets of data"},
                                          {"hsl", 1, "the last extension header"},
                                          {"hob", 1, "obligatory"},
                                          {"hrz", 1, "reserved"},
                                          {"head_code", 13, "what it is"},
                                          {"reserved", 16, "of the extended form"},
                                          {"data", 0, "what no row of the table describes"}};

// The row for each code, counted from 1; 0 if there is none.
constexpr auto kPlaces = [] {
  std::array<std::uint8_t, 256> places{};
  for (std::size_t i = 0; i < kLayouts.size(); ++i) places[kLayouts[i].code()] = static_cast<std::uint8_t>(i + 1);
  return places;
}();

}  // namespace

std::span<const Layout> all_layouts() {
  return kLayouts;
}

const Layout* find_layout(std::uint8_t opcode) {
  const std::uint8_t place = kPlaces[opcode];
  return place > 0 ? &kLayouts[place - 1u] : nullptr;
}

const Layout& describe(Opcode opcode) {
  return *find_layout(static_cast<std::uint8_t>(opcode));
}

std::span<const ExtensionLayout> all_extensions() {
  return kExtensions;
}

const ExtensionLayout* find_extension(std::uint16_t head_code) {
  for (const ExtensionLayout& layout : kExtensions)
    if (layout.code() == head_code) return &layout;
  return nullptr;
}

const ExtensionLayout& describe(HeadCode head_code) {
  return *find_extension(static_cast<std::uint16_t>(head_code));
}

std::span<const FieldInfo> header_fields() {
  return kHeaderFields;
}

std::span<const FieldInfo> extension_fields() {
  return kExtensionFields;
}

}  // namespace wirelaw::umsp

// SPDX-License-Identifier: Apache-2.0
// A node that commits deviations in receiving. It ignores, refuses or alters instructions before the steps of a
// conforming node see them, and overrides a few of those steps.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/layout.h"
#include "reference/umsp/make_node.h"
#include "reference/umsp/make_parts.h"
#include "reference/umsp/node/node.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

using enum NodeDeviation;

constexpr std::size_t kWord = 4;
constexpr std::size_t kMostFilled = 256;  // octets
constexpr std::size_t kLongData = 132;    // 124 octets of data, and an address of 8
constexpr Octet kNegativeCodes[] = {0, 1, 0, 0};
constexpr std::uint64_t kFurtherTasks = 0x7000;

bool is_one_of(std::uint8_t opcode, std::initializer_list<Opcode> codes) {
  return std::ranges::find(codes, static_cast<Opcode>(opcode)) != codes.end();
}

bool is_exchange(const Instruction& instruction) {
  return class_of(instruction.opcode()) == OpcodeClass::exchange;
}

// RSP and RSP_P.
bool has_return_codes(const Instruction& instruction) {
  return is_one_of(instruction.opcode(), {Opcode::rsp, Opcode::rsp_p});
}

bool is_unknown(const ExtensionHeader& header) {
  return find_extension(header.head_code) == nullptr;
}

bool is(const ExtensionHeader& header, HeadCode code) {
  return header.head_code == static_cast<std::uint16_t>(code);
}

class FaultyParts final : public PartMaker {
 public:
  explicit FaultyParts(Deviations deviations) : deviations_(std::move(deviations)) {}

  std::unique_ptr<Links> links(const LinkLimits& limits) const override { return make_links(limits, deviations_.node); }
  std::unique_ptr<Executor> vm(const VmOptions& options) const override { return make_vm(options, deviations_.vm); }
  std::unique_ptr<ControlPoint> control_point(const ControlOptions& options, Outbox& out) const override {
    return make_control_point(options, out, deviations_.jobs);
  }
  std::unique_ptr<Tasks> tasks(const TaskOptions& options, Outbox& out, ControlPoint& own) const override {
    return make_tasks(options, out, own, deviations_.jobs);
  }
  std::unique_ptr<ChainReceiver> receiver(const ReceiverOptions& options, Executor& vm,
                                          const Circumstances& session) const override {
    return make_chain_receiver(options, vm, session, deviations_.chains);
  }
  std::unique_ptr<ChainSender> sender(const SenderOptions& options) const override {
    return make_chain_sender(options, deviations_.chains);
  }
  std::unique_ptr<Sessions> sessions(const SessionOptions& options, Outbox& out) const override {
    return make_sessions(options, out, deviations_.sessions);
  }
  std::unique_ptr<Search> search(const SearchOptions& options, Outbox& out) const override {
    return make_search(options, out, deviations_.sessions);
  }

 private:
  Deviations deviations_;
};

// A base class, so that the parts are constructed before the node that uses them.
struct WithParts {
  FaultyParts parts;
};

class FaultyNode final : private WithParts, public Node {
 public:
  FaultyNode(NodeOptions options, const Deviations& deviations)
      : WithParts{FaultyParts(deviations)}, Node(std::move(options), parts), deviations_(deviations.node) {}

 private:
  // --- receiving
  void take(const Origin& origin, const Instruction& instruction, const Membership& membership) override {
    if (passes_over(origin, instruction, membership)) return;
    if (resets(instruction)) return links().end(origin.link, Ending::reset);
    const Membership where = altered(origin, instruction, membership);
    if (refuses(origin, instruction, where))
      return refuse(origin, instruction, where, codes_of(SessionError::malformed));
    if (ends_session(origin, instruction, where)) return;
    Instruction changed = instruction;
    alter_headers(changed);
    alter_operands(changed);
    alter_response(changed);
    if (is_one_of(changed.opcode(), {Opcode::task_confirm, Opcode::task_reject}) && deviates(req_id_of_jcp_ignored))
      changed.header.req_id = asked_jcps_[origin.from];
    Node::take(origin, changed, where);
    const Session* const session = session_of(origin, where);
    const bool unasked = is_exchange(instruction) && !instruction.header.ask && !where.chain;
    if (deviates(answers_unasked) && unasked && session != nullptr) {
      Draft draft = codes_draft(Opcode::rsp, {});
      draft.req_id = 0;
      respond(session->id, std::move(draft));
    }
  }

  bool passes_over(const Origin& origin, const Instruction& instruction, const Membership& membership) {
    if (comes_wrongly(origin) || datagram_comes_wrongly(origin, instruction, membership)) return true;
    const bool nop = instruction.opcode() == static_cast<std::uint8_t>(Opcode::nop) && !membership.chain;
    return (nop && deviates(nop_unanswered)) || ignores(node_edits(), deviations_, {instruction}) ||
           is_repeated(instruction, membership);
  }

  bool comes_wrongly(const Origin& origin) {
    if (origin.datagram) return false;
    if (deviates(tcp_unserved)) return true;
    const LinkId first = first_links_.try_emplace(origin.from, origin.link).first->second;
    if (deviates(one_connection_of_node) && first != origin.link) return true;
    const bool again = segment_ == origin.segment;
    segment_ = origin.segment;
    return deviates(one_of_segment) && again;
  }

  bool datagram_comes_wrongly(const Origin& origin, const Instruction& instruction, const Membership& membership) {
    if (!origin.datagram) return false;
    const bool again = std::exchange(segment_, origin.segment) == origin.segment;
    if (deviates(one_of_datagram) && again) return true;
    if (!is_exchange(instruction)) return false;
    if (deviates(udp_unserved)) return true;
    const Session* const session = session_of(origin, membership);
    if (deviates(datagrams_answered) && instruction.header.ask && session != nullptr) {
      Draft draft = codes_draft(Opcode::rsp, {});
      draft.session_id = session->peer_id;
      draft.req_id = instruction.header.req_id;
      send_datagram(origin.from, std::move(draft), origin.link);
    }
    const bool is_of_none = membership.session_id.value_or(kZeroSession) == kZeroSession;
    return deviates(datagrams_without_session_ignored) && is_of_none && !instruction.header.ask;
  }

  bool is_repeated(const Instruction& instruction, const Membership& membership) {
    if (!is_exchange(instruction) || !instruction.header.ask || !membership.session_id) return false;
    const std::uint32_t session =
        request_ids_.try_emplace(instruction.header.req_id, *membership.session_id).first->second;
    return deviates(req_id_in_one_session) && session != *membership.session_id;
  }

  bool resets(const Instruction& instruction) const {
    if (find_layout(instruction.opcode()) == nullptr) return deviates(unknown_ends_connection);
    if (!deviates(nonsense_ends_connection) || !is_exchange(instruction)) return false;
    const auto flaw = locate(instruction).flaw;
    return flaw && flaw != OperandFlaw::padding;
  }

  bool refuses(const Origin& origin, const Instruction& instruction, const Membership& membership) const {
    if (std::ranges::any_of(instruction.extensions, [this](const ExtensionHeader& one) { return refuses_header(one); }))
      return true;
    const Header& header = instruction.header;
    const auto msgs = std::ranges::count_if(instruction.extensions,
                                            [](const ExtensionHeader& one) { return is(one, HeadCode::msg); });
    const bool has_session = std::ranges::any_of(sessions().all(), [&](const auto& entry) {
      return entry.second.peer == origin.from && entry.second.is_in_use();
    });
    const bool begins =
        instruction.opcode() == static_cast<std::uint8_t>(Opcode::session_open) && !membership.session_id;
    const bool exchange = is_exchange(instruction);
    return any({
        {one_session_of_node, begins && has_session},
        {extended_form_refused,
         exchange && header.extended && header.opr_length > 0 && header.opr_length < kExtendedLength},
        {empty_extended_form_refused, exchange && header.extended && header.opr_length == 0},
        {second_msg_refused, exchange && msgs > 1},
        {long_data_refused, exchange && instruction.operands.size() > kLongData},
    });
  }

  bool refuses_header(const ExtensionHeader& header) const {
    return any({
        {unknown_headers_refused, is_unknown(header) && !header.hob},
        {reserved_bits_checked, header.hrz || header.reserved != 0},
        {extended_heads_refused, header.hxt},
        {alignment_refused, is(header, HeadCode::alignment)},
        {data_taken_for_text,
         is(header, HeadCode::data) && std::ranges::any_of(header.data, [](Octet one) { return one >= 0x80; })},
    });
  }

  Membership altered(const Origin& origin, const Instruction& instruction, Membership membership) {
    const Pck pck = instruction.header.pck;
    if (deviates(same_number_taken) && pck == Pck::same_chain && membership.chain) --membership.chain->instr_number;
    if (!is_exchange(instruction) || !membership.session_id) return membership;
    const std::uint32_t before = sessions_before_.try_emplace(origin.link, *membership.session_id).first->second;
    sessions_before_[origin.link] = *membership.session_id;
    if (deviates(previous_session_kept) && pck == Pck::own_session) membership.session_id = before;
    return membership;
  }

  void alter_headers(Instruction& instruction) const {
    bool behind = deviates(obligatory_headers_ignored);
    for (ExtensionHeader& header : instruction.extensions) {
      if (behind && is_unknown(header)) header.hob = false;
      behind = behind || (is_unknown(header) && deviates(headers_behind_unknown_ignored));
    }
  }

  void alter_operands(Instruction& instruction) {
    if (!is_exchange(instruction)) return;
    if (deviates(last_header_overlooked) && !instruction.extensions.empty() && instruction.operands.size() >= kWord) {
      instruction.operands = instruction.operands.subspan(kWord);
      --instruction.header.opr_length;
    }
    if (!deviates(short_operands_filled) || find_layout(instruction.opcode()) == nullptr) return;
    filled_.assign(instruction.operands.begin(), instruction.operands.end());
    while (filled_.size() >= kWord && filled_.size() < kMostFilled && locate(instruction).flaw) {
      filled_.insert(filled_.end() - kWord, kWord, 0);  // in front of the address that WRITE_EXT ends with
      instruction.operands = filled_;
      ++instruction.header.opr_length;
    }
  }

  void alter_response(Instruction& instruction) const {
    if (!has_return_codes(instruction)) return;
    const auto codes = read_codes(instruction).value_or(Codes{});
    const bool has_msg = instruction.find_extension(static_cast<std::uint16_t>(HeadCode::msg)) != nullptr;
    const bool negative = (deviates(msg_means_error) && has_msg) ||
                          (deviates(empty_response_negative) && instruction.operands.empty()) ||
                          (deviates(additional_code_means_error) && codes.additional != 0);
    if (!negative) return;
    instruction.operands = kNegativeCodes;
    instruction.header.opr_length = 1;
  }

  bool ends_session(const Origin& origin, const Instruction& instruction, const Membership& membership) {
    if (!deviates(unasked_responses_end_session) || !has_return_codes(instruction)) return false;
    const Session* const session = session_of(origin, membership);
    if (session == nullptr || session->initiator) return false;
    abend_session(session->id, codes_of(SessionError::malformed), now());
    return true;
  }

  // --- other steps
  void ended(LinkId link, Instant now) override {
    std::vector<std::uint32_t> of_link;
    for (const auto& [id, session] : sessions().all())
      if (session.link == link) of_link.push_back(id);
    Node::ended(link, now);
    if (!deviates(connection_end_ends_sessions)) return;
    for (const std::uint32_t id : of_link) abend_session(id, {}, now);
  }

  bool has_too_many_headers(const Instruction& instruction) const override {
    return !deviates(many_headers_executed) && Node::has_too_many_headers(instruction);
  }

  void on_too_many_headers(const Origin& origin, const Instruction& instruction,
                           const Membership& membership) override {
    if (deviates(many_headers_refused)) return refuse(origin, instruction, membership, codes_of(SessionError::headers));
    Node::on_too_many_headers(origin, instruction, membership);
  }

  void refuse(const Origin& origin, const Instruction& instruction, const Membership& membership,
              Codes codes) override {
    if (deviates(obligatory_header_unanswered) && !Node::processes_headers(instruction)) return;
    Node::refuse(origin, instruction, membership, codes);
  }

  void on_unknown(const Origin& origin, const Instruction& instruction, const Membership& membership) override {
    if (!deviates(unknown_unanswered)) Node::on_unknown(origin, instruction, membership);
  }

  Session* session_of(const Origin& origin, const Membership& membership) override {
    Session* session = Node::session_of(origin, membership);
    if (session != nullptr && deviates(session_kept_on_connection) && session->link != origin.link) return nullptr;
    const bool named = membership.session_id.value_or(kZeroSession) != kZeroSession;
    if (session != nullptr || !named || !deviates(unknown_session_guessed)) return session;
    for (const auto& [id, one] : sessions().all())
      if (one.peer == origin.from) return Node::session_of(origin, {.session_id = id, .chain = {}, .flaw = {}});
    return nullptr;
  }

  std::optional<ProfileFlag> missing(const Instruction& instruction, const Session& session) const override {
    if (deviates(profile_ignored)) return std::nullopt;
    const bool compares = instruction.opcode() >= static_cast<std::uint8_t>(Opcode::cmp_2) &&
                          instruction.opcode() <= static_cast<std::uint8_t>(Opcode::cmp_ext);
    if (deviates(comparison_offered_alone) && compares) return ProfileFlag::reading;
    return Node::missing(instruction, session);
  }

  std::uint64_t task_of(const Session& session) override {
    if (!deviates(task_for_each_session)) return Node::task_of(session);
    const std::uint64_t task = kFurtherTasks + session.id;
    vm().begin_task(task);
    return task;
  }

  void respond(std::uint32_t session, Draft response) override {
    Node::respond(session, with_faults(node_edits(), deviations_, {std::move(response)}).draft);
  }

  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override {
    if (is_one_of(draft.opcode, {Opcode::task_reg_2, Opcode::task_reg_4, Opcode::task_reg_8, Opcode::task_chk}))
      asked_jcps_[to] = draft.req_id.value_or(0);
    if (draft.is(Opcode::control_confirm) && deviates(one_gjid_for_all)) {
      if (first_gjid_.empty()) first_gjid_ = draft.operands;
      draft.operands = first_gjid_;
    }
    Node::send(to, std::move(draft), on);
  }

  bool says_by_datagram(const Draft& response) const override {
    return deviates(seek_by_datagram_refused) || Node::says_by_datagram(response);
  }

  bool takes_by_datagram(const Instruction& instruction) const override {
    const bool manages = class_of(instruction.opcode()) == OpcodeClass::management;
    return (manages && deviates(management_in_datagrams_taken)) || Node::takes_by_datagram(instruction);
  }

  // --- helpers
  // A deviation, and whether it would change this step.
  struct Row {
    NodeDeviation deviation;
    bool holds;
  };
  bool any(std::initializer_list<Row> rows) const {
    return std::ranges::any_of(rows, [this](const Row& row) { return row.holds && deviates(row.deviation); });
  }
  bool deviates(NodeDeviation deviation) const { return deviations_.has(deviation); }
  NodeDeviations deviations_;
  std::map<NodeAddress, LinkId> first_links_;
  std::uint64_t segment_ = 0;                           // segment of the last instruction
  std::map<LinkId, std::uint32_t> sessions_before_;     // session of the previous exchange
  std::map<std::uint32_t, std::uint32_t> request_ids_;  // REQ_IDs, with the session of each
  std::map<NodeAddress, std::uint32_t> asked_jcps_;     // REQ_ID of the last request to each
  OctetBuffer first_gjid_;
  OctetBuffer filled_;
};

}  // namespace

std::unique_ptr<Node> make_node(const NodeOptions& options, const Deviations& deviations) {
  return std::make_unique<FaultyNode>(options, deviations);
}

}  // namespace wirelaw::umsp

// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/speech.h"

#include <algorithm>
#include <array>
#include <deque>

#include "conformance/umsp/language.h"
#include "reference/umsp/address.h"
#include "reference/umsp/example.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {
namespace {

using script::Wishes;

constexpr std::size_t kMostRequests = 1024;  // unanswered requests of a side; the oldest are dropped
constexpr std::uint64_t kMostOperands = 0xffff * 4;
constexpr std::uint32_t kFirstRequest = 0x1000;
constexpr VmKind kVm{.type = 49'200, .version = 1};
constexpr std::uint16_t kWindow = 16;                   // blocks of 256 octets
constexpr std::uint32_t kProfile = 0xfbff'17fe;         // all functions, in either form of headers (5.3.4)
constexpr std::uint16_t kIpv4Transport = 0x0100;        // 9.2
constexpr std::uint32_t kAssignedObject = 0x5000'0001;  // a number that a node assigns (6.6)
constexpr std::string_view kObjectName = "name";

// An instruction that asks for data, or any other request.
struct Request {
  std::uint32_t id = 0;
  std::uint64_t octets = 0;  // how many octets of data the answer has
};

struct Party {
  std::uint32_t session = 0;  // the identifier that this side assigns to the session
  TaskId ltid;
  std::uint32_t next_request = kFirstRequest;
  std::deque<Request> requests = {};  // unanswered
  bool has_closed = false;            // its SESSION_CLOSE is unanswered
  bool has_opened = false;            // true after it has sent its identifier
  VmKind vm = {};                     // the VM that it has named; any before that
};

class UmspSpeech : public script::Speech {
 public:
  explicit UmspSpeech(const script::Addresses& addresses)
      : addresses_(addresses), gjid_(job_at(addresses[0].endpoint, kNodes[0])) {
    of(Side::a).ltid.number = task_at(addresses[0].endpoint);
  }

  tl::expected<OctetBuffer, std::string> next(Side sender, std::string_view message,
                                              const Wishes& wishes) const override {
    const Layout& layout = layout_of_line(message, wishes);
    OctetBuffer operands;
    if (const auto octets = wishes.octets("payload")) {
      operands.assign(octets->begin(), octets->end());
    } else if (const auto size = wishes.number("size")) {
      if (*size > kMostOperands) return tl::unexpected(std::string("size: operands have at most 262140 octets"));
      operands = script::pattern(static_cast<std::size_t>(*size));
    } else {
      operands = usual_operands(sender, layout, wishes);
    }
    if (operands.size() > kMostOperands) return tl::unexpected(std::string("operands have at most 262140 octets"));
    operands.resize((operands.size() + 3) / 4 * 4);
    Header header = header_of(sender, layout, wishes);
    header.opr_length = static_cast<std::uint16_t>(operands.size() / 4);
    header.extended = wishes.number("opr_length") == kExtendedLength;
    const auto extensions = wishes.octets("extensions");
    if (!extensions && names_object(layout) && wishes.number("ext").value_or(1) != 0) {
      Instruction instruction{.header = header, .extensions = {}, .operands = operands};
      OwnedExtension name = text_extension(HeadCode::name, kObjectName);
      add_extension(instruction, make_extension(static_cast<std::uint16_t>(HeadCode::name), false, name.data));
      return encode(instruction);
    }
    if (extensions) header.ext = true;
    OctetBuffer out;
    encode(header, out);
    if (extensions) out.insert(out.end(), extensions->begin(), extensions->end());
    out.insert(out.end(), operands.begin(), operands.end());
    return out;
  }

  void heard(Side sender, Octets message) override {
    const auto instruction = decode(message);
    if (!instruction) return;
    const Header& header = instruction->header;
    const Layout* const layout = layout_of(*instruction);
    Party &mine = of(sender), &peers = of(other(sender));
    if (layout == nullptr) return;
    if (layout->opcode == Opcode::control_confirm)
      if (const auto confirmed = ControlConfirm::read(*instruction)) gjid_ = confirmed->gjid;
    if (layout->opcode == Opcode::session_close) mine.has_closed = true;
    if (layout->opcode == Opcode::rsp_p) peers.has_closed = false;
    if (!header.ask) return;
    if (layout->opcode == Opcode::session_open || layout->opcode == Opcode::session_accept) {
      mine.session = header.req_id;
      mine.has_opened = true;
      if (const auto opened = SessionOpen::read(*instruction)) mine.vm = opened->sender_vm;
      return;
    }
    if (layout->response) {
      std::erase_if(peers.requests, [&](const Request& one) { return one.id == header.req_id; });
      return;
    }
    if (mine.requests.size() == kMostRequests) mine.requests.pop_front();
    mine.requests.push_back({.id = header.req_id, .octets = octets_asked(*instruction)});
    mine.next_request = header.req_id + 1;
  }

 private:
  Party& of(Side side) { return parties_[static_cast<std::size_t>(side)]; }
  const Party& of(Side side) const { return parties_[static_cast<std::size_t>(side)]; }

  using Node = std::array<Octet, 4>;
  static constexpr std::array<Node, 2> kNodes{Node{192, 0, 2, 1}, Node{192, 0, 2, 2}};  // if it has no IPv4 address

  // A job of this node, which is its own control point. Its first task opens the session.
  static Identifier job_at(const Endpoint& endpoint, const Node& node) {
    const auto& address = endpoint.address;
    const Octets octets = address.v6 ? Octets(node) : Octets(address.octets).first(4);
    return *make_identifier(kIpv4Memory32, octets, task_at(endpoint));
  }
  // The port makes it differ from a task that an earlier run has left at the peer.
  static std::uint64_t task_at(const Endpoint& endpoint) { return endpoint.port << 12 | 1; }

  // The identifiers of the tasks here have four octets, so that is the usual form of TASK_REG.
  static const Layout& layout_of_line(std::string_view message, const Wishes& wishes) {
    const Layout& usual = describe(Opcode::task_reg_4);
    const auto opcode = wishes.number("opcode");
    return message == usual.name && !opcode ? usual : *layout_named(message, opcode);
  }

  // Instructions that mean an object by its name (6.6.3.2, 6.6.3.3, 6.6.5.1).
  static bool names_object(const Layout& layout) {
    return layout.name == "CALL_BNAME" || layout.name == "GET_NUM_PROC" || layout.name == "OBJ_SEEK";
  }
  // Instructions whose object has a number that a node assigned.
  static bool has_assigned_object(const Layout& layout) {
    return layout.name == "CALL_BNAME" || layout.name == "GET_NUM_PROC" || layout.name == "OBJ_GET_NAME" ||
           layout.name == "DELETE" || layout.name == "OBJECT" || layout.name == "PROC_NUM";
  }

  // For a request for data: the octets that it asks for.
  static std::uint64_t octets_asked(const Instruction& instruction) {
    const Layout* const layout = layout_of(instruction);
    if (layout->name != "REQ_DATA" && layout->name != "OBJ_REQ_DATA") return 0;
    for (const Located& one : locate(instruction).operands)
      if (one.row->operand == Operand::length) return number_at(instruction.operands, one);
    return 0;
  }
  static std::uint64_t number_at(Octets operands, const Located& place) {
    std::uint64_t number = 0;
    for (const Octet octet : operands.subspan(place.offset, place.length)) number = number << 8 | octet;
    return number;
  }

  // The request of the other side that a response means: that of the line, or the oldest. nullptr: none.
  const Request* meant(Side sender, const Wishes& wishes) const {
    const auto& requests = of(other(sender)).requests;
    if (const auto id = wishes.number("req_id")) {
      const auto found = std::ranges::find(requests, *id, &Request::id);
      return found == requests.end() ? nullptr : &*found;
    }
    return requests.empty() ? nullptr : &requests.front();
  }

  static OctetBuffer example_of(const Layout& layout, const Wishes& wishes) {
    ExampleOperands example = example_operands(layout.forms.front());
    const auto put = [&](const Located& place, std::uint64_t number) {
      for (std::size_t i = place.length; i-- > 0; number >>= 8)
        example.octets[place.offset + i] = static_cast<Octet>(number);
    };
    for (const Located& one : example.places) {
      if (one.row->operand == Operand::object_number && has_assigned_object(layout)) put(one, kAssignedObject);
      // The answer has so many octets.
      const auto length = one.row->operand == Operand::length ? wishes.number("length") : std::nullopt;
      if (length) put(one, *length);
    }
    return example.octets;
  }

  OctetBuffer usual_operands(Side sender, const Layout& layout, const Wishes& wishes) const {
    if (layout.opcode == Opcode::data) {
      const Request* const asked = meant(sender, wishes);
      return script::pattern(asked == nullptr ? 0 : std::min<std::uint64_t>(asked->octets, kMostOperands));
    }
    if (layout.opcode == Opcode::vm_notif) return VmNotif{.transport = kIpv4Transport, .vms = {kVm}}.draft().operands;
    if (layout.opcode == Opcode::session_open)
      return SessionOpen{.required_vm = of(other(sender)).vm,
                         .required_profile = kProfile,
                         .sender_vm = kVm,
                         .sender_profile = kProfile,
                         .window = kWindow,
                         .gjid = gjid_,
                         .ltid = of(sender).ltid}
          .draft()
          .operands;
    if (layout.opcode == Opcode::control_req)
      return ControlReq{.profile = {}, .ltid = of(sender).ltid}.draft().operands;
    if (layout.opcode == Opcode::task_reg_4) {
      const std::size_t peer = 1 - static_cast<std::size_t>(sender);
      Identifier opener = job_at(addresses_[peer].endpoint, kNodes[peer]);
      opener.task = of(other(sender)).ltid.number;
      return TaskReg{.ctid = {.number = gjid_.task}, .gtid = opener, .ltid = of(sender).ltid}.draft().operands;
    }
    if (layout.opcode == Opcode::control_confirm) {  // from the job's control point
      const std::size_t at = static_cast<std::size_t>(sender);
      return ControlConfirm{.gjid = job_at(addresses_[at].endpoint, kNodes[at])}.draft().operands;
    }
    if (layout.forms.empty() || layout.length.least == 0) return {};
    return example_of(layout, wishes);
  }

  // True for a request between VMs, which requires a response.
  static bool asks(const Layout& layout) {
    if (!layout.allows_ask(true)) return false;
    if (layout.response || !layout.allows_ask(false)) return true;
    return layout.opcode_class() == OpcodeClass::exchange && layout.name != "NOP" && layout.name != "SYN";
  }

  // The row defines which fields the header has, unless the line sets the bits for them.
  Header header_of(Side sender, const Layout& layout, const Wishes& wishes) const {
    const Party &mine = of(sender), &peers = of(other(sender));
    const bool opens = layout.opcode == Opcode::session_open;
    const bool is_in_session =
        opens ? peers.has_opened
              : layout.allows_pck(Pck::own_session) &&
                    (layout.opcode_class() != OpcodeClass::management || !layout.allows_pck(Pck::no_session));
    const auto bit = [&](std::string_view field, bool usual) { return wishes.number(field).value_or(usual) != 0; };
    Header header{.opcode = layout.code()};
    header.ask = bit("ask", asks(layout) || wishes.number("req_id").has_value());
    const Pck usual = is_in_session ? Pck::own_session : Pck::no_session;
    header.pck = static_cast<Pck>(wishes.number("pck").value_or(static_cast<std::uint64_t>(usual)) & 3);
    header.chn = bit("chn", !layout.allows_chn(false) || wishes.number("chain_number").has_value());
    header.chain_number = static_cast<std::uint16_t>(wishes.number("chain_number").value_or(header.chn ? 1 : 0));
    header.instr_number = static_cast<std::uint16_t>(wishes.number("instr_number").value_or(0));
    header.session_id = static_cast<std::uint32_t>(wishes.number("session_id").value_or(peers.session));
    const bool tells_session = opens || layout.opcode == Opcode::session_accept;
    const std::uint32_t request = tells_session                                        ? mine.session
                                  : layout.opcode == Opcode::rsp_p && peers.has_closed ? 0  // UMSP/A13
                                  : layout.response && !peers.requests.empty()         ? peers.requests.front().id
                                                                                       : mine.next_request;
    header.req_id = static_cast<std::uint32_t>(wishes.number("req_id").value_or(request));
    return header;
  }

  const script::Addresses addresses_;
  Identifier gjid_;
  std::array<Party, 2> parties_{Party{.session = 0x0a00'0001, .ltid = {.number = 0xa1, .octets = 4}},
                                Party{.session = 0x0b00'0001, .ltid = {.number = 0xb1, .octets = 4}}};
};

}  // namespace

std::unique_ptr<script::Speech> make_speech(const script::Addresses& addresses) {
  return std::make_unique<UmspSpeech>(addresses);
}

}  // namespace wirelaw::umsp

// SPDX-License-Identifier: Apache-2.0
// A builder of UMSP traces: honest instructions, of which a trace changes one field. Side a initiates, side b executes.
// The job control point is one of them, or a third node that the trace does not show. All nodes have local addresses of
// 32 bits (N 4-0-2).
#pragma once

#include <functional>
#include <vector>

#include "corpora/traces/trace.h"
#include "reference/umsp/address.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::corpora {

// Writes operands one after the other.
class UmspOctets {
 public:
  UmspOctets& u8(std::uint8_t value) { return put(value, 1); }
  UmspOctets& u16(std::uint16_t value) { return put(value, 2); }
  UmspOctets& u24(std::uint32_t value) { return put(value, 3); }
  UmspOctets& u32(std::uint32_t value) { return put(value, 4); }
  UmspOctets& u64(std::uint64_t value) { return put(value, 8); }
  UmspOctets& octets(Octets octets) {
    octets_.insert(octets_.end(), octets.begin(), octets.end());
    return *this;
  }
  UmspOctets& text(std::string_view text) {
    octets_.insert(octets_.end(), text.begin(), text.end());
    return *this;
  }
  UmspOctets& identifier(const umsp::Identifier& identifier) {
    umsp::encode(identifier, octets_);
    return *this;
  }
  operator OctetBuffer() const { return octets_; }  // NOLINT: an operand list converts to its octets

 private:
  UmspOctets& put(std::uint64_t value, unsigned width) {
    while (width-- > 0) octets_.push_back(static_cast<Octet>(value >> (8 * width)));
    return *this;
  }
  OctetBuffer octets_;
};

// An extension header of a trace. HSL is set only in the last one, unless an edit changes it.
struct UmspExtension {
  umsp::HeadCode code;
  OctetBuffer data = {};
  bool hob = true;
};

class UmspTraceBuilder {
 public:
  static constexpr bool kIsStream = true;
  static constexpr std::uint16_t kPort = umsp::kPort;

  // Changes the honest instruction. `operands` have been copied into it before, padded with zeros.
  using Edit = std::function<void(umsp::Instruction&)>;

  // Identifiers that the sides assign to the session of open_session().
  static constexpr std::uint32_t kSessionOfA = 0x0a00'0001;
  static constexpr std::uint32_t kSessionOfB = 0x0b00'0001;
  static constexpr std::uint32_t kTaskOfA = 0x0000'00a1;  // LTIDs
  static constexpr std::uint32_t kTaskOfB = 0x0000'00b1;
  static constexpr std::uint32_t kControlTask = 0x0000'0011;  // CTID of the job's first task
  static constexpr std::uint32_t kReqId = 0x0000'1000;
  // Functions (5.3.4) that honest sides provide and request: all except the reserved ones, and those that need a border
  // of four octets. Both forms of headers. Version 1 in the requested profile.
  static constexpr std::uint32_t kRequiredProfile = 0xfbff'17fe;
  static constexpr std::uint32_t kOwnProfile = kRequiredProfile;
  static umsp::Identifier job();            // GJID: N 4-0-2, 192.0.2.2, kControlTask
  static umsp::Identifier task(Side side);  // GTID of the side's task

  void open();  // both SYNs
  // Sends one instruction with this header; OPR_LENGTH and EXT are derived from the operands and extensions.
  void send(Side side, umsp::Header header, OctetBuffer operands = {}, std::vector<UmspExtension> extensions = {},
            const Edit& edit = {});

  // --- management, outside of sessions: CONTROL_REQ, TASK_REG, … with ASK and REQ_ID, or without
  void ask(Side side, umsp::Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions = {},
           std::uint32_t req_id = kReqId, const Edit& edit = {});
  void say(Side side, umsp::Opcode opcode, OctetBuffer operands, std::vector<UmspExtension> extensions = {},
           const Edit& edit = {});
  // Side a asks b to control its job.
  void control_req(const Edit& edit = {});
  void control_confirm(const Edit& edit = {});

  // --- sessions
  static OctetBuffer open_operands();
  void session_open(const Edit& edit = {});    // from side a, the first one
  void session_accept(const Edit& edit = {});  // from side b
  void open_session();                         // open(), session_open() and session_accept()
  // The operands of a SESSION_OPEN from `side`: open_operands() with its LTID, and this profile as the one it offers.
  static OctetBuffer open_operands_of(Side side, std::uint32_t profile = kOwnProfile);
  void open_again(Side side, OctetBuffer operands, const Edit& edit = {});  // a later SESSION_OPEN of the same session
  void accept(Side side, const Edit& edit = {});                            // after a SESSION_OPEN from each side
  // Opens a session in three steps: a's SESSION_OPEN, b's SESSION_OPEN, which offers this profile, and a's accept.
  void negotiate_session(std::uint32_t profile_of_b = kOwnProfile);
  // In that session: with ASK and REQ_ID (request), or without (notify).
  void request(Side side, umsp::Opcode opcode, OctetBuffer operands = {}, std::vector<UmspExtension> extensions = {},
               std::uint32_t req_id = kReqId, const Edit& edit = {});
  void notify(Side side, umsp::Opcode opcode, OctetBuffer operands = {}, std::vector<UmspExtension> extensions = {},
              const Edit& edit = {});
  // Sends a positive RSP, or another response, to `req_id`.
  void respond(Side side, umsp::Opcode opcode = umsp::Opcode::rsp, OctetBuffer operands = {},
               std::uint32_t req_id = kReqId, const Edit& edit = {});
  // Sends an instruction in a chain of that session.
  void chained(Side side, umsp::Opcode opcode, umsp::ChainPlace place, OctetBuffer operands = {},
               std::vector<UmspExtension> extensions = {}, const Edit& edit = {});

  // --- anything
  void octets(Side side, OctetBuffer octets);
  void gap(Side side, std::uint64_t missing);
  void close(Side side);
  void pause(std::int64_t ns) { pause_ns_ += ns; }  // before the next instruction
  void silence(std::int64_t ns) { silence_ns_ = ns; }
  std::int64_t silence_ns() const { return silence_ns_; }

  std::vector<TraceMessage> take() { return std::move(messages_); }
  TraceMessage& last() { return messages_.back(); }

 protected:
  void add(TraceMessage message);
  static umsp::Header in_session(Side side, umsp::Opcode opcode);

 private:
  std::vector<TraceMessage> messages_;
  std::int64_t pause_ns_ = 0;
  std::int64_t silence_ns_ = 0;
};

}  // namespace wirelaw::corpora

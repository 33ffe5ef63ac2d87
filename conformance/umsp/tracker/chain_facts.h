// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about instructions of chains (RFC 3018 7). A fact is stated whenever its rules apply,
// whether or not they were obeyed; an empty one says that it is unknown. `is_certain`: no other connection can explain
// a breach.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/umsp/tracker/connection.h"

namespace wirelaw::umsp {

// --- 7.2: transactions
// The chain that an EXEC_TR or CANCEL_TR names, as it was before.
struct ControlFact {
  bool is_known = true;  // its sender has sent such a chain
  ObservedChainKind kind = ObservedChainKind::unknown;
  bool has_ended = false;     // by _END_CHAIN
  bool is_complete = true;    // none of its instructions is missing
  bool in_fragments = false;  // some of its instructions are fragmented
  bool is_revoked = false;    // by CANCEL_TR
  bool is_executed = false;   // by EXEC_TR; with TRR 1 it is executed at its end
};

// --- 7.3: fragments
// The parental chain that fragments name.
struct ParentFact {
  enum class Breach : std::uint8_t {
    none,
    absent,  // its sender has sent no such chain
    ended,   // the chain has ended before this instruction of it
    again,   // the chain has had an instruction with this number
  };
  std::uint16_t chain_number = 0, instr_number = 0;
  std::size_t extension = 0;  // index of _BEGIN_FRG
  Breach breach = Breach::none;
  std::uint32_t due = 0;  // again: the number that is due
  bool is_noted = false;  // nothing that waits for this instruction of the chain is missing
};

struct FragmentFact {
  // The fragments of an instruction, of which all have arrived.
  struct Whole {
    std::optional<std::uint64_t> length = {};  // as its header says; empty: they are no instruction
    std::uint64_t octets = 0;                  // as long as the fragments are
    bool has_ids_left = false;                 // they are as long as with the fields that have to be removed
  };
  bool is_judged = false;  // otherwise, the chain may have ended, and another one begun, on another connection
  bool may_be_one = true;
  std::optional<Whole> whole = {};
};

// --- 7.4: buffers
// The buffer of a transaction that EXEC_TR executes later.
struct GrantFact {
  enum class Buffer : std::uint8_t {
    granted,
    none,            // no REQ_BUF was granted before
    none_elsewhere,  // nor on any other connection that the session uses
    taken,           // one was granted, but another chain has taken it
  };
  Buffer buffer = Buffer::granted;
  bool is_certain = false;
};

// The window of the receiver, which a chain without a buffer has to fit.
struct WindowFact {
  std::uint64_t window = 0;                          // octets
  std::optional<std::uint64_t> octets = {};          // the length of the chain; empty: it may fit into one segment
  bool is_certain = false;                           // for `octets`
  std::optional<std::uint64_t> octets_of_open = {};  // the length of all open chains together
};

// A chain that ends, and had a buffer of its own.
struct BufferSizeFact {
  std::uint64_t granted = 0;
  std::uint64_t octets = 0;  // the length of the chain
  bool is_certain = false;
};

// --- 7.6: bases
struct BaseFact {
  std::optional<bool> had_base = {};  // for a transaction: an earlier instruction has set a base
  std::optional<bool> has_base = {};  // for a displacement, which needs one
};

}  // namespace wirelaw::umsp

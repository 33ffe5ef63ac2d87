// SPDX-License-Identifier: Apache-2.0
// A rule: one normative requirement of a specification. It is a row of the sheet of its section (conformance/sheet.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include "reference/role.h"

namespace wirelaw {

// The force of a requirement. `obsolete`: the specification itself has superseded the paragraph. It is in the catalogue
// with the reason, and is never judged.
enum class Level : std::uint8_t { must, must_not, should, should_not, may, obsolete };

// The ways in which a breach can be seen: by an observer of a trace; only as the answer to a stimulus, so that a case
// is needed; only through verbs or an upper layer; or not at all, with the reason in the note.
enum class Observable : std::uint8_t { trace, stimulus, api, none };

// The evidence for a breach. `octets`: the frames in the finding prove it alone. `absence`: something was not seen
// before, or never came. `order`: the order of frames from different senders, or of datagrams from one sender. The
// judge lets absence and order fail a peer only if the source is complete (conformance/judge.h).
enum class Evidence : std::uint8_t { octets, absence, order };

// The input of a rule's checks: the messages only, or also the TCP segments that carry them, and the MSS. A relay
// terminates TCP, so the segments on its other connection are not the peer's.
enum class Sees : std::uint8_t { messages, segments };

// A violation fails its rule. A warning is reported if the specification is ambiguous, and fails nothing.
enum class Severity : std::uint8_t { violation, warning };

// The index of a deviation in its protocol's list. A protocol with several enumerations overloads this function.
template <class Deviation>
requires std::is_enum_v<Deviation>
constexpr unsigned number_of(Deviation deviation) {
  return static_cast<unsigned>(deviation);
}

// Deviations that break the same rules, for example because no session opens.
using DeviationGroup = std::span<const unsigned>;
template <auto... Deviations>
inline constexpr unsigned kDeviationGroup[] = {number_of(Deviations)...};

// Proves that the check of a rule can fail: a deviation of the reference, or each deviation of a group, and the
// conditions under which the breach is seen.
struct BrokenBy {
  template <class Deviation>
  requires std::is_enum_v<Deviation>
  constexpr BrokenBy(Deviation which, Role role = Role::any, Severity as = Severity::violation, const char* given_ = "")
      : deviation(number_of(which)), who(role), severity(as), given(given_) {}
  constexpr BrokenBy(DeviationGroup each, Role role = Role::any, Severity as = Severity::violation,
                     const char* given_ = "")
      : group(each), who(role), severity(as), given(given_) {}
  template <class Which>
  constexpr BrokenBy(Which which, Severity as, const char* given_ = "") : BrokenBy(which, Role::any, as, given_) {}
  template <class Which>
  constexpr BrokenBy(Which which, const char* given_) : BrokenBy(which, Role::any, Severity::violation, given_) {}
  template <class Which>
  constexpr BrokenBy(Which which, Role role, const char* given_) : BrokenBy(which, role, Severity::violation, given_) {}

  DeviationGroup group = {};
  unsigned deviation = 0;  // number_of() the deviation, if there is no group
  Role who;                // the role in which the deviating endpoint breaks the rule
  Severity severity;       // the severity of the finding
  // The circumstances that it needs, with their names in the protocol's tests. (g++ 12 takes no std::string_view here.)
  const char* given;
};

// A rule's index in the counters of a judge, assigned by the catalogue that lists the rule.
using RuleSlot = std::uint16_t;
inline constexpr RuleSlot kNoSlot = 0xffff;

struct Rule {
  std::string_view id;  // stable: protocol, section, number: "RDMAP-4.8-3", "RAMCLOUD-ack-5"
  Level level;
  Role subject;              // the role that it binds
  std::string_view section;  // location of the requirement: "RFC 5040 4.8"
  Observable observable;
  Evidence evidence;           // evidence of its checks, unless a check states its own
  std::string_view summary;    // one sentence, in the words of this project
  std::string_view note = {};  // the ruling that it rests on, or why it is obsolete or not observable
  std::initializer_list<BrokenBy> broken_by = {};
  Sees sees = Sees::messages;

  // Set once by the catalogue before anything is judged. A judge uses it as an index, without a look-up.
  mutable RuleSlot slot = kNoSlot;
  // Also set by the catalogue: Protocol::name of the protocol whose catalogue lists the rule.
  mutable std::string_view protocol = {};
};

std::string_view to_string(Level level);            // "MUST", "MUST NOT", …
std::string_view to_string(Observable observable);  // "trace", …
std::string_view to_string(Evidence evidence);      // "octets", …

constexpr bool is_mandatory(Level level) {
  return level == Level::must || level == Level::must_not;
}

// Shell-style pattern that selects rules and cases: `*` matches any run of characters, `?` any one character.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace wirelaw

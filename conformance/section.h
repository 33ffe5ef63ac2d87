// SPDX-License-Identifier: Apache-2.0
// Declares the rules of a section. The Section states their common properties once. A rule adds its id, its sentence
// and, if it rests on a ruling, a note:
//
//   constexpr Section kSection{"RFC 5040 4.1"};
//   constexpr Section kStimuli = kSection.by(Observable::stimulus);
//
//   constinit const Rule kReservedIsZero = kSection.must("RDMAP-4.1-5", "The two reserved bits are sent as zero.");
//   constinit const Rule kOneTerminate =
//       kStimuli.of(Role::responder).must_not("RDMAP-…", "…", "A-11: what the ruling says in a few words");
//
// A rule also states the evidence for a breach, unless the faulty frame proves it alone:
//
//   constinit const Rule kAnswered = kSection.resting_on(Evidence::absence).must("…", "Every request is answered.");
#pragma once

#include <string_view>

#include "conformance/rule.h"

namespace wirelaw {

struct Section {
  std::string_view title;  // Rule::section: "RFC 5040 4.8"
  Role subject = Role::any;
  Observable observable = Observable::trace;
  Evidence evidence = Evidence::octets;

  // --- the same section with another default
  constexpr Section of(Role role) const { return {title, role, observable, evidence}; }
  constexpr Section by(Observable way) const { return {title, subject, way, evidence}; }
  constexpr Section resting_on(Evidence what) const { return {title, subject, observable, what}; }

  // --- a rule of each level
  constexpr Rule must(std::string_view id, std::string_view summary, std::string_view note = {}) const {
    return rule(Level::must, id, summary, note);
  }
  constexpr Rule must_not(std::string_view id, std::string_view summary, std::string_view note = {}) const {
    return rule(Level::must_not, id, summary, note);
  }
  constexpr Rule should(std::string_view id, std::string_view summary, std::string_view note = {}) const {
    return rule(Level::should, id, summary, note);
  }
  constexpr Rule should_not(std::string_view id, std::string_view summary, std::string_view note = {}) const {
    return rule(Level::should_not, id, summary, note);
  }
  constexpr Rule may(std::string_view id, std::string_view summary, std::string_view note = {}) const {
    return rule(Level::may, id, summary, note);
  }
  // A paragraph that the specification itself has superseded. The note says what supersedes it.
  constexpr Rule obsolete(std::string_view id, std::string_view summary, std::string_view note) const {
    return rule(Level::obsolete, id, summary, note);
  }

  constexpr Rule rule(Level level, std::string_view id, std::string_view summary, std::string_view note = {}) const {
    return {id, level, subject, title, observable, evidence, summary, note};
  }
};

}  // namespace wirelaw

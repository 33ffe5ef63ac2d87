// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct StrayAnswersRules : Words {
  static constexpr std::string_view k3_2Table3_6 = "EFA RDM v4 3.2, table 3.6";
  static constexpr std::string_view k3_2Table3_7 = "EFA RDM v4 3.2, table 3.7";
  static constexpr std::string_view k3_2 = "EFA RDM v4 3.2";
  static constexpr std::string_view k3_3Table3_11 = "EFA RDM v4 3.3, table 3.11";
  static constexpr std::string_view k3_3Table3_15 = "EFA RDM v4 3.3, table 3.15";
  static constexpr std::string_view k4_1Table4_2 = "EFA RDM v4 4.1, table 4.2";
  static constexpr std::string_view k4_2 = "EFA RDM v4 4.2";
  static constexpr std::string_view k4_7 = "EFA RDM v4 4.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-281", must, any, k3_2Table3_6, stimulus, octets,
       "An endpoint keeps working after a CTS that names no send operation.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
      {"EFA-3.2-282", must, any, k3_2Table3_7, stimulus, octets,
       "An endpoint keeps working after a CTSDATA that names no receive operation.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
      {"EFA-3.2-283", must, any, k3_2, stimulus, octets,
       "An endpoint keeps working after an answer whose ID names an operation of another kind or at another stage.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
      {"EFA-3.3-281", must, any, k3_3Table3_11, stimulus, octets,
       "An endpoint keeps working after a READRSP that names no read.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
      {"EFA-3.3-282", must, any, k3_3Table3_15, stimulus, octets,
       "An endpoint keeps working after an ATOMRSP that names no atomic.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
      {"EFA-4.1-281", must, any, k4_1Table4_2, stimulus, octets,
       "An endpoint keeps working after an EOR of 12 or 16 octets that names no operation.", "EFA/A-08",
       {{dies_of_unknown_id, responder}, {dies_of_short_eor, requester}}},
      {"EFA-4.2-281", must, any, k4_2, stimulus, octets,
       "An endpoint keeps working after a RECEIPT that names no operation.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
      {"EFA-4.7-281", must, any, k4_7, stimulus, octets,
       "An endpoint keeps working after a READ_NACK that names no operation.",
       "An endpoint looks up every received ID before it uses it", {dies_of_unknown_id}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::StrayAnswersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::StrayAnswersRules, I> {
};

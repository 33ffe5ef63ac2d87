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
       "A CTS that names no send operation does no harm.", "every ID from the wire is looked up, never believed",
       {dies_of_unknown_id}},
      {"EFA-3.2-282", must, any, k3_2Table3_7, stimulus, octets,
       "A CTSDATA that names no receive operation does no harm.",
       "every ID from the wire is looked up, never believed", {dies_of_unknown_id}},
      {"EFA-3.2-283", must, any, k3_2, stimulus, octets,
       "An answer whose ID names an operation of another kind, or at another stage, does no harm.",
       "every ID from the wire is looked up, never believed", {dies_of_unknown_id}},
      {"EFA-3.3-281", must, any, k3_3Table3_11, stimulus, octets,
       "A READRSP that names no read does no harm.", "every ID from the wire is looked up, never believed",
       {dies_of_unknown_id}},
      {"EFA-3.3-282", must, any, k3_3Table3_15, stimulus, octets,
       "An ATOMRSP that names no atomic does no harm.", "every ID from the wire is looked up, never believed",
       {dies_of_unknown_id}},
      {"EFA-4.1-281", must, any, k4_1Table4_2, stimulus, octets,
       "An EOR that names no operation does no harm, with twelve octets or sixteen.", "EFA/A-08",
       {{dies_of_unknown_id, responder}, {dies_of_short_eor, requester}}},
      {"EFA-4.2-281", must, any, k4_2, stimulus, octets,
       "A RECEIPT that names no operation does no harm.", "every ID from the wire is looked up, never believed",
       {dies_of_unknown_id}},
      {"EFA-4.7-281", must, any, k4_7, stimulus, octets,
       "A READ_NACK that names no operation does no harm.", "every ID from the wire is looked up, never believed",
       {dies_of_unknown_id}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::StrayAnswersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::StrayAnswersRules, I> {
};

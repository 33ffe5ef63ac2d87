// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/features.h"

#include <algorithm>

namespace wirelaw {
namespace {

using namespace std::string_view_literals;

// RFC 7306 4: its opcodes, from Immediate Data to Atomic Response.
constexpr std::string_view kExtensionOpcodes[] = {"0x08"sv, "0x09"sv, "0x0a"sv, "0x0b"sv};
constexpr std::string_view kExtensionRules[] = {"RDMAPX-*"sv};
constexpr std::string_view kExtensionCases[] = {"rdmapx/*-adds"sv, "rdmapx/*-compares*"sv};

// EFA RDM v4 2.1: bits that an endpoint announces in its HANDSHAKE. The rules for an endpoint that is asked for a
// constant header length do not depend on its own request.
constexpr std::string_view kAnnounced[] = {"1"sv};
constexpr std::string_view kReadRules[] = {"EFA-4.1-*"sv};
constexpr std::string_view kWriteRules[] = {"EFA-4.6-*"sv};
constexpr std::string_view kImmediateRules[] = {"EFA-4.9-*"sv};
constexpr std::string_view kErrorRules[] = {"EFA-4.10-*"sv};

// RFC 3018 5.1.2, 5.1.3: a node requests control of its job only if it does not control the job itself.
constexpr std::string_view kControlAskedFor[] = {"UMSP-5-21"sv,    "UMSP-5.1-4"sv,   "UMSP-5.1.1-1"sv,
                                                 "UMSP-5.1.2-*"sv, "UMSP-5.1.3-*"sv, "UMSP-5.6.1-11"sv};

constexpr FeatureRow kRows[] = {
    {"rdmap", "rfc7306", kExtensionRules, {"iwarp_rdma.opcode", kExtensionOpcodes}, kExtensionCases},
    {"efa", "rdma_read", kReadRules, {"efa_rdm.extra_info.rdma_read", kAnnounced}},
    {"efa", "rdma_write", kWriteRules, {"efa_rdm.extra_info.rdma_write", kAnnounced}},
    {"efa", "constant_header_length", {}, {"efa_rdm.extra_info.constant_header_length", kAnnounced}},
    {"efa", "unsolicited_write_recv", kImmediateRules, {"efa_rdm.extra_info.unsolicited_write_recv", kAnnounced}},
    {"efa", "homogeneous_peers", {}, {}},  // a declaration of the application, which no packet shows
    {"efa", "peer_error", kErrorRules, {"efa_rdm.extra_info.peer_error", kAnnounced}},
    {"umsp", "jcp", kControlAskedFor, {}, {}, Role::initiator},
};

// The first field of that name: it belongs to the message itself and comes before those of a quoted message.
bool has_sign(const Decoded& message, const FeatureSign& sign) {
  const auto field = std::ranges::find(message.fields, sign.field, &Field::name);
  return field != message.fields.end() &&
         std::ranges::any_of(sign.values, [&](std::string_view value) { return field->value.starts_with(value); });
}

}  // namespace

std::span<const FeatureRow> feature_rows() {
  return kRows;
}

const FeatureRow* find_feature(std::string_view protocol, std::string_view feature) {
  const auto found = std::ranges::find_if(
      kRows, [&](const FeatureRow& one) { return one.protocol == protocol && one.feature == feature; });
  return found == std::end(kRows) ? nullptr : &*found;
}

const FeatureRow* condition_of(std::string_view protocol, const Rule& rule, Role tested) {
  const auto found = std::ranges::find_if(kRows, [&](const FeatureRow& one) {
    return one.protocol == protocol && includes(one.role, tested) &&
           std::ranges::any_of(one.rules, [&](std::string_view glob) { return matches_glob(glob, rule.id); });
  });
  return found == std::end(kRows) ? nullptr : &*found;
}

void note_features(const Protocol& protocol, Octets message, std::set<std::string>& shown) {
  const auto is_missing = [&](const FeatureRow& one) {
    return one.protocol == protocol.name && !one.sign.field.empty() && !shown.contains(std::string(one.feature));
  };
  if (std::ranges::none_of(kRows, is_missing)) return;
  const Decoded decoded = protocol.decode(message);
  for (const FeatureRow& one : kRows)
    if (is_missing(one) && has_sign(decoded, one.sign)) shown.emplace(one.feature);
}

}  // namespace wirelaw

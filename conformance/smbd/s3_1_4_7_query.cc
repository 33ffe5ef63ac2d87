// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.7: an upper layer asks what was negotiated.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kApi = Section{"[MS-SMBD] 3.1.4.7"}.by(Observable::api);

}  // namespace

constinit const Rule kQueryMaxSend = kApi.must("SMBD-3.1.4.7-1", "MaxSendSize is returned.", "the upper layer sees it");
constinit const Rule kQueryMaxFragmentedSend =
    kApi.must("SMBD-3.1.4.7-2", "MaxFragmentedSendSize is returned.", "the upper layer sees it");
constinit const Rule kQueryMaxReceive =
    kApi.must("SMBD-3.1.4.7-3", "MaxReceiveSize is returned.", "the upper layer sees it");
constinit const Rule kQueryMaxReadWrite =
    kApi.must("SMBD-3.1.4.7-4", "MaxReadWriteSize is returned.", "the upper layer sees it");
constinit const Rule kQueryKeepalive =
    kApi.must("SMBD-3.1.4.7-5", "KeepaliveInterval is returned.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kQueryMaxSend,
              {request_big_endian, response_preferred_above_request, response_big_endian, data_before_request}),
    broken_by(kQueryMaxFragmentedSend, {parameters_wrong}),
    broken_by(kQueryMaxFragmentedSend, {message_above_fragmented_size}, {.who = wirelaw::Role::initiator}),
    broken_by(kQueryMaxReceive, {request_receive_size_low}), broken_by(kQueryMaxReadWrite, {read_write_size_wrong}),
    broken_by(kQueryKeepalive, {keepalive_interval_wrong}));

}  // namespace

SectionRules query_rules() {
  static constexpr const Rule* kRules[] = {&kQueryMaxSend, &kQueryMaxFragmentedSend, &kQueryMaxReceive,
                                           &kQueryMaxReadWrite, &kQueryKeepalive};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd

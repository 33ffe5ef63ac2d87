// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.1: what SMB Direct asks of what is below it. [MS-SMBD] 1.4 and 1.5 say the same of iWARP,
// InfiniBand and RoCE.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kSection{"[MS-SMBD] 2.1"};
constexpr Section kNotJudged = kSection.by(Observable::none);
constexpr Section kApi = kSection.by(Observable::api);

}  // namespace

constinit const Rule kReliableBelow = kNotJudged.must("SMBD-2.1-1", "What is below delivers messages reliably.",
                                                      "RDMAP's own rules judge it: RDMAP-3.1, DDP-5.3");
constinit const Rule kInOrderBelow =
    kNotJudged.must("SMBD-2.1-2", "What is below delivers messages in the order in which they were sent.",
                    "judged where it happens, by DDP-5.3 and MPA-5");
constinit const Rule kWriteBelow = kApi.must("SMBD-2.1-3", "What is below can place data at the peer by RDMA Write.",
                                             "shown by an application that registers a buffer and has it written");
constinit const Rule kReadBelow = kApi.must("SMBD-2.1-4", "What is below can fetch data from the peer by RDMA Read.",
                                            "shown by an application that registers a buffer and has it read");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kWriteBelow,
              {descriptor_token_wrong, transfer_offset_ignored, transfer_ignores_lengths, transfer_other_token}),
    broken_by(kWriteBelow, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kReadBelow, {transfer_offset_ignored, descriptors_swapped}));

}  // namespace

SectionRules transport_rules() {
  static constexpr const Rule* kRules[] = {&kReliableBelow, &kInOrderBelow, &kWriteBelow, &kReadBelow};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd

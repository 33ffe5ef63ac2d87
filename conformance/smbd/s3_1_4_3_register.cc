// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.3: an upper layer lends memory to its peer. All of it is between the upper layer and its
// provider.
#include "conformance/section.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {
namespace {

constexpr Section kApi = Section{"[MS-SMBD] 3.1.4.3"}.by(Observable::api);

}  // namespace

constinit const Rule kRegisters =
    kApi.must("SMBD-3.1.4.3-1", "The memory of the buffer is registered with the RDMA provider.",
              "shown by an RDMA operation of the peer");
constinit const Rule kRegistersPermissionsOnly =
    kApi.must("SMBD-3.1.4.3-2", "Only what was asked for, Read or Write, is permitted.",
              "shown by an RDMA operation of the other kind, which fails");
constinit const Rule kRegistersOnConnection =
    kApi.must("SMBD-3.1.4.3-3", "The registration is for this connection.",
              "shown by an RDMA operation on another connection, which fails");
constinit const Rule kRegistersSeveral =
    kApi.may("SMBD-3.1.4.3-4", "A buffer may take several registrations.", "seen in the number of descriptors");
constinit const Rule kRegisterErrorReturned = kApi.must(
    "SMBD-3.1.4.3-5", "An error of any registration is passed to the upper layer.", "the upper layer sees it");
constinit const Rule kRegisterErrorDisables =
    kApi.should_not("SMBD-3.1.4.3-6", "After such an error no part of the buffer stays open to the peer.",
                    "shown by an RDMA operation, which fails");
constinit const Rule kDescriptorsBuilt =
    kApi.must("SMBD-3.1.4.3-7", "Descriptors are made of what was registered: one or more.", "the upper layer sees it");
constinit const Rule kDescriptorsInOrder =
    kApi.must("SMBD-3.1.4.3-8",
              "Each descriptor has offset, token and length of one registered part, in the order of the buffer.",
              "the upper layer sees it");
constinit const Rule kDescriptorsComplete =
    kApi.must("SMBD-3.1.4.3-9", "The descriptors together name every octet of the buffer.", "the upper layer sees it");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kRegisters, {refuses_empty_messages}, {.who = wirelaw::Role::responder}),
    broken_by(kRegistersPermissionsOnly, {registers_every_access}), broken_by(kRegisters, {descriptor_token_wrong}),
    broken_by(kRegisterErrorReturned, {register_error_hidden}), broken_by(kDescriptorsInOrder, {descriptors_swapped}),
    broken_by(kRegisterErrorDisables, {failed_registration_stays, deregistered_stays}),
    broken_by(kDescriptorsBuilt, {describes_first_part}), broken_by(kDescriptorsComplete, {describes_first_part}));

}  // namespace

SectionRules register_rules() {
  static constexpr const Rule* kRules[] = {&kRegisters,        &kRegistersPermissionsOnly, &kRegistersOnConnection,
                                           &kRegistersSeveral, &kRegisterErrorReturned,    &kRegisterErrorDisables,
                                           &kDescriptorsBuilt, &kDescriptorsInOrder,       &kDescriptorsComplete};
  return {.rules = kRules, .breaches = kBreaches};
}

}  // namespace wirelaw::smbd

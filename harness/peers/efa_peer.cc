// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/efa_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/peers/efa/remote_application.h"
#include "harness/peers/efa_endpoint_peer.h"
#include "harness/peers/peer_deviations.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::efa {
namespace {

constexpr PeerSides kSides{
    .protocol = "efa", .responder_name = "a responder", .initiator_name = "a requester", .each_is_both = true};

constexpr std::uint64_t kLeastMtu = 512;
constexpr std::uint64_t kMostMtu = 65'507;  // for UDP over IPv4
constexpr std::uint64_t kMostRegion = std::uint64_t{1} << 30;
// The protocol repeats nothing, and a socket holds only so much: windows are smaller than the deployed provider's.
constexpr std::uint32_t kCredits = 16;

// Reads a number: decimal, or hexadecimal after 0x.
std::optional<std::uint64_t> number(std::string_view text) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

struct Parameter {
  std::string_view name;
  std::uint64_t least, most;
  void (*set)(PeerSetup& setup, std::uint64_t value);
};

constexpr Parameter kSettable[] = {
    {"addr", 0, ~std::uint64_t{0}, [](PeerSetup& setup, std::uint64_t value) { setup.target.addr = value; }},
    {"key", 0, ~std::uint64_t{0}, [](PeerSetup& setup, std::uint64_t value) { setup.target.key = value; }},
    {"length", 0, kMostRegion, [](PeerSetup& setup, std::uint64_t value) { setup.target.len = value; }},
    {"mtu", kLeastMtu, kMostMtu, [](PeerSetup& setup, std::uint64_t value) { setup.options.mtu = value; }},
    {"msg_id", 0, ~std::uint32_t{0},
     [](PeerSetup& setup, std::uint64_t value) { setup.options.first_msg_id = static_cast<std::uint32_t>(value); }},
    {"receive", 1, kReceiveOctets,
     [](PeerSetup& setup, std::uint64_t value) { setup.receive_octets = static_cast<std::size_t>(value); }},
    {"tag", 0, ~std::uint64_t{0}, [](PeerSetup& setup, std::uint64_t value) { setup.tag = value; }},
};
static_assert(std::size(kSettable) == std::size(kPeerParameters));

struct Setting {
  std::string_view name;
  void (*set)(PeerSetup& setup);
};

constexpr std::uint64_t kHostId = 0x0123456789abcdef;
constexpr std::uint32_t kDeviceVersion = 2;

constexpr Setting kSettings[] = {
    {"all-blocks",
     [](PeerSetup& setup) {
       setup.options.host_id = kHostId;
       setup.options.device_version = kDeviceVersion;
       setup.options.p2p_supported = true;
     }},
    {"late-receives", [](PeerSetup& setup) { setup.late_receives = true; }},
    {"messages-only", [](PeerSetup& setup) { setup.exercises_all = false; }},
    {"no-registrations", [](PeerSetup& setup) { setup.options.registrations = 0; }},
};

const ExtraInfo* extra_named(std::string_view name) {
  const auto all = all_extras();
  const auto found = std::ranges::find(all, name, &ExtraInfo::name);
  return found == all.end() ? nullptr : &*found;
}

// Sets what an endpoint that follows this document announces by default, and rejects what it cannot announce.
tl::expected<void, std::string> follow(Revision revision, Options& options) {
  options.revision = revision;
  if (revision >= Revision::main) {
    options.extra_info.front() |= extra_bits({Extra::peer_error});
    options.p2p_supported = true;
  } else {
    options.p2p_supported.reset();
  }
  for (const ExtraInfo& extra : all_extras())
    if (extra.first > revision && (options.extra_info.front() & extra_bits({extra.id})) != 0)
      return tl::unexpected(fmt::format("the document of {} has no feature '{}'", describe(revision).name, extra.name));
  return {};
}

tl::expected<PeerSetup, std::string> setup_of(const PeerOptions& options) {
  PeerSetup setup{.application = options.application, .offered = kOfferedRegion, .target = kOfferedRegion};
  setup.options.credits = setup.options.credit_request = kCredits;
  if (!options.rdma) setup.options.registrations = 0;
  for (const std::string& name : options.features) {
    if (name == kHomogeneousPeers) continue;  // waits for HANDSHAKEs nevertheless
    const ExtraInfo* const extra = extra_named(name);
    if (extra == nullptr) return tl::unexpected(fmt::format("no extra feature is called '{}'", name));
    setup.options.extra_info.front() |= extra_bits({extra->id});
  }
  for (const std::string& name : options.settings) {
    const auto known = std::ranges::find(kSettings, name, &Setting::name);
    if (known == std::end(kSettings)) return tl::unexpected(fmt::format("no setting is called '{}'", name));
    known->set(setup);
  }
  if (const auto revision = revision_named(options.revision)) {
    if (const auto followed = follow(*revision, setup.options); !followed) return tl::unexpected(followed.error());
  } else if (!options.revision.empty()) {
    return tl::unexpected(fmt::format("there is no document of {}", options.revision));
  }
  for (const auto& [name, text] : options.parameters) {
    const auto known = std::ranges::find(kSettable, name, &Parameter::name);
    if (known == std::end(kSettable)) return tl::unexpected(fmt::format("no parameter is called '{}'", name));
    const auto value = number(text);
    if (!value || *value < known->least || *value > known->most)
      return tl::unexpected(
          fmt::format("'{}={}': {} is a number from {} to {}", name, text, name, known->least, known->most));
    known->set(setup, *value);
  }
  return setup;
}

bool is_of_application(const std::string& name) {
  return ApplicationFaults::named(name).has_value();
}

}  // namespace

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  PeerOptions of_endpoint = options, of_application = options;
  std::erase_if(of_endpoint.deviations, is_of_application);
  std::erase_if(of_application.deviations, [](const std::string& name) { return !is_of_application(name); });
  const auto deviations = deviations_of<Deviations>(of_endpoint, kSides);
  if (!deviations) return tl::unexpected(deviations.error());
  const auto faults = deviations_of<ApplicationFaults>(of_application, kSides);
  if (!faults) return tl::unexpected(faults.error());
  auto setup = setup_of(options);
  if (!setup) return tl::unexpected(setup.error());
  setup->deviations = *deviations;
  setup->faults = *faults;
  if (options.role == Role::initiator) {
    setup->tag.reset();  // messages are answered with their own tag
    setup->receive_octets = kReceiveOctets;
    return [setup = *setup](std::uint64_t seed) { return make_requester(seed, setup); };
  }
  setup->offered = setup->target;  // parameters are about the responder's region
  return [setup = *setup](std::uint64_t seed) { return make_responder(seed, setup); };
}

IutParameters offers(const PeerOptions& options) {
  const auto setup = setup_of(options);
  if (!setup || options.role == Role::initiator) return {};
  const RmaIov& region = setup->target;
  IutParameters said{{"addr", fmt::format("{:#x}", region.addr)},
                     {"key", fmt::format("{:#x}", region.key)},
                     {"length", fmt::format("{}", region.len)}};
  if (setup->options.mtu != Options{}.mtu) said.emplace_back("mtu", fmt::format("{}", setup->options.mtu));
  if (setup->receive_octets != kReceiveOctets) said.emplace_back("receive", fmt::format("{}", setup->receive_octets));
  if (setup->tag) said.emplace_back("tag", fmt::format("{:#x}", *setup->tag));
  if (setup->options.first_msg_id != 0) said.emplace_back("msg_id", fmt::format("{}", setup->options.first_msg_id));
  return said;
}

std::vector<DeviationName> deviation_names() {
  auto names = wirelaw::deviation_names<Deviations>();
  const auto of_application = wirelaw::deviation_names<ApplicationFaults>();
  names.insert(names.end(), of_application.begin(), of_application.end());
  return names;
}

constinit const ReferencePeer kReferencePeer{.protocol = "efa",
                                             .maker = peer_maker,
                                             .deviations = deviation_names,
                                             .parameters = kPeerParameters,
                                             .offers = offers,
                                             .remote = make_remote_application};

}  // namespace wirelaw::efa

// SPDX-License-Identifier: Apache-2.0
// wirelaw devices: the RDMA devices of this machine, and what they can be tested with.
#include "harness/transports/verbs/devices.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/transports/scheme.h"
#include "harness/transports/verbs/iut.h"
#include "reports/output.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    R"(Each device is listed with its transport, its ports and their GIDs, the addresses of this machine at which it can
be reached, and the URIs with which `wirelaw test` and `wirelaw serve` use it.

Examples:
  wirelaw devices
  wirelaw devices --format json -o devices.json

Exit status: 0 there are devices; 2 wrong use, or output that could not be written; 3 there is none.
)";

struct DevicesCommand {
  std::string format = "text";
  std::string file;
};

struct Listed {
  RdmaDevice device;
  std::string transport;
  std::vector<std::string> addresses;
  std::vector<std::string> uris;  // "rdmap verbs://192.0.2.1:PORT"
};

// The link layer distinguishes InfiniBand from RoCE, which have the same transport.
std::string transport_of(const RdmaDevice& device) {
  if (device.efa) return "EFA (SRD)";
  const bool on_ethernet =
      std::ranges::any_of(device.ports, [](const RdmaPort& port) { return port.link == "Ethernet"; });
  if (device.transport == "InfiniBand" && on_ethernet) return "RoCE";
  return std::string(device.transport);
}

// One URI for each protocol that uses this transport.
void add_uris(std::string_view scheme, const std::string& place, std::vector<std::string>& uris) {
  for (const Protocol* protocol : protocols())
    if (travels_over(protocol->transports, scheme))
      uris.push_back(fmt::format("{} {}://{}", protocol->name, scheme, place));
}

Listed look_at(RdmaDevice device, const std::vector<pcap::Address>& addresses) {
  Listed listed{.device = std::move(device)};
  listed.transport = transport_of(listed.device);
  for (const pcap::Address& one : addresses) {
    listed.addresses.push_back(pcap::to_string(one));
    if (listed.device.transport != "iWARP") continue;
    const std::string host = one.v6 ? fmt::format("[{}]", listed.addresses.back()) : listed.addresses.back();
    add_uris(kVerbs, host + ":PORT", listed.uris);
  }
  if (listed.device.efa)
    for (const RdmaPort& port : listed.device.ports)
      for (const pcap::Address& gid : port.gids) add_uris("srd", pcap::to_string(gid), listed.uris);
  return listed;
}

std::string joined(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> gids_of(const RdmaPort& port) {
  std::vector<std::string> gids;
  for (const pcap::Address& one : port.gids) gids.push_back(pcap::to_string(one));
  return gids;
}

std::string_view state_of(const RdmaPort& port) {
  return port.active ? "active" : "not active";
}

void write_text(const std::vector<Listed>& devices, Output& out) {
  for (const Listed& one : devices) {
    out.print("{}  {}\n", one.device.name, one.transport);
    for (const RdmaPort& port : one.device.ports)
      out.print("    port {}: {}, {} link, messages of up to {} octets\n    GIDs: {}\n", port.number, state_of(port),
                port.link, port.max_message, joined(gids_of(port)));
    out.print("    addresses: {}\n    usable as: {}\n", joined(one.addresses), joined(one.uris));
  }
  out.print("{}\n", counted(devices.size(), "device"));
}

void write_json(const std::vector<Listed>& devices, Output& out) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const Listed& one : devices) {
    Json ports = Json::array();
    for (const RdmaPort& port : one.device.ports)
      ports.push_back({{"number", port.number},
                       {"active", port.active},
                       {"link", port.link},
                       {"max_message", port.max_message},
                       {"gids", gids_of(port)}});
    list.push_back({{"name", one.device.name},
                    {"transport", one.transport},
                    {"ports", ports},
                    {"addresses", one.addresses},
                    {"uris", one.uris}});
  }
  const Json whole{
      {"schema", "wirelaw-devices/1"}, {"tool", {{"name", "wirelaw"}, {"version", version()}}}, {"devices", list}};
  out.print("{}\n", whole.dump(2, ' ', false, Json::error_handler_t::replace));
}

int none(std::string_view why) {
  complain(why);
  return static_cast<int>(ExitStatus::peer_lost);
}

int run(const DevicesCommand& command) {
  auto found = rdma_devices();
  if (!found) return none(fmt::format("{}; {}", found.error().message, found.error().hint));
  if (found->empty())
    return none(
        "this machine has no RDMA device; plug one in, or add a software one: rdma link add siw0 type siw netdev eth0");
  auto addresses = verbs_addresses();
  std::vector<Listed> devices;
  for (RdmaDevice& one : *found) {
    const std::string name = one.name;
    devices.push_back(look_at(std::move(one), addresses[name]));
  }
  auto out = command.file.empty() || command.file == "-" ? Output::to_descriptor(STDOUT_FILENO, "standard output")
                                                         : Output::to_file(command.file);
  if (!out) return complain(out.error());
  if (command.format == "json")
    write_json(devices, *out);
  else
    write_text(devices, *out);
  return finish(*out);
}

}  // namespace

void add_devices(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("devices", "List the RDMA devices of this machine");
  auto command = std::make_shared<DevicesCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "--format", command->format, "Output format (default text)")
      ->type_name("text|json")
      ->check(one_of({"text", "json"}));
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  app->footer(std::string(kHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw

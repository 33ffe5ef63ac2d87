// SPDX-License-Identifier: Apache-2.0
// wirelaw relay: forwards between an initiator and a responder, and judges both.
#include "harness/relay/relay.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <memory>

#include "conformance/script/languages.h"
#include "harness/commands/check_command.h"
#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "harness/pcapng_recording.h"
#include "harness/peers/reference_peers.h"
#include "harness/script/script_file.h"
#include "harness/transports/first_line.h"
#include "harness/transports/scheme.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    R"(The initiator connects to the relay, which connects to the responder: over TCP (tcp://, iwarp://) or UDP (udp://).
Each of these two legs is a flow of the recording, in which only the real peer is judged: the initiator on its leg, the
responder on the other. `wirelaw check` on the recording gives the same verdicts. What the relay itself has done (a
datagram that it lost, a connection that it cut) is a packet comment, and is never a finding.

Without --transparent, TCP ends at the relay. Then segments, retransmissions and the MSS of the peers are not judged.

If the responder cannot be reached, or answers no initiator, the exit status is 3, and the reports say PEER LOST. A rule
that the initiator broke comes first: then it is 1. If no initiator connects, there is nothing to judge, and it is 2.

The relay ends on SIGINT or SIGTERM, after --for, or when the command of --trigger and its connections have ended.
/bin/sh runs both commands. --trigger is the initiator: WIRELAW_URI is where it connects. --start is the responder:
WIRELAW_URI is where it listens, and its first line on standard output says that it does; a URI in this line has the
port, if it chose one itself.

--transparent makes the relay the wire: it forwards Ethernet frames, and TCP stays between the peers, so that segments,
retransmissions and the MSS are judged as well.
  with --start and --trigger    the relay makes two networks with one TAP each, and starts the responder in one and the
                                initiator in the other; this needs /dev/net/tun and user namespaces, or root
  with --listen and --to        the peers are two virtual machines, whose network cards send frames in UDP datagrams to
                                --listen; the frames of the responder's machine come from --to (QEMU: -netdev
                                socket,udp=LISTEN,localaddr=TO); --port says where the responder listens there

--network plays the faults of a network, each with the probability P (0 to 1):
  --transparent   loss=P, duplication=P, reordering=P, delay=MS or MS-MS, of packets; for efa as below
  UDP             loss=P, duplication=P, reordering=P, delay=MS or MS-MS
  UDP, for efa    reordering=P, delay=MS or MS-MS (SRD loses and repeats nothing)
  TCP             delay=MS or MS-MS, cut=OCTETS (writes 1 to this many at once), and after so many octets in both
                  directions: close=OCTETS or reset=OCTETS (ends both legs)

--faults FILE edits, loses or doubles chosen messages, a line each. a is the initiator, b the responder; nth counts on one
connection. Messages and fields are those of scripts (`wirelaw script --help`); FPDU, or any, is each unit:
  on b DATA nth 3: lose                the third DATA of the responder
  on a DATA frag_number=1: twice       each that is like this
  on a FPDU: crc^=1                    lose, twice, FIELD=, FIELD+=, FIELD^=, cut N, append hex:00, insert N, hex:00,
  on b Send nth 2: delay 5ms close     delay TIME; over TCP also close and reset, after the message
The relay's faults are never findings. The receiver's reaction to them is judged. With --transparent, messages keep their
length, and over TCP the relay only edits fields (FIELD=, FIELD+=, FIELD^=), and repeats each edit in retransmissions.

Examples:
  wirelaw relay ramcloud --listen udp://127.0.0.1:7001 --to udp://127.0.0.1:7000 --pcapng both.pcapng
  wirelaw relay rdmap --listen tcp://:7176 --to tcp://192.0.2.7:7175 --for 10m --html report.html
  wirelaw relay ramcloud --start 'my-server "$WIRELAW_URI"' --trigger 'my-client "$WIRELAW_URI"'
  wirelaw relay ramcloud --to udp://127.0.0.1:7000 --trigger ./client --network loss=0.02,delay=1-5 --seed 7
  wirelaw relay rdmap --transparent --start 'my-server "$WIRELAW_URI"' --trigger 'my-client "$WIRELAW_URI"'

)";

constexpr std::chrono::seconds kStartTime{10};
constexpr std::uint16_t kIwarpPort = 5445;  // [MS-SMBD] 1.9
constexpr std::uint64_t kMostConnections = 30'000;

struct RelayCommand {
  std::string protocol, listen, to, trigger, start, time, network, faults, pcapng;
  std::uint64_t seed = 1, connections = 10'000;
  bool transparent = false;
  unsigned port = 0;
  std::vector<std::string> features;
  std::string revision;
  OutputOptions output;
};

// The parsed command line.
struct RelayRun {
  const Protocol& protocol;
  std::string scheme;
  RelayOptions options;
  std::optional<std::chrono::nanoseconds> time;
  std::optional<std::array<PeerNetwork, 2>> networks = {};  // where the peers run, if the relay makes networks
};

constexpr std::string_view kRelayed = "tcp iwarp udp";

// Those of the transports that a relay forwards.
std::string relayed_of(std::string_view transports) {
  std::string relayed;
  for (std::string_view rest = kRelayed; !rest.empty();) {
    const std::string_view one = first_transport(rest);
    if (travels_over(transports, one)) relayed += fmt::format("{}{}", relayed.empty() ? "" : " ", one);
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return relayed;
}

// The parameters that a server prints with its URI do not concern a relay.
tl::expected<Uri, std::string> relayed_uri(const std::string& text, const Protocol& protocol, UriUse use,
                                           std::string_view transports) {
  std::vector<Feature> known(protocol.parameters.begin(), protocol.parameters.end());
  if (const ReferencePeer* const reference = find_reference_peer(protocol.name))
    known.insert(known.end(), reference->parameters.begin(), reference->parameters.end());
  const Scheme* const scheme = scheme_of(text);
  if (scheme != nullptr && !travels_over(kRelayed, scheme->name))
    return tl::unexpected(fmt::format("'{}': a relay forwards over tcp://, iwarp:// and udp:// only", printable(text)));
  return parse_peer_uri(text, relayed_of(transports), known, use);
}

RelayPlace place_of(const Uri& uri, UriUse use) {
  const SocketPlace place = socket_place(uri);
  const bool is_assigned = use == UriUse::peer && uri.scheme == "iwarp" && place.port == 0;
  return {.host = place.host, .port = is_assigned ? kIwarpPort : place.port};
}

tl::expected<void, std::string> find_places(const RelayCommand& command, RelayRun& run) {
  if (command.to.empty() && command.start.empty())
    return tl::unexpected(std::string("--to is required: where the responder listens, or --start, which says it"));
  const UriUse use = command.start.empty() ? UriUse::peer : UriUse::listen;
  const std::string anywhere = fmt::format("{}://", first_transport(run.protocol.transports));
  const auto to = relayed_uri(command.to.empty() ? anywhere : command.to, run.protocol, use, run.protocol.transports);
  if (!to) return tl::unexpected("--to: " + to.error());
  run.scheme = to->scheme;
  const auto listen = relayed_uri(command.listen.empty() ? fmt::format("{}://", run.scheme) : command.listen,
                                  run.protocol, UriUse::listen, run.protocol.transports);
  if (!listen) return tl::unexpected("--listen: " + listen.error());
  if (listen->scheme != run.scheme)
    return tl::unexpected(
        fmt::format("--listen: {}:// and --to: {}:// differ; a relay has the same transport on both sides",
                    listen->scheme, run.scheme));
  run.options.listen = place_of(*listen, UriUse::listen);
  run.options.to = place_of(*to, use);
  run.options.datagrams = run.scheme == "udp";
  return {};
}

// The peers are started in networks of their own: of --to only the scheme and the port are free.
tl::expected<void, std::string> find_own_networks(const RelayCommand& command, RelayRun& run) {
  if (command.trigger.empty())
    return tl::unexpected(std::string("--trigger is required with --transparent and --start: the initiator's command"));
  if (!command.listen.empty())
    return tl::unexpected(std::string("--listen: with --transparent and --start the relay has no address"));
  const std::string text =
      command.to.empty() ? fmt::format("{}://", first_transport(run.protocol.transports)) : command.to;
  const auto to = relayed_uri(text, run.protocol, UriUse::listen, run.protocol.transports);
  if (!to) return tl::unexpected("--to: " + to.error());
  if (const auto place = parse_host_and_port(to->place); place && !place->host.empty())
    return tl::unexpected(fmt::format(
        "--to: with --transparent and --start the responder's address is {}; give only a port, as {}://:7000",
        kResponderAddress, to->scheme));
  run.scheme = to->scheme;
  run.options.to = {.host = std::string(kResponderAddress), .port = place_of(*to, UriUse::listen).port};
  return {};
}

tl::expected<void, std::string> find_guests(const RelayCommand& command, RelayRun& run) {
  if (command.listen.empty() || command.to.empty())
    return tl::unexpected(
        std::string("--transparent needs --start and --trigger, for two programs, or --listen and "
                    "--to, for two virtual machines"));
  run.scheme = "udp";
  run.options.port = static_cast<std::uint16_t>(command.port);
  const auto to = relayed_uri(command.to, run.protocol, UriUse::peer, run.scheme);
  if (!to) return tl::unexpected("--to: " + to.error());
  const auto listen = relayed_uri(command.listen, run.protocol, UriUse::listen, run.scheme);
  if (!listen) return tl::unexpected("--listen: " + listen.error());
  run.options.to = place_of(*to, UriUse::peer);
  run.options.listen = place_of(*listen, UriUse::listen);
  return {};
}

tl::expected<void, std::string> find_wire(const RelayCommand& command, RelayRun& run) {
  if (!command.faults.empty() && command.start.empty() && command.port == 0)
    return tl::unexpected(
        std::string("--faults: between virtual machines, --port is required: where the responder listens"));
  run.options.is_transparent = true;
  return command.start.empty() ? find_guests(command, run) : find_own_networks(command, run);
}

Carried carried_by(const RelayRun& run) {
  const Carried carried = carried_over(run.protocol.transports, run.scheme);
  return run.options.is_transparent && carried != Carried::reliable_datagrams ? Carried::packets : carried;
}

tl::expected<void, std::string> find_faults(const RelayCommand& command, RelayRun& run) {
  if (command.faults.empty()) return {};
  auto faults = read_faults(command.faults, run.protocol);
  if (!faults) return tl::unexpected(faults.error());
  const bool is_over_udp = travels_over(run.protocol.transports, "udp");
  if (run.options.is_transparent && !is_over_udp)
    for (const script::Trigger& one : *faults)
      if (const auto possible = script::check_trigger_in_frames(one); !possible)
        return tl::unexpected(one_line(possible.error(), command.faults));
  run.options.faults = {
      .triggers = std::move(*faults), .language = script::language_of(run.protocol), .is_over_udp = is_over_udp};
  return {};
}

tl::expected<RelayRun, std::string> understand_relay(const RelayCommand& command) {
  const auto named = protocol_named(command.protocol, "");
  if (!named) return tl::unexpected(named.error());
  RelayRun run{.protocol = **named, .scheme = {}, .options = {}, .time = {}};
  if (auto unknown = unknown_feature(command.features, &run.protocol)) return tl::unexpected(*unknown);
  if (auto unknown = unknown_revision(command.revision, &run.protocol)) return tl::unexpected(*unknown);
  if (command.port != 0 && (!command.transparent || !command.start.empty()))
    return tl::unexpected(std::string("--port is for --transparent between virtual machines; elsewhere a URI has it"));
  const auto found = command.transparent ? find_wire(command, run) : find_places(command, run);
  if (!found) return tl::unexpected(found.error());
  const auto plan = parse_network_plan(command.network, carried_by(run));
  if (!plan) return tl::unexpected("--network: " + plan.error());
  run.options.network = *plan;
  run.options.seed = command.seed;
  if (const auto faults = find_faults(command, run); !faults) return tl::unexpected("--faults: " + faults.error());
  run.options.connections = command.connections;
  run.time = duration_of(command.time);
  if (!command.time.empty() && !run.time)
    return tl::unexpected(fmt::format("--for: '{}' is not a duration; use 90s, 10m or 2h", printable(command.time)));
  if (command.pcapng == "-")
    return tl::unexpected(std::string("--pcapng: standard output is for reports; name a file"));
  return run;
}

// The judge reads the relay's recording while it is written.
CheckCommand check_of(const RelayCommand& command, const RelayRun& run) {
  CheckCommand check;
  check.capture.files = {"-"};
  check.capture.features = command.features;
  check.capture.revision = command.revision;
  check.output = command.output;
  check.source = command.pcapng.empty() ? fmt::format("relay to {}://{}", run.scheme,
                                                      host_and_port(run.options.to.host, run.options.to.port))
                                        : command.pcapng;
  check.recording = command.pcapng;
  return check;
}

// --- the commands of the peers

// Starts the responder, and determines its address.
tl::expected<TriggerProcess, std::string> start_responder(const RelayCommand& command, RelayRun& run) {
  RelayPlace& to = run.options.to;
  if (run.networks)
    if (const auto entered = (*run.networks)[1].enter(); !entered) return tl::unexpected("--start: " + entered.error());
  const std::string uri = fmt::format("{}://{}", run.scheme, host_and_port(to.host, to.port));
  CommandOutput output;
  auto process = TriggerProcess::start(command.start, {{"WIRELAW_URI", uri}}, output.file());
  if (!process) return tl::unexpected("--start: " + one_line(process.error()));
  const auto line = await_first_line(*process, output, command.start, kStartTime);
  if (!line) return tl::unexpected("--start: " + one_line(line.error()));
  if (const auto said = uri_in(*line, run.scheme)) to = place_of(*said, UriUse::listen);
  if (run.networks) {
    to.host = kResponderAddress;
    run.options.port = to.port;
  }
  if (to.port != 0) return std::move(*process);
  return tl::unexpected(
      fmt::format("--start: '{}' has not said at which port it listens; its first line was '{}'; give --to a port",
                  command.start, printable(*line)));
}

std::string note_of(const RelayCommand& command, const RelayRun& run, const Relay& relay) {
  const bool is_wire = run.options.is_transparent;
  std::string ends = fmt::format("tester={} iut={}", pcap::to_string(relay.local()), pcap::to_string(relay.remote()));
  if (is_wire) ends = "legs=interfaces";
  if (is_wire && run.options.port != 0) ends += fmt::format(" port={}", run.options.port);
  return section_comment({.iut = ends,
                          .protocol = run.protocol.name,
                          .headers = is_wire ? Headers::captured : Headers::synthetic,
                          .features = command.features,
                          .revision = command.revision});
}

void announce(const RelayCommand& command, const RelayRun& run, const Relay& relay) {
  if (command.output.quiet) return;
  const std::string end = !command.trigger.empty() ? "the trigger has ended"
                          : run.time               ? command.time + " are over, or a signal"
                                                   : "a signal (Ctrl-C)";
  if (run.networks) {
    fmt::print(stderr, "wirelaw: forwarding frames between {} and {}://{} until {}\n", kInitiatorAddress, run.scheme,
               pcap::to_string(relay.remote()), end);
    return;
  }
  if (run.options.is_transparent) {
    fmt::print(stderr,
               "wirelaw: forwarding frames between udp://{} (here) and the responder's machine at udp://{} until {}\n",
               pcap::to_string(relay.local()), pcap::to_string(relay.remote()), end);
    return;
  }
  fmt::print(stderr, "wirelaw: relaying {0}://{1} to {0}://{2} until {3}\n", run.scheme, pcap::to_string(relay.local()),
             pcap::to_string(relay.remote()), end);
}

// Why there is nothing to judge if no initiator came, and what to do.
InputProblem unused(const RelayCommand& command, const RelayRun& run, const Relay& relay, const std::string& source) {
  const bool has_machines = run.options.is_transparent && !run.networks;
  const std::string place =
      run.networks   ? fmt::format("the responder at {}://{}", run.scheme, pcap::to_string(relay.remote()))
      : has_machines ? fmt::format("the responder's machine{}",
                                   run.options.port == 0 ? "" : fmt::format(" at port {}", run.options.port))
                     : fmt::format("the relay at {}://{}", run.scheme, pcap::to_string(relay.local()));
  const std::string_view hint =
      !command.trigger.empty() ? "the command of --trigger has to connect to the URI in $WIRELAW_URI"
      : has_machines           ? "start the initiator in its machine while the relay runs; compare --port"
                               : "start the initiator while the relay runs, and let it connect there";
  return {.file = source,
          .message = fmt::format("no initiator has {} {}, so there is nothing to judge",
                                 run.scheme == "udp" ? "sent anything to" : "connected to", place),
          .hint = std::string(hint)};
}

// Shares the relay's facts with the judging process. They are written before the judge's input ends, and read after
// that.
class SharedEnd {
 public:
  SharedEnd() {
    void* const page = ::mmap(nullptr, sizeof(Content), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) content_ = new (page) Content;
  }
  ~SharedEnd() {
    if (content_ != nullptr) ::munmap(content_, sizeof *content_);
  }
  SharedEnd(const SharedEnd&) = delete;
  SharedEnd& operator=(const SharedEnd&) = delete;

  void set(const RelayCounts& counts) {
    if (content_ == nullptr) return;
    content_->is_peer_lost = counts.is_responder_lost();
    content_->is_used = counts.connections > 0;
    const std::string deeds = counts.deeds();
    content_->deeds[deeds.copy(content_->deeds, sizeof content_->deeds - 1)] = '\0';
  }
  // `unused` is part of it if no initiator came.
  RelayEnd get(const InputProblem& unused) const {
    if (content_ == nullptr) return {};
    RelayEnd end{.is_peer_lost = content_->is_peer_lost, .deeds = content_->deeds};
    if (!content_->is_used) end.unused = unused;
    return end;
  }

 private:
  struct Content {
    bool is_peer_lost = false, is_used = false;
    char deeds[4000] = {};
  };
  Content* content_ = nullptr;  // nullptr: the system has no page; the judge then knows nothing
};

// Forwards, and records to standard output. Returns the error, if any. The judge learns of a loss before its input
// ends.
std::optional<std::string> feed(const RelayCommand& command, const RelayRun& run, Relay& relay, RelayCounts& counts,
                                SharedEnd& end) {
  const std::atomic<int>& signal = interruption();
  std::vector<std::string> files;
  if (!command.pcapng.empty()) files.push_back(command.pcapng);
  files.emplace_back("-");
  using Legs = RelayRecording::Legs;
  auto recording = RelayRecording::create(note_of(command, run, relay), files,
                                          run.options.is_transparent ? Legs::on_interfaces : Legs::by_address);
  if (!recording) return "--pcapng: " + recording.error();
  announce(command, run, relay);
  RelayUntil until{.signal = signal};
  if (run.time)
    until.time =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(*run.time);
  std::optional<TriggerProcess> trigger;
  if (!command.trigger.empty()) {
    if (run.networks)
      if (const auto entered = (*run.networks)[0].enter(); !entered) return "--trigger: " + entered.error();
    const pcap::Endpoint& place = run.networks ? relay.remote() : relay.local();
    const std::string uri = fmt::format("{}://{}", run.scheme, pcap::to_string(place));
    auto started = TriggerProcess::start(command.trigger, {{"WIRELAW_URI", uri}});
    if (!started) return "--trigger: " + one_line(started.error());
    trigger.emplace(std::move(*started));
    until.trigger = &*trigger;
  }
  counts = relay.run(*recording, until);
  end.set(counts);
  if (trigger)
    if (const auto how = trigger->ended(0); how && (how->by_signal || how->number != 0))
      complain(fmt::format("the trigger {}", to_text(*how)));
  const auto committed = recording->commit();
  return committed ? std::nullopt : std::optional(committed.error());
}

int run(const RelayCommand& command) {
  auto run = understand_relay(command);
  if (!run) return complain(run.error());
  CheckCommand check = check_of(command, *run);
  std::vector<NamedFile> others;
  if (!command.pcapng.empty()) others.push_back({"--pcapng", command.pcapng});
  if (const auto deliverables = Deliverables::prepare(command.output, {}, others); !deliverables)
    return complain(deliverables.error());

  if (command.transparent && !command.start.empty()) {
    auto made = make_peer_networks();
    if (!made) return complain(one_line(made.error()));
    run->networks.emplace(std::move(*made));
    run->options.networks = &*run->networks;
  }
  std::optional<Keeper> keeper;
  if (!command.start.empty() || !command.trigger.empty()) keeper.emplace();
  std::optional<TriggerProcess> responder;
  if (!command.start.empty()) {
    auto started = start_responder(command, *run);
    if (!started) {
      complain(started.error());
      return static_cast<int>(ExitStatus::peer_lost);
    }
    responder.emplace(std::move(*started));
  }
  auto opened = Relay::open(run->options);
  if (!opened) {
    complain(opened.error().message);
    return static_cast<int>(opened.error().is_peer_lost ? ExitStatus::peer_lost : ExitStatus::misused);
  }
  std::optional<Relay> relay(std::move(*opened));
  RelayCounts counts;
  SharedEnd end;
  check.relay_end = [&end, why = unused(command, *run, *relay, check.source)] { return end.get(why); };
  const auto judged = judge_feed([&] { return feed(command, *run, *relay, counts, end); },
                                 [&] {
                                   relay.reset();
                                   run->networks.reset();
                                 },
                                 [&] { return judge_captures(check); });
  if (!judged) return complain("relay: " + judged.error());
  int status = judged->status;
  if (judged->trouble && status != static_cast<int>(ExitStatus::failed)) status = complain(*judged->trouble);
  if (const std::string deeds = counts.deeds(); !deeds.empty() && !command.output.quiet)
    fmt::print(stderr, "wirelaw: the relay itself {}\n", deeds);
  for (const auto& [line, why] : counts.not_played) complain(why);
  for (const script::Trigger& one : run->options.faults.triggers)
    if (!counts.played.contains(one.at.line) && !counts.not_played.contains(one.at.line))
      complain(fmt::format("line {} of the faults was not played: its message did not come", one.at.line));
  if (counts.is_responder_lost())
    complain(counts.unreachable.empty() ? "the responder has sent nothing"
                                        : fmt::format("the responder could not be reached at {}", counts.unreachable));
  return status;
}

}  // namespace

void add_relay(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("relay", "Stand between two peers, and judge both");
  auto command = std::make_shared<RelayCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "protocol", command->protocol, "The protocol of the peers")
      ->required()
      ->type_name(live_protocol_words());
  add_option(*app, "--listen", command->listen,
             "Where initiators connect, e.g. tcp://127.0.0.1:7176 (default: any port, on loopback)")
      ->type_name("URI");
  add_option(*app, "--to", command->to, "Where the responder listens, e.g. tcp://192.0.2.7:7175")->type_name("URI");
  add_option(*app, "--trigger", command->trigger, "Command that makes the initiator connect; see below")
      ->type_name("COMMAND");
  add_option(*app, "--start", command->start, "Command that starts the responder; see below")->type_name("COMMAND");
  add_option(*app, "--for", command->time, "End after this time, e.g. 90s, 10m, 2h")->type_name("DURATION");
  add_option(*app, "--pcapng", command->pcapng, "Write what both legs carried")->type_name("FILE");
  add_flag(*app, "--transparent", command->transparent, "Forward Ethernet frames, and end no connection; see below");
  add_option(*app, "--port", command->port,
             "With --transparent and --listen: the responder's port in its machine; flows with it are the protocol's")
      ->type_name("PORT")
      ->check(CLI::Range(1U, 65535U).description(""));
  add_option(*app, "--network", command->network, "Play these faults of a network, e.g. loss=0.02,delay=1-5; see below")
      ->type_name("FAULTS");
  add_option(*app, "--faults", command->faults, "Play the faults of this file on chosen messages; see below")
      ->type_name("FILE");
  add_option(*app, "--seed", command->seed, "Random seed of --network (default 1)")->type_name("N");
  add_option(*app, "--connections", command->connections,
             "The most connections at once, or flows of datagrams (default 10000)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMostConnections).description(""));
  add_feature_option(*app, command->features);
  add_revision_option(*app, command->revision);
  add_output_options(*app, command->output);
  app->footer(std::string(kHelp) + std::string(kExitStatuses));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw

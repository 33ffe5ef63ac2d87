// SPDX-License-Identifier: Apache-2.0
// wirelaw test: runs the cases of a protocol against a peer, live or in memory.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <memory>

#include "harness/capture/wire_capture.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/output_options.h"
#include "harness/live_iut.h"
#include "harness/memory/memory_iut.h"
#include "harness/pcapng_recording.h"
#include "harness/runner.h"
#include "harness/started_iut.h"
#include "harness/trigger_process.h"
#include "harness/verbs/iut.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    "The implementation under test (IUT) is one of three:\n"
    "  wirelaw test ramcloud udp://192.0.2.7:7000          a server that listens there; over TCP tcp://HOST:PORT\n"
    "  wirelaw test ramcloud --listen udp://127.0.0.1:7000 --trigger 'my-client \"$WIRELAW_URI\"'\n"
    "                                                      a client, started by the command for each request of a "
    "case\n"
    "  wirelaw test ramcloud memory:                       the reference peer in memory, with virtual time; also\n"
    "                                                      "
    "memory:?loss=0.1&duplication=0.1&reordering=0.1&delay=1-20&seed=7\n"
    "                                                      "
    "memory:?cut=7&delay=1-20: streams in pieces of 1 to 7 octets\n"
    "                                                      memory:?verbs: an RDMA device, which cases may drive\n"
    "                                                      memory:?pair: the same, and another at the far end\n\n"
    "An RDMA device of this machine is an IUT as well (see `wirelaw devices`): an application of the suite drives it\n"
    "through verbs at HOST:PORT, HOST being its address, and the other end of the same connection is the tester's "
    "own:\n"
    "  wirelaw test rdmap verbs://192.0.2.7:7175[?device=siw0]        the device as responder\n"
    "  wirelaw test rdmap --listen verbs://192.0.2.7:7175             the device as initiator, without a trigger\n"
    "With a second device, or the same again, at the far end nobody speaks the wire, and it may be RoCE or InfiniBand\n"
    "(cases pair/*); --capture-on shows the wire of iWARP:\n"
    "  wirelaw test rdmap 'verbs://192.0.2.7:7175?far=192.0.2.8'      the far end connects from 192.0.2.8\n"
    "  wirelaw test rdmap --listen 'verbs://192.0.2.7:7175?far=192.0.2.8'  the device connects to 192.0.2.8:7175\n\n"
    "A peer that may die of what cases send, or that keeps what they did to it, is started anew for each:\n"
    "  wirelaw test efa udp://127.0.0.1:7100 --start 'wirelaw serve efa \"$WIRELAW_URI\"'\n"
    "The command is run by /bin/sh with WIRELAW_URI and WIRELAW_CASE in its environment, and its process group is "
    "ended\n"
    "before the next case. It says that it listens by a first line on its standard output, which may have the URI "
    "with\n"
    "what else there is to say of it (below). Where it ends during a case, the case says how, and the exit status is "
    "3.\n\n"
    "The trigger is run by /bin/sh with WIRELAW_URI (where to connect), WIRELAW_REQUESTS (how many requests to make),\n"
    "WIRELAW_REQUEST_OCTETS (the size of each), WIRELAW_PARALLEL (1: all at once; 0: one after the other) and\n"
    "WIRELAW_CASE in its environment; of efa also WIRELAW_CONNID, our connection ID, and WIRELAW_RAW_ADDRESS, our raw\n"
    "address (32 octets in hexadecimal), which a requester must know beforehand. Its process group is ended with the\n"
    "case. Without a trigger, start the client by hand for each case, and give it time with --answer-time.\n\n"
    "Both also have WIRELAW_CONTROL in their environment, the path of a UNIX-domain socket. An efa peer that connects\n"
    "there lets cases drive the application above its endpoint, without which application/* are skipped: a call a "
    "line,\n"
    "as harness/lab/soft_efa/README.md says. A trigger with WIRELAW_REQUESTS=0 begins nothing but that.\n"
    "`wirelaw serve efa` and the lab's fabric_peer do.\n\n"
    "What the application above an IUT in the server's role does is declared with --application:\n"
    "  echo   answers each request with the request's own octets (the default)\n"
    "  count  as echo, but a request that begins with the octets WIRELAW-COUNT is answered with the number of such\n"
    "         requests that the application has seen, as four little-endian octets\n"
    "  none   answers in its own way; cases that must foresee the answer are skipped\n\n"
    "What cases cannot find out of a peer of another make may stand in its URI; without it, cases that need it are\n"
    "skipped. `wirelaw serve` prints it with its URI.\n"
    "  rdmap  a buffer that the peer lets us read and write: tcp://HOST:PORT?stag=0x12345678&to=0&length=65536;\n"
    "         settle, milliseconds to wait behind its start frame, as the peer may not read what comes sooner\n"
    "  efa    over SRD (srd://GID/QPN/CONNID) through an EFA device of this machine, ?device=NAME where it has "
    "several;\n"
    "         of a peer that is started, whatever its first line says as a URI may be left out\n"
    "  efa    memory that it lets us read, write and change: udp://HOST:PORT?addr=0&key=0x57495245&length=1048576;\n"
    "         mtu, the most octets of a packet; msg_id, the first message ID; tag, the only tag that its application\n"
    "         receives; receive, the octets of each of its receives. Of a requester: what its URI was told\n\n"
    "--capture-on captures the connections of the run where they pass, by libpcap (on Linux with CAP_NET_RAW). What "
    "is\n"
    "judged on the wire is then judged in those frames, --record writes them as they are, and findings have their\n"
    "numbers. Where the capture loses frames, what they held is not judged, and the case says so.\n\n"
    "Examples:\n"
    "  wirelaw test ramcloud --list                            the cases, and the rules that they exercise\n"
    "  wirelaw test ramcloud udp://[::1]:7000 --case 'ack/*' --record evidence.pcapng\n"
    "  wirelaw test ramcloud udp://host:7000 --rule 'RAMCLOUD-ack-*' --format junit -o result.xml\n"
    "  wirelaw test ramcloud memory: --role client --deviate never-retransmits\n\n";

struct TestCommand {
  std::string protocol, uri, start, listen, trigger, role, application = "echo", record;
  std::string capture_on;
  std::vector<std::string> rules, cases, skipped, deviations, features;
  double deadline = 60, answer_time = 2, silence_time = 0.5, start_time = 10;
  std::optional<std::uint64_t> seed;
  bool list = false;
  OutputOptions output;
};

std::chrono::nanoseconds seconds_of(double seconds) {
  return std::chrono::nanoseconds{static_cast<std::chrono::nanoseconds::rep>(seconds * 1e9)};
}

// --- the last resort against an endless loop that no deadline reaches, in a case or in a peer in memory

std::array<char, 512> last_words{};

void give_up(int) {
  static_cast<void>(!::write(STDERR_FILENO, last_words.data(), std::strlen(last_words.data())));
  ::_exit(static_cast<int>(ExitStatus::peer_lost));
}

void guard(std::string_view name, std::chrono::nanoseconds deadline) {
  constexpr unsigned kBeyondDeadline = 180;
  const std::string words = fmt::format(
      "wirelaw: {}: neither the case nor its deadline ends; this is a fault of wirelaw, please report it\n", name);
  last_words = {};
  words.copy(last_words.data(), last_words.size() - 1);
  std::signal(SIGALRM, give_up);
  ::alarm(static_cast<unsigned>(std::chrono::duration_cast<std::chrono::seconds>(deadline).count()) + kBeyondDeadline);
}

// --- what is tested

struct Target {
  Role role = Role::responder;
  std::unique_ptr<Iut> iut;
  IutParameters parameters = {};
};

tl::expected<Target, std::string> memory_target(const TestCommand& command, const Protocol& protocol) {
  const auto uri = parse_memory_uri(command.uri);
  if (!uri) return tl::make_unexpected(uri.error());
  Target target;
  target.role = command.role == protocol.initiator ? Role::initiator : Role::responder;
  const ReferencePeer* const reference = find_reference_peer(protocol.name);
  if (!reference) return tl::make_unexpected(fmt::format("there is no reference peer for {}", protocol.name));
  const PeerOptions options{.role = target.role,
                            .application = application_of(command.application),
                            .deviations = command.deviations,
                            .features = command.features,
                            .settings = uri->verbs ? std::vector<std::string>{"verbs"} : std::vector<std::string>(),
                            .rdma = true};
  auto maker = reference->maker(options);
  if (!maker) return tl::make_unexpected(maker.error());
  target.parameters = offers_of(*reference, options);
  target.iut = make_memory_iut(std::move(*maker), {.transport = memory_transport(protocol),
                                                   .impairments = uri->impairments,
                                                   .seed = command.seed.value_or(uri->seed.value_or(1)),
                                                   .name = command.uri,
                                                   .pair = uri->pair});
  return target;
}

// Of the device as the initiator.
tl::expected<Target, std::string> verbs_initiator(const TestCommand& command, const Uri& at,
                                                  std::optional<CarriageError>& unreachable) {
  if (!command.trigger.empty()) return tl::make_unexpected("--trigger: the device of a verbs:// URI needs none");
  auto iut = make_verbs_initiator(at);
  if (iut) return Target{Role::initiator, std::move(*iut), at.query};
  unreachable = iut.error();
  return Target{};
}

tl::expected<Target, std::string> target_of(const TestCommand& command, const Protocol& protocol,
                                            std::optional<CarriageError>& unreachable) {
  if (command.uri.empty() == command.listen.empty())
    return tl::make_unexpected(
        fmt::format("name one peer: {0}://HOST:PORT, memory:, or --listen {0}://HOST:PORT for one that connects",
                    first_carriage(protocol.carriages)));
  if (!command.start.empty() && (command.uri.empty() || command.uri.starts_with("memory")))
    return tl::make_unexpected("--start is for a peer that listens at a URI");
  if (command.uri.starts_with("memory")) return memory_target(command, protocol);
  if (!command.deviations.empty())
    return tl::make_unexpected("--deviate: only a peer in memory can be told; use `wirelaw serve` for a live one");
  if (!command.listen.empty()) {
    const auto at = parse_listen_uri(command.listen, protocol.carriages, protocol.parameters);
    if (!at) return tl::make_unexpected("--listen " + at.error());
    if (command.role == protocol.responder)
      return tl::make_unexpected(
          fmt::format("--listen is for a {}: a {} is tested at its own URI", protocol.initiator, protocol.responder));
    if (at->scheme == kVerbs) return verbs_initiator(command, *at, unreachable);
    auto iut = make_connecting_iut(*at, command.trigger);
    if (!iut && at->srd) {  // there is no device
      unreachable = iut.error();
      return Target{};
    }
    if (!iut) return tl::make_unexpected(fmt::format("{}; {}", iut.error().message, iut.error().hint));
    if (command.trigger.empty())
      fmt::print(stderr, "wirelaw: listening at {}; start the {} by hand for each case\n", (*iut)->name(),
                 protocol.initiator);
    return Target{Role::initiator, std::move(*iut), at->query};
  }
  if (!command.trigger.empty()) return tl::make_unexpected("--trigger needs --listen");
  if (command.role == protocol.initiator)
    return tl::make_unexpected(fmt::format("a {} connects to us: use --listen", protocol.initiator));
  // One that is started says itself where its queue pair is.
  const bool says = !command.start.empty() && command.uri.starts_with("srd:");
  const auto peer = (says ? parse_listen_uri : parse_peer_uri)(command.uri, protocol.carriages, protocol.parameters);
  if (!peer) return tl::make_unexpected(peer.error());
  if (peer->scheme == kVerbs && !command.start.empty())
    return tl::make_unexpected("--start: the device of a verbs:// URI needs none");
  auto iut = peer->scheme == kVerbs ? make_verbs_responder(*peer, application_of(command.application))
                                    : make_listening_iut(*peer);
  if (!iut) {
    unreachable = iut.error();
    return Target{};
  }
  if (!command.start.empty()) *iut = make_started_iut(std::move(*iut), command.start, seconds_of(command.start_time));
  return Target{Role::responder, std::move(*iut), peer->query};
}

// A consumer at both ends of each connection.
bool is_pair(const TestCommand& command) {
  const std::string& uri = command.uri.empty() ? command.listen : command.uri;
  if (const auto memory = parse_memory_uri(uri)) return memory->pair;
  const auto parsed = parse_uri(uri);
  return parsed && parsed->scheme == kVerbs &&
         std::ranges::find(parsed->query, "far", &IutParameters::value_type::first) != parsed->query.end();
}

// nullptr where none is asked for. The error begins with the interface.
tl::expected<std::unique_ptr<WireCapture>, std::string> capture_of(const TestCommand& command, const Iut& iut) {
  if (command.capture_on.empty()) return nullptr;
  const auto refuse = [&](std::string_view why) {
    return tl::make_unexpected(fmt::format("{}: {}", command.capture_on, why));
  };
  if (command.uri.starts_with("memory")) return refuse("nothing of a peer in memory passes there");
  if (iut.transport() == kVerbs) {
    complain(fmt::format("--capture-on {}: the wire of RoCE and InfiniBand is not judged; it is left alone",
                         command.capture_on));
    return nullptr;
  }
  if (!is_stream(iut.transport())) return refuse("connections over TCP are captured, and no others");
  const std::string note = iut.capture_note();
  if (is_unspecified(note)) return refuse("listen at an address of it, by which its frames can be told");
  auto frames = capture_on(command.capture_on, capture_filter(note));
  if (!frames) return tl::make_unexpected(frames.error());
  return std::make_unique<WireCapture>(std::move(*frames), seconds_of(command.answer_time));
}

int peer_lost(const CarriageError& error) {
  complain(error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint));
  return static_cast<int>(ExitStatus::peer_lost);
}

// --- what is said while it runs

class Reporter {
 public:
  Reporter(bool quiet, const CaseLimits& limits)
      : shown_(!quiet && ::isatty(STDERR_FILENO) == 1), quiet_(quiet), limits_(limits) {}

  RunProgress progress() {
    return {.begins = [this](const Case& next, std::size_t done, std::size_t all) { begins(next, done, all); },
            .ended = [this](const CaseOutcome& outcome) { ended(outcome); }};
  }
  void clear() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
    ::alarm(0);
  }

 private:
  void begins(const Case& next, std::size_t done, std::size_t all) {
    guard(next.id, limits_.deadline);
    if (shown_)
      fmt::print(stderr, "\r\x1b[K{} of {}: {}{}", done + 1, all, next.id,
                 failed_ ? fmt::format(" ({} failed)", failed_) : "");
  }
  void ended(const CaseOutcome& outcome) {
    failed_ += outcome.result.verdict == Verdict::fail;
    if (outcome.dump.empty() || quiet_) return;
    clear();
    fmt::print(stderr, "{}: {}\n{}", outcome.result.id, outcome.result.reason, outcome.dump);
  }

  bool shown_;
  bool quiet_;
  const CaseLimits& limits_;
  std::size_t failed_ = 0;
};

int list(const TestCommand& command, const Protocol& protocol, const Selection& selection) {
  const std::size_t width = columns_of(STDOUT_FILENO);
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  std::size_t listed = 0;
  for (const Role role : {Role::responder, Role::initiator}) {
    const std::string_view word = role == Role::responder ? protocol.responder : protocol.initiator;
    if (!command.role.empty() && command.role != word) continue;
    for (const Case* one : select_cases(protocol, role, selection)) {
      std::vector<std::string_view> ids;
      for (const Rule* rule : one->rules) ids.push_back(rule->id);
      const std::string needs = one->needs == Service::none ? "" : fmt::format("  needs {}", word_of(one->needs));
      out.print("{}  {}{}\n    {}\n    {}\n", one->id, word, needs, wrapped(one->purpose, width, 4),
                wrapped(fmt::format("{}", fmt::join(ids, " ")), width, 4));
      ++listed;
    }
  }
  out.print("{}\n", counted(listed, "case"));
  if (const int status = finish(out); status != 0) return status;
  return listed > 0 ? 0
                    : complain("no case matches; `wirelaw test PROTOCOL --list` without --case and --rule lists all");
}

tl::expected<std::vector<LeftOut>, std::string> left_out_of(const TestCommand& command) {
  std::vector<LeftOut> left_out;
  for (const std::string& one : command.skipped) {
    const auto at = one.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == one.size())
      return tl::make_unexpected(fmt::format("--skip: '{}' is no GLOB=REASON", one));
    left_out.push_back({one.substr(0, at), one.substr(at + 1)});
  }
  return left_out;
}

int run(const TestCommand& command) {
  const auto named = protocol_named(command.protocol);
  if (!named) return complain(named.error());
  const Protocol& protocol = **named;
  if (!command.role.empty() && command.role != protocol.responder && command.role != protocol.initiator)
    return complain(
        fmt::format("--role: '{}' is neither {} nor {}", command.role, protocol.responder, protocol.initiator));
  if (const auto unknown = unknown_feature(command.features, &protocol)) return complain(*unknown);
  const auto left_out = left_out_of(command);
  if (!left_out) return complain(left_out.error());
  const Selection selection{.cases = command.cases, .rules = command.rules};
  if (command.list) return list(command, protocol, selection);

  const auto deliverables = Deliverables::prepare(command.output);
  if (!deliverables) return complain(deliverables.error());
  std::optional<CarriageError> unreachable;
  auto target = target_of(command, protocol, unreachable);
  if (!target) return complain(target.error());
  if (unreachable) return peer_lost(*unreachable);
  if (select_cases(protocol, target->role, selection).empty())
    return complain(fmt::format("no case for a {} matches; see --list",
                                target->role == Role::responder ? protocol.responder : protocol.initiator));

  if (!command.record.empty() && command.capture_on.empty() && is_pair(command))
    return complain("--record: nobody speaks the wire between two consumers; --capture-on may show it");
  auto capture = capture_of(command, *target->iut);
  if (!capture) return complain("--capture-on " + capture.error());
  std::optional<PcapngSink> sink;
  std::optional<Recording> recording;
  if (!command.record.empty()) {
    if (target->iut->capture_note().empty())
      return complain("--record: name the peer's QPN in the URI, by which it is told from the tester");
    auto created = PcapngSink::create(
        command.record,
        section_comment(target->iut->capture_note(), protocol.name, *capture ? Headers::captured : Headers::synthetic));
    if (!created) return complain("--record " + created.error());
    sink.emplace(std::move(*created));
    recording.emplace(*sink);
  }
  const RunOptions options{.iut = target->role,
                           .selection = selection,
                           .left_out = *left_out,
                           .application = application_of(command.application),
                           .parameters = target->parameters,
                           .limits = {.deadline = seconds_of(command.deadline),
                                      .answer_time = seconds_of(command.answer_time),
                                      .silence_time = seconds_of(command.silence_time)},
                           .features = command.features};
  end_triggers_on_signals();
  Reporter reporter(command.output.quiet, options.limits);
  const RunOutcome outcome = run_cases(protocol, *target->iut, options, recording ? &*recording : nullptr,
                                       reporter.progress(), capture->get());
  reporter.clear();

  int recorded = 0;
  if (sink) {
    recording->flush();
    if (const auto written = sink->commit(); !written)
      recorded = cannot_write("--record " + written.error(), command.record == "-");
  }
  if (outcome.lost) peer_lost(*outcome.lost);
  if (outcome.deaths > 0)
    complain(fmt::format("the peer died in {}; the reasons of those cases say how", counted(outcome.deaths, "case")));
  const bool lost = outcome.lost || outcome.deaths > 0;
  const int status = deliverables->deliver(outcome.results, lost ? RunEnd::peer_lost : RunEnd::complete);
  return recorded == 0 ? status : recorded;
}

}  // namespace

void add_test(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("test", "Run the cases against a peer, live or in memory");
  auto command = std::make_shared<TestCommand>();  // lives as long as the callback that CLI11 copies
  app->add_option("protocol", command->protocol, "What it speaks")->required()->type_name(protocol_words());
  app->add_option("uri", command->uri,
                  "The peer: udp://HOST:PORT, tcp://HOST:PORT, verbs://HOST:PORT, "
                  "srd://GID/QPN/CONNID, or memory:")
      ->type_name("URI");
  app->add_option("--start", command->start, "Starts that peer anew for each case; see below")->type_name("COMMAND");
  app->add_option("--listen", command->listen, "Listen here for a peer that connects; port 0 is any")->type_name("URI");
  app->add_option("--trigger", command->trigger, "Makes that peer connect; see below")->type_name("COMMAND");
  add_application_option(*app, command->application, "What the application above the peer does (default echo)");
  app->add_option("--role", command->role, "What a peer in memory plays; with --list, whose cases")
      ->type_name(role_words());
  const auto add_globs = [&](const char* name, std::vector<std::string>& globs, const char* description) {
    app->add_option(name, globs, description)->type_name("GLOB")->allow_extra_args(false);
  };
  add_globs("--case", command->cases, "Only cases whose id matches; repeatable");
  add_globs("--rule", command->rules, "Only cases with a rule whose id matches; repeatable");
  app->add_option("--skip", command->skipped, "Leave out cases whose id matches, for this reason; repeatable")
      ->type_name("GLOB=REASON")
      ->allow_extra_args(false);
  app->add_flag("--list", command->list, "List the cases instead of running them");
  const auto add_seconds = [&](const char* name, double& seconds, const char* description) {
    app->add_option(name, seconds, description)->type_name("SECONDS")->check(CLI::Range(0.001, 1e6).description(""));
  };
  add_seconds("--deadline", command->deadline, "How long one case may take (default 60)");
  add_seconds("--answer-time", command->answer_time, "How long the peer may take to answer (default 2)");
  add_seconds("--silence-time", command->silence_time, "How long silence lasts until it counts (default 0.5)");
  add_seconds("--start-time", command->start_time, "How long --start may take to listen (default 10)");
  app->add_option("--seed", command->seed, "Of a peer in memory: the same seed gives the same run")->type_name("N");
  add_deviate_option(*app, command->deviations);
  add_feature_option(*app, command->features);
  app->add_option("--record", command->record, "Write the run as a pcapng capture, which `wirelaw check` judges again")
      ->type_name("FILE");
  app->add_option("--capture-on", command->capture_on,
                  "Judge, and record, the frames that pass this network interface; see below")
      ->type_name("INTERFACE");
  add_output_options(*app, command->output);
  app->footer(std::string(kHelp) + std::string(kExitStatuses));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw

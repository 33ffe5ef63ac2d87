// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>

#include "harness/capture/wire_capture.h"
#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/test_command.h"
#include "harness/transports/started_iut.h"

namespace wirelaw {
namespace {

template <class Result>
using Outcome = tl::expected<Result, Refusal>;

tl::unexpected<Refusal> misused(std::string why) {
  return tl::unexpected(Refusal{std::move(why)});
}

// The checks that do not depend on the transport.
std::string wrong_together(const TestCommand& command, const Protocol& protocol) {
  const Scheme* const scheme = scheme_of(command.uri);
  const bool in_memory = scheme != nullptr && scheme->is_reference;
  if (command.uri.empty() == command.listen.empty())
    return fmt::format("name a peer: {0}://HOST:PORT, memory:, or --listen {0}://HOST:PORT for a peer that connects",
                       first_transport(protocol.transports));
  if (!command.start.empty() && (command.uri.empty() || in_memory))
    return "--start is for a peer that listens at a URI";
  if (in_memory) return {};
  if (!command.deviations.empty())
    return "--deviate: only for a peer in memory; for a live peer use `wirelaw "
           "serve`";
  if (!command.listen.empty())
    return command.role == protocol.responder ? fmt::format("--listen is for a {}: a {} is tested at its own URI",
                                                            protocol.initiator, protocol.responder)
                                              : std::string();
  if (!command.trigger.empty()) return "--trigger needs --listen";
  return command.role == protocol.initiator ? fmt::format("a {} connects to us: use --listen", protocol.initiator)
                                            : std::string();
}

tl::expected<Uri, std::string> uri_of(const TestCommand& command, const Protocol& protocol) {
  if (!command.listen.empty()) {
    auto at = parse_listen_uri(command.listen, protocol.transports, protocol.parameters);
    return at ? std::move(at) : tl::unexpected("--listen " + at.error());
  }
  const Scheme* const scheme = scheme_of(command.uri);
  if (scheme != nullptr && scheme->is_reference) return parse_reference_uri(command.uri);
  return parse_peer_uri(command.uri, protocol.transports, protocol.parameters,
                        command.start.empty() ? UriUse::tested : UriUse::started);
}

IutRequest request_of(const TestCommand& command, const Protocol& protocol, Uri uri, Role role) {
  const ReferencePeer* const reference = find_reference_peer(protocol.name);
  return {.protocol = protocol,
          .text = command.uri.empty() ? command.listen : command.uri,
          .uri = std::move(uri),
          .role = role,
          .application = application_of(command.application),
          .trigger = command.trigger,
          .remote = reference == nullptr ? nullptr : reference->remote,
          .deviations = command.deviations,
          .features = command.features,
          .revision = command.revision,
          .seed = command.seed,
          .repetition = command.repetition};
}

}  // namespace

std::chrono::nanoseconds seconds_of(double seconds) {
  return std::chrono::nanoseconds{static_cast<std::chrono::nanoseconds::rep>(seconds * 1e9)};
}

Outcome<Target> target_of(const TestCommand& command, const Protocol& protocol) {
  if (std::string wrong = wrong_together(command, protocol); !wrong.empty()) return misused(std::move(wrong));
  if (auto wrong = unknown_deviation(command.deviations, protocol)) return misused(std::move(*wrong));
  auto uri = uri_of(command, protocol);
  if (!uri) return misused(uri.error());
  const Scheme& scheme = *find_scheme(uri->scheme);
  for (const auto& [option, value] : {std::pair{"--trigger", &command.trigger}, std::pair{"--start", &command.start}})
    if (const auto why = starts_itself(scheme, protocol); !value->empty() && !why.empty())
      return misused(fmt::format("{}: {}", option, why));

  const bool initiates = !command.listen.empty() || (scheme.is_reference && command.role == protocol.initiator);
  Target target{.role = initiates ? Role::initiator : Role::responder,
                .tested = {},
                .deadline = seconds_of(command.deadline.value_or(scheme.is_reference ? kVirtualDeadline : kDeadline))};
  const IutRequest request = request_of(command, protocol, std::move(*uri), target.role);
  auto tested = scheme.make_iut(request);
  if (!tested) return tl::unexpected(tested.error());
  target.tested = std::move(*tested);
  std::unique_ptr<Iut>& iut = target.tested.iut;
  if (!command.start.empty())
    iut =
        make_started_iut(std::move(iut), command.start, seconds_of(command.start_time), request.remote, command.starts);
  target.is_reference = scheme.is_reference;
  target.by_hand = !command.listen.empty() && command.trigger.empty() && starts_itself(scheme, protocol).empty();
  if (target.by_hand)
    fmt::print(stderr, "wirelaw: listening at {}; start the {} by hand for each case\n", iut->name(),
               protocol.initiator);
  return target;
}

// --- several processes

namespace {

// The position of the port in a URI: after the last colon of its place.
struct PortDigits {
  std::size_t begin = 0, length = 0;
};
std::optional<PortDigits> port_digits(const std::string& uri) {
  const std::size_t end = std::min(uri.find('?'), uri.size());
  const std::size_t colon = uri.rfind(':', end == 0 ? 0 : end - 1);
  if (colon == uri.npos || colon + 1 >= end) return std::nullopt;
  if (uri.find_first_not_of("0123456789", colon + 1) < end) return std::nullopt;
  return PortDigits{.begin = colon + 1, .length = end - colon - 1};
}

std::uint64_t port_in(const std::string& uri) {
  const auto digits = port_digits(uri);
  return digits ? std::strtoull(uri.c_str() + digits->begin, nullptr, 10) : 0;
}

}  // namespace

std::string trouble_with_jobs(const TestCommand& command, const Protocol& protocol) {
  constexpr std::uint64_t kLastPort = 65'535;
  if (command.jobs == 1) return {};
  const Scheme* const scheme = scheme_of(command.listen.empty() ? command.uri : command.listen);
  if (!command.capture_on.empty()) return "--jobs: cannot be combined with --capture-on";
  if (scheme == nullptr || scheme->is_reference) return {};
  if (!scheme->needs.empty() && !starts_itself(*scheme, protocol).empty())
    return fmt::format("--jobs: {} serves one process", scheme->needs);
  if (!command.listen.empty() && command.trigger.empty())
    return "--jobs: needs --trigger, which starts a client for each process";
  if (!command.listen.empty() && (!scheme->needs.empty() || port_in(command.listen) != 0))
    return "--jobs: the processes cannot share a port; leave the port out of --listen";
  if (command.start.empty()) return {};
  if (!scheme->needs.empty() || port_in(command.uri) == 0)
    return "--jobs: each process starts its own peer, at the port of the URI and the ports after it; name a port";
  if (port_in(command.uri) + command.jobs > kLastPort)
    return fmt::format("--jobs: there are not {} ports after the port of the URI, for the peers that are started",
                       command.jobs);
  return {};
}

// Returns the number of processes that can open the files that they need.
static std::uint64_t jobs_with_files() {
  constexpr rlim_t kFilesOfOne = 16;
  rlimit files{};
  return getrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur / kFilesOfOne : 1;
}

std::uint64_t jobs_of(const TestCommand& command, const Protocol& protocol, std::size_t cases) {
  constexpr std::uint64_t kOverlapping = 14;
  const Scheme* const scheme = scheme_of(command.uri);
  const bool runs_at_uri =
      scheme != nullptr && !scheme->is_reference && command.listen.empty() && command.start.empty();
  TestCommand many = command;
  many.jobs = kOverlapping;
  if (!runs_at_uri || !trouble_with_jobs(many, protocol).empty()) return 1;
  return std::clamp<std::uint64_t>(std::min<std::uint64_t>(cases, jobs_with_files()), 1, kOverlapping);
}

TestCommand command_of_job(const TestCommand& command, unsigned number) {
  TestCommand own = command;
  if (command.start.empty()) return own;
  if (const auto digits = port_digits(command.uri))
    own.uri.replace(digits->begin, digits->length, fmt::format("{}", port_in(command.uri) + number));
  return own;
}

tl::expected<std::unique_ptr<WireCapture>, std::string> capture_of(const TestCommand& command, const Iut& iut) {
  if (command.capture_on.empty()) return nullptr;
  const auto refuse = [&](std::string_view why) {
    return tl::make_unexpected(fmt::format("{}: {}", command.capture_on, why));
  };
  const Scheme* const scheme = scheme_of(command.uri);
  if (scheme != nullptr && scheme->is_reference) return refuse("a peer in memory sends no frames");
  const Framing framing = iut.framing();
  if (!framing.is_spoken && !framing.is_stream) {
    complain(fmt::format("--capture-on {}: RoCE and InfiniBand frames are not judged; nothing is captured",
                         command.capture_on));
    return nullptr;
  }
  if (framing.is_rendered)
    return refuse("capture the device's frames with tcpdump and judge them with `wirelaw check`");
  if (!framing.is_stream) return refuse("only TCP connections can be captured");
  const std::string note = iut.capture_note();
  if (is_unspecified(note))
    return refuse("listen at an address of that interface, so that its frames can be recognised");
  auto frames = capture_on(command.capture_on, capture_filter(note));
  if (!frames) return tl::make_unexpected(frames.error());
  return std::make_unique<WireCapture>(std::move(*frames), seconds_of(command.answer_time));
}

}  // namespace wirelaw

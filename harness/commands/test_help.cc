// SPDX-License-Identifier: Apache-2.0
// The long part of `wirelaw test --help`. Each transport describes itself in its row (harness/transports/scheme.h).
#include <fmt/format.h>

#include <algorithm>

#include "harness/commands/command.h"
#include "harness/commands/test_command.h"

namespace wirelaw {
namespace {

constexpr std::string_view kPeers =
    R"(The URI names the implementation under test (IUT). With --listen, the URI is where the tester listens and the IUT
connects; the form is the same, port 0 means any port, and omitted parts are chosen for you. The forms:
)";

constexpr std::string_view kCommands =
    R"(A peer that cases may crash, or that keeps state between cases, can be restarted for each case:
  wirelaw test efa udp://127.0.0.1:7100 --start 'wirelaw serve efa "$WIRELAW_URI"'
/bin/sh runs the command with WIRELAW_URI and WIRELAW_CASE in its environment. The command prints a first line on its
standard output when it listens; that line may contain the URI with its parameters (see below). Its process group is
terminated before the next case. If it ends during a case, the case says how, and the exit status is 3.

A peer that connects is started by --trigger, once for each request of a case:
  wirelaw test ramcloud --listen udp://127.0.0.1:7000 --trigger 'my-client "$WIRELAW_URI"'
/bin/sh runs the trigger with these variables in its environment: WIRELAW_URI (where to connect), WIRELAW_REQUESTS (how
many requests to make), WIRELAW_REQUEST_OCTETS (the size of each), WIRELAW_PARALLEL (1: all at once; 0: one after the
other) and WIRELAW_CASE; for efa also WIRELAW_CONNID, our connection ID, and WIRELAW_RAW_ADDRESS, our raw address (32
octets in hexadecimal), which a requester must know beforehand. Its process group is terminated when the case ends.
Without a trigger, start the client by hand for each case and allow for that with --answer-time.

If a case concludes something from silence, a refusal or an end, a control follows: an honest exchange that the peer must
serve. If the peer does not serve it, the case is inconclusive. If the peer does not serve a control before the first
case, the run ends, unless --keep-going is given. A client that is started by hand has no controls.

Both kinds of command also have WIRELAW_CONTROL in their environment, the path of a UNIX-domain socket. An efa peer that
connects to it lets cases drive the application above its endpoint, one call per line, as harness/lab/soft_efa/README.md
describes. Without it, the cases application/* are skipped. A trigger with WIRELAW_REQUESTS=0 starts only that.
`wirelaw serve efa` and the lab's fabric_peer support it.

)";

constexpr std::string_view kJobs =
    R"(--jobs N runs the cases in N processes, so that their waits overlap. By default, 14 processes test a peer that runs at
a URI. If the peer does not serve several testers at once, this is found out, and the cases run one after the other. With
--jobs 1, the peer never has more than one tester.
With --start, each process of --jobs has its own peer, at the port of the URI and the ports after it. With --listen, leave
the port out of the URI: each process listens at its own, and its trigger runs beside those of the others. In both cases
the default is 1.

Cases that take longer than 20 s, because the specification makes them wait, run only with --slow, or if --case, --rule
or --section selects them. They are reported as skipped, and say so. In memory, and in `wirelaw certify`, they always run.

)";

constexpr std::string_view kApplication =
    R"(--application declares what the application above an IUT in the server's role does:
  echo   answers each request with the request's own octets (the default)
  count  like echo, but answers a request that begins with the octets WIRELAW-COUNT with the number of such requests
         that it has seen, as four little-endian octets
  smb2   for smbd: speaks SMB2, as every file server does. Cases send NEGOTIATE and compounds of ECHO requests to make
         it receive and send messages of nearly any length, without a name or a password; SMB2 itself is not judged.
         With --listen, it is an SMB2 client such as Linux's cifs. It finds a share that it can list, read and write,
         with data by RDMA. The trigger's command must mount the share and use it for long enough; cases answer what
         the client asks for
  none   answers in its own way; cases that must predict the answer are skipped

)";

constexpr std::string_view kParameters =
    R"(The URI may declare what cases cannot find out about a third-party peer, for example
HOST:PORT?stag=0x12345678&to=0&length=65536. Cases that need a parameter which is missing are skipped. `wirelaw serve`
prints its parameters with its URI. By protocol:
)";

constexpr std::string_view kCaptures =
    R"(--capture-on captures the connections of the run on a network interface, with libpcap (on Linux it needs
CAP_NET_RAW). Rules about the wire are then judged in those frames, --record writes the frames unchanged, and findings
have their numbers. If the capture loses frames, what they held is not judged, and the case says so.

Examples:
  wirelaw test ramcloud --list                            list the cases, and the rules that they exercise
  wirelaw test umsp tcp://127.0.0.1:2110 --jobs 16        run in sixteen processes at once
  wirelaw test ramcloud udp://[::1]:7000 --case 'ack/*' --record evidence.pcapng
  wirelaw test ramcloud udp://host:7000 --rule 'RAMCLOUD-ack-*' --format junit -o result.xml
  wirelaw test ramcloud memory: --role client --deviate never-retransmits
  wirelaw test smbd iwarp://host --application smb2       test a listener, Linux's ksmbd
  wirelaw test smbd --listen iwarp://0.0.0.0 --application smb2 --trigger './mount-and-use'   test Linux's cifs

)";

std::size_t longest_parameter() {
  std::size_t longest = 0;
  for (const Protocol* protocol : protocols())
    for (const Feature& one : protocol->parameters) longest = std::max(longest, one.name.size());
  return longest;
}

std::string parameters_by_protocol() {
  const std::size_t width = longest_parameter() + 2;
  std::string text;
  for (const Protocol* protocol : protocols())
    for (const Feature& one : protocol->parameters)
      text += fmt::format("  {:<10}{:<{}}{}\n", &one == protocol->parameters.data() ? protocol->name : "", one.name,
                          width, one.text);
  return text + "\n";
}

}  // namespace

std::string test_help() {
  std::string text(kPeers);
  for (const Scheme* scheme : schemes()) text += scheme->test_help;
  text += '\n';
  text.append(kCommands)
      .append(kJobs)
      .append(kApplication)
      .append(kParameters)
      .append(parameters_by_protocol())
      .append(kCaptures);
  return text.append(kExitStatuses);
}

}  // namespace wirelaw

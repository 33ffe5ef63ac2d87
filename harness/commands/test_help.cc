// SPDX-License-Identifier: Apache-2.0
// What `wirelaw test --help` says of peers. What a carriage says of itself is in its row.
#include <fmt/format.h>

#include "harness/commands/command.h"
#include "harness/commands/test_command.h"

namespace wirelaw {
namespace {

constexpr std::string_view kPeers =
    "The implementation under test (IUT) is at the URI. Behind --listen, the URI is where we listen for an IUT that\n"
    "connects; the form is the same, port 0 is any, and what is left out is chosen for you. The forms:\n";

constexpr std::string_view kCommands =
    "A peer that may die of what cases send, or that keeps what they did to it, is started anew for each:\n"
    "  wirelaw test efa udp://127.0.0.1:7100 --start 'wirelaw serve efa \"$WIRELAW_URI\"'\n"
    "The command is run by /bin/sh with WIRELAW_URI and WIRELAW_CASE in its environment, and its process group is "
    "ended\n"
    "before the next case. It says that it listens by a first line on its standard output, which may have the URI "
    "with\n"
    "its parameters (below). Where it ends during a case, the case says how, and the exit status is 3.\n\n"
    "A peer that connects is started by --trigger, for each request of a case:\n"
    "  wirelaw test ramcloud --listen udp://127.0.0.1:7000 --trigger 'my-client \"$WIRELAW_URI\"'\n"
    "The trigger is run by /bin/sh with WIRELAW_URI (where to connect), WIRELAW_REQUESTS (how many requests to make),\n"
    "WIRELAW_REQUEST_OCTETS (the size of each), WIRELAW_PARALLEL (1: all at once; 0: one after the other) and\n"
    "WIRELAW_CASE in its environment; of efa also WIRELAW_CONNID, our connection ID, and WIRELAW_RAW_ADDRESS, our raw\n"
    "address (32 octets in hexadecimal), which a requester must know beforehand. Its process group is ended with the\n"
    "case. Without a trigger, start the client by hand for each case, and give it time with --answer-time.\n\n"
    "What a case concludes of silence, a refusal or an end is followed by a control, an honest exchange that the peer\n"
    "has to serve: otherwise the case is inconclusive. Where it is not served before the first case either, the run\n"
    "ends, unless --keep-going is given. A client that is started by hand has no controls.\n\n"
    "Both also have WIRELAW_CONTROL in their environment, the path of a UNIX-domain socket. An efa peer that connects\n"
    "there lets cases drive the application above its endpoint, without which application/* are skipped: a call a "
    "line,\n"
    "as harness/lab/soft_efa/README.md says. A trigger with WIRELAW_REQUESTS=0 begins nothing but that.\n"
    "`wirelaw serve efa` and the lab's fabric_peer do.\n\n";

constexpr std::string_view kJobs =
    "--jobs N runs the cases by N processes. Each speaks to the peer at the URI, which has to bear so many testers at\n"
    "once; with --start each has a peer of its own, at the port of the URI and those behind it; with --listen, whose "
    "URI\n"
    "leaves the port out, each listens at a port of its own.\n\n";

constexpr std::string_view kApplication =
    "What the application above an IUT in the server's role does is declared with --application:\n"
    "  echo   answers each request with the request's own octets (the default)\n"
    "  count  as echo, but a request that begins with the octets WIRELAW-COUNT is answered with the number of such\n"
    "         requests that the application has seen, as four little-endian octets\n"
    "  smb2   of smbd: speaks SMB2, as every file server does. NEGOTIATE and compounds of ECHO requests make it take "
    "and\n"
    "         send messages of nearly any length, without a name or a password; it is not judged\n"
    "  none   answers in its own way; cases that must foresee the answer are skipped\n\n";

constexpr std::string_view kParameters =
    "What cases cannot find out of a peer of another make may be given in its URI; without it, cases that need it are\n"
    "skipped. `wirelaw serve` prints it with its URI. HOST:PORT?stag=0x12345678&to=0&length=65536, for example; by\n"
    "protocol:\n";

constexpr std::string_view kCaptures =
    "--capture-on captures the connections of the run where they pass, by libpcap (on Linux with CAP_NET_RAW). What "
    "is\n"
    "judged on the wire is then judged in those frames, --record writes them as they are, and findings have their\n"
    "numbers. Where the capture loses frames, what they held is not judged, and the case says so.\n\n"
    "Examples:\n"
    "  wirelaw test ramcloud --list                            the cases, and the rules that they exercise\n"
    "  wirelaw test umsp tcp://127.0.0.1:2110 --jobs 16        by sixteen processes at once\n"
    "  wirelaw test ramcloud udp://[::1]:7000 --case 'ack/*' --record evidence.pcapng\n"
    "  wirelaw test ramcloud udp://host:7000 --rule 'RAMCLOUD-ack-*' --format junit -o result.xml\n"
    "  wirelaw test ramcloud memory: --role client --deviate never-retransmits\n"
    "  wirelaw test smbd iwarp://host --application smb2       a listener of Linux's ksmbd\n\n";

std::string parameters_by_protocol() {
  std::string text;
  for (const Protocol* protocol : protocols())
    for (const Feature& one : protocol->parameters)
      text += fmt::format("  {:<10}{:<10}{}\n", &one == protocol->parameters.data() ? protocol->name : "", one.name,
                          one.text);
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

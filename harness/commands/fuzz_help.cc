// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/command.h"
#include "harness/commands/fuzz_command.h"
#include "harness/transports/scheme.h"

namespace wirelaw {
namespace {

constexpr std::string_view kWhat =
    R"(A campaign first runs every case of `wirelaw test` unchanged. Then, until it ends, it runs cases whose messages it
mutates on the way: fields, octets, order, and messages of other conversations. The same rules judge the peer's answers,
against what was really sent to it. An input that reaches something new (a rule, an answer in a state, code) is mutated
further. A finding is one of these:
  rule         the peer broke a rule, and breaks it again when the input is repeated
  died         a signal ended the peer's process (with --start or --trigger), also when it is asked to end after an
               input (with --start)
  sanitizer    its output contains a report of ASan, UBSan, TSan or MSan
  unserved     it does not serve an honest exchange afterwards: it hangs, or has lost something
  stuck        it neither answers nor ends a stream, although no octets that it may wait for are missing (iWARP)
  memory, descriptors  it uses more than --limit-memory or --limit-descriptors
  growth       its memory or its descriptors grow steadily while it serves (with --start-every)
A finding is kept if it recurs when the peer has more time to answer (--answer-time). It is a folder with the smallest
input, a capture and the peer's output. SIGINT ends a campaign in order, and the same command resumes it. A command with
another peer or other choices is refused. --for counts everything: when it ends, the input at hand is finished, and what
is not confirmed or minimised by then is marked. The same command continues with that first.

The peer, in one of these forms:
)";

constexpr std::string_view kMore =
    R"(
Commands have the same environment as those of `wirelaw test` (see `wirelaw test --help`). --start restarts the peer for
each input, so that no state remains. With --start-every N it restarts the peer after N inputs and after each finding,
which is faster, and shows growth. Findings are confirmed with freshly started peers.

Guidance, or how inputs are selected for further mutation:
  none      every input is derived from a case
  protocol  inputs that were the first to reach a rule, or an answer in a state (the default)
  coverage  also inputs that were the first to reach an edge of the peer's code. The peer must be started by --start and
            compiled by AFL++'s compilers, or with -fsanitize-coverage=trace-pc-guard and the file coverage_runtime.c; it
            finds __AFL_SHM_ID in its environment

The project's own targets (--target) run libFuzzer on this program's own parsers, endpoints and observers, with their
seeds, dictionary and options, in --jobs processes. A crash becomes a finding with a minimised input, which --replay
repeats. The preset `fuzz` builds them. They are looked for beside this program, in its build tree, in the build tree of
that preset, and in the folder where `cmake --install BUILD --component fuzz` puts them; --programs names another.

Examples:
  wirelaw fuzz ramcloud udp://127.0.0.1:7000 --for 10m
  wirelaw fuzz smbd iwarp://127.0.0.1:5445 --start 'wirelaw serve smbd "$WIRELAW_URI"' --campaign night --for 8h
  wirelaw fuzz ramcloud memory: --deviate no-ack --runs 1000 --campaign first
  wirelaw fuzz ramcloud udp://127.0.0.1:7000 --from site.pcapng --seeds last-night --campaign tonight
  wirelaw fuzz --replay night/findings/rule-SMBD-3.1.5.4-3 iwarp://127.0.0.1
  wirelaw fuzz --export night/findings/rule-SMBD-3.1.5.4-3 -o found
  wirelaw fuzz --target fuzz_efa_pair --jobs 4 --for 8h
  wirelaw fuzz --merge night-1 --merge night-2 --campaign both

Exit status:
  0  no finding; with --replay: the peer was reached each time, and the finding did not recur
  1  there are findings; with --replay: the finding recurred
  2  wrong use, an unreadable folder, or output that could not be written
  3  the peer could not be reached or serves nothing, or it was lost and there is no finding
  128 + N  signal N interrupted the campaign, which can be resumed
)";

}  // namespace

std::string fuzz_help() {
  std::string text(kWhat);
  for (const Scheme* scheme : schemes()) text += scheme->test_help;
  return text.append(kMore);
}

}  // namespace wirelaw

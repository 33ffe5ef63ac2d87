// SPDX-License-Identifier: Apache-2.0
#include "harness/carriages/scheme.h"
#include "harness/commands/command.h"
#include "harness/commands/fuzz_command.h"

namespace wirelaw {
namespace {

constexpr std::string_view kWhat =
    "A campaign first runs every case of `wirelaw test` as it is, and then, until it is ended, cases whose messages "
    "it\n"
    "changes on the way: fields, octets, order, messages of other conversations. What the peer answers is judged by "
    "the\n"
    "same rules, by what it was really sent. An input that reaches something new (a rule, an answer in a state, code) "
    "is\n"
    "gone on from. A finding is\n"
    "  rule         the peer has broken a rule, and does so again\n"
    "  died         its process was ended by a signal (with --start or --trigger), also as it is asked to end behind\n"
    "               an input (with --start)\n"
    "  sanitizer    its output has a report of ASan, UBSan, TSan or MSan\n"
    "  unserved     an honest exchange afterwards is not served: it hangs, or has lost something\n"
    "  memory, descriptors  it uses more than --limit-memory or --limit-descriptors\n"
    "  growth       its memory or its descriptors grow steadily, as long as it serves (with --start-every)\n"
    "and is kept where it comes back at leisure (--answer-time), as a folder with the smallest input, a capture and "
    "the\n"
    "peer's output. SIGINT ends a campaign in order; the same command goes on with it, and one against another peer,\n"
    "or with other choices, is refused.\n\n"
    "The peer, in one of these forms:\n";

constexpr std::string_view kMore =
    "\n"
    "Commands get in their environment what they get of `wirelaw test`, see there. --start starts the peer anew for "
    "each\n"
    "input, so that nothing is left of the one before it; with --start-every N for every N inputs, and behind each\n"
    "finding, which is faster, and shows what grows. Findings are confirmed by peers that were started for them.\n\n"
    "Guidance:\n"
    "  none      every input comes of a case\n"
    "  protocol  what reached a rule, or an answer in a state, that nothing did before (the default)\n"
    "  coverage  that, and edges of the peer's code: started by --start, compiled by AFL++'s compilers, or with\n"
    "            -fsanitize-coverage=trace-pc-guard and the file coverage_runtime.c; it finds __AFL_SHM_ID\n\n"
    "The project's own targets (--target) run libFuzzer on the parsers, endpoints and observers of this program's own\n"
    "code, with their seeds, dictionary and options, in --jobs processes; a crash becomes a finding, made smaller, "
    "which\n"
    "--replay repeats. They are built by the preset fuzz, and looked for beside this program, in its build tree, in "
    "that of\n"
    "the preset beside it, and where `cmake --install BUILD --component fuzz` lays them; or --programs says where.\n\n"
    "Examples:\n"
    "  wirelaw fuzz ramcloud udp://127.0.0.1:7000 --for 10m\n"
    "  wirelaw fuzz smbd iwarp://127.0.0.1 --start 'wirelaw serve smbd iwarp://' --campaign night --for 8h\n"
    "  wirelaw fuzz ramcloud memory: --deviate no-ack --runs 1000\n"
    "  wirelaw fuzz ramcloud udp://127.0.0.1:7000 --from site.pcapng --seeds last-night --campaign tonight\n"
    "  wirelaw fuzz --replay night/findings/rule-SMBD-3.1.5.4-3 iwarp://127.0.0.1\n"
    "  wirelaw fuzz --export night/findings/rule-SMBD-3.1.5.4-3 -o found\n"
    "  wirelaw fuzz --target fuzz_efa_pair --jobs 4 --for 8h\n"
    "  wirelaw fuzz --merge night-1 --merge night-2 --campaign both\n\n"
    "Exit status:\n"
    "  0  no finding; of --replay: the peer was there each time, and it did not come back\n"
    "  1  there are findings; of --replay: it comes back\n"
    "  2  wrong use, an unreadable folder, or output that could not be written\n"
    "  3  the peer could not be reached or serves nothing, or it has gone and there is no finding\n"
    "  128 + N  signal N has interrupted the campaign, which can be gone on with\n";

}  // namespace

std::string fuzz_help() {
  std::string text(kWhat);
  for (const Scheme* scheme : schemes()) text += scheme->test_help;
  return text.append(kMore);
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// write_dissector [ROOT]: updates the tables of the Wireshark dissectors (see dissector.h) and the format pages in the
// source tree ROOT, by default the current one.
#include <cstdio>

#include "corpora/dissector.h"
#include "corpora/format_page.h"

int main(int argc, char** argv) {
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    std::fprintf(
        stderr,
        "usage: %s [ROOT]\nRenews the tables in pcap/wireshark and the pages of formats of the sources (default: .).\n",
        argv[0]);
    return 2;
  }
  const char* const root = argc == 2 ? argv[1] : ".";
  auto written = wirelaw::corpora::write_dissectors(root);
  if (written) written = wirelaw::corpora::write_format_pages(root);
  if (written) return 0;
  std::fprintf(stderr, "%s\n", to_string(written.error()).c_str());
  return 2;
}

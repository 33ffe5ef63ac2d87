// SPDX-License-Identifier: Apache-2.0
// write_corpora [DIR]: writes the generated part of corpora/ (see corpora.h) into DIR, by default into corpora/.
#include <cstdio>

#include "corpora/corpora.h"

int main(int argc, char** argv) {
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    std::fprintf(stderr, "usage: %s [DIR]\nWrites sample traces and fuzzing seeds below DIR (default: corpora).\n",
                 argv[0]);
    return 2;
  }
  const auto written = wirelaw::corpora::write_corpora(argc == 2 ? argv[1] : "corpora");
  if (written) return 0;
  std::fprintf(stderr, "%s\n", to_string(written.error()).c_str());
  return 2;
}

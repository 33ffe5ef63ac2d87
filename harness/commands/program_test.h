// SPDX-License-Identifier: Apache-2.0
// Runs the built `wirelaw` as a user would.
#pragma once

#include <string>
#include <vector>

namespace wirelaw {

struct ProgramRun {
  int status = -1;  // exit status; 128 + signal if a signal ended the program
  std::string out, err;
};

struct Redirect {
  std::string out;               // standard output goes to this file or device; empty: it is kept
  bool out_is_gone = false;      // standard output is a pipe without a reader
  bool out_is_closed = false;    // there is no standard output
  bool err_is_out = false;       // standard error goes where standard output goes
  std::string in = "/dev/null";  // standard input
};

ProgramRun run_program(const std::string& program, const std::vector<std::string>& words,
                       const Redirect& redirect = {});
ProgramRun run_wirelaw(const std::vector<std::string>& words, const Redirect& redirect = {});

// Returns a URI of this protocol on loopback at which nobody listens.
std::string free_uri(const std::string& protocol);

// Apart from what the libraries under test call so.
inline namespace for_tests {
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& content);
}  // namespace for_tests

}  // namespace wirelaw

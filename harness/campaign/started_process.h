// SPDX-License-Identifier: Apache-2.0
// The process of --start or --trigger, as far as the transport does not know it: what it writes to its standard error,
// and what it uses. The command is wrapped so that it reports its process number and leaves its output in two files of
// the campaign.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace wirelaw::campaign {

class StartedProcess {
 public:
  // The folder exists, and its path is absolute.
  explicit StartedProcess(const std::string& folder);

  // The two files, if they are there.
  static void remove_files(const std::string& folder);

  // The command with its number and its output kept.
  std::string wrapped(const std::string& command) const;

  // Begins another run, to which the later output belongs.
  void begin();
  // Returns its output since the last call, or only the end of a long output.
  std::string output() const;

  struct Use {
    std::uint64_t resident_octets = 0;
    std::uint64_t descriptors = 0;
  };
  // Totals of its whole process group; empty if there is none.
  std::optional<Use> use() const;

 private:
  std::string number_, output_;  // paths
};

// The report of a sanitizer in a process's output.
struct SanitizerReport {
  std::string what;  // "AddressSanitizer: heap-buffer-overflow"
  // The innermost frames, "decode < receive < main", independent of the load address. For UBSan without a stack, the
  // place in the source: "decode.c:12:3".
  std::string frames;
  std::string text;  // its lines
};
std::optional<SanitizerReport> sanitizer_report(const std::string& output);
// The innermost frames of a stack trace in the output, in the sanitizers' format; empty if there is none. A process
// that a signal kills may print where it was in this format.
std::string stack_in(const std::string& output);

}  // namespace wirelaw::campaign

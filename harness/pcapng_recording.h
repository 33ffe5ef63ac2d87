// SPDX-License-Identifier: Apache-2.0
// A run's recording as a pcapng file, which `wirelaw check` judges again without any option.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/recording.h"
#include "pcap/writer.h"

namespace wirelaw {

// Headers are synthetic if a run sees only payloads. In the capture of a script, the script says the TCP segments, and
// only acknowledgments are made up.
enum class Headers : std::uint8_t { synthetic, captured, script };

// Describes a run for the file's section comment.
struct RunNote {
  std::string_view iut;  // Iut::capture_note()
  std::string_view protocol;
  Headers headers = Headers::synthetic;
  bool is_rendered = false;                    // Framing::is_rendered
  std::span<const std::string> features = {};  // RunOptions::features
  std::string_view revision = {};              // RunOptions::revision
  std::string_view mark = {};                  // for a certification: "run=… certification=…"
};

// If a script ends with a pause, its capture ends with a packet between these nodes, which shows that time passed. The
// script has no such conversation.
inline constexpr std::string_view kClockNodes[] = {"198.51.100.1:9", "198.51.100.2:9"};

// "wirelaw iut=192.0.2.2:21201 protocol=efa headers=synthetic features=rdma_read,rdma_write revision=2.6"
std::string section_comment(const RunNote& run);

class PcapngSink final : public FrameSink {
 public:
  static tl::expected<PcapngSink, std::string> create(const std::string& path, const std::string& section_comment);

  void write(const RecordedFrame& frame) override;
  // Marks the file as complete: all traffic was written.
  void say_complete() { writer_.say_complete(); }
  // The results of the run (reports/run_record.h), which the file keeps in a closing section.
  void say_results(std::vector<std::string> comments) { writer_.close_with(std::move(comments)); }
  // The file appears at this point. Returns the first error, in one line.
  tl::expected<void, std::string> commit();

 private:
  explicit PcapngSink(pcap::Writer writer) : writer_(std::move(writer)) {}
  void keep(const tl::expected<void, pcap::Problem>& outcome);

  pcap::Writer writer_;
  std::optional<std::string> error_;
};

}  // namespace wirelaw

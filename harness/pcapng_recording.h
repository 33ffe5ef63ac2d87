// SPDX-License-Identifier: Apache-2.0
// A run's recording as a pcapng file, which `wirelaw check` judges again without any option.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "harness/recording.h"
#include "pcap/writer.h"

namespace wirelaw {

// The section comment: "wirelaw iut=192.0.2.2:21201 protocol=ramcloud headers=synthetic". `iut` is what
// Iut::capture_note() gives; the headers are synthetic where a run sees payloads alone.
enum class Headers : std::uint8_t { synthetic, captured };
std::string section_comment(std::string_view iut, std::string_view protocol, Headers headers = Headers::synthetic);

class PcapngSink final : public FrameSink {
 public:
  static tl::expected<PcapngSink, std::string> create(const std::string& path, const std::string& section_comment);

  void write(const RecordedFrame& frame) override;
  // All that passed was written: the file will say so.
  void say_complete() { writer_.say_complete(); }
  // The file appears now. The error is the first there was, in one line.
  tl::expected<void, std::string> commit();

 private:
  explicit PcapngSink(pcap::Writer writer) : writer_(std::move(writer)) {}
  void keep(const tl::expected<void, pcap::Problem>& outcome);

  pcap::Writer writer_;
  std::optional<std::string> error_;
};

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// The frames that one of several processes has recorded, in a file without a name until all are put together: there
// they get the order of the cases, and so their numbers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/recording.h"

namespace wirelaw {

class Spool {
 public:
  // Make it before the processes part: one writes and the other reads.
  Spool();

  // --- the writer's side
  // False if there is no room.
  bool write(std::uint64_t step, const RecordedFrame& frame);

  // --- the reader's side
  struct Kept {
    std::uint64_t step = 0;
    std::uint64_t at = 0;  // in the file
    std::uint64_t octets = 0;
  };
  // The index of the frames that were written since the last call. Call it while the writer is stopped.
  std::vector<Kept> take_index();
  // Empty if the file is not as written.
  std::optional<RecordedFrame> read(const Kept& kept) const;

 private:
  static void close(std::FILE* file) {
    if (file != nullptr) std::fclose(file);
  }
  std::unique_ptr<std::FILE, void (*)(std::FILE*)> file_;
  std::uint64_t indexed_ = 0;
};

// A sink for the writer's recording.
class SpoolSink final : public FrameSink {
 public:
  explicit SpoolSink(Spool& spool) : spool_(spool) {}

  void begin_step(std::uint64_t step) { step_ = step; }
  void write(const RecordedFrame& frame) override { has_room_ = has_room_ && spool_.write(step_, frame); }
  bool has_room() const { return has_room_; }

 private:
  Spool& spool_;
  std::uint64_t step_ = 0;
  bool has_room_ = true;
};

}  // namespace wirelaw

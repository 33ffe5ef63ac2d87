// SPDX-License-Identifier: Apache-2.0
#include "harness/script/temporary_capture.h"

#include <fmt/format.h>

#include "harness/script/script_capture.h"

namespace wirelaw {

tl::expected<TemporaryCapture, std::string> TemporaryCapture::of(const ScriptFile& file, const ScriptPart& part) {
  TemporaryCapture capture;
  auto conversation = script::speak(part.part, *part.language);
  if (!conversation) return tl::unexpected(one_line(conversation.error(), file.path));
  if (!capture.file_.make())
    return tl::unexpected(fmt::format("{}: no temporary file can be made for its capture; set TMPDIR", file.path));
  auto frames = write_capture(*conversation, part, capture.file_.path());
  if (!frames) {  // the user knows the script, not the temporary file
    std::string& error = frames.error();
    if (const std::size_t at = error.find(capture.file_.path()); at != std::string::npos)
      error.replace(at, capture.file_.path().size(), file.name_of(part));
    return tl::unexpected(std::move(error));
  }
  capture.conversation_ = std::move(*conversation);
  capture.frames_ = std::move(*frames);
  return capture;
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
// The result of a shard as a file, and back: a result like any other (reports/json.h), with an object "shard" that
// identifies the shard and its run, and contains the position of everything in the run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/shard/shard.h"
#include "harness/shard/share.h"

namespace wirelaw {

// The run that a shard belongs to.
struct ShardRun {
  std::string command;             // "check", "test"
  std::string version;             // wirelaw's version
  std::string commit;              // commit that it was built from
  std::vector<std::string> asked;  // the options on which results depend, one a line
  std::string protocol;            // for a test
  Role role = Role::any;           // likewise, of the IUT
  friend bool operator==(const ShardRun&, const ShardRun&) = default;
};

struct ShardFile {
  std::string end;  // the end of the run, as in its gate
  int exit_status = 0;
  Shard shard;
  ShardRun run;
  Share share;
};

// The object "shard". It does not repeat what the lists of the result contain.
std::string shard_object(const Shard& shard, const ShardRun& run, const Share& share);

// The wirelaw that reads: what another has judged is not put together.
struct ThisBuild {
  std::string_view version, commit;
  std::function<const Rule*(std::string_view)> find;  // a rule by its id; nullptr if it is not known
};

// The error is one line that names the file.
tl::expected<ShardFile, std::string> parse_shard_file(const std::string& name, const std::string& json,
                                                      const ThisBuild& build);

// Same, for processes of one run. It is lossless if all texts are valid UTF-8.
std::string share_text(const Share& share);
std::optional<Share> share_of_text(const std::string& text, const std::function<const Rule*(std::string_view)>& find);

}  // namespace wirelaw

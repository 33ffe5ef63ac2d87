// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "reports/printable.h"

namespace wirelaw {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

tl::expected<Shard, std::string> parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string_view whole = text;
  const auto index = slash == std::string::npos ? std::nullopt : number(whole.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : number(whole.substr(slash + 1));
  if (!index || !of) return tl::make_unexpected(fmt::format("'{}' is no shard; write I/N, as 2/8", printable(text)));
  if (*of < 1 || *of > kMostShards)
    return tl::make_unexpected(fmt::format("'{}': there may be 1 to {} shards", text, kMostShards));
  if (*index < 1 || *index > *of)
    return tl::make_unexpected(fmt::format("'{0}': the first of {1} shards is 1/{1}, the last {1}/{1}", text, *of));
  return Shard{.index = *index - 1, .of = *of};
}

std::string to_string(const Shard& shard) {
  return fmt::format("{}/{}", shard.index + 1, shard.of);
}

}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/input_json.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

#include "reference/octets/hex.h"
#include "reports/output.h"

namespace wirelaw::campaign {
namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostFile = 64u << 20;

Json to_json(const Edit& edit) {
  Json json{{"op", word_of(edit.op)}, {"message", edit.message}};
  if (edit.copy != 0) json["copy"] = edit.copy;
  if (edit.offset != 0) json["offset"] = edit.offset;
  if (edit.count != 0) json["count"] = edit.count;
  if (has_octets(edit.op)) json["octets"] = to_hex(edit.octets);
  if (edit.repair) json["repair"] = true;
  return json;
}

tl::expected<Edit, std::string> edit_of(const Json& json) {
  if (!json.is_object()) return tl::unexpected(std::string("an edit is no object"));
  const std::string word = text_in(json, "op");
  const auto op = edits::op_of(word);
  if (!op) return tl::unexpected(fmt::format("there is no edit '{}'", word));
  const std::uint64_t message = count_in(json, "message"), copy = count_in(json, "copy"),
                      offset = count_in(json, "offset"), count = count_in(json, "count");
  if (message > kMost32 || copy > kMost32 || offset > kMost32 || count > kMost32)
    return tl::unexpected(fmt::format("edit '{}': a number is larger than 32 bits", word));
  const auto octets = from_hex(text_in(json, "octets"));
  if (!octets) return tl::unexpected(fmt::format("edit '{}': its octets are no hexadecimal digits", word));
  const auto repair = json.find("repair");
  return Edit{.op = *op,
              .message = static_cast<std::uint32_t>(message),
              .copy = static_cast<std::uint32_t>(copy),
              .offset = static_cast<std::uint32_t>(offset),
              .count = static_cast<std::uint32_t>(count),
              .octets = *octets,
              .repair = repair != json.end() && repair->is_boolean() && repair->get<bool>()};
}

}  // namespace

std::string text_in(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint64_t count_in(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return found != json.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

Json to_json(const Input& input) {
  Json edits = Json::array(), words = Json::array();
  for (const Edit& one : input.edits) {
    edits.push_back(to_json(one));
    words.push_back(to_text(one));
  }
  return {{"case", input.test_case}, {"edits", std::move(edits)}, {"in_words", std::move(words)}};
}

tl::expected<Input, std::string> input_of(const Json& json) {
  Input input{.test_case = text_in(json, "case")};
  if (input.test_case.empty()) return tl::unexpected(std::string("an input names no case"));
  const auto edits = json.find("edits");
  if (edits == json.end() || !edits->is_array() || edits->size() > kMostEditsRead)
    return tl::unexpected(
        fmt::format("input of {}: 'edits' is no list of at most {}", input.test_case, kMostEditsRead));
  for (const Json& one : *edits) {
    auto edit = edit_of(one);
    if (!edit) return tl::unexpected(edit.error());
    input.edits.push_back(std::move(*edit));
  }
  return input;
}

Json to_json(const Entry& entry) {
  Json features = Json::array(), stimuli = Json::array(), heard = Json::array();
  for (const std::uint64_t one : entry.features) features.push_back(fmt::format("{:016x}", one));
  for (const OctetBuffer& one : entry.stimuli) stimuli.push_back(to_hex(one));
  for (const OctetBuffer& one : entry.heard) heard.push_back(to_hex(one));
  return {{"run", entry.run},
          {"input", to_json(entry.input)},
          {"features", features},
          {"stimuli", stimuli},
          {"heard", heard}};
}

tl::expected<Entry, std::string> entry_of(const Json& json) {
  if (!json.is_object() || !json.contains("input")) return tl::unexpected(std::string("there is no input"));
  auto input = input_of(json["input"]);
  if (!input) return tl::unexpected(input.error());
  Entry entry{.input = std::move(*input), .run = count_in(json, "run"), .features = {}};
  const auto lines = [&](const char* name) {
    std::vector<std::string> texts;
    if (const auto found = json.find(name); found != json.end() && found->is_array())
      for (const Json& one : *found)
        if (one.is_string()) texts.push_back(one.get<std::string>());
    return texts;
  };
  for (const std::string& one : lines("features"))
    if (const auto octets = from_hex(one); octets && octets->size() == 8)
      entry.features.push_back(load_big_endian<std::uint64_t>(octets->data()));
  for (const auto& [name, messages] : {std::pair{"stimuli", &entry.stimuli}, std::pair{"heard", &entry.heard}})
    for (const std::string& one : lines(name)) {
      auto octets = from_hex(one);
      if (!octets) return tl::unexpected(fmt::format("a message of its '{}' has no hexadecimal digits", name));
      messages->push_back(std::move(*octets));
    }
  return entry;
}

tl::expected<Json, std::string> read_json(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed) return tl::unexpected(fmt::format("{}: {}", path, failed.message()));
  if (size > kMostFile) return tl::unexpected(fmt::format("{}: is larger than {} octets", path, kMostFile));
  std::string text(static_cast<std::size_t>(size), '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(text.data(), static_cast<std::streamsize>(size)))
    return tl::unexpected(fmt::format("{}: cannot be read", path));
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) return tl::unexpected(fmt::format("{}: is no JSON object", path));
  return json;
}

tl::expected<void, std::string> write_text(const std::string& path, std::string_view text) {
  auto out = Output::to_file(path);
  if (!out) return tl::unexpected(out.error());
  out->put(text);
  return out->commit();
}

tl::expected<void, std::string> write_json(const std::string& path, const Json& json) {
  return write_text(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace wirelaw::campaign

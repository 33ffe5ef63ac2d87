// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/started_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostOutput = 256u << 10;

std::string quoted(const std::string& path) {
  std::string text = "'";
  for (const char c : path) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

template <class Int>
std::optional<Int> number_of(std::string_view text) {
  Int value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && rest != text.data() ? std::optional(value) : std::nullopt;
}

// The process group: the third field after the name. The name is in brackets and may contain anything.
std::optional<int> group_of(const fs::path& process) {
  std::ifstream in(process / "stat");
  std::string line;
  std::getline(in, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state, parent, group;
  fields >> state >> parent >> group;
  return state == "Z" ? std::nullopt : number_of<int>(group);  // a zombie counts as gone
}

std::uint64_t resident_octets(const fs::path& process) {
  std::ifstream in(process / "statm");
  std::uint64_t all = 0, resident = 0;
  in >> all >> resident;
  return in ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::uint64_t descriptors(const fs::path& process) {
  std::error_code failed;
  std::uint64_t count = 0;
  for (fs::directory_iterator one(process / "fd", failed), end; !failed && one != end; one.increment(failed)) ++count;
  return count;
}

// --- reports

constexpr std::array<std::string_view, 6> kMarks{
    "ERROR: AddressSanitizer: ",  "ERROR: LeakSanitizer: ", "WARNING: ThreadSanitizer: ",
    "WARNING: MemorySanitizer: ", "runtime error: ",        "ERROR: UndefinedBehaviorSanitizer: "};

constexpr std::string_view kDigits = "0123456789";

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// "0x7f12 (/usr/lib/libefa.so.1+0x6f2c)"
std::optional<std::string> place_in_module(std::string_view frame) {
  const std::size_t begin = frame.find(" ("), end = frame.find(')');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  std::string_view place = frame.substr(begin + 2, end - begin - 2);
  if (place.find("+0x") == std::string_view::npos) return std::nullopt;
  place = place.substr(place.find_last_of('/') + 1);
  return std::string(place);
}

// "    #1 0x55d0 in decode(char const*) /src/decode.c:12:3" has the function "decode", and so has what TSan writes: "
// #1 decode(char const*) /src/decode.c:12 (server+0x55d0)". If the function is unknown, as in "    #1 0x7f12
// (/usr/lib/libefa.so.1+0x6f2c) (BuildId: …)", its place is its name: "libefa.so.1+0x6f2c".
std::optional<std::string> function_of(std::string_view line) {
  const std::size_t hash = line.find_first_not_of(' ');
  if (hash == std::string_view::npos || line[hash] != '#') return std::nullopt;
  const std::size_t number_end = line.find_first_not_of(kDigits, hash + 1);
  if (number_end == hash + 1 || number_end == std::string_view::npos) return std::nullopt;
  std::string_view name = line.substr(std::min(line.find_first_not_of(' ', number_end), line.size()));
  if (name.starts_with("0x")) {
    const std::size_t in = name.find(" in ");
    if (in == std::string_view::npos) return place_in_module(name);
    name.remove_prefix(in + 4);
  }
  name = name.substr(0, name.find_first_of(" (<"));
  return name.empty() ? std::nullopt : std::optional(std::string(name));
}

// Returns the place without the path of the build: "decode.c:12:3" for "/src/decode.c:12:3: runtime error: …".
std::string place_before(std::string_view line, std::size_t mark) {
  std::string_view place = line.substr(0, mark);
  if (!place.ends_with(": ")) return {};
  place.remove_suffix(2);
  return std::string(place.substr(place.find_last_of("/ ") + 1));
}

// True for frames in the sanitizer itself, and in a C library without symbols. They do not identify the fault.
bool says_nothing(std::string_view function) {
  return function.starts_with("libc.so") || function.starts_with("__asan") || function.starts_with("__interceptor") ||
         function.starts_with("__sanitizer") || function.starts_with("__ubsan");
}

// "12 bytes at 0x7f3a" has another number each time, whose letters belong to it; "uint32_t" is a name.
std::string without_numbers(std::string_view text) {
  text = text.substr(0, text.find(" on "));
  std::string words;
  while (!text.empty()) {
    const bool is_word = is_alphanumeric(text.front()) || text.front() == '_';
    const auto end = std::ranges::find_if(text, [](char c) { return !is_alphanumeric(c) && c != '_'; });
    const std::string_view part = text.substr(0, is_word ? static_cast<std::size_t>(end - text.begin()) : 1);
    if (kDigits.find(part.front()) == std::string_view::npos) words += part;
    text.remove_prefix(part.size());
  }
  return words;
}

}  // namespace

void StartedProcess::remove_files(const std::string& folder) {
  std::error_code ignored;
  for (const char* name : {"/peer.pid", "/peer.err"}) fs::remove(folder + name, ignored);
}

StartedProcess::StartedProcess(const std::string& folder)
    : number_(folder + "/peer.pid"), output_(folder + "/peer.err") {
  begin();
}

std::string StartedProcess::wrapped(const std::string& command) const {
  return fmt::format("echo $$ >{}; {{ {}\n}} 2>>{}", quoted(number_), command, quoted(output_));
}

void StartedProcess::begin() {
  std::ofstream(output_, std::ios::trunc);
}

std::string StartedProcess::output() const {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(output_, failed);
  std::ifstream in(output_, std::ios::binary);
  if (!failed && size > kMostOutput) in.seekg(static_cast<std::streamoff>(size - kMostOutput));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<StartedProcess::Use> StartedProcess::use() const {
  std::ifstream in(number_);
  std::string line;
  std::getline(in, line);
  const auto group = number_of<int>(line);
  if (!group) return std::nullopt;
  Use use;
  bool any = false;
  std::error_code failed;
  for (fs::directory_iterator one("/proc", failed), end; !failed && one != end; one.increment(failed)) {
    const std::string name = one->path().filename().string();
    if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (group_of(one->path()) != group) continue;
    any = true;
    use.resident_octets += resident_octets(one->path());
    use.descriptors = std::max(use.descriptors, descriptors(one->path()));
  }
  return any ? std::optional(use) : std::nullopt;
}

namespace {

constexpr std::size_t kFrames = 3;

// Joins the innermost frames in the order of their lines.
class Frames {
 public:
  void take(std::string_view line) {
    const auto function = function_of(line);
    if (!function || count_ >= kFrames || says_nothing(*function)) return;
    text_ += (count_++ == 0 ? "" : " < ") + *function;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace

std::string stack_in(const std::string& output) {
  std::istringstream in(output);
  Frames frames;
  for (std::string line; std::getline(in, line);)  // any text may have a line that begins with a number
    if (line.find(" 0x") != std::string::npos) frames.take(line);
  return frames.text();
}

std::optional<SanitizerReport> sanitizer_report(const std::string& output) {
  constexpr std::size_t kLines = 60;
  std::istringstream in(output);
  std::optional<SanitizerReport> report;
  std::string place;
  Frames frames;
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line) && lines < kLines;) {
    if (!report) {
      const auto mark =
          std::ranges::find_if(kMarks, [&](std::string_view one) { return line.find(one) != std::string::npos; });
      if (mark == kMarks.end()) continue;
      std::size_t at = line.find(*mark);
      place = place_before(line, at);
      if (const std::size_t kind = mark->find(": "); kind + 2 < mark->size()) at += kind + 2;
      report = SanitizerReport{.what = without_numbers(std::string_view(line).substr(at)), .frames = {}, .text = {}};
    }
    report->text += line + '\n';
    ++lines;
    frames.take(line);
  }
  if (report) report->frames = frames.text().empty() ? place : frames.text();
  return report;
}

}  // namespace wirelaw::campaign

// SPDX-License-Identifier: Apache-2.0
// Replays inputs through a fuzz target. It replaces the fuzzing engine in an ordinary build.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.h"

namespace {

namespace fs = std::filesystem;

struct Counts {
  std::size_t inputs = 0;
  std::size_t octets = 0;
  std::size_t unreadable = 0;
};

// Copies the input into memory of exactly its size, so that a sanitizer detects a read past its end.
void replay(const std::string& name, const std::string& text, Counts& counts) {
  std::vector<std::uint8_t> octets(text.begin(), text.end());
  octets.shrink_to_fit();
  std::fprintf(stderr, "%s\n", name.c_str());  // before the run, so that the name precedes a crash
  LLVMFuzzerTestOneInput(octets.data(), octets.size());
  ++counts.inputs;
  counts.octets += octets.size();
}

void refuse(const std::string& name, const std::string& reason, Counts& counts) {
  std::fprintf(stderr, "%s: cannot be read: %s\n", name.c_str(), reason.c_str());
  ++counts.unreadable;
}

void replay_file(const fs::path& path, Counts& counts) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad()) return refuse(path, "check the name and its permissions", counts);
  replay(path, text, counts);
}

void replay_directory(const fs::path& path, Counts& counts) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (at->is_regular_file()) files.push_back(at->path());
  if (error) return refuse(path, error.message(), counts);
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) replay_file(file, counts);
}

void replay_argument(const std::string& argument, Counts& counts) {
  if (argument == "-") return replay(argument, {std::istreambuf_iterator<char>(std::cin), {}}, counts);
  std::error_code error;
  const fs::file_status status = fs::status(argument, error);
  if (fs::is_directory(status)) return replay_directory(argument, counts);
  replay_file(argument, counts);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FILE|DIRECTORY|-...\nReplays each input; a directory stands for its files.\n",
                 argv[0]);
    return 2;
  }
  Counts counts;
  for (int i = 1; i < argc; ++i) replay_argument(argv[i], counts);
  std::printf("%zu inputs, %zu octets, %zu unreadable\n", counts.inputs, counts.octets, counts.unreadable);
  return counts.unreadable == 0 ? 0 : 2;
}

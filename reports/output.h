// SPDX-License-Identifier: Apache-2.0
// The destination of a report: memory, a descriptor such as standard output, or a file that appears complete or not at
// all.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace wirelaw {

class Output {
 public:
  using Outcome = tl::expected<void, std::string>;  // the error is one line that names the output

  static Output to_memory();
  // The caller keeps the descriptor. `name` is for messages: "standard output".
  static Output to_descriptor(int descriptor, std::string name);
  // Writes a temporary file next to `path` and renames it on commit(). So readers never see half a report, and a full
  // disk leaves the previous file unchanged. If `path` is no regular file (a device, a pipe), it is written directly.
  static tl::expected<Output, std::string> to_file(const std::string& path);

  Output(Output&& from) noexcept;
  Output& operator=(Output&&) = delete;
  ~Output();  // without commit(), leaves no file

  // After the first error nothing more is written; commit() reports it.
  void put(std::string_view text);
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    print_args(format, fmt::make_format_args(args...));
  }
  bool failed() const { return error_ != 0; }
  bool is_descriptor_of_caller() const { return descriptor_ >= 0 && !owns_; }
  // Passes everything to the system, unless an error occurred. A file does not appear yet.
  Outcome sync();
  Outcome commit();

  const std::string& text() const { return buffer_; }  // what was written to memory

 private:
  static constexpr std::size_t kBuffer = 1 << 16;

  Output(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  void print_args(fmt::string_view format, fmt::format_args args);
  void flush();
  void synchronise();
  void close();
  Outcome finish_file();

  int descriptor_ = -1;
  bool owns_ = false;
  int error_ = 0;          // errno of the first failure
  std::string name_;       // as the user named it
  std::string target_;     // what the temporary file becomes, links resolved; empty if there is none
  std::string temporary_;  // empty once it is renamed or removed
  std::string buffer_;
};

}  // namespace wirelaw

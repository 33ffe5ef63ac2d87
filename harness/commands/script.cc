// SPDX-License-Identifier: Apache-2.0
// wirelaw script: checks script files, lists what a protocol adds to the language, and writes captures of scripts and
// what editors need to highlight them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "conformance/script/conversation.h"
#include "conformance/script/languages.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/options.h"
#include "harness/script/editor_files.h"
#include "harness/script/script_capture.h"
#include "harness/script/script_cases.h"
#include "harness/script/script_file.h"
#include "harness/script/script_marks.h"
#include "reports/printable.h"
#include "reports/text_style.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    R"(Examples:
  wirelaw script check overdrawn.wirelaw            is it right, and judged as its lines are marked?
  wirelaw script list ramcloud                      messages, and words for times
  wirelaw script list efa CTS                       the fields of a message, with an honest sender's values
  wirelaw script capture lost-ack.wirelaw -o a.pcapng
  wirelaw script editor vim -o ~/.vim
  wirelaw script editor vscode -o ~/.vscode/extensions/wirelaw
  wirelaw check lost-ack.wirelaw                    judges it as a capture
  wirelaw test ramcloud udp://HOST:PORT --script lost-ack.wirelaw

Exit status: 0 every file is right and judged as marked; 1 some file is judged otherwise; 2 a file that is no script,
wrong use, or output that could not be written.
)";

struct ScriptCommand {
  std::string what;
  std::vector<std::string> arguments;
  std::string output;
};

std::string_view name_of(const ScriptPart& part) {
  return part.part.name.empty() ? std::string_view("the script") : std::string_view(part.part.name);
}

int check(const ScriptCommand& command) {
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  ExitStatus status = ExitStatus::passed;
  std::optional<int> misused;
  for (const std::string& path : command.arguments) {
    const auto file = read_script(path);
    if (!file) {  // the other files are checked all the same
      misused = complain(file.error());
      continue;
    }
    std::set<std::string> complaints;  // several parts may share a line that is wrong
    for (const ScriptPart& part : file->parts) {
      auto differences = differences_from_marks(*file, part);
      if (!differences) {
        if (complaints.insert(differences.error()).second) misused = complain(differences.error());
        continue;
      }
      if (auto trouble = trouble_with_case(*file, part)) differences->push_back(std::move(*trouble));
      for (const std::string& one : *differences) out.print("{}\n", printable(one));
      if (differences->empty())
        out.print("{}: {} is judged as it is marked\n", printable(path), printable(name_of(part)));
      else
        status = ExitStatus::failed;
    }
  }
  return finish(out, misused.value_or(static_cast<int>(status)));
}

// A line that contains only the message.
class NoWishes : public script::Wishes {
 public:
  std::optional<std::uint64_t> number(std::string_view) const override { return std::nullopt; }
  std::optional<Octets> octets(std::string_view) const override { return std::nullopt; }
  bool names(std::string_view) const override { return false; }
};

std::string_view kind_word(script::FieldKind kind) {
  switch (kind) {
    case script::FieldKind::free:
      return "";
    case script::FieldKind::derived:
      return ", derived from other octets";
    case script::FieldKind::bound:
      return ", chosen by one side";
    case script::FieldKind::padding:
      return ", padding";
  }
  return "";
}

std::string place_of(const script::Located& field) {
  if (field.bits == 0 || field.bits == field.length * 8)
    return field.length == 1 ? fmt::format("octet {}", field.offset)
                             : fmt::format("octets {}-{}", field.offset, field.offset + field.length - 1);
  const std::string bits = field.bits == 1 ? fmt::format("bit {}", field.shift)
                                           : fmt::format("bits {}-{}", field.shift, field.shift + field.bits - 1);
  return fmt::format("{} of octet{} {}", bits, field.length == 1 ? "" : "s",
                     field.length == 1 ? fmt::format("{}", field.offset)
                                       : fmt::format("{}-{}", field.offset, field.offset + field.length - 1));
}

std::string value_of(const script::Language& language, Octets message, const script::Located& field) {
  if (const auto number = get(message, field, language.big_endian))
    return field.is_hex ? fmt::format("0x{:x}", *number) : fmt::format("{}", *number);
  return fmt::format("{} octets", field.length);
}

// The fields of what carries the message in a stream.
void list_frame(const script::Language& language, script::Framing& framing, Side side, Octets message, Output& out) {
  const std::vector<OctetBuffer> segments = framing.segments(side, message);
  const auto frame = framing.wrap(side, segments.front());
  if (!frame) return;
  const std::vector<script::Located> fields = framing.locate(side, *frame);
  if (!fields.empty()) out.print("  / {}\n", language.layers.frame);
  for (const script::Located& field : fields)
    out.print("  {:<28} {:<20} {}{}\n", field.name, value_of(language, *frame, field), place_of(field),
              kind_word(field.kind));
}

// The parts of a message besides its fields.
void list_wishes(const script::Language& language, Output& out) {
  for (const script::MessageRow& row : language.wishes) out.print("  {:<20} {}\n", row.name, row.text);
  if (!language.is_stream()) return;
  const script::Layers& layers = language.layers;
  if (!layers.segment.empty())
    out.print("  {:<20} the segments of the message, or the n-th\n", fmt::format("/ {0}, / {0}[n]", layers.segment));
  if (!layers.frame.empty())
    out.print("  {:<20} what carries each of them\n", fmt::format("/ {0}, / {0}[n]", layers.frame));
  out.print("  {:<20} the pieces of the stream: split and more\n", "/ tcp");
}

int list_fields(const script::Language& language, const script::MessageRow& row, Output& out) {
  auto speech = language.speech(script::sample_addresses());
  const auto framing = language.is_stream() ? language.framing() : nullptr;
  for (const script::Greeting& greeting : language.greetings) {
    const auto octets = speech->next(greeting.sender, greeting.message, NoWishes());
    if (!octets) continue;
    speech->heard(greeting.sender, *octets);
    const auto frame =
        framing == nullptr ? tl::expected<OctetBuffer, std::string>() : framing->wrap(greeting.sender, *octets);
    if (framing != nullptr && frame) framing->passed(greeting.sender, *frame, *octets);
  }
  std::vector<std::string> before;
  for (const Side side : {Side::a, Side::b}) {
    const auto message = speech->next(side, row.name, NoWishes());
    if (!message) continue;
    const std::vector<script::Located> fields = language.locate(*message);
    std::vector<std::string> names;
    for (const script::Located& field : fields) names.push_back(field.name);
    if (names == before) continue;  // both sides send it, and it looks the same
    before = std::move(names);
    out.print("{} {}: {}\n", side == Side::a ? 'a' : 'b', row.name, row.text);
    for (const script::Located& field : fields)
      out.print("  {:<28} {:<20} {}{}\n", field.name, value_of(language, *message, field), place_of(field),
                kind_word(field.kind));
    if (framing != nullptr) list_frame(language, *framing, side, *message, out);
  }
  out.print("  Beside these:\n");
  list_wishes(language, out);
  return finish(out);
}

int list(const ScriptCommand& command) {
  if (command.arguments.size() > 2) return complain("script list: takes a protocol and at most one message");
  const auto protocol = protocol_named(command.arguments.front(), "");
  if (!protocol) return complain(protocol.error());
  const script::Language* const language = script::language_of(**protocol);
  if (language == nullptr)
    return complain(fmt::format("scripts cannot say conversations of {} yet", (*protocol)->title));
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  if (command.arguments.size() == 2) {
    const std::string& message = command.arguments.back();
    const script::MessageRow* const row = find_message(*language, message);
    if (row != nullptr) return list_fields(*language, *row, out);
    std::vector<std::string_view> names;
    for (const script::MessageRow& one : language->messages()) names.push_back(one.name);
    const std::string hint = script::nearest(message, names);
    return complain(fmt::format("{} has no message '{}'{}{}", (*protocol)->title, printable(message),
                                hint.empty() ? "" : "; ", hint));
  }
  out.print("Side a is the {}, side b the {}.\n\nMessages:\n", (*protocol)->initiator, (*protocol)->responder);
  for (const script::MessageRow& row : language->messages()) out.print("  {:<20} {}\n", row.name, row.text);
  out.print("\nBeside its fields, a message takes:\n");
  list_wishes(*language, out);
  if (!language->timers.empty()) out.print("\nTimes:\n");
  for (const script::TimerRow& row : language->timers)
    out.print("  {:<20} {} ms, {}\n", row.name, row.nanoseconds / 1'000'000, row.text);
  out.print("\nUnless a script is `bare`, it begins with:\n");
  for (const script::Greeting& one : language->greetings)
    out.print("  {} {}\n", one.sender == Side::a ? 'a' : 'b', one.message);
  return finish(out);
}

int capture(const ScriptCommand& command) {
  if (command.arguments.size() != 1) return complain("script capture: takes one FILE");
  if (command.output.empty()) return complain("script capture: name the capture with -o");
  const auto file = read_script(command.arguments.front());
  if (!file) return complain(file.error());
  if (file->parts.size() != 1)
    return complain(
        fmt::format("{}: a capture holds one conversation, and this file has {}", file->path, file->parts.size()));
  const ScriptPart& part = file->parts.front();
  const auto conversation = script::speak(part.part, *part.language);
  if (!conversation) return complain(one_line(conversation.error(), file->path));
  if (const auto frames = write_capture(*conversation, part, command.output); !frames) return complain(frames.error());
  return static_cast<int>(ExitStatus::passed);
}

int write_editor_files(const ScriptCommand& command) {
  const std::string& name = command.arguments.front();
  const std::vector<EditorFile> files = editor_files(name);
  if (command.arguments.size() != 1 || files.empty())
    return complain(fmt::format("script editor: takes one of {}", fmt::join(known_editors(), ", ")));
  if (command.output.empty()) return complain("script editor: name the folder with -o, such as ~/.vim");
  for (const EditorFile& file : files) {
    const std::filesystem::path path = std::filesystem::path(command.output) / file.path;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) return complain(fmt::format("{}: {}", printable(path.parent_path().string()), error.message()));
    auto out = Output::to_file(path.string());
    if (!out) return complain(out.error());
    out->put(file.text);
    if (const int status = finish(*out); status != 0) return status;
  }
  return static_cast<int>(ExitStatus::passed);
}

int run(const ScriptCommand& command) {
  if (command.what == "check") return check(command);
  if (command.what == "editor") return write_editor_files(command);
  return command.what == "list" ? list(command) : capture(command);
}

}  // namespace

void add_script(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand(
      "script", "Check scripts, list what they may say, write captures of them, highlight them in editors");
  auto command = std::make_shared<ScriptCommand>();  // lives as long as the callback that CLI11 copies
  add_option(
      *app, "what", command->what,
      "check: compare what is found in scripts with their marks; list: list the messages of a protocol, or the "
      "fields of one message; capture: write the conversation of a script as a pcapng capture; editor: write what Vim "
      "or Visual Studio Code needs to highlight scripts")
      ->required()
      ->type_name("check|list|capture|editor")
      ->check(one_of({"check", "list", "capture", "editor"}));
  add_option(*app, "ARGUMENT", command->arguments,
             "Scripts; for list, a protocol and possibly a message; for editor, vim or vscode")
      ->required()
      ->type_name("FILE");
  add_option(*app, "-o,--output", command->output,
             "For capture: the file; - means standard output. For editor: the folder")
      ->type_name("FILE");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw

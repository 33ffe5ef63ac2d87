// SPDX-License-Identifier: Apache-2.0
// Compares the codec of UMSP with a decoder that was written from the document alone (second_decoder). For the same
// stream, both report the same instructions, headers, inheritance, extension headers and places of operands. Names of
// operands are not compared, because the document defines none.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include "pcap/frame_builder.h"
#include "pcap/temporary_directory.h"
#include "reference/umsp/example.h"
#include "reference/umsp/instruction.h"
#include "reference/umsp/operands.h"

namespace wirelaw::corpora {
namespace {

using namespace umsp;
using Lines = std::vector<std::string>;

// --- our codec

class Account {
 public:
  explicit Account(Octets stream) : stream_(stream) {}

  Lines take() && {
    while (begin_ < stream_.size()) {
      const auto instruction = decode(stream_.subspan(begin_));
      if (!instruction) break;
      add(*instruction);
      begin_ += static_cast<std::size_t>(instruction->octets());
      ++index_;
    }
    return std::move(lines_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    lines_.push_back(fmt::format("{} ", index_) + fmt::format(format, std::forward<Values>(values)...));
  }
  static std::string text(std::optional<std::uint32_t> value) { return value ? std::to_string(*value) : "-"; }

  void add(const Instruction& one) {
    const OperandView view = locate(one);
    line("instruction {} {}", begin_, one.octets());
    add_header(one.header);
    add_membership(one.header);
    for (std::size_t i = 0; i < one.extensions.size(); ++i)
      add_extension(one.extensions[i], i, begin_ + static_cast<std::size_t>(one.offset_of_extension(i)));
    if (view.flaw == OperandFlaw::unknown_code) return line("unassigned");
    const bool in_place = !view.flaw || *view.flaw == OperandFlaw::padding ||
                          *view.flaw == OperandFlaw::address;  // a flaw in values only
    // The decoders disagree if only one of them counts a length as an error: the document prints the length, or all
    // operands are in place, but their number is not one that the document lists.
    const Layout& layout = *layout_of(one);
    const std::uint16_t words = one.header.opr_length;
    if (!layout.length.contains(words) && (in_place || layout.printed.contains(words))) return line("disputed");
    if (!in_place) return line("misfit");
    for (const Located& located : view.operands)
      add_operand(located, begin_ + static_cast<std::size_t>(one.offset_of_operands()) + located.offset);
  }

  void add_header(const Header& header) {
    const std::uint32_t values[] = {
        header.opcode,     header.ask,          static_cast<std::uint32_t>(header.pck),
        header.chn,        header.ext,          header.extended ? std::uint32_t{kExtendedLength} : header.opr_length,
        header.opr_length, header.chain_number, header.instr_number,
        header.session_id, header.req_id};
    for (std::size_t i = 0; i < std::size(values); ++i)
      if (const auto place = find_field(header, static_cast<HeaderField>(i)))
        line("{} {} {} {}", header_fields()[i].name, begin_ + place->offset, place->length, values[i]);
  }

  void add_membership(const Header& header) {
    const Membership membership = follow(header, context_);
    line("effective_session_id - 0 {}", text(membership.session_id));
    const auto& chain = membership.chain;
    line("effective_chain_number - 0 {}", chain ? std::to_string(chain->chain_number) : "-");
    line("effective_instr_number - 0 {}", chain ? std::to_string(chain->instr_number) : "-");
  }

  void add_extension(const ExtensionHeader& header, std::size_t number, std::size_t at) {
    const std::size_t flags = at + (header.hxt ? 4 : 1);
    const std::string name = fmt::format("ext_header[{}]", number);
    line("{}.hxt {} 1 {}", name, at, int{header.hxt});
    line("{}.hsl {} 1 {}", name, flags, int{header.hsl});
    line("{}.hob {} 1 {}", name, flags, int{header.hob});
    line("{}.hrz {} 1 {}", name, flags, int{header.hrz});
    if (header.hxt) line("{}.reserved {} 2 {}", name, at + 6, header.reserved);
    line("{}.effective_head_length - 0 {}", name, header.head_length);
    line("{}.effective_head_code - 0 {}", name, header.head_code);
    if (!header.data.empty()) line("{}.data {} {}", name, at + header.head_octets(), header.data.size());
  }

  // A list is compared by its elements. The control profile is compared by its parts, which the other decoder reports
  // as separate fields.
  void add_operand(const Located& located, std::size_t at) {
    if (located.row->operand == Operand::control_profile) {
      for (const BitRow& bit : describe(Operand::control_profile).bits)
        line("operand {} {}", at + bit.first / 8, (bit.width + 7) / 8);
    } else if (!located.row->element.empty()) {
      for (std::size_t end = at + located.length; at < end;)
        for (const OperandRow& row : located.row->element) {
          line("operand {} {}", at, row.octets);
          at += row.octets;
        }
    } else if (located.length > 0) {
      line("operand {} {}", at, located.length);
    }
  }

  Octets stream_;
  Context context_;
  std::size_t begin_ = 0, index_ = 0;
  Lines lines_;
};

// --- the second decoder

enum class Kind { dropped, kept, data, operand, problem, unassigned };

// Classifies a line of the second decoder by its name; a flaw by its value.
Kind kind_of(std::string_view name, std::string_view value) {
  static const std::set<std::string_view> kHeader{
      "opcode",         "ask",          "pck",          "chn",        "ext",   "opr_length",
      "opr_length_ext", "chain_number", "instr_number", "session_id", "req_id"};
  static const std::set<std::string_view> kOfExtension{
      "hxt", "hsl", "hob", "hrz", "effective_head_length", "effective_head_code"};
  if (name == "instruction") return Kind::kept;
  if (name == "error") return Kind::problem;
  if (name == "flaw") return value == "unknown_opcode" ? Kind::unassigned : Kind::dropped;
  if (kHeader.contains(name) || name.starts_with("effective_")) return Kind::kept;
  const std::string_view last = name.substr(name.rfind('.') + 1);
  if (name.starts_with("ext_header[")) {
    if (last == "data") return Kind::data;
    // _BEGIN_TR has a "reserve" field in its data, while RESERVED is only in the head.
    return kOfExtension.contains(last) || last == "reserved" ? Kind::kept : Kind::dropped;
  }
  if (name == "padding" || name == "data_padding") return Kind::dropped;
  const bool part = name.find('.') != std::string_view::npos && !name.starts_with("vm[");
  return part ? Kind::dropped : Kind::operand;
}

// One instruction from the second decoder.
struct Theirs {
  Lines lines, operands;
  bool problem = false, unassigned = false;
};

void finish(Theirs& one, const std::string& index, Lines& all) {
  all.insert(all.end(), one.lines.begin(), one.lines.end());
  if (one.unassigned)
    all.push_back(index + " unassigned");
  else if (one.problem)
    all.push_back(index + " misfit");
  else
    all.insert(all.end(), one.operands.begin(), one.operands.end());
  one = {};
}

void add(Theirs& one, const std::string& index, const std::string& name, std::istringstream& rest) {
  std::string offset, length, value;
  rest >> offset >> length >> value;
  switch (kind_of(name, value)) {
    case Kind::kept:
      one.lines.push_back(fmt::format("{} {} {} {}", index, name, offset, length) +
                          (name == "instruction" ? "" : " " + value));
      break;
    case Kind::data:
      one.lines.push_back(fmt::format("{} {} {} {}", index, name, offset, length));
      break;
    case Kind::operand:
      one.operands.push_back(fmt::format("{} operand {} {}", index, offset, length));
      break;
    case Kind::problem:
      one.problem = true;
      break;
    case Kind::unassigned:
      one.unassigned = true;
      break;
    case Kind::dropped:
      break;
  }
}

Lines theirs(const OctetBuffer& stream) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string output = pcap::testing::run(
      fmt::format("python3 -B {}/corpora/second_decoder/umsp_second_decoder.py --stream --lines < {} 2>&1",
                  WIRELAW_SOURCE_DIR, directory.write("stream", stream)));
  Lines lines;
  Theirs one;
  std::string current;
  std::istringstream in(output);
  for (std::string text; std::getline(in, text);) {
    std::istringstream words(text);
    std::string index, name;
    words >> index >> name;
    if (index != current && !current.empty()) finish(one, current, lines);
    current = index;
    add(one, index, name, words);
  }
  finish(one, current, lines);
  return lines;
}

// For instructions whose length is disputed, ignores what either decoder prints about the operands.
void settle(Lines& we, Lines& they) {
  std::set<std::string> disputed;
  for (const std::string& line : we)
    if (line.ends_with(" disputed")) disputed.insert(line.substr(0, line.find(' ')));
  for (Lines* lines : {&we, &they})
    std::erase_if(*lines, [&](const std::string& line) {
      const std::size_t at = line.find(' ') + 1;
      const bool of_operands = line.compare(at, 8, "operand ") == 0 || line.compare(at, 6, "misfit") == 0 ||
                               line.compare(at, 8, "disputed") == 0;
      return of_operands && disputed.contains(line.substr(0, at - 1));
    });
}

void compare(const OctetBuffer& stream, std::size_t instructions) {
  Lines we = Account(stream).take(), they = theirs(stream);
  settle(we, they);
  EXPECT_GT(they.size(), instructions * 9) << "the second decoder has something to say";
  const auto [mine, other] = std::ranges::mismatch(we, they);
  const auto some = [](const Lines& lines, auto at) {
    std::string text;
    at -= std::min<std::ptrdiff_t>(at - lines.begin(), 16);
    for (std::size_t i = 0; i < 20 && at != lines.end(); ++i, ++at) text += *at + '\n';
    return text;
  };
  EXPECT_TRUE(mine == we.end() && other == they.end()) << "the codec says\n"
                                                       << some(we, mine) << "where the second decoder says\n"
                                                       << some(they, other);
}

// --- the streams

std::vector<OctetBuffer> examples() {
  std::vector<OctetBuffer> messages;
  for (const Layout& layout : all_layouts())
    for (const ExampleShape shape : {ExampleShape::bare, ExampleShape::full})
      messages.push_back(example_instruction(layout, shape));
  for (const ExtensionLayout& layout : all_extensions()) messages.push_back(example_extension(layout));
  return messages;
}

// Both decoders find its place in the stream, and it does not depend on how UMSP/A8 is read.
bool is_comparable(const OctetBuffer& octets) {
  const auto instruction = decode(octets);
  if (!instruction || instruction->octets() != octets.size()) return false;
  return instruction->header.pck != Pck::same_chain || !controls_chain(instruction->opcode());
}

class SecondDecoder : public ::testing::Test {
 protected:
  void SetUp() override {
    if (pcap::testing::run("python3 --version 2>/dev/null").empty()) GTEST_SKIP() << "python3 is not installed";
  }
};

TEST_F(SecondDecoder, AgreesOnEveryInstruction) {
  OctetBuffer stream;
  std::size_t count = 0;
  for (const OctetBuffer& octets : examples()) {
    stream.insert(stream.end(), octets.begin(), octets.end());
    ++count;
  }
  compare(stream, count);
}

TEST_F(SecondDecoder, AgreesOnInstructionsThatWereDamaged) {
  std::mt19937 random(3018);
  OctetBuffer stream;
  std::size_t count = 0;
  const std::vector<OctetBuffer> whole = examples();
  for (int round = 0; round < 12'000; ++round) {
    OctetBuffer octets = whole[random() % whole.size()];
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      Octet& octet = octets[random() % octets.size()];
      octet = random() % 2 == 0 ? static_cast<Octet>(octet ^ 1u << random() % 8) : static_cast<Octet>(random() % 6);
    }
    if (!is_comparable(octets)) continue;
    stream.insert(stream.end(), octets.begin(), octets.end());
    ++count;
  }
  EXPECT_GT(count, 6000u);
  compare(stream, count);
}

}  // namespace
}  // namespace wirelaw::corpora

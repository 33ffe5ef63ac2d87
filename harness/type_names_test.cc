// SPDX-License-Identifier: Apache-2.0
// Two headers may not define types of the same name in one namespace: no unit could include both, and a reader could
// not tell which of them is meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Returns the index after the literal that begins with the quote at `at`.
std::size_t after_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '"' && at > 0 && text[at - 1] == 'R') {
    const std::size_t open = text.find('(', at);
    const std::string end = ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"";
    return std::min(text.find(end, open), text.size() - end.size()) + end.size();
  }
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// The text without comments, literals and lines of the preprocessor.
std::string code_of(std::string_view text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    const bool separates_digits = text[at] == '\'' && at > 0 && is_word(text[at - 1]);
    if (text.substr(at, 2) == "//" || (begins_line && text[at] == '#')) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"' || (text[at] == '\'' && !separates_digits)) {
      at = after_literal(text, at);
    } else {
      code += text[at++];
    }
  }
  return code;
}

// The words of what precedes a brace, without template parameters. Ends at a base class or at a parenthesis.
std::vector<std::string> words_before_brace(std::string_view statement) {
  std::vector<std::string> words;
  int angles = 0;
  for (std::size_t at = 0; at < statement.size(); ++at) {
    const char c = statement[at];
    const bool qualifies = statement.substr(at, 2) == "::";
    if (c == '<') ++angles;
    if (c == '>') --angles;
    if (angles > 0 || c == '>') continue;
    if (c == '(' || (c == ':' && !qualifies)) break;
    if (is_word(c) || qualifies) {
      if (at == 0 || words.empty() || (!is_word(statement[at - 1]) && statement[at - 1] != ':')) words.emplace_back();
      words.back() += qualifies ? "::" : std::string(1, c);
      if (qualifies) ++at;
    }
  }
  return words;
}

// The name of the type that a brace begins to define. Empty if it begins something else, or a specialisation.
std::optional<std::string> defined_type(std::string_view statement) {
  const std::vector<std::string> words = words_before_brace(statement);
  const auto is_key = [](const std::string& word) {
    return word == "struct" || word == "class" || word == "enum" || word == "union";
  };
  const auto key = std::ranges::find_if(words, is_key);
  const auto name = std::find_if_not(key, words.end(), is_key);
  if (name == words.end() || name->find(':') != std::string::npos) return std::nullopt;
  const std::size_t end = statement.find(*name + "<");
  return end == std::string_view::npos ? std::optional(*name) : std::nullopt;
}

// The types that the text defines outside classes and functions, with their namespaces.
std::vector<std::string> types_of(std::string_view text) {
  const std::string code = code_of(text);
  std::vector<std::string> types;
  std::vector<std::optional<std::string>> scopes;  // the names of open namespaces; empty for other braces
  std::string statement;
  for (const char c : code) {
    if (c == '{') {
      const std::vector<std::string> words = words_before_brace(statement);
      const bool is_namespace = std::ranges::find(words, "namespace") != words.end();
      const bool only_namespaces = std::ranges::all_of(scopes, [](const auto& one) { return one.has_value(); });
      std::string path;
      for (const auto& scope : scopes) path += scope.value_or("") + "::";
      if (const auto type = defined_type(statement); type && only_namespaces) types.push_back(path + *type);
      scopes.push_back(is_namespace ? std::optional(words.back() == "namespace" ? "" : words.back()) : std::nullopt);
    } else if (c == '}' && !scopes.empty()) {
      scopes.pop_back();
    } else if (c != ';') {
      statement += c;
      continue;
    }
    statement.clear();
  }
  return types;
}

TEST(TypesOf, AreFoundWithTheirNamespaces) {
  EXPECT_THAT(types_of("namespace a::b {\nstruct One { int x = 0; };\nclass Two final : public One {};\n}"),
              ElementsAre("a::b::One", "a::b::Two"));
  EXPECT_THAT(types_of("namespace a { namespace b { enum class One : char { x, y }; } union Two {}; }"),
              ElementsAre("a::b::One", "a::Two"));
  EXPECT_THAT(types_of("namespace a { template <class T, class U = V<T>> struct One { T t; }; }"),
              ElementsAre("a::One"));
}

TEST(TypesOf, AreNotThoseInsideOthers) {
  EXPECT_THAT(types_of("namespace a { class One { struct Two {}; void f() { struct Three {}; } }; }"),
              ElementsAre("a::One"));
  EXPECT_THAT(types_of("namespace a { inline int f(struct One* one) { class Two {}; return 0; } }"), IsEmpty());
}

TEST(TypesOf, AreNotDeclarationsCommentsOrSpecialisations) {
  EXPECT_THAT(types_of("namespace a { struct One; class Two; enum class Three : int; }"), IsEmpty());
  EXPECT_THAT(types_of("// struct One {};\nconst char* text = \"struct Two {};\";\n#define X struct Three {};\n"),
              IsEmpty());
  EXPECT_THAT(types_of("template <> struct a::One<int> {}; namespace a { template <class T> struct One<T*> {}; }"),
              IsEmpty());
  EXPECT_THAT(types_of("constexpr int k = 1'000; constexpr char c = '{'; struct One {};"), ElementsAre("One"));
  EXPECT_THAT(types_of("auto a = R\"(struct Two { )\"; struct One {};"), ElementsAre("One"));
}

TEST(Types, OfOneNamespaceHaveDifferentNames) {
  std::map<std::string, std::string> header_of;
  for (const char* folder : {"reference", "conformance", "pcap", "harness", "reports", "corpora", "fuzz"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WIRELAW_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      const std::string text(std::istreambuf_iterator<char>(in), {});
      const std::string header = fs::relative(entry.path(), WIRELAW_SOURCE_DIR).string();
      for (const std::string& type : types_of(text)) {
        const auto [first, is_new] = header_of.try_emplace(type, header);
        EXPECT_TRUE(is_new || first->second == header) << type << " is in " << first->second << " and in " << header;
      }
    }
  EXPECT_GT(header_of.size(), 1000u) << "the types of the tree are found";
}

}  // namespace
}  // namespace wirelaw

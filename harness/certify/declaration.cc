// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/declaration.h"

#include <algorithm>
#include <cmath>

#include "reports/toml_fields.h"

namespace wirelaw {
namespace {

std::vector<std::string> names_of(std::span<const Feature> features) {
  std::vector<std::string> names;
  for (const Feature& one : features) names.emplace_back(one.name);
  return names;
}

// The error for a value that does not exist.
void expect_one_of(TomlFields& fields, std::string_view key, const std::string& value,
                   const std::vector<std::string>& known) {
  if (std::ranges::count(known, value) == 0)
    fields.fail(fields.line_of(key),
                fmt::format("{} is '{}', which is not one of: {}", key, printable(value),
                            known.empty() ? "nothing" : fmt::format("{}", fmt::join(known, ", "))));
}

class DeclarationReader {
 public:
  DeclarationReader(const std::string& file, const toml::table& document) : file_(file), document_(document) {}

  tl::expected<Declaration, std::string> read() {
    TomlFields top(file_, document_, "the file", error_);
    if (top.text("schema") != kDeclarationSchema)
      top.fail(1, fmt::format("does not say schema = \"{}\"", kDeclarationSchema));
    read_part(top, "implementation", true, &DeclarationReader::read_implementation);
    read_part(top, "conformance", true, &DeclarationReader::read_conformance);
    if (error_.empty()) read_part(top, "features", false, &DeclarationReader::read_features);
    if (error_.empty()) read_part(top, "parameters", false, &DeclarationReader::read_parameters);
    if (error_.empty()) read_part(top, "limits", false, &DeclarationReader::read_limits);
    if (error_.empty()) top.close();
    if (!error_.empty()) return tl::make_unexpected(error_);
    return std::move(declared_);
  }

 private:
  void read_part(TomlFields& top, std::string_view key, bool is_needed, void (DeclarationReader::*part)(TomlFields&)) {
    const toml::table* const table = top.table(key);
    if (table == nullptr && is_needed) top.fail(1, fmt::format("there is no [{}]", key));
    if (table == nullptr) return;
    TomlFields fields(file_, *table, fmt::format("[{}]", key), error_);
    (this->*part)(fields);
    fields.close();
  }

  void read_implementation(TomlFields& fields) {
    declared_.vendor = fields.text("vendor");
    declared_.product = fields.needed_text("product");
    declared_.version = fields.needed_text("version");
    declared_.contact = fields.text("contact");
  }

  void read_conformance(TomlFields& fields) {
    const std::string name = fields.needed_text("protocol");
    declared_.protocol = find_protocol(name);
    if (declared_.protocol == nullptr) {
      std::vector<std::string> known;
      for (const Protocol* one : protocols()) known.emplace_back(one->name);
      return expect_one_of(fields, "protocol", name, known);
    }
    declared_.revision = fields.text("revision");
    if (!declared_.revision.empty())
      expect_one_of(fields, "revision", declared_.revision, names_of(declared_.protocol->revisions));
    read_roles(fields);
    if (fields.has("application")) {
      declared_.application = fields.text("application");
      expect_one_of(fields, "application", declared_.application, applications_of(*declared_.protocol));
    }
  }

  void read_roles(TomlFields& fields) {
    const Protocol& protocol = *declared_.protocol;
    const std::vector<std::string> roles = fields.texts("roles");
    if (roles.empty()) fields.fail(fields.line_of("roles"), "[conformance] needs roles = [\"…\"]");
    for (const std::string& role : roles) {
      expect_one_of(fields, "roles", role, {std::string(protocol.responder), std::string(protocol.initiator)});
      const Role played = role == protocol.responder ? Role::responder : Role::initiator;
      if (declared_.plays(played))
        fields.fail(fields.line_of("roles"), fmt::format("roles has {} twice", printable(role)));
      declared_.roles.push_back(played);
    }
  }

  void read_features(TomlFields& fields) {
    for (const Feature& one : declared_.protocol->features)
      if (fields.flag(one.name).value_or(false)) declared_.features.emplace_back(one.name);
  }

  void read_parameters(TomlFields& fields) {
    for (const Feature& one : declared_.protocol->parameters) {
      const bool is_there = fields.has(one.name);
      std::string value = fields.value(one.name);
      if (is_there && value.empty())
        fields.fail(fields.line_of(one.name), fmt::format("[parameters] {} is empty; leave it out", one.name));
      if (is_there) declared_.parameters.emplace_back(one.name, std::move(value));
    }
  }

  void read_limits(TomlFields& fields) {
    constexpr double kLeast = 0.001, kMost = 1e6;
    for (const auto& [key, seconds] :
         {std::pair{"answer_time", &declared_.answer_time}, std::pair{"silence_time", &declared_.silence_time}}) {
      *seconds = fields.number(key).value_or(*seconds);
      if (!(*seconds >= kLeast && *seconds <= kMost))
        fields.fail(fields.line_of(key), fmt::format("[limits] {} is not between 0.001 and 1000000 seconds", key));
    }
  }

  const std::string& file_;
  const toml::table& document_;
  std::string error_;
  Declaration declared_;
};

}  // namespace

bool Declaration::plays(Role role) const {
  return std::ranges::count(roles, role) > 0;
}

bool Declaration::declares(std::string_view feature) const {
  return std::ranges::count(features, feature) > 0 ||
         std::ranges::any_of(parameters, [&](const auto& one) { return one.first == feature; });
}

tl::expected<Declaration, std::string> parse_declaration(const std::string& name, std::string_view toml) {
  const auto document = parse_toml(name, toml);
  if (!document) return tl::make_unexpected(document.error());
  return DeclarationReader(name, *document).read();
}

std::string_view word_of(const Protocol& protocol, Role role) {
  return role == Role::initiator ? protocol.initiator : protocol.responder;
}

std::vector<std::string> applications_of(const Protocol& protocol) {
  std::vector<std::string> words;
  for (std::string_view rest = protocol.applications; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

}  // namespace wirelaw

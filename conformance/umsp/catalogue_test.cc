// SPDX-License-Identifier: Apache-2.0
// Tests that the checks agree with the catalogue on how a breach can be seen.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "conformance/umsp/umsp.h"

namespace wirelaw::umsp {
namespace {

using testing::HasSubstr;

const std::filesystem::path kFolder = WIRELAW_SOURCE_DIR "/conformance/umsp";

std::set<std::string> ids_in(const std::filesystem::path& file, const std::regex& id) {
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::set<std::string> ids;
  for (std::sregex_iterator at(text.begin(), text.end(), id), end; at != end; ++at) ids.insert((*at)[1].str());
  return ids;
}

// Those of the files for which `wanted` returns true.
template <class Wanted>
std::set<std::string> ids_of_files(const std::regex& id, const Wanted& wanted) {
  std::set<std::string> ids;
  for (const auto& one : std::filesystem::recursive_directory_iterator(kFolder))
    if (one.path().extension() == ".cc" && wanted(one.path())) ids.merge(ids_in(one.path(), id));
  return ids;
}

// The rules that the checks of captures name. Cases and their probes have their own.
std::set<std::string> judged_in_captures() {
  static const std::regex kId("rule<\"([^\"]+)\">");
  return ids_of_files(kId, [](const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return !name.ends_with("_cases.cc") && !name.ends_with("_test.cc") && path.parent_path().filename() != "probes";
  });
}

std::set<std::string> reported_in_tests() {
  static const std::regex kId("\"(UMSP-[^ \"]+)[ \"]");
  return ids_of_files(kId, [](const std::filesystem::path& path) {
    return path.filename().string().ends_with("_test.cc") && path.filename() != "catalogue_test.cc";
  });
}

// A sample trace shows one connection, and proves each rule that is catalogued for traces. A rule that needs more
// nodes, or that shows only in some breaches, has a ruling with that remark and a test in which it is reported.
TEST(UmspCatalogue, WhatCapturesShowIsARuleOfTracesOrHasARulingAndATest) {
  const std::set<std::string> reported = reported_in_tests();
  const std::set<std::string> judged = judged_in_captures();
  EXPECT_GT(judged.size(), 400u);
  for (const std::string& id : judged) {
    const Rule* const rule = kProtocol.catalogue().find(id);
    ASSERT_NE(rule, nullptr) << id;
    if (rule->observable == Observable::trace) continue;
    EXPECT_EQ(rule->observable, Observable::stimulus) << id;
    EXPECT_THAT(std::string(rule->note), HasSubstr("UMSP/B")) << id << " cites no ruling";
    EXPECT_TRUE(reported.contains(id)) << id << " is reported in no test";
  }
}

TEST(UmspCatalogue, EachRuleOfTracesIsJudged) {
  const std::set<std::string> judged = judged_in_captures();
  for (const Rule* const rule : kProtocol.catalogue().rules()) {
    if (rule->observable == Observable::trace) {
      EXPECT_TRUE(judged.contains(std::string(rule->id))) << rule->id << " is named by no check";
    }
  }
}

}  // namespace
}  // namespace wirelaw::umsp

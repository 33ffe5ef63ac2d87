// SPDX-License-Identifier: Apache-2.0
// Who may include whom. The layers are those of the architecture: octets below the codecs, codecs below the endpoints,
// the reference below conformance; captures know no protocol above UDP; reports read verdicts; nobody uses the fuzz
// targets; no protocol includes another, save RDMAP over DDP over MPA.
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string_view files;                     // path prefix of those who include
  std::vector<std::string_view> may_include;  // path prefixes
};

// The first row whose prefix fits decides, so that the particular stand before the general.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers{
      {"reference/octets/", {"reference/octets/"}},
      {"reference/endpoint.h", {"reference/octets/"}},
      {"reference/deviation_set.h", {}},
      {"reference/octet_budget.h", {}},
      {"reference/ramcloud/", {"reference/octets/", "reference/*.h", "reference/ramcloud/"}},
      {"reference/mpa/", {"reference/octets/", "reference/mpa/"}},
      {"reference/ddp/", {"reference/octets/", "reference/ddp/"}},
      {"reference/rdmap/",
       {"reference/octets/", "reference/ddp/", "reference/mpa/", "reference/*.h", "reference/rdmap/"}},
      {"reference/efa/", {"reference/octets/", "reference/*.h", "reference/efa/"}},
      {"conformance/ramcloud/",
       {"reference/octets/", "reference/endpoint.h", "reference/ramcloud/", "conformance/ramcloud/",
        "conformance/*.h"}},
      {"conformance/rdmap/",
       {"reference/octets/", "reference/ddp/", "reference/mpa/", "reference/endpoint.h", "reference/rdmap/",
        "conformance/rdmap/", "conformance/*.h"}},
      {"conformance/efa/state/", {"reference/octets/", "reference/efa/", "conformance/efa/state/", "conformance/*.h"}},
      {"conformance/efa/",
       {"reference/octets/", "reference/endpoint.h", "reference/efa/", "conformance/efa/", "conformance/*.h"}},
      {"conformance/protocol.cc", {"conformance/"}},
      {"conformance/", {"reference/octets/", "reference/endpoint.h", "conformance/*.h"}},
      {"pcap/", {"pcap/", "reference/octets/"}},
      {"reports/", {"reports/", "conformance/verdict.h", "conformance/rule.h", "reference/octets/"}},
      {"harness/", {"harness/", "reports/", "pcap/", "conformance/", "reference/", "corpora/"}},
      {"corpora/", {"corpora/", "pcap/", "conformance/", "reference/"}},
      {"fuzz/", {"fuzz/", "corpora/", "harness/", "reports/", "pcap/", "conformance/", "reference/"}},
  };
  return kLayers;
}

// "conformance/*.h" allows the headers of that folder alone, not those of its subfolders.
bool allows(std::string_view pattern, std::string_view include) {
  if (!pattern.ends_with("*.h")) return include.starts_with(pattern);
  const std::string_view folder = pattern.substr(0, pattern.size() - 3);
  return include.starts_with(folder) && include.find('/', folder.size()) == std::string_view::npos;
}

std::vector<fs::path> source_files() {
  const fs::path root = WIRELAW_SOURCE_DIR;
  std::vector<fs::path> files;
  for (const char* folder : {"reference", "conformance", "pcap", "harness", "reports", "corpora", "fuzz"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".h" || entry.path().extension() == ".cc") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> project_includes(const fs::path& file) {
  constexpr std::string_view kInclude = "#include \"";
  std::vector<std::string> includes;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(kInclude)) continue;
    const std::string rest = line.substr(kInclude.size());
    includes.push_back(rest.substr(0, rest.find('"')));
  }
  return includes;
}

TEST(Layering, EveryIncludeGoesDownwards) {
  const auto files = source_files();
  ASSERT_GT(files.size(), 50u);
  for (const fs::path& path : files) {
    const std::string file = fs::relative(path, WIRELAW_SOURCE_DIR).string();
    const auto layer = std::ranges::find_if(layers(), [&](const Layer& one) { return file.starts_with(one.files); });
    ASSERT_NE(layer, layers().end()) << file << " stands in no known layer";
    for (const std::string& include : project_includes(path)) {
      const bool allowed =
          std::ranges::any_of(layer->may_include, [&](std::string_view prefix) { return allows(prefix, include); });
      EXPECT_TRUE(allowed) << file << " may not include " << include;
    }
  }
}

TEST(Layering, EveryFileNamesItsLicence) {
  for (const fs::path& path : source_files()) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line, "// SPDX-License-Identifier: Apache-2.0") << path;
  }
}

}  // namespace
}  // namespace wirelaw

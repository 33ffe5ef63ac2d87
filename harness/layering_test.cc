// SPDX-License-Identifier: Apache-2.0
// Who may include whom. The layers are those of the architecture: octets below the codecs, codecs below the endpoints,
// the reference below conformance; captures know no protocol above UDP; reports read verdicts; nobody uses the fuzz
// targets; no protocol includes another, save RDMAP over DDP over MPA.
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string files;                     // path prefix of those who include
  std::vector<std::string> may_include;  // path prefixes
};

// The first row whose prefix fits decides, so that the particular come before the general.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers{
      {"reference/octets/", {"reference/octets/"}},
      {"reference/endpoint.h", {"reference/octets/"}},
      {"reference/deviation_set.h", {}},
      {"reference/octet_budget.h", {}},
      {"reference/mpa/", {"reference/octets/", "reference/mpa/"}},
      {"reference/ddp/", {"reference/octets/", "reference/ddp/"}},
      {"conformance/", {"reference/octets/", "reference/endpoint.h", "conformance/*.h"}},
      {"pcap/", {"pcap/", "reference/octets/"}},
      {"reports/", {"reports/", "conformance/verdict.h", "conformance/rule.h", "reference/octets/"}},
      {"harness/", {"harness/", "reports/", "pcap/", "conformance/", "reference/", "corpora/"}},
      {"corpora/", {"corpora/", "pcap/", "conformance/", "reference/"}},
      {"fuzz/", {"fuzz/", "corpora/", "harness/", "reports/", "pcap/", "conformance/", "reference/"}},
  };
  return kLayers;
}

// What carries a protocol, where it is more than what carries all of them.
const std::map<std::string, std::vector<std::string>, std::less<>>& carriers() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> kCarriers{{"rdmap", {"ddp", "mpa"}}};
  return kCarriers;
}

// Of a file in reference/NAME/ or conformance/NAME/: a protocol includes what all share, itself, and what carries it.
std::optional<Layer> layer_of_protocol(const std::string& file) {
  const bool judges = file.starts_with("conformance/");
  if (!judges && !file.starts_with("reference/")) return std::nullopt;
  const std::size_t begin = file.find('/') + 1, end = file.find('/', begin);
  if (end == std::string::npos) return std::nullopt;
  const std::string name = file.substr(begin, end - begin);
  Layer layer{.files = file.substr(0, end + 1), .may_include = {"reference/octets/", "reference/" + name + "/"}};
  layer.may_include.emplace_back(judges ? "reference/endpoint.h" : "reference/*.h");
  if (judges) layer.may_include.insert(layer.may_include.end(), {"conformance/*.h", layer.files});
  if (const auto below = carriers().find(name); below != carriers().end())
    for (const std::string& one : below->second) layer.may_include.push_back("reference/" + one + "/");
  return layer;
}

std::optional<Layer> layer_of(const std::string& file) {
  const auto fits = [&](const Layer& one) { return file.starts_with(one.files); };
  const auto particular = std::ranges::find_if(layers(), fits);
  if (particular != layers().end() && particular->files != "conformance/") return *particular;
  if (const auto protocol = layer_of_protocol(file)) return protocol;
  return particular == layers().end() ? std::nullopt : std::optional(*particular);
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
    const auto layer = layer_of(file);
    ASSERT_TRUE(layer) << file << " is in no known layer";
    for (const std::string& include : project_includes(path)) {
      const bool allowed =
          allows(fs::path(file).parent_path().string() + "/*.h", include) ||
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

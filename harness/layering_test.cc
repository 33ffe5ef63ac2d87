// SPDX-License-Identifier: Apache-2.0
// Which folder may include which. The layers are those of the architecture: octets below the codecs, codecs below the
// endpoints, the reference below conformance. Captures know no protocol above UDP and RoCEv2. Reports read verdicts. No
// other code uses the fuzz targets. No protocol includes another, except RDMAP over DDP over MPA, and what cases make
// an application speak. Inside the harness: the control channel below the peers, the peers below the transports, those
// below the runner, and the commands above all.
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string files;                     // path prefix of the files that include
  std::vector<std::string> may_include;  // path prefixes
};

// Headers of the harness that a transport may include: the common part of all transports, the peers, and the channel
// that drives them. It may include neither the runner nor the commands, and no protocol.
std::vector<std::string> transport(const std::string& own) {
  return {own,
          "harness/transports/*.h",
          "harness/control/",
          "harness/peers/",
          "harness/environment.h",
          "harness/rdma.h",
          "harness/uri.h",
          "harness/virtual_time.h",
          "harness/wait.h",
          "pcap/",
          "conformance/*.h",
          "reference/octets/",
          "reference/network/",
          "reference/endpoint.h"};
}
std::vector<std::string> with(std::vector<std::string> some, const std::vector<std::string>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

// Tests and benchmarks inside the harness may use all of it. In UMSP's tracker, the tests judge whole conversations.
std::string row_of(const std::string& file) {
  const std::string umsp = "conformance/umsp/", tracker = umsp + "tracker/", name = fs::path(file).filename().string();
  if (file.starts_with(tracker) && name.find("_test.") != std::string::npos) return umsp + name;
  const bool is_test = file.ends_with("_test.cc") || file.ends_with("_test.h") || file.ends_with("_bench.cc") ||
                       file.starts_with("harness/toy/");
  return is_test && file.starts_with("harness/") ? "harness/commands/" : file;
}

// The first row whose prefix matches decides, so special rows precede general ones.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers{
      {"reference/octets/", {"reference/octets/"}},
      {"reference/network/", {"reference/network/", "reference/octets/"}},
      {"reference/endpoint.h", {"reference/octets/"}},
      {"reference/role.h", {}},
      {"reference/deviation_set.h", {"reference/role.h"}},
      {"reference/deviation_rows.h", {"reference/deviation_set.h"}},
      {"reference/octet_budget.h", {}},
      {"reference/mpa/", {"reference/octets/", "reference/mpa/"}},
      {"reference/ddp/", {"reference/octets/", "reference/ddp/"}},
      {"conformance/protocols.cc", {"conformance/"}},
      {"conformance/captured_protocols.cc", {"conformance/"}},
      {"conformance/script/languages.cc", {"conformance/"}},
      // Above scripts: it composes messages from their lines.
      {"conformance/edited_case",
       {"reference/octets/", "reference/network/", "conformance/*.h", "conformance/script/composer.h",
        "conformance/script/language.h", "conformance/script/languages.h"}},
      // A tracker states facts, and knows no judge.
      {"conformance/efa/tracker/",
       {"reference/octets/", "reference/efa/", "reference/network/", "conformance/efa/tracker/", "conformance/trace.h",
        "conformance/transitions.h"}},
      {"conformance/ramcloud/tracker/",
       {"reference/octets/", "reference/ramcloud/", "conformance/ramcloud/tracker/",
        "conformance/ramcloud/basic_transport.h", "conformance/rule.h", "conformance/trace.h",
        "conformance/transitions.h"}},
      {"conformance/rdmap/tracker/",
       {"reference/octets/", "reference/mpa/", "reference/ddp/", "reference/rdmap/", "conformance/rdmap/tracker/",
        "conformance/rdmap/fpdu_row.h", "conformance/delivery.h", "conformance/rule.h", "conformance/stream_places.h",
        "conformance/trace.h", "conformance/transitions.h"}},
      {"conformance/smbd/tracker/",
       {"reference/octets/", "reference/smbd/", "reference/smb2/", "conformance/smbd/tracker/",
        "conformance/delivery.h", "conformance/obligations.h", "conformance/rule.h", "conformance/trace.h",
        "conformance/transitions.h"}},
      {"conformance/umsp/tracker/",
       {"reference/octets/", "reference/network/", "reference/umsp/", "conformance/umsp/tracker/",
        "conformance/association.h", "conformance/trace.h", "conformance/transitions.h"}},
      {"conformance/",
       {"reference/octets/", "reference/network/", "reference/endpoint.h", "reference/role.h", "conformance/*.h"}},
      {"pcap/", {"pcap/", "reference/octets/", "reference/network/", "reference/roce/"}},
      {"reports/", {"reports/", "conformance/verdict.h", "conformance/rule.h", "reference/octets/"}},
      {"harness/control/", {"harness/control/", "conformance/*.h", "reference/octets/"}},
      {"harness/peers/",
       {"harness/peers/", "harness/control/", "harness/environment.h", "harness/rdma.h", "harness/virtual_time.h",
        "pcap/address.h", "conformance/", "reference/"}},
      {"harness/transports/srd/",
       with(transport("harness/transports/srd/"), {"harness/transports/verbs/", "reference/efa/"})},
      {"harness/transports/tcp/", transport("harness/transports/tcp/")},
      {"harness/transports/udp/", transport("harness/transports/udp/")},
      // A protocol above RDMAP finds the memory of a device that carries it.
      {"harness/transports/verbs/", with(transport("harness/transports/verbs/"),
                                         {"harness/transports/tcp/", "conformance/rdmap/probes/upper_probe.h"})},
      {"harness/transports/memory/", transport("harness/transports/memory/")},
      {"harness/transports/", transport("harness/transports/*.h")},
      {"harness/lab/",
       {"harness/lab/", "harness/control/", "harness/peers/", "pcap/", "conformance/", "reference/", "corpora/"}},
      {"harness/campaign/",
       {"harness/*.h", "harness/campaign/", "harness/capture/", "harness/transports/", "harness/check/",
        "harness/control/", "harness/flow/", "harness/parallel/", "harness/peers/", "harness/script/", "harness/shard/",
        "reports/", "pcap/", "conformance/", "reference/", "corpora/"}},
      {"harness/commands/", {"harness/", "reports/", "pcap/", "conformance/", "reference/", "corpora/"}},
      {"harness/",
       {"harness/*.h", "harness/capture/", "harness/transports/", "harness/check/", "harness/control/", "harness/flow/",
        "harness/parallel/", "harness/peers/", "harness/shard/", "reports/", "pcap/", "conformance/", "reference/",
        "corpora/"}},
      {"corpora/", {"corpora/", "pcap/", "conformance/", "reference/"}},
      {"fuzz/", {"fuzz/", "corpora/", "harness/", "reports/", "pcap/", "conformance/", "reference/"}},
  };
  return kLayers;
}

// Returns the protocols below each protocol that is above others; it may include their folders.
const std::map<std::string, std::vector<std::string>, std::less<>>& carriers() {
  static const std::map<std::string, std::vector<std::string>, std::less<>> kCarriers{
      {"rdmap", {"ddp", "mpa"}}, {"smbd", {"rdmap", "ddp", "mpa"}}};
  return kCarriers;
}

// Returns the protocol, if any, that cases make the application speak.
const std::map<std::string, std::string, std::less<>>& spoken_above() {
  static const std::map<std::string, std::string, std::less<>> kSpoken{{"smbd", "reference/smb2/"}};
  return kSpoken;
}

// For a file in reference/NAME/ or conformance/NAME/: a protocol includes the common folders, its own, and those of the
// protocol below.
std::optional<Layer> layer_of_protocol(const std::string& file) {
  const bool judges = file.starts_with("conformance/");
  if (!judges && !file.starts_with("reference/")) return std::nullopt;
  const std::size_t begin = file.find('/') + 1, end = file.find('/', begin);
  if (end == std::string::npos) return std::nullopt;
  const std::string name = file.substr(begin, end - begin);
  Layer layer{.files = file.substr(0, end + 1),
              .may_include = {"reference/octets/", "reference/network/", "reference/" + name + "/"}};
  layer.may_include.emplace_back(judges ? "reference/endpoint.h" : "reference/*.h");
  if (judges)
    layer.may_include.insert(layer.may_include.end(), {"conformance/*.h", "conformance/script/framing.h",
                                                       "conformance/script/language.h", layer.files});
  if (const auto above = spoken_above().find(name); judges && above != spoken_above().end())
    layer.may_include.push_back(above->second);
  if (const auto below = carriers().find(name); below != carriers().end())
    for (const std::string& one : below->second) {
      layer.may_include.push_back("reference/" + one + "/");
      if (!judges) continue;
      // A protocol above needs these headers to test through this one, and to express it in scripts.
      for (const char* header : {"/probes/upper_probe.h", "/framing.h", "/language.h", "/speech.h"})
        layer.may_include.push_back("conformance/" + one + header);
    }
  return layer;
}

std::optional<Layer> layer_of(const std::string& file) {
  const auto fits = [&](const Layer& one) { return file.starts_with(one.files); };
  const auto particular = std::ranges::find_if(layers(), fits);
  if (particular != layers().end() && particular->files != "conformance/") return *particular;
  if (const auto protocol = layer_of_protocol(file)) return protocol;
  return particular == layers().end() ? std::nullopt : std::optional(*particular);
}

// "conformance/*.h" allows only the headers in that folder, not those in its subfolders.
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
    const auto layer = layer_of(row_of(file));
    ASSERT_TRUE(layer) << file << " is in no known layer";
    const std::string folder = fs::path(file).parent_path().string() + "/";
    const bool is_row_of_files = layer->files.size() > folder.size();  // the row is for files, not for the whole folder
    for (const std::string& include : project_includes(path)) {
      const bool allowed =
          (!is_row_of_files && allows(folder + "*.h", include)) ||
          std::ranges::any_of(layer->may_include, [&](std::string_view prefix) { return allows(prefix, include); });
      EXPECT_TRUE(allowed) << file << " may not include " << include;
    }
  }
}

// EFA's checks get facts by value. Only its observer knows the state from which the tracker states them.
TEST(Layering, LetsTheChecksOfEfaKnowNothingButFacts) {
  const std::string efa = "conformance/efa/", tracker = efa + "tracker/";
  const std::set<std::string> facts{tracker + "claims.h", tracker + "document.h", tracker + "facts.h",
                                    tracker + "seen.h"};
  for (const fs::path& path : source_files()) {
    const std::string file = fs::relative(path, WIRELAW_SOURCE_DIR).string();
    if (!file.starts_with(efa) || file.starts_with(tracker) || file == efa + "observer.cc") continue;
    for (const std::string& include : project_includes(path))
      EXPECT_TRUE(!include.starts_with(tracker) || facts.contains(include)) << file << " may not include " << include;
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

// Returns the words of a line's comment that are names of files: those with an ending and only with characters of
// names.
std::vector<std::string> files_named_in(std::string_view line) {
  constexpr std::string_view kEndings[] = {".h", ".cc", ".md", ".lua", ".inc", ".cmake"};
  const std::size_t comment = line.find("//");
  if (comment == std::string_view::npos || std::ranges::count(line.substr(0, comment), '"') % 2 == 1) return {};
  const auto is_part = [](char c) {
    const auto octet = static_cast<unsigned char>(c);
    return std::isalnum(octet) != 0 || std::string_view("_./-*<>").find(c) != std::string_view::npos || octet >= 0x80;
  };
  std::vector<std::string> names;
  for (std::size_t at = comment + 2; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_part(line[end])) ++end;
    std::string_view word = line.substr(at, end - at);
    while (word.ends_with('.')) word.remove_suffix(1);
    const bool is_name = std::ranges::all_of(word, [&](char c) {
      return is_part(c) && static_cast<unsigned char>(c) < 0x80 && c != '*' && c != '<' && c != '>';
    });
    if (is_name && std::ranges::any_of(
                       kEndings, [&](std::string_view one) { return word.size() > one.size() && word.ends_with(one); }))
      names.emplace_back(word);
    at = end + 1;
  }
  return names;
}

// Compares its path from the root, or the end of it.
bool is_in_tree(const std::string& name, const std::set<std::string>& paths) {
  return paths.contains(name) ||
         std::ranges::any_of(paths, [&](const std::string& path) { return path.ends_with("/" + name); });
}

TEST(Comments, NameFilesThatExist) {
  std::set<std::string> paths;
  for (const char* folder :
       {"cmake", "docs", "reference", "conformance", "pcap", "harness", "reports", "corpora", "fuzz"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WIRELAW_SOURCE_DIR) / folder))
      paths.insert(fs::relative(entry.path(), WIRELAW_SOURCE_DIR).string());
  std::size_t named = 0;
  for (const fs::path& path : source_files()) {
    std::ifstream in(path);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      for (const std::string& name : files_named_in(line)) {
        ++named;
        EXPECT_TRUE(is_in_tree(name, paths)) << path.string() << ":" << number << " names " << name;
      }
    }
  }
  EXPECT_GT(named, 50u) << "comments that name files are found";
}

}  // namespace
}  // namespace wirelaw

// SPDX-License-Identifier: Apache-2.0
#include "corpora/corpora.h"

#include <fstream>

#include "corpora/seed.h"
#include "corpora/traces/trace.h"

namespace wirelaw::corpora {
namespace {

namespace fs = std::filesystem;

tl::expected<void, pcap::Problem> make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return tl::unexpected(pcap::Problem{path, 0, 0, error.message(), "check that the folder may be written"});
}

tl::expected<void, pcap::Problem> write_octets(const fs::path& path, Octets octets) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(octets.data()), static_cast<std::streamsize>(octets.size()));
  out.close();
  if (out) return {};
  return tl::unexpected(pcap::Problem{path, 0, 0, "the file cannot be written", "check the folder and the disk"});
}

tl::expected<void, pcap::Problem> write_traces(const TraceSet& set, const fs::path& folder) {
  std::string manifest = "# file\trule\tseverity\n";
  for (const Trace& trace : set.traces) {
    const bool conforms = trace.violates.empty();
    const fs::path file = fs::path(conforms ? "conforming" : "violating") / (trace.name + ".pcapng");
    if (auto made = make_folder((folder / file).parent_path()); !made) return made;
    if (auto written = write_trace(trace, folder / file); !written) return written;
    manifest += file.string() + '\t' + (conforms ? "-" : trace.violates) + '\t' +
                (conforms ? "-" : std::string(to_string(trace.severity))) + '\n';
  }
  if (auto made = make_folder(folder); !made) return made;
  return write_octets(folder / kManifest, {reinterpret_cast<const Octet*>(manifest.data()), manifest.size()});
}

tl::expected<void, pcap::Problem> write_seeds(const std::vector<Seed>& seeds, const fs::path& folder) {
  for (const Seed& seed : seeds) {
    if (auto made = make_folder(folder / seed.target); !made) return made;
    if (auto written = write_octets(folder / seed.target / seed.name, seed.octets); !written) return written;
  }
  return {};
}

}  // namespace

std::vector<std::string> generated_folders() {
  std::vector<std::string> folders{"seeds", "dictionaries"};
  for (const TraceSet& set : all_trace_sets()) folders.emplace_back(set.protocol);
  return folders;
}

tl::expected<void, pcap::Problem> write_corpora(const fs::path& root) {
  for (const TraceSet& set : all_trace_sets())
    if (auto written = write_traces(set, root / set.protocol); !written) return written;
  for (const auto& seeds : {capture_seeds(), tcp_seeds(), iwarp_seeds(), packet_seeds(), trace_seeds(),
                            conversation_seeds(), rdmap_conversation_seeds(), efa_seeds()})
    if (auto written = write_seeds(seeds, root / "seeds"); !written) return written;
  if (auto made = make_folder(root / "dictionaries"); !made) return made;
  const std::string dictionary = efa_dictionary();
  return write_octets(root / "dictionaries" / "efa.dict",
                      {reinterpret_cast<const Octet*>(dictionary.data()), dictionary.size()});
}

}  // namespace wirelaw::corpora

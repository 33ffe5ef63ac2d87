// SPDX-License-Identifier: Apache-2.0
#include "corpora/corpora.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "corpora/seed.h"
#include "corpora/traces/trace.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::corpora {
namespace {

Octets octets_of(const std::string& text) {
  return {reinterpret_cast<const Octet*>(text.data()), text.size()};
}

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
  const bool has_revisions =
      std::ranges::any_of(set.traces, [](const Trace& trace) { return !trace.revision.empty(); });
  const bool has_features = std::ranges::any_of(set.traces, [](const Trace& trace) { return !trace.features.empty(); });
  std::string manifest =
      fmt::format("# file\trule\tseverity{}{}\n", has_revisions || has_features ? "\t--revision" : "",
                  has_features ? "\t--feature" : "");
  // If the trace has features, a dash stands for a revision that is not declared.
  const auto declared = [](const Trace& trace) {
    if (trace.features.empty()) return trace.revision.empty() ? std::string() : '\t' + trace.revision;
    return fmt::format("\t{}\t{}", trace.revision.empty() ? "-" : trace.revision, fmt::join(trace.features, ","));
  };
  for (const Trace& trace : set.traces) {
    const bool conforms = trace.violates.empty();
    const fs::path file = fs::path(conforms ? "conforming" : "violating") / (trace.name + ".pcapng");
    if (auto made = make_folder((folder / file).parent_path()); !made) return made;
    if (auto written = write_trace(trace, folder / file); !written) return written;
    manifest += file.string() + '\t' + (conforms ? "-" : trace.violates) + '\t' +
                (conforms ? "-" : std::string(to_string(trace.severity))) + declared(trace) + '\n';
  }
  if (auto made = make_folder(folder); !made) return made;
  return write_octets(folder / kManifest, octets_of(manifest));
}

tl::expected<void, pcap::Problem> write_seeds(const std::vector<Seed>& seeds, const fs::path& folder) {
  for (const Seed& seed : seeds) {
    if (auto made = make_folder(folder / seed.target); !made) return made;
    if (auto written = write_octets(folder / seed.target / seed.name, seed.octets); !written) return written;
  }
  return {};
}

// Writes short captures for fuzz_check: all conforming traces of each protocol, and some violating ones.
tl::expected<void, pcap::Problem> write_capture_seeds(const TraceSet& set, const fs::path& folder) {
  constexpr std::uint32_t kOneOf = 8;
  constexpr std::size_t kMostOctets = 6000;
  if (auto made = make_folder(folder); !made) return made;
  for (const Trace& trace : set.traces) {
    std::size_t octets = 0;
    for (const TraceMessage& message : trace.messages) octets += message.octets.size();
    if (octets > kMostOctets || !is_seed(trace, kOneOf)) continue;
    const std::string protocol(set.protocol);  // two protocols may have traces of the same name
    const std::string name = trace.name.starts_with(protocol) ? trace.name : protocol + "-" + trace.name;
    if (auto written = write_trace(trace, folder / (name + ".pcapng")); !written) return written;
  }
  return {};
}

}  // namespace

bool is_seed(const Trace& trace, std::uint32_t one_of) {
  return trace.violates.empty() || crc32c(octets_of(trace.name)) % one_of == 0;
}

std::vector<std::string> generated_folders() {
  std::vector<std::string> folders{"seeds", "dictionaries"};
  for (const TraceSet& set : all_trace_sets()) folders.emplace_back(set.protocol);
  return folders;
}

tl::expected<void, pcap::Problem> write_corpora(const fs::path& root) {
  for (const TraceSet& set : all_trace_sets())
    if (auto written = write_traces(set, root / set.protocol); !written) return written;
  for (const auto& seeds : {capture_seeds(),
                            tcp_seeds(),
                            iwarp_seeds(),
                            packet_seeds(),
                            roce_seeds(),
                            trace_seeds(),
                            conversation_seeds(),
                            rdmap_conversation_seeds(),
                            efa_seeds(),
                            smbd_seeds(),
                            umsp_seeds(),
                            umsp_node_seeds(),
                            umsp_job_seeds(),
                            case_seeds(),
                            script_seeds(),
                            damage_seeds(conversation_seeds()),
                            damage_seeds(rdmap_conversation_seeds()),
                            damage_seeds(efa_seeds()),
                            damage_seeds(smbd_seeds()),
                            damage_seeds(umsp_job_seeds())})
    if (auto written = write_seeds(seeds, root / "seeds"); !written) return written;
  for (const TraceSet& set : all_trace_sets())
    if (auto written = write_capture_seeds(set, root / "seeds/fuzz_check"); !written) return written;
  if (auto made = make_folder(root / "dictionaries"); !made) return made;
  for (const auto& [name, text] : {std::pair("efa.dict", efa_dictionary()), std::pair("smbd.dict", smbd_dictionary()),
                                   std::pair("umsp.dict", umsp_dictionary())})
    if (auto written = write_octets(root / "dictionaries" / name, octets_of(text)); !written) return written;
  return {};
}

}  // namespace wirelaw::corpora

// SPDX-License-Identifier: Apache-2.0
// The sample traces that are scripts, beside their rules in conformance/.
#include <gmock/gmock.h>

#include "corpora/traces/scripts.h"
#include "harness/script/script_file.h"
#include "harness/script/script_marks.h"

namespace wirelaw {
namespace {

using testing::IsEmpty;

// TCP passes no octets on that follow a FIN, so no capture shows them to the judge.
constexpr std::string_view kOctetsAfterFin = "MPA-7.2-1";

// As captures, they show each finding at the line that is marked with it, and no other.
TEST(SampleScripts, AreJudgedAsTheirLinesAreMarked) {
  std::size_t traces = 0;
  for (const Protocol* const protocol : protocols()) {
    for (const std::string& path : corpora::script_files(protocol->name)) {
      const auto file = read_script(path);
      ASSERT_TRUE(file) << file.error();
      for (const ScriptPart& part : file->parts) {
        if (part.part.name == kOctetsAfterFin) continue;
        const auto differences = differences_from_marks(*file, part);
        ASSERT_TRUE(differences) << differences.error();
        EXPECT_THAT(*differences, IsEmpty());
        ++traces;
      }
    }
  }
  EXPECT_GE(traces, 1300u);
}

// A case names its IUT, so only this side is judged. Its findings are those of the same conversation as a trace.
TEST(SampleScripts, ACaseIsJudgedAsATraceIs) {
  for (const std::string_view heading : {"trace", "case"}) {
    const std::string text = "protocol umsp\n" + std::string(heading) +
                             " another-req-id\nrule UMSP-4.1-9\na WRITE as $w\n"
                             "b RSP req_id=$w.req_id+1 ! UMSP-4.1-9\n";
    const auto file = script_of(text, "x.wirelaw");
    ASSERT_TRUE(file) << file.error();
    const auto differences = differences_from_marks(*file, file->parts.back());
    ASSERT_TRUE(differences) << differences.error();
    EXPECT_THAT(*differences, IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace wirelaw

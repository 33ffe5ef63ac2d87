# SPDX-License-Identifier: Apache-2.0
# Embeds texts of the tree in a program.
#   cmake -DSOURCE=… -DPROTOCOLS=a,b -DOUT=FILE.cc -P Embed.cmake
# writes wirelaw::known_texts() (harness/explain/known_texts.h): for each protocol the page of its interpretations, and
# the list of what its traces in the corpora are expected to show.
set(rows "")
string(REPLACE "," ";" protocols "${PROTOCOLS}")
foreach(protocol IN LISTS protocols)
  file(READ ${SOURCE}/conformance/${protocol}/INTERPRETATIONS.md interpretations)
  file(READ ${SOURCE}/corpora/${protocol}/EXPECTED.tsv traces)
  foreach(text IN ITEMS interpretations traces)
    if(${text} MATCHES "\\)embedded\"")
      message(FATAL_ERROR "${protocol}: ${text} hold what ends a literal")
    endif()
  endforeach()
  string(APPEND rows "      {\"${protocol}\",\n       R\"embedded(${interpretations})embedded\",\n"
                     "       R\"embedded(${traces})embedded\"},\n")
endforeach()
set(head "// SPDX-License-Identifier: Apache-2.0\n#include \"harness/explain/known_texts.h\"\n\nnamespace wirelaw {\n\n"
         "std::span<const KnownTexts> known_texts() {\n  static constexpr KnownTexts kTexts[] = {\n")
string(CONCAT head ${head})
file(WRITE ${OUT} "${head}${rows}  };\n  return kTexts;\n}\n\n}  // namespace wirelaw\n")

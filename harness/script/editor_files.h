// SPDX-License-Identifier: Apache-2.0
// Syntax files for editors, made from the tables of the language and of the protocols.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wirelaw {

struct EditorFile {
  std::string path;  // in the editor's folder: "syntax/wirelaw.vim"
  std::string text;
};

// Editors that are known: "vim", "vscode".
std::vector<std::string_view> known_editors();
// Returns the files of one editor, for ~/.vim, or for a folder in ~/.vscode/extensions.
std::vector<EditorFile> editor_files(std::string_view editor);

}  // namespace wirelaw

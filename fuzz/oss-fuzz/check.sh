#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a folder has everything that a fuzzing service needs for each target: the program, its .options, its
# dictionary if there is one, and a zip with all its seeds and regressions. Also checks that each target runs its seeds and
# RUNS more inputs.
# usage: fuzz/oss-fuzz/check.sh OUT LIST [RUNS]   LIST: BUILD/fuzz/targets; RUNS: 0 checks only the files (200)
set -euo pipefail
out=$1 list=$2 runs=${3:-200}
failed=0
wrong() { echo "$name: $*"; failed=1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0
while IFS='|' read -r name seeds regressions dictionary options _; do
  if [[ $name == \#* ]]; then continue; fi
  checked=$((checked + 1))
  [[ -x $out/$name ]] || { wrong "its program is missing"; continue; }
  [[ $(head -n 1 "$out/$name.options" 2>/dev/null) == '[libfuzzer]' ]] || wrong "its .options are missing"
  for option in $options; do
    grep -qx "${option%%=*} = ${option#*=}" "$out/$name.options" || wrong "$option is not in its .options"
  done
  if [[ -n $dictionary ]]; then cmp -s "$dictionary" "$out/$name.dict" || wrong "its dictionary is another"; fi
  folders=("$seeds")
  if [[ -d $regressions ]]; then folders+=("$regressions"); fi
  rm -rf "$work/seeds" && mkdir "$work/seeds"
  unzip -q -d "$work/seeds" "$out/${name}_seed_corpus.zip" || { wrong "its seeds are missing"; continue; }
  cmp -s <(find "${folders[@]}" -type f -exec sha1sum {} + | cut -d ' ' -f 1 | sort -u) \
    <(find "$work/seeds" -type f -exec sha1sum {} + | cut -d ' ' -f 1 | sort -u) || wrong "its zip has other seeds"
  if ((runs > 0)); then
    read -r -a words <<< "$options"
    "$out/$name" "${words[@]/#/-}" ${dictionary:+-dict="$out/$name.dict"} -seed=1 -runs="$runs" "$work/seeds" \
      > "$work/log" 2>&1 < /dev/null || { tail -n 5 "$work/log"; wrong "does not run"; }
  fi
done < "$list"
((checked > 0)) || { echo "$list names no target"; failed=1; }
((failed)) || echo "$checked targets have all that they need"
exit $failed

#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzz targets for OSS-Fuzz and ClusterFuzzLite, with their CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE.
# Puts the targets into $OUT, with their seeds and dictionaries. Libraries whose sources are in $SRC are built with the
# same flags. The others come from the system.
source=$(cd "$(dirname "${WIRELAW_SOURCE:-$SRC/wirelaw/CMakeLists.txt}")" && pwd)
libraries=$WORK/libraries
export PKG_CONFIG_PATH=$libraries/lib/pkgconfig

library() {  # NAME CMAKE-OPTION...
  local name=$1
  shift
  if [[ ! -d $SRC/$name ]]; then return; fi
  cmake -G Ninja -S "$SRC/$name" -B "$WORK/$name" -DCMAKE_INSTALL_PREFIX="$libraries" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_PREFIX_PATH="$libraries" -DBUILD_SHARED_LIBS=OFF "$@"
  cmake --build "$WORK/$name"
  cmake --install "$WORK/$name"
}
library fmt -DFMT_TEST=OFF -DFMT_DOC=OFF
library expected -DEXPECTED_BUILD_TESTS=OFF
library json -DJSON_BuildTests=OFF
library CLI11 -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF
library pugixml
for headers in asio/asio/include tomlplusplus/include; do
  if [[ ! -d $SRC/$headers ]]; then continue; fi
  mkdir -p "$libraries/include"
  cp -r "$SRC/$headers"/. "$libraries/include"
done
library zlib
rm -f "$libraries"/lib/libz.so*
library libpcap -DBUILD_WITH_LIBNL=OFF -DDISABLE_DBUS=ON -DDISABLE_RDMA=ON -DDISABLE_BLUETOOTH=ON
if [[ -d $SRC/isa-l ]]; then  # assembler, nothing for a sanitizer; its install target wants a shared library too
  make -C "$SRC/isa-l" -f Makefile.unx lib
  mkdir -p "$libraries/lib/pkgconfig" "$libraries/include/isa-l"
  cp "$SRC/isa-l/bin/isa-l.a" "$libraries/lib/libisal.a"
  cp "$SRC"/isa-l/include/*.h "$libraries/include/isa-l"
  printf '%s\n' "Name: libisal" "Description: ISA-L" "Version: 2.30.0" "Libs: -L$libraries/lib -lisal" \
    "Cflags: -I$libraries/include" > "$libraries/lib/pkgconfig/libisal.pc"
fi

build=$WORK/wirelaw
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DCMAKE_PREFIX_PATH="$libraries" \
  -DWIRELAW_FUZZ_ENGINE=external -DWIRELAW_TESTS=OFF -DWIRELAW_BENCHMARKS=OFF -DWIRELAW_LAB=OFF
cmake --build "$build" --target fuzz_targets

while IFS='|' read -r name seeds regressions dictionary _; do
  if [[ $name == \#* ]]; then continue; fi
  cp "$build/fuzz/$name" "$build/fuzz/$name.options" "$OUT"
  [ -z "$dictionary" ] || cp "$dictionary" "$OUT/$name.dict"
  inputs=("$seeds")
  if [[ -d $regressions ]]; then inputs+=("$regressions"); fi
  rm -f "$OUT/${name}_seed_corpus.zip"
  # Named by what they hold: folders may have files of one name, of which a zip without folders would keep one.
  corpus=$WORK/corpus/$name
  rm -rf "$corpus" && mkdir -p "$corpus"
  find "${inputs[@]}" -type f -print0 | LC_ALL=C sort -z | while IFS= read -r -d '' input; do
    cp "$input" "$corpus/$(sha1sum < "$input" | cut -d ' ' -f 1)"
  done
  (cd "$corpus" && find . -type f | LC_ALL=C sort | zip -q -X -j "$OUT/${name}_seed_corpus.zip" -@)
done < "$build/fuzz/targets"

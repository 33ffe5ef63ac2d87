# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages of the build, unpacks both into an empty root, and uses them: the program judges a
# capture, and cmake/consumer is built against the libraries.
#   cmake -DBUILD=… -DSOURCE=… -DCXX=… -DVERSION=… -P PackageTest.cmake
include(${CMAKE_CURRENT_LIST_DIR}/Run.cmake)
set(work ${BUILD}/package_test)
set(root ${work}/root)
file(REMOVE_RECURSE ${work})
run(${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake -B ${work}/packages)

function(expect text pattern)
  if(NOT "${text}" MATCHES "${pattern}")
    message(FATAL_ERROR "'${text}' has no '${pattern}'")
  endif()
endfunction()

foreach(name IN ITEMS wirelaw wirelaw-dev)
  file(GLOB package ${work}/packages/${name}_${VERSION}_*.deb)
  run(dpkg-deb --extract ${package} ${root})
  run(dpkg-deb --field ${package} Package Version Depends)
  set(fields_of_${name} "${printed}")
endforeach()
find_program(LINTIAN lintian)
if(LINTIAN)
  file(GLOB packages ${work}/packages/*.deb)
  run(${LINTIAN} --allow-root --fail-on error,warning,info ${packages})
  if(NOT printed STREQUAL "")
    message(FATAL_ERROR "lintian: ${printed}")
  endif()
endif()
foreach(library IN ITEMS libc6 libfmt[0-9]+ libisal2 libnettle8 libpcap0.8 libpugixml1v5 libstdc\\+\\+6 zlib1g)
  expect("${fields_of_wirelaw}" "Depends: .*${library}")
endforeach()
expect("${fields_of_wirelaw-dev}" "Depends: .*libfmt-dev.*libexpected-dev.*libisal-dev")

find_program(PYTHON3 python3)
file(GLOB package ${work}/packages/wirelaw_${VERSION}_*.deb)
if(PYTHON3)
  run(${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=0 ${PYTHON3} -B ${SOURCE}/cmake/sbom.py ${package})
  foreach(part IN ITEMS libc6 libpcap0.8 libcli11-dev cmake)  # a repeated dependency, a library that is compiled in, a tool
    expect("${printed}" "\"SPDXID\": \"SPDXRef-${part}\"")
  endforeach()
  expect("${printed}" "\"created\": \"1970-01-01T00:00:00Z\"")
endif()

set(share ${root}/usr/share)
foreach(file IN ITEMS man/man1/wirelaw.1.gz bash-completion/completions/wirelaw zsh/vendor-completions/_wirelaw
        fish/vendor_completions.d/wirelaw.fish wirelaw/wirelaw-2.schema.json wirelaw/wireshark/efa_rdm.lua
        wirelaw/wireshark/ramcloud_rpc.lua wirelaw/wireshark/umsp.lua doc/wirelaw/copyright doc/wirelaw/changelog.gz doc/wirelaw/NEWS.gz
        doc/wirelaw-dev/copyright doc/wirelaw-dev/changelog.gz)
  if(NOT EXISTS ${share}/${file})
    message(FATAL_ERROR "usr/share/${file} is in no package")
  endif()
endforeach()

find_program(MKDOCS mkdocs)
if(MKDOCS)
  foreach(page IN ITEMS index reference/rules/rdmap/rfc-5040-4.8)
    if(NOT EXISTS ${share}/doc/wirelaw/html/${page}.html)
      message(FATAL_ERROR "usr/share/doc/wirelaw/html/${page}.html is in no package")
    endif()
  endforeach()
endif()

run(${root}/usr/bin/wirelaw --version)
expect("${printed}" "^wirelaw ${VERSION} [(]commit ")
run(${root}/usr/bin/wirelaw check ${SOURCE}/corpora/captures/ramcloud/ramcloud-cpp2016-open-single.pcap)
expect("${printed}" "no rule|passed|PASS")
run(${CMAKE_COMMAND} -S ${SOURCE}/cmake/consumer -B ${work}/build -G Ninja -DCMAKE_PREFIX_PATH=${root}/usr
    -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)

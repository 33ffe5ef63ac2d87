# SPDX-License-Identifier: Apache-2.0
# The Debian packages wirelaw and wirelaw-dev: `cmake --build BUILD --target package`, or cpack in the build folder. The
# preset package makes the first alone.
set(WIRELAW_PACKAGE_MAINTAINER "The Wirelaw maintainers <maintainers@wirelaw.example>"
    CACHE STRING "Who maintains the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program)
if(NOT WIRELAW_BITCODE)
  list(APPEND CPACK_COMPONENTS_ALL dev)
endif()
set(CPACK_PACKAGE_CONTACT ${WIRELAW_PACKAGE_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_WIRELAW_SOURCE ${PROJECT_SOURCE_DIR})  # for DebianFiles.cmake
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DebianFiles.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "The program wirelaw judges captures and live peers of remote-memory\nprotocols by the rules of their specifications.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME wirelaw)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "librdmacm1, libibverbs1, ibverbs-providers")  # loaded at run time
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS wireshark)

set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Libraries, headers and CMake package: codecs, sans-I/O endpoints, rules,\nobservers and the judge of wirelaw.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME wirelaw-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
# The package that wirelawConfig.cmake finds.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev (>= 9), libexpected-dev, libisal-dev, pkg-config")
include(CPack)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/wirelaw RENAME copyright COMPONENT program)
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/wirelaw RENAME NEWS COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/wirelaw-dev RENAME copyright COMPONENT dev)

find_program(DPKG_DEB dpkg-deb)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(FILE_PROGRAM file)  # CPack uses it to find the programs for dpkg-shlibdeps
if(WIRELAW_TESTS AND DPKG_DEB AND DPKG_SHLIBDEPS AND FILE_PROGRAM AND NOT WIRELAW_SANITIZERS AND NOT WIRELAW_COVERAGE)
  add_test(NAME package.DebianPackagesInstallIntoAnEmptyRootAndWork
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DCXX=${CMAKE_CXX_COMPILER} -DVERSION=${PROJECT_VERSION} -P ${CMAKE_CURRENT_LIST_DIR}/PackageTest.cmake)
  # Both write BUILD/installed_headers.
  set_tests_properties(package.DebianPackagesInstallIntoAnEmptyRootAndWork package.AStrangersProjectFindsAndLinksIt
    PROPERTIES RESOURCE_LOCK installed_headers)
endif()

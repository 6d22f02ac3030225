# cmake --install: program, configuration, unit, system user, documents, and what a plugin needs
# to be built outside this tree: find_package(sluice), then sluice_add_plugin.
include(CMakePackageConfigHelpers)

# systemd always looks in /etc/sluice for ConfigurationDirectory=; other prefixes keep theirs.
set(SLUICE_CONFIG_DIR ${CMAKE_INSTALL_FULL_SYSCONFDIR}/sluice)
set(SLUICE_UNIT_DIR lib/systemd/system CACHE STRING "Folder for the systemd unit, below the prefix")
set(SLUICE_SYSUSERS_DIR lib/sysusers.d CACHE STRING "Folder for the system user, below the prefix")

configure_file(systemd/sluice.service.in ${PROJECT_BINARY_DIR}/systemd/sluice.service @ONLY)

install(TARGETS sluice RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT daemon)
# Where the program looks for it: ../lib/sluice from its own folder, whatever the architecture's is.
install(TARGETS sluice_metrics LIBRARY DESTINATION lib/sluice COMPONENT daemon)
# A configuration that is there is somebody's work: never overwritten.
install(CODE "
  if(NOT EXISTS \"\$ENV{DESTDIR}${SLUICE_CONFIG_DIR}/sluice.toml\")
    file(INSTALL \"${PROJECT_SOURCE_DIR}/etc/sluice.toml\" DESTINATION \"${SLUICE_CONFIG_DIR}\")
  endif()" COMPONENT daemon)
install(FILES ${PROJECT_BINARY_DIR}/systemd/sluice.service DESTINATION ${SLUICE_UNIT_DIR}
  COMPONENT daemon)
install(FILES ${PROJECT_SOURCE_DIR}/systemd/sluice.sysusers DESTINATION ${SLUICE_SYSUSERS_DIR}
  RENAME sluice.conf COMPONENT daemon)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT daemon)
install(FILES docs/sluice.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT daemon)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT daemon
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")

# For plugins: the headers of pipeline/, under the names that sources use.
set(SLUICE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)
install(DIRECTORY pipeline DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sluice COMPONENT development
  FILES_MATCHING PATTERN "*.hpp")
install(TARGETS sluice_pipeline ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
configure_package_config_file(cmake/sluice-config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/sluice-config.cmake INSTALL_DESTINATION ${SLUICE_PACKAGE_DIR}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/sluice-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/sluice-config.cmake
  ${PROJECT_BINARY_DIR}/cmake/sluice-config-version.cmake cmake/sluice-plugin.cmake
  DESTINATION ${SLUICE_PACKAGE_DIR} COMPONENT development)
# A plugin to begin with.
install(DIRECTORY plugins/template/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sluice/plugin-template
  COMPONENT development)

# cmake --install: program, configuration, unit, system user.
install(TARGETS sluice RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

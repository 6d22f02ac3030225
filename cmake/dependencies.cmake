# Every library Sluice uses; docs/dependencies.md says why each was chosen.
find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PahoMqttCpp CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(toml11 CONFIG REQUIRED)
find_package(nlohmann_json 3.11 CONFIG REQUIRED)
find_package(CLI11 CONFIG REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(microhttpd REQUIRED IMPORTED_TARGET libmicrohttpd)

# Vendor headers are not ours to warn about.
foreach(target SQLite::SQLite3 PahoMqttCpp::paho-mqttpp3 spdlog::spdlog toml11::toml11
               nlohmann_json::nlohmann_json CLI11::CLI11 prometheus-cpp::core)
  if(TARGET ${target})
    get_target_property(aliased ${target} ALIASED_TARGET)
    if(aliased)
      set(target ${aliased})
    endif()
    get_target_property(include_folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    if(include_folders)
      set_target_properties(${target} PROPERTIES
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${include_folders}")
    endif()
  endif()
endforeach()

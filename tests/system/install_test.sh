#!/bin/bash
# `cmake --install` puts everything where systemd and people look for it.
#
#   install_test.sh BUILD_FOLDER
set -euo pipefail
build=$1
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
folder=$temporary/root

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
# Chosen at configure time, so it is read back rather than assumed.
prefix=$(cached CMAKE_INSTALL_PREFIX)
install() { DESTDIR=$folder cmake --install "$build" >"$temporary/log" || { cat "$temporary/log"; exit 1; }; }
install

failed=0
expect() { # expect DESCRIPTION TEST…
  local what=$1
  shift
  if ! test "$@"; then
    echo "missing: $what ($*)"
    failed=1
  fi
}
config=$(find "$folder" -path '*/sluice/sluice.toml' -printf '%P\n')
unit=$folder$prefix/lib/systemd/system/sluice.service
expect 'program' -x "$folder$prefix/bin/sluice"
expect 'metrics' -f "$folder$prefix/lib/sluice/sluice-metrics.so"
expect 'configuration' -n "$config"
expect 'unit' -f "$unit"
expect 'system user' -f "$folder$prefix/lib/sysusers.d/sluice.conf"
expect 'licence' -f "$folder$prefix/share/doc/sluice/LICENSE"
for page in $(grep -o '(docs/[^)#]*' "$folder$prefix/share/doc/sluice/README.md" | cut -c2- | sort -u); do
  expect 'page that the README links to' -f "$folder$prefix/share/doc/sluice/$page"
done
expect 'headers for plugins' -f "$folder$prefix/include/sluice/pipeline/plugin/monitor.hpp"
expect 'package for plugins' -n "$(find "$folder" -name sluice-config.cmake)"
if ! grep -q "^ExecStart=$prefix/bin/sluice run --config /$config\$" "$unit"; then
  echo "the unit does not start $prefix/bin/sluice with /$config:"
  grep '^ExecStart=' "$unit"
  failed=1
fi
"$folder$prefix/bin/sluice" version || failed=1

# A project elsewhere finds the package and is built with what was installed, nothing else.
mkdir "$temporary/elsewhere"
cat >"$temporary/elsewhere/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(elsewhere CXX)
find_package(sluice 0.1 REQUIRED)
add_executable(elsewhere main.cpp)
target_link_libraries(elsewhere PRIVATE sluice::pipeline)
PROJECT
cat >"$temporary/elsewhere/main.cpp" <<'PROGRAM'
#include "pipeline/base/log.hpp"
#include "pipeline/plugin/monitor.hpp"

int main() { return sluice::printable("water") == "water" ? 0 : 1; }
PROGRAM
flags=''
[[ -z $(cached SLUICE_SANITIZE) ]] || flags="-fsanitize=$(cached SLUICE_SANITIZE)"
[[ $(cached SLUICE_FUZZ) != ON ]] || flags='-fsanitize=address,undefined'
if ! cmake -S "$temporary/elsewhere" -B "$temporary/elsewhere/build" -DCMAKE_CXX_FLAGS="$flags" \
  -G "$(cached CMAKE_GENERATOR)" -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
  -DCMAKE_PREFIX_PATH="$folder$prefix" >"$temporary/log" 2>&1 ||
  ! cmake --build "$temporary/elsewhere/build" >>"$temporary/log" 2>&1 ||
  ! "$temporary/elsewhere/build/elsewhere"; then
  echo 'a plugin cannot be built with what was installed:'
  cat "$temporary/log"
  failed=1
fi

echo '# edited' >>"$folder/$config"
install
if ! grep -qx '# edited' "$folder/$config"; then
  echo "a second installation overwrote $config"
  failed=1
fi
exit "$failed"

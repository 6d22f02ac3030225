#!/bin/bash
# The plugin template builds elsewhere, with nothing but what is installed for it, and is loaded.
#
#   template_test.sh BUILD_FOLDER PLUGIN_HOST
set -euo pipefail
build=$1 host=$2
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
quietly() { "$@" >"$temporary/log" 2>&1 || { cat "$temporary/log"; exit 1; }; }

cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
root=$temporary/root
prefix=$root$(cached CMAKE_INSTALL_PREFIX)
quietly env DESTDIR="$root" cmake --install "$build" --component development

# How the host was compiled is part of what must fit.
flags=''
[[ -z $(cached SLUICE_SANITIZE) ]] || flags="-fsanitize=$(cached SLUICE_SANITIZE)"
[[ $(cached SLUICE_FUZZ) != ON ]] || flags='-fsanitize=address,undefined'
cp -r "$prefix/share/sluice/plugin-template" "$temporary/rate-of-rise"
cd "$temporary/rate-of-rise"
quietly cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" \
  -G "$(cached CMAKE_GENERATOR)" -DCMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)"
quietly cmake --build build
quietly env DESTDIR="$temporary/installed" cmake --install build
plugin=$temporary/installed/usr/lib/sluice/plugins/rate-of-rise.so

# 2 in a minute is allowed, 3 is not; the second sensor is on its own.
said=$("$host" "$plugin" rate-of-rise limit=2 <<'READINGS'
mill 1 0
weir 9 30000
mill 3 60000
mill 6 120000
mill 99 120000
READINGS
)
expected='mill 3 the level rises faster than 2 a minute'
if [[ $said != "$expected" ]]; then
  printf 'expected: %s\ngot:      %s\n' "$expected" "$said"
  exit 1
fi

#!/bin/bash
# `cmake --install` puts everything where systemd and people look for it.
#
#   install_test.sh BUILD_FOLDER
set -euo pipefail
build=$1
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
folder=$temporary/root

# The prefix is asked for at configure time, so it is read back rather than assumed.
prefix=$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$build/CMakeCache.txt")
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
expect 'configuration' -n "$config"
expect 'unit' -f "$unit"
expect 'system user' -f "$folder$prefix/lib/sysusers.d/sluice.conf"
expect 'licence' -f "$folder$prefix/share/doc/sluice/LICENSE"
expect 'headers for plugins' -f "$folder$prefix/include/sluice/pipeline/plugin/monitor.hpp"
expect 'package for plugins' -n "$(find "$folder" -name sluice-config.cmake)"
if ! grep -q "^ExecStart=$prefix/bin/sluice run --config /$config\$" "$unit"; then
  echo "the unit does not start $prefix/bin/sluice with /$config:"
  grep '^ExecStart=' "$unit"
  failed=1
fi
"$folder$prefix/bin/sluice" version || failed=1

echo '# edited' >>"$folder/$config"
install
if ! grep -qx '# edited' "$folder/$config"; then
  echo "a second installation overwrote $config"
  failed=1
fi
exit "$failed"

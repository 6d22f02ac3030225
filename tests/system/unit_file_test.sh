#!/bin/bash
# The systemd unit has no misspelt key, and is sandboxed.
#
#   unit_file_test.sh UNIT SYSUSERS
#
# `systemd-analyze verify` exits 0 for unknown keys, so any word of it is a failure. It also wants
# the program to exist, so the unit is looked at in a folder of its own with /bin/true in it.
set -euo pipefail
unit=$1 sysusers=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sed -E 's|^(ExecStart=)[^ ]+|\1/bin/true|; /^(Documentation)=/d' "$unit" >"$folder/sluice.service"
words=$(systemd-analyze verify --man=no "$folder/sluice.service" 2>&1) || true
if [[ -n $words ]]; then
  printf 'systemd-analyze verify:\n%s\n' "$words"
  exit 1
fi
systemd-analyze security --offline=true --threshold=15 --no-pager "$folder/sluice.service" |
  tail -n 1

grep -qx 'Type=notify' "$unit"
grep -Eq '^RestartPreventExitStatus=.*\b78\b' "$unit"
systemd-sysusers --dry-run "$sysusers" >/dev/null
echo 'unit file: sound'

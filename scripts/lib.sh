# Shared by the scripts in this folder: `. "$(dirname "$0")/lib.sh"`. Bash.
#
# Strict mode, the project's root in $root (and as working directory), and a few ways to speak:
# steps in colour on a terminal, plain everywhere else.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

if [[ -t 2 && ${TERM:-dumb} != dumb && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' green='' red='' plain=''
fi

say() { printf '%s\n' "$*" >&2; }
step() { printf '%s==> %s%s\n' "$bold" "$*" "$plain" >&2; }
good() { printf '%s%s%s\n' "$green" "$*" "$plain" >&2; }
bad() { printf '%s%s%s\n' "$red" "$*" "$plain" >&2; }
die() {
  bad "$(basename "$0"): $*"
  exit 1
}

# The comment at the head of the running script is its help.
usage() { sed -n '2,/^[^#]/{/^#/!d;s/^# \{0,1\}//;p}' "$0"; }

# Our own sources of the given name patterns, one path a line, relative to $root.
sources() {
  local names=() pattern
  for pattern in "$@"; do names+=(-o -name "$pattern"); done
  find pipeline storage plugins daemon tests -type f \( "${names[@]:1}" \) | LC_ALL=C sort
}

# Copies the tree to a folder: what git knows, and new files that are not ignored.
# Without git, as from a release's archive, all but the build folder.
copy_tree() { # copy_tree FOLDER
  local file
  if [[ ! -e .git ]]; then
    tar -c --exclude=./build . | tar -x -C "$1"
    return
  fi
  git ls-files --cached --others --exclude-standard -z |
    while IFS= read -r -d '' file; do
      if [[ -e $file || -L $file ]]; then printf '%s\0' "$file"; fi
    done |
    tar -c --null -T - | tar -x -C "$1"
}

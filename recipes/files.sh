#!/usr/bin/env bash
# files.sh stamp|verify: the script of both actions. FILES has paths or globs, one on each line; NETWORK
# is the file with the pinned configuration; `stamp` also needs GATEWAY. The package is that of countersign.sh.
set -euo pipefail
shopt -s nullglob globstar

for name in COUNTERSIGN_PACKAGE COUNTERSIGN_PACKAGE_SHA256; do
  if [[ -z ${!name:-} ]]; then
    echo "::error::$name is not set" >&2
    exit 1
  fi
done

files=()
while IFS= read -r pattern; do
  pattern=${pattern#"${pattern%%[![:space:]]*}"}
  pattern=${pattern%"${pattern##*[![:space:]]}"}
  [[ -n $pattern ]] || continue
  IFS= matches=($pattern) # a path without a wildcard matches itself
  if ((${#matches[@]} == 0)); then
    echo "::error::No file matches $pattern" >&2
    exit 1
  fi
  for file in "${matches[@]}"; do
    [[ $file == *.countersign.json || -d $file ]] || files+=("$file")
  done
done <<<"$FILES"
if ((${#files[@]} == 0)); then
  echo "::error::No files to $1: folders and saved proofs are left out" >&2
  exit 1
fi

countersign() { sh "$(dirname "$0")/countersign.sh" "$@"; }

if [[ $1 == stamp ]]; then
  countersign stamp --gateway "$GATEWAY" --save -- "${files[@]}"
fi
countersign verify --network-config "$NETWORK" -- "${files[@]}"
if [[ $1 == stamp ]]; then
  # A name that contained the delimiter could set other outputs.
  delimiter=$(od -An -tx1 -N16 /dev/urandom | tr -d ' \n')
  {
    echo "proofs<<$delimiter"
    printf '%s.countersign.json\n' "${files[@]}"
    echo "$delimiter"
  } >>"${GITHUB_OUTPUT:-/dev/null}"
fi

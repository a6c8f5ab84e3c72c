#!/bin/sh
# countersign.sh ARGUMENT...: runs the program in the package COUNTERSIGN_PACKAGE, a file or an https URL,
# if it has the SHA-256 COUNTERSIGN_PACKAGE_SHA256. The package contains all that it needs, so no registry
# is asked: whoever registers a name there decides what it runs. Needs Node 20, tar, and curl for a URL.
set -eu
: "${COUNTERSIGN_PACKAGE:?is not set: name the file or URL of countersign-VERSION.tgz}"
: "${COUNTERSIGN_PACKAGE_SHA256:?is not set: it is the SHA-256 of the package}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $COUNTERSIGN_PACKAGE in
  https://*) curl -fsSL --proto '=https' -o "$folder/package.tgz" "$COUNTERSIGN_PACKAGE" ;;
  *) cp -- "$COUNTERSIGN_PACKAGE" "$folder/package.tgz" ;;
esac
found=$({ sha256sum 2>/dev/null || shasum -a 256; } <"$folder/package.tgz")
if [ "${found%% *}" != "$COUNTERSIGN_PACKAGE_SHA256" ]; then
  echo "countersign.sh: $COUNTERSIGN_PACKAGE has the SHA-256 ${found%% *}, not COUNTERSIGN_PACKAGE_SHA256" >&2
  exit 1
fi
tar -xzf "$folder/package.tgz" -C "$folder"
node "$folder/package/lib/main.js" "$@"

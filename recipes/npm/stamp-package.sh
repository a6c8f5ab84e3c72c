#!/bin/sh
# Stamps the tarball that `npm publish` is about to upload. In package.json:
#
#     "scripts": { "prepublishOnly": "sh stamp-package.sh" }
#
# COUNTERSIGN_GATEWAY is the gateway; countersign.sh lies beside this file. The proof,
# NAME-VERSION.tgz.countersign.json, is written to the folder `proofs`, outside the package. `npm pack NAME@VERSION` fetches the same tarball again.
set -eu
[ "${npm_config_dry_run:-}" != true ] || exit 0
mkdir -p proofs
tarball=$(npm pack --silent --pack-destination proofs)
sh countersign.sh stamp --save "proofs/$tarball"
rm "proofs/$tarball"

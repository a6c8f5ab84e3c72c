#!/usr/bin/env bash
# foreign_programs.sh DIR: brings litewitness, witnessctl, spicy-torchwood and sigsum-witness from Debian's
# unstable release (some seconds, 35 MB), not installed, into DIR/bin.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
. "$source/debian_sid.sh"
fetch torchwood sigsum-go
ln -sf "$dir"/unpacked/usr/bin/{litewitness,witnessctl,spicy-torchwood,sigsum-witness} "$dir/bin/"

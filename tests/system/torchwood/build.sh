#!/usr/bin/env bash
# build.sh DIR: builds main.go with Debian's packages of Go and of filippo.io/torchwood, which are
# fetched from Debian's unstable release (46 MB) and not installed. The program is DIR/torchwood.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
. "$source/../debian_sid.sh"
fetch golang-1.26-go golang-1.26-src golang-filippo-torchwood-dev golang-golang-x-{crypto,mod,sync}-dev
set_up_go
"$GOROOT/bin/go" build -o "$dir/torchwood" "$source/main.go"

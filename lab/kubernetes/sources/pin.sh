#!/bin/bash
# pin.sh FOLDER MODULE[,MODULE...] VERSION PACKAGE...
# Makes FOLDER a Go module of our own that builds the named packages of a published module (or of several that are
# published together), with every module that they need at the version that the publisher's own go.mod says, and the
# checksum of each. Run it to take up a new release, and read the difference of go.mod and go.sum as a reviewer would.
# PUBLISHED='MODULE VERSION': a folder of the publisher's source that is to be had as this module.
set -euo pipefail
folder=$(dirname "$0")/$1 modules=${2//,/ } module=${2%%,*} version=$3
shift 3
mkdir -p "$folder"
cd "$folder"
rm -f go.mod go.sum programs.go
# Outside of any module of ours, so that nothing of it is asked for.
theirs=$(cd / && go mod download -json "$module@$version" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')

replaced() {
  awk '/^replace \(/ { inside = 1; next } inside && /^\)/ { inside = 0 } inside && /=>/; /^replace [^(]/ { sub(/^replace /, ""); print }' "$theirs"
}

{
  echo 'module lab.test/programs'
  echo
  grep -E '^go ' "$theirs"
  echo
  for each in $modules; do echo "require $each $version"; done
  echo
  # A folder of the publisher's own source is a module of its own where it is published: those of Kubernetes at v0.
  replaced | { grep -v '=> \.' || true; } | sed 's/^\s*/replace /'
  replaced | { grep -oE 'k8s\.io/[a-z0-9-]+ => \./staging' || true; } | sed "s/ .*//; s#.*#replace & => & v0.${version#v1.}#"
  if [ -n "${PUBLISHED:-}" ]; then echo "replace ${PUBLISHED% *} => $PUBLISHED"; fi
  # What the module proxy refuses has a folder of ours beside it.
  for own in $(find . -mindepth 2 -name go.mod | sort); do
    echo "replace $(sed -n 's/^module //p' "$own") => $(dirname "$own")"
  done
} > go.mod
{
  echo '//go:build programs'
  echo
  echo '// Package programs names what is built, so that go.mod and go.sum hold all that it needs.'
  echo 'package programs'
  echo
  echo 'import ('
  for package in "$@"; do echo "	_ \"$package\""; done
  echo ')'
} > programs.go
go mod tidy -e
go mod verify > /dev/null
go list -mod=readonly -deps "$@" > /dev/null

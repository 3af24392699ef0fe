#!/bin/sh
# Makes Debian's source package of Kubernetes ready for `go build`, in the folder $1: src/ holds the source package,
# debs/ the toolchain, $2 the lab's stand-ins for what Debian lacks. Leaves go/ (toolchain) and gopath/ (source).
set -eu
cd "$1"
standins=$2

mkdir -p go gopath/src/k8s.io cache tmp
for deb in debs/golang-*.deb; do dpkg-deb -x "$deb" go; done
tar -C gopath/src/k8s.io -xzf src/kubernetes_*.orig.tar.gz
mv gopath/src/k8s.io/kubernetes-* gopath/src/k8s.io/kubernetes
tar -xJf src/kubernetes_*.debian.tar.xz

export GOROOT="$1/go/usr/lib/go-1.19" GOPATH="$1/gopath" GOCACHE="$1/cache" GOTMPDIR="$1/tmp"
export GO111MODULE=off GOFLAGS= CGO_ENABLED=0 LC_ALL=C
cd gopath/src/k8s.io/kubernetes
while read -r patch; do patch -s -p1 <"$1/debian/patches/$patch"; done <"$1/debian/patches/series"

# The vendored reflect2 crashes in programs of Go 1.18 and later; Debian packages one that does not.
reflect=vendor/github.com/modern-go/reflect2
rm "$reflect"/*.go "$reflect"/*.s
cp "$1"/go/usr/share/gocode/src/github.com/modern-go/reflect2/*.go "$1"/go/usr/share/gocode/src/github.com/modern-go/reflect2/*.s "$reflect"

# kubernetes#99305, as pull request 102673 mends it: the kubelet may refuse a joining etcd for disk that it does not need.
sed -i '/v1.ResourceEphemeralStorage: resource.MustParse("100Mi"),/d' cmd/kubeadm/app/phases/etcd/local.go

# kubernetes#102464, as pull request 102539 mends it: a watch of services that the API server ended, such as when etcd had
# no leader, stayed open and silent for minutes, so that new services got no endpoints, or no rules of kube-proxy.
watcher=staging/src/k8s.io/apiserver/pkg/registry/generic/registry/decorated_watcher.go
sed -i -e '/^func (d \*decoratedWatcher) run(/a \	defer close(d.resultCh)' -e '/^\t\t\tclose(d.resultCh)$/d' "$watcher"
[ "$(grep -c 'close(d.resultCh)' "$watcher")" = 1 ]

for folder in "$standins"/*/; do cp -r "$folder" cmd/; done

# The one generated file that the source package lacks. Its report proves that nothing was forgotten.
"$GOROOT/bin/go" build -o "$1/tmp/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
tagged=$(grep -rlE --include='*.go' '^// *\+k8s:openapi-gen=' cmd pkg plugin test staging/src/k8s.io |
  grep -v -E 'staging/src/k8s.io/(code-generator|sample-apiserver)|_test.go|zz_generated|/generated/' |
  xargs -n1 dirname | sort -u | sed 's#^staging/src/#vendor/#; s#^#k8s.io/kubernetes/#' | paste -sd,)
"$1/tmp/openapi-gen" -i "$tagged" -p k8s.io/kubernetes/pkg/generated/openapi -O zz_generated.openapi \
  -h vendor/k8s.io/code-generator/hack/boilerplate.go.txt -r "$1/tmp/violations"
cmp "$1/tmp/violations" api/api-rules/violation_exceptions.list

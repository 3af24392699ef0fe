//go:build programs

// Package programs names what is built, so that go.mod and go.sum hold all that it needs.
package programs

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "go.etcd.io/etcd/etcdctl/v3"
	_ "go.etcd.io/etcd/etcdutl/v3"
)

//go:build programs

// Package programs names what is built, so that go.mod and go.sum hold all that it needs.
package programs

import (
	_ "github.com/projectcalico/calico/node/cmd/calico-node"
	_ "github.com/projectcalico/calico/cni-plugin/cmd/calico"
	_ "github.com/projectcalico/calico/cni-plugin/cmd/install"
	_ "github.com/projectcalico/calico/kube-controllers/cmd/kube-controllers"
	_ "github.com/projectcalico/calico/kube-controllers/cmd/check-status"
)

//go:build programs

// Package programs names what is built, so that go.mod and go.sum hold all that it needs.
package programs

import (
	_ "helm.sh/helm/v3/cmd/helm"
)

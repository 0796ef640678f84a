//go:build tools

// Package tools pins the Helm of the major version before.
package tools

import (
	_ "helm.sh/helm/v3/cmd/helm"
)

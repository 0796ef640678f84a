//go:build tools

// Package tools pins the Helm that the e2e suites render and install the chart with.
package tools

import (
	_ "helm.sh/helm/v4/cmd/helm"
)

//go:build tools

// Package tools pins the promtool that tests the chart's alerts.
package tools

import (
	_ "github.com/prometheus/prometheus/cmd/promtool"
)

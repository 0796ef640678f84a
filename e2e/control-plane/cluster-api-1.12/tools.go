//go:build tools

// Package tools pins an older upstream manager that the e2e suites run beside Nodeward.
package tools

import _ "sigs.k8s.io/cluster-api"

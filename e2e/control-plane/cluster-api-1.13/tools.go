//go:build tools

// Package tools pins older upstream managers that the e2e suites run beside Nodeward.
package tools

import (
	_ "sigs.k8s.io/cluster-api"
	_ "sigs.k8s.io/cluster-api/controlplane/kubeadm"
)

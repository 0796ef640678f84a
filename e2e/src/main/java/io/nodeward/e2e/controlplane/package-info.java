/** A real control plane for suites and benches: etcd and kube-apiserver as processes, and what shows what they saw. */
@NullMarked
package io.nodeward.e2e.controlplane;

import org.jspecify.annotations.NullMarked;

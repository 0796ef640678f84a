/**
 * A small Kubernetes API server over real HTTP, for the demo and for tests: what it serves is what kube-apiserver serves,
 * kept in memory.
 */
@NullMarked
package io.nodeward.core.fakeapi;

import org.jspecify.annotations.NullMarked;

/** The one plan for one Node: taints, labels, annotations and the initialization taint together. */
@NullMarked
package io.nodeward.core.rules.node;

import org.jspecify.annotations.NullMarked;

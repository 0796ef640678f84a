/** What pods and claims tolerate, and what schedulers, kubelets, controllers and admission make of it. */
@NullMarked
package io.nodeward.core.rules.toleration;

import org.jspecify.annotations.NullMarked;

/** Everything that takes time: caches, queues, clusters, events, metrics. The only threads of Nodeward are started here. */
@NullMarked
package io.nodeward.core.runtime;

import org.jspecify.annotations.NullMarked;

/** Cluster API's Cluster and Machine as partial views, and the names of its wire formats. */
@NullMarked
package io.nodeward.api.machine;

import org.jspecify.annotations.NullMarked;

/** What every Kubernetes object has: key, metadata, owners; and the Status a server answers with. */
@NullMarked
package io.nodeward.api.meta;

import org.jspecify.annotations.NullMarked;

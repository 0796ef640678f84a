/** JSON of the records: streaming projections in, request bodies out. Jackson is seen here and in kubeconfig alone. */
@NullMarked
package io.nodeward.api.json;

import org.jspecify.annotations.NullMarked;

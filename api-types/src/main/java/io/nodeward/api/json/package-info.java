/** JSON of the records: streaming projections in, request bodies out. The only package that sees Jackson. */
@NullMarked
package io.nodeward.api.json;

import org.jspecify.annotations.NullMarked;

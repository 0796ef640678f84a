/** Where a build's minutes went. */
@NullMarked
package io.nodeward.e2e.report;

import org.jspecify.annotations.NullMarked;

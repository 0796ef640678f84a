/** The verdicts of admission on objects in files, before any server sees them. */
@NullMarked
package io.nodeward.cli.validate;

import org.jspecify.annotations.NullMarked;

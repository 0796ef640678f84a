/** What a command to taint Nodes means, in kubectl's grammar and words, and what it makes of their taints. */
@NullMarked
package io.nodeward.core.rules.command;

import org.jspecify.annotations.NullMarked;

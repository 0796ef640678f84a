/** {@code nodeward taint}: Nodes as kubectl taints them without losing what others write, and declared taints. */
@NullMarked
package io.nodeward.cli.taint;

import org.jspecify.annotations.NullMarked;

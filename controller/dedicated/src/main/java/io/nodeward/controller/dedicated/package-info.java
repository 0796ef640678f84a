/** Nodes that belong to the pods of some namespaces: what a DedicatedNodes declares, on its Nodes and in its status. */
@NullMarked
package io.nodeward.controller.dedicated;

import org.jspecify.annotations.NullMarked;

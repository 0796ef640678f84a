/** Gives each change to the writer of its kind. */
    static ObjectWriter of(
            Of<NodeUpdate> nodes,
            Of<HomeNodeUpdate> homeNodes,
            Of<AnnotationUpdate> annotations,
            Of<TaintListUpdate> taints,
            Of<ObjectUpdate> objects) {
        return (change, fieldManager, again) -> switch (change) {
            case NodeUpdate update -> nodes.apply(update, fieldManager, again);
            case HomeNodeUpdate update -> homeNodes.apply(update, fieldManager, again);
            case AnnotationUpdate update -> annotations.apply(update, fieldManager, again);
            case TaintListUpdate update -> taints.apply(update, fieldManager, again);
            case ObjectUpdate update -> objects.apply(update, fieldManager, again);
        };
    }
}

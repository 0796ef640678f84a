package io.nodeward.cli.taint;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A kind of Cluster API that declares taints for Nodes. */
enum OwnerKind {
    MACHINE("machine", "ma", "/spec/taints"),
    MACHINE_SET("machineset", "ms", "/spec/template/spec/taints"),
    MACHINE_DEPLOYMENT("machinedeployment", "md", "/spec/template/spec/taints"),
    MACHINE_POOL("machinepool", "mp", "/spec/template/spec/taints"),
    /** Declares in several places. */
    CLUSTER("cluster", "cl", "");

    private static final String GROUP = ".cluster.x-k8s.io";

    private final String singular;
    private final String shortName;
    private final String path;

    OwnerKind(String singular, String shortName, String path) {
        this.singular = singular;
        this.shortName = shortName;
        this.path = path;
    }

    /** As in paths. */
    String plural() {
        return singular + "s";
    }

    /** Where the list is, as a JSON pointer; empty if there are several. */
    String path() {
        return path;
    }

    /** The kind of such a name of a type, in singular, plural or short, with its group or without. */
    static Optional<OwnerKind> of(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        int dot = name.indexOf('.');
        if (dot >= 0 && !name.endsWith(GROUP)) {
            return Optional.empty();
        }
        String bare = dot < 0 ? name : name.substring(0, dot);
        return Arrays.stream(values())
                .filter(kind -> List.of(kind.singular, kind.plural(), kind.shortName).contains(bare))
                .findFirst();
    }

    /** As kubectl calls an object. */
    String object(String name) {
        return singular + GROUP + "/" + name;
    }

    /** As it is typed. */
    String typed(String name) {
        return singular + "/" + name;
    }
}

package io.nodeward.e2e.controlplane;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a control plane gets beyond what it always has.
 *
 * @param etcdFlags added to etcd's command line
 * @param apiServerFlags added to kube-apiserver's command line
 */
public record Options(List<String> etcdFlags, List<String> apiServerFlags) {
    public Options {
        etcdFlags = List.copyOf(etcdFlags);
        apiServerFlags = List.copyOf(apiServerFlags);
    }

    /** Fast and forgetful: etcd does not wait for the disk. */
    public static Options standard() {
        return new Options(List.of("--unsafe-no-fsync"), List.of());
    }

    /** etcd waits for the disk, as in production: for measurements. */
    public static Options durable() {
        return new Options(List.of(), List.of());
    }

    /** @param flags as {@code --feature-gates=A=true} */
    public Options withApiServerFlags(String... flags) {
        return new Options(etcdFlags, Stream.concat(apiServerFlags.stream(), Stream.of(flags)).toList());
    }
}

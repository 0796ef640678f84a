package io.nodeward.core.spi;

/** A client library that reaches API servers. Found by {@link java.util.ServiceLoader}, chosen by {@link #name()}. */
public interface Backend {
    /** The name users choose it by, for example {@code fabric8}. */
    String name();

    /**
     * Prepares a transport; nothing is sent yet.
     *
     * @throws IllegalArgumentException if this kubeconfig cannot be used; the message names the field, never a credential
     */
    Transport connect(ClusterAccess access);
}

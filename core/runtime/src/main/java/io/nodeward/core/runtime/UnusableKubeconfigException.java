package io.nodeward.core.runtime;

/** The kubeconfig of the API server that the process runs against cannot be used. */
public final class UnusableKubeconfigException extends IllegalArgumentException {
    UnusableKubeconfigException(IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
    }
}

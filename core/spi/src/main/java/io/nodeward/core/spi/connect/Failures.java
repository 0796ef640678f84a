package io.nodeward.core.spi.connect;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Words for why no answer came. Only messages of network classes are passed on: they hold no credential. */
public final class Failures {
    private Failures() {}

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (isWrapping(root) && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static boolean isWrapping(Throwable failure) {
        return failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof UncheckedIOException;
    }

    /** One line, the same for the same event whatever client library met it. */
    static String words(Throwable failure) {
        Throwable root = root(failure);
        return switch (root) {
            case NoCredentialException e -> "no credential: " + e.getMessage();
            case RefusedAddressException e -> String.valueOf(e.getMessage());
            case HttpConnectTimeoutException e -> "no connection in time";
            case HttpTimeoutException e -> "no answer in time";
            case SocketTimeoutException e -> "no connection in time";
            case TimeoutException e -> "no answer in time";
            case ConnectException e when causedBy(e, UnresolvedAddressException.class) -> "host not found";
            case ConnectException e -> "connection refused";
            case UnknownHostException e -> "host not found";
            case SSLException e -> "TLS not agreed: " + firstLine(e);
            case ClosedChannelException e -> "connection closed";
            case CancellationException e -> "closed by us";
            case IOException e when causedBy(e, EOFException.class) -> "connection closed by the server";
            case IOException e -> "connection failed: " + firstLine(e);
            default -> root.getClass().getSimpleName();
        };
    }

    /** The failure itself if the network made it; else its type and place, as its message may quote a header. */
    static Throwable withoutSecrets(Throwable failure) {
        Throwable root = root(failure);
        if (root instanceof IOException || root instanceof TimeoutException || root instanceof InterruptedException) {
            return root;
        }
        Throwable plain = new IOException(root.getClass().getName());
        plain.setStackTrace(root.getStackTrace());
        return plain;
    }

    /** As {@link #withoutSecrets}, of a failure to read. */
    public static IOException readable(Throwable failure) {
        Throwable plain = withoutSecrets(failure);
        return plain instanceof IOException network ? network : new IOException(words(plain), plain);
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static boolean causedBy(Throwable failure, Class<? extends Throwable> type) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (type.isInstance(t)) {
                return true;
            }
        }
        return false;
    }
}

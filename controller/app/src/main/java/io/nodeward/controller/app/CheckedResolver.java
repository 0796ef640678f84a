package io.nodeward.controller.app;

import io.nodeward.core.spi.connect.AddressCheck;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Checks what a name leads to, if the calling thread resolves it for a kubeconfig Secret. It keeps addresses as long as the
 * JVM does by default: the JDK's HTTP client resolves the name of its server for each request.
 */
final class CheckedResolver implements InetAddressResolver {
    private static final long KEPT = Duration.ofSeconds(30).toNanos();

    private final InetAddressResolver resolver;
    private final LongSupplier nanoTime;
    private final Map<Query, Answer> answers = new ConcurrentHashMap<>();

    private record Query(String host, int characteristics) {}

    /** @param end when it is too old; nanoseconds */
    private record Answer(List<InetAddress> addresses, long end) {}

    /**
     * @param resolver which resolves names
     * @param nanoTime as {@link System#nanoTime}
     */
    CheckedResolver(InetAddressResolver resolver, LongSupplier nanoTime) {
        this.resolver = resolver;
        this.nanoTime = nanoTime;
    }

    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
        Optional<AddressCheck> check = AddressCheck.current();
        List<InetAddress> addresses;
        try {
            addresses = resolve(host, policy);
        } catch (UnknownHostException e) {
            check.ifPresent(unresolved -> unresolved.allows(List.of())); // that is no refusal
            throw e;
        }
        if (check.isPresent() && !check.get().allows(addresses)) {
            return Stream.empty(); // an exception would make the JVM answer the loopback address for localhost
        }
        return addresses.stream();
    }

    private List<InetAddress> resolve(String host, LookupPolicy policy) throws UnknownHostException {
        Query query = new Query(host, policy.characteristics());
        long now = nanoTime.getAsLong();
        Answer kept = answers.get(query);
        if (kept != null && now - kept.end < 0) {
            return kept.addresses;
        }
        List<InetAddress> addresses;
        try (Stream<InetAddress> found = resolver.lookupByName(host, policy)) {
            addresses = found.toList();
        }
        answers.values().removeIf(answer -> now - answer.end >= 0);
        answers.put(query, new Answer(addresses, now + KEPT));
        return addresses;
    }

    /**
     * Asks no DNS server: the JDK's HTTPS server wants the name of each caller before it reads the request, and no code uses it. While
     * DNS does not answer, a webhook with the failure policy {@code Fail} would refuse every pod, those of the DNS servers too.
     *
     * @throws UnknownHostException always; the JVM then takes the address for the name
     */
    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
        throw new UnknownHostException("names of addresses are not looked up");
    }
}

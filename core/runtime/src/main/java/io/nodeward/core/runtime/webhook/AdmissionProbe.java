package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;

/**
 * Proves that an API server reaches the webhooks of a component. A registration proves nothing: its Service may have no
 * endpoints. The probe sends a dry-run patch of the Secret that the component may patch anyway, with a nonce in a label. A webhook
 * beside those of the component is called for such patches alone, and denies them with the nonce.
 */
public final class AdmissionProbe implements AdmissionHandler {
    /** The label of a patch that probes. No stored object has it. */
    static final String LABEL = "nodeward.io/probe";
    /** How long failures in a row last before objects that were ready report them. */
    static final Duration LASTING = Duration.ofSeconds(30);
    /** The time between probes while API servers reach the webhooks. */
    static final Duration EVERY = Duration.ofMinutes(10);
    /** The least time between two messages about failures that last, as each is a write of each object that shows it. */
    private static final Duration SAME_WORDS = Duration.ofMinutes(1);
    private static final Backoff AGAIN = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final List<String> NONCE = List.of("metadata", "labels", LABEL);
    /** The caller's address in a message, whose port differs each time. */
    private static final String LOCAL_ADDRESS = "\\S+:\\d+->";

    private final LongSupplier ticker;
    private final LogOnce log = new LogOnce(LoggerFactory.getLogger(AdmissionProbe.class));
    private final List<Consumer<AdmissionProbe>> listeners = new CopyOnWriteArrayList<>();
    private volatile Optional<Unproved> unproved =
            Optional.of(new Unproved("no API server has been asked yet whether it reaches the webhook", false));
    private int failures;
    private long failing;
    private long worded;

    /**
     * The reason why it is not known that API servers reach the webhooks.
     *
     * @param message one sentence, with what the API server said
     * @param lasting false if no API server was asked yet, or the probes began to fail a moment ago, as during a restart
     */
    public record Unproved(String message, boolean lasting) {}

    /** @param ticker nanoseconds since any one moment */
    public AdmissionProbe(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** Returns why it is not known that API servers reach the webhooks; empty if the last probe has succeeded. */
    public Optional<Unproved> unproved() {
        return unproved;
    }

    /** Calls the listener with each change of {@link #unproved} from now on. */
    public void whenChanged(Consumer<AdmissionProbe> listener) {
        listeners.add(listener);
    }

    /**
     * Returns the webhook that answers probes. Its failure policy is {@code Fail}, so that the API server says why a call failed.
     * That holds up no write: the label selects it for dry runs alone, and the condition keeps it from a label that a user stores.
     *
     * @param secret that is patched
     */
    Webhook webhook(String component, ObjectKey secret) {
        return new Webhook(AdmissionPhase.VALIDATING, name(component), "/" + component + "/probe",
                Shape.of(List.of(NONCE)), this, Map.of(
                        "failurePolicy", "Fail",
                        "rules", List.of(Map.of("apiGroups", List.of(""), "apiVersions", List.of("v1"),
                                "operations", List.of("UPDATE"), "resources", List.of("secrets"),
                                "scope", "Namespaced")),
                        "namespaceSelector", selecting("kubernetes.io/metadata.name", "In", secret.namespace()),
                        "objectSelector", selecting(LABEL, "Exists"),
                        "matchConditions", List.of(Map.of("name", "probe", "expression",
                                "request.?dryRun.orValue(false) && request.name == '" + secret.name() + "'"))));
    }

    private static Map<String, Object> selecting(String key, String operator, String... values) {
        return Map.of("matchExpressions", List.of(values.length == 0
                ? Map.of("key", key, "operator", operator)
                : Map.of("key", key, "operator", operator, "values", List.of(values))));
    }

    private static String name(String component) {
        return "probe." + component + ".nodeward.io";
    }

    @Override
    public AdmissionResponse handle(AdmissionRequest request) {
        String nonce = request.object().at(NONCE).string();
        return request.dryRun() && !nonce.isEmpty()
                ? AdmissionResponse.forbidden(denial(nonce))
                : AdmissionResponse.allowed();
    }

    private static String denial(String nonce) {
        return "Nodeward got the probe " + nonce;
    }

    /**
     * Probes once.
     *
     * @throws ApiFailure.Paused during a pause; what was known before still counts. A process that does not lead probes, too
     */
    Result send(ApiServer server, ManagedObjects objects) {
        String nonce = UUID.randomUUID().toString();
        byte[] patch = Trees.written(Tree.of(Map.of("metadata", Map.of("labels", Map.of(LABEL, nonce)))));
        try {
            server.patch(Resources.SECRETS, objects.secret(), Patch.merge(patch, objects.fieldManager()),
                    PatchOptions.NONE.withDryRun());
            return failed("the API server answered the probe without a call of the webhook: "
                    + AdmissionPhase.VALIDATING.webhookConfigurationKind() + " " + objects.name("")
                    + " is missing or has changed, or the API server has not seen it yet");
        } catch (ApiFailure.Paused paused) {
            throw paused;
        } catch (ApiFailure answer) {
            String message = String.valueOf(answer.getMessage());
            return message.contains("\"" + name(objects.component()) + "\" denied the request: " + denial(nonce))
                    ? succeeded()
                    : failed(message.replaceAll(LOCAL_ADDRESS, ""));
        }
    }

    private synchronized Result succeeded() {
        failures = 0;
        show(Optional.empty());
        return Result.requeueAfter(Timers.jittered(EVERY), "the next probe of the webhook");
    }

    private synchronized Result failed(String why) {
        long now = ticker.getAsLong();
        failing = failures == 0 ? now : failing;
        failures++;
        Unproved next = new Unproved("no API server is known to reach the webhook: " + why,
                now - failing >= LASTING.toNanos());
        boolean isSame = unproved.filter(shown -> shown.lasting() && now - worded < SAME_WORDS.toNanos()).isPresent();
        if (!isSame) {
            worded = now;
            show(Optional.of(next));
        }
        return Result.requeueAfter(AGAIN.delay(failures), "API servers to reach the webhook");
    }

    private void show(Optional<Unproved> next) {
        if (!next.equals(unproved)) {
            unproved = next;
            next.ifPresentOrElse(shown -> log.warn("the webhook", shown.message()), () -> log.resolved("the webhook"));
            listeners.forEach(listener -> listener.accept(this));
        }
    }
}

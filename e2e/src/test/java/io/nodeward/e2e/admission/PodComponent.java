package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.soon;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.webhook.AdmissionHandler;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionPolicyDefinition;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.ServingOptions;
import io.nodeward.core.runtime.webhook.Webhook;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import io.nodeward.core.runtime.webhook.WebhookController;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;

/** A component that is asked about Pods in every way that the kit knows, on a port of this machine. */
final class PodComponent implements AutoCloseable {
    private static final Map<String, Object> PARAM_KIND = Map.of("apiVersion", "v1", "kind", "ConfigMap");

    private final LinkedBlockingDeque<AdmissionRequest> validated = new LinkedBlockingDeque<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Timers timers = new Timers();
    private final ApiServer server;
    private final WebhookController controller;

    private PodComponent(Path kubeconfig, int port) throws IOException {
        this.server = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers, meters, "e2e",
                WritePause.NEVER, Leadership.UNCONTESTED)
                .management(Files.readString(kubeconfig), Optional.of(kubeconfig));
        ControllerContext context = context();
        this.controller =
                new WebhookController(registration(port, context), new HomeCluster(server, timers), context);
    }

    private ControllerContext context() {
        InstantSource clock = InstantSource.system();
        return new ControllerContext((change, manager, again) -> {
            throw new AssertionError("it decides on no change: " + change);
        }, new Conditions(server, Duration.ofSeconds(30), clock, timers::nanoTime, true),
                new EventRecorder(server, clock, timers, false, meters), clock, timers, meters, "", false);
    }

    /** @param port where it is called, the same each time that it is started */
    static PodComponent start(ControlPlane controlPlane, int port) {
        try {
            PodComponent component = new PodComponent(controlPlane.file(controlPlane.adminKubeconfig()), port);
            component.controller.start();
            return component;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private AdmissionRegistration registration(int port, ControllerContext context) {
        ServingOptions serving = new ServingOptions(new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                WebhookClientConfig.parse("https://127.0.0.1:" + port), Optional.empty());
        return AdmissionRegistration
                .of("kit", Set.of(AdmissionPhase.MUTATING, AdmissionPhase.VALIDATING), serving, context)
                .withWebhooks(List.of(
                        webhook(AdmissionPhase.MUTATING, "mutate", this::mutate, List.of("CREATE"), List.of("pods")),
                        webhook(AdmissionPhase.VALIDATING, "validate", this::validate,
                                List.of("CREATE", "UPDATE", "DELETE"), List.of("pods", "pods/binding"))))
                .withPolicies(() -> List.of(zone(), guard()));
    }

    private static Webhook webhook(
            AdmissionPhase phase,
            String name,
            AdmissionHandler handler,
            List<String> operations,
            List<String> resources) {
        return new Webhook(phase, name + ".kit.nodeward.io", "/" + name, Shape.WHOLE, handler, Map.of(
                "rules", rules(operations, resources), "failurePolicy", "Ignore", "timeoutSeconds", 10));
    }

    private static List<Map<String, Object>> rules(List<String> operations, List<String> resources) {
        return List.of(Map.of("apiGroups", List.of(""), "apiVersions", List.of("v1"), "operations", operations,
                "resources", resources));
    }

    private AdmissionResponse mutate(AdmissionRequest request) {
        Tree toleration = Tree.of(Map.of("key", "dedicated", "operator", "Equal", "value", "banana", "effect",
                "NoExecute", "tolerationSeconds", 1L << 40));
        List<Tree> there = request.object().at(List.of("spec", "tolerations")).elements();
        JsonPatch patch = there.isEmpty()
                ? JsonPatch.EMPTY.add(List.of("spec", "tolerations"), new Tree.Items(List.of(toleration)))
                : JsonPatch.EMPTY.add(List.of("spec", "tolerations", "-"), toleration);
        return AdmissionResponse.allowed().withPatch(patch)
                .withWarnings(List.of("toleration added for " + request.userInfo().username()));
    }

    private AdmissionResponse validate(AdmissionRequest request) {
        validated.addFirst(request);
        String user = request.userInfo().username();
        if (request.subresource().equals("binding")) {
            return AdmissionResponse.forbidden(user + " may not bind");
        }
        return request.name().equals("refuse-me")
                ? AdmissionResponse.forbidden("not this one, " + user)
                : AdmissionResponse.allowed();
    }

    private static AdmissionPolicyDefinition zone() {
        return new AdmissionPolicyDefinition(AdmissionPhase.MUTATING, "zone", Map.of(
                "paramKind", PARAM_KIND,
                "failurePolicy", "Fail",
                "reinvocationPolicy", "Never",
                "matchConstraints", Map.of("resourceRules", rules(List.of("CREATE"), List.of("pods"))),
                "mutations", List.of(Map.of("patchType", "ApplyConfiguration", "applyConfiguration",
                        Map.of("expression", "Object{metadata: Object.metadata{annotations:"
                                + " {\"nodeward.io/zone\": params.data.zone}}}")))),
                List.of(new AdmissionPolicyDefinition.Binding("zone", Map.of("paramRef", Map.of(
                        "name", "mutate", "namespace", "default", "parameterNotFoundAction", "Deny")))));
    }

    private static AdmissionPolicyDefinition guard() {
        return new AdmissionPolicyDefinition(AdmissionPhase.VALIDATING, "guard", Map.of(
                "paramKind", PARAM_KIND,
                "failurePolicy", "Fail",
                "matchConstraints", Map.of("resourceRules", rules(List.of("CREATE"), List.of("pods"))),
                "validations", List.of(Map.of("expression", "object.metadata.name != params.data.reserved",
                        "messageExpression", "object.metadata.name + ' is reserved'"))),
                List.of(new AdmissionPolicyDefinition.Binding("guard", Map.of("validationActions", List.of("Deny"),
                        "paramRef", Map.of(
                                "selector", Map.of("matchLabels", Map.of("nodeward.io/guard", "yes")),
                                "parameterNotFoundAction", "Allow")))));
    }

    boolean isInForce() {
        return meters.get("nodeward.kit.in.force").gauge().value() == 1;
    }

    /** The last such request that the validating webhook got. */
    AdmissionRequest validated(String name, String operation) {
        return soon().until(() -> validated.stream()
                .filter(request -> request.name().equals(name) && request.operation().equals(operation)).findFirst(),
                Optional::isPresent).orElseThrow();
    }

    @Override
    public void close() {
        try {
            controller.retire();
            controller.stop(Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
        timers.close();
    }
}

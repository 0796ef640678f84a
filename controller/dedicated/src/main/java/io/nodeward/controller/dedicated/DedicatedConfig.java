package io.nodeward.controller.dedicated;

import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.webhook.ManagedObjects;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Flags of the dedicated controller. Needs converters of {@link InetSocketAddress} and {@link WebhookClientConfig}. */
public final class DedicatedConfig {
    private static final int PORT = 9444;
    private static final String SERVICE = ManagedObjects.USUAL_SERVICE + PodAdmissionModule.COMPONENT;

    @Option(names = "--dedicated-concurrency", paramLabel = "N", defaultValue = "16", description = "Nodes of DedicatedNodes that are changed at the same time (default: ${DEFAULT-VALUE})")
    int concurrency = 16;

    @Option(names = "--dedicated-noexecute-nodes-per-minute", paramLabel = "N", defaultValue = "10", description = "Nodes that newly get the same taint with effect NoExecute of DedicatedNodes and evict pods, per minute"
            + " (default: ${DEFAULT-VALUE})")
    int noExecutePerMinute = 10;

    @Option(names = "--dedicated-evictions-per-second", paramLabel = "N", defaultValue = "10", description = "Pods that are evicted for DedicatedNodes with spec.eviction Respect, per second, with the gate DedicatedEvictions"
            + " (default: ${DEFAULT-VALUE})")
    int evictionsPerSecond = 10;

    @Option(names = "--dedicated-release-nodes-per-minute", paramLabel = "N", defaultValue = "10", description = "Nodes that lose the taint of a DedicatedNodes per minute, if an edit or its deletion gives up more than 10"
            + " Nodes and more than 10 %% of them; the first one after a minute (default: ${DEFAULT-VALUE})")
    int releasesPerMinute = 10;

    @Option(names = "--dedicated-system-namespaces", paramLabel = "NAMESPACE", split = ",", defaultValue = MemberFacts.SYSTEM_NAMESPACES, description = "Namespaces of the system: their pods may tolerate the taints of all groups."
            + " kube-system and that of --dedicated-service are always among them."
            + " Name only namespaces that exist: who may create one may run pods on all Nodes"
            + " (default: ${DEFAULT-VALUE})")
    List<String> systemNamespaces = new ArrayList<>(List.of(MemberFacts.SYSTEM_NAMESPACES.split(",", -1)));

    @Option(names = "--dedicated-address", paramLabel = "HOST:PORT", defaultValue = ":9444", description = "Serves the webhook for pods, with the gate DedicatedPodAdmission (default: ${DEFAULT-VALUE})")
    InetSocketAddress address = new InetSocketAddress(PORT);

    @Option(names = "--dedicated-service", paramLabel = "WHERE", defaultValue = SERVICE, description = "Where API servers reach it: a Service as NAMESPACE/NAME[:PORT], or https://HOST:PORT."
            + " A process that does not run this controller, and has a Service here on its command line, deletes what"
            + " is registered for it (default: ${DEFAULT-VALUE})")
    WebhookClientConfig service = WebhookClientConfig.parse(SERVICE);

    @Option(names = "--dedicated-failure-policy", paramLabel = "POLICY", defaultValue = "Ignore", description = "What API servers do with pods while it does not answer: Ignore creates them as they are, Fail"
            + " refuses them"
            + " (default: ${DEFAULT-VALUE})")
    FailurePolicy failurePolicy = FailurePolicy.Ignore;

    /** In the words of Kubernetes. */
    enum FailurePolicy {
        Ignore, Fail
    }

    /** Of each taint its own: it evicts the same pods, of whichever group a Node has it. */
    Function<Group, Pacer.Limit> noExecuteLimit() {
        if (noExecutePerMinute < 1) {
            throw new IllegalArgumentException(
                    "--dedicated-noexecute-nodes-per-minute: must be 1 or more, and is " + noExecutePerMinute);
        }
        return group -> Pacer.Limit.perMinute(group.toleration(), noExecutePerMinute);
    }

    /** Returns the pace of all groups together. It starts empty, as a burst would come again with each start. */
    Pacer.Limit evictionLimit() {
        if (evictionsPerSecond < 1) {
            throw new IllegalArgumentException(
                    "--dedicated-evictions-per-second: must be 1 or more, and is " + evictionsPerSecond);
        }
        return new Pacer.Limit("evictions", evictionsPerSecond, evictionsPerSecond, false);
    }

    int releasesPerMinute() {
        if (releasesPerMinute < 1) {
            throw new IllegalArgumentException(
                    "--dedicated-release-nodes-per-minute: must be 1 or more, and is " + releasesPerMinute);
        }
        return releasesPerMinute;
    }

    /** Those without which nothing answers are always among them: with Fail the webhook could never start itself. */
    Set<String> systemNamespaces() {
        Set<String> all = new TreeSet<>(systemNamespaces);
        all.add("kube-system");
        if (service instanceof WebhookClientConfig.InCluster own) {
            all.add(own.namespace());
        }
        return all;
    }
}

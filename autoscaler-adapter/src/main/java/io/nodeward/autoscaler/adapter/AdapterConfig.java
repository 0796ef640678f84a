package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.rules.capacity.Autoscaler;
import io.nodeward.core.rules.capacity.IgnoredTaints;
import io.nodeward.core.rules.capacity.OnInitialization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Flags of the autoscaler controller. */
public final class AdapterConfig {
    @Option(names = "--autoscaler-concurrency", paramLabel = "N", defaultValue = "8", description = "Node groups reconciled at the same time (default: ${DEFAULT-VALUE})")
    int concurrency = 8;

    @Option(names = "--autoscaler-version", paramLabel = "VERSION", defaultValue = "", converter = VersionText.class, description = "Of the cluster-autoscaler, as 1.35: from 1.36 on it reads spec.template.spec.taints itself,"
            + " and only the rest is advertised (default: not known, so all is written)")
    Autoscaler autoscaler = Autoscaler.UNKNOWN;

    @Option(names = "--autoscaler-on-initialization", paramLabel = "WHAT", defaultValue = "include", converter = ChoiceText.class, description = "Taints declared OnInitialization, which the autoscaler takes for permanent: include,"
            + " exclude, or startup, under keys that it ignores (default: ${DEFAULT-VALUE})")
    OnInitialization onInitialization = OnInitialization.INCLUDE;

    @Option(names = "--autoscaler-startup-taints", paramLabel = "KEY", split = ",", description = "Keys that were given to the autoscaler as --startup-taint or --status-taint")
    List<String> startupTaints = new ArrayList<>();

    @Option(names = "--autoscaler-startup-taint-prefixes", paramLabel = "PREFIX", split = ",", description = "Prefixes of keys that were given to the autoscaler as --startup-taint-prefix, from 1.36 on")
    List<String> startupTaintPrefixes = new ArrayList<>();

    @Option(names = "--autoscaler-labels", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Advertise the labels that will reach Nodes as well")
    boolean labels;

    @Option(names = "--autoscaler-adopt", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Take over entries written by hand that say what is declared, so that they go when it is declared no more")
    boolean adopts;

    @Option(names = "--autoscaler-capi-group", paramLabel = "GROUP", defaultValue = ClusterApi.GROUP, description = "CAPI_GROUP of the autoscaler, in the names of its size annotations (default: ${DEFAULT-VALUE})")
    String group = ClusterApi.GROUP;

    @Option(names = "--autoscaler-withdraw", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Take away all that was written for the autoscaler, before the controller is switched off")
    boolean withdraw;

    IgnoredTaints ignored() {
        return new IgnoredTaints(Set.copyOf(startupTaints), Set.copyOf(startupTaintPrefixes));
    }

    /** A version of the autoscaler. */
    static final class VersionText implements ITypeConverter<Autoscaler> {
        @Override
        public Autoscaler convert(String text) {
            try {
                return Autoscaler.of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'" + text + "' is not a version such as 1.35");
            }
        }
    }

    /** One of the words of {@link OnInitialization}. */
    static final class ChoiceText implements ITypeConverter<OnInitialization> {
        @Override
        public OnInitialization convert(String text) {
            return OnInitialization.of(text).orElseThrow(() -> new TypeConversionException("'" + text
                    + "' is none of " + Arrays.stream(OnInitialization.values()).map(OnInitialization::text).toList()));
        }
    }
}

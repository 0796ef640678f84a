package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.machine.TaintPlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where a provider's kind takes taints, as its CustomResourceDefinition says. */
class ProviderDefinitionTest {
    private static final String LIST = "{'type':'array','items':{'properties':{'taints':{}}}}";
    private static final String SPEC_TAINTS = "{'properties':{'taints':" + LIST + "}}";

    @Test
    void each_served_version_says_in_which_places_its_schema_has_the_list() throws IOException {
        ProviderDefinition read = read("""
                {'metadata':{'name':'kcps.g.io','labels':{'cluster.x-k8s.io/v1beta2':'v1beta2','app':'x'},
                  'annotations':{'long':'text'}},
                 'spec':{'group':'g.io','names':{'kind':'Kcp','plural':'kcps','shortNames':['k']},'versions':[
                  {'schema':%s,'name':'v1beta2','served':true},
                  {'name':'v1beta1','served':true,'schema':%s},
                  {'name':'v1alpha4','served':true,'schema':{'openAPIV3Schema':{'type':'object'}}},
                  {'name':'v1alpha3','served':false,'schema':%s}]},'status':{'spec':5}}"""
                .formatted(schema("{'spec':" + SPEC_TAINTS + "}"), schema("{'taints':" + LIST + "}"),
                        schema("{'taints':" + LIST + "}")));

        assertThat(read.group() + " " + read.kind() + " " + read.plural()).isEqualTo("g.io Kcp kcps");
        assertThat(read.places()).containsOnly(
                Map.entry("v1beta2", Set.of(TaintPlace.CONTROL_PLANE)),
                Map.entry("v1beta1", Set.of(TaintPlace.CONTROL_PLANE_V1BETA1)),
                Map.entry("v1alpha4", Set.of()));
        assertThat(read.declares("v1beta2", TaintPlace.CONTROL_PLANE)).isTrue();
        assertThat(read.declares("v1alpha3", TaintPlace.CONTROL_PLANE_V1BETA1)).isFalse();
        assertThat(read.metadata().labels()).containsOnlyKeys("cluster.x-k8s.io/v1beta2");
        assertThat(read.metadata().annotations()).isEmpty();
    }

    @Test
    void both_places_in_one_version_are_told_apart() throws IOException {
        ProviderDefinition read = read("{'spec':{'versions':[{'name':'v1','served':true,'schema':%s}]}}"
                .formatted(schema("{'spec':%s,'taints':%s}".formatted(SPEC_TAINTS, LIST))));
        assertThat(read.places()).containsOnly(Map.entry("v1",
                Set.of(TaintPlace.CONTROL_PLANE, TaintPlace.CONTROL_PLANE_V1BETA1)));
    }

    @Test
    void nonsense_is_no_definition_of_anything() throws IOException {
        assertThat(read("{'spec':{'versions':[5,{'served':true,'schema':[]}],'names':7}}").kind()).isEmpty();
    }

    /** With these properties of {@code spec.machineTemplate}. */
    private static String schema(String machineTemplate) {
        return "{'openAPIV3Schema':{'type':'object','properties':{'metadata':{},'spec':{'type':'object','properties':{"
                + "'replicas':{},'machineTemplate':{'properties':" + machineTemplate + "}}}}}}";
    }

    private static ProviderDefinition read(String json) throws IOException {
        return Projection.PROVIDER_DEFINITION.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}

package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.WebhookConfiguration.Rule;
import io.nodeward.api.admission.WebhookConfiguration.Webhook;
import io.nodeward.api.core.SecretData;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.meta.KubernetesObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Manifests in files have numbers and booleans where texts belong. All are read as they stand. */
class ScalarsTest {
    @Test
    void of_clusters_and_pools() throws IOException {
        assertThat(read(Projection.CLUSTER, "{'status':{'phase':1}}").initialization())
                .isEqualTo(Cluster.Initialization.AWAITING_INFRASTRUCTURE);
        MachinePool pool = read(Projection.MACHINE_POOL,
                "{'spec':{'providerIDList':[1,true]},'status':{'nodeRefs':[{'name':2,'uid':3}]}}");
        assertThat(pool.providerIds()).containsExactly("1", "true");
        assertThat(pool.nodes()).containsExactly(new MachinePool.NodeRef("2", "3"));
    }

    @Test
    void of_definitions_and_webhooks() throws IOException {
        ProviderDefinition definition = read(Projection.PROVIDER_DEFINITION, "{'spec':{'group':1,"
                + "'names':{'kind':2,'plural':3},'versions':[{'name':4,'served':true}]}}");
        assertThat(List.of(definition.group(), definition.kind(), definition.plural())).containsExactly("1", "2", "3");
        assertThat(definition.places()).containsOnlyKeys("4");
        assertThat(read(Projection.WEBHOOK_CONFIGURATION, "{'webhooks':[{'clientConfig':{'url':1},'rules':"
                + "[{'apiGroups':[2],'operations':[3],'resources':[4]}]},{'clientConfig':{'service':{'path':5}}}]}")
                .webhooks()).containsExactly(
                        new Webhook("1", List.of(new Rule(List.of("2"), List.of("3"), List.of("4")))),
                        new Webhook("5", List.of()));
    }

    @Test
    void of_data() throws IOException {
        assertThat(read(Projection.CONFIG_MAP, "{'data':{'a':1,'b':true}}").data())
                .isEqualTo(Map.of("a", "1", "b", "true"));
        SecretData secret = read(Projection.SECRET_DATA, "{'type':1,'data':{'a':1234}}");
        assertThat(secret.type()).isEqualTo("1");
        assertThat(secret.data().get("a")).as("base64").hasSize(3);
        assertThat(read(Projection.KUBECONFIG_SECRET, "{'type':1,'data':{'value':1234}}"))
                .matches(kubeconfig -> kubeconfig.type().equals("1") && !kubeconfig.value().isEmpty());
    }

    @Test
    void of_replies_and_reviews() throws IOException {
        assertThat(Replies.groupVersions(bytes("{'versions':[{'version':1}]}"))).containsExactly("1");
        byte[] resources = bytes("{'resources':[{'name':1,'kind':'X'}]}");
        assertThat(Replies.resources(resources)).isEqualTo(Set.of("1"));
        assertThat(Replies.plural(resources, "X")).contains("1");
        assertThat(Replies.status(bytes("{'status':{'replicas':3}}"), "replicas")).isEqualTo("3");
        AdmissionRequest request = AdmissionReviews.read(bytes("{'apiVersion':'admission.k8s.io/v1',"
                + "'kind':'AdmissionReview','request':{'uid':1,'name':2}}"), AdmissionReviews.shape(Shape.WHOLE));
        assertThat(List.of(request.uid(), request.name())).containsExactly("1", "2");
    }

    private static <T extends KubernetesObject> T read(Projection<T> projection, String json) throws IOException {
        return projection.read(bytes(json));
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}

package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.api.admission.WebhookConfiguration.Rule;
import io.nodeward.api.admission.WebhookConfiguration.Webhook;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.core.SecretData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdmissionProjectionsTest {
    @Test
    void of_a_webhook_configuration_paths_and_rules_are_read() throws IOException {
        WebhookConfiguration read = Projection.WEBHOOK_CONFIGURATION.read(
                bytes("""
                        {'metadata':{'name':'c','resourceVersion':'7'},'webhooks':[
                         {'name':'a','clientConfig':{'caBundle':'x','service':{'name':'s','path':'/validate-a'}},'rules':[
                          {'apiGroups':['g'],'apiVersions':['*'],'operations':['CREATE'],'resources':['as','as/status'],'scope':'*'}]},
                         {'name':'b','clientConfig':{'url':'https://h:1/path/b'}}, 5]}"""));

        assertThat(read.key().name()).isEqualTo("c");
        assertThat(read.webhooks()).startsWith(
                new Webhook("/validate-a",
                        List.of(new Rule(List.of("g"), List.of("CREATE"), List.of("as", "as/status")))),
                new Webhook("/path/b", List.of()));
        assertThat(read.sameState(read.withResourceVersion("8"))).isFalse();
    }

    @Test
    void a_secret_is_read_and_never_shown() throws IOException {
        SecretData read = Projection.SECRET_DATA.read(bytes("""
                {'metadata':{'namespace':'n','name':'s'},'type':'kubernetes.io/tls',
                 'data':{'tls.key':'c2VjcmV0','bad':'***'}}"""));

        assertThat(read.data().get("tls.key")).asString(StandardCharsets.UTF_8).isEqualTo("secret");
        assertThat(read.data().get("bad")).isEmpty();
        assertThat(read.toString()).contains("n/s", "tls.key").doesNotContain("secret", "c2VjcmV0", "[B@");
    }

    @Test
    void a_config_map_is_read_with_its_texts_whatever_else_it_has() throws IOException {
        ConfigMap read = Projection.CONFIG_MAP.read(bytes("""
                {'metadata':{'namespace':'n','name':'c'},'immutable':true,'data':{'paused':'true','other':''},
                 'binaryData':{'b':'AAAA'}}"""));

        assertThat(read.key()).hasToString("n/c");
        assertThat(read.data()).isEqualTo(Map.of("paused", "true", "other", ""));
        assertThat(Projection.CONFIG_MAP.read(bytes("{'metadata':{'name':'c'}}")).data()).isEmpty();
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}

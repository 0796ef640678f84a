package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Accepted;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Refused;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigPolicyTest {
    private static final KubeconfigPolicy SECURE = new KubeconfigPolicy(false, AllowedServers.ALL);
    private static final KubeconfigPolicy INSECURE = new KubeconfigPolicy(true, AllowedServers.ALL);

    @ParameterizedTest(name = "{0} allows {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            api.example.com                | api.example.com        | true
            API.Example.com                | api.EXAMPLE.com        | true
            api.example.com                | api.example.com.       | true
            api.example.com                | xapi.example.com       | false
            api.example.com                | api.example.com.evil   | false
            *.example.com                  | api.example.com        | true
            *.example.com                  | a.b.example.com        | true
            *.example.com                  | example.com            | false
            *.example.com                  | evilexample.com        | false
            10.1.2.3                       | 10.1.2.3               | true
            10.1.2.3                       | 10.1.2.4               | false
            10.0.0.0/8                     | 10.255.0.1             | true
            10.0.0.0/8                     | 11.0.0.1               | false
            10.0.0.0/12                    | 10.15.255.255          | true
            10.0.0.0/12                    | 10.16.0.0              | false
            0.0.0.0/0                      | 8.8.8.8                | true
            0.0.0.0/0                      | ::1                    | false
            0.0.0.0/0                      | name                   | false
            10.0.0.0/8                     | 10.1                   | false
            127.0.0.0/8                    | 2130706433             | false
            127.0.0.0/8                    | 0x7f000001             | false
            127.0.0.0/8                    | 010.0.0.1              | false
            fd00::/8                       | [fd12::1]              | true
            fd00::/8                       | fe80::1                | false
            [::1]                          | [0:0:0:0:0:0:0:1]      | true
            a,10.0.0.0/8                   | 10.0.0.1               | true
            a,10.0.0.0/8                   | a                      | true
            a,10.0.0.0/8                   | b                      | false
            """)
    void a_host_is_allowed_if_an_entry_says_so(String entries, String host, boolean allowed) {
        assertThat(AllowedServers.of(List.of(entries.split(","))).allow(host)).isEqualTo(allowed);
    }

    @Test
    void without_entries_every_host_is_allowed() {
        assertThat(AllowedServers.of(List.of()).allow("anything")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://a", "a:6443", "10.0.0.0/33", "::1/129", "10.0.0", "1.2.3.4.5", "*", "a/8",
            ":::"})
    void an_entry_that_is_none_is_named(String entry) {
        assertThatThrownBy(() -> AllowedServers.of(List.of("good", entry)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(entry.split("/")[0]);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            https://10.0.0.1:6443 , insecure-skip-tls-verify: true   | insecure-skip-tls-verify
            http://10.0.0.1:6443                                     | http
            http://127.0.0.1.example.com                             | http
            http://127.0.0.1:8080 , proxy-url: 'http://p:3128'       | http
            """)
    void what_anybody_between_could_read_is_refused_unless_allowed(String cluster, String named) {
        String text = kubeconfig(cluster);
        assertThat(SECURE.judge(text)).isInstanceOfSatisfying(Refused.class, refused -> assertThat(
                refused.defect()).contains(named, "--cluster-insecure-tls"));
        assertThat(INSECURE.judge(text)).isInstanceOf(Accepted.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "https://10.0.0.1"})
    void what_stays_on_this_machine_or_is_encrypted_is_not(String server) {
        assertThat(SECURE.judge(kubeconfig(server))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_server_or_proxy_that_is_not_listed_is_named() {
        KubeconfigPolicy policy = new KubeconfigPolicy(false, AllowedServers.of(List.of("10.0.0.0/8")));
        assertThat(policy.judge(kubeconfig("https://10.0.0.1"))).isInstanceOf(Accepted.class);
        assertThat(policy.judge(kubeconfig("https://169.254.169.254")))
                .isEqualTo(new Refused(
                        "cluster.server: host 169.254.169.254 is not among those allowed (--cluster-servers)"));
        assertThat(policy.judge(kubeconfig("https://10.0.0.1, proxy-url: 'http://p:1'")))
                .isEqualTo(new Refused("cluster.proxy-url: host p is not among those allowed (--cluster-servers)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://127.0.0.1:6443", "https://localhost", "https://[::1]:6443",
            "https://169.254.169.254", "https://10.0.0.1, proxy-url: 'http://[fe80::1]:3128'", "https://2130706433"})
    void a_reserved_address_is_refused_by_default_as_server_and_as_proxy(String cluster) {
        String field = cluster.contains("proxy-url") ? "cluster.proxy-url" : "cluster.server";
        assertThat(KubeconfigPolicy.DEFAULT.judge(kubeconfig(cluster))).isInstanceOfSatisfying(Refused.class,
                refused -> assertThat(refused.defect()).startsWith(field + ": host ").endsWith("(--cluster-servers)"));
        assertThat(KubeconfigPolicy.DEFAULT.judge(kubeconfig("https://10.0.0.1"))).isInstanceOf(Accepted.class);
        assertThat(KubeconfigPolicy.DEFAULT.judge(kubeconfig("https://api.example.com"))).isInstanceOf(Accepted.class);
    }

    @Test
    void what_no_policy_would_accept_is_refused_in_its_own_words() {
        assertThat(INSECURE.judge("")).isEqualTo(SecretKubeconfig.judge(""));
    }

    @Test
    void another_user_of_the_same_server_is_told_from_another_server() {
        Accepted one = accepted(kubeconfig("https://a"));
        assertThat(one.sameServer(accepted(kubeconfig("https://a").replace("token: t", "token: u")))).isTrue();
        assertThat(one.sameServer(accepted(kubeconfig("https://b")))).isFalse();
        assertThat(one.sameServer(accepted(kubeconfig("https://a, proxy-url: 'http://p:1'")))).isFalse();
    }

    private static Accepted accepted(String text) {
        return (Accepted) INSECURE.judge(text);
    }

    /** @param cluster the server, and more fields after a comma */
    private static String kubeconfig(String cluster) {
        String fields = "'" + cluster.replaceFirst("( ?, .*)?$", "'$1").replaceFirst(" , ", ", ");
        return """
                clusters: [{name: c, cluster: {server: %s}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(fields);
    }
}

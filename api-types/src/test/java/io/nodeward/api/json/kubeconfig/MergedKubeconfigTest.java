package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.kubeconfig.Access.Impersonation;
import io.nodeward.api.json.kubeconfig.MergedKubeconfig.Source;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergedKubeconfigTest {
    private static final Source FIRST = new Source(Path.of("/one/config"), """
            clusters: [{name: both, cluster: {server: 'https://first:6443'}}]
            users: [{name: red, user: {token: 0123}}]
            contexts: [{name: a, context: {cluster: both, user: red, namespace: team}}]
            """);
    private static final Source SECOND = new Source(Path.of("/two/config"), """
            clusters:
            - {name: both, cluster: {server: 'https://second:6443', insecure-skip-tls-verify: true}}
            - {name: own, cluster: {server: 'https://own:6443'}}
            users: [{name: red, user: {username: u, password: p}}, {name: blue, user: {tokenFile: secret/token}}]
            contexts:
            - {name: a, context: {cluster: own, user: blue}}
            - {name: b, context: {cluster: own, user: blue}}
            current-context: b
            """);

    private static Access access(MergedKubeconfig merged, String context) {
        return Access.of(merged.text(context, Optional.empty()), Optional.of(Path.of("/elsewhere/config")));
    }

    @Test
    void the_first_file_that_has_a_name_gives_the_whole_entry() {
        MergedKubeconfig merged = MergedKubeconfig.of(List.of(FIRST, SECOND));

        assertThat(merged.contexts()).containsExactly("a", "b");
        assertThat(access(merged, "a")).isEqualTo(new Access("https://first:6443", new Access.PublicAuthorities(),
                Optional.empty(), Optional.empty(), new Access.Token("0123"), Optional.empty()));
        assertThat(merged.namespace("a")).contains("team");
        assertThat(merged.namespace("b")).isEmpty();
        assertThat(merged.server("b")).contains("https://own:6443");
    }

    @Test
    void the_first_file_that_says_a_current_context_decides() {
        Source third = new Source(Path.of("/three/config"), "current-context: a");

        assertThat(MergedKubeconfig.of(List.of(FIRST, SECOND, third)).currentContext()).contains("b");
        assertThat(MergedKubeconfig.of(List.of(FIRST, third, SECOND)).currentContext()).contains("a");
        assertThat(MergedKubeconfig.of(List.of(FIRST)).currentContext()).isEmpty();
    }

    @Test
    void paths_are_relative_to_the_file_that_they_stand_in() {
        MergedKubeconfig merged = MergedKubeconfig.of(List.of(FIRST, SECOND));

        assertThat(access(merged, "b").credential()).isEqualTo(new Access.TokenFile(Path.of("/two/secret/token")));
    }

    @Test
    void a_plugin_is_found_beside_its_file_or_on_the_path() {
        Source plugins = new Source(Path.of("/kube/config"),
                """
                        clusters: [{name: c, cluster: {server: 'https://c:6443'}}]
                        users:
                        - {name: near, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login}}}
                        - {name: path, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: login}}}
                        contexts: [{name: near, context: {cluster: c, user: near}}, {name: path, context: {cluster: c, user: path}}]
                        """);
        MergedKubeconfig merged = MergedKubeconfig.of(List.of(plugins));

        assertThat(((Access.Plugin) access(merged, "near").credential()).exec().command())
                .containsExactly("/kube/bin/login");
        assertThat(((Access.Plugin) access(merged, "path").credential()).exec().command()).containsExactly("login");
    }

    @Test
    void whom_to_act_as_takes_the_place_of_what_the_user_says() {
        Source acting = new Source(Path.of("/kube/config"), """
                clusters: [{name: c, cluster: {server: 'https://c:6443'}}]
                users: [{name: u, user: {token: t, as: old, as-groups: [g], as-user-extra: {k: [v]}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);
        Impersonation whom = new Impersonation("jane", "", List.of("ops"), Map.of());
        MergedKubeconfig merged = MergedKubeconfig.of(List.of(acting));
        String text = merged.text("x", Optional.of(whom));

        assertThat(Access.of(text, Optional.of(Path.of("config"))).impersonation()).contains(whom);
        assertThat(access(merged, "x").impersonation().orElseThrow().user()).isEqualTo("old");
    }

    @Test
    void an_empty_file_is_as_none() {
        MergedKubeconfig merged = MergedKubeconfig.of(List.of(new Source(Path.of("/empty"), " \n"), FIRST));

        assertThat(merged.contexts()).containsExactly("a");
    }

    @Test
    void a_file_that_is_no_kubeconfig_is_named_without_what_is_in_it() {
        Source broken = new Source(Path.of("/broken"), "users: [{token: s3cr3t");

        assertThatThrownBy(() -> MergedKubeconfig.of(List.of(FIRST, broken)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("/broken: the kubeconfig is no YAML of a kubeconfig");
    }

    @Test
    void a_name_twice_in_one_file_is_refused() {
        Source twice = new Source(Path.of("/twice"), "users: [{name: u, user: {}}, {name: u, user: {}}]");

        assertThatThrownBy(() -> MergedKubeconfig.of(List.of(twice)))
                .hasMessage("/twice: there are two entries of users named u");
    }
}

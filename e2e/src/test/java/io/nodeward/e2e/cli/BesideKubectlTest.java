package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same words to the real kubectl and to ours, on the same Nodes: what is said and what is left is the same. */
class BesideKubectlTest {
    private static final String TAINTS = """
            {"spec":{"taints":[{"key":"old","value":"1","effect":"NoSchedule"},{"key":"old","effect":"NoExecute"},
              {"key":"example.com/x","value":"y","effect":"PreferNoSchedule"}]}}""";

    private static ControlPlane controlPlane;
    private static Fleet fleet;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.shared();
        fleet = Fleet.in(controlPlane.admin(), "beside");
        for (String name : List.of("beside-1", "beside-2")) {
            fleet.node(NodeSpec.named(name).withLabels(Map.of("beside", "yes", "number", "12", "truth", "true")));
            controlPlane.admin().mergePatch(Fleet.nodePath(name), """
                    {"metadata":{"annotations":{"html":"a<b>&c","lines":"one\\ntwo\\n","y":"no","colon":"a: b",
                      "hash":"a #b","quote":"it's \\"so\\"","date":"2026-11-22","time":"2026-11-22T00:00:00Z",
                      "float":"1.0","hex":"0x1F","empty":"","star":"*a","blank":" a ","umlaut":"ä","tilde":"~",
                      "json":"{\\"a\\":[1]}","octal":"0123","minus":"-","percent":"%%d","at":"@a","comma":"a, b",
                      "long":"%s"}}}""".formatted("word ".repeat(40)));
        }
    }

    @AfterAll
    static void end() {
        fleet.close();
    }

    private record Outcome(Result result, List<String> taints) {}

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(strings = {
            "nodes beside-1 a=1:NoSchedule", "node beside-1 beside-2 a:NoExecute b=2:PreferNoSchedule",
            "no beside-1 old-", "NODES beside-1 old:NoExecute-", "nodes beside-1 old=7:NoSchedule-",
            "nodes beside-1 old=2:NoSchedule", "nodes beside-1 old=2:NoSchedule --overwrite",
            "nodes beside-1 old:NoExecute- a=1:NoSchedule", "nodes beside-1 old=1:NoSchedule --overwrite=true",
            "nodes beside-1 beside-2 nope-", "nodes beside-1 beside-2 nope- never-", "nodes beside-1 nope- never-",
            "nodes beside-1 missing a=1:NoSchedule", "nodes missing-1 missing-2 a-", "nodes missing a-",
            "nodes -l beside=yes a=1:NoSchedule", "nodes -lbeside=yes,number=12 a=1:NoSchedule",
            "nodes -l beside=never a=1:NoSchedule", "nodes --selector=!! a=1:NoSchedule",
            "nodes node/beside-1 a=1:NoSchedule", "nodes beside-1 a=1:Never",
            "nodes beside-1 a=1:NoSchedule a=2:NoSchedule", "nodes beside-1 a=1:NoSchedule a-", "nodes beside-1",
            "nodes a=1:NoSchedule", "a=1:NoSchedule", "pods beside-1 a=1:NoSchedule", "gizmos beside-1 a-",
            "tokenreviews beside-1 a=1:NoSchedule",
            "nodes beside-1 a=1:NoSchedule more", "nodes beside-1 a=1:NoSchedule --bogus",
            "nodes beside-1 a=1:NoSchedule --overwrite=perhaps", "nodes beside-1 a=1:NoSchedule -x",
            "nodes beside-1 a=1:NoSchedule --selector", "nodes beside-1 a=1:NoSchedule --all -l a=b",
            "nodes beside-1 a=1:NoSchedule --dry-run=client", "nodes beside-1 a=1:NoSchedule -o name --dry-run=server",
            "nodes beside-1 a=1:NoSchedule --dry-run=maybe", "nodes beside-1 a=1:NoSchedule --validate=maybe",
            "nodes beside-1 a=1:NoSchedule -o name", "nodes beside-1 a=1:NoSchedule -o nothing",
            "nodes beside-1 a=1:NoSchedule -o json", "nodes beside-1 beside-2 a=1:NoSchedule -ojson",
            "nodes beside-1 a=1:NoSchedule -o yaml", "nodes beside-1 beside-2 a=1:NoSchedule --output=yaml",
            "nodes beside-1 a=1:NoSchedule -o yaml --dry-run=client",
            "nodes -l beside=yes old- -o json --dry-run=client",
            "nodes beside-1 a=1:NoSchedule -o json --dry-run=server --show-managed-fields",
            "nodes beside-1 -- a=1:NoSchedule", "nodes beside-1 a=1:NoSchedule --field-manager=mine -o name",
            "nodes beside-1 a=1:NoSchedule --context nowhere",
            "nodes beside-1 a- --as=jane --as-group ops --as-group dev",
            "nodes beside-1 a=1:NoSchedule --as=root --as-group=system:masters --request-timeout=20s"
    })
    void the_same_words_do_the_same(String words) {
        Outcome theirs = outcome(() -> kubectl(words));
        Outcome ours = outcome(() -> ours(words));

        assertThat(ours).isEqualTo(theirs);
    }

    @Tag("deep")
    @Test
    void a_dry_run_on_the_server_says_the_same_and_prints_the_diff_below() {
        String words = "nodes beside-1 a=1:NoSchedule --dry-run=server";
        Outcome theirs = outcome(() -> kubectl(words));
        Outcome ours = outcome(() -> ours(words));

        assertThat(ours.result.out()).isEqualTo(
                theirs.result.out() + "\n  + a=1:NoSchedule\n1 of 1 Node changes, nothing is written");
        assertThat(ours.result.err()).isEqualTo(theirs.result.err());
        assertThat(ours.result.exit()).isEqualTo(theirs.result.exit());
        assertThat(ours.taints).isEqualTo(theirs.taints);
    }

    @Test
    void who_is_not_allowed_to_is_told_the_same() {
        Kubeconfig nobody = controlPlane.kubeconfigForUser("beside-nobody", List.of());
        String[] args = {"taint", "nodes", "beside-1", "a=1:NoSchedule"};

        Result theirs = controlPlane.kubectl(nobody).run(args);
        Result ours = new Typed(controlPlane, nobody).run(args);

        assertThat(ours.err().lines().findFirst()).isEqualTo(theirs.err().lines().findFirst());
        assertThat(ours.err()).contains("kubectl auth can-i --list");
        assertThat(ours.exit()).isEqualTo(theirs.exit());
    }

    private interface Attempt {
        Result make();
    }

    private static Outcome outcome(Attempt attempt) {
        for (String node : List.of("beside-1", "beside-2")) {
            AdminClient.Reply reply = controlPlane.admin().send(
                    "PATCH", Fleet.nodePath(node), AdminClient.MERGE_PATCH, TAINTS);
            assertThat(reply.isOk()).isTrue();
        }
        Result result = attempt.make();
        List<String> taints = new ArrayList<>();
        for (String node : List.of("beside-1", "beside-2")) {
            JsonNode now = controlPlane.admin().get(Fleet.nodePath(node)).at("/spec/taints");
            taints.add(now.toString());
        }
        return new Outcome(result, taints);
    }

    private static Result kubectl(String words) {
        Result result = controlPlane.kubectl().run(args(words));
        return new Result(result.exit(), plain(result.out()), plain(result.err()));
    }

    private static Result ours(String words) {
        Result result = new Typed(controlPlane, controlPlane.adminKubeconfig()).run(args(words));
        return new Result(result.exit(), plain(result.out()),
                plain(result.err().replace("'nodeward taint", "'kubectl taint")));
    }

    private static String[] args(String words) {
        return ("taint " + words).split(" ");
    }

    /**
     * Without what no two runs have in common, and without what we advise beside. Whose fields are managed is listed by
     * time first, and then by name, so that a write in another second than the one before stands elsewhere.
     */
    private static String plain(String text) {
        Stream<String> lines = text.contains("managedFields") ? text.lines().sorted() : text.lines();
        return lines
                .filter(line -> !line.startsWith("You are logged in by context") && !line.startsWith("There are: "))
                .map(line -> line.replaceFirst("(\"?resourceVersion\"?: )\"[0-9]+\"", "$1"))
                .map(line -> line.replaceFirst("(\"?time\"?: )\"20[^\"]+\"", "$1"))
                .collect(Collectors.joining("\n"));
    }
}

package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** device taint and device untaint. */
class DeviceTaintTest {
    private static final String RULES = "devicetaintrules";
    private static final String NAMED = "devicetaintrule.nodeward.io/";
    private static final String BROKEN = "example.com/broken:";
    private static final Terminal SEEN = Terminal.of("out err", "", Map.of("NO_COLOR", "1"));

    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new Cluster(folder, Options.defaults()
                .withKind(custom("resource.k8s.io", "v1", "resourceslices", "ResourceSlice").clusterScoped())
                .withKind(custom("resource.k8s.io", "v1", "deviceclasses", "DeviceClass").clusterScoped())
                .withKind(custom("resource.k8s.io", "v1", "resourceclaims", "ResourceClaim"))
                .withKind(custom("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"))
                .withKind(custom("nodeward.io", "v1alpha1", RULES, "DeviceTaintRule").clusterScoped()));
        LiveFixture.namespace(cluster.server, "shop");
        for (JsonNode item : new YAMLMapper().readTree(Typed.devices()).path("items")) {
            String kind = item.path("kind").asText();
            if (!kind.equals("DeviceTaintRule")) {
                create((ObjectNode) item, kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s"));
            }
        }
        reserve("train-1");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Kind custom(String group, String version, String plural, String kind) {
        return Kind.custom(group, List.of(version), plural, kind).withStatus(false);
    }

    private void create(ObjectNode object, String plural) {
        JsonNode status = object.path("status");
        JsonNode created = cluster.server.create(plural, object);
        if (plural.equals("pods")) {
            cluster.server.mergePatch(plural, "shop", created.at("/metadata/name").asText(),
                    Cluster.JSON.createObjectNode().set("status", status));
        }
    }

    private void reserve(String pod) {
        String uid = cluster.server.get("pods", "shop", pod).orElseThrow().at("/metadata/uid").asText();
        ObjectNode patch = Cluster.JSON.createObjectNode();
        patch.putObject("status").putArray("reservedFor").addObject().put("resource", "pods").put("name", pod)
                .put("uid", uid);
        cluster.server.mergePatch("resourceclaims", "shop", "train-gpu", patch);
    }

    private Result run(String command) {
        return cluster.run(command.split(" "));
    }

    private JsonNode spec(String name) {
        return cluster.server.get(RULES, "", name).orElseThrow().path("spec");
    }

    private boolean isThere(String name) {
        return cluster.server.get(RULES, "", name).isPresent();
    }

    private static String made(Result result) {
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).matches("devicetaintrule\\.nodeward\\.io/[a-z0-9-]+ [a-z ()]+\n");
        return result.out().substring(NAMED.length(), result.out().indexOf(' '));
    }

    @Test
    void a_rule_is_made_after_its_preview() throws IOException {
        Result result = run("device taint n1/gpu-0 example.com/broken=ecc:None");

        String name = made(result);
        assertThat(result.out()).endsWith(" created\n");
        assertThat(result.err()).isEqualTo(
                """
                        example.com/broken=ecc:None selects 1 device: gpu.example.com/n1/gpu-0
                        example.com/broken=ecc:None evicts no pod; NoExecute would evict 1 pod: shop/train-1
                        example.com/broken=ecc:None their drivers have published gpu.example.com/unhealthy=ecc:NoExecute on 1 device,\
                         for which Kubernetes evicts pods, all at once
                        example.com/broken=ecc:None Kubernetes evicts for these, in any case, 1 pod: shop/train-1
                        """);
        assertThat(name).startsWith("broken-n1-gpu-0-");
        assertThat(spec(name)).isEqualTo(Cluster.JSON.readTree("""
                {"deviceSelector":{"driver":"gpu.example.com","pool":"n1","device":"gpu-0"},
                 "taint":{"key":"example.com/broken","value":"ecc","effect":"None"}}"""));
    }

    @Test
    void a_rule_may_be_made_for_a_time_and_who_overwrites_it_says_anew_until_when() {
        Instant before = Instant.now();
        String name = made(run("device taint n1/gpu-1 --expires 2h " + BROKEN + "None"));
        Instant expires = Instant.parse(expires(name));
        assertThat(expires).isBetween(before.plusSeconds(7199), Instant.now().plusSeconds(7200));
        String overwrite = "device taint n1/gpu-1 --overwrite " + BROKEN + "NoSchedule";
        assertThat(run(overwrite + " --expires 24h").out()).isEqualTo(NAMED + name + " configured\n");
        assertThat(Instant.parse(expires(name))).isAfter(expires);
        cluster.server.mergePatch(RULES, "", name, Cluster.JSON.createObjectNode().set("metadata",
                Cluster.JSON.createObjectNode().set("annotations", Cluster.JSON.createObjectNode().put("a", "b"))));
        assertThat(run(overwrite).out()).isEqualTo(NAMED + name + " configured, no longer expires\n");
        assertThat(metadata(name).path("annotations").properties()).singleElement()
                .as("those of others stay").hasToString("a=\"b\"");
        assertThat(run(overwrite).out()).isEqualTo(NAMED + name + " unchanged\n");
    }

    @Test
    void a_time_of_0_is_none() {
        String command = "device taint n1/gpu-1 --expires 1s " + BROKEN + "None";
        String name = made(run(command));
        assertThat(expires(name)).isNotEmpty();
        assertThat(run(command.replace("1s", "0") + " --overwrite --dry-run=server").out())
                .isEqualTo(NAMED + name + " configured, no longer expires (server dry run)\n");
        assertThat(run(command.replace("1s", "0s") + " --overwrite").out()).endsWith("configured, no longer expires\n");
        assertThat(expires(name)).isEmpty();
        made(run("device taint n1/gpu-1 --expires 8760h --name year " + BROKEN + "None"));
        assertThat(Instant.parse(expires("year"))).isAfter(Instant.now().plus(Duration.ofDays(364)));
    }

    @Test
    void a_rule_says_how_it_evicts_and_who_overwrites_it_leaves_that_unless_it_is_said_anew() {
        String name = made(run("device taint n1/gpu-1 --eviction Respect --deadline 1h " + BROKEN + "None"));
        assertThat(spec(name).path("eviction").asText()).isEqualTo("Respect");
        assertThat(spec(name).path("deadlineSeconds").asInt()).isEqualTo(3600);
        String overwrite = "device taint n1/gpu-1 --overwrite " + BROKEN + "NoSchedule";
        assertThat(run(overwrite).out()).isEqualTo(NAMED + name + " configured\n");
        assertThat(spec(name).path("deadlineSeconds").asInt()).isEqualTo(3600);
        assertThat(run(overwrite + " --eviction Respect").out()).isEqualTo(NAMED + name + " configured\n");
        assertThat(spec(name).path("eviction").asText()).isEqualTo("Respect");
        assertThat(spec(name).has("deadlineSeconds")).isFalse();
        run(overwrite + " --eviction Delete");
        assertThat(spec(name).path("eviction").asText()).isEqualTo("Delete");
        assertThat(spec(made(run("device taint n1/gpu-1 --name plain " + BROKEN + "None"))).properties()).hasSize(2);
    }

    @Test
    void a_rule_says_how_long_a_device_recovers_and_who_overwrites_it_leaves_that_unless_it_is_said_anew() {
        String what = "--cel device.driver=='gpu.example.com' ";
        String name = made(run("device taint " + what + "--untaint-after 90m " + BROKEN + "None"));
        assertThat(spec(name).path("untaintAfter").asText()).isEqualTo("1h30m");
        String overwrite = "device taint " + what + "--overwrite " + BROKEN + "NoSchedule";
        run(overwrite);
        assertThat(spec(name).path("untaintAfter").asText()).isEqualTo("1h30m");
        run(overwrite + " --untaint-after 45s");
        assertThat(spec(name).path("untaintAfter").asText()).isEqualTo("45s");
        assertThat(spec(name).has("eviction")).isFalse();
    }

    @Test
    void a_rule_that_respects_budgets_names_those_that_would_hold_up_its_pods() throws IOException {
        cluster.server.mergePatch("pods", "shop", "train-1",
                Cluster.JSON.readTree("{\"metadata\":{\"labels\":{\"app\":\"train\"}}}"));
        String taint = "device taint n1/gpu-0 --dry-run=server --eviction Respect " + BROKEN + "NoExecute";
        budget("train", "{\"matchLabels\":{\"app\":\"train\"}}", 1);
        budget("other", "{\"matchLabels\":{\"app\":\"other\"}}", 0);
        assertThat(run(taint).err()).doesNotContain("PodDisruptionBudget");
        cluster.server.mergePatch("poddisruptionbudgets", "shop", "train",
                Cluster.JSON.readTree("{\"status\":{\"disruptionsAllowed\":0}}"));
        assertThat(run(taint.replace("NoExecute", "None")).err())
                .endsWith("example.com/broken:None NoExecute would wait"
                        + " for PodDisruptionBudget shop/train, which permits 0 of 1 pod to go now\n");
        assertThat(cluster.server.requests()).filteredOn(request -> request.path().endsWith("/pods/train-1"))
                .as("asked once by each command").hasSize(2);
        budget("all", "{}", 0);
        assertThat(run(taint).err()).endsWith(
                """
                        example.com/broken:NoExecute would wait for 1 pod that several PodDisruptionBudgets select:\
                         the API server evicts no such pod
                        """);
        assertThat(run(taint.replace("Respect", "Delete")).err()).doesNotContain("PodDisruptionBudget");
        cluster.server.fault(request -> request.path().endsWith("/poddisruptionbudgets"),
                Fault.status(403, "Forbidden", "no"));
        assertThat(run(taint).err()).contains("warning: not allowed to list poddisruptionbudgets.policy: which of them"
                + " hold up evictions is not known\n").doesNotContain("would wait");
    }

    private void budget(String name, String selector, int allowed) throws IOException {
        cluster.server.create("poddisruptionbudgets", (ObjectNode) Cluster.JSON.readTree("""
                {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"%s","namespace":"shop"},
                 "spec":{"selector":%s},"status":{"disruptionsAllowed":%d}}""".formatted(name, selector, allowed)));
    }

    /** Such a server would store the rule without the field, and the rule would ask no budget. */
    @ParameterizedTest
    @CsvSource({"POST, 400, ''", "POST, 400, --dry-run=server", "PATCH, 422, --overwrite"})
    void a_rule_with_a_field_that_an_older_crd_lacks_is_not_written(String method, int code, String option) {
        if (option.equals("--overwrite")) {
            made(run("device taint n1/gpu-1 " + BROKEN + "None"));
        }
        cluster.server.fault(request -> request.method().equals(method), Fault.status(code, "BadRequest",
                "DeviceTaintRule in version \"v1alpha1\" cannot be handled as a DeviceTaintRule: strict decoding error:"
                        + " unknown field \"spec.eviction\""));
        Result refused = run(("device taint n1/gpu-1 " + option + " --eviction Respect " + BROKEN + "None")
                .replace("  ", " "));
        assertThat(refused.exit()).isOne();
        assertThat(refused.err()).contains("unknown field \"spec.eviction\"\n"
                + "The CRDs of the cluster are older than this command: update them first.\n");
        assertThat(cluster.server.requests()).filteredOn(request -> request.method().equals(method)).isNotEmpty()
                .allSatisfy(request -> assertThat(request.query()).contains("fieldValidation=Strict"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"strict decoding error: duplicate field \"spec.taint\"", "there are enough objects"})
    void another_bad_request_says_nothing_of_crds(String message) {
        cluster.server.fault(request -> request.method().equals("POST"), Fault.status(400, "BadRequest", message));
        Result refused = run("device taint n1/gpu-1 " + BROKEN + "None");
        assertThat(refused.exit()).isOne();
        assertThat(refused.err()).contains("Error from server (BadRequest): ").doesNotContain("CRDs");
    }

    private String expires(String name) {
        return metadata(name).at("/annotations/nodeward.io~1expires").asText();
    }

    private JsonNode metadata(String name) {
        return cluster.server.get(RULES, "", name).orElseThrow().path("metadata");
    }

    @Test
    void each_named_device_has_a_rule_of_its_own() {
        Result result = run("device taint n1/gpu-0 n1/gpu-1 " + BROKEN + "NoSchedule");
        assertThat(result.out()).hasLineCount(2);
        assertThat(result.err()).contains("selects 2 devices: gpu.example.com/n1/gpu-0, gpu.example.com/n1/gpu-1\n");
    }

    @Test
    void a_class_and_expressions_make_one_rule() throws IOException {
        String name = made(cluster.run("device", "taint", "--class", "h100", "--cel",
                "device.driver == \"gpu.example.com\"", "--name", "recall", BROKEN + "None"));
        assertThat(name).isEqualTo("recall");
        assertThat(spec(name).path("deviceSelector")).isEqualTo(Cluster.JSON.readTree(
                """
                        {"deviceClassName":"h100","selectors":[{"cel":{"expression":"device.driver == \\"gpu.example.com\\""}}]}"""));
        assertThat(cluster.run("device", "taint", "--class", "a100", BROKEN + "None").err())
                .contains("warning: there is no DeviceClass a100", "selects no device\n");
    }

    @Test
    void a_rule_that_is_there_is_changed_only_if_that_is_meant() {
        String name = made(run("device taint n1/gpu-1 " + BROKEN + "None"));

        Result refused = run("device taint n1/gpu-1 " + BROKEN + "NoSchedule");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("Error from server (AlreadyExists): devicetaintrules.nodeward.io \"" + name
                + "\" already exists\n--overwrite changes its taint");
        assertThat(spec(name).at("/taint/effect").asText()).isEqualTo("None");

        Result changed = run("device taint n1/gpu-1 " + BROKEN + "NoSchedule --overwrite");
        assertThat(changed.out()).isEqualTo(NAMED + name + " configured\n");
        assertThat(spec(name).at("/taint/effect").asText()).isEqualTo("NoSchedule");
        assertThat(run("device taint n1/gpu-1 " + BROKEN + "NoSchedule --overwrite").out())
                .isEqualTo(NAMED + name + " unchanged\n");
        assertThat(run("device taint n1/gpu-0 --overwrite --name " + name + " " + BROKEN + "None").err())
                .contains("error: DeviceTaintRule " + name + " selects other devices\n");
    }

    @Test
    void no_execute_is_asked_about_and_without_a_terminal_refused() {
        String command = "device taint n1/gpu-0 --name off " + BROKEN + "NoExecute";
        Result refused = run(command);
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).endsWith("error: NoExecute would evict 1 pod: shop/train-1; --yes says that this is"
                + " meant, --dry-run=client only shows it\n");
        Result unanswered = cluster.run(SEEN, command.split(" "));
        assertThat(unanswered.exit()).isEqualTo(1);
        assertThat(unanswered.err()).endsWith("NoExecute would evict 1 pod: shop/train-1. Go on? [y/N] ");
        assertThat(cluster.answered(SEEN, "yesterday\n", command.split(" ")).exit()).isEqualTo(1);
        assertThat(isThere("off")).isFalse();
        assertThat(cluster.answered(SEEN, "y\n", command.split(" ")).out()).isEqualTo(NAMED + "off created\n");
        assertThat(run("device untaint off").exit()).isZero();
        assertThat(run(command + " --yes").out()).isEqualTo(NAMED + "off created\n");
    }

    @Test
    void a_dry_run_stores_nothing() throws IOException {
        String command = "device taint n1/gpu-0 --name off " + BROKEN + "NoExecute --dry-run=";
        assertThat(run(command + "client").out()).isEqualTo(NAMED + "off created (dry run)\n");
        assertThat(run(command + "server").out()).isEqualTo(NAMED + "off created (server dry run)\n");
        JsonNode yaml = new YAMLMapper().readTree(run(command + "client -o yaml").out());
        assertThat(yaml.path("kind").asText()).isEqualTo("DeviceTaintRule");
        assertThat(yaml.at("/spec/taint/effect").asText()).isEqualTo("NoExecute");
        assertThat(run(command + "client -o name").out()).isEqualTo(NAMED + "off\n");
        assertThat(isThere("off")).isFalse();
        cluster.server.clearRequests();
        assertThat(run(command + "perhaps").err()).contains("Invalid dry-run value (perhaps)");
        assertThat(cluster.server.requests()).isEmpty();
    }

    @Test
    void without_a_cluster_the_rule_is_printed() throws IOException {
        String command = "device taint n1/gpu-0 --name off " + BROKEN + "None -f -";
        assertThat(Typed.run(Typed.devices(), command.split(" ")).err()).contains("nothing is written to files");
        assertThat(Typed.run(Typed.devices(), (command + " --dry-run=client").split(" ")).out())
                .isEqualTo(NAMED + "off created (dry run)\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "example.com/a:None                       | name devices, or select them by --class and --cel",
            "n1/gpu-0 --class h100 example.com/a:None | name devices, or select them by --class and --cel",
            "n1/gpu-0                                 | name one taint, as KEY[=VALUE]:EFFECT",
            "n1/gpu-0 example.com/a:None b.c/d:None   | name one taint, as KEY[=VALUE]:EFFECT",
            "n1/gpu-0 example.com/a:None-             | nodeward device untaint example.com/a:None-' removes a taint",
            "n1/gpu-0 example.com/a=b                 | invalid taint spec: example.com/a=b",
            "n1/gpu-0 example.com/a:Never             | spec.taint.effect: Unsupported value: \"Never\"",
            "n1/gpu-0 kubernetes.io/a:None            | keys under kubernetes.io are reserved for Kubernetes",
            "--cel device.pool example.com/a:None     | undefined field 'pool'",
            "n1/gpu-0 n1/gpu-1 --name x a.b/c:None    | --name is of one rule",
            "n1/gpu-0 --expires 999ms example.com/a:None | --expires 999ms is too short: at least 1s, or 0 for a rule"
                    + " that stays",
            "n1/gpu-0 --expires 8760h1s example.com/a:None | --expires 8760h1s is too long: at most 8760h, which is"
                    + " 365 days",
            "n1/gpu-0 --expires 2d example.com/a:None | --expires 2d is no duration; 30s, 5m, 1h30m and 24h (a day) are",
            "n1/gpu-0 --eviction Evict example.com/a:None | --eviction Evict: must be Delete or Respect",
            "n1/gpu-0 --deadline 1h example.com/a:None | --deadline needs --eviction=Respect",
            "n1/gpu-0 --eviction Delete --deadline 1h a.b/c:None | --deadline needs --eviction=Respect",
            "n1/gpu-0 --eviction Respect --deadline 1ms a.b/c:None | --deadline 1ms is too short: at least 1s",
            "--cel true --untaint-after 1500ms a.b/c:None | --untaint-after 1500ms: must be whole seconds",
            "--cel true --untaint-after 0 a.b/c:None | --untaint-after 0: must be whole seconds, at least 1s",
            "n1/gpu-0 --untaint-after 1m a.b/c:None | --untaint-after is of --class and --cel",
            "n1/gpu-0 --driver d example.com/a:None   | --driver is of --class and --cel",
    })
    void what_is_not_clear_is_refused(String words, String why) {
        Result result = run("device taint " + words);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains(why);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void a_device_that_is_not_there_is_named_beside_those_that_are() {
        Result result = run("device taint n1/gpu-9 " + BROKEN + "None");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("there is no device n1/gpu-9; n1 has: gpu.example.com/n1/gpu-0");
    }

    @Test
    void rules_are_deleted_by_name_or_by_taint() {
        String one = made(run("device taint n1/gpu-0 " + BROKEN + "None"));
        made(run("device taint n1/gpu-1 --name two " + BROKEN + "NoSchedule"));
        made(run("device taint n2/gpu-0 --name three example.com/other:None"));

        assertThat(run("device untaint " + one + " --dry-run=client").out())
                .isEqualTo("devicetaintrule.nodeward.io \"" + one + "\" deleted (dry run)\n");
        assertThat(isThere(one)).isTrue();
        assertThat(run("device untaint " + BROKEN + "None-").out())
                .isEqualTo("devicetaintrule.nodeward.io \"" + one + "\" deleted\n");
        assertThat(isThere(one)).isFalse();
        assertThat(run("device untaint devicetaintrule.nodeward.io/two").exit()).isZero();
        assertThat(isThere("two")).isFalse();
        assertThat(isThere("three")).isTrue();
    }

    @Test
    void several_rules_of_one_taint_are_deleted_only_if_that_is_meant() {
        made(run("device taint n1/gpu-0 --name one " + BROKEN + "None"));
        made(run("device taint n1/gpu-1 --name two " + BROKEN + "None"));
        Result refused = run("device untaint example.com/broken-");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).startsWith("error: 2 rules would be deleted: one, two; --yes");
        assertThat(isThere("one")).isTrue();
        assertThat(run("device untaint example.com/broken- --yes").out()).hasLineCount(2);
        assertThat(isThere("one") || isThere("two")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "/devicetaintrules     | error: DeviceTaintRule one no longer has the taint \"example.com/broken:None\"",
            "/devicetaintrules/one | Error from server (Conflict)",
    })
    void a_rule_that_gets_another_taint_meanwhile_stays(String read, String why) throws IOException {
        made(run("device taint n1/gpu-0 --name one " + BROKEN + "None"));
        JsonNode edit = Cluster.JSON.readTree("{\"spec\":{\"taint\":{\"effect\":\"NoSchedule\"}}}");
        cluster.server.listen(request -> {
            if (request.method().equals("GET") && request.path().endsWith(read)) {
                cluster.server.mergePatch(RULES, "", "one", edit);
            }
        });
        Result kept = run("device untaint " + BROKEN + "None-");
        assertThat(kept.exit()).isEqualTo(1);
        assertThat(kept.err()).startsWith(why);
        assertThat(isThere("one")).isTrue();
    }

    @Test
    void nothing_is_deleted_from_files() throws IOException {
        for (String words : List.of("one", BROKEN + "None-")) {
            Result refused =
                    Typed.run(Typed.devices(), ("device untaint " + words + " -f - --dry-run=client").split(" "));
            assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
            assertThat(refused.err()).contains("untaint deletes rules of a cluster, and none of files");
        }
    }

    @Test
    void what_is_not_there_cannot_be_removed() {
        made(run("device taint n1/gpu-0 --name broken " + BROKEN + "None"));
        assertThat(run("device untaint example.com/broken").exit()).as("a taint without its minus is no rule").isOne();
        assertThat(isThere("broken")).isTrue();
        Result rule = run("device untaint none-such");
        assertThat(rule.exit()).isEqualTo(1);
        assertThat(rule.err()).startsWith("Error from server (NotFound): devicetaintrules.nodeward.io \"none-such\"");
        Result taint = run("device untaint example.com/none-such:None-");
        assertThat(taint.exit()).isEqualTo(1);
        assertThat(taint.err()).isEqualTo("error: taint \"example.com/none-such:None\" not found\n");
        assertThat(run("device untaint").exit()).isEqualTo(1);
    }

    @Test
    void nobody_knows_who_is_evicted_if_claims_may_not_be_read() {
        cluster.server.fault(1_000, request -> request.path().contains("/resourceclaims"),
                Fault.status(403, "Forbidden", "not you"));
        assertThat(run("device taint n1/gpu-0 " + BROKEN + "NoExecute").err())
                .contains("error: NoExecute would evict an unknown number of pods; --yes");
    }
}

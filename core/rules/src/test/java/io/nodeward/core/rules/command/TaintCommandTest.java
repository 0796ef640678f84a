package io.nodeward.core.rules.command;

import static io.nodeward.core.rules.command.Commands.command;
import static io.nodeward.core.rules.command.Commands.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.selector.LabelSelector;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaintCommandTest {
    @Test
    void words_are_a_type_names_and_taints() {
        TaintCommand command = command("nodes n1 n2 a=1:NoSchedule b:NoExecute c- d:NoSchedule- e=5:NoExecute-");

        assertThat(command.selection()).isEqualTo(new NodeSelection.Named(List.of("n1", "n2")));
        assertThat(texts(command.added())).isEqualTo("a=1:NoSchedule b:NoExecute");
        assertThat(command.removed()).containsExactly(
                new Removal("c", ""), new Removal("d", "NoSchedule"), new Removal("e", "NoExecute"));
        assertThat(command.overwrite()).isFalse();
        assertThat(command.dryRun()).isEqualTo(DryRun.NONE);
        assertThat(command.output()).isEqualTo(new TaintOutput("", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "nodes", "no", "NODES", "Node", "nodes.v1", "no.v1."})
    void the_type_of_nodes_has_several_names(String type) {
        assertThat(command(type, "n1", "a-").selection()).isEqualTo(new NodeSelection.Named(List.of("n1")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "nodes n1 a- --bogus       | UNUSABLE_FLAG | error: unknown flag: --bogus",
            "nodes n1 a- --bogus=1     | UNUSABLE_FLAG | error: unknown flag: --bogus",
            "nodes n1 a- -x            | UNUSABLE_FLAG | error: unknown shorthand flag: 'x' in -x",
            "nodes n1 a- -hx           | UNUSABLE_FLAG | error: unknown shorthand flag: 'x' in -x",
            "nodes n1 a- --=x          | UNUSABLE_FLAG | error: bad flag syntax: --=x",
            "nodes n1 a- ---x          | UNUSABLE_FLAG | error: bad flag syntax: ---x",
            "nodes n1 a- --selector    | UNUSABLE_FLAG | error: flag needs an argument: --selector",
            "nodes n1 a- -l            | UNUSABLE_FLAG | error: flag needs an argument: 'l' in -l",
            "nodes n1 a- --all=maybe   | UNUSABLE_FLAG | error: invalid argument \"maybe\" for \"--all\" flag:"
                    + " strconv.ParseBool: parsing \"maybe\": invalid syntax",
            "nodes n1 a- --help=maybe  | UNUSABLE_FLAG | error: invalid argument \"maybe\" for \"-h, --help\" flag:"
                    + " strconv.ParseBool: parsing \"maybe\": invalid syntax",
            "--dry-run=Client          | UNKNOWN_DRY_RUN | error: Invalid dry-run value (Client). Must be \"none\","
                    + " \"server\", or \"client\".",
            "--validate=no             | UNKNOWN_VALIDATION | error: invalid - validate option \"no\"; must be one of:"
                    + " strict (or true), warn, ignore (or false)",
            "nodes a- n1               | RESOURCE_AFTER_TAINT | error: all resources must be specified before taint"
                    + " changes: n1",
            "a- n1                     | RESOURCE_AFTER_TAINT | error: all resources must be specified before taint"
                    + " changes: n1",
            "~~                        | NO_RESOURCE | error: one or more resources must be specified as <resource>"
                    + " <name>",
            "a-                        | NO_RESOURCE | error: one or more resources must be specified as <resource>"
                    + " <name>",
            "nodes n1 dedicated        | NO_TAINT | error: at least one taint update is required",
            "nodes n1 a:b:NoSchedule   | UNREADABLE_TAINT | error: invalid taint spec: a:b:NoSchedule",
            "nodes n1 a=b=c:NoSchedule | UNREADABLE_TAINT | error: invalid taint spec: a=b=c:NoSchedule",
            "nodes n1 a=b=c:No         | UNKNOWN_EFFECT | error: invalid taint effect: No, unsupported taint effect",
            "nodes n1 a:noschedule     | UNKNOWN_EFFECT | error: invalid taint effect: noschedule, unsupported taint"
                    + " effect",
            "nodes n1 a:               | UNKNOWN_EFFECT | error: invalid taint effect: , unsupported taint effect",
            "nodes n1 a:NoExecute a=1:NoExecute | REPEATED_TAINT | error: duplicated taints with the same key and"
                    + " effect: {a 1 NoExecute <nil>}",
            "machines n1 a-            | UNKNOWN_TYPE | the server doesn't have a resource type \"machines\"",
            "node/n1 a-                | UNKNOWN_TYPE | the server doesn't have a resource type \"node/n1\"",
            "Pods.v1 n1 a-             | NOT_A_NODE | error: invalid resource type pods.v1, only node types are"
                    + " supported",
            "networkpolicies n1 a-     | NOT_A_NODE | error: invalid resource type networkpolicies, only node types are"
                    + " supported",
            "nodes n1 a:NoExecute a- a:NoExecute- | ADDED_AND_REMOVED | error: can not both modify and remove the"
                    + " following taint(s) in the same command: a=, a=NoExecute",
            "nodes --all -l a=b a-     | ALL_WITH_SELECTOR | error: setting 'all' parameter with a non empty selector"
                    + " is prohibited",
            "nodes a-                  | NO_NAME | error: at least one resource name must be specified since 'all'"
                    + " parameter is not set",
            "nodes n1/n2/n3 a-         | UNREADABLE_NAME | error: arguments in resource/name form may not have more"
                    + " than one slash",
            "nodes /n1 a-              | UNREADABLE_NAME | error: arguments in resource/name form must have a single"
                    + " resource and name",
            "nodes no/ a-              | UNREADABLE_NAME | error: arguments in resource/name form must have a single"
                    + " resource and name",
            "nodes no,po/n1 a-         | UNREADABLE_NAME | error: arguments in resource/name form must have a single"
                    + " resource and name",
            "nodes x/n1 a-             | UNKNOWN_TYPE | error: the server doesn't have a resource type \"x\"",
            "nodes example.com/gpu a-  | UNKNOWN_TYPE | error: the server doesn't have a resource type \"example\"",
            "nodes pods/n1 a-          | NOT_A_NODE | error: unexpected type *v1.Pod, expected Node",
            "nodes Pods.v1/n1 a-       | NOT_A_NODE | error: unexpected type *v1.Pod, expected Node",
            "nodes -l a=(b) a-         | UNREADABLE_SELECTOR | Error from server (BadRequest): Unable to find \"/v1,"
                    + " Resource=nodes\" that match label selector \"a=(b)\", field selector \"\": unable to parse"
                    + " requirement: found '(', expected: identifier"
    })
    void what_cannot_be_carried_out_is_refused_in_kubectls_words(String line, Reason reason, String text) {
        TaintRefusal refusal = catchThrowableOfType(TaintRefusal.class, () -> command(line));

        assertThat(refusal).isNotNull();
        assertThat(refusal.line()).isEqualTo(text);
        assertThat(refusal).hasMessage(text);
        assertThat(refusal.reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--dry-run=bad x           | UNKNOWN_DRY_RUN",
            "nodes a=1 --all -l a=b    | UNREADABLE_TAINT",
            "pods a:NoExecute a-       | NOT_A_NODE",
            "nodes a:NoExecute a-      | ADDED_AND_REMOVED",
            "nodes x/y/z --all a- -l b | ALL_WITH_SELECTOR",
            "nodes --bogus --dry-run=b | UNUSABLE_FLAG"
    })
    void of_several_faults_the_one_is_told_that_kubectl_tells(String line, Reason reason) {
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command(line)).reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "nodes n1 a- --overwrite        | true",
            "nodes n1 --overwrite a-        | true",
            "--overwrite nodes n1 a-        | true",
            "nodes n1 a- --overwrite=t      | true",
            "nodes n1 a- --overwrite=0      | false",
            "nodes n1 a- --overwrite --overwrite=false | false",
            "nodes n1 a-                    | false"
    })
    void flags_may_stand_anywhere_and_the_last_one_counts(String line, boolean overwrite) {
        assertThat(command(line).overwrite()).isEqualTo(overwrite);
        assertThat(command(line).removed()).containsExactly(new Removal("a", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--dry-run | CLIENT", "--dry-run=client | CLIENT", "--dry-run=true | CLIENT", "--dry-run=server | SERVER",
            "--dry-run=none | NONE", "--dry-run=false | NONE", "--validate=warn | NONE", "--validate=true | NONE",
            "--validate | NONE", "--validate=ignore | NONE", "--validate=F | NONE", "--field-manager=me | NONE"
    })
    void a_dry_run_stops_at_the_client_or_the_server(String flag, DryRun dryRun) {
        assertThat(command("nodes n1 a- " + flag).dryRun()).isEqualTo(dryRun);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "nodes -l pool=a a-", "nodes -lpool=a a-", "nodes -l=pool=a a-", "nodes --selector pool=a a-",
            "nodes --selector=pool=a a-", "nodes n1 x/y/z a- -l pool=a"
    })
    void a_selector_takes_the_place_of_names(String line) {
        assertThat(command(line).selection()).isEqualTo(new NodeSelection.Selected(LabelSelector.parse("pool=a")));
    }

    @Test
    void all_takes_the_place_of_names() {
        assertThat(command("nodes --all a-").selection()).isEqualTo(new NodeSelection.All());
        assertThat(command("nodes n1 x/y/z a- --all").selection()).isEqualTo(new NodeSelection.All());
    }

    @Test
    void a_blank_selector_is_none_and_yet_not_absent() {
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command("nodes", "n1", "a-", "-l", " ")).line())
                .isEqualTo("error: resource(s) were provided, but no name was specified");
        assertThat(command("nodes", "n1", "a-", "-l", "").selection())
                .isEqualTo(new NodeSelection.Named(List.of("n1")));
        assertThat(command("nodes", "a-", "-l", " pool ").selection())
                .isEqualTo(new NodeSelection.Selected(LabelSelector.parse("pool")));
    }

    @Test
    void after_two_dashes_nothing_is_a_flag_and_one_dash_never_is() {
        assertThat(command("nodes", "n1", "--", "a-").removed()).containsExactly(new Removal("a", ""));
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command("nodes", "n1", "--", "--all-")).reason())
                .isEqualTo(Reason.UNREADABLE_TAINT);
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command("nodes", "n1", "--all-")).reason())
                .isEqualTo(Reason.UNUSABLE_FLAG);
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command("nodes", "n1", "-")).reason())
                .isEqualTo(Reason.UNREADABLE_TAINT);
    }

    @Test
    void a_name_may_say_that_it_is_one_of_a_node() {
        assertThat(command("nodes node/n1 n2 a-").selection()).isEqualTo(new NodeSelection.Named(List.of("n1", "n2")));
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command("nodes", "", "a-")).reason())
                .isEqualTo(Reason.UNREADABLE_NAME);
    }

    @Test
    void help_is_asked_for_before_anything_else_is_looked_at() {
        assertThat(TaintArguments.parse(List.of("--help")).asksForHelp()).isTrue();
        assertThat(TaintArguments.parse(List.of("nonsense", "-h", "a")).asksForHelp()).isTrue();
        assertThat(TaintArguments.parse(List.of("nodes", "n1", "a-")).asksForHelp()).isFalse();
    }

    @Test
    void flags_that_are_not_given_have_their_defaults() {
        TaintArguments arguments = TaintArguments.parse(List.of("-o", "name"));

        assertThat(arguments.text("output")).isEqualTo("name");
        assertThat(arguments.text("field-manager")).isEqualTo("kubectl-taint");
        assertThat(arguments.text("validate")).isEqualTo("strict");
        assertThat(arguments.text("show-managed-fields")).isEqualTo("false");
        assertThat(arguments.text("allow-missing-template-keys")).isEqualTo("true");
        assertThat(arguments.words()).isEmpty();
    }

    @Test
    void a_short_flag_takes_what_stands_behind_it() {
        assertThat(TaintArguments.parse(List.of("-o=name")).text("output")).isEqualTo("name");
        assertThat(TaintArguments.parse(List.of("-oname")).text("output")).isEqualTo("name");
        assertThat(TaintArguments.parse(List.of("-o=")).text("output")).isEqualTo("=");
        assertThat(TaintArguments.parse(List.of("-ho", "name")).text("output")).isEqualTo("name");
    }

    @Test
    void a_refusal_also_says_what_is_wrong_without_any_error_before_it() {
        assertThat(catchThrowableOfType(TaintRefusal.class, () -> command("nodes n1 a:No")).faults())
                .containsExactly("invalid taint effect: No, unsupported taint effect");
    }

    @Test
    void a_cluster_may_have_types_of_its_own() {
        ResourceTypes types = type -> type.equals("nd") ? Optional.of("Node") : Optional.empty();
        TaintArguments arguments = TaintArguments.parse(Arrays.asList("nd", "n1", "a-"));

        assertThat(TaintCommand.of(arguments, types).selection()).isEqualTo(new NodeSelection.Named(List.of("n1")));
    }
}

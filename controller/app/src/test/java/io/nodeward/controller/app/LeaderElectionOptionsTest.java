package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LeaderElectionOptionsTest {
    private static final String ON = "--leader-election";

    private static Optional<ObjectKey> lease(String... args) throws Exception {
        CommandLine command = Main.commandLine(args);
        command.parseArgs(args);
        ControllerCommand options = command.getCommand();
        return options.leaderElection.lease(options);
    }

    private static ObjectKey defaultLease(String... args) throws Exception {
        return lease(Stream.concat(Stream.of(ON), Stream.of(args)).toArray(String[]::new)).orElseThrow();
    }

    @Test
    void no_leader_is_elected_by_default_nor_where_nothing_may_be_written_or_everything_is_deleted() throws Exception {
        assertThat(lease()).isEmpty();
        assertThat(lease("--leader-election-id=a")).isEmpty();
        assertThat(lease(ON, "--dry-run")).isEmpty();
        assertThat(lease(ON, "--cleanup")).isEmpty();
        assertThat(lease(ON, "--leader-election-id=a")).contains(new ObjectKey("nodeward-system", "a"));
        assertThat(lease(ON, "--leader-election-id=a.b-c", "--leader-election-namespace=team"))
                .contains(new ObjectKey("team", "a.b-c"));
    }

    /** One of two that share a Lease would write nothing. */
    @Test
    void processes_that_write_other_objects_have_another_lease() throws Exception {
        List<ObjectKey> leases = List.of(
                defaultLease(),
                defaultLease("--watch-filter=a"),
                defaultLease("--watch-filter=A"),
                defaultLease("--namespaces=a"),
                defaultLease("--namespaces=b"),
                defaultLease("--controllers=*,-machine"),
                defaultLease("--controllers=machine"),
                defaultLease("--controllers=dedicated", "--feature-gates=DedicatedNodes=true"),
                defaultLease("--controllers=dedicated,devices",
                        "--feature-gates=DedicatedNodes=true,DeviceTaints=true"),
                defaultLease("--feature-gates=DeviceTaints=true"),
                defaultLease("--feature-gates=DedicatedNodes=true"));
        assertThat(leases).doesNotHaveDuplicates();
    }

    @Test
    void replicas_have_the_same_lease_which_names_their_controllers() throws Exception {
        ObjectKey lease = defaultLease("--controllers=machine,machinepool", "--namespaces=a,b",
                "--feature-gates=MachinePoolTaintPropagation=true");
        assertThat(lease.name()).matches("nodeward-machine-machinepool-[0-9a-f]{8}");
        assertThat(lease).isEqualTo(defaultLease("--controllers=machinepool,machine", "--namespaces=a,b",
                "--feature-gates=MachinePoolTaintPropagation=true", "--backend=official", "--log-level=debug",
                "--health-address=127.0.0.1:0"));
    }

    @Test
    void a_name_that_is_too_long_stops_the_start_and_the_longest_does_not() throws Exception {
        String longest = "a".repeat(253);
        assertThat(lease(ON, "--leader-election-id=" + longest).orElseThrow().name()).isEqualTo(longest);
        assertThatIllegalArgumentException().isThrownBy(() -> lease(ON, "--leader-election-id=" + longest + "a"))
                .withMessageContaining("253");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "a/b", "-a", "a-", "a b", "a..b", "a.-b", "a-.b"})
    void a_name_that_no_lease_can_have_stops_the_start(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> lease(ON, "--leader-election-id=" + name))
                .withMessageStartingWith("--leader-election-id: '" + name + "' is not the name of a Lease: ")
                .withMessageContaining("RFC 1123 subdomain");
        assertThatThrownBy(() -> lease(ON, "--dry-run", "--leader-election-namespace=" + name))
                .hasMessage("--leader-election-namespace: '" + name + "' is not the name of a namespace");
    }
}

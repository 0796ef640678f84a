package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that take gigabytes to read for who believes them. */
class BoundedMemoryTest {
    /** All that is allocated, of which little lives at a time; each bomb asks for 2 GiB or more. */
    private static final long ENOUGH = 512L << 20;

    static Stream<Arguments> bombs() {
        String lie = Keys.base64(Keys.pem("RSA PRIVATE KEY", HexFormat.of().parseHex("30847fffffff")));
        String user = "{client-certificate-data: %s, client-key-data: %s}".formatted(Keys.base64("rsa.crt"), lie);
        return Stream.of(
                Arguments.of("aliases of aliases", aliases()),
                Arguments.of("a length of 2 GiB", """
                        {current-context: x, contexts: [{name: x, context: {cluster: c, user: u}}],
                        clusters: [{name: c, cluster: {server: 'https://h'}}], users: [{name: u, user: %s}]}
                        """.formatted(user)),
                Arguments.of("values", "a: [" + "{},".repeat(300_000) + "]"),
                Arguments.of("fields", "a: {" + "a: 1,".repeat(200_000) + "}"),
                Arguments.of("depth", "a: " + "[".repeat(1_000_000)),
                Arguments.of("depth by indent", "a:\n" + "- ".repeat(500_000)),
                Arguments.of("size", "a: " + "x".repeat(8 << 20)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    void a_bomb_is_refused_within_bounded_memory(String kind, String text) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();
        assertThat(SecretKubeconfig.judge(text)).isInstanceOf(SecretKubeconfig.Refused.class);
        assertThat(thread.getCurrentThreadAllocatedBytes() - before).as(kind).isLessThan(ENOUGH);
    }

    private static String aliases() {
        StringBuilder bomb = new StringBuilder("a0: &a0 '" + "x".repeat(200_000) + "'\n");
        for (int level = 1; level <= 6; level++) {
            bomb.append("a%d: &a%d [".formatted(level, level)).append(("*a" + (level - 1) + ",").repeat(8))
                    .append("]\n");
        }
        return bomb.toString();
    }
}

package io.nodeward.api.json.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Accepted;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Refused;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretKubeconfigTest {
    private static final String SECRET = "do-not-show-me";
    private static final String SERVER = "server: 'https://10.0.0.1:6443'";
    private static final String TOKEN = "token: " + SECRET;
    private static final String HEAD = "current-context: x\n";
    private static final String CONTEXT = "contexts: [{name: x, context: {cluster: c, user: u}}]\n";
    private static final String CLUSTER = "clusters: [{name: c, cluster: {" + SERVER + "}}]\n";
    private static final String USER = "users: [{name: u, user: {" + TOKEN + "}}]\n";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a: 1                                           | cluster.server is missing or is no http(s) URL
            server: [do-not-show-me]                       | cluster.server is no text
            server: 'ftp://x'                              | cluster.server is not of the form
            server: 'https://'                             | cluster.server is missing or is no http(s) URL
            server: '//h:1'                                | cluster.server is missing or is no http(s) URL
            server: 'https://h:99999'                      | cluster.server is missing or is no http(s) URL
            server: 'https://h h'                          | cluster.server is missing or is no http(s) URL
            server: "https://h\\r\\nx"                     | cluster.server is missing or is no http(s) URL
            server: 'https://u:do-not-show-me@h'           | cluster.server has credentials in it
            server: 'https://h/?do-not-show-me'            | cluster.server is not of the form
            server: 'https://h/#do-not-show-me'            | cluster.server is not of the form
            certificate-authority: /etc/do-not-show-me     | cluster.certificate-authority names a file
            certificate-authority-data: '%%%'              | cluster.certificate-authority-data is empty or not base64
            certificate-authority-data: QQ==               | cluster.certificate-authority-data holds no certificate
            certificate-authority-data: ''                 | cluster.certificate-authority-data is empty or not base64
            certificate-authority-data: 1                  | cluster.certificate-authority-data is empty or not base64
            insecure-skip-tls-verify: 'true'               | cluster.insecure-skip-tls-verify is neither true nor false
            tls-server-name: x                             | cluster.tls-server-name is not supported
            proxy-url: 'socks5://p:1'                      | cluster.proxy-url is not of the form http://host:port
            proxy-url: 'https://p:1'                       | cluster.proxy-url is not of the form http://host:port
            proxy-url: 'http://p'                          | cluster.proxy-url is not of the form http://host:port
            proxy-url: 'http://p:0'                        | cluster.proxy-url is not of the form http://host:port
            proxy-url: 'http://p:1/x'                      | cluster.proxy-url is not of the form http://host:port
            proxy-url: ''                                  | cluster.proxy-url is not of the form http://host:port
            proxy-url: 'http://u:do-not-show-me@p:1'       | cluster.proxy-url has credentials in it
            """)
    void a_defect_of_the_cluster_is_named(String field, String why) {
        String server = field.startsWith("server") || field.startsWith("a:") ? "" : SERVER + ", ";
        refused(kubeconfig(server + field, TOKEN), why);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            exec: {command: do-not-show-me}                | user.exec would run a program on the controller
            token: t, exec: {}                             | user.exec would run a program on the controller
            auth-provider: {name: gcp}                     | user.auth-provider is not supported
            tokenFile: /do-not-show-me                     | user.tokenFile names a file of the controller
            client-certificate: /a, client-key: /b         | user.client-certificate names a file of the controller
            token: do-not-show-me, client-key: /b          | user.client-key names a file of the controller
            token: do-not-show-me, as: root                | user.as (impersonation) is not supported
            as-uid: do-not-show-me                         | user.as-uid (impersonation) is not supported
            as-groups: [do-not-show-me]                    | user.as-groups (impersonation) is not supported
            as-user-extra: {a: [do-not-show-me]}           | user.as-user-extra (impersonation) is not supported
            client-certificate-data: do-not-show-me        | client-certificate-data and client-key-data, and not
            client-key-data: do-not-show-me                | client-certificate-data and client-key-data, and not
            username: do-not-show-me                       | user has one of username and password, and not the other
            password: do-not-show-me                       | user has one of username and password, and not the other
            username: '', password: do-not-show-me         | user.username is empty
            username: do-not-show-me, password: ''         | user.password is empty
            token: t, username: u, password: do-not-show-me | user has both a token and a username
            token: {a: do-not-show-me}                     | user.token is no text
            token: ''                                      | user.token is empty or holds characters no token has
            token: "do-not-show-me\\r\\nX-Evil: 1"         | user.token is empty or holds characters no token has
            token: !!binary ZG8tbm90LXNob3ctbWU=           | has binary data
            token: t, token: do-not-show-me                | line 2 names a field again
            """)
    void a_defect_of_the_user_is_named_and_shows_no_credential(String user, String why) {
        refused(kubeconfig(SERVER, user), why);
    }

    static Stream<Arguments> wholes() {
        String other = "users: [{name: u, user: {token: x}}, {name: u, user: {exec: {command: do-not-show-me}}}]\n";
        return Stream.of(
                Arguments.of("", "data.value is missing, empty or not base64"),
                Arguments.of("{", "it is not valid YAML"),
                Arguments.of("{token: do-not-show-me", "it is not valid YAML"),
                Arguments.of("do-not-show-me", "it is not a YAML mapping"),
                Arguments.of("- do-not-show-me", "it is not a YAML mapping"),
                Arguments.of("# nothing", "it is not a YAML mapping"),
                Arguments.of("a: b", "current-context is missing"),
                Arguments.of("current-context: [x]", "current-context is no text"),
                Arguments.of(HEAD, "contexts has no entry for current-context"),
                Arguments.of(HEAD + "contexts: [{name: x}]", "contexts has no entry for current-context"),
                Arguments.of(HEAD + "contexts: do-not-show-me", "contexts is no list"),
                Arguments.of(HEAD + "contexts: [do-not-show-me]", "an entry of contexts is no mapping"),
                Arguments.of(HEAD + "contexts: [{name: x, context: do-not-show-me}]", "context is no mapping"),
                Arguments.of(HEAD + CONTEXT + USER, "clusters has no entry for the cluster of the current context"),
                Arguments.of(HEAD + CONTEXT + CLUSTER, "users has no entry for the user of the current context"),
                Arguments.of(HEAD + CONTEXT.replace(", user: u", "") + CLUSTER + USER,
                        "users has no entry for the user"),
                Arguments.of(HEAD + CONTEXT + CLUSTER + other, "users has two entries of one name"),
                Arguments.of(
                        HEAD + CONTEXT + USER
                                + CLUSTER.replace("}]", "}, {name: c, cluster: {server: 'https://evil'}}]"),
                        "clusters has two entries of one name"),
                Arguments.of(
                        HEAD + CLUSTER + USER
                                + CONTEXT.replace("}]", "}, {name: x, context: {cluster: c, user: evil}}]"),
                        "contexts has two entries of one name"),
                Arguments.of(HEAD + CONTEXT + CLUSTER + USER + other, "line 5 names a field again"),
                Arguments.of(HEAD + CONTEXT + CLUSTER + USER + "---\n" + HEAD, "it has more than one YAML document"),
                Arguments.of("a: " + "b".repeat(1 << 20), "it is longer than 256 KiB"),
                Arguments.of("a: [" + "1,".repeat(10_001) + "]", "it has more than 10000 values"),
                Arguments.of("a:\n" + "- ".repeat(100_000), "line 2 is nested too deep"),
                Arguments.of("a: " + "[".repeat(200_000), "line 1 is nested too deep"),
                Arguments.of("a: " + "{a: ".repeat(50_000), "line 1 is nested too deep"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("wholes")
    void a_defect_of_the_whole_is_named(String text, String why) {
        refused(text, why);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {
            "x: {evil: *evil}", "x: *evil", "x: {<<: *evil}", "x: [*evil]", "x: [a, {b: [*evil]}]", "users: *evil",
            "current-context: *evil", "users: [{name: u, user: *evil}]", "users: [{name: *evil, user: {}}]",
            "users: [{name: u, user: {token: *evil}}]"
    })
    void an_alias_is_refused_wherever_it_stands(String line) {
        refused("evil: &evil {exec: {command: do-not-show-me}}\n" + line,
                "line 2 has an alias (*name); write the value out");
        refused("evil: &evil do-not-show-me\n" + line, "line 2 has an alias (*name); write the value out");
    }

    @Test
    void an_alias_as_the_name_of_a_field_is_refused() {
        refused("evil: &evil exec\nusers: [{name: u, user: {*evil : {command: sh}}}]", "it is not valid YAML");
    }

    @Test
    void an_anchor_that_nothing_refers_to_does_not_matter() throws IOException {
        accepted("x: &a [&b 1, &c {}]\n" + HEAD + CONTEXT + CLUSTER + USER);
    }

    @Test
    void a_key_with_a_length_that_lies_is_refused() {
        String key = Keys.base64(Keys.pem("RSA PRIVATE KEY", HexFormat.of().parseHex("30847fffffff")));
        String user = "client-certificate-data: %s, client-key-data: %s".formatted(Keys.base64("rsa.crt"), key);
        refused(kubeconfig(SERVER, user), "user.client-key-data is damaged, or neither an RSA nor an EC key");
    }

    @Test
    void a_certificate_that_is_none_is_refused() {
        String lie = Keys.base64(Keys.pem("CERTIFICATE", HexFormat.of().parseHex("30847fffffff")));
        String bare = Keys.base64(HexFormat.of().parseHex("30847fffffff"));
        String second = Keys.base64((Keys.text("rsa.crt") + Keys.text("ec.crt").replace("MII", "AAA")).getBytes());
        for (String bad : new String[]{lie, bare, second}) {
            refused(kubeconfig(SERVER + ", certificate-authority-data: " + bad, TOKEN),
                    "certificate-authority-data holds");
            String user = "client-certificate-data: " + bad + ", client-key-data: " + Keys.base64("rsa-pkcs8.pem");
            refused(kubeconfig(SERVER, user), "user.client-certificate-data holds");
        }
    }

    @Test
    void of_an_accepted_one_only_what_was_checked_is_emitted() throws IOException {
        String cluster = SERVER + ", proxy-url: 'http://p:3128', disable-compression: true, extensions: [{name: e}]";
        JsonNode emitted =
                accepted("preferences: {colors: true}\n" + kubeconfig(cluster, TOKEN + ", unknown: {exec: {}}"));
        assertThat(emitted).isEqualTo(new YAMLMapper().readTree("""
                apiVersion: v1
                kind: Config
                clusters: [{name: cluster, cluster: {server: 'https://10.0.0.1:6443', proxy-url: 'http://p:3128'}}]
                users: [{name: user, user: {token: do-not-show-me}}]
                contexts: [{name: context, context: {cluster: cluster, user: user}}]
                current-context: context
                """));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            {} | {}
            token: ' t ' | {token: t}
            token: 0123 | {token: '0123'}
            'token: null, username: u, password: p' | {username: u, password: p}
            'username: 1, password: 1.50' | {username: '1', password: '1.50'}
            """)
    void credentials_of_every_kind_are_taken_over(String user, String expected) throws IOException {
        String fields = user.equals("{}") ? "" : user;
        assertThat(accepted(kubeconfig(SERVER, fields)).at("/users/0/user"))
                .isEqualTo(new YAMLMapper().readTree(expected));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({"rsa.crt, rsa-pkcs1.pem", "rsa.crt, rsa-pkcs8.pem", "ec.crt, ec-sec1.pem", "ec.crt, ec-pkcs8.pem"})
    void certificates_are_kept_and_keys_become_pkcs8(String certificate, String key) throws IOException {
        String user = "client-certificate-data: %s, client-key-data: '%s'"
                .formatted(Keys.base64(certificate), Keys.base64(key).replaceAll(".{76}", "$0\n\n"));
        JsonNode emitted = accepted(kubeconfig(SERVER, user)).at("/users/0/user");
        assertThat(pem(emitted, "client-certificate-data")).isEqualTo(Keys.text(certificate));
        String pkcs8 = pem(emitted, "client-key-data");
        assertThat(pkcs8).startsWith("-----BEGIN PRIVATE KEY-----\n");
        assertThat(PemKey.read("k", pkcs8.getBytes())).isEqualTo(PemKey.read("k", Keys.bytes(key)));
    }

    @Test
    void all_authorities_of_a_bundle_are_kept_and_its_comments_left_out() throws IOException {
        String bundle = "# Authority 1\n" + Keys.text("ec.crt") + "\n# Authority 2\r\n" + Keys.text("rsa.crt");
        String data = Keys.base64(bundle.getBytes(StandardCharsets.UTF_8));
        JsonNode cluster = accepted(kubeconfig(SERVER + ", certificate-authority-data: " + data, TOKEN))
                .at("/clusters/0/cluster");
        assertThat(pem(cluster, "certificate-authority-data")).isEqualTo(Keys.text("ec.crt") + Keys.text("rsa.crt"));
    }

    @Test
    void anyone_is_trusted_only_where_no_authority_is_named() throws IOException {
        String anyone = SERVER + ", insecure-skip-tls-verify: true";
        assertThat(
                accepted(kubeconfig(anyone, TOKEN)).at("/clusters/0/cluster/insecure-skip-tls-verify").booleanValue())
                .isTrue();
        assertThat(accepted(kubeconfig(anyone.replace("true", "false"), TOKEN)).at("/clusters/0/cluster").size())
                .isEqualTo(1);
        refused(kubeconfig(anyone + ", certificate-authority-data: " + Keys.base64("ec.crt"), TOKEN),
                "exclude each other");
    }

    @Test
    void texts_that_say_the_same_are_emitted_the_same() {
        String one = HEAD + CONTEXT + CLUSTER + USER;
        String other = USER + "# a comment\n" + CLUSTER + CONTEXT + HEAD;
        assertThat(SecretKubeconfig.judge(one)).isInstanceOf(Accepted.class).isEqualTo(SecretKubeconfig.judge(other));
        assertThat(SecretKubeconfig.judge(one)).isNotEqualTo(SecretKubeconfig.judge(one.replace(SECRET, "new")));
    }

    @Test
    void what_was_emitted_is_accepted_and_emitted_again_as_it_is() {
        Accepted once = (Accepted) SecretKubeconfig.judge(HEAD + CONTEXT + CLUSTER + USER);
        assertThat(SecretKubeconfig.judge(once.kubeconfig())).isEqualTo(once);
        assertThat(once).asString().doesNotContain(SECRET);
    }

    private static String kubeconfig(String cluster, String user) {
        return """
                clusters: [{name: c, cluster: {%s}}, {name: other, cluster: {certificate-authority: /etc/passwd}}]
                users: [{name: u, user: {%s}}, {name: other, user: {exec: {command: sh}}}]
                contexts: [{name: other, context: {cluster: other, user: other}}, {name: x, context: {cluster: c, user: u}}]
                current-context: x
                """
                .formatted(cluster, user);
    }

    private static void refused(String text, String why) {
        Verdict verdict = SecretKubeconfig.judge(text);
        assertThat(verdict).isInstanceOfSatisfying(Refused.class,
                refused -> assertThat(refused.defect()).contains(why).doesNotContain(SECRET));
    }

    private static JsonNode accepted(String text) throws IOException {
        Verdict verdict = SecretKubeconfig.judge(text);
        assertThat(verdict).as("%s", verdict instanceof Refused).isInstanceOf(Accepted.class);
        return new JsonMapper().readTree(((Accepted) verdict).kubeconfig());
    }

    private static String pem(JsonNode section, String field) throws IOException {
        return new String(section.path(field).binaryValue(), StandardCharsets.US_ASCII);
    }
}

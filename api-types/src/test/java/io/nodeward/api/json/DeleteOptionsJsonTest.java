package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeleteOptionsJsonTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "u | '' | '' | ,'preconditions':{'uid':'u'}",
            "'' | 7 | '' | ,'preconditions':{'resourceVersion':'7'}",
            "u | 7 | Orphan | ,'propagationPolicy':'Orphan','preconditions':{'uid':'u','resourceVersion':'7'}",
            "'' | '' | Background | ,'propagationPolicy':'Background'"}, quoteCharacter = '"')
    void an_empty_text_leaves_its_field_out(String uid, String version, String policy, String rest) {
        assertThat(new String(DeleteOptionsJson.body(text(uid), text(version), text(policy)), StandardCharsets.UTF_8))
                .isEqualTo(("{'apiVersion':'v1','kind':'DeleteOptions'" + rest + "}").replace('\'', '"'));
    }

    private static String text(String cell) {
        return cell.replace("'", "");
    }
}

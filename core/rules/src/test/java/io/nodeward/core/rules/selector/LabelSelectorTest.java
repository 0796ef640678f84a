package io.nodeward.core.rules.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
    private static final Map<String, String> LABELS = Map.of("pool", "a", "empty", "", "n", "5", "in", "notin");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "~~               | true",
            "pool=a           | true",
            "pool==a          | true",
            " pool  =  a      | true",
            "pool=b           | false",
            "pool=            | false",
            "empty=           | true",
            "absent=          | false",
            "pool!=a          | false",
            "pool!=b          | true",
            "absent!=a        | true",
            "pool             | true",
            "absent           | false",
            "!pool            | false",
            "! absent         | true",
            "pool in (a,b)    | true",
            "pool in(b , a)   | true",
            "pool in (b)      | false",
            "absent in (a)    | false",
            "empty in ()      | true",
            "empty in (a,)    | true",
            "empty in (,a)    | true",
            "empty in (a,,b)  | true",
            "empty in (a,b)   | false",
            "pool notin (b)   | true",
            "pool notin (a,b) | false",
            "absent notin (a) | true",
            "n>4              | true",
            "n > 5            | false",
            "n<6              | true",
            "n<5              | false",
            "n>04             | true",
            "pool>4           | false",
            "pool<4           | false",
            "absent>4         | false",
            "in=notin         | true",
            "in in (in,notin) | true",
            "in               | true",
            "pool=a,n=5,!x    | true",
            "pool=a,n=6       | false",
            "x=1,pool=a       | false"
    })
    void a_selector_selects_by_labels(String selector, boolean matches) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "=a          | found '=', expected: !, identifier, or 'end of string'",
            ",a          | found ',', expected: !, identifier, or 'end of string'",
            "a,          | found '', expected: identifier after ','",
            "a,,b        | found ',', expected: identifier after ','",
            "a=b c       | found 'c', expected: ',' or 'end of string'",
            "!a=b        | found '=', expected: ',' or 'end of string'",
            "!           | unable to parse requirement: found '', expected: identifier",
            "a b         | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
            "a=(b)       | unable to parse requirement: found '(', expected: identifier",
            "a===b       | unable to parse requirement: found '=', expected: identifier",
            "a in b      | unable to parse requirement: found 'b' expected: '('",
            "a in        | unable to parse requirement: found '' expected: '('",
            "a in (=)    | unable to parse requirement: found '=', expected: ',', ')' or identifier",
            "a in (b     | unable to parse requirement: found '', expected: ',' or ')'",
            "a in (b c)  | unable to parse requirement: found 'c', expected: ',' or ')'",
            "a in (b,    | unable to parse requirement: found '', expected: ',', or identifier",
            "a in (b,=)  | unable to parse requirement: found '=', expected: ',', or identifier",
            "a>b         | unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the"
                    + " value must be an integer"
    })
    void what_cannot_be_read_is_told_as_the_api_server_tells_it(String selector, String message) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(SelectorException.class)
                .hasMessage(message);
    }

    @Test
    void bad_keys_and_values_are_told_with_what_is_wrong() {
        assertThatThrownBy(() -> LabelSelector.parse("-a=b"))
                .hasMessageStartingWith("unable to parse requirement: <nil>: Invalid value: \"-a\": name part must");
        assertThatThrownBy(() -> LabelSelector.parse("a/b in (x,y-)")).hasMessageStartingWith(
                "unable to parse requirement: values[1][a/b]: Invalid value: \"y-\": a valid label must");
        assertThatThrownBy(() -> LabelSelector.parse("a<-"))
                .hasMessageStartingWith("unable to parse requirement: [values[0]: Invalid value: \"-\": for 'Gt'")
                .hasMessageContaining("integer, values[0][a]: Invalid value: \"-\": a valid")
                .hasMessageEndingWith("]");
    }

    @Test
    void requirements_are_kept_in_order_with_sorted_values() {
        assertThat(LabelSelector.parse("b notin (y,x,y),a,!c,d<3").requirements()).containsExactly(
                new Requirement("b", Operator.NOT_IN, List.of("x", "y")),
                new Requirement("a", Operator.EXISTS, List.of()),
                new Requirement("c", Operator.DOES_NOT_EXIST, List.of()),
                new Requirement("d", Operator.LESS, List.of("3")));
    }
}

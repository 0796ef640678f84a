package io.nodeward.core.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.cel.Compilation.CompileError;
import io.nodeward.core.cel.Compilation.Compiled;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DeviceMatch.Unknown;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an expression says, it ends, with a small stack and in small memory. */
class BoundsTest {
    private static final DeviceSelectors SELECTORS = DeviceSelectors.of(SelectorFeatures.DEFAULT);
    private static final String LONG_TEXT = "lists.range(40000).map(x, '1111111111111111111').join()";

    @Test
    void an_expression_is_as_long_as_kubernetes_allows() {
        String text = "true || '%s' == ''";
        String longest = text.formatted("é".repeat((10 * 1024 - text.length() + 2) / 2));

        assertThat(longest.getBytes(java.nio.charset.StandardCharsets.UTF_8)).hasSize(10 * 1024);
        assertThat(select(longest)).isEqualTo(DeviceMatch.YES);
        assertThat(SELECTORS.compile(longest + " ")).isEqualTo(
                new CompileError(0, 0, "the expression has 10241 bytes, at most 10240 are allowed"));
    }

    @Test
    void what_is_nested_too_deeply_is_a_compile_error() {
        assertThat(select(chain("1", "+", 200) + " == 200")).isEqualTo(DeviceMatch.YES);
        for (String deep : new String[]{"(".repeat(4000) + "true" + ")".repeat(4000),
                "[".repeat(5000), "-(".repeat(3000) + "1" + ")".repeat(3000) + " == 1", chain("1", "+", 5000) + " == 1",
                "device" + ".a".repeat(5000), "true?".repeat(1000) + "true" + ":false".repeat(1000),
                "[1]" + ".map(x, x)".repeat(300) + " == [1]"}) {
            assertThat(SELECTORS.compile(deep)).as(deep.substring(0, 20)).isInstanceOf(CompileError.class);
        }
    }

    /** Each copy takes memory when it is compiled. */
    @Test
    void all_that_a_regular_expression_repeats_is_bounded_together() {
        assertThat(RegexSearch.compile("a{1000}".repeat(65)).matches("a".repeat(65_000))).isTrue();
        for (String large : List.of("a{1000}".repeat(66), "(" + "a{10}".repeat(100) + "){66}",
                "(" + "[ab]\\d".repeat(50) + "){700}")) {
            assertThatThrownBy(() -> RegexSearch.compile(large)).hasMessageContaining("too large");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "lists.range(3000).transformMap(k, v, v).size() == 3000                        | yes",
            "lists.range(3200).transformMap(k, v, v).size() == 3200                        | unknown",
            "lists.range(3000).transformMapEntry(k, v, {v: v}).size() == 3000              | yes",
            "lists.range(3200).transformMapEntry(k, v, {v: v}).size() == 3200              | unknown",
            "lists.range(30000).map(x, x).size() == 30000                                  | yes",
            "'x'.matches(lists.range(4096).map(x, '0123456789abcdef').join())              | no",
            "'x'.matches(lists.range(4096).map(x, '0123456789abcdef').join() + '0')        | unknown",
            "quantity('1e9999999').isInteger()                         | unknown",
            "quantity('1e-2147483647').isInteger()                     | unknown",
            "isQuantity('1e-2147483648')                               | no",
            "isQuantity('1e-10000') && isQuantity('1e10000')           | yes",
            "['1e-10001', '1e10001'].exists(text, isQuantity(text))    | no",
            "cel.bind(s, " + LONG_TEXT + ", quantity(s).isInteger())   | unknown",
            "cel.bind(s, " + LONG_TEXT + ", int(s) == 1)               | unknown",
            "cel.bind(s, " + LONG_TEXT + ", double(s) > 1.0)           | unknown",
            "cel.bind(s, " + LONG_TEXT + ", duration(s + 's') > duration('1s')) | unknown",
            "cel.bind(s, " + LONG_TEXT + ", s.matches('(1*)*2'))       | no",
            "cel.bind(s, " + LONG_TEXT + ", 'x'.matches(s))            | unknown",
            "double('1e999999999') > 1.0                               | CompileError",
            "'a'.matches('((((a{100}){100}){100}){100})')              | CompileError",
            "'a'.matches('(a{10}){100}')                               | no",
            "'%.9999f'.format([1.0]) == ''                             | CompileError",
    })
    void what_grows_numbers_and_searches_have_the_limits_that_are_documented(String expression, String answer) {
        assertThat(answer(expression)).isEqualTo(answer);
    }

    @Test
    void a_sum_has_as_many_terms_as_levels_are_allowed() {
        assertThat(select(chain("1", "+", 249) + " == 249")).isEqualTo(DeviceMatch.YES);
        assertThat(SELECTORS.compile(chain("1", "+", 250) + " == 250")).isInstanceOf(CompileError.class);
        assertThat(SELECTORS.compile(chain("1", "+", 400) + " == 400")).isInstanceOf(CompileError.class);
    }

    @Test
    void a_long_row_of_alternatives_is_not_deep() {
        assertThat(select(chain("false", "||", 1400) + "||true")).isEqualTo(DeviceMatch.YES);
    }

    @Test
    void on_a_small_stack_nesting_is_an_error_at_worst() throws InterruptedException {
        List<Compilation> answers = new CopyOnWriteArrayList<>();
        Thread small = new Thread(null, () -> {
            answers.add(SELECTORS.compile(chain("1", "+", 5000) + " == 1"));
            answers.add(SELECTORS.compile(chain("1", "+", 150) + " == 150"));
        }, "small stack", 128 * 1024);
        small.start();
        small.join();

        assertThat(answers).hasSize(2);
        assertThat(answers.get(0)).isInstanceOf(CompileError.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "lists.range(300000).all(x, x >= 0)",
            "lists.range(100000000).size() == 1",
            "lists.range(90000).map(x, 'aaaa').join('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb') == ''",
            "cel.bind(s, " + LONG_TEXT + ", s.replace('', s).size() == 1)",
            "cel.bind(s, lists.range(60000), sets.contains(s, s))",
            "lists.range(60000).distinct().size() == 1",
            "lists.range(60000).transformMap(k, v, v).size() == 1",
            "cel.bind(s, lists.range(1000), s.map(x, s.map(y, s)).size() == 1)",
            "cel.bind(s, lists.range(100000), s.map(x, s).size() == 1)",
    })
    void what_costs_too_much_is_an_error(String expression) {
        assertThat(select(expression)).isInstanceOfSatisfying(Unknown.class,
                error -> assertThat(error.why()).startsWith("operation cancelled: "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "lists.range(1000).all(x, x >= 0)                                                         | true",
            "lists.range(5000).all(x, x >= 0)                                                         | false",
            "lists.range(250).transformMap(k, v, v).size() == 250                                     | true",
            "lists.range(400).transformMap(k, v, v).size() == 400                                     | false",
            "cel.bind(s, lists.range(90), s.map(x, s).size() == 90)                                   | true",
            "cel.bind(s, lists.range(110), s.map(x, s).size() == 110)                                 | false",
    })
    void of_many_devices_each_is_asked_for_a_hundredth_of_what_kubernetes_allows(String expression, boolean within) {
        assertThat(select(expression)).isEqualTo(DeviceMatch.YES);
        assertThat(DeviceExpressions.of(SelectorFeatures.DEFAULT).match(expression, Cases.gpu())).isEqualTo(within
                ? DeviceMatch.YES
                : new Unknown("the expression costs more than 1 % of what Kubernetes allows"));
    }

    /** In a loop: S has 2,000 characters, U and V are made of it, and A has 200 numbers. */
    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '~', value = {
            "quantity('1e10000').add(quantity('1e-10000')).isGreaterThan(quantity('1'))    # 10   # 100",
            "quantity('1e10000').isInteger() == false                                      # 20   # 100",
            "quantity('1e10000') == quantity('1e10000')                                    # 10   # 100",
            "'%.1000f'.format([1e-300]) != ''                                              # 50   # 150",
            "'%f%f%f%f%f'.format([1e-300, 1e-300, 1e-300, 1e-300, 1e-300]) != ''           # 20   # 120",
            "'%s'.format([A]) != ''                                                        # 20   # 200",
            "A == A                                                                        # 20   # 400",
            "A in [A]                                                                      # 20   # 400",
            "sets.contains([A], [A])                                                       # 20   # 300",
            "[A, A].distinct().size() == 1                                                 # 10   # 150",
            "!(x in [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15])    # 100  # 1500",
            "S.charAt(1) == 'a'                                                            # 20   # 300",
            "S.size() > 1                                                                  # 20   # 300",
            "S.split(S).size() == 2                                                        # 1    # 5",
            "S.indexOf(S) == 0                                                             # 1    # 5",
            "S.substring(0, 200).findAll('a.*z|a').size() == 200                           # 1    # 10",
            "'a'.matches('a{1000}' + string(x)) == false                                   # 50   # 300",
            "!isURL(S)                                                                     # 20   # 300",
            "U.getQuery().size() == 1                                                      # 20   # 300",
            "V.compareTo(V) == 0                                                           # 20   # 300",
    })
    void what_kubernetes_counts_as_little_however_long_it_is_ends_the_evaluation(String once, int within, int beyond) {
        String repeated = "cel.bind(S, lists.range(20).map(x, '%s').join(), ".formatted("a".repeat(100))
                + "cel.bind(U, url('http://a/?' + S), cel.bind(V, semver('1.2.3-' + S), "
                + "cel.bind(A, lists.range(10).map(x, lists.range(20)), lists.range(TIMES).all(x, " + once + ")))))";
        DeviceExpressions controllers = DeviceExpressions.of(SelectorFeatures.DEFAULT);

        assertThat(controllers.match(repeated.replace("TIMES", within + ""), Cases.gpu())).isEqualTo(DeviceMatch.YES);
        assertThat(controllers.match(repeated.replace("TIMES", beyond + ""), Cases.gpu())).isInstanceOf(Unknown.class);
    }

    @Test
    void what_a_text_is_searched_for_again_and_again_is_bounded() {
        String ofLength = "lists.range(%d).map(x, 'aaaaaaaaaa').join().findAll('a.*z|a').size() > 0 || true";

        assertThat(select(ofLength.formatted(36))).isEqualTo(DeviceMatch.YES);
        assertThat(select(ofLength.formatted(37))).isInstanceOf(Unknown.class);
    }

    @Test
    void no_operator_hides_that_it_costs_too_much() {
        assertThat(select("lists.range(300000).all(x, x >= 0) || true")).isInstanceOf(Unknown.class);
        assertThat(select("[1].exists(x, lists.range(300000).all(y, y >= 0) || true)"))
                .isInstanceOf(Unknown.class);
    }

    @Test
    void what_doubles_again_and_again_is_an_error() {
        for (String start : new String[]{"'aaaaaaaaaaaaaaaa'", "[1, 2, 3, 4]"}) {
            assertThat(select(doubled(start, "v%1$d + v%1$d"))).as(start).isInstanceOf(Unknown.class);
        }
        assertThat(select(doubled("dyn([1])", "[v%1$d, v%1$d]"))).isInstanceOf(Unknown.class);
    }

    @Test
    void chains_of_selections_are_evaluated_once() {
        assertThat(answer("{}" + ".?a".repeat(200) + ".hasValue()")).isEqualTo("no");
        assertThat(answer("optional.of(1)" + ".optMap(x, x)".repeat(100) + ".hasValue()")).isEqualTo("yes");
        assertThat(answer("quantity('" + "9".repeat(9000) + "Ei').isInteger()")).isEqualTo("no");
    }

    @Test
    void no_error_repeats_a_long_value() {
        assertThat(select("cel.bind(s, " + LONG_TEXT + ", int(s) == 1)")).isInstanceOfSatisfying(Unknown.class,
                error -> assertThat(error.why()).hasSizeLessThan(600));
    }

    private static String answer(String expression) {
        return switch (SELECTORS.compile(expression)) {
            case Compiled(DeviceSelector selector) -> switch (selector.select(SELECTORS.variable(Cases.gpu()))) {
                case Unknown unknown -> "unknown";
                case DeviceMatch.Known(boolean holds) -> holds ? "yes" : "no";
            };
            case CompileError error -> "CompileError";
        };
    }

    private static String doubled(String start, String twice) {
        String binds = IntStream.range(0, 60)
                .mapToObj(i -> "cel.bind(v%d, ".formatted(i + 1) + twice.formatted(i) + ", ")
                .collect(Collectors.joining());
        return "cel.bind(v0, " + start + ", " + binds + "v60 == v60" + ")".repeat(61);
    }

    private static String chain(String operand, String operator, int times) {
        return IntStream.range(0, times).mapToObj(i -> operand).collect(Collectors.joining(operator));
    }

    private static DeviceMatch select(String expression) {
        return switch (SELECTORS.compile(expression)) {
            case Compiled(DeviceSelector selector) -> selector.select(SELECTORS.variable(Cases.gpu()));
            case CompileError error -> throw new AssertionError(error.toString());
        };
    }
}

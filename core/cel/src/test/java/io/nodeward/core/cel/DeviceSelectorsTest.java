package io.nodeward.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cel.common.CelValidationException;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelRuntime;
import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation.CompileError;
import io.nodeward.core.cel.Compilation.Compiled;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DeviceMatch.Unknown;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceSelectorsTest {
    private static final DeviceSelectors SELECTORS = DeviceSelectors.of(SelectorFeatures.DEFAULT);

    @Test
    void one_compiled_expression_is_asked_of_many_devices() {
        DeviceSelector selector = compiled("device.attributes['gpu.example.com'].model == 'a100'");

        assertThat(selector.select(gpu())).isEqualTo(DeviceMatch.YES);
        assertThat(selector.select(device("model", new DeviceAttribute.Text("h100")))).isEqualTo(DeviceMatch.NO);
        assertThat(selector.select(device("model", new DeviceAttribute.Int(5)))).isEqualTo(DeviceMatch.NO);
        assertThat(selector.select(device("name", new DeviceAttribute.Text("a100"))))
                .isEqualTo(new Unknown("key 'model' is not present in map."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "true &&                       | 1:8  | mismatched input '<EOF>'",
            "device.pool == 'a'            | 1:7  | undefined field 'pool'",
            "math.abs(-1) == 1             | 1:1  | undeclared reference to 'math'",
            "base64.encode(b'a') == 'YQ==' | 1:1  | undeclared reference to 'base64'",
            "'abc'.reverse() == 'cba'      | 1:14 | found no matching overload for 'reverse'",
            "regex.extract('a', 'b') == '' | 1:1  | undeclared reference to 'regex'",
            "authorizer.path('/') == 1     | 1:1  | undeclared reference to 'authorizer'",
            "int('abc') == 1               | 1:4  | For input string",
            "device.driver.find('(') == '' | 1:19 | Illegal regex",
            "[1, 'a'].size() == 2          | 1:1  | expected type 'int' but found 'string'",
            "'%d'.format(['a']) == ''      | 1:12 | error during formatting: %d cannot write a value of the type string",
    })
    void a_compile_error_says_where_and_what(String expression, String place, String message) {
        assertThat(SELECTORS.compile(expression)).isInstanceOfSatisfying(CompileError.class,
                error -> assertThat(error.toString()).startsWith(place + ": " + message));
    }

    @Test
    void the_result_is_a_bool_or_is_known_when_it_is_there() {
        assertThat(SELECTORS.compile("device.driver")).isEqualTo(
                new CompileError(0, 0, "must evaluate to bool or the unknown type, not string"));
        assertThat(select("device.attributes['gpu.example.com'].healthy")).isEqualTo(DeviceMatch.YES);
        assertThat(select("device.attributes['gpu.example.com'].model"))
                .isEqualTo(new Unknown("the result is no bool: String"));
    }

    @Test
    void a_device_that_cannot_be_read_is_an_error_of_every_expression() {
        assertThat(compiled("true").select(device("bad", new DeviceAttribute.Version("1.2"))))
                .isEqualTo(new Unknown(
                        "attribute bad: parse semantic version: No Major.Minor.Patch elements found"));
        assertThat(compiled("true").select(device("bad", new DeviceAttribute.Unknown())))
                .isEqualTo(new Unknown("attribute bad: unsupported attribute value"));
        assertThat(compiled("true")
                .select(device("bad", new DeviceAttribute.Several(List.of(new DeviceAttribute.Int(1))))))
                .isEqualTo(new Unknown("attribute bad: unsupported attribute value"));
    }

    @Test
    void a_capacity_that_is_no_quantity_is_an_error_of_every_expression() {
        assertThat(compiled("true").select(SELECTORS.variable(
                new DeviceFacts("gpu.example.com", false, Map.of(), Map.of("memory", "1", "slots", "many")))))
                .isInstanceOfSatisfying(Unknown.class, error -> assertThat(error.why())
                        .startsWith("capacity slots: quantities must match the regular expression"));
    }

    /** Maps have another order in each process: with so many names, one of them shows it. */
    @Test
    void of_two_names_that_mean_the_same_the_one_with_the_domain_counts() {
        Map<String, DeviceAttribute> attributes = new HashMap<>();
        Map<String, String> capacity = new HashMap<>();
        for (char name = 'a'; name <= 'z'; name++) {
            attributes.put(String.valueOf(name), new DeviceAttribute.Int(0));
            attributes.put("gpu.example.com/" + name, new DeviceAttribute.Int(1));
            capacity.put(String.valueOf(name), "0");
            capacity.put("gpu.example.com/" + name, "1");
        }
        DeviceVariable device = SELECTORS.variable(new DeviceFacts("gpu.example.com", false, attributes, capacity));

        assertThat(compiled("device.attributes['gpu.example.com'].all(k, v, v == 1)").select(device))
                .isEqualTo(DeviceMatch.YES);
        assertThat(compiled("device.capacity['gpu.example.com'].all(k, v, v.compareTo(quantity('1')) == 0)")
                .select(device)).isEqualTo(DeviceMatch.YES);
        assertThat(compiled("device.attributes['gpu.example.com'].map(k, k).join() == 'abcdefghijklmnopqrstuvwxyz'")
                .select(device)).isEqualTo(DeviceMatch.YES);
    }

    @Test
    void of_several_bad_values_the_first_by_name_is_the_error() {
        Map<String, DeviceAttribute> attributes = new HashMap<>(Map.of("a", new DeviceAttribute.Unknown()));
        for (int i = 0; i < 50; i++) {
            attributes.put("z.example.com/" + i * 7919, new DeviceAttribute.Unknown());
        }

        assertThat(compiled("true").select(device(SELECTORS, attributes)))
                .isEqualTo(new Unknown("attribute a: unsupported attribute value"));
    }

    @Test
    void functions_of_gates_are_there_with_the_gate_alone() {
        DeviceSelectors all = DeviceSelectors.of(new SelectorFeatures(true, true));
        DeviceSelectors none = DeviceSelectors.of(new SelectorFeatures(false, false));
        String several = "device.attributes['gpu.example.com'].models.includes('b')";

        assertThat(((Compiled) all.compile(several)).selector().select(
                device(all,
                        Map.of("models",
                                new DeviceAttribute.Several(
                                        List.of(new DeviceAttribute.Text("a"), new DeviceAttribute.Text("b")))))))
                .isEqualTo(DeviceMatch.YES);
        assertThat(SELECTORS.compile(several)).isInstanceOf(CompileError.class);
        assertThat(SELECTORS.compile("device.allowMultipleAllocations")).isInstanceOf(Compiled.class);
        assertThat(none.compile("device.allowMultipleAllocations")).isInstanceOf(CompileError.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "device.attributes['gpu.example.com'].healthy == true                 | 5",
            "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('1Gi')) | 6",
            "[1, 2, 3, 4].map(x, x * 2).size() == 4                               | 59",
            "[1, 2, 3, 4].filter(x, x > 2).size() == 2                            | 37",
            "lists.range(100).sum() == 4950                                       | 212",
            "optional.of(1).or(optional.of(2)).value() == 1                       | 3",
            "[3, 1, 2].sortBy(x, -x) == [3, 2, 1]                                 | 75",
            "device.attributes.all(d, device.attributes[d].size() > 0)            | 19",
            "device.driver.matches('^gpu.*')                                      | 6",
    })
    void an_expression_costs_what_kubernetes_counts(String expression, long cost) {
        DeviceSelector selector = compiled(expression);
        CostMeter meter = selector.meter(CostMeter.LIMIT);

        assertThat(selector.select(gpu(), meter)).isEqualTo(DeviceMatch.YES);
        assertThat(meter.cost()).isEqualTo(cost);
    }

    @Test
    void whatever_an_evaluation_or_a_device_hits_upon_is_an_error_of_that_device() {
        DeviceSelector broken = compiled("true", (proxy, method, arguments) -> {
            throw new ArithmeticException("overflow " + "x".repeat(5_000));
        });
        assertThat(broken.select(gpu())).isInstanceOfSatisfying(Unknown.class, error -> assertThat(error.why())
                .startsWith("the evaluation failed: java.lang.ArithmeticException: overflow x").hasSizeLessThan(600));
        assertThat(compiled("true").select(SELECTORS.variable(new DeviceFacts(null, false, Map.of(), Map.of()))))
                .isInstanceOfSatisfying(Unknown.class,
                        error -> assertThat(error.why()).startsWith("the device cannot be read: "));
    }

    /** Of a program that does whatever it does. */
    private static DeviceSelector compiled(String expression, InvocationHandler program) {
        try {
            var ast = CelCompilerFactory.standardCelCompilerBuilder().build().compile(expression).getAst();
            return new DeviceSelector(ast, CelRuntime.class.cast(proxy(CelRuntime.class,
                    (proxy, method, arguments) -> proxy(CelRuntime.Program.class, program))));
        } catch (CelValidationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object proxy(Class<?> type, InvocationHandler handler) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler);
    }

    @Test
    void a_question_does_not_read_the_attributes_again() {
        DeviceFacts device = new DeviceFacts("gpu.example.com", false,
                IntStream.range(0, 48).boxed().collect(Collectors.toMap(
                        i -> "domain-" + i + ".example.com/a", i -> new DeviceAttribute.Version("1.2." + i))),
                Map.of());
        DeviceSelector selector = compiled("device.driver == 'gpu.example.com'");
        DeviceVariable variable = SELECTORS.variable(device);
        Runnable reading = () -> assertThat(SELECTORS.variable(device).variables()).hasSize(1);
        Runnable asking = () -> assertThat(selector.select(variable)).isEqualTo(DeviceMatch.YES);
        allocated(reading);
        allocated(asking);

        assertThat(allocated(asking)).isLessThan(allocated(reading) / 2);
    }

    private static long allocated(Runnable task) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1000; i++) {
            task.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static DeviceVariable gpu() {
        return SELECTORS.variable(Cases.gpu());
    }

    private static DeviceVariable device(String name, DeviceAttribute value) {
        return device(SELECTORS, Map.of(name, value));
    }

    private static DeviceVariable device(DeviceSelectors selectors, Map<String, DeviceAttribute> attributes) {
        return selectors.variable(new DeviceFacts("gpu.example.com", false, attributes, Map.of()));
    }

    private static DeviceSelector compiled(String expression) {
        return ((Compiled) SELECTORS.compile(expression)).selector();
    }

    private static DeviceMatch select(String expression) {
        return compiled(expression).select(gpu());
    }
}

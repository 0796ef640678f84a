package io.nodeward.api.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.EvictionMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceTaintRuleTest {
    private static final RuleTaint NOTHING = new RuleTaint("", "", "", Optional.empty(), TaintData.NONE, "", 10);
    private static final DeviceTaintSelector ALL = new DeviceTaintSelector(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    @Test
    void a_rule_is_read_whole() throws IOException {
        CustomResource<DeviceTaintRule> object = DeviceTaintRule.PROJECTION.read(
                bytes("""
                        {'metadata':{'name':'hot','generation':3},'spec':{
                          'deviceSelector':{'deviceClassName':'gpu','driver':'gpu.example.com','pool':'node-1','device':'gpu-0',
                            'publishedTaint':{'key':'drv','value':'','effect':'None'},
                            'selectors':[{'cel':{'expression':'true'}},{'cel':{'expression':'false'}}]},
                          'taint':{'key':'example.com/hot','value':'very','effect':'None','timeAdded':'2026-01-02T03:04:05+01:00',
                            'data':{'b':'ä', 'a':1},'description':'90 degrees','evictionsPerSecond':2},
                          'eviction':'Respect','deadlineSeconds':60,
                          'untaintAfter':'1h30m'},
                         'status':{'devices':3}}"""));

        assertThat(object.key()).isEqualTo(ObjectKey.clusterScoped("hot"));
        assertThat(object.generation()).isEqualTo(3);
        assertThat(object.spec()).isEqualTo(new DeviceTaintRule(
                Optional.of(new DeviceTaintSelector(Optional.of("gpu"), Optional.of("gpu.example.com"),
                        Optional.of("node-1"), Optional.of("gpu-0"), List.of("true", "false"),
                        Optional.of(new PublishedTaint("drv", Optional.of(""), Optional.of("None"))))),
                new RuleTaint("example.com/hot", "very", "None", Optional.of(Instant.parse("2026-01-02T02:04:05Z")),
                        new TaintData("{\"a\":1,\"b\":\"ä\"}", 16), "90 degrees", 2),
                OptionalLong.empty(), new EvictionMode(EvictionMode.RESPECT, OptionalLong.of(60)),
                "1h30m"));
        assertThat(object.spec().untaintDelay()).contains(Duration.ofMinutes(90));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{}",
            "{'deviceSelector':'all','taint':[],'eviction':[],'deadlineSeconds':'60','untaintAfter':600}",
            "{'deviceSelector':null,'taint':{'key':7,'value':{},'effect':[],'timeAdded':'yesterday','data':null,"
                    + "'description':1,'evictionsPerSecond':'2'}}"
    })
    void what_is_missing_or_of_another_type_selects_nothing(String spec) throws IOException {
        assertThat(read(spec)).isEqualTo(new DeviceTaintRule(Optional.empty(), NOTHING));
    }

    @Test
    void an_empty_selector_selects_all_devices_and_is_not_the_same_as_none() throws IOException {
        assertThat(read("{'deviceSelector':{}}").selector()).contains(ALL);
    }

    /** Left out, the part would select more than was meant. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{'deviceClassName':1} | deviceClassName", "{'driver':[]} | driver", "{'pool':{}} | pool",
            "{'device':true} | device", "{'selectors':'true'} | expressions", "{'selectors':[7]} | expressions",
            "{'selectors':[{}]} | expressions", "{'selectors':[{'cel':{'expression':true}}]} | expressions"
    })
    void a_part_of_a_selector_of_another_type_holds_for_no_device(String selector, String part) throws IOException {
        Optional<String> no = Optional.empty();
        Optional<String> nothing = Optional.of("");
        DeviceTaintSelector read = read("{'deviceSelector':" + selector + "}").selector().orElseThrow();
        assertThat(read).isEqualTo(new DeviceTaintSelector(
                part.equals("deviceClassName") ? nothing : no, part.equals("driver") ? nothing : no,
                part.equals("pool") ? nothing : no, part.equals("device") ? nothing : no,
                part.equals("expressions") ? List.of("") : List.of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "{'key':'k'}                             | true | true | true | true",
            "{'key':'k','effect':'None'}             | true | true | false | false",
            "{'key':'k','value':'v'}                 | true | false | true | false",
            "{'key':'k','value':''}                  | false | true | false | true",
            "{'key':'k','value':'v','effect':'None'} | true | false | false | false",
            "{'key':'other'}                         | false | false | false | false",
            "{'key':'k','value':1}                   | false | false | false | false",
            "{'key':'k','effect':[]}                 | false | false | false | false",
            "{'key':1}                               | false | false | false | false",
            "{}                                      | false | false | false | false",
            "7                                       | false | false | false | false"
    })
    void what_a_published_taint_does_not_say_may_be_anything_and_what_cannot_be_read_is_no_taint(
            String taint, boolean one, boolean two, boolean three, boolean four) throws IOException {
        DeviceTaintSelector selector =
                read("{'deviceSelector':{'publishedTaint':" + taint + "}}").selector().orElseThrow();
        PublishedTaint read = selector.publishedTaint().orElseThrow();

        assertThat(List.of(read.matches(of("v", "None")), read.matches(of("", "None")),
                read.matches(of("v", "NoExecute")), read.matches(of("", "NoExecute"))))
                .containsExactly(one, two, three, four);
        assertThat(read.matches(new DeviceTaint("", "", "", Instant.EPOCH))).isFalse();
        assertThat(selector.isEmpty()).isFalse();
        assertThat(selector.isWhole()).isFalse();
    }

    private static DeviceTaint of(String value, String effect) {
        return new DeviceTaint("k", value, effect, Instant.EPOCH);
    }

    private static DeviceTaintRule read(String spec) throws IOException {
        return DeviceTaintRule.of(Trees.read(bytes(spec)));
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}

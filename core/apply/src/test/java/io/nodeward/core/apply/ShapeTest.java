package io.nodeward.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far an applied object is looked into, by the schema of its CRD. */
class ShapeTest {
    private static final String SCHEMA = """
            {"type":"object","properties":{"metadata":{"type":"object"},"spec":{"type":"object","properties":{
             "items":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["key"],
              "items":{"type":"object","properties":{"key":{"type":"string"}}}},
             "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
             "list":{"type":"array","items":{"type":"string"}},
             "ref":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"name":{"type":"string"}}},
             "map":{"type":"object","additionalProperties":{"type":"array","x-kubernetes-list-type":"set"}},
             "any":{"x-kubernetes-preserve-unknown-fields":true},
             "text":{"type":"string"}}}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"spec":{"text":"a"}}                            | {"f:spec":{"f:text":{}}}
            {"spec":{"items":[{"key":"a"}]}}                 | {"f:spec":{"f:items":{"k:{\\"key\\":\\"a\\"}":{".":{},"f:key":{}}}}}
            {"spec":{"set":["a"]}}                           | {"f:spec":{"f:set":{"v:\\"a\\"":{}}}}
            {"spec":{"list":["a"]}}                          | {"f:spec":{"f:list":{}}}
            {"spec":{"ref":{"name":"a"}}}                    | {"f:spec":{"f:ref":{}}}
            {"spec":{"map":{"a":["b"]}}}                     | {"f:spec":{"f:map":{"f:a":{".":{},"v:\\"b\\"":{}}}}}
            {"spec":{"any":"a"}}                             | {"f:spec":{"f:any":{}}}
            {"spec":{"any":{"a":{"b":["c"]}}}}               | {"f:spec":{"f:any":{"f:a":{".":{},"f:b":{}}}}}
            {"spec":{"unknown":{"a":["c"]}}}                 | {"f:spec":{"f:unknown":{"f:a":{}}}}
            {"metadata":{"finalizers":["a"]}}                | {"f:metadata":{"f:finalizers":{"v:\\"a\\"":{}}}}
            {"spec":{"items":"no list"}}                     | {"f:spec":{"f:items":{}}}
            {"spec":{"items":[{"value":"no key"}]}}          | {"f:spec":{"f:items":{}}}
            """)
    void a_schema_says_what_is_claimed(String applied, String claimed) {
        assertThat(Claims.of(Shape.of(FieldSet.tree(SCHEMA)), FieldSet.tree(applied)))
                .hasToString(claimed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"metadata":{"finalizers":["a"]}}     | {"f:metadata":{"f:finalizers":{"v:\\"a\\"":{}}}}
            {"spec":{"taints":[{"key":"a"}]}}     | {"f:spec":{"f:taints":{}}}
            """)
    void without_a_schema_all_lists_are_one_value(String applied, String claimed) {
        assertThat(Claims.of(Shape.of(FieldSet.tree("")), FieldSet.tree(applied))).hasToString(claimed);
    }
}

package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionRequest.GroupVersionKind;
import io.nodeward.api.admission.AdmissionRequest.GroupVersionResource;
import io.nodeward.api.admission.AdmissionRequest.UserInfo;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Tree;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Enforcement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An API server takes no answer whose uid is not that of its question: the write is refused. */
class AnsweredUidTest {
    @ParameterizedTest
    @CsvSource({
            "cluster.x-k8s.io, Machine, CREATE",
            "cluster.x-k8s.io, Machine, UPDATE",
            "cluster.x-k8s.io, Machine, DELETE",
            "cluster.x-k8s.io, MachineHealthCheck, CREATE",
            "example.com, Machine, UPDATE"
    })
    void every_answer_is_to_its_question(String group, String kind, String operation) {
        TaintValidator validator =
                new TaintValidator(any -> new AdmissionPolicy(true, Enforcement.ENFORCE, Enforcement.ENFORCE));
        AdmissionResponse answer = validator.handle(
                new AdmissionRequest("u-" + operation, new GroupVersionKind(group, "v1", kind),
                        new GroupVersionResource(group, "v1", "any"), "", "n", "o", operation, UserInfo.UNKNOWN, false,
                        Tree.ABSENT, Tree.ABSENT));
        assertThat(answer.uid()).isEqualTo("u-" + operation);
        assertThat(answer.allowed()).isTrue();
    }
}

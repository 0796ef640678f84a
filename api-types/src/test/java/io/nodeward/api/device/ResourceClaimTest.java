package io.nodeward.api.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.ResourceClaim.Allocated;
import io.nodeward.api.device.ResourceClaim.PodReference;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.PodGroupMember;
import io.nodeward.api.pod.Toleration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceClaimTest {
    @Test
    void a_claim_is_read_as_a_server_writes_it() throws IOException {
        ResourceClaim claim =
                read("""
                        {'metadata':{'name':'c','namespace':'n','uid':'u','resourceVersion':'7',
                          'finalizers':['resource.kubernetes.io/delete-protection'],
                          'annotations':{'resource.kubernetes.io/pod-claim-name':'gpu'},
                          'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'1','controller':true}]},
                         'spec':{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'gpu','allocationMode':'ExactCount',
                           'count':1,'tolerations':[{'key':'spec','operator':'Exists'}]}}]}},
                         'status':{'allocation':{'allocationTimestamp':'2026-01-02T03:04:05Z',
                           'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name'}]}]},
                           'devices':{'results':[
                            {'request':'gpu','driver':'gpu.example.com','pool':'node-1','device':'gpu-0','tolerations':[
                              {'key':'example.com/hot','operator':'Equal','value':'very','effect':'NoExecute','tolerationSeconds':60},
                              {'operator':'Exists'}]},
                            {'request':'gpu','driver':'gpu.example.com','pool':'node-1','device':'gpu-0','shareID':'s'}]}},
                          'devices':[{'driver':'gpu.example.com','pool':'node-1','device':'gpu-0','data':{'a':1}}],
                          'reservedFor':[{'resource':'pods','name':'p','uid':'1'},
                            {'apiGroup':'scheduling.k8s.io','resource':'podgroups','name':'g','uid':'2'},
                            {'apiGroup':'example.com','resource':'pods','name':'x','uid':'3'}]}}""");
        DeviceName device = new DeviceName("gpu.example.com", "node-1", "gpu-0");

        assertThat(claim.key()).isEqualTo(new ObjectKey("n", "c"));
        assertThat(claim.allocated()).containsExactly(
                new Allocated(device, List.of(
                        Toleration.equalTo("example.com/hot", "very", "NoExecute").forSeconds(60),
                        new Toleration("", "Exists", "", "", OptionalLong.empty()))),
                new Allocated(device, List.of()));
        assertThat(claim.reservedFor()).containsExactly(new PodReference("p", "1"));
        assertThat(claim.podGroups()).containsExactly("g");
        assertThat(claim.consumers()).containsExactlyInAnyOrder(ObjectKey.clusterScoped("1"), new ObjectKey("n", "g"));
        assertThat(claim.withResourceVersion("8").metadata().resourceVersion()).isEqualTo("8");
        assertThat(claim.withResourceVersion("8").sameState(claim)).isTrue();
        long empty = new ResourceClaim(claim.metadata(), List.of(), List.of(), List.of()).heapBytes();
        assertThat(new ResourceClaim(claim.metadata(), claim.allocated(), List.of(), List.of()).heapBytes() - empty)
                .isBetween(300L, 1000L);
        assertThat(new ResourceClaim(claim.metadata(), List.of(), claim.reservedFor(), List.of()).heapBytes() - empty)
                .isBetween(60L, 100L);
        assertThat(claim.reduced()).as("nothing of it is given up").isSameAs(claim);
    }

    @Test
    void more_consumers_than_are_kept_of_one_claim_are_said_whatever_they_are() throws IOException {
        String groups = "{'apiGroup':'scheduling.k8s.io','resource':'podgroups','name':'g%d','uid':'%d'},";
        String pods = "{'resource':'pods','name':'p%d','uid':'%d'},";
        String all = IntStream.range(0, 257).mapToObj(i -> (i % 2 == 0 ? groups : pods).formatted(i, i))
                .collect(Collectors.joining());
        assertThat(read("{'status':{'reservedFor':[" + all.substring(0, all.length() - 1) + "]}}").truncatedFields())
                .containsExactly("status.reservedFor");
    }

    @ParameterizedTest
    @CsvSource({"n,p,1,g,c,true", "n,p,2,,,false", "n,q,1,,,false", "m,p,1,g,c,false", "n,other,3,g,c,true",
            "n,other,3,g,d,false", "n,other,3,h,c,false", "n,other,3,,,false"})
    void a_claim_is_reserved_for_this_very_pod_or_as_one_of_a_group_that_names_it(
            String namespace, String name, String uid, String group, String named, boolean expected) {
        ResourceClaim claim = new ResourceClaim(metadata("n", "c", "u"), List.of(),
                List.of(new PodReference("p", "1")), List.of("g"));
        Pod pod = new Pod(metadata(namespace, name, uid), "", List.of(), "", "",
                Optional.ofNullable(group).map(of -> new PodGroupMember(of, List.of("x", String.valueOf(named)))),
                List.of());
        assertThat(claim.isReservedFor(pod)).isEqualTo(expected);
    }

    private static Metadata metadata(String namespace, String name, String uid) {
        return new Metadata(new ObjectKey(namespace, name), uid, "1", Map.of(), Map.of(), List.of(), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'status':[]}", "{'status':{'allocation':7,'reservedFor':{}}}",
            "{'status':{'allocation':{'devices':[]},'reservedFor':[7,null,[],{}]}}",
            "{'status':{'allocation':{'devices':{'results':{'driver':'d','pool':'p','device':'x'}}}}}",
            "{'status':{'allocation':{'devices':{'results':[7,{'driver':'d','pool':'p'},{'driver':'d','device':'x'},"
                    + "{'pool':'p','device':'x'},{'driver':'d','pool':'p','device':1}]}}}}",
            "{'status':{'reservedFor':[{'resource':'pods','name':'p'},{'resource':'pods','uid':'1'},{'name':'p','uid':'1'},"
                    + "{'resource':['pods'],'name':'p','uid':'1'},{'resource':'pods','name':{},'uid':'1'}]}}",
            "{'status':{'reservedFor':[{'apiGroup':'scheduling.k8s.io','resource':'podgroups','name':['g'],'uid':'1'},"
                    + "{'resource':'podgroups','name':'g','uid':'1'},"
                    + "{'apiGroup':'scheduling.k8s.io','resource':'pods','name':'g','uid':'1'}]}}"
    })
    void what_is_missing_or_of_another_type_has_no_device_and_no_pod(String json) throws IOException {
        ResourceClaim claim = read(json);

        assertThat(claim.allocated()).isEmpty();
        assertThat(claim.reservedFor()).isEmpty();
        assertThat(claim.podGroups()).isEmpty();
    }

    @Test
    void a_field_of_another_type_is_missing_in_a_toleration() throws IOException {
        assertThat(tolerations("'all'")).isEmpty();
        assertThat(tolerations("[7,{'key':['a'],'operator':1,'value':{},'effect':false}]"))
                .containsOnly(new Toleration("", "", "", "", OptionalLong.empty()));
        assertThat(tolerations("[{'operator':'Exists','tolerationSeconds':-1}]"))
                .containsExactly(new Toleration("", "Exists", "", "", OptionalLong.of(-1)));
    }

    @Test
    void a_class_is_read_with_its_expressions() throws IOException {
        DeviceClass found = DeviceClass.PROJECTION.read(
                bytes("""
                        {'metadata':{'name':'gpu','resourceVersion':'7'},'spec':{'config':[{'opaque':{'driver':'d','parameters':{}}}],
                          'extendedResourceName':'example.com/gpu',
                          'selectors':[{'cel':{'expression':'true'}},{'cel':{'expression':'device.driver.size() > 0'}}]}}"""));

        assertThat(found.key()).isEqualTo(ObjectKey.clusterScoped("gpu"));
        assertThat(found.expressions()).containsExactly("true", "device.driver.size() > 0");
        assertThat(found.withResourceVersion("8").metadata().resourceVersion()).isEqualTo("8");
        assertThat(found.withResourceVersion("8").sameState(found)).isTrue();
        assertThat(expressions("{}")).isEmpty();
    }

    /** An empty expression is none, so that the class selects no device: left out, it would select more. */
    @ParameterizedTest
    @ValueSource(strings = {"{'selectors':'all'}", "{'selectors':[{}]}", "{'selectors':[7]}",
            "{'selectors':[{'regex':'.*'}]}", "{'selectors':[{'cel':{'expression':['true']}}]}"})
    void a_selector_of_another_type_is_no_expression(String spec) throws IOException {
        assertThat(expressions(spec)).containsExactly("");
    }

    private static List<String> expressions(String spec) throws IOException {
        return DeviceClass.PROJECTION.read(bytes("{'spec':" + spec + "}")).expressions();
    }

    private static List<Toleration> tolerations(String json) throws IOException {
        return read(
                "{'status':{'allocation':{'devices':{'results':[{'driver':'d','pool':'p','device':'x','tolerations':"
                        + json + "}]}}}}")
                .allocated().getFirst().tolerations();
    }

    private static ResourceClaim read(String json) throws IOException {
        return ResourceClaim.PROJECTION.read(bytes(json));
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }
}

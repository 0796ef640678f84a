package io.nodeward.core.testkit;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Objects as large as real ones, in the JSON that API servers send: a Node of a Cluster API worker has about 15 KB, half
 * of it images. They are numbered; those of the same number belong together.
 */
public final class RealObjects {
    private static final int IMAGES = 44;
    private static final String CAPACITY =
            "{'cpu':'16','ephemeral-storage':'203056560Ki','hugepages-1Gi':'0','hugepages-2Mi':'0',"
                    + "'memory':'65282840Ki','pods':'110'}";

    private RealObjects() {}

    /** One event of a watch, with its line end. */
    public static byte[] event(String type, byte[] object) {
        String text = new String(object, StandardCharsets.UTF_8);
        return ("{\"type\":\"" + type + "\",\"object\":" + text + "}\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The Node of {@link #machine}: initialized, with all tracking and bookkeeping annotations, and its own taints.
     *
     * @param beat differs in resourceVersion and heartbeat times only
     */
    public static byte[] node(int number, int beat) {
        return bytes(
                """
                        {'kind':'Node','apiVersion':'v1','metadata':%s,\
                        'spec':{'podCIDR':'10.%d.%d.0/24','podCIDRs':['10.%2$d.%3$d.0/24'],'providerID':'aws:///eu-west-1a/i-%s',\
                        'taints':[{'key':'example.com/dedicated','value':'batch','effect':'NoSchedule'},\
                        {'key':'example.com/gpu','effect':'NoExecute'}]},\
                        'status':%s}"""
                        .formatted(
                                nodeMetadata(number, beat), number >> 8, number & 255, id(number),
                                nodeStatus(number, beat)));
    }

    /**
     * A worker of a MachineDeployment whose Node is {@link #node}.
     *
     * @param beat differs in resourceVersion and status only
     */
    public static byte[] machine(int number, int beat) {
        return bytes("""
                {'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Machine','metadata':%s,\
                'spec':{'bootstrap':{'configRef':{'apiGroup':'bootstrap.cluster.x-k8s.io','kind':'KubeadmConfig',\
                'name':'%s'},'dataSecretName':'%2$s'},'clusterName':'prod','failureDomain':'eu-west-1a',\
                'infrastructureRef':{'apiGroup':'infrastructure.cluster.x-k8s.io','kind':'AWSMachine','name':'%2$s'},\
                'providerID':'aws:///eu-west-1a/i-%s','version':'v1.36.3','deletion':{'nodeDrainTimeoutSeconds':300},\
                'taints':[{'key':'example.com/dedicated','value':'batch','effect':'NoSchedule','propagation':'Always'},\
                {'key':'example.com/gpu','effect':'NoExecute','propagation':'Always'}]},\
                'status':%s}""".formatted(
                machineMetadata(number, beat), name(number), id(number), machineStatus(number, beat)));
    }

    public static String name(int number) {
        return "prod-md-0-7c9fdd5bf6x-%05d".formatted(number);
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    private static String id(int number) {
        return "0%016x".formatted(0x9e3779b97f4a7c15L * (number + 1));
    }

    private static String uid(int number) {
        return "8c7c3b1e-5f0a-4c57-9d3e-%012x".formatted(number);
    }

    private static String time(int beat) {
        return "2026-11-21T%02d:%02d:%02dZ".formatted(beat / 3600 % 24, beat / 60 % 60, beat % 60);
    }

    private static String nodeMetadata(int number, int beat) {
        return """
                {'name':'%s','uid':'%s','resourceVersion':'%d','creationTimestamp':'2026-11-20T08:00:00Z',\
                'labels':{'beta.kubernetes.io/arch':'amd64','beta.kubernetes.io/instance-type':'m7i.4xlarge',\
                'beta.kubernetes.io/os':'linux','failure-domain.beta.kubernetes.io/region':'eu-west-1',\
                'failure-domain.beta.kubernetes.io/zone':'eu-west-1a','k8s.io/cloud-provider-aws':'d41d8cd98f00b204',\
                'kubernetes.io/arch':'amd64','kubernetes.io/hostname':'%1$s','kubernetes.io/os':'linux',\
                'node-role.kubernetes.io/worker':'','node.cluster.x-k8s.io/pool':'batch',\
                'node.kubernetes.io/instance-type':'m7i.4xlarge','node-restriction.kubernetes.io/team':'data',\
                'topology.ebs.csi.aws.com/zone':'eu-west-1a','topology.k8s.aws/zone-id':'euw1-az1',\
                'topology.kubernetes.io/region':'eu-west-1','topology.kubernetes.io/zone':'eu-west-1a',\
                'example.com/rack':'r%d'},\
                'annotations':{%s},'managedFields':%s}""".formatted(
                name(number), uid(number), 1_000_000 + number + beat * 100_000, number % 40, nodeAnnotations(number),
                managedFields(beat));
    }

    private static String nodeAnnotations(int number) {
        return """
                'cluster.x-k8s.io/annotations-from-machine':'',\
                'cluster.x-k8s.io/cluster-name':'prod','cluster.x-k8s.io/cluster-namespace':'fleet',\
                'cluster.x-k8s.io/labels-from-machine':'node-restriction.kubernetes.io/team,\
                node-role.kubernetes.io/worker,node.cluster.x-k8s.io/pool',\
                'cluster.x-k8s.io/machine':'%s','cluster.x-k8s.io/owner-kind':'MachineSet',\
                'cluster.x-k8s.io/owner-name':'prod-md-0-7c9fdd5bf6x',\
                'cluster.x-k8s.io/taints-from-machine':'example.com/dedicated:NoSchedule,example.com/gpu:NoExecute',\
                'csi.volume.kubernetes.io/nodeid':'{\\"ebs.csi.aws.com\\":\\"i-%s\\"}',\
                'kubeadm.alpha.kubernetes.io/cri-socket':'unix:///var/run/containerd/containerd.sock',\
                'node.alpha.kubernetes.io/ttl':'0',\
                'volumes.kubernetes.io/controller-managed-attach-detach':'true'""".formatted(name(number), id(number));
    }

    private static String managedFields(int beat) {
        String annotations = names("example.com/annotation-", 12);
        return "[" + String.join(",",
                managed("kubeadm", "", "2026-11-20T08:00:01Z", "'f:metadata':{'f:annotations':{" + annotations + "}}"),
                managed("aws-cloud-controller-manager", "", "2026-11-20T08:00:02Z",
                        "'f:metadata':{'f:labels':{" + names("topology.kubernetes.io/label-", 8)
                                + "}},'f:spec':{'f:providerID':{}}"),
                managed("manager", "", "2026-11-20T08:00:03Z",
                        "'f:metadata':{'f:annotations':{" + annotations + "}},'f:spec':{'f:taints':{}}"),
                managed("kubelet", "status", time(beat),
                        "'f:metadata':{'f:labels':{" + names("kubernetes.io/label-", 12) + "}},'f:status':{"
                                + "'f:allocatable':{" + names("resource-", 6) + "},'f:capacity':{"
                                + names("resource-", 6) + "},'f:conditions':{" + names("condition-", 5)
                                + "},'f:images':{},'f:nodeInfo':{" + names("info-", 10) + "}}"))
                + "]";
    }

    private static String managed(String manager, String subresource, String time, String fields) {
        return "{'manager':'" + manager + "','operation':'Update','apiVersion':'v1','time':'" + time
                + "','fieldsType':'FieldsV1','fieldsV1':{" + fields + "}"
                + (subresource.isEmpty() ? "" : ",'subresource':'" + subresource + "'") + "}";
    }

    private static String names(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "'f:" + prefix + i + "':{}")
                .collect(Collectors.joining(","));
    }

    private static String nodeStatus(int number, int beat) {
        String conditions = String.join(",",
                condition("MemoryPressure", "False", "KubeletHasSufficientMemory", beat),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", beat),
                condition("PIDPressure", "False", "KubeletHasSufficientPID", beat),
                condition("Ready", "True", "KubeletReady", beat));
        String images = IntStream.range(0, IMAGES).mapToObj(RealObjects::image).collect(Collectors.joining(","));
        return """
                {'capacity':%s,'allocatable':%1$s,'conditions':[%s],\
                'addresses':[{'type':'InternalIP','address':'10.0.%d.%d'},{'type':'Hostname','address':'%s'}],\
                'daemonEndpoints':{'kubeletEndpoint':{'Port':10250}},\
                'nodeInfo':%s,'images':[%s]}""".formatted(
                CAPACITY, conditions, number >> 8, number & 255, name(number), nodeInfo(number), images);
    }

    private static String nodeInfo(int number) {
        return """
                {'machineID':'%s','systemUUID':'%1$s','bootID':'%1$s','kernelVersion':'6.8.0-1029-aws',\
                'osImage':'Ubuntu 24.04.3 LTS','containerRuntimeVersion':'containerd://2.1.4',\
                'kubeletVersion':'v1.36.3','kubeProxyVersion':'','operatingSystem':'linux','architecture':'amd64'}"""
                .formatted(uid(number));
    }

    private static String condition(String type, String status, String reason, int beat) {
        return """
                {'type':'%s','status':'%s','lastHeartbeatTime':'%s','lastTransitionTime':'2026-11-20T08:01:00Z',\
                'reason':'%s','message':'kubelet has posted: %4$s'}""".formatted(type, status, time(beat), reason);
    }

    private static String image(int number) {
        String name = "images.example.com/platform/service-%02d".formatted(number);
        return "{'names':['%s@sha256:%064x','%s:v1.%d.0'],'sizeBytes':%d}"
                .formatted(name, number * 7919L, name, number, 50_000_000 + number);
    }

    private static String machineMetadata(int number, int beat) {
        return """
                {'name':'%s','namespace':'fleet','uid':'%s','resourceVersion':'%d','generation':2,\
                'creationTimestamp':'2026-11-20T07:58:00Z','finalizers':['machine.cluster.x-k8s.io'],\
                'labels':{'cluster.x-k8s.io/cluster-name':'prod','cluster.x-k8s.io/deployment-name':'prod-md-0',\
                'cluster.x-k8s.io/set-name':'prod-md-0-7c9fdd5bf6x','machine-template-hash':'7c9fdd5bf6',\
                'node-role.kubernetes.io/worker':'','node-restriction.kubernetes.io/team':'data',\
                'node.cluster.x-k8s.io/pool':'batch'},\
                'ownerReferences':[{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachineSet',\
                'name':'prod-md-0-7c9fdd5bf6x','uid':'%s','controller':true,'blockOwnerDeletion':true}],\
                'managedFields':%s}""".formatted(
                name(number), uid(number), 2_000_000 + number + beat * 100_000, uid(-1), managedFields(beat));
    }

    // A server sends fields of custom resources in the order of the alphabet: type comes last.
    private static String machineCondition(int i) {
        return """
                {'lastTransitionTime':'2026-11-20T08:01:00Z','message':'','observedGeneration':2,'reason':'AsExpected',\
                'status':'True','type':'Condition%d'}""".formatted(i);
    }

    private static String machineStatus(int number, int beat) {
        String conditions = IntStream.range(0, 12)
                .mapToObj(RealObjects::machineCondition)
                .collect(Collectors.joining(","));
        return """
                {'nodeRef':{'name':'%s'},'phase':'Running','conditions':[%s],'lastUpdated':'%s',\
                'nodeInfo':%s}""".formatted(name(number), conditions, time(beat), nodeInfo(number));
    }
}

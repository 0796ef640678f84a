package io.nodeward.controller.topology;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Objects between a Cluster and its Machines, of the namespace fleet and the Cluster c. Taints are texts
 * {@code key=value:Effect}, always carried.
 */
final class Objects {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String GROUP = "cluster.x-k8s.io";
    private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");
    private static final String PROVIDERS = "controlplane.cluster.x-k8s.io";
    private static final Map<String, String> PATHS = Map.of(
            "machines", "/spec/taints", "kubeadmcontrolplanes", "/spec/machineTemplate/spec/taints");

    private final FakeApiServer server;

    Objects(FakeApiServer server) {
        this.server = server;
        server.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
    }

    static Options kinds() {
        String[] template = {"spec.template.spec.taints[key,effect]", "status.conditions[type]"};
        return Options.defaults()
                .withKind(Kind.custom(GROUP, VERSIONS, "machinedeployments", "MachineDeployment").withPlaces(template))
                .withKind(Kind.custom(GROUP, VERSIONS, "machinesets", "MachineSet").withPlaces(template))
                .withKind(Kind.custom(GROUP, VERSIONS, "clusterclasses", "ClusterClass"))
                .withKind(Kind.custom(PROVIDERS, List.of("v1beta2"), "kubeadmcontrolplanes", "KubeadmControlPlane")
                        .withPlaces("spec.machineTemplate.spec.taints[key,effect]"))
                .withKind(Kind.custom("apiextensions.k8s.io", List.of("v1"), "customresourcedefinitions",
                        "CustomResourceDefinition").clusterScoped());
    }

    /** A ClusterClass k with one class w of each kind of workers, all with these taints. */
    void clusterClass(String... taints) {
        ObjectNode object = object("k", "'spec':{'controlPlane':{},'workers':{'machineDeployments':[{'class':'w'}],"
                + "'machinePools':[{'class':'w'}]}}");
        ((ObjectNode) object.at("/spec/controlPlane")).set("taints", list(taints));
        ((ObjectNode) object.at("/spec/workers/machineDeployments/0")).set("taints", list(taints));
        ((ObjectNode) object.at("/spec/workers/machinePools/0")).set("taints", list(taints));
        server.create("clusterclasses", object);
    }

    void editClass(String... taints) {
        server.delete("clusterclasses", "fleet", "k");
        clusterClass(taints);
    }

    /** The Cluster c of class k with groups of workers md and mp, which declares these taints in all three places. */
    void cluster(String... taints) {
        server.create("clusters", object("c", topology(taints)));
    }

    /** The Cluster c without a topology. */
    void plainCluster() {
        server.create("clusters", object("c", "'spec':{}"));
    }

    void editCluster(String... taints) {
        server.mergePatch("clusters", "fleet", "c", json("{" + topology(taints) + "}"));
    }

    private static String topology(String... taints) {
        String list = list(taints).toString().replace('"', '\'');
        return ("'spec':{'controlPlaneRef':{'apiGroup':'" + PROVIDERS + "','kind':'KubeadmControlPlane','name':'cp'},"
                + "'topology':{'classRef':{'name':'k'},'controlPlane':{'taints':%s},'workers':{"
                + "'machineDeployments':[{'name':'md','class':'w','taints':%s}],"
                + "'machinePools':[{'name':'mp','class':'w','taints':%s}]}}}").formatted(list, list, list);
    }

    /** The MachineDeployment or MachinePool of a group of workers. */
    void workers(String resource, String group) {
        String kind = resource.equals("machinepools") ? "pool" : "deployment";
        ObjectNode object = object(group, "'spec':{'clusterName':'c','template':{'spec':{'clusterName':'c'}}}");
        ((ObjectNode) object.at("/metadata")).putObject("labels")
                .put("topology.cluster.x-k8s.io/" + kind + "-name", group);
        server.create(resource, object);
    }

    /** So many Machines of a group of workers exist. */
    void machines(String resource, String group, int count) {
        server.mergePatch(resource, "fleet", group, json("{'status':{'replicas':" + count + "}}"));
    }

    /** Somebody confirms for so many Nodes of the group that they newly get the effect NoExecute. */
    void confirm(String resource, String group, int count) {
        server.mergePatch(resource, "fleet", group,
                json("{'metadata':{'annotations':{'nodeward.io/confirmed-noexecute-nodes':'" + count + "'}}}"));
    }

    /** A MachineSet or Machine that another object made. */
    void owned(String resource, String name, String owner, String ownerResource, String... taints) {
        String spec =
                resource.equals("machines") ? "{'clusterName':'c'}"
                        : "{'clusterName':'c','template':{'spec':{'clusterName':'c'}}}";
        ObjectNode object = object(name, "'spec':" + spec);
        JsonNode above = server.get(ownerResource, "fleet", owner).orElseThrow();
        ((ObjectNode) object.at("/metadata")).putArray("ownerReferences").addObject()
                .put("apiVersion", GROUP + "/v1beta2").put("kind", above.path("kind").asText()).put("name", owner)
                .put("uid", above.at("/metadata/uid").asText()).put("controller", true);
        if (taints.length > 0) {
            ((ObjectNode) object.at(resource.equals("machines") ? "/spec" : "/spec/template/spec"))
                    .set("taints", list(taints));
        }
        server.create(resource, object);
    }

    /** A MachineDeployment with so many MachineSets of so many Machines: {@code NAME-0} and {@code NAME-0-0}. */
    void deployment(String name, int sets, int machines) {
        server.create("machinedeployments",
                object(name, "'spec':{'clusterName':'c','template':{'spec':{'clusterName':'c'}}}"));
        for (int i = 0; i < sets; i++) {
            owned("machinesets", name + "-" + i, name, "machinedeployments");
            for (int j = 0; j < machines; j++) {
                owned("machines", name + "-" + i + "-" + j, name + "-" + i, "machinesets");
            }
        }
    }

    /** Somebody writes the whole list of a template. */
    void declare(String resource, String name, String... taints) {
        ObjectNode patch = json("{'spec':{'template':{'spec':{}}}}");
        ((ObjectNode) patch.at("/spec/template/spec")).set("taints", list(taints));
        server.mergePatch(resource, "fleet", name, patch);
    }

    /** Somebody applies these taints, and nothing else, to a template. */
    void apply(String resource, String name, String manager, String... taints) {
        ObjectNode body =
                json("{'apiVersion':'cluster.x-k8s.io/v1beta2','metadata':{},'spec':{'template':{'spec':{}}}}");
        body.put("kind", server.get(resource, "fleet", name).orElseThrow().path("kind").asText());
        ((ObjectNode) body.at("/metadata")).put("name", name);
        if (taints.length > 0) {
            ((ObjectNode) body.at("/spec/template/spec")).set("taints", list(taints));
        }
        URI uri = URI.create(server.url() + "/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/" + resource + "/" + name
                + "?force=true&fieldManager=" + manager);
        send(HttpRequest.newBuilder(uri).header("Content-Type", "application/apply-patch+yaml")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(body.toString())).build());
    }

    private static void send(HttpRequest request) {
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(response.body());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The definition of KubeadmControlPlane; without taints it is that of an older release. */
    void definition(boolean taints) {
        server.create("customresourcedefinitions", json(("{'metadata':{'name':'kubeadmcontrolplanes." + PROVIDERS
                + "','labels':{'cluster.x-k8s.io/v1beta2':'v1beta2'}},%s}").formatted(definitionSpec(taints))));
    }

    void upgradeDefinition() {
        server.mergePatch("customresourcedefinitions", "", "kubeadmcontrolplanes." + PROVIDERS,
                json("{" + definitionSpec(true) + "}"));
    }

    private static String definitionSpec(boolean taints) {
        return ("'spec':{'group':'" + PROVIDERS + "','names':{'kind':'KubeadmControlPlane',"
                + "'plural':'kubeadmcontrolplanes'},'versions':[{'name':'v1beta2','served':true,'schema':{"
                + "'openAPIV3Schema':{'properties':{'spec':{'properties':{'machineTemplate':{'properties':{'spec':{"
                + "'properties':{'%s':{'type':'array'}}}}}}}}}}}]}").formatted(taints ? "taints" : "deletion");
    }

    void controlPlane() {
        server.create("kubeadmcontrolplanes", object("cp", "'spec':{'replicas':3}"));
    }

    List<String> taintsOf(String resource, String name) {
        JsonNode object = server.get(resource, "fleet", name).orElseThrow();
        JsonNode list = object.at(PATHS.getOrDefault(resource, "/spec/template/spec/taints"));
        return StreamSupport.stream(list.spliterator(), false)
                .map(t -> t.path("key").asText() + "=" + t.path("value").asText() + ":" + t.path("effect").asText())
                .toList();
    }

    private static JsonNode list(String... taints) {
        ArrayNode array = MAPPER.createArrayNode();
        for (String taint : taints) {
            String[] parts = taint.split("[=:]");
            array.addObject().put("key", parts[0]).put("value", parts[1]).put("effect", parts[2])
                    .put("propagation", "Always");
        }
        return array.isEmpty() ? MAPPER.nullNode() : array;
    }

    static ObjectNode object(String name, String rest) {
        return json("{'metadata':{'namespace':'fleet','name':'" + name + "'}," + rest + "}");
    }

    /** JSON with single quotes. */
    static ObjectNode json(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}

package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Several kubeconfigs of one user as one, by kubectl's rules: of each name the whole entry of the first file that has
 * it, and the current context of the first that says one. Files that they name are named from the root.
 */
public final class MergedKubeconfig {
    private static final List<String> LISTS = List.of("clusters", "users", "contexts");
    private static final List<String> CLUSTER_FILES = List.of("certificate-authority");
    private static final List<String> USER_FILES = List.of("client-certificate", "client-key", "tokenFile");

    private final ObjectNode all = JsonNodeFactory.instance.objectNode();

    private MergedKubeconfig() {
        LISTS.forEach(all::putArray);
    }

    /** One file's text. */
    public record Source(Path file, String text) {
        /** Never shows the text. */
        @Override
        public String toString() {
            return "Source[" + file + "]";
        }
    }

    /** @throws IllegalArgumentException naming the file, and what is wrong with it; never a credential */
    public static MergedKubeconfig of(List<Source> sources) {
        MergedKubeconfig merged = new MergedKubeconfig();
        for (Source source : sources) {
            try {
                merged.add(source);
            } catch (Defect defect) {
                throw new Defect(source.file() + ": " + defect.what());
            }
        }
        return merged;
    }

    /** The names of all contexts, in their order. */
    public List<String> contexts() {
        List<String> names = new ArrayList<>();
        all.path("contexts").forEach(entry -> names.add(entry.path("name").asText()));
        return names;
    }

    public Optional<String> currentContext() {
        return new Section("", all).given("current-context");
    }

    /** The namespace that a context names. */
    public Optional<String> namespace(String context) {
        return ofContext(context, "namespace");
    }

    /** The URL of a context's server, as it is written. */
    public Optional<String> server(String context) {
        return ofContext(context, "cluster").flatMap(cluster -> entry("clusters", cluster))
                .flatMap(entry -> entry.section("cluster"))
                .flatMap(section -> section.given("server"));
    }

    private Optional<String> ofContext(String context, String field) {
        return entry("contexts", context).flatMap(entry -> entry.section("context"))
                .flatMap(section -> section.given(field));
    }

    /**
     * The whole as one kubeconfig.
     *
     * @param context its current one
     * @param as whom to act as, in place of what the context's user says of that
     */
    public String text(String context, Optional<Access.Impersonation> as) {
        ObjectNode text = all.deepCopy().put("current-context", context);
        as.ifPresent(whom -> impersonate(text, context, whom));
        return text.toString();
    }

    private void add(Source source) {
        if (source.text().isBlank()) { // as one that is not there
            return;
        }
        Section root = new Section("", PlainYaml.read(source.text()));
        for (String list : LISTS) {
            List<String> here = new ArrayList<>();
            for (Section entry : root.entries(list)) {
                String name = entry.text("name").orElse("");
                if (here.contains(name)) {
                    throw new Defect("there are two entries of " + list + " named " + name);
                }
                here.add(name);
                if (entry(list, name).isEmpty()) {
                    ((ArrayNode) all.path(list)).add(rooted(entry, source.file()));
                }
            }
        }
        if (currentContext().isEmpty()) {
            root.given("current-context").ifPresent(name -> all.put("current-context", name));
        }
    }

    private Optional<Section> entry(String list, String name) {
        return entry(all, list, name);
    }

    private static Optional<Section> entry(ObjectNode root, String list, String name) {
        return new Section("", root).entries(list).stream()
                .filter(entry -> entry.text("name").filter(name::equals).isPresent())
                .findFirst();
    }

    private static ObjectNode rooted(Section entry, Path file) {
        entry.section("cluster").ifPresent(cluster -> root(cluster, CLUSTER_FILES, file));
        entry.section("user").ifPresent(user -> {
            root(user, USER_FILES, file);
            user.section("exec").ifPresent(exec -> {
                if (exec.given("command").filter(command -> command.contains("/")).isPresent()) {
                    root(exec, List.of("command"), file);
                }
            });
        });
        return entry.fields();
    }

    private static void root(Section section, List<String> fields, Path file) {
        for (String field : fields) {
            section.given(field).ifPresent(name -> section.fields().put(
                    field, AccessReader.resolved(section.path(field), name, file).toString()));
        }
    }

    private void impersonate(ObjectNode text, String context, Access.Impersonation whom) {
        ObjectNode fields = ofContext(context, "user").flatMap(name -> entry(text, "users", name))
                .flatMap(entry -> entry.section("user"))
                .map(Section::fields)
                .orElseThrow(() -> new Defect("context " + context + " has no user to act as somebody else with"));
        fields.remove(List.of("as", "as-uid", "as-groups", "as-user-extra"));
        fields.put("as", whom.user()).put("as-uid", whom.uid());
        ArrayNode groups = fields.putArray("as-groups");
        whom.groups().forEach(groups::add);
        ObjectNode extra = fields.putObject("as-user-extra");
        whom.extra().forEach((key, values) -> extra.set(key, texts(values)));
    }

    private static JsonNode texts(List<String> values) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        values.forEach(array::add);
        return array;
    }

    /** Never shows credentials. */
    @Override
    public String toString() {
        return "MergedKubeconfig" + contexts();
    }
}

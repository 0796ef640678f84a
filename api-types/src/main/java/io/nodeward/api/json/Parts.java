package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.TextMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The parts that several kinds of Cluster API have alike. Equal texts of them are the same String. */
final class Parts {
    /** The end of a path: the fields that are read of each taint that a list declares. */
    static final String TAINT = ".key,value,effect,propagation";
    /** The end of a path: the fields that are read of each condition, but on kinds of our own. */
    static final String CONDITION = ".type,status,reason,message,lastTransitionTime";
    /** The end of a path: the fields that are read of a reference to an object. */
    static final String REFERENCE = ".apiGroup,apiVersion,kind,name";

    private Parts() {}

    static boolean isTrue(Tree field) {
        return field instanceof Tree.Other(String word, String text) && text.equals("true");
    }

    /** Returns a text, or a number or boolean the way JSON writes it; empty for anything else. */
    static String scalar(Tree field) {
        return field instanceof Tree.Other(String word, String text) ? text : field.string();
    }

    static String text(Tree object, String field) {
        return MetadataReader.POOL.intern(scalar(object.at(field)));
    }

    static TextMap texts(Tree object) {
        TextMap.Builder texts = new TextMap.Builder();
        if (object instanceof Tree.Fields(Map<String, Tree> fields)) {
            fields.keySet().forEach(key -> texts.put(MetadataReader.POOL.intern(key), text(object, key)));
        }
        return texts.build();
    }

    /** Returns the first text, or the other if the first is empty: versions of a kind have them in different fields. */
    static String either(String first, String other) {
        return first.isEmpty() ? other : first;
    }

    /** Returns the group that a reference names. One of v1beta1 names the version, too. */
    static String group(Tree reference) {
        return either(text(reference, "apiGroup"), text(reference, "apiVersion").replaceFirst("/.*", ""));
    }

    /** Returns the {@code taints} that an object declares. */
    static List<MachineTaint> taints(Tree object) {
        return object.at("taints").elements().stream().map(taint -> new MachineTaint(text(taint, "key"),
                text(taint, "value"), text(taint, "effect"), text(taint, "propagation"))).toList();
    }

    /** Returns all conditions of a status: v1beta1 has those of v1beta2 one field below its own. */
    static Stream<Tree> conditions(Tree status) {
        return Stream.of(status, status.at("v1beta2")).flatMap(part -> part.at("conditions").elements().stream());
    }

    /** Returns the conditions of a status that are Nodeward's own. */
    static List<Condition> ownConditions(Tree status) {
        return conditions(status).filter(one -> one.at("type").string().startsWith(Condition.PREFIX))
                .map(one -> condition(one, 0)).toList();
    }

    /** Returns a condition of a kind of our own, with the generation that it is about. */
    static Condition ownKindCondition(Tree condition) {
        return condition(condition, condition.at("observedGeneration").integer().orElse(0));
    }

    private static Condition condition(Tree one, long generation) {
        return new Condition(text(one, "type"), text(one, "status"), text(one, "reason"), text(one, "message"),
                Json.time(one.at("lastTransitionTime").string()), generation);
    }
}

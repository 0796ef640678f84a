package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.Sha256;
import io.nodeward.cli.explain.NoSuchObjectException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The rules that a user asks for: one for each device that is named, else one for all that are selected. */
public final class RuleRequest {
    private static final int LONGEST = 200;
    private static final int HASH = 8;

    private final List<String> devices;
    private final DeviceTaintOptions options;
    private final String driver;
    private final TaintWord taint;
    private final Optional<Instant> expires;
    private final ObjectNode spec;

    /**
     * Reads what a user has typed.
     *
     * @param words devices, as {@code explain device} takes them, and one taint
     * @param driver of devices that are not named; empty for any
     * @throws IllegalArgumentException if it is not clear which devices are meant, or the taint is none
     */
    public RuleRequest(List<String> words, DeviceTaintOptions options, String driver, Instant now) {
        List<String> taints = words.stream().filter(TaintWord::isTaint).toList();
        if (taints.size() != 1) {
            throw new IllegalArgumentException("name one taint, as KEY[=VALUE]:EFFECT");
        }
        this.devices = words.stream().filter(word -> !TaintWord.isTaint(word)).toList();
        this.options = options;
        this.driver = driver;
        this.taint = TaintWord.added(taints.get(0));
        this.expires = options.expires(now);
        this.spec = options.spec();
        if (devices.isEmpty() == (options.deviceClass.isEmpty() && options.expressions.isEmpty())) {
            throw new IllegalArgumentException("name devices, or select them by --class and --cel");
        }
        if (!devices.isEmpty() && !driver.isEmpty()) {
            throw new IllegalArgumentException("--driver is of --class and --cel; a device is named DRIVER/POOL/NAME");
        }
        if (!devices.isEmpty() && !options.untaintAfter.isEmpty()) {
            throw new IllegalArgumentException("--untaint-after is of --class and --cel: what is published of a device"
                    + " does not matter to a rule that names it");
        }
        if (!options.name.isEmpty() && devices.size() > 1) {
            throw new IllegalArgumentException("--name is of one rule, and each named device has a rule of its own");
        }
    }

    TaintWord taint() {
        return taint;
    }

    private ObjectNode selector() {
        ObjectNode selector = JsonNodeFactory.instance.objectNode();
        if (!options.deviceClass.isEmpty()) {
            selector.put("deviceClassName", options.deviceClass);
        }
        if (!driver.isEmpty()) {
            selector.put("driver", driver);
        }
        options.expressions.forEach(expression -> selector.withArray("selectors").addObject().putObject("cel")
                .put("expression", expression));
        return selector;
    }

    /** Returns whole objects, by their names. */
    Map<String, ObjectNode> rules(ClusterDevices cluster) throws NoSuchObjectException {
        Map<String, ObjectNode> rules = new LinkedHashMap<>();
        if (devices.isEmpty()) {
            add(rules, selector(), options.deviceClass.isEmpty() ? "selected" : options.deviceClass);
        }
        List<Device> published = devices.isEmpty() ? List.of() : cluster.all();
        for (String device : devices) {
            DeviceName found = DeviceSearch.find(published, device).name();
            add(rules, JsonNodeFactory.instance.objectNode().put("driver", found.driver()).put("pool", found.pool())
                    .put("device", found.device()), found.pool() + "-" + found.device());
        }
        return rules;
    }

    private void add(Map<String, ObjectNode> rules, ObjectNode selector, String what) {
        String made = options.name.isEmpty() ? made(selector, what) : options.name;
        ObjectNode rule = JsonNodeFactory.instance.objectNode();
        rule.put("apiVersion", DeviceTaintRule.DEFINITION.group() + "/" + DeviceTaintRule.DEFINITION.version())
                .put("kind", DeviceTaintRule.DEFINITION.kind());
        ObjectNode metadata = rule.putObject("metadata").put("name", made);
        expires.ifPresent(time -> metadata.putObject("annotations").put(DeviceTaintRule.EXPIRES, time.toString()));
        rule.putObject("spec").<ObjectNode>set("deviceSelector", selector).<ObjectNode>set("taint", taint.json())
                .setAll(spec);
        rules.put(made, rule);
    }

    /** Returns a name for a key and devices, whatever the value and the effect are: the rule is found again to change them. */
    private String made(ObjectNode selector, String what) {
        String key = taint.key().substring(taint.key().indexOf('/') + 1);
        String words = (key + "-" + what).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-")
                .replaceAll("^-|-$", "");
        String readable = words.substring(0, Math.min(LONGEST, words.length()));
        return (readable.isEmpty() ? "rule" : readable.replaceAll("-$", "")) + "-"
                + Sha256.hex(taint.key() + selector).substring(0, HASH);
    }
}

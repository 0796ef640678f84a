package io.nodeward.e2e.bench;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.scenario.Entrants;
import io.nodeward.e2e.controlplane.Component;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run's figures depend on, for those who want to compare or repeat it. */
final class Facts {
    /** When, at which commit and what was measured. */
    static final String MEASURED = "measured";
    private static final String PARTS = "run in parts";
    /** Files of this machine, and not of an API. */
    private static final Pattern PATH = Pattern.compile(
            Stream.of("user.home", "user.dir", "java.io.tmpdir", "nodeward.checkout").map(System::getProperty)
                    .filter(Objects::nonNull).filter(path -> path.length() > 1).map(Pattern::quote)
                    .collect(Collectors.joining("|", "(?:", ")[\\w.@+/-]*")));
    private static final List<String> SAME = List.of("cpu", "cpus", "memory", "system", "java", "servers");
    private static final String FAILED = "failed: ";

    private Facts() {}

    /** Of the machine, the servers and who takes part. */
    static Map<String, String> of(Entrants entrants) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("cpus", Integer.toString(Runtime.getRuntime().availableProcessors()));
        line(Path.of("/proc/cpuinfo"), "model name").ifPresent(model -> facts.put("cpu", model));
        line(Path.of("/proc/meminfo"), "MemTotal").ifPresent(memory -> facts.put("memory", memory));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("servers", Component.KUBE_APISERVER.cacheName() + ", " + Component.ETCD.cacheName());
        entrants.usualAndOnce().forEach(contender -> facts.put(contender.name(), who(contender)));
        entrants.forPools().forEach(contender -> facts.put(contender.name() + " in pools", who(contender)));
        entrants.elected().forEach(contender -> facts.put(contender.name() + " with a standby", who(contender)));
        return facts;
    }

    private static String who(Contender contender) {
        return contender.version() + " " + String.join(" ", contender.flags());
    }

    /** Those of an earlier run with those of one that was added to it, which win; each part is told. */
    static Map<String, String> added(Map<String, String> earlier, Map<String, String> now, Collection<String> again) {
        if (earlier.isEmpty()) {
            return new TreeMap<>(now);
        }
        for (String name : SAME) {
            if (!Objects.equals(earlier.get(name), now.get(name))) {
                throw new IllegalArgumentException("--add: what is there was measured with another " + name + ": "
                        + earlier.get(name) + ", now " + now.get(name));
            }
        }
        Map<String, String> facts = new TreeMap<>(earlier);
        facts.keySet().removeIf(name -> name.startsWith(FAILED)
                && again.containsAll(List.of(name.substring(FAILED.length()).split("\\+"))));
        String before = earlier.getOrDefault(PARTS, earlier.getOrDefault(MEASURED, "unknown"));
        facts.put(PARTS, before + "; " + now.get(MEASURED));
        facts.putAll(now);
        return facts;
    }

    /** What is worth telling those who were not there: what failed and the first line of why, without paths. */
    static void failed(Map<String, String> facts, Scenario scenario, RuntimeException why) {
        String message = String.valueOf(why.getMessage()).lines().findFirst().orElse("");
        facts.put(FAILED + scenario.name(), PATH.matcher(message).replaceAll("(a file)"));
    }

    /** The commit of a checkout, with a plus if files differ from it. */
    static String commit(Path checkout) {
        return git(checkout, "rev-parse", "--short=12", "HEAD")
                .map(commit -> commit + git(checkout, "status", "--porcelain", "--untracked-files=no")
                        .filter(changes -> !changes.isEmpty()).map(changes -> "+").orElse(""))
                .orElse("unknown");
    }

    private static Optional<String> git(Path checkout, String... arguments) {
        List<String> command = Stream.concat(
                Stream.of("git", "-C", checkout.toString()), Stream.of(arguments)).toList();
        try {
            Process git = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 ? Optional.of(out) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<String> line(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name)).findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}

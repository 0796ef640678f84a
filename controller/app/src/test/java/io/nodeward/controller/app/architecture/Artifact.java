package io.nodeward.controller.app.architecture;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The one table of modules and arrows: a module is a folder, an artifact and a package, and may use only the modules named. */
enum Artifact {
    API("api-types", "io.nodeward.api"),
    RULES("core/rules", "io.nodeward.core.rules", API),
    CEL("core/cel", "io.nodeward.core.cel", API, RULES),
    SPI("core/spi", "io.nodeward.core.spi", API),
    RUNTIME("core/runtime", "io.nodeward.core.runtime", API, SPI),
    APPLY("core/apply", "io.nodeward.core.apply"),
    FAKEAPI("core/fakeapi", "io.nodeward.core.fakeapi", APPLY),
    BACKEND_FABRIC8("backend-fabric8", "io.nodeward.backend.fabric8", API, SPI),
    BACKEND_OFFICIAL("backend-official", "io.nodeward.backend.official", API, SPI),
    MACHINE("controller/machine", "io.nodeward.controller.machine", API, RULES, RUNTIME),
    MACHINEPOOL("controller/machinepool", "io.nodeward.controller.machinepool", API, RULES, RUNTIME),
    TOPOLOGY("controller/topology", "io.nodeward.controller.topology", API, RULES, RUNTIME),
    ADMISSION("controller/admission", "io.nodeward.controller.admission", API, RULES, CEL, RUNTIME),
    DEDICATED("controller/dedicated", "io.nodeward.controller.dedicated", API, RULES, RUNTIME),
    DEVICES("controller/devices", "io.nodeward.controller.devices", API, RULES, CEL, RUNTIME),
    GUARD("controller/guard", "io.nodeward.controller.guard", API, RULES, RUNTIME),
    AUTOSCALER("autoscaler-adapter", "io.nodeward.autoscaler.adapter", API, RULES, RUNTIME),
    EXAMPLES("examples", "com.example", API, RULES, RUNTIME, AUTOSCALER),
    APP("controller/app", "io.nodeward.controller.app", API, RULES, SPI, RUNTIME, BACKEND_FABRIC8, BACKEND_OFFICIAL,
            MACHINE, MACHINEPOOL, TOPOLOGY, ADMISSION, DEDICATED, DEVICES, GUARD, AUTOSCALER),
    CLI("cli", "io.nodeward.cli", API, RULES, CEL, SPI, APPLY, BACKEND_OFFICIAL);

    final String path;
    final String rootPackage;
    final List<Artifact> mayUse;

    Artifact(String path, String rootPackage, Artifact... mayUse) {
        this.path = path;
        this.rootPackage = rootPackage;
        this.mayUse = List.of(mayUse);
    }

    /** Those that decide, and leave it to the kit to ask and to write. */
    static List<Artifact> controllers() {
        return Arrays.stream(values()).filter(artifact -> artifact != APP && artifact.mayUse.contains(RUNTIME))
                .toList();
    }

    /** Of {@link #controllers}, as ArchUnit names them; one example is a controller, the other is none. */
    static String[] controllerPackages() {
        return controllers().stream()
                .map(artifact -> artifact == EXAMPLES ? "com.example.nodequota" : artifact.rootPackage)
                .map(name -> name + "..").toArray(String[]::new);
    }

    /** The picture for the docs. */
    static String mermaid() {
        return Arrays.stream(values())
                .flatMap(artifact -> artifact.mayUse.stream().map(used -> "  " + node(artifact) + " --> " + node(used)))
                .collect(Collectors.joining("\n", "```mermaid\nflowchart TD\n", "\n```\n"));
    }

    private static String node(Artifact artifact) {
        return artifact.name().toLowerCase(java.util.Locale.ROOT) + "[" + artifact.path + "]";
    }
}

package io.nodeward.controller.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;

/** The architecture as rules, each with its reason. */
enum Rules {
    ARROWS(arrows()),
    NO_CYCLES(slices().matching("io.nodeward.(**)")
            .should().beFreeOfCycles()
            .because("a circle of packages can only be understood whole")),
    RULES_ARE_PURE(classes().that().resideInAPackage("io.nodeward.core.rules..")
            .should().onlyDependOnClassesThat(resideInAnyPackage(
                    "java.lang", "java.lang.invoke", "java.lang.runtime", "java.util", "java.util.function",
                    "java.util.stream",
                    "java.util.regex", "java.nio.charset", "java.security", "java.time", "org.jspecify..",
                    "io.nodeward.api.meta",
                    "io.nodeward.api.node", "io.nodeward.api.machine", "io.nodeward.api.pod",
                    "io.nodeward.api.admission", "io.nodeward.api.dedicated", "io.nodeward.api.device",
                    "io.nodeward.api.guard",
                    "io.nodeward.core.rules.."))
            .because("a decision that blocks, logs or reads a clock cannot be tried by the thousand")),
    FABRIC8_STAYS_IN_ITS_BACKEND(noClasses().that().resideOutsideOfPackage("io.nodeward.backend.fabric8..")
            .should().dependOnClassesThat().resideInAnyPackage("io.fabric8..")
            .because("backends are interchangeable")),
    THE_OFFICIAL_CLIENT_STAYS_IN_ITS_BACKEND(noClasses().that()
            .resideOutsideOfPackage("io.nodeward.backend.official..")
            .should().dependOnClassesThat().resideInAnyPackage("io.kubernetes..", "okhttp3..", "okio..")
            .because("backends are interchangeable")),
    CEL_STAYS_IN_ITS_MODULE(noClasses().that().resideOutsideOfPackage("io.nodeward.core.cel..")
            .should().dependOnClassesThat().resideInAnyPackage(
                    "dev.cel..", "com.google.protobuf..", "com.google.re2j..", "org.antlr..")
            .because("what evaluates expressions is large, and may be replaced")),
    GUICE_ONLY_WIRES(noClasses()
            .that(not(simpleNameEndingWith("Module")).and(not(resideInAPackage("io.nodeward.controller.app.."))))
            .should().dependOnClassesThat().resideInAPackage("com.google.inject..")
            .because("who needs the injector hides what it needs")),
    NO_FIELD_INJECTION(NO_CLASSES_SHOULD_USE_FIELD_INJECTION),
    REQUESTS_ARE_MADE_BY_API_SERVER(noClasses().that(not(resideInAnyPackage(
            "io.nodeward.core.spi..", "io.nodeward.core.runtime.cluster..", "io.nodeward.core.testkit..",
            "io.nodeward.backend..")))
            .should().dependOnClassesThat().belongToAnyOf(Request.class)
            .because("one table says which failure an answer is")),
    JSON_HAS_ITS_PLACES(noClasses().that(not(resideInAnyPackage(
            "io.nodeward.api.json..", "io.nodeward.controller.app..", "io.nodeward.backend..",
            "io.nodeward.core.apply..", "io.nodeward.core.fakeapi..", "io.nodeward.cli..")))
            .should().dependOnClassesThat().resideInAPackage("com.fasterxml.jackson..")
            .because("objects are parsed once, where they arrive")),
    THREADS_START_IN_THE_RUNTIME(noClasses().that(not(resideInAnyPackage(
            "io.nodeward.core.runtime..", "io.nodeward.controller.app..", "io.nodeward.backend..",
            "io.nodeward.core.fakeapi..", "io.nodeward.core.spi.connect..", "io.nodeward.cli.live..",
            "io.nodeward.cli.terminal..")))
            .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.Thread")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.concurrent.Executors")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.concurrent.CompletableFuture")
            .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.Timer")
            .because("only who starts threads can stop them")),
    THREADS_HAVE_NAMES(classes().should(new NamedThreads())
            .because(
                    "a thread dump, a log line and an exception that nobody caught tell whose a thread is by its name")),
    CLOCKS_TICK_IN_THE_RUNTIME(noClasses().that(not(resideInAnyPackage(
            "io.nodeward.core.runtime..", "io.nodeward.backend..", "io.nodeward.core.fakeapi..",
            "io.nodeward.cli.live..")))
            .should().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(java.time.Instant.class, "now")
            .orShould().callMethod(Thread.class, "sleep", long.class)
            .because("time is an input")),
    NO_STANDARD_STREAMS(noClasses().that(not(simpleNameEndingWith("Main")))
            .should(ACCESS_STANDARD_STREAMS)
            .because("what is said is logged")),
    NO_GENERIC_EXCEPTIONS(NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS),
    STATIC_STATE_IS_FINAL(fields().that().areStatic().should().beFinal()
            .because("two controllers run in one process, in tests and in the demo")),
    CONTROLLERS_SHOW_MODULE_AND_CONFIG_ONLY(classes().that()
            .resideInAnyPackage(Artifact.controllerPackages())
            .and().haveSimpleNameNotEndingWith("Module").and().haveSimpleNameNotEndingWith("Config")
            .and().areTopLevelClasses().and().doNotHaveSimpleName("package-info")
            .should().notBePublic()
            .because("public is promised")),
    FAILURES_ARE_CAUGHT_BY_THE_LOOP(classes().that()
            .resideInAnyPackage(Artifact.controllerPackages())
            .should(catchNoFailureOfServers())
            .because("the loop retries and reports failures, and has to see them")),
    CONTROLLERS_ARE_BUILT(noClasses().that().resideOutsideOfPackage("io.nodeward.core.runtime..")
            .should().implement(Controller.class)
            .because(
                    "the kit starts, stops and reports on all of them alike: a controller is what ControllerBuilder makes")),
    INFORMERS_BUILD_REFLECTORS(noClasses().that(not(resideInAPackage("io.nodeward.core.runtime.informer..")))
            .and().doNotBelongToAnyOf(Reflector.class)
            .should().dependOnClassesThat().belongToAnyOf(Reflector.class)
            .because("who watches past them watches what is watched already")),
    RECONCILERS_ARE_FINAL(classes().that().haveSimpleNameEndingWith("Reconciler").and().areNotInterfaces()
            .should().haveModifier(JavaModifier.FINAL).andShould().bePackagePrivate()
            .because("a reconciler is called by its controller alone")),
    NAMES_SAY_SOMETHING(noClasses().that().resideInAPackage("io.nodeward..")
            .and().areNotAssignableTo(KeyManager.class) // the JDK's own word
            .should().haveSimpleNameEndingWith("Util").orShould().haveSimpleNameEndingWith("Utils")
            .orShould().haveSimpleNameEndingWith("Helper").orShould().haveSimpleNameEndingWith("Manager")
            .orShould().haveSimpleNameEndingWith("Impl").orShould().haveSimpleNameEndingWith("Base")
            .orShould().haveSimpleNameEndingWith("Service")
            .because("such a name holds anything"));

    final ArchRule rule;

    /** Who catches these catches an ApiFailure too. */
    private static final List<String> ABOVE = Stream.of(RuntimeException.class, Exception.class, Throwable.class)
            .map(Class::getName).toList();

    Rules(ArchRule rule) {
        this.rule = rule;
    }

    private static ArchCondition<JavaClass> catchNoFailureOfServers() {
        return new ArchCondition<>("catch no failure of an API server") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getCodeUnits().stream().flatMap(unit -> unit.getTryCatchBlocks().stream())
                        .filter(block -> block.getCaughtThrowables().stream().map(JavaClass::getName).anyMatch(
                                caught -> caught.startsWith(ApiFailure.class.getName()) || ABOVE.contains(caught)))
                        .forEach(block -> events.add(SimpleConditionEvent.violated(
                                type, type.getName() + " catches one at " + block.getSourceCodeLocation())));
            }
        };
    }

    private static ArchRule arrows() {
        List<ArchRule> rules = new ArrayList<>();
        for (Artifact artifact : Artifact.values()) {
            String[] forbidden = Stream.of(Artifact.values())
                    .filter(other -> other != artifact && !artifact.mayUse.contains(other))
                    .map(other -> other.rootPackage + "..")
                    .toArray(String[]::new);
            if (forbidden.length > 0) {
                rules.add(noClasses().that().resideInAPackage(artifact.rootPackage + "..")
                        .should().dependOnClassesThat().resideInAnyPackage(forbidden)
                        .because(artifact.path + " may use " + artifact.mayUse.stream().map(r -> r.path).toList())
                        .allowEmptyShould(true));
            }
        }
        return CompositeArchRule.of(rules);
    }
}

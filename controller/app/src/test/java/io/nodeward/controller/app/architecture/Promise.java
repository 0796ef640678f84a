package io.nodeward.controller.app.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What CONTRIBUTING.md promises of Java, as signatures: a line for each public or protected type and member. */
enum Promise {
    STABLE {
        @Override
        boolean covers(JavaClass type) {
            return isIn(type, List.of(Artifact.API, Artifact.SPI, Artifact.RULES)) && !USABLE.covers(type);
        }
    },
    USABLE {
        @Override
        boolean covers(JavaClass type) {
            return PACKAGES.contains(type.getPackageName())
                    || isIn(type, List.of(Artifact.BACKEND_FABRIC8, Artifact.BACKEND_OFFICIAL))
                    || isIn(type, CONTROLLERS);
        }
    },
    EXPERIMENTAL {
        @Override
        boolean covers(JavaClass type) {
            return isIn(type, List.of(Artifact.CEL))
                    || isIn(type, List.of(Artifact.RUNTIME, Artifact.APP)) && USED_OUT_OF_TREE.contains(type.getName());
        }
    };

    private static final Set<String> PACKAGES =
            Set.of("io.nodeward.core.spi.connect", "io.nodeward.api.json.kubeconfig");
    private static final List<Artifact> CONTROLLERS = Artifact.controllers().stream()
            .filter(artifact -> artifact != Artifact.EXAMPLES).toList();
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.nodeward", "com.example");
    /** Names of the types that the examples use, and the program that starts one of them. */
    private static final Set<String> USED_OUT_OF_TREE = Stream.concat(
            PRODUCT.stream().filter(type -> type.getPackageName().startsWith(Artifact.EXAMPLES.rootPackage)),
            new ClassFileImporter().importPackages("io.nodeward.controller.app").stream()
                    .filter(type -> type.getSimpleName().equals("OutOfTreeControllerTest")))
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .map(Dependency::getTargetClass).map(JavaClass::getName).collect(Collectors.toUnmodifiableSet());

    abstract boolean covers(JavaClass type);

    /** Of all types, sorted. */
    String signatures() {
        Set<String> lines = new TreeSet<>();
        PRODUCT.stream().filter(this::covers).map(JavaClass::reflect).filter(Promise::isVisible)
                .forEach(type -> addTo(lines, type));
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    private static boolean isIn(JavaClass type, List<Artifact> artifacts) {
        return artifacts.stream()
                .anyMatch(artifact -> (type.getPackageName() + ".").startsWith(artifact.rootPackage + "."));
    }

    /** Also what it is in: a public class of a package-private one cannot be named. */
    private static boolean isVisible(Class<?> type) {
        return !type.isAnonymousClass() && !type.isLocalClass() && !type.isSynthetic()
                && !type.getSimpleName().equals("package-info") && isVisible(type.getModifiers())
                && (type.getDeclaringClass() == null || isVisible(type.getDeclaringClass()));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    static void addTo(Set<String> lines, Class<?> type) {
        lines.add(type.getName() + ": " + type.toGenericString() + listed(" extends ", type.getGenericSuperclass())
                + listed(" implements ", type.getGenericInterfaces()));
        // What a public type has from a type that is not public is its own for those who use it.
        for (Class<?> owner = type; owner != null && (owner == type || !isVisible(owner)); owner =
                owner.getSuperclass()) {
            Stream<? extends Executable> constructors = Arrays.stream(type.getDeclaredConstructors());
            Stream<? extends Executable> executables = Stream.concat(Arrays.stream(owner.getDeclaredMethods()),
                    owner == type ? constructors : Stream.empty());
            Stream.concat(Arrays.stream(owner.getDeclaredFields()).filter(Promise::isVisible)
                    .map(Field::toGenericString),
                    executables.filter(Promise::isVisible).map(Executable::toGenericString))
                    .forEach(signature -> lines.add(type.getName() + ": " + signature));
        }
    }

    private static boolean isVisible(Member member) {
        return isVisible(member.getModifiers()) && !member.isSynthetic();
    }

    private static String listed(String word, Type... types) {
        return types.length == 0 || types[0] == null || types[0] == Object.class ? ""
                : Arrays.stream(types).map(Type::getTypeName).collect(Collectors.joining(", ", word, ""));
    }
}

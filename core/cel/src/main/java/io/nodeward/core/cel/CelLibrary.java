package io.nodeward.core.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelFunctionBinding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Functions with their declarations: each overload is declared once, and its arguments are dispatched by the same types. */
final class CelLibrary {
    static final CelType STRINGS = ListType.create(SimpleType.STRING);
    static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");
    static final CelType URL = OpaqueType.create("kubernetes.URL");
    static final CelType IP = OpaqueType.create("net.IP");
    static final CelType CIDR = OpaqueType.create("net.CIDR");
    static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");

    private static final Map<CelType, Class<?>> CLASSES = Map.ofEntries(
            Map.entry(SimpleType.STRING, String.class), Map.entry(SimpleType.INT, Long.class),
            Map.entry(SimpleType.UINT, UnsignedLong.class), Map.entry(SimpleType.DOUBLE, Double.class),
            Map.entry(SimpleType.BOOL, Boolean.class), Map.entry(SimpleType.BYTES, CelByteString.class),
            Map.entry(SimpleType.DURATION, Duration.class), Map.entry(SimpleType.TIMESTAMP, Instant.class),
            Map.entry(QUANTITY, Quantity.class), Map.entry(SEMVER, Semver.class), Map.entry(URL, Url.class),
            Map.entry(IP, IpAddress.class), Map.entry(CIDR, IpRange.class), Map.entry(FORMAT, NamedFormat.class));

    private final List<CelFunctionDecl> declarations = new ArrayList<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** What a function does with arguments that have the declared types. */
    interface Body {
        Object apply(Object[] arguments);
    }

    List<CelFunctionDecl> declarations() {
        return declarations;
    }

    List<CelFunctionBinding> bindings() {
        return bindings;
    }

    /** A function {@code name(parameters)}. */
    CelLibrary function(String name, String overload, CelType result, Body body, CelType... parameters) {
        declarations.add(CelFunctionDecl.newFunctionDeclaration(name,
                CelOverloadDecl.newGlobalOverload(overload, result, List.of(parameters))));
        return bind(overload, body, parameters);
    }

    /** A function {@code receiver.name(parameters)}; the receiver is the first parameter. */
    CelLibrary member(String name, String overload, CelType result, Body body, CelType... parameters) {
        declarations.add(CelFunctionDecl.newFunctionDeclaration(name,
                CelOverloadDecl.newMemberOverload(overload, result, List.of(parameters))));
        return bind(overload, body, parameters);
    }

    /** An overload of the language itself, which is declared already. */
    CelLibrary bind(String overload, Body body, CelType... parameters) {
        return bind(overload, body, Arrays.stream(parameters).map(CelLibrary::classOf).toArray(Class<?>[]::new));
    }

    CelLibrary bind(String overload, Body body, Class<?>... parameters) {
        bindings.add(CelFunctionBinding.from(overload, List.of(parameters), body::apply));
        return this;
    }

    private static Class<?> classOf(CelType type) {
        return type instanceof ListType ? List.class : CLASSES.getOrDefault(type, Object.class);
    }
}

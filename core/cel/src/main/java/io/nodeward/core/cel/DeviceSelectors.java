package io.nodeward.core.cel;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation.CompileError;
import io.nodeward.core.cel.Compilation.Compiled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compiles the expressions of {@code celExpression} in selectors of devices, in the environment of Kubernetes 1.36 and 1.37:
 * the variable {@code device}, the language's own functions, and those that Kubernetes adds.
 */
public final class DeviceSelectors {
    /** As Kubernetes has it. */
    private static final int LONGEST = 10 * 1024;
    private static final int DEEPEST = 250;
    private static final int MOST_NODES = 50_000;
    /** Times are those of java.time, and numbers of several types can be compared: both are what is current. */
    private static final CelOptions OPTIONS = CelOptions.current().enableHeterogeneousNumericComparisons(true)
            .enableQuotedIdentifierSyntax(false).errorOnDuplicateMapKeys(false)
            .maxParseRecursionDepth(DEEPEST).maxParseExpressionNodeCount(MOST_NODES)
            .maxExpressionCodePointSize(LONGEST).comprehensionMaxIterations((int) CostMeter.LIMIT).build();

    private static final Map<SelectorFeatures, DeviceSelectors> KNOWN = new ConcurrentHashMap<>();

    private final SelectorFeatures features;
    private final CelCompiler compiler;
    private final CelRuntime runtime;
    private final StaticChecks checks;

    private DeviceSelectors(SelectorFeatures features) {
        this.features = features;
        List<CelLibrary> libraries = new ArrayList<>(KubernetesLibraries.all());
        libraries.add(ListLibrary.library(features.listAttributes()));
        libraries.add(StringFormat.library());
        libraries.add(LanguageLibrary.library());
        this.compiler = compiler(features, libraries);
        this.runtime = runtime(libraries);
        this.checks = new StaticChecks(runtime);
    }

    /** Expressions as clusters with these features take them: made once, as that takes its time. */
    public static DeviceSelectors of(SelectorFeatures features) {
        return KNOWN.computeIfAbsent(features, DeviceSelectors::new);
    }

    private static CelCompiler compiler(SelectorFeatures features, List<CelLibrary> libraries) {
        var builder = CelCompilerFactory.standardCelCompilerBuilder().setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addMacros(ListLibrary.sortBy())
                .setTypeProvider(new DeviceTypes(deviceType(features)))
                .addVar("device", StructTypeReference.create(DeviceTypes.DEVICE))
                .addLibraries(CelExtensions.optional(), CelExtensions.bindings(), CelExtensions.comprehensions(),
                        CelExtensions.strings(strings()), CelExtensions.lists(lists()), CelExtensions.sets(OPTIONS));
        libraries.forEach(library -> builder.addFunctionDeclarations(library.declarations()));
        return builder.build();
    }

    private static StructType deviceType(SelectorFeatures features) {
        CelType attribute = features.listAttributes() ? SimpleType.DYN : SimpleType.ANY;
        ImmutableMap.Builder<String, CelType> fields = ImmutableMap.<String, CelType>builder()
                .put("driver", SimpleType.STRING)
                .put("attributes", MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, attribute)))
                .put("capacity",
                        MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, CelLibrary.QUANTITY)));
        if (features.consumableCapacity()) {
            fields.put("allowMultipleAllocations", SimpleType.BOOL);
        }
        Map<String, CelType> types = fields.buildOrThrow();
        return StructType.create(DeviceTypes.DEVICE, ImmutableSet.copyOf(types.keySet()),
                field -> Optional.ofNullable(types.get(field)));
    }

    /** Those of dev.cel but {@code reverse}, which is too new, and what {@link LanguageLibrary} does. */
    private static Set<CelStringExtensions.Function> strings() {
        return EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE,
                CelStringExtensions.Function.INDEX_OF, CelStringExtensions.Function.LAST_INDEX_OF,
                CelStringExtensions.Function.SPLIT, CelStringExtensions.Function.REPLACE,
                CelStringExtensions.Function.JOIN));
    }

    /** Those of dev.cel but sorting, of which it takes lists that have no order. */
    private static Set<CelListsExtensions.Function> lists() {
        return EnumSet.complementOf(
                EnumSet.of(CelListsExtensions.Function.SORT, CelListsExtensions.Function.SORT_BY));
    }

    private static CelRuntime runtime(List<CelLibrary> libraries) {
        CelStandardFunctions standard = CelStandardFunctions.newBuilder()
                .filterFunctions((function, overload) -> !LanguageLibrary.isReplaced(overload)).build();
        var builder = CelRuntimeFactory.standardCelRuntimeBuilder().setOptions(OPTIONS)
                .setStandardEnvironmentEnabled(false).setStandardFunctions(standard)
                .addLibraries(CelExtensions.optional(), CelExtensions.comprehensions(),
                        CelExtensions.strings(strings()), CelExtensions.lists(lists()), CelExtensions.sets(OPTIONS));
        libraries.forEach(library -> builder.addFunctionBindings(library.bindings()));
        return builder.build();
    }

    /** Looks at an expression as Kubernetes does before it takes it. */
    public Compilation compile(String expression) {
        int length = expression.getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST) {
            return new CompileError(0, 0,
                    "the expression has " + length + " bytes, at most " + LONGEST + " are allowed");
        }
        try {
            CelValidationResult result = compiler.compile(expression);
            if (result.hasError()) {
                return fault(result.getErrors().get(0));
            }
            return compiled(result.getAst());
        } catch (CelValidationException e) {
            return new CompileError(0, 0, String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            return tooDeep();
        } catch (RuntimeException e) { // the parser's own limits, and whatever an expression hits upon
            return new CompileError(0, 0, String.valueOf(e.getMessage()));
        }
    }

    /** What expressions that were compiled here see of a device: to be made once for each device. */
    public DeviceVariable variable(DeviceFacts device) {
        return new DeviceVariable(device, features);
    }

    private static CompileError tooDeep() {
        return new CompileError(0, 0,
                "the expression is nested too deeply, at most " + DEEPEST + " levels are allowed");
    }

    private static CompileError fault(CelIssue issue) {
        var place = issue.getSourceLocation();
        return new CompileError(Math.max(0, place.getLine()), Math.max(0, place.getColumn() + 1), issue.getMessage());
    }

    private Compilation compiled(CelAbstractSyntaxTree ast) {
        if (StaticChecks.depth(ast) > DEEPEST) {
            return tooDeep();
        }
        CelType type = ast.getResultType();
        boolean unknown = type.equals(features.listAttributes() ? SimpleType.DYN : SimpleType.ANY);
        if (!unknown && !type.equals(SimpleType.BOOL)) {
            return new CompileError(0, 0, "must evaluate to bool or the unknown type, not " + type.name());
        }
        CelAbstractSyntaxTree unambiguous = StaticChecks.unambiguous(ast);
        Optional<CompileError> fault = checks.fault(unambiguous);
        if (fault.isPresent()) {
            return fault.get();
        }
        return new Compiled(new DeviceSelector(unambiguous, runtime));
    }
}

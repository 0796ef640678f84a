package io.nodeward.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.nodeward.core.cel.Compilation.CompileError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What Kubernetes refuses of expressions whose types are right: literals that cannot be what they are used for. */
record StaticChecks(CelRuntime runtime) {
    private static final Set<String> REGEX = Set.of("matches", "find", "findAll");

    /** How deep the tree is, without recursion. */
    static int depth(CelAbstractSyntaxTree ast) {
        record Node(CelExpr expr, int depth) {}
        Deque<Node> open = new ArrayDeque<>(List.of(new Node(ast.getExpr(), 1)));
        int deepest = 0;
        while (!open.isEmpty()) {
            Node node = open.pop();
            deepest = Math.max(deepest, node.depth);
            children(node.expr).forEach(child -> open.push(new Node(child, node.depth + 1)));
        }
        return deepest;
    }

    private static List<CelExpr> children(CelExpr expr) {
        return switch (expr.exprKind().getKind()) {
            case SELECT -> List.of(expr.select().operand());
            case CALL -> {
                List<CelExpr> children = new ArrayList<>(expr.call().args());
                expr.call().target().ifPresent(children::add);
                yield children;
            }
            case LIST -> expr.list().elements();
            case STRUCT -> expr.struct().entries().stream().map(CelExpr.CelStruct.Entry::value).toList();
            case MAP -> expr.map().entries().stream()
                    .<CelExpr>mapMulti((entry, to) -> {
                        to.accept(entry.key());
                        to.accept(entry.value());
                    }).toList();
            case COMPREHENSION -> List.of(expr.comprehension().iterRange(), expr.comprehension().accuInit(),
                    expr.comprehension().loopCondition(), expr.comprehension().loopStep(),
                    expr.comprehension().result());
            default -> List.of();
        };
    }

    /**
     * Functions of lists have an overload for each type of element, of which several fit a list whose elements have none; all
     * do the same, so one is enough.
     */
    static CelAbstractSyntaxTree unambiguous(CelAbstractSyntaxTree ast) {
        Map<Long, CelReference> references = new HashMap<>(ast.getReferenceMap());
        references.replaceAll((id, reference) -> {
            List<String> overloads = reference.overloadIds();
            if (overloads.contains("select_optional_field")) { // whose operand dev.cel evaluates twice
                return CelReference.newBuilder().addOverloadIds(LanguageLibrary.OPTIONAL_SELECTION).build();
            }
            boolean ofLists = overloads.size() > 1 && overloads.stream().allMatch(StaticChecks::isOfTypedLists);
            return ofLists
                    ? CelReference.newBuilder().addOverloadIds(overloads.get(0)).build()
                    : reference;
        });
        return CelAbstractSyntaxTree.newCheckedAst(ast.getExpr(), ast.getSource(), references, ast.getTypeMap());
    }

    private static boolean isOfTypedLists(String overload) {
        return overload.startsWith("list_")
                && (overload.contains("_sum_") || overload.contains("_max_") || overload.contains("_min_")
                        || overload.endsWith("_is_sorted_bool") || overload.endsWith("_sort")
                        || overload.endsWith("_sortByAssociatedKeys"));
    }

    /** The first fault of a literal; empty if there is none. */
    Optional<CompileError> fault(CelAbstractSyntaxTree ast) {
        return CelNavigableAst.fromAst(ast).getRoot().allNodes()
                .flatMap(node -> fault(ast, node).map(message -> at(ast, node.expr().id(), message)).stream())
                .findFirst();
    }

    private Optional<String> fault(CelAbstractSyntaxTree ast, CelNavigableExpr node) {
        CelExpr expr = node.expr();
        return switch (expr.exprKind().getKind()) {
            case LIST -> isExempt(node) ? Optional.empty() : mixed(ast, expr.list());
            case MAP -> isExempt(node) ? Optional.empty() : mixed(ast, expr.map());
            case CALL -> ofCall(ast, expr);
            case IDENT, SELECT -> ofType(ast, expr);
            default -> Optional.empty();
        };
    }

    /** The type of the variable is no value. */
    private static Optional<String> ofType(CelAbstractSyntaxTree ast, CelExpr expr) {
        return ast.getReference(expr.id()).filter(reference -> reference.name().equals(DeviceTypes.DEVICE))
                .map(reference -> "reference to undefined type: " + reference.name());
    }

    /** What is formatted may be of any types together. */
    private static boolean isExempt(CelNavigableExpr node) {
        for (var parent = node.parent(); parent.isPresent(); parent = parent.get().parent()) {
            if (parent.get().getKind() == Kind.CALL && parent.get().expr().call().function().equals("format")) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> mixed(CelAbstractSyntaxTree ast, CelExpr.CelList list) {
        List<CelType> types = new ArrayList<>();
        for (int i = 0; i < list.elements().size(); i++) {
            types.add(type(ast, list.elements().get(i), list.optionalIndices().contains(i)));
        }
        return mixed(types);
    }

    private static Optional<String> mixed(CelAbstractSyntaxTree ast, CelExpr.CelMap map) {
        return mixed(map.entries().stream().map(entry -> type(ast, entry.key(), false)).toList())
                .or(() -> mixed(map.entries().stream()
                        .map(entry -> type(ast, entry.value(), entry.optionalEntry())).toList()));
    }

    private static CelType type(CelAbstractSyntaxTree ast, CelExpr expr, boolean optional) {
        CelType type = ast.getType(expr.id()).orElse(SimpleType.DYN);
        return optional && !type.parameters().isEmpty() ? type.parameters().get(0) : type;
    }

    private static Optional<String> mixed(List<CelType> types) {
        return types.stream().filter(type -> !type.equals(types.get(0))).findFirst()
                .map(type -> "expected type '" + types.get(0).name() + "' but found '" + type.name() + "'");
    }

    private Optional<String> ofCall(CelAbstractSyntaxTree ast, CelExpr expr) {
        CelCall call = expr.call();
        if (CostPlan.isConversion(call)) {
            return conversion(ast, expr);
        }
        if (REGEX.contains(call.function())) {
            return literal(call.args(), call.target().isPresent() ? 0 : 1).flatMap(StaticChecks::regex);
        }
        if (call.function().equals("format") && call.args().size() == 1
                && call.args().get(0).exprKind().getKind() == Kind.LIST) {
            List<CelType> types = call.args().get(0).list().elements().stream()
                    .map(element -> type(ast, element, false)).toList();
            return call.target().flatMap(StaticChecks::literal).flatMap(format -> format(format, types));
        }
        return Optional.empty();
    }

    private static Optional<String> literal(List<CelExpr> arguments, int i) {
        return i < arguments.size() ? literal(arguments.get(i)) : Optional.empty();
    }

    private static Optional<String> literal(CelExpr expr) {
        return expr.exprKind().getKind() == Kind.CONSTANT && expr.constant().getKind() == CelConstant.Kind.STRING_VALUE
                ? Optional.of(expr.constant().stringValue()) : Optional.empty();
    }

    private static Optional<String> regex(String regex) {
        try {
            RegexSearch.compile(regex);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> format(String format, List<CelType> types) {
        try {
            return StringFormat.parse(format).fault(types);
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> conversion(CelAbstractSyntaxTree ast, CelExpr expr) {
        try {
            runtime.createProgram(CelAbstractSyntaxTree.newCheckedAst(
                    expr, ast.getSource(), ast.getReferenceMap(), ast.getTypeMap())).eval();
            return Optional.empty();
        } catch (CelEvaluationException e) {
            return Optional.of(DeviceSelector.message(e));
        }
    }

    private static CompileError at(CelAbstractSyntaxTree ast, long id, String message) {
        Integer offset = ast.getSource().getPositionsMap().get(id);
        return Optional.ofNullable(offset).flatMap(ast.getSource()::getOffsetLocation)
                .map(place -> new CompileError(place.getLine(), place.getColumn() + 1, message))
                .orElseGet(() -> new CompileError(0, 0, message));
    }
}

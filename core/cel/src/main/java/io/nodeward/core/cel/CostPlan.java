package io.nodeward.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the nodes of one expression cost, as far as it does not depend on values. */
final class CostPlan {
    static final Set<String> CONVERSIONS = Set.of(
            "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint");
    private static final Set<String> FREE = Set.of("_&&_", "_||_", "_?_:_", "or", "orValue");
    private static final Set<String> SELECTIONS = Set.of("_[_]", "_?._", "_[?_]");
    private static final Set<String> GROWTHS = Set.of("_+_", "cel.@mapInsert", "findAll");
    /** Whether a list of constants has an element, which Kubernetes does not count. */
    static final String IN_CONSTANTS = "";
    private static final int LIST = 10;
    private static final int MAP = 30;
    private static final int STRUCT = 40;

    /** A call, which is charged once its last argument has its value, so before it is carried out. */
    record Call(String function, String overload, int[] arguments) {}

    private final int[] costs;
    private final @Nullable Call[] calls;
    private final @Nullable Call[] growths;
    private final boolean[] truths;

    CostPlan(CelAbstractSyntaxTree ast) {
        List<CelNavigableExpr> nodes = CelNavigableAst.fromAst(ast).getRoot().allNodes().toList();
        int size = (int) nodes.stream().mapToLong(node -> node.expr().id()).max().orElse(0) + 1;
        costs = new int[size];
        calls = new Call[size];
        growths = new Call[size];
        truths = new boolean[size];
        nodes.forEach(node -> plan(ast, node.expr()));
        nodes.forEach(node -> adjust(node.expr()));
    }

    /** What Kubernetes evaluates as a whole: paths that are indices or branches cost nothing, those of no variable one more. */
    private void adjust(CelExpr expr) {
        if (expr.exprKind().getKind() == Kind.SELECT && !isPath(expr.select().operand())) {
            costs[(int) expr.id()] += expr.select().testOnly() ? 0 : 1;
        } else if (expr.exprKind().getKind() == Kind.CALL) {
            CelCall call = expr.call();
            if (SELECTIONS.contains(call.function())) {
                costs[(int) expr.id()] += isPath(call.args().get(0)) ? 0 : 1;
                release(call.args().get(1));
            } else if (call.function().equals("_?_:_")) {
                release(call.args().get(1));
                release(call.args().get(2));
            }
        }
    }

    private void release(CelExpr expr) {
        for (Optional<CelExpr> path = Optional.of(expr); path.filter(CostPlan::isPath).isPresent(); path =
                path.flatMap(CostPlan::operand)) {
            costs[(int) path.get().id()] = 0;
        }
    }

    private static boolean isPath(CelExpr expr) {
        return expr.exprKind().getKind() == Kind.IDENT || operand(expr).isPresent();
    }

    private static Optional<CelExpr> operand(CelExpr expr) {
        return switch (expr.exprKind().getKind()) {
            case SELECT -> expr.select().testOnly() ? Optional.empty() : Optional.of(expr.select().operand());
            case CALL -> SELECTIONS.contains(expr.call().function())
                    ? Optional.of(expr.call().args().get(0)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    int size() {
        return costs.length;
    }

    int costOf(int node) {
        return costs[node];
    }

    /** The call whose last argument this node is. */
    @Nullable
    Call callAfter(int node) {
        return calls[node];
    }

    /** Whether it is an operand of {@code &&} or {@code ||}. */
    boolean hasToBeTruth(int node) {
        return truths[node];
    }

    /** The call that this node is, if it makes a list or map that grows with what it is called with. */
    @Nullable
    Call growthAt(int node) {
        return growths[node];
    }

    private void plan(CelAbstractSyntaxTree ast, CelExpr expr) {
        int id = (int) expr.id();
        switch (expr.exprKind().getKind()) {
            case IDENT -> costs[id] = isType(ast, expr) ? 0 : 1;
            case SELECT -> costs[id] = expr.select().testOnly() ? 0 : 1;
            case LIST -> costs[id] = isConstant(expr) ? 0 : LIST;
            case MAP -> costs[id] = isConstant(expr) ? 0 : MAP;
            case STRUCT -> costs[id] = STRUCT;
            case CALL -> planCall(ast, expr);
            default -> costs[id] = 0;
        }
    }

    private static boolean isType(CelAbstractSyntaxTree ast, CelExpr expr) {
        return ast.getType(expr.id()).filter(type -> type.kind() == CelKind.TYPE).isPresent();
    }

    private void planCall(CelAbstractSyntaxTree ast, CelExpr expr) {
        CelCall call = expr.call();
        int id = (int) expr.id();
        if (call.function().equals("_&&_") || call.function().equals("_||_")) {
            call.args().forEach(operand -> truths[(int) operand.id()] = true);
        }
        if (FREE.contains(call.function()) || isConstant(expr)) {
            return;
        }
        List<CelExpr> arguments = new ArrayList<>();
        call.target().ifPresent(arguments::add);
        arguments.addAll(call.args());
        boolean ofConstants = call.function().equals("@in") && isConstant(arguments.get(1));
        if (arguments.isEmpty() || SELECTIONS.contains(call.function())) {
            costs[id] = 1;
        }
        if (arguments.isEmpty()) {
            return;
        }
        String overload = ast.getReference(expr.id()).filter(reference -> !reference.overloadIds().isEmpty())
                .map(reference -> reference.overloadIds().get(0)).orElse("");
        Call planned = new Call(ofConstants ? IN_CONSTANTS : call.function(), overload,
                arguments.stream().mapToInt(argument -> (int) argument.id()).toArray());
        if (GROWTHS.contains(call.function())) {
            growths[id] = planned;
        }
        if (!SELECTIONS.contains(call.function())) {
            calls[(int) arguments.get(arguments.size() - 1).id()] = planned;
        }
    }

    /** What Kubernetes computes before it evaluates, so that it costs nothing. */
    static boolean isConstant(CelExpr expr) {
        Kind kind = expr.exprKind().getKind();
        return switch (kind) {
            case CONSTANT -> true;
            case LIST -> expr.list().optionalIndices().isEmpty()
                    && expr.list().elements().stream().allMatch(CostPlan::isConstant);
            case MAP -> expr.map().entries().stream().allMatch(
                    entry -> !entry.optionalEntry() && isConstant(entry.key()) && isConstant(entry.value()));
            case CALL -> isConversion(expr.call());
            default -> false;
        };
    }

    /** Of a constant, which Kubernetes carries out when it compiles. */
    static boolean isConversion(CelCall call) {
        return call.target().isEmpty() && call.args().size() == 1 && CONVERSIONS.contains(call.function())
                && isConstant(call.args().get(0));
    }
}

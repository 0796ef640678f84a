package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which namespaces and service accounts make pods members of each group, be there any pods or not. Each group looks at each
 * namespace once, however many it is compared with.
 */
final class MemberSets {
    private final MemberFacts facts;
    private final List<String> namespaces;
    private final Map<Who, MemberSet> found = new HashMap<>();

    /**
     * Of one group.
     *
     * @param whole namespaces all of whose pods are members
     * @param partly those of its service accounts
     */
    private record MemberSet(BitSet whole, BitSet partly, Set<ObjectKey> accounts) {
        boolean overlaps(MemberSet other) {
            return whole.intersects(other.whole) || whole.intersects(other.partly) || partly.intersects(other.whole)
                    || !Collections.disjoint(accounts, other.accounts);
        }
    }

    /** @param all of the groups that are compared: they may name namespaces that do not exist yet */
    MemberSets(Collection<Who> all, MemberFacts facts) {
        this.facts = facts;
        Stream<String> named = all.stream().flatMap(
                who -> Stream.concat(who.namespaces().stream(),
                        who.serviceAccounts().stream().map(ObjectKey::namespace)));
        this.namespaces = Stream.concat(facts.namespaces().keySet().stream(), named).distinct().toList();
    }

    /** Whether there may be pods that both declare. */
    boolean overlap(Group one, Group other) {
        return of(one).overlaps(of(other));
    }

    private MemberSet of(Group group) {
        return found.computeIfAbsent(group.spec().who(), this::find);
    }

    private MemberSet find(Who who) {
        Members members = new Members(who);
        Set<String> ofAccounts =
                who.serviceAccounts().stream().map(ObjectKey::namespace).collect(Collectors.toSet());
        BitSet whole = new BitSet(namespaces.size());
        BitSet partly = new BitSet(namespaces.size());
        for (int i = 0; i < namespaces.size(); i++) {
            whole.set(i, members.areAllOf(namespaces.get(i), facts));
            partly.set(i, ofAccounts.contains(namespaces.get(i)));
        }
        return new MemberSet(whole, partly, new HashSet<>(who.serviceAccounts()));
    }
}

package io.nodeward.cli.taint;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What has, or is to have, the Nodes of an owner.
 *
 * @param machines that are to have one Node each
 * @param pools without those that have Machines in their place
 * @param makers what is between the owner and its Machines
 * @param wanted how many Nodes the owner wants
 * @param total how many there are to be: more than wanted while Machines are being replaced
 */
record Members(List<Member> machines, List<Member> pools, List<Member> makers, int wanted, int total) {
    static final Members NONE = new Members(List.of(), List.of(), List.of(), 0, 0);

    static Members ofMachines(List<Member> machines, List<Member> makers, int wanted) {
        return new Members(machines, List.of(), makers, wanted, Math.max(wanted, machines.size()));
    }

    static Members ofPool(Member pool) {
        return new Members(List.of(), List.of(pool), List.of(), pool.replicas(),
                Math.max(pool.replicas(), pool.nodes().size()));
    }

    /** Of what does not exist yet. */
    static Members toCome(int wanted) {
        return new Members(List.of(), List.of(), List.of(), wanted, wanted);
    }

    Members plus(Members other) {
        return new Members(both(machines, other.machines), both(pools, other.pools), both(makers, other.makers),
                wanted + other.wanted, total + other.total);
    }

    Stream<Member> all() {
        return Stream.of(makers, pools, machines).flatMap(List::stream);
    }

    /** Names of the Nodes that have joined. */
    Set<String> nodes() {
        Set<String> nodes = new TreeSet<>();
        all().forEach(member -> nodes.addAll(member.nodes()));
        return nodes;
    }

    private static List<Member> both(List<Member> one, List<Member> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }
}

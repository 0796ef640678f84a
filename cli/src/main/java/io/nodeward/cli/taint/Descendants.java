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
record Descendants(List<Descendant> machines, List<Descendant> pools, List<Descendant> makers, int wanted, int total) {
    static final Descendants NONE = new Descendants(List.of(), List.of(), List.of(), 0, 0);

    static Descendants ofMachines(List<Descendant> machines, List<Descendant> makers, int wanted) {
        return new Descendants(machines, List.of(), makers, wanted, Math.max(wanted, machines.size()));
    }

    static Descendants ofPool(Descendant pool) {
        return new Descendants(List.of(), List.of(pool), List.of(), pool.replicas(),
                Math.max(pool.replicas(), pool.nodes().size()));
    }

    /** Of what does not exist yet. */
    static Descendants toCome(int wanted) {
        return new Descendants(List.of(), List.of(), List.of(), wanted, wanted);
    }

    Descendants plus(Descendants other) {
        return new Descendants(both(machines, other.machines), both(pools, other.pools), both(makers, other.makers),
                wanted + other.wanted, total + other.total);
    }

    Stream<Descendant> all() {
        return Stream.of(makers, pools, machines).flatMap(List::stream);
    }

    /** Names of the Nodes that have joined. */
    Set<String> nodes() {
        Set<String> nodes = new TreeSet<>();
        all().forEach(descendant -> nodes.addAll(descendant.nodes()));
        return nodes;
    }

    private static List<Descendant> both(List<Descendant> one, List<Descendant> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }
}

package io.nodeward.cli.taint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A command's words, if they are about owners of Nodes: {@code machinedeployment/NAME TAINT...} or {@code
 * machinedeployments NAME... TAINT...}.
 *
 * @param asNodes the words as if they were about Nodes, for kubectl's rules
 */
record OwnerWords(OwnerKind kind, List<String> asNodes) {
    /** Empty if they are about Nodes, or about nothing. */
    static Optional<OwnerWords> of(List<String> words) {
        if (words.isEmpty()) {
            return Optional.empty();
        }
        String[] first = words.getFirst().split("/", 2);
        Optional<OwnerKind> kind = OwnerKind.of(first[0]);
        return kind.map(known -> new OwnerWords(known, asNodes(known, words, first.length == 2)));
    }

    private static List<String> asNodes(OwnerKind kind, List<String> words, boolean slashed) {
        List<String> nodes = new ArrayList<>(List.of("nodes"));
        for (String word : words.subList(slashed ? 0 : 1, words.size())) {
            int slash = word.indexOf('/');
            // A taint's key has a slash as well, and then an '=', a ':' or a '-'.
            boolean named = slash > 0 && OwnerKind.of(word.substring(0, slash)).filter(kind::equals).isPresent()
                    && word.indexOf('=') < 0 && word.indexOf(':') < 0;
            nodes.add(named ? word.substring(slash + 1) : word);
        }
        return nodes;
    }
}

package io.nodeward.cli.validate;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.validation.Admission;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The verdicts of admission on a set of objects.
 *
 * @param objects how many there are
 * @param judged how many of them are of a kind that declares taints
 */
public record Judged(int objects, int judged, List<Finding> findings) {
    public Judged {
        findings = List.copyOf(findings);
    }

    /**
     * Judges as a server would that is given them one by one.
     *
     * @param before as they are stored; those that are not among them are created
     */
    public static Judged of(List<Manifest> manifests, List<Manifest> before, AdmissionPolicy policy) {
        Map<Manifest.Id, Manifest> stored = new HashMap<>();
        before.forEach(manifest -> stored.putIfAbsent(manifest.id(), manifest));
        List<Finding> findings = new ArrayList<>();
        int judged = 0;
        for (Manifest manifest : manifests) {
            Optional<DeclaringKind> kind = DeclaringKind.of(manifest.id().group(), manifest.id().kind());
            if (kind.isPresent()) {
                judged++;
                Tree old = Optional.ofNullable(stored.get(manifest.id())).map(Judged::tree).orElse(Tree.ABSENT);
                Verdict verdict = Admission.judge(
                        new Declarations(old, tree(manifest)).review(kind.get()), policy);
                verdict.refused().forEach(fault -> findings.add(
                        new Finding(manifest, true, fault.field(), fault.message())));
                verdict.warnings().forEach(warning -> findings.add(Finding.warning(manifest, warning)));
            }
        }
        return new Judged(manifests.size(), judged, findings);
    }

    public long errors() {
        return findings.stream().filter(Finding::error).count();
    }

    public long warnings() {
        return findings.size() - errors();
    }

    private static Tree tree(Manifest manifest) {
        return Trees.read(manifest.json().toString());
    }
}

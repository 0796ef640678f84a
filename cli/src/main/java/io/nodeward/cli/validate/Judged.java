package io.nodeward.cli.validate;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.validation.Admission;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Verdict;
import io.nodeward.core.rules.validation.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The verdicts of admission on a set of objects.
 *
 * @param objects how many there are
 * @param judged how many of them are of Cluster API, of one of its providers, or of Nodeward
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
        ManifestCheck check = new ManifestCheck(Stream.concat(manifests.stream(), before.stream()));
        Map<Manifest.Id, Manifest> stored = new HashMap<>();
        before.forEach(manifest -> stored.putIfAbsent(manifest.id(), manifest));
        List<Finding> findings = new ArrayList<>();
        for (Manifest manifest : manifests) {
            Verdict verdict = DeclaringKind.of(manifest.id().group(), manifest.id().kind())
                    .map(kind -> verdict(kind, Optional.ofNullable(stored.get(manifest.id())), manifest, policy))
                    .orElse(Verdict.ALLOWED);
            Set<String> refused = verdict.refused().stream().map(Violation::field).collect(Collectors.toSet());
            Set<String> known =
                    Optional.ofNullable(stored.get(manifest.id())).stream().flatMap(old -> check.findings(old).stream())
                            .map(Judged::fault).collect(Collectors.toSet());
            check.findings(manifest).stream().filter(finding -> !refused.contains(finding.field()))
                    .filter(finding -> !known.contains(fault(finding))).forEach(findings::add);
            verdict.refused().forEach(fault -> findings.add(
                    new Finding(manifest, true, fault.field(), fault.message())));
            verdict.warnings().forEach(warning -> findings.add(Finding.warning(manifest, warning)));
        }
        int judged = (int) manifests.stream().filter(Manifest::hasKnownGroup).count();
        return new Judged(manifests.size(), judged, findings);
    }

    /** Returns the field and what is wrong with it. */
    private static String fault(Finding finding) {
        return finding.field() + " " + finding.message();
    }

    private static Verdict verdict(
            DeclaringKind kind, Optional<Manifest> stored, Manifest manifest, AdmissionPolicy policy) {
        Tree old = stored.map(Judged::tree).orElse(Tree.ABSENT);
        return Admission.judge(new Declarations(old, tree(manifest)).review(kind), policy);
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

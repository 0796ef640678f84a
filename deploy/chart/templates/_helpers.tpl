{{- define "nodeward.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "nodeward.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "nodeward.labels" -}}
{{ include "nodeward.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "nodeward.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "nodeward.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Name of the Secret with the certificate of the admission webhook that cert-manager issues. */}}
{{- define "nodeward.certificate" -}}
{{- printf "%s-admission-tls" (include "nodeward.fullname" .) -}}
{{- end -}}

{{- define "nodeward.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{/* The gates that values set: one that a file sets is taken back by null. */}}
{{- define "nodeward.givenGates" -}}
{{- $given := dict -}}
{{- range $name, $on := .Values.featureGates -}}
{{- if not (kindIs "invalid" $on) -}}{{- $_ := set $given $name $on -}}{{- end -}}
{{- end -}}
{{- toJson $given -}}
{{- end -}}

{{/* Each feature gate with "on" or "off", or with "removed" if it is off by its name: then its controller removes what it wrote. */}}
{{- define "nodeward.gates" -}}
{{- $given := include "nodeward.givenGates" . | fromJson -}}
{{- $known := (.Files.Get "files/controllers.yaml" | fromYaml).featureGates -}}
{{- range $name, $_ := $given -}}
{{- if not (hasKey $known $name) -}}{{- fail (printf "featureGates: there is no gate %s" $name) -}}{{- end -}}
{{- end -}}
{{- $gates := dict -}}
{{- range $name, $gate := $known -}}
{{- $all := printf "All%s" $gate.stage -}}
{{- if hasKey $given $name -}}
{{- $_ := set $gates $name (ternary "on" "removed" (get $given $name)) -}}
{{- else if hasKey $given $all -}}
{{- $_ := set $gates $name (ternary "on" "off" (get $given $all)) -}}
{{- else -}}
{{- $_ := set $gates $name (ternary "on" "off" $gate.default) -}}
{{- end -}}
{{- end -}}
{{- toJson $gates -}}
{{- end -}}

{{/* Each controller with "on" or "off", or with "removed" if it runs only to remove what it wrote. */}}
{{- define "nodeward.controllers" -}}
{{- $gates := include "nodeward.gates" . | fromJson -}}
{{- $items := .Values.controllers -}}
{{- $known := (.Files.Get "files/controllers.yaml" | fromYaml).controllers -}}
{{- range $items -}}
{{- if not (or (eq . "*") (hasKey $known (trimPrefix "-" .))) -}}{{- fail (printf "controllers: there is no controller %s" .) -}}{{- end -}}
{{- end -}}
{{- $states := dict -}}
{{- range $name, $needs := $known -}}
{{- $first := "" -}}
{{- range $items -}}
{{- if and (not $first) (eq (trimPrefix "-" .) $name) -}}{{- $first = . -}}{{- end -}}
{{- end -}}
{{- $state := "off" -}}
{{- if or (eq $first $name) (and (not $first) (has "*" $items)) -}}
{{- if not $needs -}}{{- $state = "on" -}}{{- end -}}
{{- range $set := $needs -}}
{{- $found := dict "on" true -}}
{{- range $set -}}
{{- if ne (get $gates .) "on" -}}{{- $_ := set $found "on" false -}}{{- end -}}
{{- if and (eq (get $gates .) "removed") (eq $state "off") -}}{{- $state = "removed" -}}{{- end -}}
{{- end -}}
{{- if $found.on -}}{{- $state = "on" -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- $_ := set $states $name $state -}}
{{- end -}}
{{- toJson $states -}}
{{- end -}}

{{/*
Not empty if pods end before others begin. A pod of a chart without leader election writes without the Lease, and would write beside
the new leader. The Deployment of such a chart recreates its pods. It still does so in the upgrade to this chart, and in further ones
until a pod runs that contends for the Lease: the pods before have ended then.
*/}}
{{- define "nodeward.recreates" -}}
{{- $running := lookup "apps/v1" "Deployment" .Release.Namespace (include "nodeward.fullname" .) -}}
{{- if eq (dig "spec" "strategy" "type" "" $running) "Recreate" -}}
{{- $arguments := list -}}
{{- range dig "spec" "template" "spec" "containers" list $running -}}{{- $arguments = concat $arguments (default list .args) -}}{{- end -}}
{{- $elects := has (printf "--leader-election-id=%s" (include "nodeward.fullname" .)) $arguments -}}
{{- $seen := eq (int (dig "metadata" "generation" 0 $running)) (int (dig "status" "observedGeneration" -1 $running)) -}}
{{- if not (and $elects $seen (gt (int (dig "status" "updatedReplicas" 0 $running)) 0)) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether this release serves a webhook: the key is its port's name. */}}
{{- define "nodeward.webhooks" -}}
{{- $gates := include "nodeward.gates" . | fromJson -}}
{{- $states := include "nodeward.controllers" . | fromJson -}}
{{- $ports := dict -}}
{{- if eq $states.admission "on" -}}{{- $_ := set $ports "admission" 9443 -}}{{- end -}}
{{- if and (eq $states.dedicated "on") (eq $gates.DedicatedPodAdmission "on") -}}{{- $_ := set $ports "dedicated" 9444 -}}{{- end -}}
{{- toJson $ports -}}
{{- end -}}

{{/* Names of what a controller with a watch filter registers end in this. */}}
{{- define "nodeward.suffix" -}}
{{- with .Values.watchFilter -}}-{{ . | lower | replace "_" "-" }}{{- end -}}
{{- end -}}

{{/*
The roles that the controllers need, as a list. What a controller may write to register its webhooks, policies and the Secret of
the certificate is a role of its own, which "registers" and which the clean-up of an uninstall unbinds. What it may do to remove
webhooks and policies it always has: the revision that a rollback comes from may have registered some. Only a right to delete objects
of any name, it has while its gate is set: the policies of a NodeTaintGuard go with the NodeTaintGuard.
*/}}
{{- define "nodeward.roles" -}}
{{- $gates := include "nodeward.gates" . | fromJson -}}
{{- $states := include "nodeward.controllers" . | fromJson -}}
{{- $roles := list -}}
{{- range $path, $_ := .Files.Glob "files/rbac/*/*.yaml" -}}
{{- $file := $.Files.Get $path | fromYaml -}}
{{- $controller := base (dir $path) -}}
{{- $gate := dig "annotations" "nodeward.io/feature-gate" "" $file.metadata -}}
{{- $scope := dig "annotations" "nodeward.io/scope" "" $file.metadata -}}
{{- if and (eq $file.kind "ClusterRole") (not (has $scope (list "Cluster" "Namespaced"))) -}}
{{- fail (printf "%s: the annotation nodeward.io/scope is neither Cluster nor Namespaced" $path) -}}
{{- end -}}
{{- $state := get $states $controller | default "off" -}}
{{- /* MachinePools take what the machine controller reads, too. */ -}}
{{- if and (eq $controller "machine") (ne $states.machinepool "off") -}}{{- $state = "on" -}}{{- end -}}
{{- if eq $controller "app" -}}
{{- $needed := dict "namespace.yaml" true "debug.yaml" (or $.Values.rbac.debug ($.Values.metrics).secure) "leader-election.yaml" true -}}
{{- $state = ternary "on" "off" (get $needed (base $path)) -}}
{{- else if and $gate (ne $state "off") (ne (get $gates $gate) "on") -}}
{{- $state = get $gates $gate -}}
{{- end -}}
{{- $name := printf "%s%s" (include "nodeward.fullname" $) (trimPrefix "nodeward" $file.metadata.name) -}}
{{- $rules := list -}}
{{- $registers := list -}}
{{- range $rule := $file.rules -}}
{{- $admission := has "admissionregistration.k8s.io" $rule.apiGroups -}}
{{- $secrets := and (eq $file.kind "Role") (has "secrets" $rule.resources) -}}
{{- if and $rule.resourceNames (or $admission $secrets) -}}
{{- $names := list -}}
{{- range $rule.resourceNames -}}{{- $names = append $names (print . (include "nodeward.suffix" $)) -}}{{- end -}}
{{- $_ := set $rule "resourceNames" $names -}}
{{- end -}}
{{- $verbs := $rule.verbs -}}
{{- if or $admission $secrets -}}
{{- $verbs = without $rule.verbs "create" "patch" -}}
{{- with without $rule.verbs "get" "list" "watch" "delete" -}}
{{- $registers = append $registers (merge (dict "verbs" .) $rule) -}}
{{- end -}}
{{- end -}}
{{- $named := or $rule.resourceNames (not (has "delete" $rule.verbs)) -}}
{{- if and $verbs (or (and $admission $named) (ne $state "off")) -}}
{{- $rules = append $rules (merge (dict "verbs" $verbs) $rule) -}}
{{- end -}}
{{- end -}}
{{- if and $.Values.certManager.enabled (eq $controller "admission") (eq $file.kind "Role") (ne $state "off") -}}
{{- /* cert-manager writes the Secret, and the controller reads it. */ -}}
{{- $rules = list (dict "apiGroups" (list "") "resources" (list "secrets") "resourceNames" (list (include "nodeward.certificate" $)) "verbs" (list "get" "list" "watch")) -}}
{{- $registers = list -}}
{{- end -}}
{{- $namespaces := list -}}
{{- if and $.Values.namespaces (eq $scope "Namespaced") -}}
{{- /* Definitions are in no namespace. */ -}}
{{- $namespaces = $.Values.namespaces -}}
{{- $here := list -}}
{{- range $rule := $rules -}}
{{- if has "customresourcedefinitions" $rule.resources -}}
{{- $roles = append $roles (dict "kind" $file.kind "name" (printf "%s-definitions" $name) "rules" (list $rule)) -}}
{{- else -}}
{{- $here = append $here $rule -}}
{{- end -}}
{{- end -}}
{{- $rules = $here -}}
{{- end -}}
{{- $registration := printf "%s-registration" $name -}}
{{- if and $registers (eq $state "on") -}}
{{- $roles = append $roles (dict "kind" $file.kind "name" $registration "rules" $registers "registers" true) -}}
{{- $rules = append $rules (dict "apiGroups" (list "rbac.authorization.k8s.io") "resources" (list (printf "%sbindings" (lower $file.kind))) "resourceNames" (list $registration) "verbs" (list "delete")) -}}
{{- end -}}
{{- if or $rules (and $file.aggregationRule (ne $state "off")) -}}
{{- /* With its gate off, too: a pod that never started has not deleted what a revision before this one registered. */ -}}
{{- $removes := ternary $controller "" (gt (len $registers) 0) -}}
{{- $roles = append $roles (dict "kind" $file.kind "name" $name "rules" $rules "aggregationRule" $file.aggregationRule "removes" $removes "namespaces" $namespaces) -}}
{{- end -}}
{{- end -}}
{{- toJson $roles -}}
{{- end -}}

{{/* What the pods of the controller and of its clean-up have in common. */}}
{{- define "nodeward.pod" -}}
serviceAccountName: {{ include "nodeward.serviceAccount" . }}
{{ with .Values.imagePullSecrets -}}
imagePullSecrets: {{- toYaml . | nindent 0 }}
{{ end -}}
{{- with .Values.priorityClassName -}}
priorityClassName: {{ . }}
{{ end -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
volumes:
- name: tmp
  emptyDir: {}
{{- with (.Values.metrics).certSecret }}
- name: metrics
  secret: {secretName: {{ . | quote }}, optional: true}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 0 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "nodeward.container" -}}
image: {{ include "nodeward.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.command }}
command: {{- toYaml . | nindent 0 }}
{{- end }}
{{- with .Values.env }}
env: {{- toYaml . | nindent 0 }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
resources: {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
- {name: tmp, mountPath: /tmp}
{{- if (.Values.metrics).certSecret }}
- {name: metrics, mountPath: /etc/nodeward/metrics, readOnly: true}
{{- end }}
{{- end -}}

{{/*
Namespaces whose pods may run on all dedicated Nodes, besides Kubernetes' own and the release's, and how they were chosen: by
"values"; "found", those of a CNI that are there; or "kept": a renderer that cannot look and an upgrade leave what was, which without
a flag was four names. Empty if a flag in extraArgs names them.
*/}}
{{- define "nodeward.systemNamespaces" -}}
{{- $flag := "--dedicated-system-namespaces=" -}}
{{- $own := list "kube-system" "kube-node-lease" "kube-public" -}}
{{- $cnis := list "calico-system" "cilium" "kube-flannel" "tigera-operator" -}}
{{- $given := .Values.dedicated.systemNamespaces -}}
{{- $named := false -}}
{{- range .Values.extraArgs -}}{{- if hasPrefix $flag . -}}{{- $named = true -}}{{- end -}}{{- end -}}
{{- if $named -}}
{{- dict | toJson -}}
{{- else if kindIs "slice" $given -}}
{{- dict "by" "values" "names" $given | toJson -}}
{{- else if not (lookup "v1" "Namespace" "" "kube-system") -}}
{{- dict "by" "kept" "names" $cnis | toJson -}}
{{- else -}}
{{- $running := list -}}
{{- if .Release.IsUpgrade -}}
{{- range (dig "spec" "template" "spec" "containers" list (lookup "apps/v1" "Deployment" .Release.Namespace (include "nodeward.fullname" .))) -}}
{{- $running = concat $running (default list .args) -}}
{{- end -}}
{{- end -}}
{{- $flags := list -}}
{{- range $running -}}{{- if hasPrefix $flag . -}}{{- $flags = append $flags (trimPrefix $flag .) -}}{{- end -}}{{- end -}}
{{- if $flags -}}
{{- $names := list -}}
{{- range (last $flags | splitList ",") -}}{{- if not (has . $own) -}}{{- $names = append $names . -}}{{- end -}}{{- end -}}
{{- dict "by" "kept" "names" $names | toJson -}}
{{- else if regexMatch "(DedicatedNodes|AllAlpha)=true" (join " " $running) -}}
{{- dict "by" "kept" "names" $cnis | toJson -}}
{{- else -}}
{{- $names := list -}}
{{- range $cnis -}}{{- if lookup "v1" "Namespace" "" . -}}{{- $names = append $names . -}}{{- end -}}{{- end -}}
{{- dict "by" "found" "names" $names | toJson -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "nodeward.arguments" -}}
{{- $states := include "nodeward.controllers" . | fromJson -}}
{{- $service := printf "%s/%s" .Release.Namespace (include "nodeward.fullname" .) -}}
{{- $gates := list -}}
{{- range $name, $on := include "nodeward.givenGates" . | fromJson -}}{{- $gates = append $gates (printf "%s=%t" $name $on) -}}{{- end -}}
{{- with $gates -}}
- {{ printf "--feature-gates=%s" (join "," .) | quote }}
{{ end -}}
{{- with .Values.watchFilter -}}
- {{ printf "--watch-filter=%s" . | quote }}
{{ end -}}
{{- with .Values.namespaces -}}
- {{ printf "--namespaces=%s" (join "," .) | quote }}
{{ end -}}
- --leader-election
- --leader-election-id={{ include "nodeward.fullname" . }}
- --leader-election-namespace={{ .Release.Namespace }}
{{/* By its Service a release knows its webhooks, also those that another revision has registered. */ -}}
- --admission-service={{ $service }}:9443
- --dedicated-service={{ $service }}:9444
{{ if eq $states.dedicated "on" -}}
{{- with include "nodeward.systemNamespaces" . | fromJson -}}
- {{ printf "--dedicated-system-namespaces=%s" (join "," (concat (list "kube-system" "kube-node-lease" "kube-public") .names)) | quote }}
{{ end -}}
{{- end -}}
{{ if and .Values.certManager.enabled (ne $states.admission "off") -}}
- --admission-secret={{ .Release.Namespace }}/{{ include "nodeward.certificate" . }}
{{ end -}}
{{- if (.Values.metrics).secure -}}
- --metrics-secure
{{ with .Values.metrics.certSecret -}}
- --metrics-cert-dir=/etc/nodeward/metrics
{{ end -}}
{{- end -}}
{{- range .Values.extraArgs -}}
{{- with regexFind "^--(controllers|pause-configmap|leader-election|leader-election-id|leader-election-namespace|feature-gates|watch-filter|namespaces|admission-service|dedicated-service|metrics-secure|metrics-cert-dir)(=|$)" . -}}
{{- fail (printf "extraArgs: the chart sets %s" (trimSuffix "=" .)) -}}
{{- end -}}
- {{ . | quote }}
{{ end -}}
{{- end -}}

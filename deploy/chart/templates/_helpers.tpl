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
The roles that the controllers need, as a list. One that "registers" lets its controller make webhooks, policies and the Secret of
the certificate; "removes" has the rules of what removes them.
*/}}
{{- define "nodeward.roles" -}}
{{- $gates := include "nodeward.gates" . | fromJson -}}
{{- $states := include "nodeward.controllers" . | fromJson -}}
{{- $roles := list -}}
{{- range $path, $_ := .Files.Glob "files/rbac/*/*.yaml" -}}
{{- $file := $.Files.Get $path | fromYaml -}}
{{- $controller := base (dir $path) -}}
{{- $gate := dig "annotations" "nodeward.io/feature-gate" "" $file.metadata -}}
{{- $wanted := ne (get $states $controller | default "off") "off" -}}
{{- /* MachinePools take what the machine controller reads, too. */ -}}
{{- if and (eq $controller "machine") (ne $states.machinepool "off") -}}{{- $wanted = true -}}{{- end -}}
{{- if eq $controller "app" -}}{{- $wanted = or (eq (base $path) "namespace.yaml") $.Values.rbac.debug -}}{{- end -}}
{{- if and $gate (eq (get $gates $gate) "off") -}}{{- $wanted = false -}}{{- end -}}
{{- $role := dict "wanted" $wanted "controller" $controller "registers" false "apiVersion" $file.apiVersion "kind" $file.kind "aggregationRule" $file.aggregationRule -}}
{{- $_ := set $role "name" (printf "%s%s" (include "nodeward.fullname" $) (trimPrefix "nodeward" $file.metadata.name)) -}}
{{- $rules := list -}}
{{- range $file.rules -}}
{{- $rule := . -}}
{{- if and $.Values.certManager.enabled (eq $controller "admission") (has "secrets" .resources) -}}
{{- /* cert-manager writes the Secret, and the controller reads it. */ -}}
{{- if .resourceNames -}}
{{- $rule = dict "apiGroups" (list "") "resources" (list "secrets") "resourceNames" (list (include "nodeward.certificate" $)) "verbs" (list "get" "list" "watch") -}}
{{- else -}}
{{- $rule = dict -}}
{{- end -}}
{{- else if and .resourceNames (ne $controller "app") -}}
{{- $names := list -}}
{{- range .resourceNames -}}{{- $names = append $names (print . (include "nodeward.suffix" $)) -}}{{- end -}}
{{- $_ := set $rule "resourceNames" $names -}}
{{- if has "create" .verbs -}}{{- $_ := set $role "registers" true -}}{{- end -}}
{{- else if and (has "secrets" .resources) (has "create" .verbs) -}}
{{- $_ := set $role "registers" true -}}
{{- end -}}
{{- if $rule -}}{{- $rules = append $rules $rule -}}{{- end -}}
{{- end -}}
{{- $_ := set $role "rules" $rules -}}
{{- $removes := list -}}
{{- range $rules -}}
{{- $verbs := list -}}
{{- if has "list" .verbs -}}{{- $verbs = append $verbs "list" -}}{{- end -}}
{{- if has "delete" .verbs -}}{{- $verbs = append $verbs "delete" -}}{{- end -}}
{{- if and $verbs (or (has "secrets" .resources) (has "admissionregistration.k8s.io" .apiGroups)) -}}
{{- $rule := dict "apiGroups" .apiGroups "resources" .resources "verbs" $verbs -}}
{{- with .resourceNames -}}{{- $_ := set $rule "resourceNames" . -}}{{- end -}}
{{- $removes = append $removes $rule -}}
{{- end -}}
{{- end -}}
{{- $_ := set $role "removes" $removes -}}
{{- $roles = append $roles $role -}}
{{- end -}}
{{- toJson $roles -}}
{{- end -}}

{{/* What the pods of the controller and of its clean-up have in common. */}}
{{- define "nodeward.pod" -}}
{{- with .Values.imagePullSecrets -}}
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
{{- if ne $states.admission "off" -}}
- --admission-service={{ $service }}:9443
{{ if .Values.certManager.enabled -}}
- --admission-secret={{ .Release.Namespace }}/{{ include "nodeward.certificate" . }}
{{ end -}}
{{- end -}}
{{- if ne $states.dedicated "off" -}}
- --dedicated-service={{ $service }}:9444
{{ end -}}
{{- end -}}

{{/* Annotations of the Job that runs before the release is deleted, and of its rights. */}}
{{- define "nodeward.cleanup" -}}
helm.sh/hook: pre-delete
helm.sh/hook-weight: "{{ . }}"
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

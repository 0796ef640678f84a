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

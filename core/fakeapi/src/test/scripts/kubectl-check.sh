#!/bin/bash
# Drives a running server with kubectl and checks what it says. The server must have no Node and no Machine of these names.
# usage: kubectl-check.sh KUBECTL KUBECONFIG     exit code 0 if all is as expected
set -u
kubectl=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export KUBECONFIG=$2
failed=0

# expect PATTERN ARGUMENT... : the output, errors too, must match the extended regular expression
expect() {
    local pattern=$1 out
    shift
    out=$(timeout 30 "$kubectl" --cache-dir "$dir/cache" "$@" 2>&1)
    if tr '\n' ' ' <<<"$out" | grep -Eq -- "$pattern"; then
        echo "ok      kubectl $*"
    else
        echo "FAILED  kubectl $*"
        echo "        wanted $pattern"
        echo "        got    $out"
        failed=1
    fi
}

# editing SED-SCRIPT : what the next edit does
editing() {
    printf '#!/bin/sh\nsed -i "%s" "$1"\n' "$1" >"$dir/editor"
    chmod +x "$dir/editor"
    export KUBE_EDITOR=$dir/editor
}

cat >"$dir/node.yaml" <<'Y'
apiVersion: v1
kind: Node
metadata: {name: check-n, labels: {node-role.kubernetes.io/worker: ""}}
spec: {taints: [{key: a, effect: NoSchedule}]}
status: {conditions: [{type: Ready, status: "True"}], nodeInfo: {kubeletVersion: v1.36.3}}
Y
cat >"$dir/machine.yaml" <<'Y'
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata: {name: check-m, namespace: default}
spec:
  clusterName: c
  bootstrap: {dataSecretName: s}
  infrastructureRef: {apiGroup: a.b, kind: X, name: x}
  taints: [{key: k, effect: NoSchedule, propagation: Always}]
Y
taints='jsonpath={range .spec.taints[*]}{.key}={.value}:{.effect}:{.propagation};{end}'

expect 'machines +ma .*Machine' api-resources
expect 'node/check-n created' create -f "$dir/node.yaml"
expect 'machine.cluster.x-k8s.io/check-m created' create -f "$dir/machine.yaml"
expect 'AlreadyExists' create -f "$dir/machine.yaml"
expect 'check-n +Ready +worker +[0-9]+s +v1.36.3' get nodes
expect 'INTERNAL-IP.*CONTAINER-RUNTIME' get nodes -o wide
expect 'default +check-m +c ' get machines -A
expect '^check-m +c ' get ma check-m --no-headers
expect '"nope" not found' get node nope
expect 'v1beta1' get machines.v1beta1.cluster.x-k8s.io check-m -o 'jsonpath={.apiVersion}'

expect 'tainted' taint node check-n b=1:NoExecute
expect 'already has b taint' taint node check-n b=2:NoExecute
expect 'modified' taint node check-n b=2:NoExecute --overwrite
expect 'untainted' taint node check-n a:NoSchedule-
expect '^b=2:NoExecute:;(node.kubernetes.io/not-ready=:NoSchedule:;)? $' get node check-n -o "$taints"
expect 'labeled' label node check-n x=y
expect 'already has a value' label node check-n x=z
expect 'unlabeled' label node check-n x-
expect 'annotated' annotate ma check-m a=b
expect 'labeled' label ma check-m l=1
expect 'cordoned' cordon check-n
expect 'SchedulingDisabled' get node check-n
expect 'uncordoned' uncordon check-n

expect 'patched' patch node check-n -p '{"spec":{"taints":[{"key":"p","effect":"NoSchedule"}]}}'
expect '^p=:NoSchedule:; $' get node check-n -o "$taints"
expect 'patched' patch node check-n --type merge -p '{"spec":{"taints":null}}'
expect 'Unsupported value: "Foo"' patch node check-n -p '{"spec":{"taints":[{"key":"p","effect":"Foo"}]}}'
expect 'spec.taints\[0\].effect: Unsupported value: "Foo"' patch ma check-m --type merge \
    -p '{"spec":{"taints":[{"key":"k","effect":"Foo","propagation":"Always"}]}}'
expect 'is not supported by cluster.x-k8s.io/v1beta2' patch ma check-m -p '{"metadata":{"labels":{"a":"b"}}}'
expect 'patched' patch ma check-m --type json \
    -p '[{"op":"add","path":"/spec/taints/-","value":{"key":"j","effect":"NoExecute","propagation":"Always"}}]'
expect 'patched' patch ma check-m --subresource status --type merge -p '{"status":{"nodeRef":{"name":"check-n"}}}'
expect 'check-n' get ma check-m

editing 's/propagation: Always/propagation: OnInitialization/'
expect 'check-m edited' edit ma check-m
expect '^k=:NoSchedule:OnInitialization;j=:NoExecute:OnInitialization; $' get ma check-m -o "$taints"
editing 's/effect: NoSchedule/effect: Bad/'
expect 'is invalid.*no valid changes' edit ma check-m
editing 's/xyz/zyx/'
expect 'no changes made' edit node check-n
editing 's/^  name: check-n/  name: check-n\\n  finalizers: [a.b\/c, d.e\/f]/'
expect 'edited' edit node check-n
editing '/- a[.]b./d'
expect 'edited' edit node check-n
expect '^\["d.e/f"\] $' get node check-n -o 'jsonpath={.metadata.finalizers}'
editing '/- d[.]e./d;/finalizers/d'
expect 'edited' edit node check-n

expect 'Taints: .*Non-terminated Pods: +\(0 in total\).*Events:' describe node check-n
expect 'Propagation: +OnInitialization.*Events:' describe ma check-m
expect 'FIELDS:' explain node
expect 'FIELDS?:' explain machine.spec
expect 'configured' apply -f "$dir/machine.yaml"
sed -i 's/Always/OnInitialization/' "$dir/machine.yaml"
expect 'configured' apply -f "$dir/machine.yaml"
expect 'unchanged' apply -f "$dir/machine.yaml"
expect 'node/check-n configured' apply -f "$dir/node.yaml"
expect '^a=:NoSchedule:; $' get node check-n -o "$taints"

cat >"$dir/label.yaml" <<'Y'
apiVersion: v1
kind: Node
metadata: {name: check-n, labels: {applied: one}}
Y
expect 'node/check-n serverside-applied' apply --server-side --field-manager one -f "$dir/label.yaml"
sed -i 's/applied: one/applied: two/' "$dir/label.yaml"
expect 'conflict with "one": .metadata.labels.applied.*--force-conflicts' apply --server-side --field-manager two \
    -f "$dir/label.yaml"
expect 'serverside-applied' apply --server-side --field-manager two --force-conflicts -f "$dir/label.yaml"
expect '^two $' get node check-n -o 'jsonpath={.metadata.labels.applied}'
expect 'manager: two.*operation: Apply' get node check-n -o yaml --show-managed-fields

sed -i 's/key: a/key: aa/' "$dir/node.yaml"
expect '\+ +key: aa' diff -f "$dir/node.yaml"
expect 'dry run' apply --dry-run=server -f "$dir/node.yaml"
expect 'replaced' replace -f "$dir/node.yaml"

"$kubectl" --cache-dir "$dir/cache" get nodes -w --field-selector metadata.name=check-n --output-watch-events \
    >"$dir/watch" 2>&1 &
watch=$!
for _ in $(seq 100); do grep -q ADDED "$dir/watch" && break; sleep 0.1; done
expect 'labeled' label node check-n w=1
expect 'condition met' wait --for 'jsonpath={.metadata.labels.w}=1' node/check-n --timeout 10s
expect 'deleted' delete node check-n
for _ in $(seq 100); do grep -q DELETED "$dir/watch" && break; sleep 0.1; done
kill $watch
if tr '\n' ' ' <"$dir/watch" | grep -Eq 'EVENT +NAME.*ADDED +check-n.*MODIFIED +check-n.*DELETED +check-n'; then
    echo "ok      kubectl get nodes -w"
else
    echo "FAILED  kubectl get nodes -w"
    cat "$dir/watch"
    failed=1
fi
expect 'deleted' delete ma check-m
expect 'No resources found|^ *$' get ma -l 'l in (1,2),!x' --ignore-not-found
expect '^ok' get --raw /readyz
exit $failed

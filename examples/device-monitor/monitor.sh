#!/bin/sh
# A health monitor in a few lines: keeps the taints of a DeviceTaintSlice as a file or an HTTP endpoint says.
#
#   monitor.sh SLICE KEY SOURCE
#
# Each line of SOURCE, a file or a URL, has a device, an effect and, if wanted, a description:
#
#   gpu-0 NoExecute 3 uncorrectable errors
#
# An administrator creates the slice, with its driver and pool. role.yaml has the one right that the monitor needs.
set -u
slice=$1
key=$2
source=$3
declared=none
round=0

read_source() {
    case $source in
    http://* | https://*) curl --silent --show-error --fail --max-time 5 "$source" ;;
    *) cat "$source" ;;
    esac
}

# A line that has no device or no known effect is left out: it must not keep other devices from their taints.
taints() {
    awk -v key="$key" '
        $1 ~ /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/ && $2 ~ /^(None|NoSchedule|NoExecute)$/ && n < 32 {
            if (seen[$1, $2]++) next
            device = $1
            effect = $2
            $1 = $2 = ""
            sub(/^ +/, "")
            gsub(/[^ A-Za-z0-9.,:;()%\/_-]/, "?")
            printf "%s{\"device\":\"%s\",\"taint\":{\"key\":\"%s\",\"effect\":\"%s\",\"description\":\"%s\"}}",
                n++ ? "," : "", device, key, effect, substr($0, 1, 200)
            next
        }
        NF { print "left out: " substr($0, 1, 200) > "/dev/stderr" }'
}

while true; do
    # While the source does not answer, nothing is known of the devices: their taints stay.
    if text=$(read_source); then
        now=$(printf '%s\n' "$text" | taints)
        # Each minute also without a change, for a slice that another writer has edited.
        if [ "$now" != "$declared" ] || [ $((round % 60)) -eq 0 ]; then
            ${KUBECTL:-kubectl} patch devicetaintslices.nodeward.io "$slice" --type=merge \
                --patch "{\"spec\":{\"taints\":[$now]}}" && declared=$now
        fi
        round=$((round + 1))
    fi
    sleep 1
done

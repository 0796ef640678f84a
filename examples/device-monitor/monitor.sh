#!/bin/sh
# A health monitor in a few lines: keeps the taints of a DeviceTaintSlice as a file or an HTTP endpoint says. It needs awk, kubectl and,
# for an endpoint, curl.
#
#   monitor.sh SLICE KEY SOURCE
#
# Each line of SOURCE, a file or a URL, has a device, an effect and, if wanted, a description. The last line is "end": half a file, an
# empty one or an error page is no answer, and takes no taint off a device.
#
#   gpu-0 NoExecute 3 uncorrectable errors
#   end
#
# An administrator creates the slice, with its driver and pool. role.yaml has the one right that the monitor needs.
set -u
trap exit INT TERM
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
        $1 ~ /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/ && length($1) <= 63 && $2 ~ /^(None|NoSchedule|NoExecute)$/ && n < 32 {
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
        NF && $1 != "end" { print "left out: " substr($0, 1, 200) > "/dev/stderr" }'
}

while true; do
    # While the source does not answer, nothing is known of the devices: their taints stay.
    text=$(read_source | tr -d '\r')
    case $text in
    end | *"
end")
        now=$(printf '%s\n' "$text" | taints)
        # Other descriptions can wait, as each edit of a slice begins its evictions anew. Each minute it is patched without a change
        # too, as another writer may have edited it.
        which=$(printf '%s' "$now" | sed 's/,"description":"[^"]*"//g')
        if [ "$which" != "$declared" ] || [ $((round % 60)) -eq 0 ]; then
            if ${KUBECTL:-kubectl} patch devicetaintslices.nodeward.io "$slice" --type=merge --request-timeout=10s \
                --patch "{\"spec\":{\"taints\":[$now]}}"; then
                declared=$which
            else
                sleep 10
            fi
        fi
        round=$((round + 1))
        ;;
    esac
    sleep 1
done

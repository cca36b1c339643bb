# kit.sh: what the cases here share: a node that cost 8.00 from 2026-10-05T10:00Z to 11:00Z, all of it GPU, and a sample a minute of what
# they say. Bills of several nodes, other costs and other rules they write themselves. With 80 GiB in 8.00 a GiB is 0.10.

# bill [TYPE [COST]]
bill() {
    cat >billing.csv <<END
BilledCost,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodEnd,ChargePeriodStart,ConsumedQuantity,ConsumedUnit,EffectiveCost,PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,ResourceId,ResourceType,ServiceCategory,ServiceName,SkuId,SkuPriceDetails
${2-8.00},USD,2026-11-01T00:00:00Z,2026-10-01T00:00:00Z,Usage,,instance hours,2026-10-05T11:00:00Z,2026-10-05T10:00:00Z,1,Hours,${2-8.00},Standard,1,Hours,AWS,AWS,us-east-1,i-0aaa0000000000001,instance,Compute,Amazon Elastic Compute Cloud,SKU1,"{""InstanceType"": ""${1-p5.4xlarge}""}"
END
}

cat >rule.yaml <<'END'
schema: gputab.rule/1
name: case
version: "1"
split: {method: shares, shares: {cpu: "0%", memory: "0%", gpu: "100%"}}
END

# om SERIES VALUE [FROM TO]: a sample at each minute from FROM until before TO.
om() {
    awk -v series="$1" -v value="$2" -v from="${3-0}" -v to="${4-60}" 'BEGIN {
        for (i = from; i < to; i++)
            print series, value, 1791194400 + 60 * i
    }' >>metrics.om
}

# node: what kube-state-metrics says of it.
node() {
    om 'kube_node_info{node="node-1",provider_id="aws:///us-east-1a/i-0aaa0000000000001",internal_ip="10.0.1.5"}' 1
}

# shared: its labels say that its GPUs are time-sliced.
shared() {
    om 'kube_node_labels{node="node-1",label_nvidia_com_gpu_replicas="4",label_nvidia_com_gpu_sharing_strategy="time-slicing"}' 1
}

# BY=KEY report [OPTION...]: keys (team) and bucket, VRAM GiB hours, cost, and the cost by grade; rows without anything are left out.
report() {
    sed -i '/^# EOF/d' metrics.om
    echo '# EOF' >>metrics.om
    gputab report --billing billing.csv --metrics metrics.om --rule rule.yaml --from 2026-10-05T10:00Z --to 2026-10-05T11:00Z \
        --by "${BY-team}" --format csv "$@" >report.csv || return
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 1 || $at["gpu_hours"] > 0 || $at["total_cost"] > 0 {
            for (i = 1; i <= at["bucket"]; i++)
                printf "%s,", $i
            print $at["vram_gib_hours"], $at["total_cost"], $at["grade_A"], $at["grade_B"], $at["grade_C"], $at["grade_D"]
        }' report.csv
}

# kit.sh: an hour of one p5.48xlarge (192 vCPUs, 2048 GiB, 8 H100) and eight cards of it that one pod holds.
# bill COST LIST [PURCHASE [REGION [TYPE]]]: the hour as a FOCUS bill.
bill() {
    echo BilledCost,EffectiveCost,ListCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit,\
PricingCategory,RegionId,ResourceId,ServiceCategory,SkuPriceDetails >billing.csv
    echo "$1,$1,$2,${CURRENCY-USD},Usage,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,1,Hours,${3-Standard},${4-us-east-1},i-0aa,Compute,\
\"{\"\"InstanceType\"\":\"\"${5-p5.48xlarge}\"\"}\"" >>billing.csv
}
# metrics [MODEL]: a sample a minute.
metrics() {
    {
        echo '# TYPE DCGM_FI_DEV_FB_USED gauge'
        for gpu in 0 1 2 3 4 5 6 7; do
            for minute in $(seq 0 60); do
                echo "DCGM_FI_DEV_FB_USED{UUID=\"GPU-$gpu\",modelName=\"${1-NVIDIA H100 80GB HBM3}\",Hostname=\"node-1\",exported_namespace=\"nlp\"," \
                    "exported_pod=\"train\",exported_container=\"c\"} 40000 $((1791194400 + 60 * minute))"
            done
        done
        echo '# TYPE kube_node_info gauge'
        echo 'kube_node_info{node="node-1",provider_id="aws:///us-east-1a/i-0aa"} 1 1791194400'
        echo '# EOF'
    } | sed 's/, exp/,exp/' >metrics.om
}
# rule TEXT: a rule of it, CPU and memory by the GPUs.
rule() {
    printf 'schema: gputab.rule/1\ncpu_memory: {basis: gpu}\n%s\n' "$1" >rule.yaml
}
report() {
    gputab report --billing billing.csv --metrics metrics.om --rule rule.yaml --from 2026-10-05T10:00:00Z --to 2026-10-05T11:00:00Z "$@"
}
# pieces: GPU, CPU and memory of the report's one row.
pieces() {
    report --format csv -q "$@" | cut -d, -f1,5-8
}

-- ClickHouse: a FOCUS table (1.2, as of AWS, with the columns of others), thinned to what gputab reads of it.
--
--     clickhouse-client --queries-file clickhouse-focus.sql |
--         gputab report --month 2026-10 --billing - --metrics metrics.om --rule rule.yaml
--
-- Write table and month into the lines below "FROM focus". README.md says which rows stay, which are summed, and what that loses.
--
-- A column that your table lacks: delete its lines, here and below (also in GROUP BY), instead of writing NULL. Those with x_ are
-- some providers' own.
WITH bill AS (
    SELECT
        CAST(toString(round(BilledCost, 12)) AS Nullable(Decimal(38, 12))) AS BilledCost,
        CAST(toString(round(EffectiveCost, 12)) AS Nullable(Decimal(38, 12))) AS EffectiveCost,
        CAST(toString(round(ListCost, 12)) AS Nullable(Decimal(38, 12))) AS ListCost,
        nullIf(toString(BillingCurrency), '') AS BillingCurrency,
        nullIf(toString(ChargeCategory), '') AS ChargeCategory,
        nullIf(toString(ChargeClass), '') AS ChargeClass,
        nullIf(toString(ChargeDescription), '') AS ChargeDescription,
        formatDateTime(ChargePeriodStart, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS ChargePeriodStart,
        formatDateTime(ChargePeriodEnd, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS ChargePeriodEnd,
        nullIf(toString(CommitmentDiscountCategory), '') AS CommitmentDiscountCategory,
        nullIf(toString(CommitmentDiscountId), '') AS CommitmentDiscountId,
        nullIf(toString(CommitmentDiscountStatus), '') AS CommitmentDiscountStatus,
        nullIf(toString(CommitmentDiscountType), '') AS CommitmentDiscountType,
        nullIf(toString(CapacityReservationStatus), '') AS CapacityReservationStatus,
        ConsumedQuantity,
        nullIf(toString(ConsumedUnit), '') AS ConsumedUnit,
        nullIf(toString(InvoiceId), '') AS InvoiceId,
        nullIf(toString(PricingCategory), '') AS PricingCategory,
        PricingQuantity,
        nullIf(toString(PricingUnit), '') AS PricingUnit,
        nullIf(toString(ProviderName), '') AS ProviderName,
        nullIf(toString(PublisherName), '') AS PublisherName,
        nullIf(toString(RegionId), '') AS RegionId,
        nullIf(toString(RegionName), '') AS RegionName,
        nullIf(toString(ResourceId), '') AS ResourceId,
        nullIf(toString(ResourceName), '') AS ResourceName,
        nullIf(toString(ServiceCategory), '') AS ServiceCategory,
        nullIf(toString(ServiceName), '') AS ServiceName,
        nullIf(toString(SubAccountId), '') AS SubAccountId,
        nullIf(toString(AvailabilityZone), '') AS AvailabilityZone,
        nullIf(toString(SkuMeter), '') AS SkuMeter,
        nullIf(toString(SkuId), '') AS SkuId,
        nullIf(toString(SkuPriceId), '') AS SkuPriceId,
        nullIf(toString(AllocatedMethodId), '') AS AllocatedMethodId,
        nullIf(toString(HostProviderName), '') AS HostProviderName,
        nullIf(toString(ServiceProviderName), '') AS ServiceProviderName,
        nullIf(toString(ChargeSubcategory), '') AS ChargeSubcategory,
        nullIf(toString(SkuPriceDetails), '') AS SkuPriceDetails,
        nullIf(toString(x_SkuDetails), '') AS x_SkuDetails,
        nullIf(toString(x_InstanceType), '') AS x_InstanceType,
        nullIf(toString(x_UsageType), '') AS x_UsageType,
        nullIf(toString(x_Operation), '') AS x_Operation,
        nullIf(toString(AllocatedResourceId), '') AS AllocatedResourceId
    FROM focus
    WHERE focus.ChargePeriodStart >= toDateTime('2026-10-01 00:00:00', 'UTC')
        AND focus.ChargePeriodStart < toDateTime('2026-11-01 00:00:00', 'UTC')
),
texts AS (
    SELECT bill.*,
        extract(lower(ResourceId), '[^/]*$') AS machine,
        lower(concatWithSeparator(' ', ifNull(SkuPriceDetails, ''), ifNull(x_SkuDetails, ''), ifNull(x_InstanceType, ''),
            ifNull(SkuMeter, ''), ifNull(x_UsageType, ''), ifNull(ChargeDescription, ''))) AS words,
        lower(concatWithSeparator(' ', ifNull(SkuMeter, ''), ifNull(x_UsageType, ''))) AS meter
    FROM bill
),
judged AS (                -- by words of types with GPUs
    SELECT texts.*,
        match(words, '(^|[^a-z0-9])(p[2-9]|g[2-9]|gr[2-9]|inf[0-9]|trn[0-9]|dl[0-9])[a-z0-9-]*([. ]|$)')
            OR match(words, '(^|[^a-z0-9])((a[2-9]|g[2-9])(-|plus| )|n[cdgv]+[0-9])')
            OR match(words, 'nvidia|gpu([^c]|$)|gpucount": *"?[1-9]') AS names_gpu,
        CASE WHEN match(meter, 'unused(box|ded):')
            OR lower(ifNull(CommitmentDiscountStatus, '')) = 'unused' OR lower(ifNull(CapacityReservationStatus, '')) = 'unused'
            THEN 'Unused' END AS unused,
        sign(BilledCost) AS billed_sign,             -- rows are apart by it, since it decides, and since a missing amount is no zero
        sign(EffectiveCost) AS effective_sign,
        sign(ListCost) AS list_sign
    FROM texts
),
marked AS (                -- also whole: machines with allocated rows, of which gputab looks whether they repeat money
    SELECT judged.*,
        coalesce(machine IN (SELECT machine FROM judged WHERE (names_gpu OR AllocatedResourceId IS NOT NULL) AND machine IS NOT NULL), false)
            OR AllocatedResourceId IS NOT NULL AS is_whole
    FROM judged
)
SELECT
    BilledCost,
    EffectiveCost,
    ListCost,
    BillingCurrency,
    ChargeCategory,
    ChargeClass,
    ChargeDescription,
    ChargePeriodStart,
    ChargePeriodEnd,
    CommitmentDiscountCategory,
    CommitmentDiscountId,
    CommitmentDiscountStatus,
    CommitmentDiscountType,
    CapacityReservationStatus,
    ConsumedQuantity,
    ConsumedUnit,
    InvoiceId,
    PricingCategory,
    PricingQuantity,
    PricingUnit,
    ProviderName,
    PublisherName,
    RegionId,
    RegionName,
    ResourceId,
    ResourceName,
    ServiceCategory,
    ServiceName,
    SubAccountId,
    AvailabilityZone,
    SkuMeter,
    SkuId,
    SkuPriceId,
    AllocatedMethodId,
    HostProviderName,
    ServiceProviderName,
    ChargeSubcategory,
    SkuPriceDetails,
    x_SkuDetails,
    x_InstanceType,
    x_UsageType,
    x_Operation,
    AllocatedResourceId
FROM marked WHERE is_whole
UNION ALL
SELECT
    sum(BilledCost) AS BilledCost,
    sum(EffectiveCost) AS EffectiveCost,
    sum(ListCost) AS ListCost,
    BillingCurrency,
    ChargeCategory,
    ChargeClass,
    NULL AS ChargeDescription,
    ChargePeriodStart,
    ChargePeriodEnd,
    NULL AS CommitmentDiscountCategory,
    NULL AS CommitmentDiscountId,
    unused AS CommitmentDiscountStatus,
    NULL AS CommitmentDiscountType,
    NULL AS CapacityReservationStatus,
    NULL AS ConsumedQuantity,
    NULL AS ConsumedUnit,
    InvoiceId,
    NULL AS PricingCategory,
    NULL AS PricingQuantity,
    NULL AS PricingUnit,
    ProviderName,
    NULL AS PublisherName,
    NULL AS RegionId,
    NULL AS RegionName,
    NULL AS ResourceId,
    NULL AS ResourceName,
    NULL AS ServiceCategory,
    NULL AS ServiceName,
    NULL AS SubAccountId,
    NULL AS AvailabilityZone,
    NULL AS SkuMeter,
    NULL AS SkuId,
    NULL AS SkuPriceId,
    NULL AS AllocatedMethodId,
    NULL AS HostProviderName,
    NULL AS ServiceProviderName,
    NULL AS ChargeSubcategory,
    NULL AS SkuPriceDetails,
    NULL AS x_SkuDetails,
    NULL AS x_InstanceType,
    NULL AS x_UsageType,
    NULL AS x_Operation,
    NULL AS AllocatedResourceId
FROM marked WHERE NOT is_whole
GROUP BY
    BillingCurrency,
    ChargeCategory,
    ChargeClass,
    ChargePeriodStart,
    ChargePeriodEnd,
    InvoiceId,
    ProviderName,
    unused,
    billed_sign,
    effective_sign,
    list_sign
FORMAT CSVWithNames
SETTINGS format_csv_null_representation = '', prefer_column_name_to_alias = 1, join_use_nulls = 1

-- Snowflake: a FOCUS table (1.2, as of AWS, with the columns of others), thinned to what gputab reads of it.
--
--     snowsql -f snowflake-focus.sql -o output_format=csv -o header=true -o timing=false -o friendly=false -o quiet=true |
--         gputab report --month 2026-10 --billing - --metrics metrics.om --rule rule.yaml
--
-- Write table and month into the lines below "FROM focus". Names may come out in capitals: gputab knows them so, too. If your
-- table was made with quoted names, quote them in the first block. README.md says which rows stay, which are summed, and what that loses.
--
-- A column that your table lacks: delete its lines, here and below (also in GROUP BY), instead of writing NULL. Those with x_ are
-- some providers' own.
WITH bill AS (
    SELECT
        CAST(BilledCost AS number(38, 12)) AS BilledCost,
        CAST(EffectiveCost AS number(38, 12)) AS EffectiveCost,
        CAST(ListCost AS number(38, 12)) AS ListCost,
        nullif(CAST(BillingCurrency AS varchar), '') AS BillingCurrency,
        nullif(CAST(ChargeCategory AS varchar), '') AS ChargeCategory,
        nullif(CAST(ChargeClass AS varchar), '') AS ChargeClass,
        nullif(CAST(ChargeDescription AS varchar), '') AS ChargeDescription,
        ChargePeriodStart,
        ChargePeriodEnd,
        nullif(CAST(CommitmentDiscountCategory AS varchar), '') AS CommitmentDiscountCategory,
        nullif(CAST(CommitmentDiscountId AS varchar), '') AS CommitmentDiscountId,
        nullif(CAST(CommitmentDiscountStatus AS varchar), '') AS CommitmentDiscountStatus,
        nullif(CAST(CommitmentDiscountType AS varchar), '') AS CommitmentDiscountType,
        nullif(CAST(CapacityReservationStatus AS varchar), '') AS CapacityReservationStatus,
        ConsumedQuantity,
        nullif(CAST(ConsumedUnit AS varchar), '') AS ConsumedUnit,
        nullif(CAST(InvoiceId AS varchar), '') AS InvoiceId,
        nullif(CAST(PricingCategory AS varchar), '') AS PricingCategory,
        PricingQuantity,
        nullif(CAST(PricingUnit AS varchar), '') AS PricingUnit,
        nullif(CAST(ProviderName AS varchar), '') AS ProviderName,
        nullif(CAST(PublisherName AS varchar), '') AS PublisherName,
        nullif(CAST(RegionId AS varchar), '') AS RegionId,
        nullif(CAST(RegionName AS varchar), '') AS RegionName,
        nullif(CAST(ResourceId AS varchar), '') AS ResourceId,
        nullif(CAST(ResourceName AS varchar), '') AS ResourceName,
        nullif(CAST(ServiceCategory AS varchar), '') AS ServiceCategory,
        nullif(CAST(ServiceName AS varchar), '') AS ServiceName,
        nullif(CAST(SubAccountId AS varchar), '') AS SubAccountId,
        nullif(CAST(AvailabilityZone AS varchar), '') AS AvailabilityZone,
        nullif(CAST(SkuMeter AS varchar), '') AS SkuMeter,
        nullif(CAST(SkuId AS varchar), '') AS SkuId,
        nullif(CAST(SkuPriceId AS varchar), '') AS SkuPriceId,
        nullif(CAST(AllocatedMethodId AS varchar), '') AS AllocatedMethodId,
        nullif(CAST(HostProviderName AS varchar), '') AS HostProviderName,
        nullif(CAST(ServiceProviderName AS varchar), '') AS ServiceProviderName,
        nullif(CAST(ChargeSubcategory AS varchar), '') AS ChargeSubcategory,
        nullif(CAST(SkuPriceDetails AS varchar), '') AS SkuPriceDetails,
        nullif(CAST(x_SkuDetails AS varchar), '') AS x_SkuDetails,
        nullif(CAST(x_InstanceType AS varchar), '') AS x_InstanceType,
        nullif(CAST(x_UsageType AS varchar), '') AS x_UsageType,
        nullif(CAST(x_Operation AS varchar), '') AS x_Operation,
        nullif(CAST(AllocatedResourceId AS varchar), '') AS AllocatedResourceId
    FROM focus
    WHERE ChargePeriodStart >= '2026-10-01' AND ChargePeriodStart < '2026-11-01'
),
texts AS (
    SELECT bill.*,
        regexp_substr(lower(ResourceId), '[^/]*$') AS machine,
        lower(coalesce(SkuPriceDetails, '') || ' ' || coalesce(x_SkuDetails, '') || ' ' || coalesce(x_InstanceType, '')
            || ' ' || coalesce(SkuMeter, '') || ' ' || coalesce(x_UsageType, '') || ' ' || coalesce(ChargeDescription, '')) AS words,
        lower(coalesce(SkuMeter, '') || ' ' || coalesce(x_UsageType, '')) AS meter
    FROM bill
),
judged AS (                -- by words of types with GPUs
    SELECT texts.*,
        regexp_instr(words, '(^|[^a-z0-9])(p[2-9]|g[2-9]|gr[2-9]|inf[0-9]|trn[0-9]|dl[0-9])[a-z0-9-]*([. ]|$)') > 0
            OR regexp_instr(words, '(^|[^a-z0-9])((a[2-9]|g[2-9])(-|plus| )|n[cdgv]+[0-9])') > 0
            OR regexp_instr(words, 'nvidia|gpu([^c]|$)|gpucount": *"?[1-9]') > 0 AS names_gpu,
        CASE WHEN regexp_instr(meter, 'unused(box|ded):') > 0
            OR lower(CommitmentDiscountStatus) = 'unused' OR lower(CapacityReservationStatus) = 'unused'
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

-- DuckDB: a FOCUS export in Parquet (1.0 and later), thinned to what gputab reads of it.
--
--     duckdb < duckdb-focus.sql | gputab report --month 2026-10 --billing - --metrics metrics.om --rule rule.yaml
--
-- Write where your files are into the line with read_parquet; s3://... works, too. A column that they lack is left out.
-- README.md says which rows stay, which are summed, and what that loses.
CREATE TEMP MACRO cell(x) AS        -- text as it stands in CSV; a map as a JSON object
    CASE WHEN typeof(x) LIKE 'MAP%' OR typeof(x) LIKE 'STRUCT%' THEN to_json(x)::VARCHAR
        WHEN lower(trim(x::VARCHAR)) NOT IN ('', 'null') THEN trim(x::VARCHAR) END;
CREATE TEMP MACRO is_read(c) AS c IN (
    'BillingCurrency', 'ChargeCategory', 'ChargeClass', 'ChargeDescription', 'ChargePeriodStart', 'ChargePeriodEnd',
    'CommitmentDiscountCategory', 'CommitmentDiscountId', 'CommitmentDiscountStatus', 'CommitmentDiscountType',
    'CapacityReservationStatus', 'ConsumedQuantity', 'ConsumedUnit', 'InvoiceId', 'PricingCategory', 'PricingQuantity', 'PricingUnit',
    'ProviderName', 'PublisherName', 'RegionId', 'RegionName', 'ResourceId', 'ResourceName', 'ServiceCategory', 'ServiceName',
    'SubAccountId', 'AvailabilityZone', 'SkuMeter', 'SkuId', 'SkuPriceId', 'AllocatedMethodId', 'HostProviderName', 'ServiceProviderName',
    'ChargeSubcategory',
    'SkuPriceDetails', 'x_SkuDetails', 'x_InstanceType', 'x_UsageType', 'x_Operation', 'AllocatedResourceId');
CREATE TEMP MACRO is_amount(c) AS c IN ('BilledCost', 'EffectiveCost', 'ListCost');

COPY (
WITH asked AS (            -- named below, but not in every file
    SELECT NULL::VARCHAR AS ChargeDescription, NULL::VARCHAR AS CommitmentDiscountStatus, NULL::VARCHAR AS CapacityReservationStatus,
        NULL::VARCHAR AS SkuMeter, NULL::VARCHAR AS SkuPriceDetails, NULL::VARCHAR AS x_SkuDetails, NULL::VARCHAR AS x_InstanceType,
        NULL::VARCHAR AS x_UsageType, NULL::VARCHAR AS AllocatedResourceId
    LIMIT 0
),
files AS (
    SELECT * FROM asked UNION ALL BY NAME SELECT * FROM read_parquet('bill/*.parquet', union_by_name = true)
),
bill AS (
    SELECT cell(COLUMNS(c -> is_read(c))) AS "\0", cell(COLUMNS(c -> is_amount(c)))::DECIMAL(38, 12) AS "\0" FROM files
),
texts AS (
    SELECT *, regexp_extract(lower(ResourceId), '[^/]*$') AS machine,
        lower(concat_ws(' ', SkuPriceDetails, x_SkuDetails, x_InstanceType, SkuMeter, x_UsageType, ChargeDescription)) AS words
    FROM bill
),
judged AS (                -- by words of types with GPUs
    SELECT *,
        regexp_matches(words, '(^|[^a-z0-9])(p[2-9]|g[2-9]|gr[2-9]|inf[0-9]|trn[0-9]|dl[0-9])[a-z0-9-]*([. ]|$)')
            OR regexp_matches(words, '(^|[^a-z0-9])((a[2-9]|g[2-9])(-|plus| )|n[cdgv]+[0-9])')
            OR regexp_matches(words, 'nvidia|gpu([^c]|$)|gpucount": *"?[1-9]') AS names_gpu,
        coalesce(regexp_matches(lower(concat_ws(' ', SkuMeter, x_UsageType)), 'unused(box|ded):'), false)
            OR coalesce(lower(CommitmentDiscountStatus) = 'unused' OR lower(CapacityReservationStatus) = 'unused', false) AS unused
    FROM texts
),
gpu AS (
    SELECT DISTINCT machine FROM judged WHERE (names_gpu OR AllocatedResourceId IS NOT NULL) AND machine IS NOT NULL
),
marked AS (                -- also whole: machines with allocated rows, of which gputab looks whether they repeat money
    SELECT judged.*, gpu.machine IS NOT NULL OR AllocatedResourceId IS NOT NULL AS is_whole
    FROM judged LEFT JOIN gpu ON judged.machine = gpu.machine
)
SELECT COLUMNS(c -> is_read(c) OR is_amount(c)) FROM marked WHERE is_whole
UNION ALL BY NAME
SELECT COLUMNS(c -> is_read(c) OR is_amount(c)) FROM (
    SELECT COLUMNS(c -> c IN ('BillingCurrency', 'ChargeCategory', 'ChargeClass', 'ChargePeriodStart', 'ChargePeriodEnd', 'InvoiceId',
            'ProviderName')),
        CASE WHEN unused THEN 'Unused' END AS CommitmentDiscountStatus,
        sign(COLUMNS(c -> is_amount(c))) AS "sign of \0",    -- apart, since it decides, and since a missing amount is no zero
        sum(COLUMNS(c -> is_amount(c))) AS "\0"
    FROM marked WHERE NOT is_whole GROUP BY ALL)
) TO '/dev/stdout' (FORMAT csv, HEADER);

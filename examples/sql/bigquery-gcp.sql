-- BigQuery: Google Cloud's detailed export of billing data, thinned to what gputab reads of it.
--
--     bq query --use_legacy_sql=false --format=csv --max_rows=100000000 < bigquery-gcp.sql |
--         gputab report --month 2026-10 --billing - --metrics metrics.om --rule rule.yaml
--
-- Write table and month into the lines below "FROM `". README.md says which rows stay, which are summed, and what that loses. Credits
-- are one cell: the columns of rows that were joined with their credits (credits_amount and its kin) have no place here.
--
-- A column that your table lacks: delete its lines, here and below (also in GROUP BY), instead of writing NULL.
WITH bill AS (
    SELECT
        round(CAST(CAST(cost AS string) AS bignumeric), 12) AS cost,
        currency,
        usage_start_time,
        usage_end_time,
        sku.description AS sku_description,
        service.id AS service_id,
        service.description AS service_description,
        project.id AS project_id,
        location.location AS location_location,
        location.region AS location_region,
        location.zone AS location_zone,
        usage.amount AS usage_amount,
        usage.unit AS usage_unit,
        usage.amount_in_pricing_units AS usage_amount_in_pricing_units,
        usage.pricing_unit AS usage_pricing_unit,
        credits,
        invoice.month AS invoice_month,
        cost_type,
        resource.name AS resource_name,
        resource.global_name AS resource_global_name,
        to_json_string(system_labels) AS system_labels,
        adjustment_info.id AS adjustment_info_id,
        adjustment_info.type AS adjustment_info_type,
        adjustment_info.mode AS adjustment_info_mode,
        consumption_model.description AS consumption_model_description,
        round(CAST(CAST(cost_at_list AS string) AS bignumeric), 12) AS cost_at_list,
        export_time
    FROM `project.dataset.gcp_billing_export_resource_v1_XXXXXX_XXXXXX_XXXXXX`
    WHERE usage_start_time >= '2026-10-01' AND usage_start_time < '2026-11-01'
),
judged AS (
    SELECT *,
        regexp_extract(lower(coalesce(resource_name, resource_global_name)), '([^/]*)$') AS machine,
        regexp_contains(lower(concat(coalesce(sku_description, ''), ' ', coalesce(system_labels, ''))),
            '(^|[^a-z0-9])(a[2-9]|g[2-9])(-|plus| |[a-z]* instance)|nvidia|gpu|rtx') AS names_gpu,         -- types with GPUs
        regexp_contains(lower(coalesce(sku_description, '')), '(^|[^a-z0-9])commitment([^a-z0-9]|$)')
            AND (coalesce(service_description, 'Compute Engine') = 'Compute Engine' OR service_id = '6F81-5844-456A') AS commits,
        regexp_contains(coalesce(system_labels, ''), 'is_unused_reservation", *"value": *"true') AS unused,
        adjustment_info_id IS NOT NULL OR adjustment_info_type IS NOT NULL OR adjustment_info_mode IS NOT NULL AS corrects,
        coalesce(resource_name, resource_global_name) IS NOT NULL AS has_resource,
        sign(cost) AS cost_sign,                     -- rows are apart by it, since it decides, and since a missing amount is no zero
        sign(cost_at_list) AS list_sign
    FROM bill
),
marked AS (
    SELECT *,
        coalesce(machine IN (SELECT machine FROM judged WHERE names_gpu AND machine IS NOT NULL), false) AS is_whole
    FROM judged
),
summed AS (
    SELECT currency, usage_start_time, usage_end_time, invoice_month, cost_type, commits, unused, corrects, has_resource,
        sum(cost) AS cost, sum(cost_at_list) AS cost_at_list, max(export_time) AS export_time, array_concat_agg(credits) AS credits
    FROM marked WHERE NOT is_whole
    GROUP BY currency, usage_start_time, usage_end_time, invoice_month, cost_type, commits, unused, corrects, has_resource, cost_sign,
        list_sign
)
SELECT
    cost,
    currency,
    usage_start_time,
    usage_end_time,
    sku_description,
    service_id,
    service_description,
    project_id,
    location_location,
    location_region,
    location_zone,
    usage_amount,
    usage_unit,
    usage_amount_in_pricing_units,
    usage_pricing_unit,
    to_json_string(credits) AS credits,
    invoice_month,
    cost_type,
    resource_name,
    resource_global_name,
    system_labels,
    adjustment_info_id,
    adjustment_info_type,
    adjustment_info_mode,
    consumption_model_description,
    cost_at_list,
    export_time
FROM marked WHERE is_whole
UNION ALL
SELECT
    cost,
    currency,
    usage_start_time,
    usage_end_time,
    CASE WHEN commits THEN 'Commitment' ELSE 'summed' END AS sku_description,
    CAST(NULL AS string) AS service_id,
    CAST(NULL AS string) AS service_description,
    CAST(NULL AS string) AS project_id,
    CAST(NULL AS string) AS location_location,
    CAST(NULL AS string) AS location_region,
    CAST(NULL AS string) AS location_zone,
    CAST(NULL AS float64) AS usage_amount,
    CAST(NULL AS string) AS usage_unit,
    CAST(NULL AS float64) AS usage_amount_in_pricing_units,
    CAST(NULL AS string) AS usage_pricing_unit,
    to_json_string(ARRAY(
        SELECT AS STRUCT c.type AS type, CAST(sum(round(CAST(CAST(c.amount AS string) AS bignumeric), 12)) AS string) AS amount
        FROM UNNEST(credits) AS c GROUP BY type)) AS credits,
    invoice_month,
    cost_type,
    CASE WHEN has_resource THEN 'summed' END AS resource_name,
    CAST(NULL AS string) AS resource_global_name,
    CASE WHEN unused THEN '[{"key": "compute.googleapis.com/is_unused_reservation", "value": "true"}]' END AS system_labels,
    CAST(NULL AS string) AS adjustment_info_id,
    CASE WHEN corrects THEN 'summed' END AS adjustment_info_type,
    CAST(NULL AS string) AS adjustment_info_mode,
    CAST(NULL AS string) AS consumption_model_description,
    cost_at_list,
    export_time
FROM summed

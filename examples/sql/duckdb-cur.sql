-- DuckDB: an AWS Cost and Usage Report in Parquet (of the older kind, or CUR 2.0), thinned to what gputab reads of it.
--
--     duckdb < duckdb-cur.sql | gputab report --month 2026-10 --billing - --metrics metrics.om --rule rule.yaml
--
-- Write where your files are into the line with read_parquet; s3://... works, too. A column that they lack is left out.
-- README.md says which rows stay, which are summed, and what that loses.
CREATE TEMP MACRO cell(x) AS        -- text as it stands in CSV; a map as a JSON object
    CASE WHEN typeof(x) LIKE 'MAP%' OR typeof(x) LIKE 'STRUCT%' THEN to_json(x)::VARCHAR
        WHEN lower(trim(x::VARCHAR)) NOT IN ('', 'null') THEN trim(x::VARCHAR) END;
CREATE TEMP MACRO is_read(c) AS c IN (
    'line_item_line_item_type', 'line_item_currency_code', 'identity_time_interval', 'line_item_usage_start_date',
    'line_item_usage_end_date', 'line_item_usage_type', 'line_item_operation', 'line_item_usage_amount', 'pricing_unit',
    'line_item_product_code', 'bill_billing_entity', 'bill_invoice_id', 'line_item_resource_id', 'line_item_line_item_description',
    'reservation_reservation_arn', 'savings_plan_savings_plan_arn', 'split_line_item_parent_resource_id', 'product_instance_type',
    'product_region_code', 'product_region', 'product_vcpu', 'product_memory', 'product_gpu', 'product');
CREATE TEMP MACRO is_amount(c) AS c IN (
    'line_item_unblended_cost', 'line_item_net_unblended_cost', 'pricing_public_on_demand_cost', 'reservation_effective_cost',
    'reservation_net_effective_cost', 'reservation_unused_amortized_upfront_fee_for_billing_period',
    'reservation_net_unused_amortized_upfront_fee_for_billing_period', 'reservation_unused_recurring_fee',
    'reservation_net_unused_recurring_fee', 'savings_plan_savings_plan_effective_cost', 'savings_plan_net_savings_plan_effective_cost',
    'savings_plan_total_commitment_to_date', 'savings_plan_used_commitment');


COPY (
WITH asked AS (            -- named below, but not in every file
    SELECT NULL::VARCHAR AS identity_time_interval, NULL::VARCHAR AS line_item_operation,
        NULL::VARCHAR AS line_item_line_item_description, NULL::VARCHAR AS split_line_item_parent_resource_id,
        NULL::VARCHAR AS product_instance_type, NULL::VARCHAR AS product_gpu, NULL::VARCHAR AS product
    LIMIT 0
),
files AS (
    SELECT * FROM asked UNION ALL BY NAME SELECT * FROM read_parquet('bill/*.parquet', union_by_name = true)
),
bill AS (
    SELECT cell(COLUMNS(c -> is_read(c))) AS "\0", cell(COLUMNS(c -> is_amount(c)))::DECIMAL(38, 12) AS "\0" FROM files
),
judged AS (
    SELECT *,
        regexp_extract(lower(line_item_resource_id), '[^/]*$') AS machine,
        regexp_matches(lower(concat_ws(' ', product_instance_type, product, line_item_usage_type, line_item_line_item_description)),
            '(^|[^a-z0-9])(p[2-9]|g[2-9]|gr[2-9]|inf[0-9]|trn[0-9]|dl[0-9])[a-z0-9-]*([. ]|$)')              -- types with GPUs
            OR regexp_matches(concat_ws(' ', product_gpu, product), '^[1-9]|"gpu": *"[1-9]') AS names_gpu,
        coalesce(starts_with(line_item_operation, 'EKSPod-EC2') OR starts_with(line_item_operation, 'ECSTask-EC2'), false)
            OR coalesce(split_line_item_parent_resource_id <> coalesce(line_item_resource_id, ''), false) AS repeats,
        coalesce(regexp_matches(lower(line_item_usage_type), '(^|-)unused(box|ded)(:|$)'), false) AS unused,
        coalesce(regexp_matches(lower(line_item_usage_type), '(eks|ecs)-ec2-'), false) AS splits,
        contains(lower(line_item_line_item_description), 'refund for one-time fee for savings plan') AS refunds_plan
    FROM bill
),
gpu AS (
    SELECT DISTINCT machine FROM judged WHERE names_gpu AND machine IS NOT NULL
),
marked AS (                -- also whole: fees of capacity blocks, and what gputab shall refuse
    SELECT judged.*, gpu.machine IS NOT NULL OR coalesce(contains(lower(line_item_usage_type), 'capacityblock'), false)
            OR line_item_line_item_type IS NULL OR (line_item_unblended_cost IS NULL AND NOT repeats) AS is_whole
    FROM judged LEFT JOIN gpu ON judged.machine = gpu.machine
)
SELECT COLUMNS(c -> is_read(c) OR is_amount(c)) FROM marked WHERE is_whole
UNION ALL BY NAME
SELECT COLUMNS(c -> is_read(c) OR is_amount(c)) FROM (
    SELECT COLUMNS(c -> c IN ('line_item_line_item_type', 'line_item_currency_code', 'bill_invoice_id', 'identity_time_interval',
            'reservation_reservation_arn', 'savings_plan_savings_plan_arn')),
        CASE WHEN identity_time_interval IS NULL THEN line_item_usage_start_date END AS line_item_usage_start_date,
        CASE WHEN identity_time_interval IS NULL THEN line_item_usage_end_date END AS line_item_usage_end_date,
        CASE WHEN unused THEN 'UnusedBox' WHEN splits THEN 'EKS-EC2-summed' END AS line_item_usage_type,
        CASE WHEN refunds_plan THEN 'Refund for one-time fee for Savings Plan' END AS line_item_line_item_description,
        CASE WHEN repeats THEN 'summed' END AS split_line_item_parent_resource_id,
        COLUMNS(c -> is_amount(c)) IS NULL AS "no \0",       -- apart, since a missing amount is no zero
        sum(COLUMNS(c -> is_amount(c))) AS "\0"
    FROM marked WHERE NOT is_whole GROUP BY ALL)
) TO '/dev/stdout' (FORMAT csv, HEADER);

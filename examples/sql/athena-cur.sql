-- Athena: the table of a Cost and Usage Report (CUR 2.0 of Data Exports), thinned to what gputab reads of it.
--
--     id=$(aws athena start-query-execution --work-group primary --query-execution-context Database=DATABASE \
--         --result-configuration OutputLocation=s3://BUCKET/ --query-string file://athena-cur.sql --output text)
--     aws s3 cp s3://BUCKET/$id.csv - | gputab report --month 2026-10 --billing - --metrics metrics.om --rule rule.yaml
--
-- The copy waits for nothing: ask for the state first, with aws athena get-query-execution. Write table and month into the lines below
-- "FROM cur". README.md says which rows stay, which are summed, and what that loses.
--
-- A column that your table lacks: delete its lines, here and below (also in GROUP BY), instead of writing NULL. A table without the
-- columns "net" must stay one: with `cost: net_effective` gputab takes them for a sign that discounts are in them.
-- The table of an older report has no map: write product_gpu for element_at(product, 'gpu') and so on, NULL for json_format(...),
-- and year = '2026' AND month = '10' for the month.
WITH bill AS (
    SELECT
        nullif(line_item_line_item_type, '') AS line_item_line_item_type,
        CAST(line_item_unblended_cost AS decimal(38, 12)) AS line_item_unblended_cost,
        CAST(line_item_net_unblended_cost AS decimal(38, 12)) AS line_item_net_unblended_cost,
        nullif(line_item_currency_code, '') AS line_item_currency_code,
        nullif(identity_time_interval, '') AS identity_time_interval,
        line_item_usage_start_date,
        line_item_usage_end_date,
        nullif(line_item_usage_type, '') AS line_item_usage_type,
        nullif(line_item_operation, '') AS line_item_operation,
        line_item_usage_amount,
        nullif(pricing_unit, '') AS pricing_unit,
        nullif(line_item_product_code, '') AS line_item_product_code,
        nullif(bill_billing_entity, '') AS bill_billing_entity,
        nullif(bill_invoice_id, '') AS bill_invoice_id,
        nullif(line_item_resource_id, '') AS line_item_resource_id,
        nullif(line_item_line_item_description, '') AS line_item_line_item_description,
        CAST(pricing_public_on_demand_cost AS decimal(38, 12)) AS pricing_public_on_demand_cost,
        CAST(reservation_effective_cost AS decimal(38, 12)) AS reservation_effective_cost,
        CAST(reservation_net_effective_cost AS decimal(38, 12)) AS reservation_net_effective_cost,
        nullif(reservation_reservation_arn, '') AS reservation_reservation_arn,
        CAST(reservation_unused_amortized_upfront_fee_for_billing_period AS decimal(38, 12))
            AS reservation_unused_amortized_upfront_fee_for_billing_period,
        CAST(reservation_net_unused_amortized_upfront_fee_for_billing_period AS decimal(38, 12))
            AS reservation_net_unused_amortized_upfront_fee_for_billing_period,
        CAST(reservation_unused_recurring_fee AS decimal(38, 12)) AS reservation_unused_recurring_fee,
        CAST(reservation_net_unused_recurring_fee AS decimal(38, 12)) AS reservation_net_unused_recurring_fee,
        CAST(savings_plan_savings_plan_effective_cost AS decimal(38, 12)) AS savings_plan_savings_plan_effective_cost,
        CAST(savings_plan_net_savings_plan_effective_cost AS decimal(38, 12)) AS savings_plan_net_savings_plan_effective_cost,
        nullif(savings_plan_savings_plan_arn, '') AS savings_plan_savings_plan_arn,
        CAST(savings_plan_total_commitment_to_date AS decimal(38, 12)) AS savings_plan_total_commitment_to_date,
        CAST(savings_plan_used_commitment AS decimal(38, 12)) AS savings_plan_used_commitment,
        nullif(split_line_item_parent_resource_id, '') AS split_line_item_parent_resource_id,
        nullif(product_instance_type, '') AS product_instance_type,
        nullif(product_region_code, '') AS product_region_code,
        element_at(product, 'region') AS product_region,
        element_at(product, 'vcpu') AS product_vcpu,
        element_at(product, 'memory') AS product_memory,
        element_at(product, 'gpu') AS product_gpu,
        json_format(CAST(product AS json)) AS product
    FROM cur
    WHERE billing_period = '2026-10'
),
judged AS (
    SELECT *,
        regexp_extract(lower(line_item_resource_id), '[^/]*$') AS machine,
        regexp_like(lower(concat_ws(' ', product_instance_type, product, line_item_usage_type, line_item_line_item_description)),
            '(^|[^a-z0-9])(p[2-9]|g[2-9]|gr[2-9]|inf[0-9]|trn[0-9]|dl[0-9])[a-z0-9-]*([. ]|$)')              -- types with GPUs
            OR regexp_like(coalesce(product_gpu, ''), '^[1-9]') AS names_gpu,
        coalesce(line_item_operation LIKE 'EKSPod-EC2%' OR line_item_operation LIKE 'ECSTask-EC2%', false)
            OR coalesce(split_line_item_parent_resource_id <> coalesce(line_item_resource_id, ''), false) AS repeats,
        regexp_like(lower(coalesce(line_item_usage_type, '')), '(^|-)unused(box|ded)(:|$)') AS unused,
        regexp_like(lower(coalesce(line_item_usage_type, '')), '(eks|ecs)-ec2-') AS splits,
        strpos(lower(coalesce(line_item_line_item_description, '')), 'refund for one-time fee for savings plan') > 0 AS refunds_plan
    FROM bill
),
marked AS (                -- also whole: fees of capacity blocks, and what gputab shall refuse
    SELECT *,
        coalesce(machine IN (SELECT machine FROM judged WHERE names_gpu AND machine IS NOT NULL), false)
            OR strpos(lower(coalesce(line_item_usage_type, '')), 'capacityblock') > 0
            OR line_item_line_item_type IS NULL OR (line_item_unblended_cost IS NULL AND NOT repeats) AS is_whole
    FROM judged
)
SELECT
    line_item_line_item_type,
    line_item_unblended_cost,
    line_item_net_unblended_cost,
    line_item_currency_code,
    identity_time_interval,
    line_item_usage_start_date,
    line_item_usage_end_date,
    line_item_usage_type,
    line_item_operation,
    line_item_usage_amount,
    pricing_unit,
    line_item_product_code,
    bill_billing_entity,
    bill_invoice_id,
    line_item_resource_id,
    line_item_line_item_description,
    pricing_public_on_demand_cost,
    reservation_effective_cost,
    reservation_net_effective_cost,
    reservation_reservation_arn,
    reservation_unused_amortized_upfront_fee_for_billing_period,
    reservation_net_unused_amortized_upfront_fee_for_billing_period,
    reservation_unused_recurring_fee,
    reservation_net_unused_recurring_fee,
    savings_plan_savings_plan_effective_cost,
    savings_plan_net_savings_plan_effective_cost,
    savings_plan_savings_plan_arn,
    savings_plan_total_commitment_to_date,
    savings_plan_used_commitment,
    split_line_item_parent_resource_id,
    product_instance_type,
    product_region_code,
    product_region,
    product_vcpu,
    product_memory,
    product_gpu,
    product
FROM marked WHERE is_whole
UNION ALL
SELECT
    line_item_line_item_type,
    sum(line_item_unblended_cost) AS line_item_unblended_cost,
    sum(line_item_net_unblended_cost) AS line_item_net_unblended_cost,
    line_item_currency_code,
    identity_time_interval,
    CASE WHEN identity_time_interval IS NULL THEN line_item_usage_start_date END AS line_item_usage_start_date,
    CASE WHEN identity_time_interval IS NULL THEN line_item_usage_end_date END AS line_item_usage_end_date,
    CASE WHEN unused THEN 'UnusedBox' WHEN splits THEN 'EKS-EC2-summed' END AS line_item_usage_type,
    NULL AS line_item_operation,
    NULL AS line_item_usage_amount,
    NULL AS pricing_unit,
    NULL AS line_item_product_code,
    NULL AS bill_billing_entity,
    bill_invoice_id,
    NULL AS line_item_resource_id,
    CASE WHEN refunds_plan THEN 'Refund for one-time fee for Savings Plan' END AS line_item_line_item_description,
    sum(pricing_public_on_demand_cost) AS pricing_public_on_demand_cost,
    sum(reservation_effective_cost) AS reservation_effective_cost,
    sum(reservation_net_effective_cost) AS reservation_net_effective_cost,
    reservation_reservation_arn,
    sum(reservation_unused_amortized_upfront_fee_for_billing_period) AS reservation_unused_amortized_upfront_fee_for_billing_period,
    sum(reservation_net_unused_amortized_upfront_fee_for_billing_period) AS reservation_net_unused_amortized_upfront_fee_for_billing_period,
    sum(reservation_unused_recurring_fee) AS reservation_unused_recurring_fee,
    sum(reservation_net_unused_recurring_fee) AS reservation_net_unused_recurring_fee,
    sum(savings_plan_savings_plan_effective_cost) AS savings_plan_savings_plan_effective_cost,
    sum(savings_plan_net_savings_plan_effective_cost) AS savings_plan_net_savings_plan_effective_cost,
    savings_plan_savings_plan_arn,
    sum(savings_plan_total_commitment_to_date) AS savings_plan_total_commitment_to_date,
    sum(savings_plan_used_commitment) AS savings_plan_used_commitment,
    CASE WHEN repeats THEN 'summed' END AS split_line_item_parent_resource_id,
    NULL AS product_instance_type,
    NULL AS product_region_code,
    NULL AS product_region,
    NULL AS product_vcpu,
    NULL AS product_memory,
    NULL AS product_gpu,
    NULL AS product
FROM marked WHERE NOT is_whole
GROUP BY
    line_item_line_item_type,
    line_item_currency_code,
    identity_time_interval,
    bill_invoice_id,
    reservation_reservation_arn,
    savings_plan_savings_plan_arn,
    CASE WHEN identity_time_interval IS NULL THEN line_item_usage_start_date END,
    CASE WHEN identity_time_interval IS NULL THEN line_item_usage_end_date END,
    CASE WHEN unused THEN 'UnusedBox' WHEN splits THEN 'EKS-EC2-summed' END,
    CASE WHEN refunds_plan THEN 'Refund for one-time fee for Savings Plan' END,
    CASE WHEN repeats THEN 'summed' END,
    line_item_unblended_cost IS NULL,
    line_item_net_unblended_cost IS NULL,
    pricing_public_on_demand_cost IS NULL,
    reservation_effective_cost IS NULL,
    reservation_net_effective_cost IS NULL,
    reservation_unused_amortized_upfront_fee_for_billing_period IS NULL,
    reservation_net_unused_amortized_upfront_fee_for_billing_period IS NULL,
    reservation_unused_recurring_fee IS NULL,
    reservation_net_unused_recurring_fee IS NULL,
    savings_plan_savings_plan_effective_cost IS NULL,
    savings_plan_net_savings_plan_effective_cost IS NULL,
    savings_plan_total_commitment_to_date IS NULL,
    savings_plan_used_commitment IS NULL

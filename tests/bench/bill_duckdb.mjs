// What bill_read does, in DuckDB: bill_duckdb.mjs FOLDER THREADS FILE KIND START RESOURCE QUANTITY CURRENCY COST
// FOLDER: where npm put @duckdb/node-api; then the file and the names of the columns. Prints the same line of JSON.
import { createRequire } from 'node:module';

const [folder, threads, file, kind, start, resource, quantity, currency, cost] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(folder + '/')('@duckdb/node-api');
const db = await DuckDBInstance.create(':memory:', { threads });
const connection = await db.connect();
const exact = (column) => `cast(${column} as decimal(38, 12))`;
const nodes = `filter (where starts_with(${resource}, 'i-09f') and ${kind} = 'Usage' and starts_with(${start}, '2026-10')
    and ${currency} = 'USD')`;
const read = `read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', strict_mode = true)`;
const answer = await connection.runAndReadAll(`
    select count(*) as rows, sum(${exact(cost)}) as cost, count(*) ${nodes} as node_rows, sum(${exact(cost)}) ${nodes} as node_cost,
        sum(case when starts_with(${resource}, 'i-09f') then ${exact(quantity)} end) ${nodes} as node_quantity
    from ${read}`);
console.log(JSON.stringify(answer.getRowObjectsJson()[0]));

// query.js: runs the SQL on its standard input in a DuckDB of its own; what it copies to /dev/stdout is this program's output.
'use strict';
const {readFileSync} = require('fs');
const {DuckDBInstance} = require('@duckdb/node-api');

async function main() {
    const instance = await DuckDBInstance.create(':memory:', {threads: '2'});
    const connection = await instance.connect();

    await connection.run(readFileSync(0, 'utf8'));
}

main().catch((e) => {
    console.error(e.message);
    process.exit(1);
});

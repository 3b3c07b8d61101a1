// Runs the SQL on standard input, and prints the rows of the last statement, one a line.
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'

const { Client } = createRequire(`${process.env.PROJECT}/package.json`)('pg')
const client = new Client({ connectionString: process.argv[2] })
await client.connect()
const results = [await client.query(await text(process.stdin))].flat()
for (const row of results.at(-1).rows) console.log(Object.values(row).join(' | '))
await client.end()

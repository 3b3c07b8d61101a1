// Stands in for PostgreSQL in a container. Prints its connection string, and ends with the page.
const { PROJECT } = process.env
const { postgres } = await import(`${PROJECT}/dist/test/support/postgres.js`)
const { Client } = (await import(`${PROJECT}/node_modules/pg/lib/index.js`)).default
const server = await postgres()
const client = new Client({ connectionString: server.connection() })
await client.connect()
await client.query(`create role postgres superuser login password 'sunflower'`)
await client.end()
console.log(`127.0.0.1:${server.port}`)
setInterval(() => undefined, 60_000)

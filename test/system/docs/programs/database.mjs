// A PostgreSQL of its own for a page; its connection string is the first line, and it ends with the page.
const { postgres } = await import(`${process.env.PROJECT}/dist/test/support/postgres.js`)
const server = await postgres()
console.log(await server.freshDatabase())
setInterval(() => undefined, 60_000)

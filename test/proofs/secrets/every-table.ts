import pg from 'pg'

/** A table with all that lies in it. */
export interface Table {
  readonly name: string
  /** One for each value: of bytes themselves, of everything else its text. */
  readonly values: readonly Buffer[]
}

/** Every table of a database but those of PostgreSQL itself. */
export async function everyTable(connectionString: string): Promise<readonly Table[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p', 'm', 'S') and nspname not in ('pg_catalog', 'information_schema') and nspname not like 'pg_toast%'
       order by 1`,
    )
    const tables: Table[] = []
    for (const { name } of rows as readonly { readonly name: string }[]) {
      const found = await client.query({ text: `select * from ${name}`, rowMode: 'array' })
      const values = (found.rows as unknown[][]).flat().filter(value => value !== null)
      tables.push({ name, values: values.map(bytesOf) })
    }
    return tables
  } finally {
    await client.end()
  }
}

function bytesOf(value: unknown): Buffer {
  if (Buffer.isBuffer(value)) return value
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}

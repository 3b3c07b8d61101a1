import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { documentSchemas } from '../../src/schema/document-schemas.js'
import { buildVersionSchema, editorSchemas } from '../../src/schema/editor-schemas.js'
import { fakeHost } from '../support/fake-host.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const satisfies = (schema: keyof typeof documentSchemas, document: unknown) =>
  expect(listSchemaErrors(schema, document)).toEqual([])
const quickstart = 'examples/quickstart.yaml'
const invalid = 'test/invalid/volume/missing-component.yaml'

test('reports for CI systems name files relative to the working folder, other formats as given', async () => {
  const check = async (file: string, format: string) => {
    const host = fakeHost()
    await run(['validate', file, '--format', format], host)
    return host.out()
  }
  for (const file of [`./${invalid}`, resolve(invalid), `examples/../${invalid}`]) {
    expect(await check(file, 'gitlab')).toBe(await check(invalid, 'gitlab'))
    expect(await check(file, 'sarif')).toBe(await check(invalid, 'sarif'))
    expect(await check(file, 'github')).toContain(`file=${invalid},`)
    expect(await check(file, 'text')).toContain(`${file}:`)
    expect(JSON.parse(await check(file, 'json')).diagnostics[0].file).toBe(file)
  }
})

test.each([
  [['--max-problems', '2'], 2, 5],
  [['--max-problems', '0'], 7, 0],
  [[], 7, 0],
])('%j limits text and annotations, but no other formats', async (options, shown, rest) => {
  const input = `spec: {}\n${Array.from({ length: 5 }, (_, at) => `extra${at}: 1\n`).join('')}`
  const check = async (format: string) => {
    const host = fakeHost({ input })
    await run(['validate', '-', '--format', format, ...options], host)
    return host.out()
  }
  expect((await check('text')).match(/^<stdin>:/gm)).toHaveLength(shown)
  expect((await check('text')).includes(`… and ${rest} more`)).toBe(rest > 0)
  expect((await check('github')).match(/^::error /gm)).toHaveLength(shown)
  expect((await check('github')).includes(`::${rest} more of 7`)).toBe(rest > 0)
  expect(JSON.parse(await check('json')).diagnostics).toHaveLength(7)
})

test.each(['-1', '1.5', 'many'])('--max-problems %p is rejected', async most => {
  expect(await run(['validate', quickstart, '--max-problems', most], fakeHost())).toBe(64)
})

test('the event stream has one documented object on each line, the first with the format version', async () => {
  const file = join(await temporaryFolder(), 'events.ndjson')
  await run(['apply', '--emulate', quickstart, '--events', file], fakeHost())
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(events[0]).toMatchObject({ type: 'stream-started', formatVersion: 1 })
  expect(events.at(-1)).toMatchObject({ type: 'stream-finished', outcome: { kind: 'done' } })
  for (const event of events) satisfies('event', event)
})

test('--progress json prints the same stream on stderr', async () => {
  const host = fakeHost()
  await run(['apply', '--emulate', quickstart, '--progress', 'json'], host)
  for (const line of host.err().trimEnd().split('\n')) satisfies('event', JSON.parse(line))
})

test('the schema command prints the schema for editors, or that of a version', async () => {
  const [editor, older] = [fakeHost(), fakeHost()]
  await run(['schema'], editor)
  await run(['schema', '--service-version', '11.0'], older)
  expect(JSON.parse(editor.out())).toEqual(JSON.parse(JSON.stringify(editorSchemas.deployment())))
  expect(JSON.parse(older.out())).toEqual(JSON.parse(JSON.stringify(buildVersionSchema('10.9.1'))))
})

import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { run } from '../../src/cli/run.js'
import type { documentSchemas } from '../../src/schema/document-schemas.js'
import { editorSchema, manifestSchema } from '../../src/schema/manifest-schema.js'
import { fakeHost } from '../support/fake-host.js'
import { schemaComplaints } from '../support/schema-complaints.js'

const satisfies = (schema: keyof typeof documentSchemas, document: unknown) =>
  expect(schemaComplaints(schema, document)).toEqual([])
const quickstart = 'examples/quickstart.yaml'
const invalid = 'test/invalid/volume/missing-component.yaml'
const folder = () => mkdtempSync(join(tmpdir(), 'landform-formats-'))

test.each([
  ['validate', 'validation', ['validate', quickstart]],
  ['validate of an invalid manifest', 'validation', ['validate', invalid, quickstart]],
  ['plan', 'plan', ['plan', '--emulate', quickstart]],
  ['plan of an invalid manifest', 'failure', ['plan', '--emulate', invalid]],
  ['plan of nothing', 'failure', ['plan', 'nowhere.yaml']],
  ['plan of a site that does not answer', 'failure', ['plan', quickstart, '--url', 'http://127.0.0.1:9/a']],
  ['status', 'status', ['status', '--emulate', quickstart]],
  ['apply', 'receipt', ['apply', '--emulate', quickstart]],
  ['apply without a yes', 'failure', ['apply', quickstart, '--allow-origin', 'https://other.example.org']],
] as const)('%s in JSON is one document of its schema', async (_name, schema, args) => {
  const host = fakeHost()
  await run([...args, '--format', 'json'], host)
  satisfies(schema, JSON.parse(host.out()))
})

test('one run writes text for people and JSON for machines', async () => {
  const file = join(folder(), 'plan.json')
  const host = fakeHost()
  expect(
    await run(['plan', '--emulate', quickstart, '--format', 'text', '--format', `json=${file}`], host),
  ).toBe(0)
  expect(host.out()).toContain('Plan: 1 to create, 1 to update, 0 to attach, 0 unchanged.')
  satisfies('plan', JSON.parse(readFileSync(file, 'utf8')))
})

test('the event stream has one documented object a line, the first with the version of the format', async () => {
  const file = join(folder(), 'events.ndjson')
  await run(['apply', '--emulate', quickstart, '--events', file], fakeHost())
  const events = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(events[0]).toMatchObject({ type: 'stream-started', formatVersion: 1 })
  expect(events.at(-1)).toMatchObject({ type: 'stream-finished', outcome: { kind: 'done' } })
  for (const event of events) satisfies('event', event)
})

test('--progress json puts the same stream on stderr', async () => {
  const host = fakeHost()
  await run(['apply', '--emulate', quickstart, '--progress', 'json'], host)
  for (const line of host.err().trimEnd().split('\n')) satisfies('event', JSON.parse(line))
})

test('the schema command prints the schema for editors, or the one of a version', async () => {
  const [editor, older] = [fakeHost(), fakeHost()]
  await run(['schema'], editor)
  await run(['schema', '--service-version', '11.0'], older)
  expect(JSON.parse(editor.out())).toEqual(JSON.parse(JSON.stringify(editorSchema())))
  expect(JSON.parse(older.out())).toEqual(JSON.parse(JSON.stringify(manifestSchema('10.9.1'))))
})

test('standard input is a manifest like any other', async () => {
  const host = fakeHost({ input: readFileSync(invalid, 'utf8') })
  expect(await run(['validate', '-'], host)).toBe(65)
  expect(host.out()).toContain('<stdin>:')
})

test('a warning fails a check only when asked to', async () => {
  const text = readFileSync(quickstart, 'utf8').replace('  profile:', '  extra: { newThing: 1 }\n  profile:')
  expect(await run(['validate', '-'], fakeHost({ input: text }))).toBe(0)
  expect(await run(['validate', '-', '--fail-on', 'warning'], fakeHost({ input: text }))).toBe(65)
})

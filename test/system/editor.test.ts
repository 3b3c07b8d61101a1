import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { expandedText } from '../support/expanded-snippet.js'
import { root } from '../support/manifests.js'

/** The YAML language server of editors, used over its standard input and output. */
interface LanguageServer {
  request(method: string, params: JsonValue): Promise<JsonValue>
  notify(method: string, params: JsonObject): void
  /** Resolves with the next diagnostics of a document. */
  nextDiagnostics(uri: string): Promise<JsonValue>
  stop(): Promise<void>
}

const program = join(root, 'node_modules', 'yaml-language-server', 'bin', 'yaml-language-server')
const settings: JsonObject = { validate: true, hover: true, completion: true, schemaStore: { enable: false } }
const capabilities: JsonObject = {
  textDocument: {
    completion: { completionItem: { documentationFormat: ['markdown'], snippetSupport: true } },
    hover: { contentFormat: ['markdown'] },
  },
  workspace: { configuration: true },
}

/** Starts a server without a schema store, so it has no reason to use the network. */
async function startLanguageServer(): Promise<LanguageServer> {
  const server = spawn(process.execPath, [program, '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // Longer than any test. It guarantees that no process remains.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  // A server that stopped reading needs no further input.
  server.stdin.on('error', () => undefined)
  const ended = once(server, 'exit')
  const waiting = new Map<string, (result: JsonValue) => void>()
  const answered = (key: string) => new Promise<JsonValue>(resolve => waiting.set(key, resolve))
  const send = (message: JsonObject) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  let asked = 0
  const request = (method: string, params: JsonValue) => {
    asked += 1
    send({ id: asked, method, params })
    return answered(`${asked}`)
  }
  const received = (message: JsonObject) => {
    const { id = null, method, params = null, result = null, error = null } = message
    if (method === undefined) waiting.get(`${id}`)?.(error ?? result)
    else if (method === 'textDocument/publishDiagnostics' && isObject(params))
      waiting.get(`${params['uri']}`)?.(params['diagnostics'] ?? null)
    else if (id !== null) send({ id, result: answerTo(params) })
  }
  let bytes = Buffer.alloc(0)
  server.stdout.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (let message = firstMessage(bytes); message !== undefined; message = firstMessage(bytes)) {
      bytes = bytes.subarray(message.end)
      received(JSON.parse(message.text) as JsonObject)
    }
  })
  await request('initialize', { processId: process.pid, rootUri: pathToFileURL(root).href, capabilities })
  send({ method: 'initialized', params: {} })
  return {
    request,
    notify: (method, params) => send({ method, params }),
    nextDiagnostics: answered,
    async stop() {
      const forced = setTimeout(() => server.kill('SIGKILL'), 5000)
      await Promise.race([request('shutdown', null).then(() => send({ method: 'exit' })), ended])
      await ended
      clearTimeout(forced)
    },
  }
}

/** Answers requests of the server: one value for each setting that it asks for, null for registrations. */
function answerTo(params: JsonValue): JsonValue {
  const items = isObject(params) ? params['items'] : undefined
  if (!Array.isArray(items)) return null
  return items.map((item: JsonObject) => (item['section'] === 'yaml' ? settings : null))
}

function firstMessage(bytes: Buffer): { readonly text: string; readonly end: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  const [, length] = /^Content-Length: (\d+)/im.exec(bytes.toString('latin1', 0, Math.max(head, 0))) ?? []
  const [start, end] = [head + 4, head + 4 + Number(length)]
  return length === undefined || bytes.length < end
    ? undefined
    : { text: bytes.toString('utf8', start, end), end }
}

const quickstart = readFileSync(join(root, 'examples', 'quickstart.yaml'), 'utf8')
const production = readFileSync(join(root, 'examples', 'environments', 'production', 'site.yaml'), 'utf8')
/** Marks the position of the cursor. */
const cursor = '█'

interface Item {
  readonly label: string
  readonly textEdit?: { readonly newText: string }
  readonly documentation?: string | { readonly value: string }
}

let server: LanguageServer
let opened = 0

beforeAll(async () => {
  server = await startLanguageServer()
})
afterAll(() => server.stop())

describe('an editor with the YAML language server', () => {
  test.each<[string, string, readonly string[], string]>([
    [
      'the fields at the top',
      quickstart.replace('metadata:\n', `${cursor}\nmetadata:\n`),
      ['extends'],
      'maps merge key by key',
    ],
    [
      'the profiles with their descriptions',
      quickstart.replace('profile: development', `profile: ${cursor}`),
      ['enhanced-availability', 'standard-availability', 'development'],
      'Business-critical production with the highest availability. Most replicas, most hardware.',
    ],
    [
      'the fields of a volume',
      quickstart.replace(/ {4}QUEUE: .*/, `    QUEUE:\n      ${cursor}`),
      ['provisioningType', 'size', 'storageClass', 'labels'],
      'Default: `DYNAMIC`',
    ],
  ])('completes %s', async (_, text, labels, words) => {
    const items = await completions(text)
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining([...labels]))
    expect(documentationOf(items.find(({ label }) => label === labels[0]))).toContain(words)
  })

  test.each<[string, string, readonly string[]]>([
    [
      'a volume component',
      quickstart.replace('BLOB', `BL${cursor}OB`),
      ['#### BLOB', 'object store', 'Ozone', '`32Gi`', 'Reported: deployment guides'],
    ],
    [
      'the number of the secret question',
      quickstart.replace('question: What is your dream job?', `ind${cursor}ex: 13`),
      ['#### Index', 'starting at 1', 'Must be from 1 to 14.', '`securityQuestionIdx` of `configure`'],
    ],
    [
      'the type of a credential',
      withProvider(`- name: AWS\n      credential: { ty${cursor}pe: IAM-ROLE }\n      cloudServices: []`),
      [
        '#### Type',
        'The credential is of this type',
        '* `HMAC-KEYS`: The site signs in with a pair of HMAC keys.',
        'bucketName, region, rootDir',
      ],
    ],
  ])('explains %s', async (_, text, words) => {
    const shown = await hover(text)
    for (const word of words) expect(shown).toContain(word)
  })

  test.each([
    ['an element', '- '],
    ['a list', ''],
  ])('offers snippets for %s of cloud storage that are valid without changes', async (_, dash) => {
    const text = withProvider(dash + cursor)
    const pieces = (await completions(text)).filter(({ label }) => label.startsWith('cloud storage with'))
    expect(pieces).toHaveLength(7)
    for (const { label, textEdit } of pieces) {
      // Editors indent inserted lines like the line of the cursor.
      const inserted = expandedText(textEdit?.newText ?? '').replaceAll('\n', '\n    ')
      // These two types need a later version than the declared one.
      const isLater = /-ASSIGNED-IDENTITY$/.test(label)
      const declared = isLater ? text.replace('version: "11.2"', 'version: "11.5"') : text
      expect(errorsIn(declared.replace(cursor, inserted))).toEqual([])
    }
  })

  test('offers a whole manifest for an empty file', async () => {
    const text = `# yaml-language-server: $schema=../schemas/deployment.schema.json\n${cursor}`
    const piece = (await completions(text)).find(({ label }) => label === 'a whole manifest')
    expect(errorsIn(text.replace(cursor, expandedText(piece?.textEdit?.newText ?? '')))).toEqual([])
  })

  test('reports nothing for an example', async () => {
    expect(await open(quickstart).diagnostics).toEqual([])
  })

  test('reports nothing for an overlay', async () => {
    expect(await open(production, 'examples/environments/production').diagnostics).toEqual([])
  })

  test('reports nothing for a policy, and completes its paths with descriptions', async () => {
    const folder = 'examples/environments'
    const text = readFileSync(join(root, folder, 'landform.policy.yaml'), 'utf8')
    expect(await open(text, folder).diagnostics).toEqual([])
    const typing = text
      .replace('spec.profile: {', `spec.${cursor}: {`)
      .replaceAll('../../schemas', '../schemas')
    const items = await completions(typing)
    const labels = ['spec.profile', 'spec.volumes.*.size', 'spec.cloudStorage.*.credential.type']
    expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(labels))
    expect(documentationOf(items.find(({ label }) => label === labels[1]))).toContain(
      'The volume has this size',
    )
  })

  describe('in a manifest test', () => {
    const head =
      '# yaml-language-server: $schema=../schemas/test.schema.json\napiVersion: landform.dev/v1\nkind: SiteTest\ntests:\n'

    test.each<[string, string, readonly string[]]>([
      ['expectations', `expect:\n      ${cursor}`, ['exitCode', 'configured', 'diagnostics', 'within']],
      ['outcomes', `expect:\n      outcome: ${cursor}`, ['done', 'in-progress', 'site-failed']],
      ['events', `expect:\n      events:\n        - ${cursor}`, ['stage-stalled', 'site-ready']],
      ['codes', `expect:\n      diagnostics:\n        - code: ${cursor}`, ['volume/size', 'site/url']],
      ['changed fields', `with:\n      spec:\n        ${cursor}`, ['profile', 'volumes']],
      ['scenarios', `site:\n      scenario: ${cursor}`, ['stuck', 'stage-fails', 'drop-after-accept']],
    ])('completes %s', async (_, lines, labels) => {
      const items = await completions(`${head}  - name: a\n    ${lines}\n`)
      expect(items.map(({ label }) => label.replaceAll('"', ''))).toEqual(expect.arrayContaining([...labels]))
    })

    test('explains an expectation', async () => {
      const shown = await hover(`${head}  - name: a\n    expect: { confi${cursor}gured: 1 }\n`)
      expect(shown).toContain('The site accepted this number of configure requests')
    })
  })

  test('reports a value that is not allowed', async () => {
    const diagnostics = await open(quickstart.replace('profile: development', 'profile: developement'))
      .diagnostics
    expect(diagnostics).toHaveLength(1)
    expect(JSON.stringify(diagnostics)).toContain('standard-availability')
  })
})

function withProvider(text: string): string {
  return `${quickstart}  cloudStorage:\n    ${text}\n`
}

/** Opens a file that is not on disk. Its modeline is relative to the folder. */
function open(text: string, folder = 'examples') {
  opened += 1
  const uri = pathToFileURL(join(root, folder, `opened-${opened}.yaml`)).href
  const diagnostics = server.nextDiagnostics(uri)
  const textDocument = { uri, languageId: 'yaml', version: 1, text }
  server.notify('textDocument/didOpen', { textDocument })
  return { uri, diagnostics }
}

async function ask(method: 'completion' | 'hover', text: string) {
  const { uri } = open(text.replace(cursor, ''))
  const before = text.slice(0, text.indexOf(cursor)).split('\n')
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  return server.request(`textDocument/${method}`, { textDocument: { uri }, position })
}

async function completions(text: string): Promise<readonly Item[]> {
  const reply = (await ask('completion', text)) as unknown as { readonly items: readonly Item[] }
  return reply.items
}

async function hover(text: string): Promise<string> {
  const reply = (await ask('hover', text)) as unknown as { readonly contents: { readonly value: string } }
  return reply.contents.value
}

function documentationOf(item: Item | undefined): string {
  const { documentation = '' } = item ?? {}
  return typeof documentation === 'string' ? documentation : documentation.value
}

function errorsIn(text: string): readonly string[] {
  const { diagnostics } = loadManifest({ name: 'site.yaml', bytes: Buffer.from(text) })
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)
}

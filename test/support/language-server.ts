import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { root } from './manifests.js'

/** The language server that editors run for YAML, asked over its standard input and output. */
export interface LanguageServer {
  request(method: string, params: JsonValue): Promise<JsonValue>
  notify(method: string, params: JsonObject): void
  /** What it says of a document the next time it looks at it. */
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

/** Starts one, without a schema store, so that it has no reason to look at the network. */
export async function startLanguageServer(): Promise<LanguageServer> {
  const server = spawn(process.execPath, [program, '--stdio'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // No test waits that long: whatever happens, nothing of it is left behind.
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  // What it does not read any more needs no answer.
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

/** The server asks for its settings, one answer an item, and for leave to register things. */
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

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Client, ClientAnswer, ClientRequest, Field } from './client.js'

const run = promisify(execFile)

/** curl, in either framing of a body. */
export function curl(framing: 'content-length' | 'chunked'): Client {
  const headers = framing === 'chunked' ? ['-H', 'Transfer-Encoding: chunked'] : []
  return {
    name: `curl, ${framing}`,
    needs: { packages: 'curl', probe: ['curl', '--version'] },
    get: url => curled([url]),
    post: ({ url, encoding, fields }) => curled([...headers, ...fields.flatMap(optionOf[encoding]), url]),
  }
}

const optionOf: Readonly<Record<ClientRequest['encoding'], (field: Field) => readonly string[]>> = {
  multipart: field => {
    if ('file' in field) return ['-F', `${field.name}=@${field.file}`]
    if ('valueFrom' in field) return ['-F', `${field.name}=<${field.valueFrom};type=application/json`]
    // curl reads these at the start as the name of a file, and the semicolon as the end.
    return /^[@<"]|;/.test(field.value)
      ? ['--form-string', `${field.name}=${field.value}`]
      : ['-F', `${field.name}=${field.value}`]
  },
  form: field => {
    if ('value' in field) return ['--data-urlencode', `${field.name}=${field.value}`]
    return ['--data-urlencode', `${field.name}@${'file' in field ? field.file : field.valueFrom}`]
  },
}

async function curled(args: readonly string[]): Promise<ClientAnswer> {
  // Neither the settings nor the proxy of the person who tests.
  const { stdout } = await run('curl', ['-q', '--noproxy', '*', '-sS', '-w', '\n%{http_code}', ...args])
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), body: JSON.parse(stdout.slice(0, end)) }
}

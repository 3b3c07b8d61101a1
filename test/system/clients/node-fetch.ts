import { readFile } from 'node:fs/promises'
import type { Client, ClientAnswer, Field } from './client.js'

/** The `fetch` of Node with the platform's own FormData. */
export const nodeFetch: Client = {
  name: 'fetch of Node',
  get: async url => answerOf(await fetch(url)),
  async post({ url, encoding, fields }) {
    const body = encoding === 'multipart' ? new FormData() : new URLSearchParams()
    for (const field of fields) {
      if (body instanceof FormData && 'file' in field)
        body.append(field.name, new Blob([await readFile(field.file)]), 'license.json')
      else body.append(field.name, await textOf(field))
    }
    return answerOf(await fetch(url, { method: 'POST', body }))
  },
}

async function textOf(field: Field): Promise<string> {
  if ('value' in field) return field.value
  return readFile('file' in field ? field.file : field.valueFrom, 'utf8')
}

async function answerOf(response: Response): Promise<ClientAnswer> {
  return { status: response.status, body: (await response.json()) as ClientAnswer['body'] }
}

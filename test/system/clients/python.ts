import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { python as program } from '../../proofs/multipart/debian-parsers.js'
import { root } from '../../support/manifests.js'
import type { Client, ClientAnswer } from './client.js'

/** Python with nothing but its standard library. */
export const python: Client = {
  name: 'Python urllib',
  needs: { packages: 'python3', probe: [program, '--version'] },
  get: url => asked({ url }),
  post: asked,
}

function asked(request: object): Promise<ClientAnswer> {
  return new Promise((resolve, reject) => {
    const file = join(root, 'test', 'system', 'clients', 'ask.py')
    const child = execFile(program, ['-B', file], (error, stdout) =>
      error === null ? resolve(JSON.parse(stdout)) : reject(error),
    )
    child.stdin?.end(JSON.stringify(request))
  })
}

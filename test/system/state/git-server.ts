import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { atEnd } from '../../support/at-end.js'
import { gitEnvironment } from '../../support/git-repositories.js'

interface GitServer {
  readonly url: string
  /** From now on the server carries out pushes without answering them. */
  losePushAnswers(): void
}

/** Serves a bare repository over HTTP with git's CGI program. Requests must have this `Authorization` header. */
export async function gitServer(bare: string, authorization: string): Promise<GitServer> {
  let losesPushAnswers = false
  const server = createServer((request, response) => {
    if (request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const isPush = request.method === 'POST' && request.url?.endsWith('/git-receive-pack') === true
    void answer(bare, request).then(end =>
      losesPushAnswers && isPush ? request.socket.destroy() : send(response, end),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/remote.git`,
    losePushAnswers: () => {
      losesPushAnswers = true
    },
  }
}

function answer(bare: string, request: IncomingMessage): Promise<Buffer> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...gitEnvironment,
      GIT_PROJECT_ROOT: dirname(bare),
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'somebody',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // The program may exit before it has read everything, for example when it rejects a push.
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise(resolve => child.once('close', () => resolve(Buffer.concat(chunks))))
}

/** Sends the output of a CGI program, whose header has the status as a line of its own. */
function send(response: ServerResponse, output: Buffer): void {
  const end = output.indexOf('\r\n\r\n')
  const header = output.toString('latin1', 0, end).split('\r\n')
  for (const line of header) {
    const [name = '', value = ''] = line.split(': ')
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
    else response.setHeader(name, value)
  }
  response.end(output.subarray(end + 4))
}

// A server in a process of its own that answers every request alike: the root resource of a site that is being
// configured, about 2 kB, or the word that an update was done. It reads bytes and keeps none. Prints its port.
import { createServer } from 'node:net'
import { stageNames } from '../../dist/src/contract/stages.js'

const started = 1_700_000_000_000
const stages = stageNames.map((name, index) => ({
  name,
  state: index < 6 ? 'completed' : index === 6 ? 'in_progress' : 'not_started',
  lastUpdated: started + index * 60_000,
  startTime: index > 6 ? 0 : started + index * 60_000,
}))
const root = JSON.stringify({
  fullVersion: '11.2.0',
  resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'],
  currentVersion: 11.2,
  status: { state: 'in_progress', message: 'Creating a new organization.', warnings: [], stages },
  info: { build: '51575' },
})
const ok = text =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  )
const answers = { root: ok(root), done: ok('{"status":"success"}') }

const server = createServer({ noDelay: true }, socket => {
  let head = ''
  let bodyLeft = 0
  let answer = answers.root
  const heard = chunk => {
    if (bodyLeft > 0) {
      bodyLeft -= chunk.length
      if (bodyLeft <= 0) socket.write(answer)
      return
    }
    head += chunk.latin1Slice()
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end)) ?? []
    answer = head.startsWith('POST') && head.includes('/update ') ? answers.done : answers.root
    bodyLeft = Number(length) - (head.length - end - 4)
    head = ''
    if (bodyLeft <= 0) socket.write(answer)
  }
  socket.on('data', heard).on('error', () => undefined)
})
server.listen({ port: 0, host: '0.0.0.0', backlog: 2000 }, () => {
  process.stdout.write(`${server.address().port}\n`)
})

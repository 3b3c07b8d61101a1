#!/usr/bin/env node
// Stands in for the program `gh` in tests: implements the calls that the workflow makes, on a folder instead of GitHub.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const hub = process.env.FAKE_HUB
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: 'string' },
    dir: { type: 'string' },
    event: { type: 'string' },
    field: { type: 'string', multiple: true, default: [] },
    jq: { type: 'string' },
    json: { type: 'string' },
    limit: { type: 'string' },
    method: { type: 'string' },
    name: { type: 'string' },
    paginate: { type: 'boolean' },
    ref: { type: 'string' },
    repo: { type: 'string' },
    'signer-workflow': { type: 'string' },
    silent: { type: 'boolean' },
    status: { type: 'string' },
    workflow: { type: 'string' },
  },
})
if (process.env.GH_TOKEN === undefined) stop('gh: set GH_TOKEN')
const [topic, ...rest] = positionals
if (topic === 'api') api(rest[0])
else if (topic === 'run' && rest[0] === 'list') say(load('runs').filter(run => run.headSha === values.commit))
else if (topic === 'run' && rest[0] === 'download') download(rest[1])
else if (topic === 'attestation' && rest[0] === 'verify') verify(rest[1])
else if (topic === 'workflow') appendFileSync(join(hub, 'begun'), `${rest.join(' ')} ${values.ref}\n`)
else stop(`gh: no ${positionals.join(' ')}`)

function api(address) {
  const path = address.replace(/^repos\/acme\/sites\//, '').replace(/\?.*$/, '')
  const sent = Object.fromEntries(values.field.map(one => [one.slice(0, one.indexOf('=')), resolved(one)]))
  const kept = path.match(/^issues$/)?.[0]
  const [, id] = path.match(/^issues\/(\d+)$/) ?? []
  if (kept !== undefined && values.field.length > 0) {
    const all = load(kept)
    all.push({ id: all.length + 1, number: all.length + 1, user: { type: 'Bot' }, ...sent })
    save(kept, all)
  } else if (id !== undefined && values.method === 'PATCH') {
    save(
      'issues',
      load('issues').map(one => (`${one.id}` === id ? { ...one, ...sent } : one)),
    )
  } else if (existsSync(fileOf(path)) || kept !== undefined)
    say(load(path).filter?.(one => one.state !== 'closed') ?? load(path))
  else stop('gh: Not Found (HTTP 404)')
}

function verify(path) {
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex')
  const { repo, 'signer-workflow': workflow } = values
  const isAttested = one => one.digest === digest && one.repo === repo && one.workflow === workflow
  if (!load('attestations').some(isAttested)) stop('Error: no attestations found')
}

function resolved(field) {
  const text = field.slice(field.indexOf('=') + 1)
  return text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text
}

function download(run) {
  const artifact = join(hub, 'artifacts', run, values.name)
  if (!existsSync(artifact)) stop('no valid artifacts found to download')
  mkdirSync(values.dir, { recursive: true })
  cpSync(artifact, values.dir, { recursive: true })
}

function say(value) {
  if (values.silent) return
  const text = JSON.stringify(value)
  process.stdout.write(
    values.jq === undefined ? text : execFileSync('jq', ['-r', values.jq], { input: text }),
  )
}

function fileOf(path) {
  return join(hub, `${path.replaceAll('/', '-')}.json`)
}

function load(path) {
  return existsSync(fileOf(path)) ? JSON.parse(readFileSync(fileOf(path), 'utf8')) : []
}

function save(path, value) {
  writeFileSync(fileOf(path), JSON.stringify(value))
}

function stop(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

// Measures one emulator with many sites: every site is configured, and all are polled together, round after round, from
// this other process, each poll over a connection of its own as Landform makes them. Prints the memory of the emulator
// and how long polls take. `npm run bench:emulator [-- SITES [ROUNDS]]`.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const sites = Number(process.argv[2] ?? 1000)
const rounds = Number(process.argv[3] ?? 10)
const landform = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'bin', 'landform.cjs')
const agent = new Agent({ keepAlive: false })
const configuration = configurationBody()

// Long enough that every configuration is under way all the time.
const args = [landform, 'emulate', '--sites', `${sites}`, '--stage-time', '60s']
const emulator = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
process.on('exit', () => emulator.kill())
const urls = await firstLines(emulator.stdout, sites)
const control = `${new URL(urls[0]).origin}/_emulator/`

said(`${sites} sites in one emulator, Node ${process.version}\n`)
said(`memory after the start        ${memory('VmRSS')} MB`)
await together('polls before', urls, url => asked(url))
await together('configurations', urls, url => asked(`${url}/configure`, configuration))
for (const [name, listeners] of [
  ['polls, nobody watches', 0],
  ['polls, one page watches', 1],
]) {
  const watching = Array.from({ length: listeners }, () => watch())
  await together(name, Array.from({ length: rounds }, () => urls).flat(), url => asked(url))
  for (const one of watching) one.destroy()
}
await inTurn('polls, one after the other', urls, url => asked(url))
await inTurn('state.json', Array(5).fill(`${control}state.json`), url => asked(url))
await inTurn('requests.json', Array(5).fill(`${control}requests.json`), url => asked(url))
said(`\nmemory at the end             ${memory('VmRSS')} MB, at most ${memory('VmHWM')} MB`)
emulator.kill()

/** At most as many at one time as there are sites. */
async function together(name, all, ask) {
  const times = []
  const started = performance.now()
  for (let at = 0; at < all.length; at += sites)
    times.push(...(await Promise.all(all.slice(at, at + sites).map(url => timed(() => ask(url))))))
  report(name, times, performance.now() - started)
}

async function inTurn(name, all, ask) {
  const times = []
  const started = performance.now()
  for (const url of all) times.push(await timed(() => ask(url)))
  report(name, times, performance.now() - started)
}

function report(name, times, elapsedMs) {
  const sorted = times.sort((one, other) => one - other)
  const at = share =>
    `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1)} ms`
  const rate = `${Math.round((1000 * times.length) / elapsedMs)}/s`
  said(`${name.padEnd(28)}  p50 ${at(0.5).padStart(9)}   p99 ${at(0.99).padStart(9)}   ${rate.padStart(8)}`)
}

async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function asked(url, { body, type } = {}) {
  const headers = body === undefined ? {} : { 'content-type': type, 'content-length': body.length }
  return new Promise((resolve, reject) => {
    request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, response => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().on('end', resolve)
    })
      .on('error', reject)
      .end(body)
  })
}

/** Listens as the page does; how fast this process reads is a part of what is measured. */
function watch() {
  return request(`${control}events`, { agent: false }, response => response.resume())
    .on('error', () => undefined)
    .end()
}

/** A configuration with every required parameter, and nothing secret in it. */
function configurationBody() {
  const names =
    'RELATIONAL_PRIMARY RELATIONAL_SECONDARY BLOB IN_MEM_CACHE QUEUE INDEXER SHARING REST_METRICS_API'.split(
      ' ',
    )
  const volume = {
    provisioningType: 'DYNAMIC',
    size: '32Gi',
    storageClass: 'gp3',
    labels: { tier: 'a', app: 'b' },
  }
  const values = {
    username: 'siteadmin',
    password: 'bench-only-1',
    email: 'a@example.org',
    fullName: 'Site Administrator',
    securityQuestionIdx: '1',
    securityQuestionAns: 'bench',
    userLicenseTypeId: 'creatorUT',
    volumesConfig: JSON.stringify({ volumesConfig: names.map(component => ({ ...volume, component })) }),
  }
  const part = (name, value, file = '') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  const parts = Object.entries(values).map(([name, value]) => part(name, value))
  const body = `${parts.join('')}${part('licenseFile', '{}', '; filename="license.json"')}--b--\r\n`
  return { body: Buffer.from(body), type: 'multipart/form-data; boundary=b' }
}

/** Reads the memory of the emulator in megabytes, from the kernel; `?` if it is not reported. */
function memory(what) {
  try {
    const [, kilobytes] = new RegExp(`${what}:\\s+(\\d+)`).exec(
      readFileSync(`/proc/${emulator.pid}/status`, 'utf8'),
    )
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return '?'
  }
}

async function firstLines(stream, count) {
  const lines = []
  for await (const line of createInterface({ input: stream })) if (lines.push(line) === count) return lines
  throw new Error('the emulator did not start')
}

function said(line) {
  process.stdout.write(`${line}\n`)
}

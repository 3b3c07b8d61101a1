// Checks at length what the tests of the places for state check in short. `npm run verify:state [-- --short]` lets
// processes race for numbers, kills writers at random moments, and makes system calls fail one by one; a writer that
// writes as many programs do is the control.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileBackend } from '../../dist/src/state/file-backend.js'
import { conclude, count, figures, say, skip, violation } from './check.mjs'

const { rounds, seed } = figures({ rounds: [3, 20] })
const contenders = 8
const kills = rounds * 5
const site = 'https://gis.example.org/arcgis/admin'
const writer = join(import.meta.dirname, 'state-writer.mjs')
const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
let random = seed

try {
  await race(
    'file',
    Array.from({ length: contenders }, () => join(folder, 'race')),
  )
  await race('git', checkouts())
  await killAll()
  await failSystemCalls()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
conclude()

/** Everyone asks for the same number at once. */
async function race(kind, places) {
  const started = performance.now()
  const writers = await Promise.all(places.map(place => start([kind, place])))
  for (let serial = 1; serial <= rounds; serial += 1) {
    const answers = await Promise.all(writers.map(one => one.ask(`${serial} ${serial}`)))
    const made = answers.filter(answer => answer === `${serial} made`).length
    const taken = answers.filter(answer => answer === `${serial} taken`).length
    if (made !== 1 || taken !== contenders - 1) violation(`${kind}, number ${serial}: ${answers.join(', ')}`)
  }
  for (const one of writers) one.child.kill()
  const each = Math.round((performance.now() - started) / rounds)
  say(`${kind}: ${contenders} processes raced for ${rounds} numbers, ${each} ms each`)
}

function checkouts() {
  const git = (...args) => execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  git('init', '--quiet', '--bare', 'remote.git')
  return Array.from({ length: contenders }, (_, at) => {
    git('clone', '--quiet', 'remote.git', `checkout-${at}`)
    return join(folder, `checkout-${at}`)
  })
}

/** Kills writers while they write; what they said is there must be there, and what is there must be whole. */
async function killAll() {
  const bytes = 1_000_000
  const torn = { file: 0, naive: 0 }
  const home = join(folder, 'killed')
  const naive = join(folder, 'naive')
  const naiveBytes = 4 * bytes
  mkdirSync(naive)
  let left = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const last = (await newest(home))?.serial ?? 0
    const said = await killed(['file', home, String(bytes)], last + 1)
    const version = await newest(home)
    if ((version?.serial ?? 0) < said) violation(`number ${said} was made and is gone`)
    if (version !== undefined && !isWhole(version.text, bytes)) torn.file += 1
    const names = existsSync(home) ? readdirSync(home, { recursive: true }) : []
    left = Math.max(left, names.filter(name => name.endsWith('.tmp')).length)
    await killed(['naive', naive, String(naiveBytes)], 1)
    const files = readdirSync(naive)
    if (files.some(name => !isWhole(readFileSync(join(naive, name), 'utf8'), naiveBytes))) torn.naive += 1
    rmSync(naive, { recursive: true })
    mkdirSync(naive)
  }
  const all = await fileBackend(home).series(site).all()
  if (!all.ok) violation(`after all kills: ${all.failure.reason}`)
  else torn.file += all.value.filter(({ text }) => !isWhole(text, bytes)).length
  if (torn.file > 0) violation(`${torn.file} torn versions`)
  if (torn.naive === 0) violation('the control was never torn, so these kills show nothing')
  if (left > 1) violation(`${left} leftovers at once`)
  const versions = all.ok ? all.value.length : 0
  count('kills', kills)
  say(
    `file: ${kills} kills, ${versions} versions, ${torn.file} torn; the control was torn ${torn.naive} times`,
  )
}

/** Runs a writer until it is killed, and gives the last number that it said it made. */
async function killed(args, from) {
  const one = await start(args)
  one.child.stdin.write(`${from} ${from + 1000}\n`)
  await new Promise(resolve => setTimeout(resolve, nextRandom() * 100))
  one.child.kill('SIGKILL')
  await one.ended
  return one.lines.reduce((most, line) => (line.endsWith(' made') ? Number.parseInt(line, 10) : most), 0)
}

/** Lets each system call on the state fail, or be the last one of the process. */
async function failSystemCalls() {
  if (!canTrace()) {
    skip('strace cannot be used here: no system call was made to fail')
    return
  }
  const calls = ['mkdir', 'openat', 'write', 'fsync', 'close', 'link', 'unlink', 'getdents64', 'statx']
  const short = ['signal=KILL', 'error=ENOSPC']
  const ends = rounds < 20 ? short : [...short, 'error=EIO', 'error=EDQUOT', 'error=EROFS']
  let injections = 0
  let failures = 0
  for (const call of calls) {
    for (const end of ends) {
      for (let when = 1; ; when += 1) {
        const home = join(folder, `${call}-${end}-${when}`)
        const key = fileBackend(home).series(site).where
        const trace = join(folder, 'trace')
        // Only calls on the state are counted.
        const paths = [home, key, join(key, '000001.json')]
        const { stdout } = spawnSync(
          'strace',
          [
            '-f',
            '-o',
            trace,
            ...paths.flatMap(path => ['-P', path]),
            '-e',
            `trace=${call}`,
            '-e',
            `inject=${call}:${end}:when=${when}`,
            process.execPath,
            writer,
            'file',
            home,
          ],
          { input: '1 1\n2 2\n', encoding: 'utf8' },
        )
        const traced = readFileSync(trace, 'utf8')
        if (!/INJECTED|killed by SIGKILL/.test(traced)) break
        injections += 1
        const made = [...stdout.matchAll(/^(\d) made$/gm)].map(([, serial]) => Number(serial))
        if (made.length < 2) failures += 1
        const all = await fileBackend(home).series(site).all()
        const what = `${call}, ${end}, the ${when}. time`
        if (!all.ok) violation(`${what}: ${all.failure.reason}`)
        else {
          if (all.value.length < Math.max(0, ...made)) violation(`${what}: what was made is gone`)
          for (const { serial, text } of all.value)
            if (text !== `${serial}  ${serial}`) violation(`${what}: torn`)
        }
        rmSync(home, { recursive: true, force: true })
      }
    }
  }
  count('injections', injections)
  if (failures === 0) violation('no system call that failed was noticed')
  say(
    `file: ${injections} system calls failed or were the last, ${failures} of them kept a version from being made`,
  )
}

function canTrace() {
  return spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'trace=none', 'true']).status === 0
}

async function newest(home) {
  const reply = await fileBackend(home).series(site).newest()
  if (!reply.ok) violation(reply.failure.reason)
  return reply.ok ? reply.value : undefined
}

function isWhole(text, bytes) {
  const [serial = ''] = text.split(' ', 1)
  return text.length === 2 * serial.length + bytes + 2 && text.endsWith(` ${serial}`)
}

/** A writer that is ready. Each line that it is told is answered by a line. */
async function start(args) {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => undefined)
  const lines = []
  const waiting = []
  const ended = new Promise(resolve => child.once('close', resolve))
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(line)
    waiting.shift()?.(line)
  })
  const next = () => new Promise(resolve => waiting.push(resolve))
  await next()
  const ask = question => {
    const answer = next()
    child.stdin.write(`${question}\n`)
    return answer
  }
  return { child, lines, ended, ask }
}

/** The same numbers for the same seed. */
function nextRandom() {
  random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
  return random / 2 ** 32
}

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import type { Attack, Ground } from './attacks.js'
import { openedFiles, openingCalls } from './opened.js'
import { beside, environment, type Place, piecesOf } from './places.js'

/** How a command ended that met an attack. */
export interface Met {
  readonly code: number
  readonly said: string
  /** What it opened outside of the root of the manifest; nothing is known where nothing can be traced. */
  readonly outside: readonly string[]
  readonly inside: readonly string[]
}

/** How strace is called; the kernel stops a program at these calls alone, not at each of its thousands. */
const strace = ['strace', '-f', '--seccomp-bpf', '-y', '-qq', '-e', `trace=${openingCalls}`] as const

/** True where strace may be used. */
export function canTrace(): boolean {
  const [program, ...words] = strace
  return spawnSync(program, [...words, '-o', '/dev/null', 'true']).status === 0
}

const hangs = 137

/** Lets a program meet one attack in a folder of its own. Without words it is the command of the place. */
export function meet(
  place: Place,
  attack: Attack,
  { isTraced, reader }: { readonly isTraced: boolean; readonly reader?: string },
): Met {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'landform-jail-')))
  try {
    const ground = makeAttackFolder(folder, place)
    attack.prepare?.(ground)
    const path = attack.path(ground)
    for (const [name, value] of Object.entries(place.files(path)))
      writeFileSync(join(ground.inside, name), JSON.stringify(value, null, 1))
    const words =
      reader === undefined ? [landformProgram, ...place.words] : ['-e', reader, JSON.stringify(path)]
    const trace = join(folder, 'trace')
    const tracing = isTraced ? [...strace, '-o', trace] : []
    // strace would leave alone what it traces, so the limit is set below it.
    const [program = '', ...rest] = [...tracing, 'timeout', '-s', 'KILL', '30', process.execPath, ...words]
    const { status, stdout, stderr } = spawnSync(program, rest, {
      cwd: ground.inside,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: ground.outside,
        ...environment,
      },
      input: 'x',
      maxBuffer: 2 ** 26,
    })
    const opened = existsSync(trace) ? openedFiles(trace) : []
    const isInside = (file: string) => `${file}/`.startsWith(`${ground.inside}/`)
    return {
      code: status ?? hangs,
      said: stdout + stderr,
      outside: opened.filter(file => !isInside(file)).map(file => file.replace(folder, '')),
      inside: opened.filter(isInside).map(file => file.slice(ground.inside.length + 1)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function makeAttackFolder(folder: string, { content }: Place): Ground {
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'outside')]
  for (const name of ['inside', 'inside/.git', 'inside/sub', 'inside-other', 'outside'])
    mkdirSync(join(folder, name))
  for (const name of ['inside/ok', 'inside-other/target', 'outside/target'])
    writeFileSync(join(folder, name), content)
  for (const [name, text] of Object.entries(beside)) writeFileSync(join(inside, name), text)
  return { inside, outside }
}

/** Files of Node, of the C library (its allocator, before it gives memory back) and of the program, opened whenever they are needed. */
const own = [
  join(root, 'dist/'),
  '/usr/lib/',
  '/usr/share/zoneinfo/',
  '/sys/devices/system/cpu/',
  '/sys/fs/cgroup/',
  '/proc/sys/vm/overcommit_memory',
]

/** A program that follows a path in every way that somebody ever followed one, and so opens what it must not. */
export const carelessReader = `
  const { openSync, readSync, constants } = require('node:fs')
  const path = JSON.parse(process.argv[1])
  const home = process.env.HOME
  const ways = [
    () => path,
    () => decodeURIComponent(path),
    () => decodeURIComponent(decodeURIComponent(path)),
    () => path.replaceAll('\\\\', '/'),
    () => path.replace(/^~(?:root)?|^[$](?:HOME|[{]HOME[}])/, home),
    () => path.normalize('NFKC').replaceAll('\u2215', '/'),
    () => new URL(path, 'file://' + process.cwd() + '/').pathname,
    () => path.split(/[\\0\\n]/).at(-1),
  ]
  for (const way of ways)
    try { readSync(openSync(way(), constants.O_RDONLY | constants.O_NONBLOCK), Buffer.alloc(99)) } catch {}`

/** What was wrong with how a command met an attack; `known` is what it opens whatever is named. */
export function complaintsOf(
  place: Place,
  attack: Attack,
  met: Met,
  known: ReadonlySet<string>,
): readonly string[] {
  const { missing, refused } = place.ends
  const codes = {
    missing: [missing],
    refused: [refused],
    either: [missing, refused],
    read: [0],
    harmless: [0, missing, refused],
  }[attack.ends]
  return [
    ...(met.code === hangs ? ['hangs'] : []),
    ...(codes.includes(met.code)
      ? []
      : [`ended with ${met.code}, not ${codes.join(' or ')}: ${met.said.slice(0, 300)}`]),
    ...piecesOf(place)
      .filter(piece => met.said.includes(piece))
      .map(piece => `says ${piece}`),
    ...met.outside
      .filter(file => !known.has(file) && !own.some(prefix => file.startsWith(prefix)))
      .map(file => `opened ${file}`),
  ]
}

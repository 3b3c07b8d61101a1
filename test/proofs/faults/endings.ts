import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { exampleCopy } from '../../support/example-copy.js'
import { landformProgram } from '../../support/landform-program.js'
import { someSecrets } from '../../support/some-secrets.js'

/** The end of a process. If a signal ended it, `code` is the exit code that a shell would report. */
interface Ended {
  readonly code: number
  readonly out: Buffer
  readonly err: string
}

interface Start {
  readonly cwd: string
  /** A preloaded module that breaks modules of Node.js. */
  readonly harm?: string
  /** The file descriptor of standard output, instead of a pipe. */
  readonly out?: number
  /** Reads stdout one piece at a time with pauses, or closes the pipe after the first piece. */
  readonly reads?: 'slowly' | 'once'
}

const signals = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGKILL: 137, SIGTERM: 143 } as const
type Signal = keyof typeof signals
const maxMs = 60_000

/** Runs the program, or a `.cjs` script, to its end. */
async function ended(
  words: readonly string[],
  { cwd, harm, out, reads }: Start,
  meet: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const program = words[0]?.endsWith('.cjs') ? words : [landformProgram, ...words]
  const preload = harm === undefined ? [] : ['-r', harm]
  const child = spawn(process.execPath, [...preload, ...program], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...someSecrets },
    stdio: ['ignore', out ?? 'pipe', 'pipe'],
    timeout: maxMs,
    killSignal: 'SIGKILL',
  })
  const exited = once(child, 'exit') as Promise<[number | null, Signal | null]>
  let err = ''
  child.stderr?.on('data', chunk => {
    err += chunk
  })
  const pieces: Buffer[] = []
  const reading = (async () => {
    for await (const piece of child.stdout ?? []) {
      pieces.push(piece as Buffer)
      if (reads === 'once') child.stdout?.destroy()
      if (reads === 'slowly') await delay(1)
    }
  })().catch(() => undefined)
  meet(child)
  const [code, signal] = await exited
  await reading
  return { code: code ?? signals[signal ?? 'SIGKILL'], out: Buffer.concat(pieces), err }
}

const leastBytes = 2 ** 20

/** Writes files with enough mistakes for a report of more than a megabyte. */
export function manyMistakes(folder: string): readonly string[] {
  const many = join(folder, 'many')
  mkdirSync(many)
  const unknown = Array.from({ length: 300 }, (_, at) => `  unknown${at}: 1\n`)
  const text = readFileSync('examples/quickstart.yaml', 'utf8')
  for (let file = 0; file < 14; file += 1)
    writeFileSync(join(many, `site-${file}.yaml`), text.replace('spec:\n', `spec:\n${unknown.join('')}`))
  return ['validate', many, '--format', 'json']
}

/** Prints to a file, a slow reader, a reader that closes the pipe, and a full disk: all bytes arrive, or the exit code is an error. */
export async function printingErrors(
  words: readonly string[],
  expected: number,
  folder: string,
): Promise<readonly string[]> {
  const cwd = process.cwd()
  const file = join(folder, 'printed')
  const toFile = await ended(words, { cwd, out: openSync(file, 'w') })
  const whole = readFileSync(file)
  const slowly = await ended(words, { cwd, reads: 'slowly' })
  const cut = await ended(words, { cwd, reads: 'once' })
  const full = await ended(words, { cwd, out: openSync('/dev/full', 'w') })
  const claims: readonly (readonly [boolean, string])[] = [
    [whole.byteLength >= leastBytes, `only ${whole.byteLength} bytes were printed`],
    [toFile.code === expected, `printing to a file exited with ${toFile.code}`],
    [slowly.code === expected, `printing to a slow reader exited with ${slowly.code}`],
    [slowly.out.equals(whole), `bytes to a slow reader: ${slowly.out.byteLength} of ${whole.byteLength}`],
    [cut.code === 141, `printing to a reader that closes the pipe exited with ${cut.code}`],
    [full.code === 74, `printing to a full disk exited with ${full.code}`],
  ]
  return claims.filter(([holds]) => !holds).map(([, what]) => what)
}

/** Prints a megabyte with a program that exits too early, whose missing bytes must be detected. */
export function carelessPrinting(folder: string): Promise<readonly string[]> {
  const careless = join(folder, 'careless.cjs')
  writeFileSync(careless, `process.stdout.write('x'.repeat(${leastBytes})); process.exit(0)`)
  return printingErrors([careless], 0, folder)
}

const canary = 'hunter2-Correct-horse'
const never = 'new Promise(() => {})'
const harms: Readonly<Record<string, string>> = {
  'a promise that stalls': never,
  'an unexpected exception': `(setImmediate(() => { throw new Error('${canary}') }), ${never})`,
  'an unhandled rejection': `(Promise.reject(new Error('${canary}')), ${never})`,
}

/** Makes the program stall and throw: it must exit with 70, and print neither the message nor a stack. */
export async function crashErrors(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const harm = join(folder, 'harm.cjs')
  for (const [name, instead] of Object.entries(harms)) {
    const names = "['lstat', 'stat', 'readdir', 'open']"
    writeFileSync(
      harm,
      `const fs = require('node:fs/promises'); for (const name of ${names}) fs[name] = () => ${instead}`,
    )
    const words = ['state', 'show', '--url', 'http://127.0.0.1:9/admin', '--state', `file:${folder}/kept`]
    const { code, err } = await ended(words, { cwd: folder, harm })
    if (code !== 70 || err.includes(canary) || /\.cjs:\d+|\n\s+at /.test(err))
      found.push(`${name}: exited with ${code}: ${err}`)
  }
  return found
}

/** A command, and the request that hangs when a signal arrives. */
interface Phase {
  readonly name: string
  readonly words: readonly string[]
  readonly hangs: string
  readonly at: string
  readonly configured?: true
}

const apply = ['apply', 'quickstart.yaml', '--yes']
const exportSite = ['export-site', 'quickstart.yaml', '--location', '/b', '--yes']
const phases: readonly Phase[] = [
  { name: 'plan, polling', words: ['plan', 'quickstart.yaml'], hangs: 'root', at: '' },
  { name: 'apply, polling', words: apply, hangs: 'root', at: '' },
  { name: 'apply, waiting', words: apply, hangs: 'root@4', at: '' },
  { name: 'drift, polling', words: ['drift', 'quickstart.yaml'], hangs: 'root', at: '' },
  { name: 'apply, configuring', words: apply, hangs: 'configure', at: '/configure' },
  { name: 'apply, updating', words: apply, hangs: 'update', at: '/update', configured: true },
  {
    name: 'export-site, exporting',
    words: exportSite,
    hangs: 'exportSite',
    at: '/exportSite',
    configured: true,
  },
]

export const interrupts = phases.flatMap(phase =>
  (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(signal => ({ phase, signal })),
)

/** Sends a signal while a request hangs, and again soon after: the process must exit with the code of the signal, 3 or 4. */
export async function interruptErrors({
  phase,
  signal,
}: (typeof interrupts)[number]): Promise<readonly string[]> {
  let tell = () => {}
  const emulator = await startEmulator({
    stageMs: 5,
    faults: parseBuiltInRules([`${phase.hangs}=hang-before`]),
    ...(phase.configured && { configured: true }),
    inspect: ({ received }) => {
      if (received.path.endsWith(phase.at)) tell()
    },
  })
  const cwd = dirname(await exampleCopy('quickstart'))
  try {
    const { code, err } = await ended([...phase.words, '--url', emulator.url], { cwd }, child => {
      const second = signal === 'SIGHUP' ? 'SIGTERM' : signal
      tell = () => {
        child.kill(signal)
        for (const afterMs of [300, 1500])
          setTimeout(() => {
            if (child.exitCode === null && child.signalCode === null) child.kill(second)
          }, afterMs)
        if (!phase.name.endsWith('waiting')) tell = () => {}
      }
    })
    return [signals[signal], signals.SIGTERM, 3, 4].includes(code) ? [] : [`exited with ${code}: ${err}`]
  } finally {
    await emulator.close()
  }
}

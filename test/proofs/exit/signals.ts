import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { exampleFolder } from './example-folder.js'
import { gone } from './process.js'

/** A command, and the request that hangs while the signal comes. */
interface Phase {
  readonly name: string
  readonly words: readonly string[]
  readonly hangs: string
  /** Path that tells that the phase is reached. */
  readonly at: string
  readonly configured?: true
}

const phases: readonly Phase[] = [
  { name: 'plan, looking', words: ['plan', 'quickstart.yaml'], hangs: 'root', at: '' },
  { name: 'apply, looking', words: ['apply', 'quickstart.yaml', '--yes'], hangs: 'root', at: '' },
  { name: 'apply, waiting', words: ['apply', 'quickstart.yaml', '--yes'], hangs: 'root@4', at: '' },
  { name: 'status, looking', words: ['status', 'quickstart.yaml'], hangs: 'root', at: '' },
  { name: 'drift, looking', words: ['drift', 'quickstart.yaml'], hangs: 'root', at: '' },
  {
    name: 'apply, configuring',
    words: ['apply', 'quickstart.yaml', '--yes'],
    hangs: 'configure',
    at: '/configure',
  },
  {
    name: 'apply, setting the policy',
    words: ['apply', 'quickstart.yaml', '--yes'],
    hangs: 'update',
    at: '/update',
    configured: true,
  },
  {
    name: 'export-site, exporting',
    words: ['export-site', 'quickstart.yaml', '--location', '/b', '--yes'],
    hangs: 'exportSite',
    at: '/exportSite',
    configured: true,
  },
]

const ends = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const
type Signal = keyof typeof ends

/** Every phase with every signal; where an answer has half a minute, the second signal ends it. */
export const interrupts = phases.flatMap(phase =>
  (Object.keys(ends) as readonly Signal[]).map(signal => ({
    name: `${signal} at ${phase.name}`,
    phase,
    signal,
  })),
)

/** Sends a signal just when a request hangs, and another soon after: the process is gone, with the code of the signal. */
export async function survived(
  { phase, signal }: (typeof interrupts)[number],
  codes: Set<number>,
): Promise<readonly string[]> {
  let tell = () => {}
  const emulator = await startEmulator({
    stageMs: 5,
    faults: parseBuiltInRules([`${phase.hangs}=hang-before`]),
    ...(phase.configured && { configured: true }),
    inspect: ({ received }) => {
      if (received.path.endsWith(phase.at)) tell()
    },
  })
  const cwd = await exampleFolder()
  try {
    const words = [...phase.words, '--url', emulator.url]
    const { code, err } = await gone(words, { cwd }, child => {
      let isSent = false
      const again = () =>
        child.exitCode === null &&
        child.signalCode === null &&
        child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      tell = () => {
        if (isSent && !phase.name.endsWith('waiting')) return
        isSent = true
        child.kill(signal)
        setTimeout(again, 300)
        setTimeout(again, 1500)
      }
    })
    if (signal !== 'SIGQUIT') codes.add(code)
    const allowed = [ends[signal], ...(signal === 'SIGHUP' ? [143] : []), 3, 4]
    return allowed.includes(code) ? [] : [`ends with ${code}: ${err}`]
  } finally {
    await emulator.close()
  }
}

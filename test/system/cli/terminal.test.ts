import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { emulatorProcess } from '../../support/emulator-process.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { describeWhere } from '../../support/test-where.js'
import { hasTmux, type Terminals, terminalsIn } from './real-terminal.js'

const maxMs = 15_000
/** A moment at which the screen of an apply is read: once the pattern matches. */
interface Moment {
  readonly when: string
  readonly pattern: RegExp
  /** The width to which the terminal is resized before. */
  readonly columns?: number
  /** A key that is typed before, by its name in tmux. */
  readonly key?: string
}

/** Returns a pattern that finds words even if the terminal wrapped them. */
function wrapped(words: string): RegExp {
  return new RegExp([...words].map(letter => (letter === ' ' ? '(?: |(?=\\n))' : letter)).join('\\n?'))
}

const end: Moment = { when: 'at the end', pattern: wrapped('was verified ready') }

const courses: readonly (readonly [name: string, columns: number, moments: readonly Moment[]])[] = [
  [
    'that is made narrower and wider',
    100,
    [
      { when: 'at 100 columns', pattern: /Relational store +in progress/ },
      { when: 'at 45 columns', pattern: /● Object store/, columns: 45 },
      { when: 'at 90 columns', pattern: /Usage statistics +in progress/, columns: 90 },
      end,
    ],
  ],
  [
    'that is suspended and goes on',
    80,
    [
      { when: 'in the middle', pattern: /Relational store +in progress/ },
      { when: 'after Ctrl-Z', pattern: /\[stopped\]/, key: 'C-z' },
      { when: 'after fg', pattern: /Usage statistics +in progress/, key: 'Enter' },
      end,
    ],
  ],
  [
    'that is interrupted',
    80,
    [
      { when: 'in the middle', pattern: /Relational store +in progress/ },
      { when: 'after an interrupt', pattern: wrapped('resume the wait'), key: 'C-c' },
    ],
  ],
]

/** Lists drawing errors. For example, a table that was not overwritten shows a stage twice. */
function listScreenErrors(screen: string, width: number): readonly string[] {
  const lines = screen.split('\n')
  const among = (pattern: RegExp) => lines.filter(line => pattern.test(line)).length
  return [
    ...(lines.every(line => line.length <= width) ? [] : ['a line is too wide']),
    ...(among(/^ {2}\S License validation/) > 1 ? ['two tables'] : []),
    ...(among(/^ {2}.*stages complete/) > 1 ? ['two sums'] : []),
  ]
}

describeWhere(hasTmux(), 'tmux')('an apply in a terminal', () => {
  let folder = ''
  let terminals: Terminals
  beforeAll(async () => {
    folder = await temporaryFolder()
    terminals = terminalsIn(folder)
  })

  test.each(courses)('%s is drawn correctly', async (_, columns, moments) => {
    // After a resize the table is redrawn within a second, and a busy machine reads the screen rarely.
    const awaited = ['Relational store=3s', 'Object store=5s', 'Usage statistics=4s']
    const times = ['700ms', ...awaited].flatMap(time => ['--stage-time', time])
    const site = await emulatorProcess(['--base-path', '/site/admin', ...times], 1, { cwd: root })
    const name = `at-${site.urls[0]?.replaceAll(/\D/g, '')}`
    try {
      openApply(name, columns, site.urls[0] ?? '')
      let width = columns
      for (const moment of moments) {
        width = moment.columns ?? width
        const screen = await screenAt(name, moment, width)
        expect([moment.when, screen]).toEqual([moment.when, expect.stringMatching(moment.pattern)])
        expect([moment.when, listScreenErrors(screen, width)]).toEqual([moment.when, []])
        // Proves that a table that is drawn twice would be detected.
        const isTable = /License validation/.test(screen)
        expect(listScreenErrors(`${screen}\n${screen}`, width).length > 0).toBe(isTable)
      }
      const whole = terminals.read(name, { withHistory: true })
      expect(whole.split('\napplying quickstart')).toHaveLength(2)
    } finally {
      terminals.close(name)
    }
  })

  /** Starts an apply under job control, as in an interactive shell, which regains the terminal after Ctrl-Z. */
  function openApply(name: string, columns: number, url: string): void {
    const environment = {
      TERM: 'screen-256color',
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      LANG: 'C.UTF-8',
      LANDFORM_ADMIN_PASSWORD: 'Terminal1-not-a-secret',
      LANDFORM_SECURITY_ANSWER: 'Terminal1-not-a-secret',
      LANDFORM_TOKEN: 'Terminal1-not-a-secret',
    }
    const variables = Object.entries(environment).map(([key, value]) => `${key}='${value}'`)
    const site = `examples/quickstart.yaml --url ${url} --state file:${folder}/${name} --yes`
    const command = `'${process.execPath}' '${landformProgram}' apply ${site}`
    writeFileSync(join(folder, `${name}.sh`), `cd '${root}' && exec env -i ${variables.join(' ')} ${command}`)
    const goesOn = 'if [ $code = 148 ]; then echo "[stopped]"; read key; fg > /dev/null; code=$?; fi'
    const shell = `cd '${folder}'; set -m; sh ${name}.sh; code=$?; ${goesOn}; echo "[exit $code]"; sleep 60`
    terminals.open(name, { columns, rows: 40 }, shell)
  }

  /** Reads the screen below the plan repeatedly, since no event announces new text. */
  async function screenAt(name: string, moment: Moment, width: number): Promise<string> {
    if (moment.columns !== undefined) terminals.resize(name, moment.columns)
    if (moment.key !== undefined) terminals.type(name, moment.key)
    const until = Date.now() + maxMs
    for (;;) {
      const all = terminals.read(name, { withHistory: true })
      const screen = all.slice(Math.max(0, all.indexOf('\napplying quickstart') + 1))
      // After a resize everything is redrawn within a second.
      const isDrawn = moment.pattern.test(screen) && listScreenErrors(screen, width).length === 0
      if (isDrawn || Date.now() > until) return screen
      await delay(20)
    }
  }
})

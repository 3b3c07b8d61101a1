import { type Figures, median, ratio } from './figures.js'

/** One line of the budget. `must` fails `npm run bench -- --check`; `aim` is where we want to end. */
export interface BudgetLine {
  readonly what: string
  readonly unit: 'times' | 'MB'
  readonly must: number
  readonly aim: number
  /** Nothing where a sample is missing. */
  measured(figures: Figures): number | undefined
  /** The explanation if the aim is missed. */
  readonly why?: string
}

export type Verdict = 'aim' | 'must' | 'MISSED' | 'NOT MEASURED'

/** Compares the figures of a run with the limits of a line. */
export function verdictOn({ measured, must, aim }: BudgetLine, figures: Figures): Verdict {
  const value = measured(figures)
  if (value === undefined) return 'NOT MEASURED'
  return value <= aim ? 'aim' : value <= must ? 'must' : 'MISSED'
}

const times = (what: string, names: readonly [string, string], [must, aim]: readonly [number, number]) =>
  ({ what, unit: 'times', must, aim, measured: (figures: Figures) => ratio(figures, names) }) as const

/** Cost of one piece of work among ten times as many, as a multiple of its cost before, with no start of Node in it. */
const linear = (what: string, [many, few]: readonly [string, string], { by, beside }: Growth) =>
  ({
    what,
    unit: 'times',
    must: 1.3,
    aim: 1.1,
    measured(figures: Figures) {
      const rest = beside === undefined ? 0 : median(figures[beside])
      const [above, below] = [median(figures[many]), median(figures[few])]
      if (rest === undefined || above === undefined || below === undefined) return undefined
      return (above - rest) / (below - rest) / by
    },
  }) as const

interface Growth {
  readonly by: number
  readonly beside?: string
}

const start = 'It depends on what the program loads before it parses its arguments.'

/** From a profile of 2026-11-26. */
const many =
  'The peers check the schema only. Of the time for files without a part in common, the rules of the service take 30 %, the YAML reader 22 %, opening and reading the files 20 %, garbage collection 6 %, the schema 6 %. For the first few thousand files most of the code is not optimized yet, and a file takes two to three times as long.'

/** 75 and 40 ms on the machine of the budget, whose bare Node takes 25.7 ms; of two machines only ratios can be compared. */
const planLimits = { must: 2.9, aim: 1.55 } as const

/** The limits for speed and memory. */
export const budget: readonly BudgetLine[] = [
  { ...times('`--version` / bare Node', ['--version, ms', 'bare node, ms'], [1.3, 1.1]), why: start },
  { ...times('`--help` / bare Node', ['--help, ms', 'bare node, ms'], [1.3, 1.1]), why: start },
  { ...times('`plan --help` / bare Node', ['plan --help, ms', 'bare node, ms'], [2.0, 1.5]), why: start },
  {
    ...times('`validate`, one file / bare Node', ['validate one file, ms', 'bare node, ms'], [2.0, 1.5]),
    why: 'Most of it is reading the bundle and its code cache, and the first call of every function.',
  },
  {
    ...times(
      '`validate`, one file with an error / bare Node',
      ['validate one file with errors, ms', 'bare node, ms'],
      [3.0, 2.0],
    ),
    why: 'An error is reported by the slower parser, which knows positions and defines what a manifest means.',
  },
  times('`validate`, one file / ajv-cli', ['validate one file, ms', 'one file, ajv-cli, ms'], [0.2, 0.12]),
  times(
    '`validate`, one file / sourcemeta jsonschema',
    ['validate one file, ms', 'one file, sourcemeta, ms'],
    [0.8, 0.6],
  ),
  times(
    '`validate`, one file / kubeconform',
    ['validate one file, ms', 'one file, kubeconform, ms'],
    [2.0, 1.3],
  ),
  times(
    '`validate`, 100 files / ajv-cli',
    ['100 files, landform, ms', '100 files, ajv-cli, ms'],
    [0.5, 0.25],
  ),
  {
    ...times(
      '`validate`, 100 files / sourcemeta jsonschema',
      ['100 files, landform, ms', '100 files, sourcemeta, ms'],
      [1.3, 0.8],
    ),
    why: many,
  },
  {
    ...times(
      '`validate`, 100 files / kubeconform',
      ['100 files, landform, ms', '100 files, kubeconform, ms'],
      [1.0, 0.9],
    ),
    why: 'An empty Node program takes more than half of the time, and most of the rest is code that runs for the first time.',
  },
  {
    ...times(
      '`validate`, 10,000 files / ajv-cli with formats',
      ['10000 files, landform, ms', '10000 files, ajv-cli with formats, ms'],
      [0.8, 0.5],
    ),
    why: many,
  },
  {
    ...times(
      '`validate`, 10,000 files without a part in common / ajv-cli with formats',
      ['10000 unlike files, landform, ms', '10000 unlike files, ajv-cli with formats, ms'],
      [1.0, 0.5],
    ),
    why: many,
  },
  {
    ...times(
      '`validate`, 10,000 files / sourcemeta jsonschema',
      ['10000 files, landform, ms', '10000 files, sourcemeta, ms'],
      [0.7, 0.4],
    ),
    why: many,
  },
  times(
    '`validate`, 10,000 files / kubeconform',
    ['10000 files, landform, ms', '10000 files, kubeconform, ms'],
    [0.6, 0.3],
  ),
  times(
    '`validate`, 1,000 overlays of one base / the same written out',
    ['1000 overlays, ms', '1000 overlays written out, ms'],
    [1.5, 1.2],
  ),
  times(
    '`validate`, 1,000 files, one with a mistake / all without',
    ['1000 files with a mistake, ms', '1000 files without, ms'],
    [2.0, 1.5],
  ),
  times(
    '400 sites applied in one process: resident memory / that of 50',
    ['400 sites applied, resident MB', '50 sites applied, resident MB'],
    [1.3, 1.1],
  ),
  {
    what: 'peak memory, 10,000 files',
    unit: 'MB',
    must: 200,
    aim: 120,
    measured: figures => median(figures['peak memory of 10000 files, MB']),
  },
  {
    what: 'peak memory, 1,000 overlays',
    unit: 'MB',
    must: 200,
    aim: 120,
    measured: figures => median(figures['peak memory of 1000 overlays, MB']),
  },
  {
    ...times(
      'many sites: CPU per poll / raw undici, a connection each',
      ['single polls, CPU µs', 'raw undici, closing, CPU µs'],
      [1.5, 1.25],
    ),
  },
  {
    what: '1,000 sites polled: resident memory',
    unit: 'MB',
    must: 160,
    aim: 110,
    measured: figures => median(figures['1000 sites polled, resident MB']),
    why: 'After a collection a third of the heap is in use; the rest is space that V8 takes while responses arrive, more on a busy machine. Ten sites already take 97 MB.',
  },
  {
    ...times(
      '50 MB license upload / curl',
      ['50 MB upload, landform, ms', '50 MB upload, curl, ms'],
      [2.0, 1.5],
    ),
    why: 'A piece is read by a thread of Node while the one before it is sent.',
  },
  {
    what: '50 MB license upload: additional memory',
    unit: 'MB',
    must: 80,
    aim: 60,
    measured: figures => median(figures['50 MB upload, extra MB']),
    why: 'Two pieces of a megabyte are in memory; the rest is held by the sockets.',
  },
  {
    what: '`plan` of one site against the emulator, beyond bare Node and its one request / bare Node',
    unit: 'times',
    must: planLimits.must,
    aim: planLimits.aim,
    measured(figures) {
      const [plan, bare] = [median(figures['plan, ms']), median(figures['bare node, ms'])]
      const request = median(figures['one request to the emulator, ms'])
      return plan === undefined || bare === undefined || request === undefined
        ? undefined
        : (plan - bare - request) / bare
    },
    why: 'Modules of Node, such as sockets and cryptography, are a fifth of it, and so is reading the program and its compiled code; most of the rest is the first call of every function.',
  },
  linear('ten times the files', ['10000 files, landform, ms', '1000 files, landform, ms'], {
    by: 10,
    beside: 'bare node, ms',
  }),
  linear(
    'ten times the sites, CPU per poll',
    ['single polls, all of the sites, CPU µs', 'single polls, a tenth of the sites, CPU µs'],
    { by: 1 },
  ),
  linear('ten times the text in one file', ['10x text, ms', '1x text, ms'], {
    by: 10,
    beside: 'bare node, ms',
  }),
]

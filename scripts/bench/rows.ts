/** Samples by their names: CPU in milliseconds, memory in megabytes, or counts. */
export type Figures = Readonly<Record<string, number>>

/** A line of the table, with its bound. */
export interface Row {
  readonly what: string
  readonly unit: 'x' | 'MB' | 'ms' | ''
  readonly bound: number
  /** Computes the value; NaN if a figure is missing. */
  compute(figure: (name: string) => number): number
}

const ratio = (what: string, [over, under]: readonly [string, string], bound: number): Row => ({
  what,
  unit: 'x',
  bound,
  compute: figure => figure(over) / figure(under),
})

/** Compares the cost of one of many items with that of one of `by` times fewer. `rest` is a cost that both include. */
const growth = (what: string, names: readonly [many: string, few: string, rest: string], by: number): Row => {
  const [many, few, rest] = names
  const compute = (figure: (name: string) => number) =>
    (figure(many) - figure(rest)) / (figure(few) - figure(rest)) / by
  return { what, unit: 'x', bound: 1.1, compute }
}

const beyond = (what: string, [over, under]: readonly [string, string], bound: number): Row => ({
  what,
  unit: 'ms',
  bound,
  compute: figure => figure(over) - figure(under),
})

const plain = (what: string, name: string, unit: 'MB' | '', bound: number): Row => ({
  what,
  unit,
  bound,
  compute: figure => figure(name),
})

/** The measured values, and their bounds. A missed bound is reported, and not worked around. */
export const rows: readonly Row[] = [
  ratio('one file / bare Node', ['b 1', 'bare'], 3.5),
  ratio('one file with an error / bare Node', ['error', 'bare'], 6),
  ratio('one file / ajv-cli', ['b 1', 'ajv-cli 1'], 0.25),
  ratio('100 files that `init` writes / ajv-cli', ['i 100', 'ajv-cli (i) 100'], 0.6),
  ratio('1,000 files that `init` writes / ajv-cli', ['i 1000', 'ajv-cli (i) 1000'], 1.5),
  ratio('100 files / ajv-cli', ['b 100', 'ajv-cli 100'], 0.5),
  ratio('1,000 files / ajv-cli', ['b 1000', 'ajv-cli 1000'], 1.5),
  ratio('100 files / kubeconform', ['b 100', 'kubeconform 100'], 3),
  ratio('100 files / sourcemeta jsonschema', ['b 100', 'sourcemeta 100'], 4),
  ratio('10,000 files / ajv-cli with formats', ['b 10000', 'ajv-cli with formats 10000'], 1.5),
  ratio('10,000 files / kubeconform', ['b 10000', 'kubeconform 10000'], 0.7),
  ratio('1,000 files with a warning each / without', ['w 1000', 'b 1000'], 4),
  ratio('1,000 files, an error in each twentieth / without', ['e 1000', 'b 1000'], 1.5),
  plain('peak memory, 10,000 files', 'b 10000, MB', 'MB', 250),
  plain('peak memory, 10,000 files with a warning each', 'w 10000, MB', 'MB', 250),
  plain('peak memory, 10,000 files, an error in each twentieth', 'e 10000, MB', 'MB', 250),
  ratio('1,000 overlays of eight bases / whole files', ['c 1000', 'b 1000'], 1.3),
  growth('ten times the files: cost of each', ['b 10000', 'b 1000', 'bare'], 10),
  growth('eight times the sites applied: cost of each', ['400 sites', '50 sites', 'bare'], 8),
  ratio('memory of 400 sites applied / 50', ['400 sites, MB', '50 sites, MB'], 1.2),
  plain('peak memory, 400 sites applied in one process', '400 sites, MB', 'MB', 250),
  {
    what: 'CPU of a site applied in one process',
    unit: 'ms',
    bound: 150,
    compute: figure => (figure('400 sites') - figure('bare')) / 400,
  },
  beyond('a plan against the emulator, beyond bare Node', ['plan', 'bare'], 250),
  plain('creating a site with state in git: pushes', 'git pushes', '', 4),
  plain('creating a site with state in git: programs of git', 'git programs', '', 20),
  beyond('a license of 50 MB, beyond a small one', ['50 MB license', 'license'], 300),
  beyond('an answer of 3 MB, all text, beyond a small one', ['3 MB answer', 'answer'], 1000),
]

/** The machine of a run, and its figures without `CI` and with it. */
export interface Measured {
  readonly machine: {
    readonly date: string
    readonly node: string
    readonly cores: number
    readonly processor: string
  }
  readonly peers: readonly string[]
  /** The reasons why figures are missing. */
  readonly notMeasured: readonly string[]
  readonly withoutCi: Figures
  readonly withCi: Figures
}

/** Computes the value of a row; `undefined` if it was not measured. */
export function computeRow(row: Row, figures: Figures): number | undefined {
  const value = row.compute(name => figures[name] ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

/** Formats a value with its unit, and marks one beyond its bound. */
export function formatValue({ unit, bound }: Row, value: number | undefined): string {
  if (value === undefined) return 'not measured'
  const text = `${unit === 'x' ? value.toFixed(2) : Math.round(value)}${unit === '' ? '' : ` ${unit}`}`
  return value > bound ? `**${text}**, missed` : text
}

/** Formats the page of a run: the content of `docs/performance.md`. */
export function formatPage({ machine, peers, notMeasured, withoutCi, withCi }: Measured): string {
  const { date, node, cores, processor } = machine
  return [
    '<!-- Generated by `npm run bench -- --write` from docs/performance.json. Do not edit. -->',
    '',
    '# Performance',
    '',
    `Measured on ${date} with Node ${node} on ${cores} cores (${processor}). Times differ twofold between machines, ratios less:`,
    'run `npm run bench` on yours. A missed bound is reported here, and not worked around.',
    '',
    '| | bound | without `CI` | with `CI` |',
    '|---|---|---|---|',
    ...rows.map(row => {
      const [own, ci] = [withoutCi, withCi].map(figures => formatValue(row, computeRow(row, figures)))
      return `| ${row.what} | ${row.bound}${row.unit === '' ? '' : ` ${row.unit}`} | ${own} | ${ci} |`
    }),
    '',
    ...notMeasured.map(line => `- Not measured: ${line}`),
    ...(notMeasured.length > 0 ? [''] : []),
    '## How it is measured',
    '',
    '- Times are user and system CPU of whole programs with their child processes, which run in turns; memory is the peak of the process.',
    '  `NODE_EXTRA_CA_CERTS` is unset, because with it Node 20 itself starts three times slower. If `CI` is set, or Node is older than',
    '  22, no compiled code is kept between runs.',
    '- Every file of a folder differs from all others: files that `init` writes in its answers, the others in sizes, classes, labels,',
    '  names, kinds of cloud storage, affinity, comments, order of keys, quotes and typographic characters. They share seven licenses.',
    `- The peers check the same files with the published schema of 11.2${peers.length === 0 ? '' : `: ${peers.join(', ')}`}.`,
    '- One process applies the sites, 50 at a time, to an emulator in another. Only programs of git that Landform itself starts are',
    '  counted.',
    '',
  ].join('\n')
}

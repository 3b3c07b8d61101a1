/** One line with a value. */
interface ParsedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface ParsedFamily {
  readonly type: string
  readonly unit: string
  readonly help: string
  readonly samples: readonly ParsedSample[]
}

type Filled = { -readonly [K in keyof ParsedFamily]: ParsedFamily[K] } & { samples: ParsedSample[] }

const suffixes: Readonly<Record<string, readonly string[]>> = {
  gauge: [''],
  counter: ['_total', '_created'],
  histogram: ['_bucket', '_count', '_sum', '_created'],
  info: ['_info'],
}

/** Parses OpenMetrics 1.0 text as strictly as the specification allows. Throws with the invalid line. */
export function parseOpenMetrics(text: string): ReadonlyMap<string, ParsedFamily> {
  if (!text.endsWith('\n# EOF\n')) throw new Error('the text does not end with # EOF')
  const families = new Map<string, Filled>()
  // `HELP` may precede the `TYPE` of its family.
  const helps = new Map<string, string>()
  let current = ''
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const wrong = (why: string) => new Error(`${why}: ${line}`)
    const [, word = '', name = '', rest = ''] =
      /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? []
    if (word === 'TYPE') {
      if (families.has(name)) throw wrong('a family twice')
      if (!(rest in suffixes)) throw wrong('no type that is known here')
      families.set(name, { type: rest, unit: '', help: helps.get(name) ?? '', samples: [] })
      current = name
      continue
    }
    if (word === 'HELP' && name !== current) {
      if (helps.has(name)) throw wrong('twice')
      helps.set(name, rest)
      continue
    }
    const family = families.get(current)
    if (family === undefined) throw wrong('before a family')
    if (word !== '') {
      if (name !== current || family.samples.length > 0) throw wrong('of another family, or too late')
      const member = word === 'UNIT' ? 'unit' : 'help'
      if (family[member] !== '') throw wrong('twice')
      if (member === 'unit' && !name.endsWith(`_${rest}`)) throw wrong('the name does not end with its unit')
      family[member] = rest
      continue
    }
    const sample = parseSample(line)
    if (!sample.name.startsWith(current)) throw wrong('of another family')
    const suffix = sample.name.slice(current.length)
    if (!(suffixes[family.type] ?? []).includes(suffix)) throw wrong('no suffix of its type')
    if (family.samples.some(one => one.name === sample.name && same(one.labels, sample.labels)))
      throw wrong('a sample twice')
    if (family.type !== 'gauge' && !(sample.value >= 0)) throw wrong('below zero')
    family.samples.push(sample)
  }
  for (const [name, { type, samples }] of families) if (type === 'histogram') checkHistogram(name, samples)
  return families
}

function parseSample(line: string): ParsedSample {
  const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*"`
  const shape = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)(?:\{(${label}(?:,${label})*)?\})? (\S+)$`)
  const [, name = '', inside = '', number = ''] = shape.exec(line) ?? []
  if (!/^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i.test(number))
    throw new Error(`no sample: ${line}`)
  const labels: Record<string, string> = {}
  for (const [, key = '', value = ''] of inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    if (key in labels) throw new Error(`a label twice: ${line}`)
    labels[key] = value.replaceAll(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one))
  }
  return { name, labels, value: number.endsWith('Inf') ? Number(`${number}inity`) : Number(number) }
}

function checkHistogram(name: string, samples: readonly ParsedSample[]): void {
  const groupOf = ({ labels: { le, ...others } }: ParsedSample) => JSON.stringify(others)
  for (const one of new Set(samples.map(groupOf))) {
    const group = samples.filter(sample => groupOf(sample) === one)
    const buckets = group.filter(sample => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Infinity : Number(le)))
    const isRising = (values: readonly number[]) =>
      values.every((value, at) => at === 0 || value >= (values[at - 1] ?? 0))
    const count = group.find(sample => sample.name === `${name}_count`)?.value
    if (!isRising(bounds) || !isRising(buckets.map(({ value }) => value)))
      throw new Error(`${name}: the buckets do not rise`)
    if (bounds.at(-1) !== Infinity || buckets.at(-1)?.value !== count)
      throw new Error(`${name}: the last bucket is not all`)
    if (!group.some(sample => sample.name === `${name}_sum`)) throw new Error(`${name}: there is no sum`)
  }
}

function same(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every(key => one[key] === other[key])
}

/** One sample of a metric family. */
export interface Sample {
  /** Suffix of the family name, such as `_total`. */
  readonly suffix?: string
  /** Labels with few values each: no site, no message. */
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric family. */
export interface Family {
  readonly name: string
  readonly type: 'gauge' | 'counter' | 'histogram' | 'info'
  /** Unit of the values; the name ends with it. */
  readonly unit?: string
  readonly help: string
  readonly samples: readonly Sample[]
}

/** The content type of the result of `formatOpenMetrics`. */
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** Formats metric families as OpenMetrics 1.0. */
export function formatOpenMetrics(families: readonly Family[]): string {
  return `${families.flatMap(linesOf).join('\n')}\n# EOF\n`
}

function linesOf({ name, type, unit, help, samples }: Family): readonly string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ suffix = '', labels = {}, value }) => {
      const told = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
      return `${name}${suffix}${told.length === 0 ? '' : `{${told.join(',')}}`} ${value}`
    }),
  ]
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

/** One sample of a metric family. */
export interface MetricSample {
  /** Suffix of the family name, such as `_total`. */
  readonly suffix?: string
  /** Labels with few values each: no site, no message. */
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric family. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'gauge' | 'counter' | 'histogram' | 'info'
  /** Unit of the values; the name ends with it. */
  readonly unit?: string
  readonly help: string
  readonly samples: readonly MetricSample[]
}

/** The content type of the result of `formatOpenMetrics`. */
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** Formats metric families as OpenMetrics 1.0. */
export function formatOpenMetrics(families: readonly MetricFamily[]): string {
  return `${families.flatMap(formatFamily).join('\n')}\n# EOF\n`
}

function formatFamily({ name, type, unit, help, samples }: MetricFamily): readonly string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escapeText(help)}`,
    ...samples.map(({ suffix = '', labels = {}, value }) => {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeText(text)}"`)
      return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
    }),
  ]
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

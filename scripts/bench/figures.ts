/** The figures of one run of `npm run bench`. */
export interface Measured {
  readonly machine: {
    readonly date: string
    readonly cores: number
    readonly processor: string
    readonly node: string
    readonly isQuick: boolean
  }
  /** The programs that were measured beside Landform, with their versions. */
  readonly peers?: readonly string[]
  /** Every sample, by name; names end with the unit. */
  readonly figures: Figures
  /** The reason that something could not be measured. */
  readonly notMeasured: Readonly<Record<string, string>>
}

export type Figures = Readonly<Record<string, readonly number[]>>

/** The middle of all samples; nothing where there are none. */
export function median(samples: readonly number[] = []): number | undefined {
  return samples.toSorted((one, other) => one - other)[Math.floor(samples.length / 2)]
}

/** The ratio of two medians. */
export function ratio(figures: Figures, [one, other]: readonly [string, string]): number | undefined {
  const [above, below] = [median(figures[one]), median(figures[other])]
  return above === undefined || below === undefined ? undefined : above / below
}

import type { EndState } from 'landform/sites'

/** The result of a run. */
export interface RunEnd {
  readonly state: EndState
  /** Written by Landform; names the next step if there is one. */
  readonly message: string
  /** The exit code that `landform apply` would have returned. */
  readonly exitCode: number
}

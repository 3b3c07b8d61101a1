/** Pure functions that format plans, events, outcomes and tables as Landform prints them. */

export { display, displayJson } from '../report/display.js'
export { suggestAfterRejection } from '../report/endings/apply.js'
export { describeEnd } from '../report/endings/ending.js'
export { countCompleteStages, describeEvent } from '../report/events.js'
export { formatDiagnostics, type ReadLines } from '../report/findings-text.js'
export type { Screen } from '../report/live-view.js'
export { formatDuration, formatNumber, removeFullStop } from '../report/phrase.js'
export { addSent, type Sent } from '../report/sent.js'
export { describeStateReason } from '../report/state-reasons.js'
export { describeEntry } from '../report/state-summary.js'
export { clipText, type Paint, plain } from '../report/terminal.js'
export { formatTextTable } from '../report/text-table.js'

import { loadCommands } from '../../src/cli/run.js'
import { buildCliPage } from './cli-page.js'
import { diagnosticsPage } from './diagnostics-page.js'
import { buildEmulatorPage } from './emulator-page.js'
import { buildEntryPointsPage } from './entry-points-page.js'
import { buildEventsPage } from './events-page.js'
import { buildExitCodesPage } from './exit-codes-page.js'
import { buildLimitsPage } from './limits-page.js'
import { buildManifestPage } from './manifest-page.js'
import { buildPlanPage } from './plan-page.js'
import { buildReadingsPage } from './readings-page.js'
import { buildSchemasPage } from './schemas-page.js'

/** Builds the generated pages of the reference, by their paths from the folder of the project. */
export async function referencePages(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/reference/cli.md', buildCliPage(await loadCommands())],
    ['docs/reference/diagnostics.md', diagnosticsPage()],
    ['docs/reference/emulator.md', buildEmulatorPage()],
    ['docs/reference/entry-points.md', buildEntryPointsPage(root)],
    ['docs/reference/events.md', buildEventsPage()],
    ['docs/reference/exit-codes.md', buildExitCodesPage()],
    ['docs/reference/limits.md', buildLimitsPage(root)],
    ['docs/reference/manifest.md', buildManifestPage(root)],
    ['docs/reference/plan.md', await buildPlanPage(root)],
    ['docs/reference/readings.md', buildReadingsPage()],
    ['docs/reference/schemas.md', buildSchemasPage()],
  ])
}

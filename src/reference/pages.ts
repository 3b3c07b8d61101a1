import { commands } from '../cli/run.js'
import { cliPage } from './cli-page.js'
import { emulatorPage } from './emulator-page.js'
import { eventsPage } from './events-page.js'
import { exitCodesPage } from './exit-codes-page.js'
import { failuresPage } from './failures/failures-page.js'
import { manifestPage } from './manifest-page.js'
import { planPage } from './plan-page.js'
import { schemasPage } from './schemas-page.js'

/** Builds the generated pages of the reference, by their paths from the folder of the project. */
export async function referencePages(root: string): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['docs/reference/cli.md', cliPage(commands)],
    ['docs/reference/emulator.md', emulatorPage()],
    ['docs/reference/events.md', eventsPage()],
    ['docs/reference/exit-codes.md', exitCodesPage()],
    ['docs/reference/failures.md', failuresPage()],
    ['docs/reference/manifest.md', manifestPage(root)],
    ['docs/reference/plan.md', await planPage(root)],
    ['docs/reference/schemas.md', await schemasPage()],
  ])
}

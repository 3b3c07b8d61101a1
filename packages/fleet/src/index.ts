import { type FleetPackage, version } from 'landform/cli'
import { history } from './commands/history.js'
import { resume } from './commands/resume.js'
import { status } from './commands/status.js'
import { submit } from './commands/submit.js'
import { postgresBackend } from './state/postgres-backend.js'

/** The commands of `landform fleet …` and the state backend of `--state postgres:`. */
export const fleet: FleetPackage = {
  version,
  commands: {
    submit,
    // Imported on demand, so the other commands start without a server, metrics and the engine.
    worker: async (argv, host) => (await import('./commands/worker.js')).worker(argv, host),
    status,
    cancel: async (argv, host) => (await import('./commands/cancel.js')).cancel(argv, host),
    resume,
    history,
    ui: async (argv, host) => (await import('./commands/ui.js')).ui(argv, host),
    prune: async (argv, host) => (await import('./commands/prune.js')).prune(argv, host),
  },
  postgresBackend,
}

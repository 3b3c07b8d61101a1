import { type FleetPackage, version } from 'landform/cli'
import { cancel } from './commands/cancel.js'
import { history } from './commands/history.js'
import { openEngine } from './commands/open-fleet.js'
import { resume } from './commands/resume.js'
import { status } from './commands/status.js'
import { submit } from './commands/submit.js'
import { postgresBackend } from './state/postgres-backend.js'

/** The commands of `landform fleet …` and the state backend of `--state postgres:`. */
export const fleet: FleetPackage = {
  version,
  commands: {
    submit: (argv, host) => submit(argv, host, openEngine),
    // The others start faster without a server, metrics and the engine.
    worker: async (argv, host) => (await import('./commands/worker.js')).worker(argv, host),
    status,
    cancel: (argv, host) => cancel(argv, host, openEngine),
    resume: (argv, host) => resume(argv, host, openEngine),
    history,
    ui: async (argv, host) => (await import('./commands/ui.js')).ui(argv, host),
    prune: async (argv, host) => (await import('./commands/prune.js')).prune(argv, host),
  },
  postgresBackend,
}

/** The program with only the check of manifests: a bundle that starts faster than the full one. */
import { version } from '../version.js'
import { runLine } from './command-line/run-line.js'
import { command } from './commands/validate.js'
import { main } from './main.js'

const table = { entries: [command], groups: {}, version }
main((words, host) => runLine(words, host, table))

/** The program with only the check of manifests: a bundle that starts faster than the full one. */
import { version } from '../version.js'
import { pair } from './command.js'
import { runLine } from './command-line/run-line.js'
import { validate } from './commands/validate.js'
import * as manifests from './declarations/manifests.js'
import { main } from './main.js'

const table = { entries: [pair(manifests.validate, async () => validate)], groups: {}, version }
main((words, host) => runLine(words, host, table))

/** The program with the check of manifests alone: a bundle of its own, which starts faster than that of all commands. */
import { version } from '../version.js'
import { pair } from './command.js'
import { runLine } from './command-line/run-line.js'
import { validate } from './commands/validate.js'
import * as manifests from './declarations/manifests.js'
import { main } from './main.js'

const table = { entries: [pair(manifests.validate, async () => validate)], groups: {}, version }
main((words, host) => runLine(words, host, table))

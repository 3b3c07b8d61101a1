import { join } from 'node:path'
import { root } from './manifests.js'

/** The program as users have it; `npm run build` makes it. */
export const landformProgram = join(root, 'dist', 'bin', 'landform.cjs')

/** The beginning of a command of the shell that runs it. */
export const landformCommand = `'${process.execPath}' '${landformProgram}'`

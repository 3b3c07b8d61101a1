import { join } from 'node:path'
import { root } from './manifests.js'

/** The built program, which `npm run build` creates. */
export const landformProgram = join(root, 'dist', 'bin', 'landform.cjs')

/** The start of a shell command that runs the program. */
export const landformCommand = `'${process.execPath}' '${landformProgram}'`

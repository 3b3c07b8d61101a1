/** The program of the action: `scripts/action.mjs` bundles it into one file in `action/`. */
import { join } from 'node:path'
import { act } from './act.js'
import { formatAnnotation } from './github.js'

const print = (text: string) => process.stdout.write(text)

act({
  environment: process.env,
  program: join(__dirname, '..', 'dist', 'bin', 'landform.cjs'),
  print,
}).then(
  exitCode => {
    process.exitCode = exitCode
  },
  ({ code, message }: NodeJS.ErrnoException) => {
    print(formatAnnotation('error', `the action itself failed: ${code ?? message}`))
    process.exitCode = 70
  },
)

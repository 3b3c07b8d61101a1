import type { Entry } from '../command.js'
import { command } from '../command.js'
import { bashCompletion } from '../completion/bash.js'
import { type CompletedCommand, completed } from '../completion/model.js'
import { zshCompletion } from '../completion/zsh.js'
import { exitCodes } from '../exit-code.js'
import { commonOptions } from '../options.js'
import { UsageError } from '../usage-error.js'

const scripts = { bash: bashCompletion, zsh: zshCompletion } as const
const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[]

/** Prints a completion script, which knows the commands of the table by heart and never runs Landform. */
export function completion(entries: readonly Entry[]) {
  return command({
    arguments: [
      {
        name: 'shell',
        optional: true,
        describe: `One of ${shells.join(', ')} [default: that of $SHELL]`,
        suggests: () => shells,
      },
    ],
    options: commonOptions,
    examples: [
      ['completion bash >> ~/.bash_completion', 'for bash'],
      ['completion zsh > ~/.zfunc/_landform', 'for zsh, where ~/.zfunc is in fpath'],
    ],
    async run({ shell = '' }, host) {
      const wanted = shell === '' ? (host.environment['SHELL'] ?? '').replace(/^.*\//, '') : shell
      const name = shells.find(one => one === wanted)
      if (name === undefined) throw new UsageError(refusal(shell))
      host.stdout.write(scripts[name](await allOf(entries)))
      return exitCodes.done
    },
  })
}

function refusal(shell: string): string {
  if (shell === '') return `$SHELL names no shell that is known here; name ${shells.join(' or ')}`
  return `there is no completion for ${JSON.stringify(shell)}; name ${shells.join(' or ')}`
}

/** Loaded one by one: some runtimes take no modules that load at the same time. */
async function allOf(entries: readonly Entry[]): Promise<readonly CompletedCommand[]> {
  const all: CompletedCommand[] = []
  for (const entry of entries) all.push(completed(entry, await entry.load()))
  return all
}

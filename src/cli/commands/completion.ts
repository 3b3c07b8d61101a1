import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { type ArgumentsOf, declare, pair } from '../command.js'
import { commonOptions } from '../command-options.js'
import type { Host } from '../host.js'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

const declaration = declare({
  name: 'completion',
  describe: 'Print a completion script for a shell',
  touches: 'nothing',
  arguments: [
    {
      name: 'shell',
      optional: true,
      describe: 'One of bash, zsh, fish, powershell [default: that of $SHELL]',
      suggests: shells,
    },
  ],
  options: commonOptions,
  examples: [
    ['completion bash >> ~/.bash_completion', 'for bash'],
    ['completion zsh > ~/.zfunc/_landform', 'for zsh, where ~/.zfunc is in fpath'],
    ['completion fish > ~/.config/fish/completions/landform.fish', 'for fish'],
    ['completion powershell >> $PROFILE', 'for PowerShell'],
  ],
})

/** Prints a completion script. */
async function completion({ shell = '' }: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const name = shell === '' ? (host.environment['SHELL'] ?? '').replace(/^.*\//, '') : shell
  const known = shells.find(one => one === name)
  if (known === undefined) {
    const problem =
      shell === '' ? '$SHELL is not a supported shell' : `no completion for ${JSON.stringify(shell)}`
    throw new UsageError(`${problem}; use bash, zsh, fish or powershell`)
  }
  host.stdout.write(completionScripts[known])
  return exitCodes.done
}

/** The scripts get completions from the program, and offer files if there are none. */
const completionScripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# Completion of landform. For a permanent one, add to ~/.bashrc: source <(landform completion bash)
_landform() {
  local word meaning
  COMPREPLY=()
  while IFS=$'\\t' read -r word meaning; do
    COMPREPLY+=("$word")
  done < <(landform --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _landform landform
`,
  zsh: `#compdef landform
# Completion of landform. For a permanent one, add to ~/.zshrc: source <(landform completion zsh)
_landform() {
  local line word
  local -a offered
  for line in "\${(@f)$(landform --get-yargs-completions "\${(@Q)words[1,CURRENT]}" 2>/dev/null)}"; do
    word="\${line%%$'\\t'*}"
    [[ -n $word ]] && offered+=("\${word//:/\\\\:}\${\${line#$word}/$'\\t'/:}")
  done
  if (( $#offered )); then
    _describe 'landform' offered
  else
    _files || { compset -P '*=' && _files }
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _landform "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _landform landform
fi
`,
  fish: `# Completion of landform. For a permanent one: landform completion fish > ~/.config/fish/completions/landform.fish
function __landform_offer
    set -l current (commandline -ct)
    set -l offered (landform --get-yargs-completions (commandline -opc) "$current" 2>/dev/null)
    if set -q offered[1]
        printf '%s\\n' $offered
    else
        set -l option
        set -l files (__fish_complete_path "$current")
        if not set -q files[1]
            set option (string match -r '^.*=' -- $current)
            set files (__fish_complete_path (string replace -r '^.*=' '' -- $current))
        end
        for file in $files
            printf '%s\\n' "$option$file"
        end
    end
end
complete -c landform -f -a '(__landform_offer)'
`,
  // PowerShell offers files itself if a completer returns nothing. Before 7.3 it drops empty arguments of programs.
  powershell: `# Completion of landform. For a permanent one, add to $PROFILE: landform completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName landform -ScriptBlock {
  param($word, $line, $cursor)
  $words = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  if ($word -ne '') { $last = $word }
  elseif ($PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy') { $last = '""' }
  else { $last = '' }
  & landform --get-yargs-completions @words $last 2>$null | ForEach-Object {
    $offered, $meaning = $_ -split "\t", 2
    if (-not $meaning) { $meaning = $offered }
    [System.Management.Automation.CompletionResult]::new($offered, $offered, 'ParameterValue', $meaning)
  }
}
`,
}

export const command = pair(declaration, completion)

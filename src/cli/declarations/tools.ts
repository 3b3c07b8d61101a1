import { manifestVersions, newestVersion } from '../../contract/versions.js'
import { fidelities } from '../../emulator/field/field-world.js'
import { declare, flag, list, text } from '../command.js'
import { commonOptions, scenarioOption } from './options.js'

export const emulate = declare({
  name: 'emulate',
  describe: 'Run the emulator of the service until interrupted',
  touches: 'serves',
  arguments: [],
  options: {
    port: text('PORT', 'Port on 127.0.0.1, such as 4000; 0 takes a free one', { default: '0' }),
    'base-path': text('PATH', 'Path of the base URL, such as /arcgis/admin [default: a random one]'),
    detach: flag('Run in the background, and return once the emulator listens'),
    idle: text('TIME', 'End after this time without a request, such as 10m [default: 2h with --detach]'),
    list: flag('List the emulators that run on this machine'),
    stop: flag('Stop the emulator on the port of --port, or those that were started in this folder'),
    'service-version': text(
      'VERSION',
      `Emulated version; newer operations and parameters do not exist [default: ${newestVersion}]`,
      { suggests: manifestVersions },
    ),
    fidelity: text(
      'SOURCE',
      'Respond as the service document says, or also as reported from the field [default: document]',
      { choices: fidelities },
    ),
    'stage-time': list(
      '[STAGE=]TIME',
      'How long each stage of a configuration takes, or one of them [default: 250ms]',
    ),
    speed: text('FACTOR', 'How much faster than real time the service runs, such as 60x', { default: '1x' }),
    seed: text('NUMBER', 'Seed of random stage times and faults, so that runs repeat'),
    sites: text('NUMBER', 'Number of sites; their addresses are printed one per line', { default: '1' }),
    ...scenarioOption,
    fault: list(
      'RULE',
      'One thing that goes wrong, such as configure@1=drop-after (repeatable); a prefix 3: or 3-7: selects sites',
    ),
    accept: list(
      'NAME',
      'A parameter that configure accepts beside the documented ones, such as one of spec.extra',
    ),
    ...commonOptions,
  },
  examples: [
    ['emulate', 'then, with any secrets set: landform apply site.yaml --url URL --yes'],
    ['emulate --port 4000 --base-path /arcgis/admin --detach', 'in the background, at a fixed address'],
    ['emulate --stop', 'stop those that were started in this folder'],
    ['emulate --scenario drop-after-accept', 'a site whose response to configure is lost'],
    ['emulate --fault root@30%=status:503 --seed 7', 'a site that is unavailable three times in ten'],
  ],
  more: async () => (await import('../emulator/scenario-help.js')).scenarioHelp,
})

export const completion = declare({
  name: 'completion',
  describe: 'Print a completion script for a shell',
  touches: 'nothing',
  arguments: [
    {
      name: 'shell',
      optional: true,
      describe: 'One of bash, zsh, fish [default: that of $SHELL]',
      suggests: ['bash', 'zsh', 'fish'],
    },
  ],
  options: commonOptions,
  examples: [
    ['completion bash >> ~/.bash_completion', 'for bash'],
    ['completion zsh > ~/.zfunc/_landform', 'for zsh, where ~/.zfunc is in fpath'],
    ['completion fish > ~/.config/fish/completions/landform.fish', 'for fish'],
  ],
})

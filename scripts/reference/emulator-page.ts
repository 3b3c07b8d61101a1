import { whereNames } from '../../src/emulator/faults/notation.js'
import { requestWords } from '../../src/emulator/faults/request-words.js'
import { siteWords } from '../../src/emulator/faults/site-words.js'
import type { Word } from '../../src/emulator/faults/words.js'
import type { Scenario } from '../../src/emulator/scenarios/scenarios.js'
import { scenarios } from '../../src/emulator/scenarios/scenarios.js'
import { displayJson } from '../../src/report/display.js'
import { escapeMarkdown, formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/emulator.md`: the scenarios and faults of the emulator. */
export function buildEmulatorPage(): string {
  return [
    formatNotice('src/emulator'),
    '',
    '# The emulator',
    '',
    'The emulator is a second implementation of the service document, and shares no code with the client. Where the',
    'document is silent, `--fidelity field` responds as public sources report. `landform emulate` serves it until',
    'interrupted ([all options](cli.md#landform-emulate)); `--emulate` on another command starts a private one for that',
    'run.',
    '',
    '## Addresses',
    '',
    'The first line of stdout is the base URL of the service. Its port is free and its path random, so other programs and',
    'web pages cannot guess it; `--port` and `--base-path` set them:',
    '',
    '| command | effect |',
    '|---|---|',
    '| `landform emulate --port 4000 --base-path /arcgis/admin` | serves `http://127.0.0.1:4000/arcgis/admin` |',
    '| the same with `--detach` | returns once the emulator listens, and leaves it running in the background |',
    '| `landform emulate --port 4000 --stop` | stops it, and returns once the port is free |',
    '| `landform emulate --list` | lists those that run on this machine |',
    '| `landform emulate --stop` | stops those that were started in this folder |',
    '',
    'If the port is in use, or has no emulator to stop, the command exits with 69; if port or path is invalid, with 64. A',
    'background emulator ends after two hours without a request. Each answer names the instance in the header',
    '`landform-emulator`. The same port also serves:',
    '',
    ...formatTable(
      ['address', 'answer'],
      [
        ['`/_emulator/`', 'a page for a browser that shows the sites and their requests'],
        [
          '`/_emulator/state.json`',
          'what the page reads every second ([schema](../../schemas/emulator-state.schema.json)): each site with its counters, and the stages and newest requests of the first, or of `?site=`, with secrets redacted',
        ],
      ],
    ),
    '',
    'Before `configure`, Landform asks the site whether the license is valid (`POST …/license/validateLicense`, public',
    'sources). The service document has no such request, so document fidelity answers 404, and Landform continues: this is',
    'normal. `--fidelity field` answers it; `--no-license-check` skips it.',
    '',
    '## Scenarios',
    '',
    '`--scenario NAME` plays a scenario; repeat it for several. `--scenario FILE` plays your own file, with the same',
    'vocabulary ([schema](../../schemas/scenario.schema.json)).',
    '',
    ...formatTable(['scenario', 'what happens', 'faults'], Object.entries(scenarios).map(formatScenario)),
    '',
    '## Faults',
    '',
    '`--fault WHERE[@WHEN]=WHAT` injects one fault; if several match, the first is applied.',
    '',
    ...formatTable(
      ['part', 'written'],
      [
        ['WHERE', whereNames.map(formatCode).join(', ')],
        ['@WHEN, calls', '`@3`, `@2-4`, `@5-`, or at random `@30%`, which `--seed` makes repeatable'],
        [
          '@WHEN, a place',
          '`@Queue store`, `@ready` or `@90s`: from there on; `+1m` after it ends the fault',
        ],
      ],
    ),
    '',
    '### With a request',
    '',
    ...formatTable(['WHAT', 'meaning'], Object.values(requestWords).map(formatWord)),
    '',
    '### With the site',
    '',
    'The notation is `site[@WHEN]=WHAT`.',
    '',
    ...formatTable(['WHAT', 'meaning'], Object.values(siteWords).map(formatWord)),
    '',
  ].join('\n')
}

function formatScenario([name, scenario]: readonly [string, Scenario]): readonly string[] {
  const { summary = '', faults = [] } = scenario
  return [
    formatCode(name),
    escapeMarkdown(summary),
    faults.map(fault => formatCode(cutText(displayJson(fault)))).join('<br>'),
  ]
}

/** Cuts texts that are long on purpose. */
function cutText(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function formatWord({ form, meaning }: Pick<Word<unknown>, 'form' | 'meaning'>): readonly string[] {
  return [formatCode(form), escapeMarkdown(meaning)]
}

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
    '`landform emulate` serves it until interrupted, and `--emulate` on another command uses a private one for one run. It is',
    'a second implementation of the service document, and shares no code with the client. Where the document is silent,',
    '`--fidelity field` responds as public sources report. All its options are listed at',
    '[the command](cli.md#landform-emulate).',
    '',
    '## Addresses',
    '',
    'The first line of stdout is the base URL of the service. Its port is a free one and its path a random one, so that no other',
    'program or web page finds it by guessing, unless `--port` and `--base-path` set them:',
    '',
    '| command | effect |',
    '|---|---|',
    '| `landform emulate --port 4000 --base-path /arcgis/admin` | serves `http://127.0.0.1:4000/arcgis/admin` |',
    '| the same with `--detach` | returns once the emulator listens, and leaves it running in the background |',
    '| `landform emulate --port 4000 --stop` | stops it, and returns once the port is free |',
    '| `landform emulate --list` | lists those that run on this machine |',
    '| `landform emulate --stop` | stops those that were started in this folder |',
    '',
    'A port in use, and one where there is no emulator to stop, end with exit code 69; an invalid port or path with 64. One in the',
    'background ends after two hours without a request. Each answer names the instance in the header `landform-emulator`. On the same',
    'port there are addresses for reading:',
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
    'Before `configure`, Landform asks the site whether the license is valid (`POST …/license/validateLicense`, public sources). The',
    'service document has no such request, so with document fidelity it is not found (404), in every good run, and Landform goes on.',
    'With `--fidelity field` it is answered. `--no-license-check` leaves it out.',
    '',
    '## Scenarios',
    '',
    '`--scenario NAME` plays one; repeat it for several. `--scenario FILE` plays a file of your own',
    '([schema](../../schemas/scenario.schema.json)) with the same vocabulary.',
    '',
    ...formatTable(['scenario', 'what happens', 'faults'], Object.entries(scenarios).map(formatScenario)),
    '',
    '## Faults',
    '',
    '`--fault WHERE[@WHEN]=WHAT` is one thing that goes wrong; the first that matches is applied.',
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
    'Written `site[@WHEN]=WHAT`.',
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

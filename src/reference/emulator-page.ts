import { whereNames } from '../emulator/faults/notation.js'
import { requestWords } from '../emulator/faults/request-words.js'
import { siteWords } from '../emulator/faults/site-words.js'

import type { Word } from '../emulator/faults/words.js'
import type { Scenario } from '../emulator/scenarios/scenario.js'
import { scenarios } from '../emulator/scenarios/scenarios.js'
import { displayJson } from '../report/display.js'
import { code, notice, plain, table } from './markdown.js'

/** What the emulator can play: the content of `docs/reference/emulator.md`. */
export function emulatorPage(): string {
  return [
    notice('src/emulator'),
    '',
    '# The emulator',
    '',
    '`landform emulate` serves it until interrupted, and `--emulate` on another command uses a private one for one run. It is',
    'a second reading of the service document, and shares no code with the client. Where the document is silent, `--fidelity',
    'field` answers as public sources report. All its options stand at [the command](cli.md#landform-emulate).',
    '',
    '## Addresses',
    '',
    'The first line of stdout is the base URL of the service. Beside it, on the same port, and only ever to look:',
    '',
    ...table(
      ['address', 'answer'],
      [
        ['`/_emulator/`', 'a page for a browser, that shows the sites and what they are asked'],
        [
          '`/_emulator/state.json`',
          'each site with its stages and counters ([schema](../../schemas/emulator-state.schema.json)); `?site=` of one',
        ],
        [
          '`/_emulator/requests.json`',
          'the newest requests, secrets masked; `?limit=`, `?before=` and `?site=` choose',
        ],
        ['`/_emulator/events`', 'what happens, as server-sent events'],
        ['`/_emulator/openapi.json`', 'the service as OpenAPI, in the version that is emulated'],
      ],
    ),
    '',
    '## Scenarios',
    '',
    '`--scenario NAME` plays one, several times plays several. `--scenario FILE` plays a file of your own',
    '([schema](../../schemas/scenario.schema.json)), which has the same words.',
    '',
    ...table(['scenario', 'what happens', 'faults'], Object.entries(scenarios).map(scenarioRow)),
    '',
    '## Faults',
    '',
    '`--fault WHERE[@WHEN]=WHAT` is one thing that goes wrong; the first that counts is met.',
    '',
    ...table(
      ['part', 'written'],
      [
        ['WHERE', whereNames.map(code).join(', ')],
        ['@WHEN, calls', '`@3`, `@2-4`, `@5-`, or by chance `@30%`, which `--seed` makes the same each time'],
        [
          '@WHEN, a place',
          '`@Queue store`, `@ready` or `@90s`: from there on, and `+1m` behind it ends that',
        ],
      ],
    ),
    '',
    '### With a request',
    '',
    ...table(['WHAT', 'meaning'], Object.values(requestWords).map(wordRow)),
    '',
    '### With the site',
    '',
    'Written `site[@WHEN]=WHAT`.',
    '',
    ...table(['WHAT', 'meaning'], Object.values(siteWords).map(wordRow)),
    '',
  ].join('\n')
}

function scenarioRow([name, scenario]: readonly [string, Scenario]): readonly string[] {
  const { summary = '', faults = [] } = scenario
  return [code(name), plain(summary), faults.map(fault => code(cut(displayJson(fault)))).join('<br>')]
}

/** Some texts are long on purpose. */
function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function wordRow({ form, meaning }: Pick<Word<unknown>, 'form' | 'meaning'>): readonly string[] {
  return [code(form), plain(meaning)]
}

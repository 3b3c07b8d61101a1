import { parseBuiltInRules } from '../faults/notation.js'
import type { FieldOptions } from '../field/field-world.js'
import type { WorldOptions } from '../service/world.js'

/** The options of an emulator under a name. Plain data. */
export interface Scenario extends Omit<WorldOptions, 'faults' | 'field' | 'token' | 'accept'> {
  readonly summary?: string
  /** Rules as `parseRule` reads them. */
  readonly faults?: readonly string[]
  readonly field?: Pick<FieldOptions, 'upgrading' | 'securityFrom' | 'licenseRefusal'>
}

/** Merges scenarios: concatenates their faults; for every other option, the last value wins. */
export function mergeScenarios(scenarios: readonly Scenario[]): WorldOptions {
  const settings = scenarios.map(({ summary, faults, ...rest }) => rest)
  return {
    ...Object.assign({}, ...settings),
    field: Object.assign({}, ...settings.map(({ field }) => field)),
    faults: parseBuiltInRules(scenarios.flatMap(({ faults = [] }) => faults)),
  }
}

/** The built-in scenarios. Faults at `0s` begin after the plan was made, while the client waits. */
export const scenarios = {
  'slow-relational-store': {
    summary: 'One stage takes ten minutes longer than the others',
    faults: ['site@Relational store=stall:10m'],
  },
  stuck: {
    summary: 'One stage never ends',
    faults: ['site@Relational store=stall'],
  },
  'stage-fails': {
    summary: 'A stage fails, and the configuration with it',
    faults: ['site@Object store=fail:The object store did not start in time.'],
  },
  'goes-backwards': {
    summary: 'A ready site falls back to an earlier stage, once',
    faults: ['site@ready=back:Portal REST API,after:300ms'],
  },
  'unknown-state': {
    summary: 'The overall state is unknown for a minute',
    faults: ['site@Queue store+1m=state:paused'],
  },
  'unknown-stages': {
    summary: 'Stages are renamed, missing, listed twice, or unknown',
    faults: [
      'site=rename:Queue store,to:QUEUE STORE',
      'site=rename:Object store,to:Blob store',
      'site=hide:Usage statistics',
      'site=repeat:Portal REST API',
      'site=stages:3',
    ],
  },
  'already-configured': {
    summary: 'Somebody configured the site long ago',
    configured: true,
  },
  'upgrade-in-progress': {
    summary: 'An upgrade is in progress, so upgrade settings cannot be changed; with field fidelity',
    configured: true,
    fidelity: 'field',
    field: { upgrading: true, securityFrom: 'never' },
  },
  'license-refused': {
    summary: 'The service refuses the license before anything is configured; with field fidelity',
    fidelity: 'field',
    field: { licenseRefusal: 'The license has expired.' },
  },
  'drop-before-accept': {
    summary: 'The first configure is lost before the service sees it',
    faults: ['configure@1=drop-before'],
  },
  'drop-after-accept': {
    summary: 'The first configure is carried out, but its response is lost',
    faults: ['configure@1=drop-after'],
  },
  'balancer-duplicates': {
    summary: 'A load balancer sends configure twice and passes on the second response',
    faults: ['configure=duplicate-second'],
  },
  'gateway-timeout-after-accept': {
    summary: 'Configure is carried out, but a gateway responds with 504 and a web page',
    faults: ['configure@1=html-after:504'],
  },
  'html-login': {
    summary: 'While the site is being configured the root shows a login page, for a minute',
    faults: ['root@Queue store+1m=html'],
  },
  'flaky-polls': {
    summary: 'Almost every second poll of the root fails in some way',
    faults: [
      'root@0s@10%=drop-after',
      'root@0s@10%=status:503,retry-after:1',
      'root@0s@10%=html:502',
      'root@0s@10%=garbage',
      'root@0s@10%=reset-before',
    ],
    seed: 46,
  },
  'rate-limited': {
    summary: 'The service limits the rate of requests and sends Retry-After',
    faults: [
      'root@Queue store+20s=status:429,retry-after:5',
      'root@Object store+30s=status:503,retry-after:5',
    ],
  },
  redirects: {
    summary: 'Configure and some polls of the root are redirected to a login',
    faults: ['configure@1=redirect-after:307,location:/login', 'root@0s@4-6=redirect:302,location:/login'],
  },
  garbage: {
    summary: 'The response to configure is not JSON, and some polls get JSON of another shape',
    faults: ['configure@1=garbage', 'root@0s@4-6=wrong-shape', 'root@0s@7-9=garbage'],
  },
  'huge-answer': {
    summary: 'Some polls of the root get a gigabyte',
    faults: ['root@0s@4-6=huge:1GiB'],
  },
  truncated: {
    summary: 'The responses to configure and to some polls end in the middle',
    faults: ['configure@1=truncate:100', 'root@0s@4-6=truncate:20'],
  },
  'token-expires': {
    summary: 'From a stage on every token is rejected as invalid',
    faults: ['any@Queue store=error:498,message:Invalid token.'],
  },
  'clock-skew': {
    summary: 'The clock of the service is a century behind',
    faults: ['site=skew:-900000h'],
  },
  'site-replaced': {
    summary: 'During the wait the address starts to point to another, older site',
    faults: ['site@Queue store=replace,version:11.1,build:other'],
  },
  'falls-back': {
    summary: 'During the wait the site loses its configuration',
    faults: ['site@Queue store=forget'],
  },
  'webhooks-listed': {
    summary:
      'As reported from the field, Roads.FeatureServer lists three webhooks, and no other service exists',
    fidelity: 'field',
    webhooks: { 'Roads.FeatureServer': 3 },
  },
  'export-warns': {
    summary: 'Every export ends with a warning',
    missingItems: true,
  },
  'export-refused': {
    summary: 'No export can be written to /backups',
    unwritableLocations: ['/backups'],
  },
  'one-shot-answers-lost': {
    summary: 'Exports and deletions of webhooks are carried out, but their responses are lost',
    faults: ['exportSite=drop-after', 'deleteAll=drop-after'],
  },
  'hostile-texts': {
    summary: 'Messages, stages and warnings try to take over the terminal',
    faults: [
      'site=rename:Queue store,to:\u001b[2J\u001b]0;owned\u0007Queue store\r\nPod replicas: completed',
      'site=warnings:100000',
      `site=message:\u001b[31mready\u001b[0m \u202eydaer ${'long '.repeat(20_000)}`,
    ],
  },
} as const satisfies Readonly<Record<string, Scenario & { readonly summary: string }>>

export type ScenarioName = keyof typeof scenarios

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[]

import { request } from 'node:http'
import { exitCodes } from '../../src/report/exit-code.js'
import { landform } from '../support/landform.js'
import { type CheckRun, declareCheck } from './check.js'
import { exportEnvironment, firewallCases, type TomcatCase } from './tomcat/cases.js'
import { type Firewall, firewalls, isInstalled, startFirewall } from './tomcat/firewall.js'
import { listFormDifferences, listPartDifferences } from './tomcat/meant.js'
import { hasTomcat, startTomcat, type Tomcat } from './tomcat/tomcat.js'
import { landformOn, receivedBy } from './tomcat/try-tomcat.js'

const counts = {
  applies: [4, 4],
  'license checks': [4, 4],
  exports: [2, 2],
  'controls found': [6, 6],
} as const

/**
 * Applies manifests through web application firewalls with the rules of their distribution, and compares the values at a
 * servlet behind them with the expected ones. The controls are requests that active rules must block.
 */
export const check = declareCheck({
  name: 'firewall',
  shows:
    'ModSecurity 2 in Apache and 3 in nginx, with their recommended rules and the OWASP core rules, let an apply and an export through, in ASCII or not. Tomcat behind them gets every value unchanged.',
  counts,
  short: 'ci',
  figures: {},
  async run(run) {
    const all = Object.keys(counts)
    if (!(await hasTomcat()))
      return run.skip(
        'Tomcat and Java are not both installed (Debian: apt-get install tomcat10-user): no firewall was tried',
        ...all,
      )
    const tomcat = await startTomcat(run.scratchFolder())
    try {
      for (const kind of firewalls) {
        if (!isInstalled(kind)) {
          run.skip(
            `${kind.name} is not installed (Debian: apt-get install ${kind.packages}): it blocked nothing`,
            ...all,
          )
          continue
        }
        const firewall = await startFirewall(kind, new URL(tomcat.newSite()).origin, run.scratchFolder())
        try {
          await tryFirewall({ run, tomcat, firewall, name: kind.name })
        } finally {
          await firewall.stop()
        }
      }
    } finally {
      await tomcat.close()
    }
  },
})

interface Fixture {
  readonly run: CheckRun
  readonly tomcat: Tomcat
  readonly firewall: Firewall
  readonly name: string
}

async function tryFirewall(fixture: Fixture) {
  const { run, name } = fixture
  for (const one of firewallCases) await tryApply(fixture, one)
  await tryExport(fixture)
  for (const [what, status] of Object.entries(await sendBlocked(fixture)))
    if (status === 400 || status === 403) run.count('controls found')
    else run.violation(`control: ${name} answered ${status} to ${what}`)
}

/** Applies a manifest to a new site, from the first poll to the update. */
async function tryApply({ run, tomcat, firewall, name }: Fixture, one: TomcatCase) {
  const url = tomcat.newSite('usual', one.version)
  const { exitCode, err } = await landformOn(behind(firewall, url), one, 'apply', '--yes')
  const { license, configure, update } = await receivedBy(tomcat, url)
  const received = (await tomcat.received(url)).map(({ path }) => path)
  run.say(`${name}: apply, ${one.what}: exit code ${exitCode}; ${received.join(', ')}`)
  run.report(`${name}: ${one.what}`, [
    ...(exitCode === exitCodes.done ? [] : [`exit code ${exitCode}: ${err}`, ...firewall.matched()]),
    ...(received.length === 3 ? [] : [`${received.length} requests: ${received.join(', ')}`]),
    ...listPartDifferences(configure, one.meant),
    ...(one.update === undefined ? [] : listFormDifferences(update, one.update)),
  ])
  run.count('applies')
  if (license !== undefined) run.count('license checks')
}

async function tryExport({ run, tomcat, firewall, name }: Fixture) {
  const url = tomcat.newSite()
  const location = '/exports/Gr\u00f6\u00dfe'
  const words = [
    '--url',
    behind(firewall, url),
    '--location',
    location,
    '--token',
    'env:LANDFORM_TOKEN',
    '--yes',
  ]
  const { exitCode, err } = await landform(['export-site', ...words], { environment: exportEnvironment })
  const { exported } = await receivedBy(tomcat, url)
  run.report(`${name}: an export`, [
    ...(exitCode === exitCodes.done ? [] : [`exit code ${exitCode}: ${err}`]),
    ...listFormDifferences(exported, { location, token: exportEnvironment.LANDFORM_TOKEN, f: 'json' }),
  ])
  run.count('exports')
}

/** Sends requests that the rules forbid: a body type with a `charset`, a request without a user agent, and an attack. */
async function sendBlocked({ tomcat, firewall }: Fixture): Promise<Readonly<Record<string, number>>> {
  const url = `${behind(firewall, tomcat.newSite())}/configure`
  const type = 'multipart/form-data; charset=UTF-8; boundary=b'
  const body = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\njson\r\n--b--\r\n'
  const agent = { 'user-agent': 'control' }
  return {
    'a charset': await statusOf(url, { ...agent, 'content-type': type }, body),
    'no user agent': await statusOf(url, {}),
    'an attack': await statusOf(
      `${url}?f=%27%20or%201%3D1--%20union%20select%20password%20from%20users`,
      agent,
    ),
  }
}

/** Sends a request with these headers and no others. */
function statusOf(url: string, headers: Readonly<Record<string, string>>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent: false }, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', reject)
      .end(body)
  })
}

/** Returns the address of a site behind a firewall. */
function behind({ url }: Firewall, site: string): string {
  return `${url}${new URL(site).pathname}`
}

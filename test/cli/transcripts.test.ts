import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'

/*
 * A transcript is a Markdown file with sessions in ```console blocks: lines `$ landform …`, their output and the exit
 * code. Each command is run and must print the same. `UPDATE_GOLDEN=1 npm test` rewrites the files.
 */
const folder = join(root, 'test', 'transcripts')
const files = readdirSync(folder).filter(file => file.endsWith('.md'))

test.each(files)('%s has the output of the program', async file => {
  const path = join(folder, file)
  const written = readFileSync(path, 'utf8')
  const said = await replayed(written)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, said)
  else expect(said).toBe(written)
})

async function replayed(text: string): Promise<string> {
  const parts = text.split(/(```console\n[\s\S]*?```)/)
  const said: string[] = []
  for (const part of parts) said.push(part.startsWith('```console') ? await session(part) : part)
  return said.join('')
}

async function session(block: string): Promise<string> {
  const commands = block.split('\n').filter(line => line.startsWith('$ landform'))
  const said: string[] = []
  for (const command of commands) {
    const host = fakeHost({ columns: 80, settle: settled })
    const exitCode = await run(command.slice('$ landform'.length).trim().split(/\s+/).filter(Boolean), host)
    said.push(`${command}\n${settled(host.screen())}[exit ${exitCode}]`)
  }
  return `\`\`\`console\n${said.join('\n\n')}\n\`\`\``
}

/** Replaces the port and the random path of a private emulator, which differ between runs. */
function settled(text: string): string {
  return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\/admin/g, 'http://127.0.0.1:PORT/BASE/admin')
}

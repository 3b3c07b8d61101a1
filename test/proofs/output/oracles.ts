import { readReport } from '../../support/command-forms.js'
import { unprintable } from '../../support/hostile-texts.js'
import { htmlOf, treeOf } from '../../support/markup-tree.js'

/** A comment of GitHub holds no more. */
const mostMarkdown = 65_536

/** What a rendering is made of when nothing in it is hostile. */
export type Harmless = ReadonlySet<string>

/** The elements of a rendering for people, each once, as it stands in every row. */
export function elementsOf(format: string, text: string): Harmless {
  const page = format === 'html' ? text : format === 'markdown' ? htmlOf(text) : ''
  return new Set(page === '' ? [] : treeOf(page).elements.map(plain))
}

/** What differs from row to row of ours: depth and numbers. */
function plain(element: string): string {
  return element.trim().replaceAll(/[0-9a-f]{7,}|\d+/g, '0')
}

/** What is wrong with a rendering, whatever was hostile in what it shows; `harmless` is what it may be made of. */
export function outputComplaints(format: string, text: string, harmless: Harmless): readonly string[] {
  const lines = text.split('\n')
  const isCommands = format === 'github'
  return [
    ...lines.filter(line => unprintable.test(line)).map(line => `raw: ${JSON.stringify(line)}`),
    ...lines
      .filter(line => /##\w*\[/.test(line) || (!isCommands && /^\s*::/.test(line)))
      .map(line => `a command: ${JSON.stringify(line)}`),
    ...unreadable(format, text),
    ...[...elementsOf(format, text)]
      .filter(element => !harmless.has(element))
      .map(element => `an element: ${element}`),
    ...(format === 'markdown' && text.length > mostMarkdown ? [`${text.length} characters`] : []),
  ]
}

function unreadable(format: string, text: string): readonly string[] {
  try {
    if (format === 'events') for (const line of text.split('\n').slice(0, -1)) JSON.parse(line)
    else if (format !== 'stderr' && text !== '') readReport(format, text)
    return []
  } catch (error) {
    return [`it cannot be read: ${(error as Error).message.slice(0, 300)}`]
  }
}

/** Renderings by somebody who never thought of it, by their formats. */
export const careless: Readonly<Record<string, (text: string) => string>> = {
  text: text => `error: ${text}\n`,
  stderr: text => `${text}\n`,
  json: text => `{ "message": "${text}" }\n`,
  events: text => `{ "message": "${text}" }\n`,
  gitlab: text => `[{ "description": "${text}" }]\n`,
  sarif: text => `{ "version": "2.1.0", "runs": [{ "message": "${text}" }] }\n`,
  github: text => `::error file=${text}::${text}\n`,
  junit: text => `<testsuite name="${text}"></testsuite>\n`,
  markdown: text => `- **x**: ${text}\n`,
  html: text => `<!doctype html><title>x</title><p title="${text}">${text}</p>\n`,
}

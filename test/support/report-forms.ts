import { parse as parseHtml } from 'parse5'
import { parse as parseYaml } from 'yaml'
import { parsedXml } from './parsed-xml.js'
import { listSarifErrors } from './sarif-errors.js'

/** Reads a whole report as those do who it is for; throws where they could not. What JSON says comes back. */
export function readReport(format: string, text: string): unknown {
  switch (format) {
    case 'json':
    case 'gitlab':
      if (!text.endsWith('\n')) throw new Error('no line break at the end')
      return JSON.parse(text)
    case 'sarif': {
      const complaints = listSarifErrors(JSON.parse(text))
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      return undefined
    }
    case 'junit':
      parsedXml(text)
      return undefined
    case 'github':
      for (const line of text.split('\n').slice(0, -1))
        if (!/^::(?:error|warning|notice) .*::/.test(line)) throw new Error(`no command: ${line}`)
      return undefined
    case 'yaml':
      parseYaml(text)
      return undefined
    case 'html': {
      const problems: string[] = []
      parseHtml(text, { onParseError: ({ code }) => problems.push(code) })
      if (problems.length > 0) throw new Error(problems.join('\n'))
      return undefined
    }
    case 'text':
    case 'markdown':
      if (text.trim() === '' || /^\s*[{[]/.test(text)) throw new Error(`not for people: ${text.slice(0, 80)}`)
      return undefined
    default:
      throw new Error(`say in test/support/report-forms.ts how ${format} is read`)
  }
}

import { record } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, diagnostic, diagnostics, formatVersion, text } from './parts.js'

const lines: JsonSchema = { type: 'array', items: text }

/** The results of test files. */
export const tests = record(
  {
    formatVersion,
    files: {
      type: 'array',
      items: record(
        {
          file: text,
          diagnostics,
          tests: {
            type: 'array',
            items: record(
              {
                name: text,
                line: { type: 'integer', minimum: 1 },
                result: { enum: ['passed', 'failed'] },
                failures: {
                  type: 'array',
                  items: {
                    ...diagnostic,
                    properties: { ...diagnostic.properties, expected: lines, actual: lines },
                    required: [...(diagnostic.required ?? []), 'expected', 'actual'],
                  },
                },
                warnings: diagnostics,
              },
              ['name', 'line', 'result', 'failures', 'warnings'],
            ),
          },
        },
        ['file', 'diagnostics', 'tests'],
      ),
    },
    summary: record({ files: count, tests: count, passed: count, failed: count }, [
      'files',
      'tests',
      'passed',
      'failed',
    ]),
  },
  ['formatVersion', 'files', 'summary'],
)

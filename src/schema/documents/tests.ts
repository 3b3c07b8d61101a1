import { buildRecord } from '../fields.js'
import type { JsonSchema } from '../json-schema.js'
import { count, diagnostic, diagnostics, formatVersion, text } from './parts.js'

const lines: JsonSchema = { type: 'array', items: text }

/** The results of test files. */
export const tests = buildRecord(
  {
    formatVersion,
    files: {
      type: 'array',
      items: buildRecord(
        {
          file: text,
          diagnostics,
          tests: {
            type: 'array',
            items: buildRecord(
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
    summary: buildRecord({ files: count, tests: count, passed: count, failed: count }, [
      'files',
      'tests',
      'passed',
      'failed',
    ]),
  },
  ['formatVersion', 'files', 'summary'],
)

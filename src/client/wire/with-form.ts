import { encodeForm, type FormField } from './form.js'
import type { RequestBody } from './multipart.js'

/** Provides a form-encoded body for one request. The body and the values it was made from are wiped, whatever happens. */
export async function withForm<T>(
  fields: readonly FormField[],
  use: (body: RequestBody) => Promise<T>,
): Promise<T> {
  const body = encodeForm(fields)
  for (const { value } of fields) value.fill(0)
  try {
    return await use(body)
  } finally {
    body.bytes.fill(0)
  }
}

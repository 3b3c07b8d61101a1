import type { ServiceRequest } from '../service/request.js'

/**
 * Reads the texts of a request by name, the first of each. It is not reported what the service does with unknown names;
 * reported resources ignore them.
 */
export function readTexts({ method, query, body }: ServiceRequest): ReadonlyMap<string, string> {
  const parts = method === 'GET' ? query : body.parts
  const texts = new Map<string, string>()
  for (const part of parts) if (part.kind === 'text' && !texts.has(part.name)) texts.set(part.name, part.text)
  return texts
}

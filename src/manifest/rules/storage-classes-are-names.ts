import { hasForm, subdomainForm } from '../../contract/kubernetes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { places, select } from '../select.js'
import type { Rule } from './rule.js'

const pattern = `${places.volumes}/storageClass`

/** The name of a storage class is a DNS-1123 subdomain. Service §2.4, Kubernetes. */
export const storageClassesAreNames: Rule = function* ({ index }) {
  for (const found of select(index, pattern)) {
    const name = found.value
    // The schema reports empty or too long text.
    if (typeof name !== 'string' || name === '' || name.length > subdomainForm.longest) continue
    if (!hasForm(name, subdomainForm)) yield diagnose('volume/storage-class', found.pointer, { name })
  }
}

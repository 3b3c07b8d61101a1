import { type Wording, wordingFor } from '../../diagnostics/wording.js'
import type { ClusterKind, ClusterListFailure, ListFault } from '../../plan/placement/cluster-list.js'

const types: Readonly<Record<Extract<ListFault, { readonly kind: 'wrong-type' }>['expected'], string>> = {
  list: 'a list',
  object: 'an object',
  'list-or-object': 'a list or an object',
  boolean: 'true or false',
}

const texts: Readonly<Record<Extract<ListFault, { readonly kind: 'wrong-text' }>['is'], string>> = {
  name: 'a name',
  label: 'a label',
  'taint-key': 'a taint key',
  'taint-value': 'a taint value',
  word: 'a word',
}

/** Each text ends a sentence that begins with the place. */
const wording: Wording<ListFault> = {
  'too-large': ({ limitBytes }) => `is larger than ${limitBytes / 1024 / 1024} MiB`,
  empty: () => 'is empty',
  'not-json': () => 'is not valid JSON in UTF-8',
  'wrong-type': ({ expected }) => `is not ${types[expected]}`,
  'wrong-kind': ({ expected }) => `is not ${expected.map(kind => `\`${kind}\``).join(' or ')}`,
  'wrong-value': ({ expected }) => `is not one of ${expected.join(', ')}`,
  'wrong-text': ({ is, longest }) => `is not ${texts[is]} of at most ${longest} characters`,
  'too-many': ({ of, limit }) => `has more than ${limit} ${of}`,
  'duplicate-name': () => 'repeats the name of an earlier element',
  'no-nodes': () => 'lists no nodes',
}

/** Describes a fault in a list of a cluster, after its place. */
export function describeListFault(fault: ListFault): string {
  return wordingFor(wording, fault)
}

const plurals: Readonly<Record<ClusterKind<never>['kind'], string>> = {
  Node: 'nodes',
  StorageClass: 'storageclasses',
}

/** Names the command that makes a usable list. */
export function listRemedy({ kind, fault }: ClusterListFailure): string {
  return fault.kind === 'no-nodes'
    ? 'check that kubectl uses the right cluster and may list its nodes'
    : `create the file with: kubectl get ${plurals[kind]} -o json`
}

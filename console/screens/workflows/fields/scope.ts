import { useMemo } from 'react'
import type { CodeCompletion, CodeCompletions } from '../../../components/code/completions.ts'
import { useContactCompletions } from '../../../components/code/use-contact-words.ts'

/** What expressions of workflows see, with the members that each has. */
const SCOPE: Readonly<Record<string, readonly string[]>> = {
  contact: ['id', 'unicity', 'hash'],
  data: [],
  variables: [],
  state: [],
  event: ['type', 'timestamp', 'data', 'contact', 'stamp'],
  stamp: ['time', 'id', 'thread', 'set'],
  last: ['node', 'outcome', 'value', 'error'],
  run: ['id', 'workflow', 'version', 'node', 'visit', 'start', 'depth'],
  environment: [],
  account: [],
  now: [],
}
const word = (label: string, type: CodeCompletion['type'] = 'variable'): CodeCompletion => ({ label, type })
const ROOTS = Object.keys(SCOPE).map((name) => word(name))

export interface ScopeCompletions {
  paths: readonly string[]
  template: CodeCompletions
  script: CodeCompletions
}

/** What is offered in expressions: their scope, and the fields of contacts. */
export function useScopeCompletions(): ScopeCompletions {
  const { properties } = useContactCompletions()
  return useMemo(() => {
    const fields = properties?.(['contact', 'fields']) ?? []
    const known = Object.entries(SCOPE).flatMap(([root, members]) => [
      root,
      ...members.map((name) => `${root}.${name}`),
    ])
    const ofFields = fields.map(({ label }) => `contact.${label}`)
    const below = (path: readonly string[]): readonly CodeCompletion[] => {
      const own = path.length === 1 ? (SCOPE[path[0] ?? ''] ?? []).map((name) => word(name, 'property')) : []
      return path[0] === 'contact' ? [...own, ...(properties?.(path) ?? [])] : own
    }
    return {
      paths: [...new Set([...known, ...ofFields])],
      template: { variables: ROOTS, properties: below },
      script: { words: [...known, ...ofFields].map((label) => word(label)) },
    }
  }, [properties])
}

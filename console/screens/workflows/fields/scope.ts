import { useMemo } from 'react'
import type { CodeCompletion, CodeCompletions } from '../../../components/code/completions.ts'
import { useContactCompletions } from '../../../components/code/use-contact-words.ts'

/** Scope of workflow expressions, with the members of each root. */
const SCOPE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
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
const createCompletion = (label: string, type: CodeCompletion['type'] = 'variable'): CodeCompletion => ({ label, type })
const ROOT_COMPLETIONS = Object.keys(SCOPE_MEMBERS).map((name) => createCompletion(name))

export interface ScopeCompletions {
  paths: readonly string[]
  template: CodeCompletions
  script: CodeCompletions
}

/** Completions for expressions: their scope, and the contact fields. */
export function useScopeCompletions(): ScopeCompletions {
  const { properties } = useContactCompletions()
  return useMemo(() => {
    const contactFields = properties?.(['contact', 'fields']) ?? []
    const scopePaths = Object.entries(SCOPE_MEMBERS).flatMap(([root, members]) => [
      root,
      ...members.map((name) => `${root}.${name}`),
    ])
    const fieldPaths = contactFields.map(({ label }) => `contact.${label}`)
    const listMembers = (path: readonly string[]): readonly CodeCompletion[] => {
      const scopeMembers =
        path.length === 1 ? (SCOPE_MEMBERS[path[0] ?? ''] ?? []).map((name) => createCompletion(name, 'property')) : []
      return path[0] === 'contact' ? [...scopeMembers, ...(properties?.(path) ?? [])] : scopeMembers
    }
    return {
      paths: [...new Set([...scopePaths, ...fieldPaths])],
      template: { variables: ROOT_COMPLETIONS, properties: listMembers },
      script: { words: [...scopePaths, ...fieldPaths].map((label) => createCompletion(label)) },
    }
  }, [properties])
}

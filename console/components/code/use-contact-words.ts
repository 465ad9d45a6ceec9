import { useMemo } from 'react'
import { useContactFields } from '../../api/definitions.ts'
import type { CodeCompletion, CodeCompletions } from './completions.ts'

/** What templates of messages read beside the contact. */
const ROOTS: readonly CodeCompletion[] = [
  'contact',
  'related',
  'data',
  'variables',
  'blocks',
  'block',
  'action',
  'campaign',
  'environment',
].map((label) => ({ label, type: 'variable' }))

const OWN: readonly CodeCompletion[] = ['id', 'unicity', 'hash', 'fields'].map((label) => ({ label, type: 'property' }))

/** After a dot stand only names that are words. */
const IS_WORD = /^[\p{L}_][\p{L}\p{N}_-]*$/u

/** Completion of the templates of messages: their variables, and the account's fields below `contact.` and `related.`. */
export function useContactCompletions(): CodeCompletions {
  const fields = useContactFields().data
  return useMemo(() => {
    const named = (fields ?? [])
      .filter(({ name }) => IS_WORD.test(name))
      .map(({ name, type }): CodeCompletion => ({ label: name, detail: type.toLowerCase(), type: 'property' }))
    const below = ([root, member, ...rest]: readonly string[]): readonly CodeCompletion[] => {
      if (root !== 'contact' && root !== 'related') return []
      if (member === undefined) return [...OWN, ...named]
      return member === 'fields' && rest.length === 0 ? named : []
    }
    return { variables: ROOTS, properties: below }
  }, [fields])
}

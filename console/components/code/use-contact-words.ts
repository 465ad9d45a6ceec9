import { useMemo } from 'react'
import { useContactFields } from '../../api/definitions.ts'
import type { CodeCompletion, CodeCompletions } from './completions.ts'

/** Variables available to message templates in addition to the contact. */
const ROOT_VARIABLES: readonly CodeCompletion[] = [
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

const CONTACT_MEMBERS: readonly CodeCompletion[] = ['id', 'unicity', 'hash', 'fields'].map((label) => ({
  label,
  type: 'property',
}))

/** After a dot stand only names that are words. */
const DOT_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u

/** Completion of the templates of messages: their variables, and the account's fields below `contact.` and `related.`. */
export function useContactCompletions(): CodeCompletions {
  const contactFields = useContactFields().data
  return useMemo(() => {
    const fieldCompletions = (contactFields ?? [])
      .filter(({ name }) => DOT_NAME.test(name))
      .map(({ name, type }): CodeCompletion => ({ label: name, detail: type.toLowerCase(), type: 'property' }))
    const listMembers = ([root, member, ...deeperPath]: readonly string[]): readonly CodeCompletion[] => {
      if (root !== 'contact' && root !== 'related') return []
      if (member === undefined) return [...CONTACT_MEMBERS, ...fieldCompletions]
      return member === 'fields' && deeperPath.length === 0 ? fieldCompletions : []
    }
    return { variables: ROOT_VARIABLES, properties: listMembers }
  }, [contactFields])
}

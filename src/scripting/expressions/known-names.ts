import type { PathFlaw } from './expression-types.ts'

/** A field of contacts, by which values of contacts are named. */
export interface ContactFieldName {
  id: number
  name: string
}

const CONTACT_MEMBERS = ['id', 'unicity', 'hash', 'fields']

/** Members of what has the same form in every run. */
const MEMBERS_BY_ROOT: Record<string, readonly string[]> = {
  stamp: ['id', 'thread', 'set', 'time'],
  run: ['id', 'workflow', 'version', 'node', 'visit', 'start', 'depth'],
  last: ['node', 'outcome', 'value', 'error'],
  account: ['agency', 'customer', 'name', 'culture'],
}

function hasField(fields: readonly ContactFieldName[], name: string): boolean {
  return fields.some((field) => field.name === name || String(field.id) === name)
}

function findContactFault(
  names: readonly (string | undefined)[],
  fields: readonly ContactFieldName[],
): string | undefined {
  const [, member, name] = names
  if (member === undefined) return undefined
  if (member !== 'fields')
    return CONTACT_MEMBERS.includes(member) || fields.some((field) => field.name === member)
      ? undefined
      : `There is no field ${JSON.stringify(member)}.`
  return name === undefined || name === 'size' || hasField(fields, name)
    ? undefined
    : `There is no field ${JSON.stringify(name)}.`
}

/**
 * Why a path leads nowhere, whatever the values. `bare`: names may be those of variables, data or fields. A name that only
 * a value knows is undefined.
 */
export function findPathFlaw(
  names: readonly (string | undefined)[],
  roots: ReadonlySet<string>,
  fields: readonly ContactFieldName[],
  bare = false,
): PathFlaw | undefined {
  const [root = '', member] = names
  if (!roots.has(root)) {
    if (bare && fields.some(({ name }) => name === root)) return undefined
    const rootNames = [...roots].join(', ')
    return { type: 'unknown-variable', message: `${JSON.stringify(root)} is not available here; use ${rootNames}.` }
  }
  const contactFault = root === 'contact' ? findContactFault(names, fields) : undefined
  if (contactFault !== undefined) return { type: 'unknown-field', message: contactFault }
  const members = MEMBERS_BY_ROOT[root]
  if (member === undefined || !members || members.includes(member)) return undefined
  return {
    type: 'unknown-variable',
    message: `"${root}" has no ${JSON.stringify(member)}; it has ${members.join(', ')}.`,
  }
}

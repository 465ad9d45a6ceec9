import { readUuid } from '../../lib/ids.ts'
import { isObject } from '../../lib/objects.ts'
import { readInstant } from '../../lib/time/period.ts'
import { type Span, spanUnits } from '../../lib/time/spans.ts'
import { readZone } from '../../lib/time/zones.ts'
import { flaw } from '../flaws.ts'
import { type Call, fault, type Mention, type ReferenceKind, type Shape, type Visitor } from './shape.ts'

const MAX_INT32 = 0x7fffffff

/** Bounds of a text, in characters. */
export function text({
  least = 0,
  most,
  pattern,
  words,
}: {
  least?: number
  most: number
  pattern?: RegExp
  /** What the pattern asks for. */
  words?: string
}): Shape<string> {
  return {
    read(given, place) {
      if (typeof given !== 'string') return fault(place, 'must be a string')
      if (given.length > most) return fault(place, `has ${given.length} characters: at most ${most} are possible`)
      if (given.length < least) return fault(place, `must have at least ${least} characters`)
      if (pattern && !pattern.test(given)) return fault(place, words ?? `must match ${pattern.source}`)
      return given
    },
  }
}

export const truth: Shape<boolean> = {
  read: (given, place) => (typeof given === 'boolean' ? given : fault(place, 'must be true or false')),
}

/** A number, of at most so many decimals. */
export function number(least: number, most: number, decimals = 0): Shape<number> {
  const scale = 10 ** decimals
  return {
    read(given, place) {
      if (typeof given !== 'number') return fault(place, 'must be a number')
      if (!(given >= least && given <= most)) return fault(place, `must be from ${least} to ${most}`)
      const isExact = Math.abs(given * scale - Math.round(given * scale)) < 1e-6
      if (!isExact) return fault(place, decimals === 0 ? 'must be an integer' : `has at most ${decimals} decimals`)
      return given
    },
  }
}

/** One of some words. */
export function word<const Words extends readonly string[]>(...words: Words): Shape<Words[number]> {
  return {
    read: (given, place) =>
      typeof given === 'string' && words.includes(given) ? given : fault(place, `must be one of ${words.join(', ')}`),
  }
}

/** Any JSON. */
export const anything: Shape<unknown> = { read: (given) => given }

/** An instant, stored as ISO 8601 in UTC. */
export const instant: Shape<string> = {
  read(given, place) {
    const ms = readInstant(given)
    return ms === undefined ? fault(place, 'must be a date (ISO 8601)') : new Date(ms).toISOString()
  },
}

/** The name of a variable that receives a result. */
export const variableName = text({
  most: 64,
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  words: 'must be a name of letters, digits and _, which does not begin with a digit',
})

/** An id that clients choose: of nodes, listeners, waits, branches. */
export const ownId = text({
  least: 1,
  most: 128,
  pattern: /^[^/\u0000-\u001f\u007f-\u009f]*$/,
  words: 'must have no control characters and no "/"',
})

/** A node that a run may go to. */
export const target: Shape<string> = {
  read: ownId.read,
  visit: (node, path, visitor) => visitor.target?.(node, path),
}

/** A node that is named. */
export const mention = (must: Mention = 'any'): Shape<string> => ({
  read: ownId.read,
  visit: (node, path, visitor) => visitor.mention?.(node, path, must),
})

const ACTIONS: readonly ReferenceKind[] = ['mailMessage', 'smsMessage', 'smsWithText', 'action']
const UUIDS: readonly ReferenceKind[] = ['compilable', 'pipeline']

/** The id of something else of the account. */
export function reference<Id extends string | number>(kind: ReferenceKind): Shape<Id> {
  return {
    read(given, place) {
      if (ACTIONS.includes(kind)) {
        return (typeof given === 'string' ? given.toUpperCase() : fault(place, 'must be the id of an action')) as Id
      }
      if (UUIDS.includes(kind)) {
        const uuid = typeof given === 'string' ? readUuid(given) : undefined
        return (uuid ?? fault(place, 'must be a UUID')) as Id
      }
      const isId = typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= MAX_INT32
      return (isId ? given : fault(place, 'must be an id: an integer from 1')) as Id
    },
    visit: (id, path, visitor) => visitor.reference?.(kind, id, path),
  }
}

/** A rule: what a member names is executed, with the member `arguments`. */
export function calling<Name extends string>(
  member: Name,
  isPipeline: boolean,
): (
  value: Partial<Record<Name, string | null>> & { arguments: Call['given'] },
  path: string,
  visitor: Visitor,
) => void {
  return (value, path, visitor) => {
    const id = value[member]
    if (id)
      visitor.call?.({
        id,
        path: `${path}/${member}`,
        given: value.arguments,
        givenPath: `${path}/arguments`,
        isPipeline,
      })
  }
}

export const uuid: Shape<string> = {
  read: (given, place) => (typeof given === 'string' ? readUuid(given) : undefined) ?? fault(place, 'must be a UUID'),
}

/** Criteria of contacts, kept as given: what is wrong within is a flaw. */
export const criteria: Shape<Record<string, unknown>> = {
  read: (given, place) => (isObject(given) ? given : fault(place, 'must be an object')),
  visit: (value, path, visitor) => visitor.criteria?.(value, path),
}

/** The source of a module. */
export const moduleSource: Shape<string> = {
  read: text({ most: 256 * 1024 }).read,
  visit(source, path, visitor) {
    if (source.trim() === '') visitor.flaw?.(flaw('missing-setting', path, 'The script is empty.'))
    else visitor.module?.(source, path)
  },
}

/** A zone, by its IANA name; `{id: "contact"}` where that is allowed. */
export function zone({ ofContact }: { ofContact: boolean }): Shape<{ id: string }> {
  return {
    read(given, place) {
      const id = isObject(given) ? given['id'] : given
      if (ofContact && id === 'contact') return { id }
      const known = typeof id === 'string' ? readZone(id) : undefined
      return known === undefined
        ? fault(place, 'must be a time zone of the IANA database, such as Europe/Paris')
        : { id: known }
    },
  }
}

/** So many units. */
export const span = (unit: Span['unit'], value: number): Span => ({ type: 'rolling', unit, value })

/** Reads a span of time: `{type, unit, value}`. */
export const period: Shape<Span> = {
  read(given, place) {
    if (!isObject(given)) return fault(place, 'must be a period: {type, unit, value}')
    const at = (name: string) => ({ ...place, pointer: `${place.pointer}/${name}` })
    return {
      type: word('rolling', 'calendar').read(given['type'] ?? 'rolling', at('type')),
      unit: word(...spanUnits).read(given['unit'], at('unit')),
      value: number(1, MAX_INT32).read(given['value'], at('value')),
    }
  },
}

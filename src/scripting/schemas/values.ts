import { parseUuid } from '../../lib/ids.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { parseInstant } from '../../lib/time/period.ts'
import { type TimeSpan, timeSpanUnits } from '../../lib/time/spans.ts'
import { parseTimeZone } from '../../lib/time/zones.ts'
import { createFlaw } from '../flaws.ts'
import {
  addStructureFault,
  type CompilableCall,
  type DefinitionShape,
  type DefinitionVisitor,
  type NodeMentionKind,
  type ReferenceKind,
} from './shape.ts'

const MAX_INT32 = 0x7fffffff

/** Bounds of a text, in characters. */
export function textShape({
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
}): DefinitionShape<string> {
  return {
    read(given, place) {
      if (typeof given !== 'string') return addStructureFault(place, 'must be a string')
      if (given.length > most)
        return addStructureFault(place, `has ${given.length} characters: at most ${most} are possible`)
      if (given.length < least) return addStructureFault(place, `must have at least ${least} characters`)
      if (pattern && !pattern.test(given)) return addStructureFault(place, words ?? `must match ${pattern.source}`)
      return given
    },
  }
}

export const booleanShape: DefinitionShape<boolean> = {
  read: (given, place) => (typeof given === 'boolean' ? given : addStructureFault(place, 'must be true or false')),
}

/** A number, of at most so many decimals. */
export function numberShape(least: number, most: number, decimals = 0): DefinitionShape<number> {
  const scale = 10 ** decimals
  return {
    read(given, place) {
      if (typeof given !== 'number') return addStructureFault(place, 'must be a number')
      if (!(given >= least && given <= most)) return addStructureFault(place, `must be from ${least} to ${most}`)
      const isExact = Math.abs(given * scale - Math.round(given * scale)) < 1e-6
      if (!isExact)
        return addStructureFault(place, decimals === 0 ? 'must be an integer' : `has at most ${decimals} decimals`)
      return given
    },
  }
}

/** One of some words. */
export function enumShape<const Words extends readonly string[]>(...words: Words): DefinitionShape<Words[number]> {
  return {
    read: (given, place) =>
      typeof given === 'string' && words.includes(given)
        ? given
        : addStructureFault(place, `must be one of ${words.join(', ')}`),
  }
}

/** Any JSON. */
export const anyJsonShape: DefinitionShape<unknown> = { read: (given) => given }

/** An instant, stored as ISO 8601 in UTC. */
export const instantShape: DefinitionShape<string> = {
  read(given, place) {
    const ms = parseInstant(given)
    return ms === undefined ? addStructureFault(place, 'must be a date (ISO 8601)') : new Date(ms).toISOString()
  },
}

/** The name of a variable that receives a result. */
export const variableNameShape = textShape({
  most: 64,
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  words: 'must be a name of letters, digits and _, which does not begin with a digit',
})

/** An id that clients choose: of nodes, listeners, waits, branches. */
export const clientIdShape = textShape({
  least: 1,
  most: 128,
  pattern: /^[^/\u0000-\u001f\u007f-\u009f]*$/,
  words: 'must have no control characters and no "/"',
})

/** A node that a run may go to. */
export const targetNodeShape: DefinitionShape<string> = {
  read: clientIdShape.read,
  visit: (node, path, visitor) => visitor.target?.(node, path),
}

/** A node that is named. */
export const mentionedNodeShape = (must: NodeMentionKind = 'any'): DefinitionShape<string> => ({
  read: clientIdShape.read,
  visit: (node, path, visitor) => visitor.mention?.(node, path, must),
})

const ACTIONS: readonly ReferenceKind[] = ['mailMessage', 'smsMessage', 'smsWithText', 'action']
const UUIDS: readonly ReferenceKind[] = ['compilable', 'pipeline']

/** The id of something else of the account. */
export function referenceShape<Id extends string | number>(kind: ReferenceKind): DefinitionShape<Id> {
  return {
    read(given, place) {
      if (ACTIONS.includes(kind)) {
        return (
          typeof given === 'string' ? given.toUpperCase() : addStructureFault(place, 'must be the id of an action')
        ) as Id
      }
      if (UUIDS.includes(kind)) {
        const uuid = typeof given === 'string' ? parseUuid(given) : undefined
        return (uuid ?? addStructureFault(place, 'must be a UUID')) as Id
      }
      const isId = typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= MAX_INT32
      return (isId ? given : addStructureFault(place, 'must be an id: an integer from 1')) as Id
    },
    visit: (id, path, visitor) => visitor.reference?.(kind, id, path),
  }
}

/** A rule: what a member names is executed, with the member `arguments`. */
export function compilableCallRule<Name extends string>(
  member: Name,
  isPipeline: boolean,
): (
  value: Partial<Record<Name, string | null>> & { arguments: CompilableCall['given'] },
  path: string,
  visitor: DefinitionVisitor,
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

export const uuidShape: DefinitionShape<string> = {
  read: (given, place) =>
    (typeof given === 'string' ? parseUuid(given) : undefined) ?? addStructureFault(place, 'must be a UUID'),
}

/** Criteria of contacts, kept as given: what is wrong within is a flaw. */
export const criteriaShape: DefinitionShape<Record<string, unknown>> = {
  read: (given, place) => (isJsonObject(given) ? given : addStructureFault(place, 'must be an object')),
  visit: (value, path, visitor) => visitor.criteria?.(value, path),
}

/** The source of a module. */
export const moduleSourceShape: DefinitionShape<string> = {
  read: textShape({ most: 256 * 1024 }).read,
  visit(source, path, visitor) {
    if (source.trim() === '') visitor.flaw?.(createFlaw('missing-setting', path, 'The script is empty.'))
    else visitor.module?.(source, path)
  },
}

/** A zone, by its IANA name; `{id: "contact"}` where that is allowed. */
export function timeZoneShape({ ofContact }: { ofContact: boolean }): DefinitionShape<{ id: string }> {
  return {
    read(given, place) {
      const id = isJsonObject(given) ? given['id'] : given
      if (ofContact && id === 'contact') return { id }
      const known = typeof id === 'string' ? parseTimeZone(id) : undefined
      return known === undefined
        ? addStructureFault(place, 'must be a time zone of the IANA database, such as Europe/Paris')
        : { id: known }
    },
  }
}

/** So many units. */
export const createTimeSpan = (unit: TimeSpan['unit'], value: number): TimeSpan => ({ type: 'rolling', unit, value })

/** Reads a span of time: `{type, unit, value}`. */
export const timeSpanShape: DefinitionShape<TimeSpan> = {
  read(given, place) {
    if (!isJsonObject(given)) return addStructureFault(place, 'must be a period: {type, unit, value}')
    const at = (name: string) => ({ ...place, pointer: `${place.pointer}/${name}` })
    return {
      type: enumShape('rolling', 'calendar').read(given['type'] ?? 'rolling', at('type')),
      unit: enumShape(...timeSpanUnits).read(given['unit'], at('unit')),
      value: numberShape(1, MAX_INT32).read(given['value'], at('value')),
    }
  },
}

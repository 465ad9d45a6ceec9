import { parseUuid } from '../../lib/ids.ts'
import { MAX_INT32 } from '../../lib/int32.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { formatCount } from '../../lib/text/nouns.ts'
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
  /** Description of the texts that the pattern accepts. */
  words?: string
}): DefinitionShape<string> {
  return {
    read(rawValue, place) {
      if (typeof rawValue !== 'string') return addStructureFault(place, 'must be a string')
      if (rawValue.length > most)
        return addStructureFault(place, `has ${rawValue.length} characters; at most ${most} are allowed`)
      if (rawValue.length < least)
        return addStructureFault(place, `must have at least ${formatCount(least, 'character')}`)
      if (pattern && !pattern.test(rawValue)) return addStructureFault(place, words ?? `must match ${pattern.source}`)
      return rawValue
    },
  }
}

export const booleanShape: DefinitionShape<boolean> = {
  read: (rawValue, place) =>
    typeof rawValue === 'boolean' ? rawValue : addStructureFault(place, 'must be true or false'),
}

/** Shape of a number with at most the number of `decimals`. */
export function numberShape(least: number, most: number, decimals = 0): DefinitionShape<number> {
  const scale = 10 ** decimals
  return {
    read(rawValue, place) {
      if (typeof rawValue !== 'number') return addStructureFault(place, 'must be a number')
      if (!(rawValue >= least && rawValue <= most)) return addStructureFault(place, `must be from ${least} to ${most}`)
      const isExact = Math.abs(rawValue * scale - Math.round(rawValue * scale)) < 1e-6
      if (!isExact)
        return addStructureFault(
          place,
          decimals === 0 ? 'must be an integer' : `must have at most ${decimals} decimals`,
        )
      return rawValue
    },
  }
}

/** One of some words. */
export function enumShape<const Words extends readonly string[]>(...words: Words): DefinitionShape<Words[number]> {
  return {
    read: (rawValue, place) =>
      typeof rawValue === 'string' && words.includes(rawValue)
        ? rawValue
        : addStructureFault(place, `must be one of ${words.join(', ')}`),
  }
}

/** Any JSON. */
export const anyJsonShape: DefinitionShape<unknown> = { read: (rawValue) => rawValue }

/** An instant, stored as ISO 8601 in UTC. */
export const instantShape: DefinitionShape<string> = {
  read(rawValue, place) {
    const instantMs = parseInstant(rawValue)
    return instantMs === undefined
      ? addStructureFault(place, 'must be a date (ISO 8601)')
      : new Date(instantMs).toISOString()
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
  words: 'must not contain control characters or "/"',
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

const ACTION_KINDS: readonly ReferenceKind[] = ['mailMessage', 'smsMessage', 'smsWithText', 'action']
const UUID_KINDS: readonly ReferenceKind[] = ['compilable', 'pipeline']

/** The id of something else of the account. */
export function referenceShape<Id extends string | number>(kind: ReferenceKind): DefinitionShape<Id> {
  return {
    read(rawValue, place) {
      if (ACTION_KINDS.includes(kind)) {
        return (
          typeof rawValue === 'string'
            ? rawValue.toUpperCase()
            : addStructureFault(place, 'must be the id of an action')
        ) as Id
      }
      if (UUID_KINDS.includes(kind)) {
        const uuid = typeof rawValue === 'string' ? parseUuid(rawValue) : undefined
        return (uuid ?? addStructureFault(place, 'must be a UUID')) as Id
      }
      const isId = typeof rawValue === 'number' && Number.isInteger(rawValue) && rawValue >= 1 && rawValue <= MAX_INT32
      return (isId ? rawValue : addStructureFault(place, 'must be an ID: an integer of 1 or more')) as Id
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
  read: (rawValue, place) =>
    (typeof rawValue === 'string' ? parseUuid(rawValue) : undefined) ?? addStructureFault(place, 'must be a UUID'),
}

/** Criteria of contacts, kept as given: what is wrong within is a flaw. */
export const criteriaShape: DefinitionShape<Record<string, unknown>> = {
  read: (rawValue, place) => (isJsonObject(rawValue) ? rawValue : addStructureFault(place, 'must be an object')),
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
    read(rawValue, place) {
      const id = isJsonObject(rawValue) ? rawValue['id'] : rawValue
      if (ofContact && id === 'contact') return { id }
      const timeZone = typeof id === 'string' ? parseTimeZone(id) : undefined
      return timeZone === undefined
        ? addStructureFault(place, 'must be a time zone of the IANA database, such as Europe/Paris')
        : { id: timeZone }
    },
  }
}

/** So many units. */
export const createTimeSpan = (unit: TimeSpan['unit'], value: number): TimeSpan => ({ type: 'rolling', unit, value })

/** Reads a span of time: `{type, unit, value}`. */
export const timeSpanShape: DefinitionShape<TimeSpan> = {
  read(rawValue, place) {
    if (!isJsonObject(rawValue)) return addStructureFault(place, 'must be a period: {type, unit, value}')
    const locatePart = (name: string) => ({ ...place, pointer: `${place.pointer}/${name}` })
    return {
      type: enumShape('rolling', 'calendar').read(rawValue['type'] ?? 'rolling', locatePart('type')),
      unit: enumShape(...timeSpanUnits).read(rawValue['unit'], locatePart('unit')),
      value: numberShape(1, MAX_INT32).read(rawValue['value'], locatePart('value')),
    }
  },
}

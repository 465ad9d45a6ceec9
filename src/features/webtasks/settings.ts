import { listShape, locateMember, toPlainObject } from '../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionLocation, type DefinitionShape } from '../../scripting/schemas/shape.ts'
import { booleanShape, enumShape, numberShape } from '../../scripting/schemas/values.ts'
import { allowedHostShape } from '../../scripting/scripting-object.ts'

export const publicWebtaskMethods = ['GET', 'POST'] as const
export type PublicWebtaskMethod = (typeof publicWebtaskMethods)[number]

const MAX_REDIRECTS = 50

/** Settings of the public route of a webtask. */
export interface PublicWebtaskSettings {
  enabled: boolean
  methods: PublicWebtaskMethod[]
  /** Hosts that it may redirect to. */
  redirects: string[]
}

/** Settings for running a webtask. */
export interface WebtaskSettings {
  cpuMs: number
  wallMs: number
  /** Lines of its log are answered and kept. */
  logs: boolean
  public: PublicWebtaskSettings
}

export const createWebtaskSettings = (): WebtaskSettings => ({
  cpuMs: 1000,
  wallMs: 10_000,
  logs: true,
  public: { enabled: false, methods: ['POST'], redirects: [] },
})

/** A list in which each item stands once. */
function setShape<T>(item: DefinitionShape<T>, most: number): DefinitionShape<T[]> {
  const items = listShape(item, { most })
  return { read: (rawList, place) => [...new Set(items.read(rawList, place))] }
}

type MemberReaders<T> = { [Name in keyof T]: (rawMember: unknown, place: DefinitionLocation, base: T[Name]) => T[Name] }

const ignoreBase =
  <T>({ read: readShape }: DefinitionShape<T>) =>
  (rawValue: unknown, place: DefinitionLocation): T =>
    readShape(rawValue, place)

/** An object of which absent members, and those that are null, keep what is in `base`. */
function parseMembers<T extends object>(
  whole: unknown,
  place: DefinitionLocation,
  base: T,
  memberReaders: MemberReaders<T>,
): T {
  if (whole === undefined || whole === null) return base
  const givenMembers = toPlainObject(whole)
  if (!givenMembers) return addStructureFault(place, 'must be an object')
  const members = Object.keys(memberReaders) as (keyof T & string)[]
  if (place.reading.strict)
    for (const name of Object.keys(givenMembers))
      if (!members.includes(name as keyof T & string))
        addStructureFault(locateMember(place, name), 'is not a member of this object')
  const parsedMembers = { ...base }
  for (const name of members) {
    const value = givenMembers[name]
    if (value !== undefined && value !== null)
      parsedMembers[name] = memberReaders[name](value, locateMember(place, name), base[name])
  }
  return parsedMembers
}

const PUBLIC_READERS: MemberReaders<PublicWebtaskSettings> = {
  enabled: ignoreBase(booleanShape),
  methods: ignoreBase(setShape(enumShape(...publicWebtaskMethods), 10)),
  redirects: ignoreBase(setShape(allowedHostShape, MAX_REDIRECTS)),
}

const SETTINGS_READERS: MemberReaders<WebtaskSettings> = {
  cpuMs: ignoreBase(numberShape(10, 1000)),
  wallMs: ignoreBase(numberShape(100, 30_000)),
  logs: ignoreBase(booleanShape),
  public: (rawPublic, place, base) => parseMembers(rawPublic, place, base, PUBLIC_READERS),
}

/** Reads settings: what is absent or null keeps what is in `base`. */
export function parseWebtaskSettings(
  whole: unknown,
  place: DefinitionLocation,
  base: WebtaskSettings,
): WebtaskSettings {
  return parseMembers(whole, place, base, SETTINGS_READERS)
}

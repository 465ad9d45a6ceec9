import { listShape, locateMember, toPlainObject } from '../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionLocation, type DefinitionShape } from '../../scripting/schemas/shape.ts'
import { booleanShape, enumShape, numberShape } from '../../scripting/schemas/values.ts'
import { allowedHostShape } from '../../scripting/scripting-object.ts'

export const publicWebtaskMethods = ['GET', 'POST'] as const
export type PublicWebtaskMethod = (typeof publicWebtaskMethods)[number]

const MAX_REDIRECTS = 50

/** What the public route of a webtask answers. */
export interface PublicWebtaskSettings {
  enabled: boolean
  methods: PublicWebtaskMethod[]
  /** Hosts that it may redirect to. */
  redirects: string[]
}

/** How a webtask runs. */
export interface WebtaskSettings {
  cpuMs: number
  wallMs: number
  /** Lines of its log are answered and kept. */
  logs: boolean
  public: PublicWebtaskSettings
}

export const createWebtaskSettings = (): WebtaskSettings => ({
  ...{ cpuMs: 1000, wallMs: 10_000, logs: true },
  public: { enabled: false, methods: ['POST'], redirects: [] },
})

/** A list in which each item stands once. */
function set<T>(item: DefinitionShape<T>, most: number): DefinitionShape<T[]> {
  const items = listShape(item, { most })
  return { read: (given, place) => [...new Set(items.read(given, place))] }
}

type Shapes<T> = { [Name in keyof T]: (given: unknown, place: DefinitionLocation, base: T[Name]) => T[Name] }

const plain =
  <T>({ read }: DefinitionShape<T>) =>
  (given: unknown, place: DefinitionLocation): T =>
    read(given, place)

/** An object of which absent members, and those that are null, keep what is in `base`. */
function readMembers<T extends object>(whole: unknown, place: DefinitionLocation, base: T, readers: Shapes<T>): T {
  if (whole === undefined || whole === null) return base
  const given = toPlainObject(whole)
  if (!given) return addStructureFault(place, 'must be an object')
  const members = Object.keys(readers) as (keyof T & string)[]
  if (place.reading.strict)
    for (const name of Object.keys(given))
      if (!members.includes(name as keyof T & string))
        addStructureFault(locateMember(place, name), 'is not a member of this object')
  const read = { ...base }
  for (const name of members) {
    const value = given[name]
    if (value !== undefined && value !== null) read[name] = readers[name](value, locateMember(place, name), base[name])
  }
  return read
}

const publicReaders: Shapes<PublicWebtaskSettings> = {
  enabled: plain(booleanShape),
  methods: plain(set(enumShape(...publicWebtaskMethods), 10)),
  redirects: plain(set(allowedHostShape, MAX_REDIRECTS)),
}

const readers: Shapes<WebtaskSettings> = {
  cpuMs: plain(numberShape(10, 1000)),
  wallMs: plain(numberShape(100, 30_000)),
  logs: plain(booleanShape),
  public: (given, place, base) => readMembers(given, place, base, publicReaders),
}

/** Reads settings: what is absent or null keeps what is in `base`. */
export function parseWebtaskSettings(
  whole: unknown,
  place: DefinitionLocation,
  base: WebtaskSettings,
): WebtaskSettings {
  return readMembers(whole, place, base, readers)
}

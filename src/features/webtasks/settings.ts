import { asObject, list, within } from '../../scripting/schemas/objects.ts'
import { fault, type Place, type Shape } from '../../scripting/schemas/shape.ts'
import { number, truth, word } from '../../scripting/schemas/values.ts'
import { host } from '../../scripting/scripting-object.ts'

export const publicMethods = ['GET', 'POST'] as const
export type PublicMethod = (typeof publicMethods)[number]

const MAX_REDIRECTS = 50

/** What the public route of a webtask answers. */
export interface PublicSettings {
  enabled: boolean
  methods: PublicMethod[]
  /** Hosts that it may redirect to. */
  redirects: string[]
}

/** How a webtask runs. */
export interface WebtaskSettings {
  cpuMs: number
  wallMs: number
  /** Lines of its log are answered and kept. */
  logs: boolean
  public: PublicSettings
}

export const newSettings = (): WebtaskSettings => ({
  ...{ cpuMs: 1000, wallMs: 10_000, logs: true },
  public: { enabled: false, methods: ['POST'], redirects: [] },
})

/** A list in which each item stands once. */
function set<T>(item: Shape<T>, most: number): Shape<T[]> {
  const items = list(item, { most })
  return { read: (given, place) => [...new Set(items.read(given, place))] }
}

type Shapes<T> = { [Name in keyof T]: (given: unknown, place: Place, base: T[Name]) => T[Name] }

const plain =
  <T>({ read }: Shape<T>) =>
  (given: unknown, place: Place): T =>
    read(given, place)

/** An object of which absent members, and those that are null, keep what is in `base`. */
function readMembers<T extends object>(whole: unknown, place: Place, base: T, readers: Shapes<T>): T {
  if (whole === undefined || whole === null) return base
  const given = asObject(whole)
  if (!given) return fault(place, 'must be an object')
  const members = Object.keys(readers) as (keyof T & string)[]
  if (place.reading.strict)
    for (const name of Object.keys(given))
      if (!members.includes(name as keyof T & string)) fault(within(place, name), 'is not a member of this object')
  const read = { ...base }
  for (const name of members) {
    const value = given[name]
    if (value !== undefined && value !== null) read[name] = readers[name](value, within(place, name), base[name])
  }
  return read
}

const publicReaders: Shapes<PublicSettings> = {
  enabled: plain(truth),
  methods: plain(set(word(...publicMethods), 10)),
  redirects: plain(set(host, MAX_REDIRECTS)),
}

const readers: Shapes<WebtaskSettings> = {
  cpuMs: plain(number(10, 1000)),
  wallMs: plain(number(100, 30_000)),
  logs: plain(truth),
  public: (given, place, base) => readMembers(given, place, base, publicReaders),
}

/** Reads settings: what is absent or null keeps what is in `base`. */
export function readSettings(whole: unknown, place: Place, base: WebtaskSettings): WebtaskSettings {
  return readMembers(whole, place, base, readers)
}

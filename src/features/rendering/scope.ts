import type { TemplatePath } from './templates/paths.ts'

/** A contact as templates see it. `fields`: values by field id - text, number, ISO date, label, labels or null. */
export interface ContactValues {
  id: string
  unicity: string
  hash: string
  fields: Record<string, unknown>
}

export interface ScopeField {
  id: number
  name: string
}

/** Everything a send gives to its template, as plain JSON: it may come from another thread. */
export interface RenderScopeInput {
  /** Null renders for an empty contact. */
  contact: ContactValues | null
  related: ContactValues | null
  data: Record<string, unknown>
  variables: readonly { key: string; value: unknown }[]
  blocks: readonly unknown[]
  action: { id: string; name: string }
  campaign: { id: string; name: string } | null
  stamp: { id: string; thread: string; set: string; time: number }
  event: Record<string, unknown> | null
  account: { agency: string; customer: string; name: string; culture: string }
  /** The date of rendering, milliseconds since 1970. */
  now: number
}

/** The addresses that templates write themselves. Each is made when it is asked for. */
export interface ScopeLinks {
  readonly mirror: string
  readonly unsubscribe: string
  readonly form: Record<string, string>
}

/** The fields of a contact that a template may ask for. */
export interface ScopeFieldNeeds {
  fields: readonly ScopeField[]
  /** True if the map `fields` itself is used. */
  asMap: boolean
}

export interface ScopeNeeds {
  contact: ScopeFieldNeeds
  related: ScopeFieldNeeds
  /** These are asked for. */
  campaign: boolean
  links: boolean
  now: boolean
}

/** Names that a template can use without a prefix. */
export const SCOPE_ROOTS = new Set([
  'contact',
  'related',
  'data',
  'variables',
  'blocks',
  'block',
  'action',
  'campaign',
  'environment',
  'stamp',
  'event',
  'links',
  'account',
  'now',
])
const CONTACT_OWN_MEMBERS = new Set(['id', 'unicity', 'hash'])

/** The fields that paths ask for: of a contact only these are read, sent to other threads and kept for the mirror. */
export function findScopeNeeds(paths: readonly TemplatePath[], fields: readonly ScopeField[]): ScopeNeeds {
  const usesRoot = (name: string): boolean => paths.some(({ names: [root] }) => root === undefined || root === name)
  return {
    contact: collectFieldNeeds(paths, fields, 'contact'),
    related: collectFieldNeeds(paths, fields, 'related'),
    campaign: usesRoot('campaign'),
    links: usesRoot('links'),
    now: usesRoot('now'),
  }
}

function collectFieldNeeds(
  paths: readonly TemplatePath[],
  fields: readonly ScopeField[],
  root: string,
): ScopeFieldNeeds {
  const neededFields = new Set<ScopeField>()
  let asMap = false
  for (const path of paths) {
    const [first, second, third] = path.names
    if (first === root) {
      const isMap = second === 'fields'
      const name = isMap ? third : second
      asMap ||= isMap || second === undefined
      const matchingFields = fields.filter((field) => name === undefined || isFieldNamed(field, name, isMap))
      // A path that only a value knows, or a word of Liquid such as `size`, may look at every field.
      if (matchingFields.length > 0) for (const field of matchingFields) neededFields.add(field)
      else if (!CONTACT_OWN_MEMBERS.has(name ?? '')) for (const field of fields) neededFields.add(field)
    } else if (root === 'contact' && (first === undefined || !SCOPE_ROOTS.has(first))) {
      for (const field of fields) if (first === undefined || field.name === first) neededFields.add(field)
    }
  }
  return { fields: fields.filter((field) => neededFields.has(field)), asMap }
}

/** A field is named by its name, and in the map `fields` by its id too. */
export function isFieldNamed(field: ScopeField, name: string, inMap: boolean): boolean {
  return field.name === name || (inMap && String(field.id) === name)
}

/** Names available to templates, and the object that resolves bare names. Built once for all parts of a message. */
export interface RenderScope {
  environment: Record<string, unknown>
  bare: object
}

export function buildRenderScope(input: RenderScopeInput, needs: ScopeNeeds, environment: unknown): RenderScope {
  const { data, action, campaign, stamp, event, account, now } = input
  const contact = buildContactScope(input.contact, needs.contact)
  const variables = Object.fromEntries(input.variables.map(({ key, value }) => [key, value]))
  return {
    environment: {
      contact,
      related: input.related === null ? null : buildContactScope(input.related, needs.related),
      data,
      variables,
      blocks: input.blocks,
      block: mapBlocksByKey(input.blocks),
      action,
      campaign,
      environment,
      stamp,
      event,
      // Each part writes addresses in its own way.
      links: undefined,
      account,
      now: needs.now ? new Date(now).toISOString() : undefined,
    },
    bare: buildBareNames(variables, data, contact),
  }
}

const EMPTY_CONTACT: ContactValues = { id: '', unicity: '', hash: '', fields: {} }

/** Every field that is needed, by name; an empty one is null, so that only unknown ones are missing. */
function buildContactScope(contact: ContactValues | null, { fields, asMap }: ScopeFieldNeeds): Record<string, unknown> {
  const { id, unicity, hash, fields: values } = contact ?? EMPTY_CONTACT
  const scope: Record<string, unknown> = {}
  for (const field of fields) if (field.name !== '__proto__') scope[field.name] = values[field.id] ?? null
  scope['id'] = id
  scope['unicity'] = unicity
  scope['hash'] = hash
  if (asMap) {
    const fieldMap = fields.flatMap((field) =>
      [field.name, String(field.id)].map((key) => [key, values[field.id] ?? null]),
    )
    scope['fields'] = Object.fromEntries(fieldMap)
  }
  return scope
}

function mapBlocksByKey(blocks: readonly unknown[]): Record<string, unknown> {
  const blocksWithKey = blocks.filter(
    (block): block is { key: string; value: unknown } =>
      typeof block === 'object' &&
      block !== null &&
      'key' in block &&
      typeof block.key === 'string' &&
      'value' in block,
  )
  return Object.fromEntries(blocksWithKey.map(({ key, value }) => [key, value]))
}

/** Builds the object that resolves bare names: variables, data, then the fields of a contact. */
export function buildBareNames(
  variables: Record<string, unknown>,
  data: Record<string, unknown>,
  contact: Record<string, unknown>,
): object {
  return new Proxy({ sources: [variables, data, contact], contact }, bareNameHandler)
}

/** Sources of bare names, in the order of lookup. */
interface BareNameSources {
  sources: readonly Record<string, unknown>[]
  /** One of them: its `id`, `unicity`, `hash` and `fields` are no bare names. */
  contact: Record<string, unknown>
}

function findHolder({ sources, contact }: BareNameSources, name: string | symbol): Record<string, unknown> | undefined {
  return sources.find(
    (source) =>
      Object.hasOwn(source, name) &&
      !(source === contact && (CONTACT_OWN_MEMBERS.has(String(name)) || name === 'fields')),
  )
}

/** Answers with the first of several objects that has the name. */
const bareNameHandler: ProxyHandler<BareNameSources> = {
  get: (names, name) => findHolder(names, name)?.[String(name)],
  has: (names, name) => findHolder(names, name) !== undefined,
  getOwnPropertyDescriptor: (names, name) => {
    const source = findHolder(names, name)
    return source && { configurable: true, enumerable: true, value: source[String(name)] }
  },
}

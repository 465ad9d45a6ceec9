/** What a write answers at once: an id of a contact, a stamp, the result of a send or of a run that is started, or nothing. */
export type WriteAnswer = 'none' | 'contact' | 'stamp' | 'send' | 'run'

export type HostFunction = { kind: 'read' | 'network' } | { kind: 'write'; answer: WriteAnswer }

const read: HostFunction = { kind: 'read' }
const write = (answer: WriteAnswer): HostFunction => ({ kind: 'write', answer })

/** The functions of each capability, by the names that scripts call them by. */
export const capabilityFunctions = {
  'targets.read': { 'targets.get': read, 'segments.contains': read },
  'targets.write': {
    'targets.create': write('contact'),
    'targets.update': write('none'),
    'segments.add': write('none'),
    'segments.remove': write('none'),
  },
  'events.read': { 'events.list': read },
  'events.publish': { 'events.publish': write('stamp') },
  'compilables.execute': { 'compilables.execute': read },
  'actions.send': {
    'actions.execute': write('send'),
    'notifications.execute': write('send'),
    'rcs.execute': write('send'),
  },
  'workflows.execute': { 'workflows.execute': write('run') },
  'http.fetch': { 'http.fetch': { kind: 'network' } },
} as const satisfies Record<string, Record<string, HostFunction>>

export type ScriptCapability = keyof typeof capabilityFunctions

export const sandboxCapabilityNames = Object.keys(capabilityFunctions) as ScriptCapability[]

/** The functions that the capabilities give, by name. */
export function listGrantedFunctions(granted: readonly ScriptCapability[]): Map<string, HostFunction> {
  return new Map(granted.flatMap((name) => Object.entries<HostFunction>(capabilityFunctions[name])))
}

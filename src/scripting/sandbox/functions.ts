/** Immediate answer of a write: an id of a contact, a stamp, the result of a send or of a started run, or nothing. */
export type WriteAnswer = 'none' | 'contact' | 'stamp' | 'send' | 'run'

export type HostFunction = { kind: 'read' | 'network' } | { kind: 'write'; answer: WriteAnswer }

const readFunction: HostFunction = { kind: 'read' }
const createWriteFunction = (answer: WriteAnswer): HostFunction => ({ kind: 'write', answer })

/** The functions of each capability, by the names that scripts call them by. */
export const capabilityFunctions = {
  'targets.read': { 'targets.get': readFunction, 'segments.contains': readFunction },
  'targets.write': {
    'targets.create': createWriteFunction('contact'),
    'targets.update': createWriteFunction('none'),
    'segments.add': createWriteFunction('none'),
    'segments.remove': createWriteFunction('none'),
  },
  'events.read': { 'events.list': readFunction },
  'events.publish': { 'events.publish': createWriteFunction('stamp') },
  'compilables.execute': { 'compilables.execute': readFunction },
  'actions.send': {
    'actions.execute': createWriteFunction('send'),
    'notifications.execute': createWriteFunction('send'),
    'rcs.execute': createWriteFunction('send'),
  },
  'workflows.execute': { 'workflows.execute': createWriteFunction('run') },
  'http.fetch': { 'http.fetch': { kind: 'network' } },
} as const satisfies Record<string, Record<string, HostFunction>>

export type ScriptCapability = keyof typeof capabilityFunctions

export const sandboxCapabilityNames = Object.keys(capabilityFunctions) as ScriptCapability[]

/** The functions that the capabilities give, by name. */
export function listGrantedFunctions(granted: readonly ScriptCapability[]): Map<string, HostFunction> {
  return new Map(granted.flatMap((name) => Object.entries<HostFunction>(capabilityFunctions[name])))
}

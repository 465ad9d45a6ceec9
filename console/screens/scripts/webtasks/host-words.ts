import type { ApiRight } from '../../../api/shapes.ts'
import type { CodeCompletion } from '../../../components/code/completions.ts'

/** Capabilities in the order of the documentation, with the functions that each gives: name, signature, what it does. */
const capabilityFunctions: Record<string, readonly (readonly [label: string, detail: string, info: string])[]> = {
  '': [
    ['log', '(…)', 'Writes a line of the log.'],
    ['console.log', '(…)', 'Writes a line of the log.'],
    ['console.warn', '(…)', 'Writes a line of the log, as a warning.'],
    ['console.error', '(…)', 'Writes a line of the log, as an error.'],
    ['crypto.randomUUID', '()', 'A UUID of version 4, the same when the run is repeated.'],
    ['crypto.hash', '(algorithm, text)', 'Hexadecimal digits; sha256, sha512 or md5.'],
    ['crypto.hmac', '(algorithm, key, text)', 'Hexadecimal digits; sha256, sha512 or md5.'],
    ['base64.encode', '(text)', 'Text, as UTF-8.'],
    ['base64.decode', '(text)', 'Text, as UTF-8.'],
    ['date.format', '(date, pattern, zone)', 'Text, by the patterns of the filter date of templates.'],
    ['date.add', '(date, {unit, value}, zone)', 'An ISO date; unit is DAY, HOUR and so on.'],
  ],
  'targets.read': [
    ['targets.get', '(who)', 'A promise of the contact with its fields; null when there is none.'],
    ['segments.contains', '(segment, who)', 'A promise of whether the contact is in the segment.'],
  ],
  'targets.write': [
    ['targets.create', '(fields)', 'Makes a contact and answers its id.'],
    ['targets.update', '(who, fields)', 'Changes a contact; fields that are not given stay.'],
    ['segments.add', '(segment, who)', 'Puts a contact into a static segment.'],
    ['segments.remove', '(segment, who)', 'Takes a contact out of a static segment.'],
  ],
  'events.read': [
    ['events.list', '(who, {types, start, end, limit})', 'A promise of events of the contact, the latest first.'],
  ],
  'events.publish': [['events.publish', '(name, data, who)', 'Publishes a custom event and answers its id.']],
  'compilables.execute': [['compilables.execute', '(id, arguments)', 'A promise of the value of a compilable.']],
  'actions.send': [
    ['actions.execute', '(id, item)', 'Sends an item of an action.'],
    ['notifications.execute', '(id, item)', 'Sends an item of a notification.'],
    ['rcs.execute', '(id, item)', 'Sends an item of a rich message.'],
  ],
  'workflows.execute': [['workflows.execute', '(id, item)', 'Starts a run of a workflow, or has one go on.']],
  'http.fetch': [
    ['http.fetch', '(url, {method, headers, body, timeoutMs})', 'A promise of {status, headers, body, json()}.'],
  ],
}

/** Rights that capabilities require in addition to "read". */
const CAPABILITY_RIGHTS: Readonly<Record<string, ApiRight>> = {
  'targets.write': 'write',
  'events.publish': 'write',
  'http.fetch': 'write',
  'actions.send': 'send',
  'workflows.execute': 'send',
}

/** The rights that somebody needs to run a script with these capabilities. */
export const listCapabilityRights = (granted: readonly string[]): ApiRight[] =>
  granted.map((grantedCapability) => CAPABILITY_RIGHTS[grantedCapability] ?? 'read')

/** Capabilities that scripts can be granted. */
export const scriptCapabilities: readonly string[] = Object.keys(capabilityFunctions).filter((name) => name !== '')

/** Names available to every webtask and script. */
const commonCompletions: readonly CodeCompletion[] = [
  'input.data',
  'input.variables',
  'input.arguments',
  'input.contact',
  'input.related',
  'input.event',
  'input.stamp',
  'input.environment',
  'input.public',
].map((label) => ({ label, type: 'property' }))

/** Completion of scripts: what they are given, and the functions; those that are not granted say so. */
export const listHostCompletions = (
  granted: readonly string[],
  notGranted: (capability: string) => string,
): CodeCompletion[] => [
  ...commonCompletions,
  ...Object.entries(capabilityFunctions).flatMap(([capability, list]) =>
    list.map(([label, detail, info]): CodeCompletion => {
      const isGranted = capability === '' || granted.includes(capability)
      return { label, detail, info: isGranted ? info : `${info} ${notGranted(capability)}`, type: 'function' }
    }),
  ),
]

/** Completions for the modules that a script imports, under the names that imports use. */
export const listModuleCompletions = (names: readonly string[]): CodeCompletion[] =>
  names
    .filter((name) => name !== '')
    .map((name) => ({ label: `import {} from '${name}'`, detail: name, type: 'keyword' }))

/** Stands for what is not said: any value, other members, further items, the rest of a text. */
const REST = '…'

/** What differs from one installation to the next: ids, instants. */
const forms = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
]

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function isLike(expected: string, actual: string): boolean {
  const form = forms.find((one) => one.test(expected))
  if (form) return form.test(actual)
  return new RegExp(`^${expected.split(REST).map(escapeRegExp).join('.*')}$`, 's').test(actual)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function ofObjects(expected: Record<string, unknown>, actual: Record<string, unknown>, path: string): string[] {
  const { [REST]: rest, ...members } = expected
  const missing = Object.keys(members).filter((key) => !(key in actual))
  const surplus = rest === undefined ? Object.keys(actual).filter((key) => !(key in members)) : []
  return [
    ...missing.map((key) => `${path}/${key} is missing`),
    ...surplus.map((key) => `${path}/${key} is not in the guide`),
    ...Object.keys(members).flatMap((key) =>
      key in actual ? differences(members[key], actual[key], `${path}/${key}`) : [],
    ),
  ]
}

function ofArrays(expected: readonly unknown[], actual: readonly unknown[], path: string): string[] {
  const isOpen = expected.at(-1) === REST
  const items = isOpen ? expected.slice(0, -1) : expected
  if (isOpen ? actual.length < items.length : actual.length !== items.length)
    return [`${path} has ${actual.length} items`]
  return items.flatMap((item, index) => differences(item, actual[index], `${path}/${index}`))
}

/** How a JSON value differs from what a guide shows of it, by place: members, types, and values that are no ids or instants. */
export function differences(expected: unknown, actual: unknown, path = ''): string[] {
  if (expected === REST) return []
  if (isObject(expected) && isObject(actual)) return ofObjects(expected, actual, path)
  if (Array.isArray(expected) && Array.isArray(actual)) return ofArrays(expected, actual, path)
  if (typeof expected === 'string' && typeof actual === 'string' && isLike(expected, actual)) return []
  return Object.is(expected, actual) ? [] : [`${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]
}

/** Whether a text is as a guide shows it: `…` in a line is any text, a line of its own any lines. */
export function isText(expected: string, actual: string): boolean {
  const lines = (text: string): string[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd())
  const pattern = lines(expected).map((line) =>
    line === REST ? '(?:.*\\n)*?' : `${line.split(REST).map(escapeRegExp).join('.*')}\\n`,
  )
  return new RegExp(`^${pattern.join('')}$`).test(`${lines(actual).join('\n')}\n`)
}

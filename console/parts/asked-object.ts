/** Pages of what approval is asked for, by the type of the interface. */
const TYPES: Record<string, string> = {
  messages: 'action',
  rcs: 'rcs',
  notifications: 'notification',
  workflows: 'workflow',
}

/** Where approval is asked for, of the object whose page this is; the person chooses where it is the page of none. */
export function askingPath(path: string): string {
  const [, account = '', page = '', id = ''] = /^\/console\/([A-Z0-9]{7})\/(\w+)\/([\w-]+)/.exec(path) ?? []
  const home = account === '' ? path.split('/').slice(0, 3).join('/') : `/console/${account}`
  const type = TYPES[page]
  return `${home}/approvals?ask=${type === undefined ? 'any' : `${type}:${id}`}`
}

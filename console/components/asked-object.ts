/** Pages of what approval is asked for, by the type of the interface. */
const TYPES: Record<string, string> = {
  'messages/email': 'action',
  'messages/sms': 'action',
  'messages/rcs': 'rcs',
  'messages/notification': 'notification',
  workflows: 'workflow',
}

/** Where approval is asked for, of the object whose page this is; the person chooses where it is the page of none. */
export function approvalRequestPath(path: string): string {
  const [, account = '', page = '', id = ''] =
    /^\/console\/([A-Z0-9]{7})\/(messages\/\w+|\w+)\/([\w-]+)/.exec(path) ?? []
  const home = account === '' ? path.split('/').slice(0, 3).join('/') : `/console/${account}`
  const type = TYPES[page]
  return `${home}/approvals?ask=${type === undefined ? 'any' : `${type}:${id}`}`
}

/** Pages of what approval is asked for, by the type of the interface. */
const OBJECT_TYPES: Record<string, string> = {
  'messages/email': 'action',
  'messages/sms': 'action',
  'messages/rcs': 'rcs',
  'messages/notification': 'notification',
  workflows: 'workflow',
}

/** Returns the path to request approval for the object of this page; without an object, the user chooses one. */
export function approvalRequestPath(path: string): string {
  const [, account = '', page = '', id = ''] =
    /^\/console\/([A-Z0-9]{7})\/(messages\/\w+|\w+)\/([\w-]+)/.exec(path) ?? []
  const accountHome = account === '' ? path.split('/').slice(0, 3).join('/') : `/console/${account}`
  const type = OBJECT_TYPES[page]
  return `${accountHome}/approvals?ask=${type === undefined ? 'any' : `${type}:${id}`}`
}

import { Type } from 'typebox'
import { Problem } from '../../../lib/errors/problem.ts'
import { buildApiPath, readApiResource, requestApiBody } from '../ask.ts'
import { describeRedListOrigin } from '../reasons.ts'
import {
  confirmableArguments,
  defineMcpTool,
  listLimitSchema,
  mcpPeriod,
  runWithConfirmation,
  toolArguments,
} from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { loadReferencedContact, McpContactReference } from './contacts.ts'

const SuppressionList = Type.Enum(['mail', 'sms'], { description: '`mail`: email. `sms`: SMS and RCS.' })
const suppressionReference = { id: McpContactReference, list: SuppressionList }

interface SuppressionEntry {
  origin: number
}

const listSuppressionsTool = defineMcpTool({
  name: 'list_suppressions',
  title: 'List a suppression list',
  description: 'Lists the contacts on a suppression list (red list), with when and why they were added.',
  effect: 'reads',
  input: toolArguments({ list: SuppressionList, ...mcpPeriod, limit: listLimitSchema(500, 100) }),
  async run({ ask }, { list, start: startDate, end: endDate, limit = 100 }) {
    const path = `/targets/redlist/${list}`
    const entries = await readApiResource<SuppressionEntry[]>(ask, path, { startDate, endDate, limit })
    const explained = entries.map((entry) => ({ ...entry, why: describeRedListOrigin(entry.origin) }))
    return { suppressions: wrapUntrusted(explained) }
  },
})

const suppressContactTool = defineMcpTool({
  name: 'suppress_contact',
  title: 'Add a contact to a suppression list',
  description: 'Adds a contact to a suppression list: it gets no more messages, and waiting ones are cancelled.',
  effect: 'acts',
  input: confirmableArguments(suppressionReference),
  async run(desk, args) {
    const { id, redList = {} } = await loadReferencedContact(desk.ask, args.id)
    const present = redList[args.list]
    if (present) return { state: 'unchanged', id, why: describeRedListOrigin(present.reason), since: present.timestamp }
    const pendingCall = {
      right: 'write',
      will: `add the contact to the ${args.list} suppression list`,
      object: { id, redList },
      count: 1,
      of: 'contacts',
    } as const
    return runWithConfirmation(desk, { tool: 'suppress_contact', args, ...pendingCall }, () =>
      requestApiBody(desk.ask, { method: 'POST', path: `${buildApiPath`/targets/${id}`}/redlist/${args.list}` }),
    )
  },
})

const unsuppressContactTool = defineMcpTool({
  name: 'unsuppress_contact',
  title: 'Remove a contact from a suppression list',
  description: 'Removes a contact from a suppression list, so that it can get messages again.',
  effect: 'acts',
  input: confirmableArguments({
    ...suppressionReference,
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'Reason for the removal; kept permanently.' }),
  }),
  async run(desk, args) {
    const { list, reason } = args
    const { id, redList = {} } = await loadReferencedContact(desk.ask, args.id)
    const present = redList[list]
    if (!present) throw new Problem(404, 'not-listed', `The contact ${id} is not on the ${list} suppression list.`)
    const pendingCall = {
      right: 'write',
      will: `remove the contact from the ${list} suppression list`,
      object: { id, redList },
      shown: { id, list, why: describeRedListOrigin(present.reason), since: present.timestamp },
      count: 1,
      of: 'contacts',
    } as const
    return runWithConfirmation(desk, { tool: 'unsuppress_contact', args, ...pendingCall }, () => {
      const path = `${buildApiPath`/targets/${id}`}/redlist/${list}`
      return requestApiBody(desk.ask, { method: 'DELETE', path, body: { reason } })
    })
  },
})

/** Tools for the lists of contacts that get no messages. */
export const mcpSuppressionTools = [listSuppressionsTool, suppressContactTool, unsuppressContactTool]

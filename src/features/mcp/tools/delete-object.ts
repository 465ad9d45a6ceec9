import { Type } from 'typebox'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import {
  buildApiPath,
  ifMatchHeader,
  type McpApiCaller,
  readApiResource,
  readTaggedResource,
  requestApiBody,
} from '../ask.ts'
import { confirmableArguments, defineMcpTool, McpObjectId, runWithConfirmation } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { describeMessageState, type McpMessage, mcpMessageKinds } from './kinds.ts'

/** A kind of objects that can be deleted. */
interface DeletableKind {
  path: string
  /** The kind of the refusal while other objects use it; absent where uses do not matter. */
  linked?: string
}

const deletableKinds = {
  contact: { path: '/targets' },
  segment: { path: '/segments', linked: 'segment-linked' },
  field: { path: '/fields', linked: 'field-linked' },
  form: { path: '/forms', linked: 'form-linked' },
  design: { path: '/designs' },
  import: { path: '/imports' },
  workflow: { path: '/scripting/workflows' },
  message: { path: mcpMessageKinds.message.path },
  rcs: { path: mcpMessageKinds.rcs.path },
  notification: { path: mcpMessageKinds.notification.path },
} as const satisfies Record<string, DeletableKind>

type DeletableKindName = keyof typeof deletableKinds

/** Throws conflict while the object is in use, active or being sent. */
async function assertDeletable(
  ask: McpApiCaller,
  { kind, id, path }: { kind: DeletableKindName; id: string | number; path: string },
  object: McpMessage,
): Promise<void> {
  const { linked }: DeletableKind = deletableKinds[kind]
  if (linked !== undefined) {
    const links = await readApiResource<unknown[]>(ask, `${path}/links`)
    if (links.length > 0)
      throw conflictProblem(linked, `The ${kind} ${id} is in use.`, { more: wrapUntrusted({ links }) })
  }
  if (kind === 'workflow' && object.state === 1) throw conflictProblem('workflow-active', `Workflow ${id} is active.`)
  const isBeingSent = object.state === 40 || (object.state === 55 && object.informations?.paused !== true)
  if ((kind === 'message' || kind === 'rcs') && isBeingSent)
    throw conflictProblem('action-state', `The message ${id} is ${describeMessageState(object)}. Pause it first.`)
}

const deleteObjectTool = defineMcpTool({
  name: 'delete_object',
  title: 'Delete an object',
  description: 'Deletes one object of any kind. The contacts of a segment are not deleted.',
  effect: 'acts',
  input: confirmableArguments({
    kind: Type.Enum(Object.keys(deletableKinds) as DeletableKindName[]),
    id: McpObjectId,
  }),
  async run(desk, args) {
    const { kind, id } = args
    const path = deletableKinds[kind].path + buildApiPath`/${id}`
    const { body: targetObject, etag } = await readTaggedResource<McpMessage>(desk.ask, path)
    const memberCount = (targetObject as { targetsCount?: number }).targetsCount
    const count = kind === 'segment' ? (memberCount ?? 0) : 1
    const countedText = kind === 'segment' ? 'contacts in the segment, which are not deleted' : 'objects'
    const pendingCall = {
      right: 'write',
      will: `delete the ${kind}`,
      count,
      of: countedText,
      async check() {
        await assertDeletable(desk.ask, { kind, id, path }, targetObject)
        return undefined
      },
    } as const
    return runWithConfirmation(desk, { tool: 'delete_object', args, object: targetObject, ...pendingCall }, () => {
      return requestApiBody(desk.ask, { method: 'DELETE', path, headers: ifMatchHeader(etag) })
    })
  },
})

/** The tool that deletes. */
export const mcpDeletionTools = [deleteObjectTool]

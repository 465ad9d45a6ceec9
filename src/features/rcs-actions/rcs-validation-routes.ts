import { Type } from 'typebox'
import { families } from '../../channels/families.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { requireApproved } from '../../http/live-writes.ts'
import { nullable } from '../accounts/sending-settings-schemas.ts'
import { pauseAction, resumeAction } from '../actions/campaign-run.ts'
import { ActionParams, refIn } from '../actions/ids.ts'
import { unvalidateAction } from '../actions/validation.ts'
import { RcsValidationBody } from './rcs-action-schemas.ts'
import { validateRcsAction } from './validation.ts'

const family = families.rcs

/** The way of an RCS action from its edition to its sending, and back. */
export function rcsValidationRoutes(app: App, context: Context): void {
  const { db, clock } = context
  const command = (summary: string) => ({
    tags: ['RCS actions'],
    summary,
    params: ActionParams,
    response: { 204: Type.Null() },
  })
  const config = { right: 'send' } as const
  app.post('/channel/rcs/actions/:id/validation', {
    config,
    schema: { ...command('validate an RCS action'), body: nullable(RcsValidationBody) },
    handler: async (request, reply) => {
      const { account, params, body } = request
      requireApproved(request, 'The validation of an RCS action')
      await validateRcsAction(context, refIn(family, account, params.id), body ?? {})
      return reply.code(204).send(null)
    },
  })
  app.delete('/channel/rcs/actions/:id/validation', {
    config,
    schema: command('take the validation of an RCS action back'),
    handler: async ({ account, params }, reply) => {
      await unvalidateAction(db, refIn(family, account, params.id))
      return reply.code(204).send(null)
    },
  })
  app.post('/channel/rcs/actions/:id/pause', {
    config,
    schema: command('pause an RCS campaign'),
    handler: async ({ account, params }, reply) => {
      await pauseAction(db, refIn(family, account, params.id))
      return reply.code(204).send(null)
    },
  })
  app.delete('/channel/rcs/actions/:id/pause', {
    config,
    schema: command('let a paused RCS campaign go on'),
    handler: async ({ account, params }, reply) => {
      await resumeAction(db, refIn(family, account, params.id), new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

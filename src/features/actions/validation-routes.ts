import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { requireApproved } from '../../http/live-writes.ts'
import { preferredWait } from '../../http/prefer.ts'
import { nullable } from '../accounts/sending-settings-schemas.ts'
import { pauseAction, resumeAction } from './campaign-run.ts'
import { ActionParams, refOf } from './ids.ts'
import { testerOf } from './testers.ts'
import { unvalidateAction, validateAction } from './validation.ts'
import { ValidationBody } from './validation-schemas.ts'

/** The way of an action from its edition to its sending, and back. */
export function validationRoutes(app: App, context: Context): void {
  const { db, clock } = context
  // A stop of the service waits for its requests: those that only wait end at once.
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const command = (summary: string) => ({
    tags: ['actions'],
    summary,
    params: ActionParams,
    response: { 204: Type.Null() },
  })
  app.post('/actions/:id/validation', {
    config: { right: 'send', rightOfPeople: 'write' },
    schema: { ...command('test an action, or validate it for production'), body: nullable(ValidationBody) },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const action = refOf(account, params.id)
      if (!body?.fortest) requireApproved(request, 'The validation for production')
      const tester = await testerOf(db, account, request)
      // The signal of a request reports a client that leaves only until its body was read.
      const leaving = new AbortController()
      reply.raw.once('close', () => leaving.abort())
      const limit = {
        ms: (preferredWait(request) ?? Number.POSITIVE_INFINITY) * 1000,
        signal: AbortSignal.any([leaving.signal, closing.signal]),
      }
      await validateAction(context, action, { ...body, tester }, limit)
      return reply.code(204).send(null)
    },
  })
  app.delete('/actions/:id/validation', {
    config: { right: 'send' },
    schema: command('take a validation back'),
    handler: async ({ account, params }, reply) => {
      await unvalidateAction(db, refOf(account, params.id))
      return reply.code(204).send(null)
    },
  })
  app.post('/actions/:id/pause', {
    config: { right: 'send' },
    schema: command('pause a campaign'),
    handler: async ({ account, params }, reply) => {
      await pauseAction(db, refOf(account, params.id))
      return reply.code(204).send(null)
    },
  })
  app.delete('/actions/:id/pause', {
    config: { right: 'send' },
    schema: command('let a paused campaign go on'),
    handler: async ({ account, params }, reply) => {
      await resumeAction(db, refOf(account, params.id), new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

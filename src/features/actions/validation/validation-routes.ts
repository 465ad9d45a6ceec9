import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { type Look, lookOf, told } from '../../../http/resource/audit.ts'
import { requireApproved } from '../../../http/resource/live-writes.ts'
import { preferredWait } from '../../../http/resource/prefer.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { addressHash } from '../../audit/address-hash.ts'
import { pauseAction, resumeAction } from '../execution/campaign-run.ts'
import { actionDocuments } from '../resource/action-formats.ts'
import { type ActionRef, lockAction } from '../resource/action-repository.ts'
import { Action } from '../resource/action-schemas.ts'
import { readAction } from '../resource/actions.ts'
import { ActionParams, refOf } from '../resource/ids.ts'
import { testerOf } from './testers.ts'
import { unvalidateAction, validateAction } from './validation.ts'
import { ValidationBody } from './validation-schemas.ts'

/** An action as it stands when its state changes. */
function lookAt(ref: ActionRef): Look {
  return lookOf(
    (tx) => readAction(tx, actionDocuments, ref),
    (tx) => lockAction(tx, ref),
  )
}

/** What the audit says of a validation that is asked for: the address of a test as its hash. */
function saidOf({ masterKeys }: Context, body: ValidationBody | null | undefined): object {
  const { fortest, testSegments, mediaForTest } = body ?? {}
  if (!fortest) return {}
  const address = mediaForTest == null ? null : addressHash(masterKeys, mediaForTest)
  return { fortest, testSegments: testSegments ?? null, mediaForTest: address }
}

/** The way of an action from its edition to its sending, and back. */
export function validationRoutes(app: App, context: Context): void {
  const { db, clock } = context
  // A stop of the service waits for its requests: those that only wait end at once.
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const toldOf = (request: FastifyRequest<{ Params: { id: string } }>) => {
    const ref = refOf(request.account, request.params.id)
    return { ref, handle: told(request, db, lookAt(ref)) }
  }
  const command = (summary: string) => ({
    tags: ['actions'],
    summary,
    params: ActionParams,
    response: { 204: Type.Null() },
  })
  app.post('/actions/:id/validation', {
    config: { right: 'send', rightOfPeople: 'write', audit: { object: 'action' } },
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
      const handle = told(request, db, {
        ...lookAt(action),
        ...{ said: saidOf(context, body), shown: { reply, schema: Action } },
      })
      await validateAction({ ...context, db: handle }, action, { ...body, tester }, limit)
      return reply.code(204).send(null)
    },
  })
  app.delete('/actions/:id/validation', {
    config: { right: 'send', audit: { object: 'action' } },
    schema: command('take a validation back'),
    handler: async (request, reply) => {
      const { ref, handle } = toldOf(request)
      await unvalidateAction(handle, ref)
      return reply.code(204).send(null)
    },
  })
  app.post('/actions/:id/pause', {
    config: { right: 'send', audit: { object: 'action' } },
    schema: command('pause a campaign'),
    handler: async (request, reply) => {
      const { ref, handle } = toldOf(request)
      await pauseAction(handle, ref)
      return reply.code(204).send(null)
    },
  })
  app.delete('/actions/:id/pause', {
    config: { right: 'send', audit: { object: 'action' } },
    schema: command('let a paused campaign go on'),
    handler: async (request, reply) => {
      const { ref, handle } = toldOf(request)
      await resumeAction(handle, ref, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

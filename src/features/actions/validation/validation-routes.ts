import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb, createAuditSnapshot } from '../../../http/resource/audit.ts'
import { requireDirectSendRight } from '../../../http/resource/live-writes.ts'
import { readPreferredWaitSeconds } from '../../../http/resource/prefer.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { hashAuditAddress } from '../../audit/address-hash.ts'
import { pauseAction, resumeAction } from '../execution/campaign-run.ts'
import { mailSmsActionFormat } from '../resource/action-formats.ts'
import { type ActionRef, lockAction } from '../resource/action-repository.ts'
import { ActionResponse } from '../resource/action-schemas.ts'
import { readAction } from '../resource/actions.ts'
import { ActionParams, parseActionRef } from '../resource/ids.ts'
import { findRestrictedTester } from './testers.ts'
import { unvalidateAction, validateAction } from './validation.ts'
import { ActionValidationBody } from './validation-schemas.ts'

/** An action as it stands when its state changes. */
function lookAt(ref: ActionRef): AuditSnapshotOptions {
  return createAuditSnapshot(
    (tx) => readAction(tx, mailSmsActionFormat, ref),
    (tx) => lockAction(tx, ref),
  )
}

/** What the audit says of a validation that is asked for: the address of a test as its hash. */
function saidOf({ masterKeys }: ServiceContext, body: ActionValidationBody | null | undefined): object {
  const { fortest, testSegments, mediaForTest } = body ?? {}
  if (!fortest) return {}
  const address = mediaForTest == null ? null : hashAuditAddress(masterKeys, mediaForTest)
  return { fortest, testSegments: testSegments ?? null, mediaForTest: address }
}

/** The way of an action from its edition to its sending, and back. */
export function actionValidationRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  // A stop of the service waits for its requests: those that only wait end at once.
  const closing = new AbortController()
  app.addHook('preClose', async () => closing.abort())
  const toldOf = (request: FastifyRequest<{ Params: { id: string } }>) => {
    const ref = parseActionRef(request.account, request.params.id)
    return { ref, handle: createAuditedDb(request, db, lookAt(ref)) }
  }
  const command = (summary: string) => ({
    tags: ['actions'],
    summary,
    params: ActionParams,
    response: { 204: Type.Null() },
  })
  app.post('/actions/:id/validation', {
    config: { right: 'send', rightOfPeople: 'write', audit: { object: 'action' } },
    schema: { ...command('test an action, or validate it for production'), body: nullableSchema(ActionValidationBody) },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const action = parseActionRef(account, params.id)
      if (!body?.fortest) requireDirectSendRight(request, 'The validation for production')
      const tester = await findRestrictedTester(db, account, request)
      // The signal of a request reports a client that leaves only until its body was read.
      const leaving = new AbortController()
      reply.raw.once('close', () => leaving.abort())
      const limit = {
        ms: (readPreferredWaitSeconds(request) ?? Number.POSITIVE_INFINITY) * 1000,
        signal: AbortSignal.any([leaving.signal, closing.signal]),
      }
      const handle = createAuditedDb(request, db, {
        ...lookAt(action),
        ...{ said: saidOf(context, body), shown: { reply, schema: ActionResponse } },
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

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import {
  type AuditSnapshotOptions,
  createAuditedDb,
  createAuditSnapshot,
} from '../../../http/resource/audit-requests.ts'
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
import { ActionValidationBody, actionValidationRefusals } from './validation-schemas.ts'

/** An action as it stands when its state changes. */
function createSnapshotOptions(ref: ActionRef): AuditSnapshotOptions {
  return createAuditSnapshot(
    (tx) => readAction(tx, mailSmsActionFormat, ref),
    (tx) => lockAction(tx, ref),
  )
}

/** Audit details of a requested validation; the address of a test is recorded as a hash. */
function buildAuditDetails({ masterKeys }: ServiceContext, body: ActionValidationBody | null | undefined): object {
  const { fortest, testSegments, mediaForTest } = body ?? {}
  if (!fortest) return {}
  const address = mediaForTest == null ? null : hashAuditAddress(masterKeys, mediaForTest)
  return { fortest, testSegments: testSegments ?? null, mediaForTest: address }
}

/** The way of an action from its edition to its sending, and back. */
export function actionValidationRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  // A stop of the service waits for its requests: those that only wait end at once.
  const serverClosing = new AbortController()
  app.addHook('preClose', async () => serverClosing.abort())
  const createAudited = (request: FastifyRequest<{ Params: { id: string } }>) => {
    const ref = parseActionRef(request.account, request.params.id)
    return { ref, handle: createAuditedDb(request, db, createSnapshotOptions(ref)) }
  }
  const buildCommandSchema = (summary: string) => ({
    tags: ['actions'],
    summary,
    params: ActionParams,
    response: { 204: Type.Null() },
  })
  app.post('/actions/:id/validation', {
    config: { right: 'send', rightOfPeople: 'write', audit: { object: 'action' } },
    schema: {
      ...buildCommandSchema('Test or validate an action'),
      description:
        'With `fortest` true, starts a test that sends proofs, and waits up to 10 seconds for its end. Otherwise validates the action for production, first waiting up to 25 seconds for a running test: messages can then be sent on demand, and a campaign starts by its scheduler. Work that takes longer continues in the background, and `Prefer: wait` shortens the wait for a test. Refused with 409 in any other state or if something is missing; the detail says what.',
      refusals: { ...actionValidationRefusals, 403: 'approval-required own-address', 412: 'precondition-failed' },
      body: nullableSchema(ActionValidationBody),
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const action = parseActionRef(account, params.id)
      if (!body?.fortest) requireDirectSendRight(request, 'The validation for production')
      const tester = await findRestrictedTester(db, account, request)
      // The signal of a request reports a client that leaves only until its body was read.
      const clientLeaving = new AbortController()
      reply.raw.once('close', () => clientLeaving.abort())
      const limit = {
        ms: (readPreferredWaitSeconds(request) ?? Number.POSITIVE_INFINITY) * 1000,
        signal: AbortSignal.any([clientLeaving.signal, serverClosing.signal]),
      }
      const auditedDb = createAuditedDb(request, db, {
        ...createSnapshotOptions(action),
        said: buildAuditDetails(context, body),
        conditionSchema: ActionResponse,
      })
      await validateAction({ ...context, db: auditedDb }, action, { ...body, tester }, limit)
      return reply.code(204).send(null)
    },
  })
  app.delete('/actions/:id/validation', {
    config: { right: 'send', audit: { object: 'action' } },
    schema: {
      ...buildCommandSchema('Cancel the validation of an action'),
      description:
        'Takes back a validation or a passed test: the state becomes 20, and the start of a campaign is cancelled. Messages accepted before are still sent. Refused with 409 in every state but 38 and 50.',
      refusals: actionValidationRefusals,
    },
    handler: async (request, reply) => {
      const { ref, handle: auditedDb } = createAudited(request)
      await unvalidateAction(auditedDb, ref)
      return reply.code(204).send(null)
    },
  })
  app.post('/actions/:id/pause', {
    config: { right: 'send', audit: { object: 'action' } },
    schema: {
      ...buildCommandSchema('Pause a campaign'),
      description:
        'Stops sending within a second; the end date still applies. Refused with 409 if the campaign is not being sent, or is already paused.',
      refusals: actionValidationRefusals,
    },
    handler: async (request, reply) => {
      const { ref, handle: auditedDb } = createAudited(request)
      await pauseAction(auditedDb, ref)
      return reply.code(204).send(null)
    },
  })
  app.delete('/actions/:id/pause', {
    config: { right: 'send', audit: { object: 'action' } },
    schema: {
      ...buildCommandSchema('Resume a paused campaign'),
      description: 'Continues sending with the messages that are left. Refused with 409 if the campaign is not paused.',
      refusals: actionValidationRefusals,
    },
    handler: async (request, reply) => {
      const { ref, handle: auditedDb } = createAudited(request)
      await resumeAction(auditedDb, ref, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}
